//! The termbase: terms by language pair, found by the keys of a text, listed and searched in pages.

use std::sync::Arc;

use diglot_agent::TermEntry;
use diglot_document::term::{KEY_VERSION, term_key, term_keys};
use diglot_document::{Format, LanguagePair, TermStatus};
use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};

use crate::connection::Store;
use crate::error::StoreError;
use crate::rows::{count, from_name, int, name_of, unreadable};
use crate::tm::{find_pair, pair_id};

/// Terms that a look-up gives at most: a text of the longest unit has far fewer.
const FOUND: usize = 400;

/// Holds one term as it is stored.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TermRow {
    /// Its id; never reused. 0 for one that is not stored yet.
    pub id: i64,
    /// In the source language.
    pub source: String,
    /// In the target language.
    pub target: String,
    /// What the target is to the source.
    pub status: TermStatus,
    /// What a translator should know, may be empty.
    pub note: String,
    /// What it means, may be empty.
    pub definition: String,
    /// The field that it belongs to, may be empty.
    pub subject: String,
    /// Names the entry of a file that it came with, may be empty.
    pub concept: String,
    /// The file that it came from; empty where the person wrote it.
    pub origin: String,
    /// When it last changed, in Unix milliseconds.
    pub updated_at: i64,
}

/// Holds a page of terms.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TermPage {
    /// In order of their sources.
    pub rows: Vec<TermRow>,
    /// How many there are in all that fit the search.
    pub n_rows: usize,
}

/// Tells what became of terms that were added together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TermsAdded {
    /// Terms that are new.
    pub n_added: usize,
    /// Terms that were there and say something else now.
    pub n_changed: usize,
    /// Terms that were there as they are.
    pub n_same: usize,
}

/// Looks up the terms of one language pair.
#[derive(Debug, Clone)]
pub struct StoreTerms {
    store: Arc<Store>,
    languages: LanguagePair,
}

impl StoreTerms {
    /// Looks in this store, for these languages.
    pub fn new(store: Arc<Store>, languages: LanguagePair) -> Self {
        Self { store, languages }
    }

    /// Returns the entries whose terms a source may have, in order of their age.
    pub fn find(&self, format: Format, source: &str) -> Vec<TermEntry> {
        let keys = term_keys(format, source, &self.languages.source);
        let found = self.store.find_terms(&self.languages, &keys);
        let rows = found.unwrap_or_else(|error| {
            // A draft without its terms is worse, and the check after it finds none missing.
            tracing::error!(%error, "the termbase could not be asked");
            Vec::new()
        });
        let entry = |row: TermRow| TermEntry {
            source: row.source,
            target: row.target,
            status: row.status,
            note: row.note,
        };
        rows.into_iter().map(entry).collect()
    }
}

const COLUMNS: &str =
    "id, source, target, status, note, definition, subject, concept, origin, updated_at";
/// The same beside the columns of another table.
pub(crate) const QUALIFIED: &str = "term.id, term.source, term.target, status, note, definition, subject, concept, \
     origin, updated_at";

