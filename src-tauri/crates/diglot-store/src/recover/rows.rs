//! Rows of a damaged file that its successor lacks. What cannot be read is passed over; nothing that the successor
//! holds is replaced by something older, and no log is taken over with a gap.

use diglot_agent::memory::MemoryItem;
use diglot_agent::store::TmPair;
use diglot_agent::{Entry, ProjectPath, SourceHash};
use diglot_document::LanguagePair;
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension, Row, Transaction, params, params_from_iter};

use crate::error::StoreError;
use crate::rows::{count, from_json, languages, unreadable};
use crate::{guides, log, memory, terms, tm};

/// Tells what was taken over.
pub(super) struct Found {
    /// Entries of logs.
    pub(super) n_entries: usize,
    /// Whether every session could be read to its end.
    pub(super) is_whole: bool,
}

/// Columns of a session, its id first and its last entry second.
const SESSION: &str = "id, seq, title, folder, target_folder, source_language, target_language, instructions, settings, \
     attempt, n_units, n_confirmed, n_waiting, n_tokens, search, created_at, updated_at";
/// Columns of a unit, its session first.
const UNIT: &str = "session, path, unit, source, target, state, origin, mode, revised, search";

/// Takes over what `new` lacks, in its transaction.
///
/// # Errors
/// When `new` refuses; `old` may be as damaged as it is.
pub(super) fn take_over(old: &Connection, new: &Transaction<'_>) -> Result<Found, StoreError> {
    let mut sessions: Vec<Vec<Value>> = Vec::new();
    let mut is_whole = each(old, &format!("SELECT {SESSION} FROM session"), 0, |row| {
        sessions.push(values(row)?);
        Ok(())
    });
    let mut n_entries = 0;
    for session in &sessions {
        let taken = take_session(old, new, session)?;
        n_entries += taken.n_entries;
        is_whole &= taken.is_whole;
    }
    take_pairs(old, new)?;
    take_memory(old, new)?;
    take_terms(old, new)?;
    take_guides(old, new)?;
    take_settings(old, new)?;
    Ok(Found {
        n_entries,
        is_whole,
    })
}

