//! The translation memory: confirmed pairs, exact look-up, and what the fuzzy one needs.

use std::sync::Arc;

use diglot_agent::store::TmPair;
use diglot_agent::{Matches, ProjectPath, SourceHash, TmMatch};
use diglot_document::LanguagePair;
use rusqlite::{Connection, OptionalExtension, Transaction, params};
use unicode_normalization::UnicodeNormalization;

use crate::connection::Store;
use crate::error::StoreError;
use crate::rows::{int, unreadable};

mod fuzzy;
mod terms;

/// Matches that a look-up returns at most: what a translator reads, and the default of CAT tools.
const MATCHES: usize = 5;
/// Percent of an exact match.
const EXACT: u8 = 100;

/// Looks up the confirmed pairs of one language pair.
#[derive(Debug, Clone)]
pub struct StoreMatches {
    store: Arc<Store>,
    languages: LanguagePair,
}

impl StoreMatches {
    /// Looks in this store, for these languages.
    pub fn new(store: Arc<Store>, languages: LanguagePair) -> Self {
        Self { store, languages }
    }
}

impl Matches for StoreMatches {
    fn find(&self, source: &str) -> Vec<TmMatch> {
        self.store
            .find_matches(&self.languages, source)
            .unwrap_or_else(|error| {
                // A draft without a match is worse, not wrong.
                tracing::error!(%error, "the translation memory could not be asked");
                Vec::new()
            })
    }
}

impl Store {
    /// Returns the best matches of a source text, best first: exact ones, the latest first, then fuzzy ones of
    /// 75 % and more, at most five, may be empty.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn find_matches(
        &self,
        languages: &LanguagePair,
        source: &str,
    ) -> Result<Vec<TmMatch>, StoreError> {
        self.read(|connection| {
            let Some(pair) = find_pair(connection, languages)? else {
                return Ok(Vec::new());
            };
            let mut found = exact(connection, pair, source)?;
            if found.len() < MATCHES {
                found.extend(fuzzy::find(
                    connection,
                    pair,
                    source,
                    MATCHES - found.len(),
                )?);
            }
            Ok(found)
        })
    }

    /// Adds pairs, for instance of an imported file, in one transaction; the later of two counts as newer.
    ///
    /// # Errors
    /// When they could not be written.
    pub fn add_pairs(&self, pairs: &[TmPair], at: i64) -> Result<(), StoreError> {
        self.write(|tx| put(tx, pairs, at))
    }

    /// Returns all pairs of a language pair, oldest first, for export.
    ///
    /// # Errors
    /// When a row cannot be read.
    pub fn pairs(&self, languages: &LanguagePair) -> Result<Vec<TmPair>, StoreError> {
        self.read(|connection| {
            let Some(pair) = find_pair(connection, languages)? else {
                return Ok(Vec::new());
            };
            connection
                .prepare_cached(
                    "SELECT tm_source.text, tm_target.text, previous, next, path FROM tm_target \
                 JOIN tm_source ON tm_source.id = tm_target.source \
                 WHERE tm_source.pair = ?1 ORDER BY tm_target.id",
                )?
                .query_and_then([pair], |row| {
                    let path: String = row.get(4)?;
                    Ok(TmPair {
                        languages: languages.clone(),
                        source: row.get(0)?,
                        target: row.get(1)?,
                        previous: row.get(2)?,
                        next: row.get(3)?,
                        path: ProjectPath::from_listing(&path)
                            .map_err(|error| unreadable("tm_target", &error))?,
                    })
                })?
                .collect()
        })
    }
}

/// Writes pairs; one with the same source and target takes the new context and becomes the latest.
pub(crate) fn put(tx: &Transaction<'_>, pairs: &[TmPair], at: i64) -> Result<(), StoreError> {
    let mut insert = tx.prepare_cached(
        "INSERT OR REPLACE INTO tm_target (source, text, previous, next, path, at, n) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, \
         1 + coalesce((SELECT n FROM tm_target WHERE source = ?1 AND text = ?2), 0))",
    )?;
    for pair in pairs {
        let source = source_id(tx, pair_id(tx, &pair.languages)?, &pair.source)?;
        let path = pair.path.as_str();
        insert.execute(params![
            source,
            pair.target,
            pair.previous,
            pair.next,
            path,
            at
        ])?;
    }
    Ok(())
}