impl Store {
    /// Returns the terms that have one of these keys, oldest first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn find_terms(
        &self,
        languages: &LanguagePair,
        keys: &[String],
    ) -> Result<Vec<TermRow>, StoreError> {
        let keys = serde_json::to_string(keys).map_err(StoreError::Encode)?;
        self.read(|connection| {
            let Some(pair) = find_pair(connection, languages)? else {
                return Ok(Vec::new());
            };
            let sql = format!(
                "SELECT {COLUMNS} FROM term WHERE pair = ?1 AND key IN (SELECT value FROM json_each(?2)) \
                 ORDER BY id LIMIT ?3"
            );
            connection
                .prepare_cached(&sql)?
                .query_and_then(params![pair, keys, int(FOUND)], row)?
                .collect()
        })
    }

    /// Returns a page of the terms that hold a text, in order of their sources.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn terms(
        &self,
        languages: &LanguagePair,
        query: &str,
        offset: usize,
        limit: usize,
    ) -> Result<TermPage, StoreError> {
        let query = query.trim().to_lowercase();
        self.read(|connection| {
            let Some(pair) = find_pair(connection, languages)? else {
                return Ok(TermPage::default());
            };
            // `instr` is exact where `LIKE` has signs of its own.
            let fits = "pair = ?1 AND (?2 = '' OR instr(search, ?2) > 0)";
            let n: i64 = connection
                .prepare_cached(&format!("SELECT count(*) FROM term WHERE {fits}"))?
                .query_row(params![pair, query], |row| row.get(0))?;
            let sql = format!(
                "SELECT {COLUMNS} FROM term WHERE {fits} ORDER BY search, id LIMIT ?3 OFFSET ?4"
            );
            let rows = connection
                .prepare_cached(&sql)?
                .query_and_then(params![pair, query, int(limit), int(offset)], row)?
                .collect::<Result<_, _>>()?;
            Ok(TermPage {
                rows,
                n_rows: count(n),
            })
        })
    }

    /// Returns a term.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn term(&self, id: i64) -> Result<Option<TermRow>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM term WHERE id = ?1");
        self.read(|connection| {
            let mut statement = connection.prepare_cached(&sql)?;
            let found = statement
                .query_row([id], |found| Ok(row(found)))
                .optional()?;
            found.transpose()
        })
    }

    /// Stores a term: a new one where its id is 0, else in place of the one with its id. One with the same source and target
    /// is replaced. Returns it as it is stored.
    ///
    /// # Errors
    /// `NoTerm` when it has no letter and no digit, or is gone.
    pub fn put_term(
        &self,
        languages: &LanguagePair,
        term: &TermRow,
    ) -> Result<TermRow, StoreError> {
        self.write(|tx| {
            let pair = pair_id(tx, languages)?;
            if term.id != 0 {
                let known = tx
                    .prepare_cached("DELETE FROM term WHERE id = ?1 AND pair = ?2")?
                    .execute([term.id, pair])?;
                if known == 0 {
                    return Err(StoreError::NoTerm);
                }
            }
            put(tx, pair, languages, term)
        })
    }

    /// Adds terms, for instance of an imported file, in one transaction; what cannot be a term is passed over.
    ///
    /// # Errors
    /// When they could not be written.
    pub fn add_terms(
        &self,
        languages: &LanguagePair,
        terms: &[TermRow],
    ) -> Result<TermsAdded, StoreError> {
        self.write(|tx| add(tx, languages, terms))
    }

    /// Deletes a term; nothing happens when it is gone already.
    ///
    /// # Errors
    /// When it could not be written.
    pub fn delete_term(&self, id: i64) -> Result<(), StoreError> {
        self.write(|tx| {
            tx.prepare_cached("DELETE FROM term WHERE id = ?1")?
                .execute([id])?;
            Ok(())
        })
    }

    /// Makes the keys of all terms anew where another version of the program made them.
    ///
    /// # Errors
    /// When they could not be written.
    pub fn renew_term_keys(&self) -> Result<(), StoreError> {
        let version = self.read(|connection| Ok(key_version(connection)?))?;
        if version == KEY_VERSION || self.is_read_only() {
            return Ok(());
        }
        self.write(renew)
    }
}

fn renew(tx: &Transaction<'_>) -> Result<(), StoreError> {
    let terms: Vec<(i64, String, String, String)> = tx
        .prepare(
            "SELECT term.id, term.source, language_pair.source, language_pair.target FROM term \
             JOIN language_pair ON language_pair.id = pair",
        )?
        .query_map([], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
        })?
        .collect::<Result<_, _>>()?;
    let mut update = tx.prepare("UPDATE term SET key = ?2 WHERE id = ?1")?;
    for (id, text, source, target) in terms {
        let languages = crate::rows::languages("term", &source, &target)?;
        if let Some(key) = term_key(&text, &languages.source) {
            update.execute(params![id, key])?;
        }
    }
    tx.execute("UPDATE term_keys SET version = ?1", [KEY_VERSION])?;
    Ok(())
}