/// Shows each readable row to `take`, up to the first fault; answers whether there was none.
fn each(
    old: &Connection,
    sql: &str,
    after: i64,
    mut take: impl FnMut(&Row<'_>) -> Result<(), StoreError>,
) -> bool {
    let mut walk = || -> Result<bool, StoreError> {
        let mut statement = old.prepare(sql)?;
        let n = statement.parameter_count();
        let mut rows = statement.query(params_from_iter(std::iter::repeat_n(after, n)))?;
        let mut is_whole = true;
        while let Some(row) = rows.next()? {
            is_whole &= take(row).is_ok();
        }
        Ok(is_whole)
    };
    walk().unwrap_or(false)
}

fn values(row: &Row<'_>) -> Result<Vec<Value>, StoreError> {
    let n_columns = row.as_ref().column_count();
    Ok((0..n_columns)
        .map(|column| row.get(column))
        .collect::<Result<_, _>>()?)
}

/// Takes over what a session's log has more than in `new`, or the session.
fn take_session(
    old: &Connection,
    new: &Transaction<'_>,
    row: &[Value],
) -> Result<Found, StoreError> {
    let passed_over = Ok(Found {
        n_entries: 0,
        is_whole: false,
    });
    let [Value::Integer(id), Value::Integer(seq), ..] = row else {
        return passed_over;
    };
    let known: Option<i64> = new
        .query_row("SELECT seq FROM session WHERE id = ?1", [id], |row| {
            row.get(0)
        })
        .optional()?;
    let from = known.unwrap_or(0);
    if *seq < from || !is_same_history(old, new, *id, from) {
        return passed_over;
    }
    // A row that nobody can read later would hide the log behind it.
    if !is_sound(old, *id) {
        return passed_over;
    }
    put(new, "session", SESSION, row)?;
    let last = take_entries(old, new, *id, from)?;
    new.execute(
        "UPDATE session SET seq = ?2 WHERE id = ?1",
        params![id, last],
    )?;
    let is_whole = last == *seq;
    if is_whole {
        let sql = format!("SELECT {UNIT} FROM unit WHERE session = ?1");
        each(old, &sql, *id, |row| put(new, "unit", UNIT, &values(row)?));
        let sql = "SELECT session, key FROM dismissal WHERE session = ?1";
        each(old, sql, *id, |row| {
            put(new, "dismissal", "session, key", &values(row)?)
        });
    }
    Ok(Found {
        n_entries: count(last - from),
        is_whole,
    })
}

/// Writes a row, in the place of the one with its key.
fn put(new: &Transaction<'_>, table: &str, columns: &str, row: &[Value]) -> Result<(), StoreError> {
    let places: Vec<String> = (1..=row.len()).map(|n| format!("?{n}")).collect();
    let names: Vec<&str> = columns.split(", ").collect();
    let keys = if table == "session" {
        "id"
    } else if table == "unit" {
        "session, path, unit"
    } else {
        columns
    };
    let set: Vec<String> = names
        .iter()
        .map(|name| format!("{name} = excluded.{name}"))
        .collect();
    let sql = format!(
        "INSERT INTO {table} ({columns}) VALUES ({}) ON CONFLICT ({keys}) DO UPDATE SET {}",
        places.join(", "),
        set.join(", ")
    );
    new.prepare_cached(&sql)?.execute(params_from_iter(row))?;
    Ok(())
}

/// Tells whether two logs are the same up to an entry, by that entry.
fn is_same_history(old: &Connection, new: &Connection, session: i64, seq: i64) -> bool {
    let body = |connection: &Connection| -> Result<Option<String>, rusqlite::Error> {
        let sql = "SELECT body FROM entry WHERE session = ?1 AND seq = ?2";
        connection
            .query_row(sql, [session, seq], |row| row.get(0))
            .optional()
    };
    match (body(old), body(new)) {
        (Ok(old), Ok(new)) => old == new,
        _ => false,
    }
}

/// Tells whether a session's row reads.
fn is_sound(old: &Connection, session: i64) -> bool {
    crate::sessions::find(old, "WHERE id = ?1", [session])
        .is_ok_and(|row| row.is_some_and(|row| row.damage.is_none()))
}

/// Takes over the entries after one, as far as they follow on each other and can be read, with their sources.
/// Returns the last.
fn take_entries(
    old: &Connection,
    new: &Transaction<'_>,
    session: i64,
    from: i64,
) -> Result<i64, StoreError> {
    let mut entries: Vec<(i64, Entry, Vec<Value>)> = Vec::new();
    let sql = format!(
        "SELECT session, seq, kind, format, body FROM entry \
         WHERE session = {session} AND seq > ?1 ORDER BY seq"
    );
    let mut next = from + 1;
    each(old, &sql, from, |row| {
        let (seq, format, body): (i64, u32, String) = (row.get(1)?, row.get(3)?, row.get(4)?);
        let entry = log::decode(format, &body).map_err(|error| unreadable("entry", &error))?;
        if seq == next {
            entries.push((seq, entry, values(row)?));
            next += 1;
        }
        Ok(())
    });
    let mut last = from;
    for (seq, entry, row) in entries {
        if let Entry::SourceRead(read) = &entry
            && !take_source(old, new, session, &read.hash)?
        {
            break;
        }
        new.prepare_cached(
            "INSERT INTO entry (session, seq, kind, format, body) VALUES (?1, ?2, ?3, ?4, ?5)",
        )?
        .execute(params_from_iter(row))?;
        last = seq;
    }
    Ok(last)
}

/// Takes over a source text where it is whole; tells whether it is there.
fn take_source(
    old: &Connection,
    new: &Transaction<'_>,
    session: i64,
    hash: &SourceHash,
) -> Result<bool, StoreError> {
    let bytes = |connection: &Connection| -> Option<Vec<u8>> {
        let sql = "SELECT bytes FROM source WHERE hash = ?1";
        let bytes: Vec<u8> = connection
            .query_row(sql, [&hash.0], |row| row.get(0))
            .ok()?;
        (SourceHash::of(&bytes) == *hash).then_some(bytes)
    };
    if bytes(new).is_none() {
        let Some(found) = bytes(old) else {
            return Ok(false);
        };
        new.execute(
            "INSERT OR REPLACE INTO source (hash, bytes) VALUES (?1, ?2)",
            params![hash.0, found],
        )?;
    }
    new.execute(
        "INSERT OR IGNORE INTO session_source (session, hash) VALUES (?1, ?2)",
        params![session, hash.0],
    )?;
    Ok(true)
}

/// Takes over pairs of the translation memory that were confirmed later.
fn take_pairs(old: &Connection, new: &Transaction<'_>) -> Result<(), StoreError> {
    let last: i64 = new.query_row("SELECT coalesce(max(id), 0) FROM tm_target", [], |row| {
        row.get(0)
    })?;
    let sql = "SELECT language_pair.source, language_pair.target, tm_source.text, tm_target.text, \
         previous, next, path, at FROM tm_target JOIN tm_source ON tm_source.id = tm_target.source \
         JOIN language_pair ON language_pair.id = pair WHERE tm_target.id > ?1 ORDER BY tm_target.id";
    let mut pairs = Vec::new();
    each(old, sql, last, |row| {
        let (source, target, path): (String, String, String) =
            (row.get(0)?, row.get(1)?, row.get(6)?);
        let pair = TmPair {
            languages: languages("tm_target", &source, &target)?,
            source: row.get(2)?,
            target: row.get(3)?,
            previous: row.get(4)?,
            next: row.get(5)?,
            path: ProjectPath::from_listing(&path)
                .map_err(|error| unreadable("tm_target", &error))?,
        };
        pairs.push((pair, row.get(7)?));
        Ok(())
    });
    pairs
        .into_iter()
        .try_for_each(|(pair, at)| tm::put(new, &[pair], at))
}

/// Takes over what was learnt or changed later.
fn take_memory(old: &Connection, new: &Transaction<'_>) -> Result<(), StoreError> {
    let mut items: Vec<MemoryItem> = Vec::new();
    each(old, "SELECT body FROM memory ORDER BY id", 0, |row| {
        items.push(from_json("memory", &row.get::<_, String>(0)?)?);
        Ok(())
    });
    for item in items {
        let known: Option<i64> = new
            .query_row(
                "SELECT updated_at FROM memory WHERE id = ?1",
                [item.id.0],
                |row| row.get(0),
            )
            .optional()?;
        if known.is_some_and(|known| known >= item.updated_at) {
            continue;
        }
        match memory::put(new, &[item]) {
            Err(StoreError::MemoryTaken { .. }) | Ok(()) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Takes over terms; what the successor says of a pair stays.
fn take_terms(old: &Connection, new: &Transaction<'_>) -> Result<(), StoreError> {
    let mut found: Vec<(LanguagePair, terms::TermRow)> = Vec::new();
    let sql = format!(
        "SELECT {}, language_pair.source, language_pair.target FROM term \
         JOIN language_pair ON language_pair.id = pair",
        terms::QUALIFIED
    );
    each(old, &sql, 0, |row| {
        let (source, target): (String, String) = (row.get(10)?, row.get(11)?);
        found.push((languages("term", &source, &target)?, terms::row(row)?));
        Ok(())
    });
    for (languages, term) in found {
        terms::take_over(new, &languages, &term)?;
    }
    Ok(())
}

/// Takes over guides that are new or were changed later.
fn take_guides(old: &Connection, new: &Transaction<'_>) -> Result<(), StoreError> {
    let mut guides: Vec<(i64, String, i64)> = Vec::new();
    each(old, "SELECT id, text, updated_at FROM guide", 0, |row| {
        guides.push((row.get(0)?, row.get(1)?, row.get(2)?));
        Ok(())
    });
    for (id, text, at) in guides {
        let mut folders = Vec::new();
        each(
            old,
            "SELECT folder FROM guide_folder WHERE guide = ?1",
            id,
            |row| {
                folders.push(row.get(0)?);
                Ok(())
            },
        );
        guides::take_over(new, &text, at, &folders)?;
    }
    Ok(())
}

/// Takes over settings that can be read.
fn take_settings(old: &Connection, new: &Transaction<'_>) -> Result<(), StoreError> {
    let mut settings: Vec<(String, String)> = Vec::new();
    each(old, "SELECT name, value FROM setting", 0, |row| {
        let (name, value): (String, String) = (row.get(0)?, row.get(1)?);
        from_json::<serde_json::Value>("setting", &value)?;
        settings.push((name, value));
        Ok(())
    });
    settings.into_iter().try_for_each(|(name, value)| {
        new.execute(
            "INSERT OR REPLACE INTO setting (name, value) VALUES (?1, ?2)",
            [name, value],
        )?;
        Ok(())
    })
}
