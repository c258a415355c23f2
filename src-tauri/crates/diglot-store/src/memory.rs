//! What was learnt: one row an item, and the counter that gives ids.

use diglot_agent::Memory;
use diglot_agent::memory::{Evidence, MemoryId, MemoryItem, MemoryState, Scope};
use diglot_document::LanguagePair;
use rusqlite::{Connection, OptionalExtension, Transaction, params};

use crate::connection::Store;
use crate::error::StoreError;
use crate::rows::{from_json, json_of, name_of};
use crate::tm::{find_pair, pair_id};

impl Store {
    /// Returns what holds for a language pair in the project of a folder, and the id for the next item.
    ///
    /// # Errors
    /// When the database cannot be read. An item that cannot be read is left out and stays stored.
    pub fn memory(&self, languages: &LanguagePair, folder: &str) -> Result<Memory, StoreError> {
        self.read(|connection| {
            let next_id = next_id(connection)?;
            let pair = find_pair(connection, languages)?;
            let mut statement = connection.prepare_cached(
                "SELECT id, body FROM memory WHERE pair = ?1 OR scope = 'all' ORDER BY id",
            )?;
            let mut rows = statement.query([pair])?;
            let mut items: Vec<MemoryItem> = Vec::new();
            while let Some(row) = rows.next()? {
                match from_json::<MemoryItem>("memory", &row.get::<_, String>(1)?) {
                    Ok(item) if item.scope.holds_in(folder) => items.push(item),
                    Ok(_) => {}
                    Err(error) => {
                        let id: i64 = row.get(0)?;
                        tracing::error!(id, %error, "a memory item is left out");
                    }
                }
            }
            Ok(Memory { items, next_id })
        })
    }

    /// Stores an item under a new id and returns it; the id in `item` is not looked at.
    ///
    /// # Errors
    /// When it could not be written.
    pub fn add_memory(&self, item: &MemoryItem) -> Result<MemoryItem, StoreError> {
        self.write(|tx| {
            let item = MemoryItem {
                id: MemoryId(next_id(tx)?),
                ..item.clone()
            };
            put_one(tx, &item)?;
            Ok(item)
        })
    }

    /// Stores an item in place of the one with its id.
    ///
    /// # Errors
    /// `MemoryTaken` when that one is another item.
    pub fn put_memory(&self, item: &MemoryItem) -> Result<(), StoreError> {
        self.write(|tx| put_one(tx, item))
    }

    /// Deletes an item; nothing happens when it is gone already.
    ///
    /// # Errors
    /// When it could not be written.
    pub fn delete_memory(&self, id: MemoryId) -> Result<(), StoreError> {
        self.write(|tx| forget(tx, &[id]))
    }
}

/// Writes items, new and changed.
pub(crate) fn put(tx: &Transaction<'_>, items: &[MemoryItem]) -> Result<(), StoreError> {
    items.iter().try_for_each(|item| put_one(tx, item))
}

/// Deletes items; their ids are not given again.
pub(crate) fn forget(tx: &Transaction<'_>, ids: &[MemoryId]) -> Result<(), StoreError> {
    let mut statement = tx.prepare_cached("DELETE FROM memory WHERE id = ?1")?;
    for id in ids {
        statement.execute([id.0])?;
    }
    Ok(())
}

fn put_one(tx: &Transaction<'_>, item: &MemoryItem) -> Result<(), StoreError> {
    if let Some(stored) = stored(tx, item.id)?
        && !same_item(&stored, item)
    {
        return Err(StoreError::MemoryTaken { id: item.id });
    }
    let pair = pair_id(tx, &item.languages)?;
    tx.prepare_cached(
        "INSERT OR REPLACE INTO memory (id, pair, kind, state, updated_at, body, scope) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    )?
    .execute(params![
        item.id.0,
        pair,
        name_of(&item.kind)?,
        name_of(&item.state)?,
        item.updated_at,
        json_of(item)?,
        scope_name(&item.scope),
    ])?;
    tx.prepare_cached("UPDATE counter SET next = max(next, ?1 + 1) WHERE name = 'memory'")?
        .execute([item.id.0])?;
    Ok(())
}

/// Two sessions that learn at once work out the same next id. A changed item shares evidence with what it was, and
/// another one does not; one that a person wrote has none and never was a suggestion.
fn same_item(stored: &MemoryItem, item: &MemoryItem) -> bool {
    let shares = |known: &Evidence| item.evidence.iter().any(|other| other.is_same(known));
    let same = if stored.evidence.is_empty() {
        item.evidence.is_empty() || item.state != MemoryState::Suggested
    } else {
        stored.evidence.iter().any(shares)
    };
    same && stored.languages == item.languages
}

fn scope_name(scope: &Scope) -> &'static str {
    match scope {
        Scope::Project { .. } => "project",
        Scope::Languages => "languages",
        Scope::All => "all",
    }
}

fn stored(tx: &Transaction<'_>, id: MemoryId) -> Result<Option<MemoryItem>, StoreError> {
    tx.prepare_cached("SELECT body FROM memory WHERE id = ?1")?
        .query_row([id.0], |row| row.get::<_, String>(0))
        .optional()?
        .map(|body| from_json("memory", &body))
        .transpose()
}

fn next_id(connection: &Connection) -> Result<i64, StoreError> {
    Ok(connection
        .prepare_cached("SELECT next FROM counter WHERE name = 'memory'")?
        .query_row([], |row| row.get(0))?)
}

#[cfg(test)]
mod tests;