/// Takes a confirmation from pairs. One that nothing confirms any more goes, and so does a source without a target.
pub(crate) fn withdraw(tx: &Transaction<'_>, pairs: &[TmPair]) -> Result<(), StoreError> {
    for pair in pairs {
        let Some(languages) = find_pair(tx, &pair.languages)? else {
            continue;
        };
        let known: Option<(i64, String)> = tx
            .prepare_cached("SELECT id, text FROM tm_source WHERE pair = ?1 AND hash = ?2")?
            .query_row(params![languages, key(&pair.source)], |row| {
                Ok((row.get(0)?, row.get(1)?))
            })
            .optional()?;
        let Some((source, text)) = known else {
            continue;
        };
        let named = params![source, pair.target];
        tx.prepare_cached("UPDATE tm_target SET n = n - 1 WHERE source = ?1 AND text = ?2")?
            .execute(named)?;
        tx.prepare_cached("DELETE FROM tm_target WHERE source = ?1 AND text = ?2 AND n < 1")?
            .execute(named)?;
        let is_used: bool = tx
            .prepare_cached("SELECT EXISTS (SELECT 1 FROM tm_target WHERE source = ?1)")?
            .query_row([source], |row| row.get(0))?;
        if !is_used {
            remove_source(tx, languages, source, &text)?;
        }
    }
    Ok(())
}

fn remove_source(
    tx: &Transaction<'_>,
    pair: i64,
    source: i64,
    text: &str,
) -> Result<(), StoreError> {
    fuzzy::unindex(tx, pair, source, text)?;
    tx.prepare_cached("DELETE FROM tm_source WHERE id = ?1")?
        .execute([source])?;
    tx.prepare_cached("UPDATE language_pair SET n_sources = n_sources - 1 WHERE id = ?1")?
        .execute([pair])?;
    Ok(())
}

/// Returns the number of a language pair that is in use.
pub(crate) fn find_pair(
    connection: &Connection,
    languages: &LanguagePair,
) -> Result<Option<i64>, StoreError> {
    Ok(connection
        .prepare_cached("SELECT id FROM language_pair WHERE source = ?1 AND target = ?2")?
        .query_row(
            [languages.source.as_str(), languages.target.as_str()],
            |row| row.get(0),
        )
        .optional()?)
}

/// Returns the number of a language pair, taking it into use.
pub(crate) fn pair_id(tx: &Transaction<'_>, languages: &LanguagePair) -> Result<i64, StoreError> {
    if let Some(id) = find_pair(tx, languages)? {
        return Ok(id);
    }
    tx.prepare_cached("INSERT INTO language_pair (source, target) VALUES (?1, ?2)")?
        .execute([languages.source.as_str(), languages.target.as_str()])?;
    Ok(tx.last_insert_rowid())
}

fn source_id(tx: &Transaction<'_>, pair: i64, text: &str) -> Result<i64, StoreError> {
    let hash = key(text);
    let known = tx
        .prepare_cached("SELECT id FROM tm_source WHERE pair = ?1 AND hash = ?2")?
        .query_row(params![pair, hash], |row| row.get(0))
        .optional()?;
    if let Some(id) = known {
        return Ok(id);
    }
    tx.prepare_cached("INSERT INTO tm_source (pair, hash, text) VALUES (?1, ?2, ?3)")?
        .execute(params![pair, hash, text])?;
    let id = tx.last_insert_rowid();
    tx.prepare_cached("UPDATE language_pair SET n_sources = n_sources + 1 WHERE id = ?1")?
        .execute([pair])?;
    fuzzy::index(tx, pair, id, text)?;
    Ok(id)
}

fn exact(connection: &Connection, pair: i64, source: &str) -> Result<Vec<TmMatch>, StoreError> {
    connection
        .prepare_cached(
            "SELECT tm_source.text, tm_target.text FROM tm_source \
             JOIN tm_target ON tm_target.source = tm_source.id \
             WHERE pair = ?1 AND hash = ?2 ORDER BY tm_target.id DESC LIMIT ?3",
        )?
        .query_and_then(params![pair, key(source), int(MATCHES)], |row| {
            Ok(TmMatch {
                percent: EXACT,
                source: row.get(0)?,
                target: row.get(1)?,
            })
        })?
        .collect()
}

/// Names a source text whatever its line breaks and the form of its accents.
fn key(text: &str) -> String {
    SourceHash::of(normal(text).as_bytes()).0
}

/// Writes accents in one form and every run of blanks as one space.
fn normal(text: &str) -> String {
    let text: String = text.nfc().collect();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests;
