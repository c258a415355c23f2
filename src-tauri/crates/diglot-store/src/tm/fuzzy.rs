//! The fuzzy look-up: candidates by their rarest terms, the best of them compared character by character. What
//! it costs is bounded, however large the memory is (PERFORMANCE 3).

use std::cmp::Reverse;
use std::collections::HashMap;

use diglot_agent::TmMatch;
use rapidfuzz::distance::indel;
use rusqlite::{Connection, OptionalExtension, Transaction, params};

use super::terms::terms;
use crate::error::StoreError;

/// Lowest likeness that is of use to a translator.
const LOWEST: f64 = 0.75;
/// A source that is not the same text never counts as exact.
const HIGHEST: u8 = 99;
/// Below this many sources all are compared: short texts share too few terms, and it takes a millisecond or two.
const SCANNED: i64 = 2_000;
/// Terms that candidates are looked up by: the rarest.
const RAREST: usize = 6;
/// Sources that are looked at by their terms.
const POSTINGS: i64 = 20_000;
/// Candidates that are fetched, those that share most terms first, and compared.
const FETCHED: usize = 512;
/// Candidates that are compared character by character.
const COMPARED: usize = 64;

/// Enters a new source under its terms.
pub(super) fn index(
    tx: &Transaction<'_>,
    pair: i64,
    source: i64,
    text: &str,
) -> Result<(), StoreError> {
    let mut count = tx.prepare_cached(
        "INSERT INTO tm_term (pair, term, n) VALUES (?1, ?2, 1) \
         ON CONFLICT (pair, term) DO UPDATE SET n = n + 1 RETURNING id",
    )?;
    let mut ids = Vec::new();
    for term in terms(text) {
        let id: i64 = count.query_row(params![pair, term], |row| row.get(0))?;
        ids.push(id.to_string());
    }
    tx.prepare_cached("INSERT INTO tm_index (rowid, terms) VALUES (?1, ?2)")?
        .execute(params![source, ids.join(" ")])?;
    Ok(())
}

/// Takes a source out from under its terms.
pub(super) fn unindex(
    tx: &Transaction<'_>,
    pair: i64,
    source: i64,
    text: &str,
) -> Result<(), StoreError> {
    let mut count = tx.prepare_cached(
        "UPDATE tm_term SET n = n - 1 WHERE pair = ?1 AND term = ?2 RETURNING id",
    )?;
    let mut ids = Vec::new();
    for term in terms(text) {
        let id: Option<i64> = count
            .query_row(params![pair, term], |row| row.get(0))
            .optional()?;
        ids.extend(id.map(|id| id.to_string()));
    }
    // The index holds no text, so it is told what was entered.
    tx.prepare_cached("INSERT INTO tm_index (tm_index, rowid, terms) VALUES ('delete', ?1, ?2)")?
        .execute(params![source, ids.join(" ")])?;
    Ok(())
}

/// Returns the sources most like a text that are not the same, each with its latest target, best first.
pub(super) fn find(
    connection: &Connection,
    pair: i64,
    text: &str,
    limit: usize,
) -> Result<Vec<TmMatch>, StoreError> {
    let n_sources: i64 = connection
        .prepare_cached("SELECT n_sources FROM language_pair WHERE id = ?1")?
        .query_row([pair], |row| row.get(0))?;
    let mut best = Best::new(text, limit);
    if n_sources <= SCANNED {
        let mut all =
            connection.prepare_cached("SELECT id, text FROM tm_source WHERE pair = ?1")?;
        let mut rows = all.query([pair])?;
        while let Some(row) = rows.next()? {
            best.compare(row.get(0)?, row.get(1)?);
        }
    } else {
        let mut fetch = connection.prepare_cached("SELECT text FROM tm_source WHERE id = ?1")?;
        for id in candidates(connection, pair, text)? {
            if best.n_compared == COMPARED {
                break;
            }
            if let Some(source) = fetch.query_row([id], |row| row.get(0)).optional()? {
                best.compare(id, source);
            }
        }
    }
    best.found
        .into_iter()
        .map(|found| with_target(connection, found))
        .collect()
}

