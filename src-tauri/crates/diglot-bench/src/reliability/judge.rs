//! What a disk holds after a crash, held against what was decided before it. Owns the verdict; looks with an ordinary
//! SQLite, not with the product.

use std::collections::BTreeMap;
use std::path::Path;

use rusqlite::Connection;
use serde_json::Value;

use super::generations::{Generations, confirmed, hash};
use super::job::{Decided, Deed};

/// Holds what was found in a database.
#[derive(Debug)]
pub(super) struct Kept {
    /// Decisions in its log: the first so many.
    pub(super) n_decided: usize,
    /// Hashes that the application knows as its own, by document.
    ours: BTreeMap<String, Vec<String>>,
}

/// Looks at a database: it is whole, and it holds the first of the decisions, at least those that were acknowledged.
///
/// # Errors
/// The first thing that is wrong.
pub(super) fn database(
    path: &Path,
    decided: &[Decided],
    n_acknowledged: usize,
) -> Result<Kept, String> {
    let kept = match open(path) {
        Ok(Some(connection)) => read(&connection, decided)?,
        Ok(None) => Kept {
            n_decided: 0,
            ours: BTreeMap::new(),
        },
        Err(error) => return Err(format!("the database does not open: {error}")),
    };
    if kept.n_decided < n_acknowledged {
        return Err(format!(
            "{n_acknowledged} decisions were acknowledged and {} are there",
            kept.n_decided
        ));
    }
    Ok(kept)
}

/// Opens a database; `None` when there is none, or none of our tables yet.
fn open(path: &Path) -> rusqlite::Result<Option<Connection>> {
    if !path.exists() {
        return Ok(None);
    }
    let connection = Connection::open(path)?;
    let n_tables: i64 = connection.query_row(
        "SELECT count(*) FROM sqlite_schema WHERE name IN ('entry', 'unit', 'session')",
        [],
        |row| row.get(0),
    )?;
    Ok((n_tables == 3).then_some(connection))
}

fn read(connection: &Connection, decided: &[Decided]) -> Result<Kept, String> {
    let wrong = |error: rusqlite::Error| format!("the database cannot be read: {error}");
    let whole: String = connection
        .query_row("PRAGMA integrity_check", [], |row| row.get(0))
        .map_err(wrong)?;
    if whole != "ok" {
        return Err(format!("integrity_check: {whole}"));
    }
    let log = rows(
        connection,
        "SELECT body, '' FROM entry WHERE kind IN ('response', 'revision') ORDER BY session, seq",
    )
    .map_err(wrong)?;
    for (place, (body, _)) in log.iter().enumerate() {
        let entry: Value = serde_json::from_str(body).map_err(|error| error.to_string())?;
        if !decided.get(place).is_some_and(|at| is_entry(at, &entry)) {
            return Err(format!(
                "entry {} of the log was not decided there: {body}",
                place + 1
            ));
        }
    }
    let first = decided.get(..log.len()).unwrap_or_default();
    units(connection, first)?;
    let settings = rows(connection, "SELECT settings, '' FROM session").map_err(wrong)?;
    Ok(Kept {
        n_decided: log.len(),
        ours: settings
            .first()
            .map(|(text, _)| ours(text))
            .unwrap_or_default(),
    })
}

fn rows(connection: &Connection, sql: &str) -> rusqlite::Result<Vec<(String, String)>> {
    let mut statement = connection.prepare(sql)?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    rows.collect()
}

/// Tells whether an entry of the log is this decision.
fn is_entry(decided: &Decided, entry: &Value) -> bool {
    let text = |pointer: &str| entry.pointer(pointer).and_then(Value::as_str);
    let kind = text("/value/decision/kind");
    let target = text("/value/decision/target");
    let is_call = text("/value/callId") == decided.call_id.as_deref();
    match &decided.deed {
        Deed::Approve { .. } => is_call && kind == Some("approve"),
        Deed::Refine { target: expected } => {
            is_call && kind == Some("refine") && target == Some(expected)
        }
        Deed::Reject { reason } => {
            is_call && kind == Some("reject") && text("/value/decision/reason") == Some(reason)
        }
        Deed::Revise { target: expected } => {
            let (path, unit) = &decided.unit;
            text("/value/target") == Some(expected)
                && text("/value/unit/path") == Some(path)
                && entry.pointer("/value/unit/unit").and_then(Value::as_u64) == Some(*unit as u64)
        }
    }
}

/// Holds the rows of units against the log.
fn units(connection: &Connection, decided: &[Decided]) -> Result<(), String> {
    let found = rows(
        connection,
        "SELECT path || '#' || unit, target FROM unit WHERE state IN ('approved', 'refined')",
    )
    .map_err(|error| error.to_string())?;
    let found: BTreeMap<String, String> = found.into_iter().collect();
    let expected: BTreeMap<String, String> = confirmed(decided)
        .into_iter()
        .map(|((path, unit), target)| (format!("{path}#{unit}"), target.to_owned()))
        .collect();
    if found == expected {
        Ok(())
    } else {
        Err(format!("units are {found:?}, not {expected:?}"))
    }
}

/// Reads which contents of targets the application knows as its own.
fn ours(settings: &str) -> BTreeMap<String, Vec<String>> {
    let settings: Value = serde_json::from_str(settings).unwrap_or_default();
    let ledger = settings.get("targets").and_then(Value::as_object);
    let hashes = |record: &Value| {
        ["before", "written"]
            .iter()
            .filter_map(|name| Some(record.get(name)?.as_str()?.to_owned()))
            .collect()
    };
    ledger
        .into_iter()
        .flatten()
        .map(|(path, record)| (path.clone(), hashes(record)))
        .collect()
}

/// Judges a target: absent, or whole and right after no more decisions than the database holds, and known as ours.
pub(super) fn target(
    generations: &Generations,
    name: &str,
    bytes: Option<&[u8]>,
    kept: &Kept,
) -> Option<String> {
    let bytes = bytes?;
    let hash = hash(bytes);
    let ours = kept.ours.get(name);
    match generations.of(name, &hash) {
        None => Some(format!("{name} ({} bytes) is no rendering", bytes.len())),
        Some(n) if n > kept.n_decided => Some(format!(
            "{name} holds decision {n}, the database only {}",
            kept.n_decided
        )),
        Some(_) if !ours.is_some_and(|ours| ours.contains(&hash)) => {
            Some(format!("{name} is not known as ours"))
        }
        Some(_) => None,
    }
}
