//! The log: entries, the sources they name, and the one transaction that writes a step or decision.

use std::collections::{BTreeSet, HashMap};

use diglot_agent::entry::{ENTRY_FORMAT, SourceRead};
use diglot_agent::store::Commit;
use diglot_agent::{Entry, ProjectPath, Seq, SessionId, SourceHash, SourceText};
use rusqlite::{Connection, OptionalExtension, Transaction, params};
use serde_json::Value;

use crate::connection::Store;
use crate::error::StoreError;
use crate::rows::{count, int, unreadable};
use crate::{memory, tm, units};

impl Store {
    /// Writes everything that a step or decision changes, or nothing of it. It is on disk when this returns.
    ///
    /// # Errors
    /// `Conflict` when the log moved, `SessionNotFound`, `SourceMissing`, `MemoryTaken`.
    pub fn commit(&self, commit: &Commit) -> Result<Seq, StoreError> {
        // Encoded ahead, so that the transaction holds the lock for statements alone.
        let entries = commit
            .entries
            .iter()
            .map(encode)
            .collect::<Result<Vec<_>, _>>()?;
        self.write(|tx| {
            let last = check_seq(tx, commit)?;
            let new = append(tx, commit.session, last, &entries)?;
            keep_sources(tx, commit)?;
            units::put(tx, commit.session, &commit.units)?;
            memory::put(tx, &commit.memory)?;
            memory::forget(tx, &commit.forgotten)?;
            tm::withdraw(tx, &commit.withdrawn)?;
            tm::put(tx, &commit.pairs, commit.at)?;
            note_session(tx, commit, new)?;
            Ok(new)
        })
    }

    /// Returns the entries after `since`, in order; all for `Seq(0)`.
    ///
    /// # Errors
    /// `SessionNotFound`; `UnreadableEntry` when one cannot be read, since a log with a gap says something else.
    pub fn entries(&self, session: SessionId, since: Seq) -> Result<Vec<(Seq, Entry)>, StoreError> {
        let log = self.log_part(session, since, usize::MAX)?;
        match log.fault {
            None => Ok(log.entries),
            Some(fault) => Err(fault),
        }
    }

    /// Returns a log as far as it can be read.
    ///
    /// # Errors
    /// `SessionNotFound`.
    pub fn log(&self, session: SessionId) -> Result<Log, StoreError> {
        self.log_part(session, Seq(0), usize::MAX)
    }

    /// Returns the next entries of a log after `since`, so many at most, as far as they can be read; none at its end. A
    /// long log is read in parts, so that others can read in between.
    ///
    /// # Errors
    /// `SessionNotFound`.
    pub fn log_part(
        &self,
        session: SessionId,
        since: Seq,
        limit: usize,
    ) -> Result<Log, StoreError> {
        self.part(session, since, limit, Seq(0))
    }

    /// Does the same for a fold, which has no use for the providers' own messages up to `window`: they are the larger
    /// part of a log.
    ///
    /// # Errors
    /// `SessionNotFound`.
    pub fn fold_part(
        &self,
        session: SessionId,
        since: Seq,
        limit: usize,
        window: Seq,
    ) -> Result<Log, StoreError> {
        self.part(session, since, limit, window)
    }

    /// Returns what a session has read, each document as it was read last, in the order in which they were first read.
    ///
    /// # Errors
    /// When the database or such an entry cannot be read.
    pub fn documents_read(&self, session: SessionId) -> Result<Vec<SourceRead>, StoreError> {
        self.read(|connection| {
            // The index `entry_read` has these entries alone.
            let mut statement = connection.prepare_cached(
                "SELECT seq, format, body FROM entry WHERE session = ?1 AND kind = 'sourceRead' \
                 ORDER BY seq",
            )?;
            let mut rows = statement.query([session.0])?;
            let mut found: Vec<SourceRead> = Vec::new();
            let mut places: HashMap<ProjectPath, usize> = HashMap::new();
            while let Some(row) = rows.next()? {
                let body: String = row.get(2)?;
                let entry = decode(row.get(1)?, &body);
                let seq = Seq(count(row.get(0)?));
                let fault = |detail| StoreError::UnreadableEntry {
                    session,
                    seq,
                    detail,
                };
                let Entry::SourceRead(read) = entry.map_err(fault)? else {
                    continue;
                };
                let place = *places.entry(read.path.clone()).or_insert(found.len());
                match found.get_mut(place) {
                    Some(known) => *known = read,
                    None => found.push(read),
                }
            }
            Ok(found)
        })
    }

