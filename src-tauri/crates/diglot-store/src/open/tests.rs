//! Opening: locks, crashes, damage, other people's files, newer versions.

use std::io::{Seek, SeekFrom, Write};

use diglot_agent::Seq;
use serde_json::json;
use tempfile::TempDir;

use super::*;
use crate::fixture::{commit, new_session, said};

fn file() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data").join("diglot.db");
    (folder, path)
}

/// A closed database with `n` sessions.
fn filled(path: &Path, n: i64) {
    let store = Store::open(path).unwrap().store;
    for at in 0..n {
        store.create_session(&new_session("guide", at)).unwrap();
    }
}

#[test]
fn the_linked_sqlite_is_new_enough() {
    assert!(
        rusqlite::version_number() >= SQLITE_NEEDED,
        "{}",
        rusqlite::version()
    );
}

#[test]
fn what_was_committed_is_there_after_reopening() {
    let (_folder, path) = file();
    let opened = Store::open(&path).unwrap();
    assert!(!opened.read_only && opened.recovered.is_none());
    let session = opened
        .store
        .create_session(&new_session("guide", 1))
        .unwrap();
    let mut work = commit(session, 0);
    work.entries = vec![said("hello")];
    opened.store.commit(&work).unwrap();
    assert_eq!(
        opened.store.entries(session, Seq(0)).unwrap().len(),
        1,
        "by the reader"
    );
    drop(opened);
    let store = Store::open(&path).unwrap().store;
    assert_eq!(
        store.entries(session, Seq(0)).unwrap(),
        [(Seq(1), said("hello"))]
    );
}

#[test]
fn every_connection_is_set_up_as_promised() {
    let (_folder, path) = file();
    let store = Store::open(&path).unwrap().store;
    let text = |connection: &Connection, name: &str| -> String {
        connection
            .pragma_query_value(None, name, |row| row.get::<_, rusqlite::types::Value>(0))
            .map(|value| format!("{value:?}"))
            .unwrap()
    };
    let check = |connection: &Connection, expected: &[(&str, &str)]| {
        for (name, value) in expected {
            assert_eq!(text(connection, name), *value, "{name}");
        }
    };
    let common = [
        ("journal_mode", "Text(\"wal\")"),
        ("busy_timeout", "Integer(5000)"),
        ("foreign_keys", "Integer(1)"),
        ("trusted_schema", "Integer(0)"),
        ("application_id", "Integer(1147758444)"),
    ];
    check(&store.reading(), &common);
    store
        .reading()
        .execute("DELETE FROM session", [])
        .unwrap_err();
    store
        .write(|tx| {
            check(tx, &common);
            check(
                tx,
                &[("synchronous", "Integer(2)"), ("query_only", "Integer(0)")],
            );
            Ok(())
        })
        .unwrap();
}

#[test]
fn a_second_opening_is_told_that_the_file_is_in_use() {
    let (_folder, path) = file();
    let first = Store::open(&path).unwrap();
    assert!(matches!(Store::open(&path), Err(StoreError::Locked { .. })));
    drop(first);
    Store::open(&path).unwrap();
}

/// A copy of the files while the database is open is what a crash leaves: the last commits are in the log of
/// SQLite alone.
#[test]
fn a_crash_loses_nothing_that_was_committed() {
    let (folder, path) = file();
    let store = Store::open(&path).unwrap().store;
    store.create_session(&new_session("guide", 1)).unwrap();
    let crashed = folder.path().join("crashed.db");
    for suffix in ["", "-wal"] {
        fs::copy(beside(&path, suffix), beside(&crashed, suffix)).unwrap();
    }
    let opened = Store::open(&crashed).unwrap();
    assert_eq!(
        (
            opened.recovered,
            opened.store.sessions(None, 0, 9).unwrap().n_total
        ),
        (None, 1)
    );
}

#[cfg(unix)]
#[test]
fn the_files_are_the_users_alone() {
    use std::os::unix::fs::PermissionsExt;
    let (_folder, path) = file();
    let store = Store::open(&path).unwrap().store;
    store.create_session(&new_session("guide", 1)).unwrap();
    store.copy_to(&beside(&path, ".copy")).unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(path.parent().unwrap()), 0o700);
    for suffix in ["", "-wal", "-shm", ".copy"] {
        assert_eq!(mode(&beside(&path, suffix)), 0o600, "{suffix}");
    }
}