fn key_version(connection: &Connection) -> rusqlite::Result<i64> {
    connection
        .prepare_cached("SELECT version FROM term_keys")?
        .query_row([], |row| row.get(0))
}

/// Adds terms that are not there, or say something else there.
pub(crate) fn add(
    tx: &Transaction<'_>,
    languages: &LanguagePair,
    terms: &[TermRow],
) -> Result<TermsAdded, StoreError> {
    let pair = pair_id(tx, languages)?;
    let mut added = TermsAdded::default();
    for term in terms {
        let sql =
            format!("SELECT {COLUMNS} FROM term WHERE pair = ?1 AND source = ?2 AND target = ?3");
        let known: Option<TermRow> = tx
            .prepare_cached(&sql)?
            .query_row(params![pair, term.source, term.target], |found| {
                Ok(row(found))
            })
            .optional()?
            .transpose()?;
        let says_same = |known: &TermRow| {
            known.status == term.status
                && known.note == term.note
                && known.definition == term.definition
                && known.subject == term.subject
        };
        match known {
            Some(known) if says_same(&known) => added.n_same += 1,
            Some(_) => {
                put(tx, pair, languages, term)?;
                added.n_changed += 1;
            }
            None => {
                put(tx, pair, languages, term)?;
                added.n_added += 1;
            }
        }
    }
    Ok(added)
}

/// Takes a term of another file over, unless one with its source and target is there.
pub(crate) fn take_over(
    tx: &Transaction<'_>,
    languages: &LanguagePair,
    term: &TermRow,
) -> Result<(), StoreError> {
    let pair = pair_id(tx, languages)?;
    let is_known: bool = tx
        .prepare_cached(
            "SELECT EXISTS (SELECT 1 FROM term WHERE pair = ?1 AND source = ?2 AND target = ?3)",
        )?
        .query_row(params![pair, term.source, term.target], |row| row.get(0))?;
    // What can be no term any more, for instance of a damaged row, is left behind.
    if !is_known && term_key(&term.source, &languages.source).is_some() {
        let term = TermRow {
            id: 0,
            ..term.clone()
        };
        put(tx, pair, languages, &term)?;
    }
    Ok(())
}

fn put(
    tx: &Transaction<'_>,
    pair: i64,
    languages: &LanguagePair,
    term: &TermRow,
) -> Result<TermRow, StoreError> {
    let Some(key) = term_key(&term.source, &languages.source) else {
        return Err(StoreError::NoTerm);
    };
    let search = format!("{}\n{}\n{}", term.source, term.target, term.note).to_lowercase();
    let id = (term.id != 0).then_some(term.id);
    tx.prepare_cached(
        "INSERT OR REPLACE INTO term (id, pair, source, target, status, note, definition, subject, \
         concept, origin, key, search, updated_at) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
    )?
    .execute(params![
        id,
        pair,
        term.source,
        term.target,
        name_of(&term.status)?,
        term.note,
        term.definition,
        term.subject,
        term.concept,
        term.origin,
        key,
        search,
        term.updated_at,
    ])?;
    Ok(TermRow {
        id: tx.last_insert_rowid(),
        ..term.clone()
    })
}

/// Reads a row of [`COLUMNS`].
pub(crate) fn row(row: &Row<'_>) -> Result<TermRow, StoreError> {
    let status: String = row.get(3)?;
    Ok(TermRow {
        id: row.get(0)?,
        source: row.get(1)?,
        target: row.get(2)?,
        status: from_name("term", status).map_err(|error| unreadable("term", &error))?,
        note: row.get(4)?,
        definition: row.get(5)?,
        subject: row.get(6)?,
        concept: row.get(7)?,
        origin: row.get(8)?,
        updated_at: row.get(9)?,
    })
}

#[cfg(test)]
mod tests;