    /// Returns the last entry that opened a window of the conversation, 0 where none did.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn last_window(&self, session: SessionId) -> Result<Seq, StoreError> {
        self.read(|connection| {
            // From the end, which it is near to.
            let found: Option<i64> = connection
                .prepare_cached(
                    "SELECT seq FROM entry WHERE session = ?1 AND kind = 'chunk' \
                     ORDER BY seq DESC LIMIT 1",
                )?
                .query_row([session.0], |row| row.get(0))
                .optional()?;
            Ok(Seq(found.map_or(0, count)))
        })
    }

    fn part(
        &self,
        session: SessionId,
        since: Seq,
        limit: usize,
        window: Seq,
    ) -> Result<Log, StoreError> {
        self.read(|connection| {
            let known: bool = connection
                .prepare_cached("SELECT EXISTS (SELECT 1 FROM session WHERE id = ?1)")?
                .query_row([session.0], |row| row.get(0))?;
            if !known {
                return Err(StoreError::SessionNotFound { session });
            }
            let mut entries = Vec::new();
            let part = Part {
                session,
                since,
                limit,
                window,
            };
            let read = read_entries(connection, &part, &mut entries);
            Ok(Log {
                entries,
                fault: read.err(),
            })
        })
    }

    /// Returns a source text as it was when a session read it.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn source(&self, hash: &SourceHash) -> Result<Option<SourceText>, StoreError> {
        let bytes: Option<Vec<u8>> = self.read(|connection| {
            let mut statement =
                connection.prepare_cached("SELECT bytes FROM source WHERE hash = ?1")?;
            Ok(statement
                .query_row([&hash.0], |row| row.get(0))
                .optional()?)
        })?;
        let source = bytes.map(SourceText::new);
        if source.as_ref().is_some_and(|source| source.hash != *hash) {
            return Err(unreadable("source", &"the bytes are not those of its hash"));
        }
        Ok(source)
    }
}

/// Holds a log as far as it can be read.
#[derive(Debug)]
pub struct Log {
    /// The entries up to the first fault, in order.
    pub entries: Vec<(Seq, Entry)>,
    /// Why it ends there, when there is more.
    pub fault: Option<StoreError>,
}

/// Says which entries are read, and up to which one not all of them is needed.
struct Part {
    session: SessionId,
    since: Seq,
    limit: usize,
    window: Seq,
}

/// Reads entries that must follow on each other.
fn read_entries(
    connection: &Connection,
    part: &Part,
    entries: &mut Vec<(Seq, Entry)>,
) -> Result<(), StoreError> {
    let Part {
        session,
        since,
        limit,
        window,
    } = *part;
    let fault = |seq, detail| StoreError::UnreadableEntry {
        session,
        seq,
        detail,
    };
    let mut statement = connection.prepare_cached(
        "SELECT seq, format, body, kind FROM entry WHERE session = ?1 AND seq > ?2 ORDER BY seq \
         LIMIT ?3",
    )?;
    let mut rows = statement.query(params![session.0, int(since.0), int(limit)])?;
    let mut next = Seq(since.0 + 1);
    while let Some(row) = rows.next()? {
        let seq = Seq(count(row.get(0)?));
        if seq != next {
            return Err(fault(next, "it is not there".to_owned()));
        }
        let text = |column| {
            let text = row.get_ref(column)?.as_str();
            text.map_err(|_| fault(seq, "its text is broken".to_owned()))
        };
        let (body, format) = (text(2)?, row.get(1)?);
        let entry = if seq < window && text(3)? == "message" {
            read(format, || Entry::replayed(body))
        } else {
            decode(format, body)
        };
        let entry = entry.map_err(|detail| fault(seq, detail))?;
        entries.push((seq, entry));
        next = Seq(seq.0 + 1);
    }
    if entries.len() >= limit {
        return Ok(());
    }
    let last: i64 = connection
        .prepare_cached("SELECT seq FROM session WHERE id = ?1")?
        .query_row([session.0], |row| row.get(0))?;
    if next.0 <= count::<u64>(last) {
        return Err(fault(next, "it is not there".to_owned()));
    }
    Ok(())
}