#[test]
fn a_file_is_copied_before_it_is_migrated_and_a_new_one_is_not() {
    let (_folder, path) = file();
    filled(&path, 3);
    let steps = [MIGRATIONS, &["DELETE FROM session WHERE id > 1;"]].concat();
    let next = format!(".before-v{}-1", steps.len());
    let n_sessions = |path: &Path| -> i64 {
        let raw = Connection::open(path).unwrap();
        raw.query_row("SELECT count(*) FROM session", [], |row| row.get(0))
            .unwrap()
    };
    drop(connect(&path, &steps).unwrap());
    let copy = beside(&path, &next);
    assert_eq!((n_sessions(&path), n_sessions(&copy)), (1, 3));
    drop(connect(&path, &steps).unwrap());
    let new = path.with_file_name("new.db");
    drop(connect(&new, &steps).unwrap());
    let names: Vec<_> = fs::read_dir(path.parent().unwrap())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.contains("before"))
        .collect();
    assert_eq!(names, [format!("diglot.db{next}")]);
}

#[test]
fn a_migration_that_fails_leaves_the_file_as_it_was() {
    let (_folder, path) = file();
    filled(&path, 3);
    let broken = [MIGRATIONS, &["DELETE FROM session; nonsense;"]].concat();
    assert!(connect(&path, &broken).is_err());
    let store = Store::open(&path).unwrap().store;
    assert_eq!(store.sessions(None, 0, 9).unwrap().n_total, 3);
}

#[test]
fn a_newer_file_can_be_looked_at_and_not_changed() {
    let (_folder, path) = file();
    filled(&path, 1);
    let raw = Connection::open(&path).unwrap();
    raw.pragma_update(None, "user_version", 999).unwrap();
    drop(raw);
    let opened = Store::open(&path).unwrap();
    assert!(opened.read_only && opened.store.is_read_only());
    let id = opened.store.sessions(None, 0, 9).unwrap().rows[0].id;
    let store = &opened.store;
    let refused = [
        store.create_session(&new_session("x", 2)).map(|_| ()),
        store.commit(&commit(id, 0)).map(|_| ()),
        store.set_setting("a", &json!(1)),
        store.delete_session(id),
    ];
    for result in refused {
        assert!(matches!(result, Err(StoreError::ReadOnly)), "{result:?}");
    }
    drop(opened);
    let version: i64 = Connection::open(&path)
        .unwrap()
        .pragma_query_value(None, "user_version", |row| row.get(0))
        .unwrap();
    assert_eq!(version, 999);
}

#[test]
fn a_file_that_is_no_database_is_kept_aside() {
    let (_folder, path) = file();
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    for n in 1..=2 {
        fs::write(
            &path,
            format!("my shopping list {n}, not a database at all"),
        )
        .unwrap();
        let opened = Store::open(&path).unwrap();
        let kept = beside(&path, &format!(".corrupt-{n}"));
        assert_eq!(opened.recovered.as_ref(), Some(&kept));
        assert!(
            fs::read_to_string(kept)
                .unwrap()
                .contains(&format!("list {n}"))
        );
        assert_eq!(opened.store.sessions(None, 0, 9).unwrap().n_total, 0);
        drop(opened);
        assert_eq!(Store::open(&path).unwrap().recovered, None);
    }
}

#[test]
fn a_damaged_header_or_schema_is_kept_aside() {
    for place in [0, 100] {
        let (_folder, path) = file();
        filled(&path, 1);
        let mut raw = File::options().write(true).open(&path).unwrap();
        raw.seek(SeekFrom::Start(place)).unwrap();
        raw.write_all(&[0xff; 64]).unwrap();
        drop(raw);
        let damaged = fs::read(&path).unwrap();
        let opened = Store::open(&path).unwrap();
        assert_eq!(fs::read(opened.recovered.unwrap()).unwrap(), damaged);
        opened.store.create_session(&new_session("new", 1)).unwrap();
    }
}

#[test]
fn damage_inside_is_found_when_asked_for() {
    let (_folder, path) = file();
    filled(&path, 500);
    let mut bytes = fs::read(&path).unwrap();
    let from = bytes.len() - 3 * 4096;
    bytes[from..].fill(0xee);
    fs::write(&path, bytes).unwrap();
    let error = Store::open(&path).unwrap().store.check().unwrap_err();
    assert!(error.is_corruption(), "{error:?}");
}

#[test]
fn the_database_of_another_program_is_not_touched() {
    let (folder, _) = file();
    let path = folder.path().join("other.db");
    let raw = Connection::open(&path).unwrap();
    raw.execute_batch("CREATE TABLE recipes (name TEXT); INSERT INTO recipes VALUES ('soup');")
        .unwrap();
    drop(raw);
    let before = fs::read(&path).unwrap();
    assert!(matches!(
        Store::open(&path),
        Err(StoreError::Foreign { .. })
    ));
    assert_eq!(fs::read(&path).unwrap(), before);
}

#[test]
fn a_folder_that_cannot_be_made_is_an_error_with_its_path() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "x").unwrap();
    let error = Store::open(&file.join("diglot.db")).unwrap_err();
    assert!(
        matches!(&error, StoreError::Io { path, .. } if *path == file),
        "{error:?}"
    );
}
