//! A database as the first version of the schema had it, made from one of today. Owns which rows go along.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use rusqlite::Connection;

/// The first schema, as it was released.
const FIRST: &str = "src-tauri/crates/diglot-store/src/migrations/0001_start.sql";

/// Tables whose rows go along; the translation memory stays behind, since its index is not made of rows.
const TABLES: [&str; 8] = [
    "language_pair",
    "session",
    "entry",
    "source",
    "session_source",
    "unit",
    "memory",
    "setting",
];

/// Replaces a database by one of the first schema with the same sessions.
pub(super) fn go_back(root: &Path, database: &Path) -> Result<()> {
    let sql = fs::read_to_string(root.join(FIRST)).context(FIRST)?;
    let old = database.with_extension("old");
    let connection = Connection::open(&old)?;
    connection.execute_batch(&sql)?;
    connection.pragma_update(None, "user_version", 1)?;
    connection.execute("ATTACH ?1 AS new", [database.to_string_lossy()])?;
    for table in TABLES {
        let names = columns(&connection, table)?.join(", ");
        connection.execute_batch(&format!(
            "INSERT INTO main.{table} ({names}) SELECT {names} FROM new.{table}"
        ))?;
    }
    connection.execute_batch("UPDATE main.language_pair SET n_sources = 0; DETACH new")?;
    connection.close().map_err(|(_, error)| error)?;
    for suffix in ["-wal", "-shm"] {
        let mut name = database.as_os_str().to_owned();
        name.push(suffix);
        if Path::new(&name).exists() {
            fs::remove_file(name)?;
        }
    }
    fs::rename(&old, database).context("the old database")
}

fn columns(connection: &Connection, table: &str) -> Result<Vec<String>> {
    let mut statement = connection.prepare("SELECT name FROM pragma_table_info(?1, 'main')")?;
    let names = statement.query_map([table], |row| row.get(0))?;
    Ok(names.collect::<rusqlite::Result<_>>()?)
}