/// Returns sources that share the rarest terms of a text, those that share most of them first.
fn candidates(connection: &Connection, pair: i64, text: &str) -> Result<Vec<i64>, StoreError> {
    let mut known: Vec<(i64, i64)> = Vec::new();
    let mut look_up =
        connection.prepare_cached("SELECT n, id FROM tm_term WHERE pair = ?1 AND term = ?2")?;
    for term in terms(text) {
        let row = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?));
        known.extend(look_up.query_row(params![pair, term], row).optional()?);
    }
    known.sort_unstable();
    let mut shared: HashMap<i64, usize> = HashMap::new();
    let mut left = POSTINGS;
    let mut holders =
        connection.prepare_cached("SELECT rowid FROM tm_index WHERE tm_index MATCH ?1 LIMIT ?2")?;
    for (n, id) in known.into_iter().take(RAREST) {
        let rows = holders.query_map(params![id.to_string(), left], |row| row.get(0))?;
        for source in rows {
            *shared.entry(source?).or_default() += 1;
        }
        left -= n;
        if left <= 0 {
            break;
        }
    }
    let mut sources: Vec<(usize, i64)> = shared.into_iter().map(|(id, n)| (n, id)).collect();
    sources.sort_unstable_by_key(|&source| Reverse(source));
    Ok(sources
        .into_iter()
        .take(FETCHED)
        .map(|(_, id)| id)
        .collect())
}

/// Keeps the best of what it has seen.
struct Best {
    wanted: indel::BatchComparator<char>,
    text: String,
    n_chars: usize,
    limit: usize,
    n_compared: usize,
    /// Best first.
    found: Vec<Found>,
}

struct Found {
    likeness: f64,
    id: i64,
    source: String,
}

impl Best {
    fn new(text: &str, limit: usize) -> Self {
        Self {
            wanted: indel::BatchComparator::new(text.chars()),
            text: super::normal(text),
            n_chars: text.chars().count(),
            limit,
            n_compared: 0,
            found: Vec::new(),
        }
    }

    fn compare(&mut self, id: i64, source: String) {
        let n = source.chars().count();
        // The ratio is at most twice the shorter length over both, so most lengths need no comparison.
        let bound = 2.0 * float(n.min(self.n_chars)) / float((n + self.n_chars).max(1));
        if bound < LOWEST || super::normal(&source) == self.text {
            return;
        }
        self.n_compared += 1;
        let args = indel::Args::default().score_cutoff(LOWEST);
        let Some(likeness) = self
            .wanted
            .normalized_similarity_with_args(source.chars(), &args)
        else {
            return;
        };
        // Of equals the later one stands first, as with exact matches.
        let place = self
            .found
            .partition_point(|other| (other.likeness, other.id) > (likeness, id));
        self.found.insert(
            place,
            Found {
                likeness,
                id,
                source,
            },
        );
        self.found.truncate(self.limit);
    }
}

fn with_target(connection: &Connection, found: Found) -> Result<TmMatch, StoreError> {
    let target = connection
        .prepare_cached("SELECT text FROM tm_target WHERE source = ?1 ORDER BY id DESC LIMIT 1")?
        .query_row([found.id], |row| row.get(0))?;
    Ok(TmMatch {
        percent: percent(found.likeness),
        source: found.source,
        target,
    })
}

#[expect(clippy::cast_sign_loss, reason = "a likeness is between 0 and 1")]
fn percent(likeness: f64) -> u8 {
    ((likeness * 100.0).floor() as u8).min(HIGHEST)
}

#[expect(
    clippy::cast_precision_loss,
    reason = "lengths of units are far below 2^52"
)]
fn float(n: usize) -> f64 {
    n as f64
}