struct Encoded {
    kind: String,
    body: String,
}

fn encode(entry: &Entry) -> Result<Encoded, StoreError> {
    let value = serde_json::to_value(entry).map_err(StoreError::Encode)?;
    let kind = value
        .get("type")
        .and_then(Value::as_str)
        .unwrap_or_default()
        .to_owned();
    Ok(Encoded {
        kind,
        body: value.to_string(),
    })
}

pub(crate) fn decode(format: u32, body: &str) -> Result<Entry, String> {
    read(format, || serde_json::from_str(body))
}

fn read(format: u32, parse: impl FnOnce() -> serde_json::Result<Entry>) -> Result<Entry, String> {
    if format > ENTRY_FORMAT {
        return Err(format!(
            "it has format {format}, written by a newer version"
        ));
    }
    parse().map_err(|error| {
        // serde_json's own words may quote the text.
        format!(
            "not an entry at line {} column {}",
            error.line(),
            error.column()
        )
    })
}

fn check_seq(tx: &Transaction<'_>, commit: &Commit) -> Result<Seq, StoreError> {
    let session = commit.session;
    let found: Option<i64> = tx
        .prepare_cached("SELECT seq FROM session WHERE id = ?1")?
        .query_row([session.0], |row| row.get(0))
        .optional()?;
    let found = Seq(count(found.ok_or(StoreError::SessionNotFound { session })?));
    if found == commit.expected {
        Ok(found)
    } else {
        Err(StoreError::Conflict {
            session,
            expected: commit.expected,
            found,
        })
    }
}

fn append(
    tx: &Transaction<'_>,
    session: SessionId,
    last: Seq,
    entries: &[Encoded],
) -> Result<Seq, StoreError> {
    let mut statement = tx.prepare_cached(
        "INSERT INTO entry (session, seq, kind, format, body) VALUES (?1, ?2, ?3, ?4, ?5)",
    )?;
    let mut seq = last;
    for entry in entries {
        seq = Seq(seq.0 + 1);
        statement.execute(params![
            session.0,
            int(seq.0),
            entry.kind,
            ENTRY_FORMAT,
            entry.body
        ])?;
    }
    Ok(seq)
}

fn keep_sources(tx: &Transaction<'_>, commit: &Commit) -> Result<(), StoreError> {
    let mut keep =
        tx.prepare_cached("INSERT OR IGNORE INTO source (hash, bytes) VALUES (?1, ?2)")?;
    for source in &commit.sources {
        keep.execute(params![source.hash.0, &source.bytes[..]])?;
    }
    let read = commit.entries.iter().filter_map(|entry| {
        if let Entry::SourceRead(read) = entry {
            Some(&read.hash)
        } else {
            None
        }
    });
    let needed: BTreeSet<_> = read
        .chain(commit.sources.iter().map(|source| &source.hash))
        .collect();
    let mut known = tx.prepare_cached("SELECT EXISTS (SELECT 1 FROM source WHERE hash = ?1)")?;
    let mut link =
        tx.prepare_cached("INSERT OR IGNORE INTO session_source (session, hash) VALUES (?1, ?2)")?;
    for hash in needed {
        if !known.query_row([&hash.0], |row| row.get::<_, bool>(0))? {
            return Err(StoreError::SourceMissing { hash: hash.clone() });
        }
        link.execute(params![commit.session.0, hash.0])?;
    }
    Ok(())
}

fn note_session(tx: &Transaction<'_>, commit: &Commit, seq: Seq) -> Result<(), StoreError> {
    let counts = &commit.counts;
    tx.prepare_cached(
        "UPDATE session SET seq = ?2, n_units = ?3, n_confirmed = ?4, n_waiting = ?5, \
         n_tokens = ?6, updated_at = ?7 WHERE id = ?1",
    )?
    .execute(params![
        commit.session.0,
        int(seq.0),
        int(counts.n_units),
        int(counts.n_confirmed),
        int(counts.n_waiting),
        int(counts.n_tokens),
        commit.at,
    ])?;
    Ok(())
}

#[cfg(test)]
mod tests;
