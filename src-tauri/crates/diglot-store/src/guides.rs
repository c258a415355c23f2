//! Guides that the person wrote, and the folders that each holds for.

use diglot_agent::Guide;
use rusqlite::{OptionalExtension, Transaction, params};

use crate::connection::Store;
use crate::error::StoreError;

/// Holds one guide as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GuideRow {
    /// Its id; never reused.
    pub id: i64,
    /// Its Markdown.
    pub text: String,
    /// Whether it holds for the folder that was asked about.
    pub is_attached: bool,
    /// When it last changed, in Unix milliseconds.
    pub updated_at: i64,
}

/// Columns of a row; `?1` is the folder.
const COLUMNS: &str = "id, text, updated_at, \
     EXISTS (SELECT 1 FROM guide_folder WHERE guide = id AND folder = ?1)";

impl Store {
    /// Returns all guides, in order of their titles, each with whether it holds for a folder.
    ///
    /// # Errors
    /// When they could not be read.
    pub fn guides(&self, folder: &str) -> Result<Vec<GuideRow>, StoreError> {
        self.read(|connection| {
            let sql = format!("SELECT {COLUMNS} FROM guide ORDER BY key, id");
            let mut statement = connection.prepare_cached(&sql)?;
            let rows = statement.query_map([folder], row)?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
    }

    /// Returns a guide.
    ///
    /// # Errors
    /// When it could not be read.
    pub fn guide(&self, id: i64) -> Result<Option<GuideRow>, StoreError> {
        self.read(|connection| {
            let sql = format!("SELECT {COLUMNS} FROM guide WHERE id = ?2");
            let mut statement = connection.prepare_cached(&sql)?;
            Ok(statement.query_row(params!["", id], row).optional()?)
        })
    }

    /// Returns the guides that hold for a folder, in order of their titles.
    ///
    /// # Errors
    /// When they could not be read.
    pub fn guides_of(&self, folder: &str) -> Result<Vec<String>, StoreError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT text FROM guide JOIN guide_folder ON guide = id WHERE folder = ?1 \
                 ORDER BY key, id",
            )?;
            let texts = statement.query_map([folder], |row| row.get(0))?;
            Ok(texts.collect::<Result<_, _>>()?)
        })
    }

    /// Stores a guide in place of the one with its id, or a new one, and returns the id.
    ///
    /// # Errors
    /// `GuideTaken` when another guide has the title; `GuideNotFound` when none has the id.
    pub fn put_guide(&self, id: Option<i64>, guide: &Guide, at: i64) -> Result<i64, StoreError> {
        self.write(|tx| {
            let key = guide.note.key();
            let owner = owner(tx, &key)?;
            if owner.is_some() && owner != id {
                return Err(StoreError::GuideTaken);
            }
            let Some(id) = id else {
                return insert(tx, guide, at);
            };
            let sql =
                "UPDATE guide SET title = ?2, key = ?3, text = ?4, updated_at = ?5 WHERE id = ?1";
            let n = tx.prepare_cached(sql)?.execute(params![
                id,
                guide.note.title,
                key,
                guide.text,
                at
            ])?;
            if n == 0 {
                return Err(StoreError::GuideNotFound { id });
            }
            Ok(id)
        })
    }

    /// Deletes a guide; nothing happens when it is gone already.
    ///
    /// # Errors
    /// When it could not be written.
    pub fn delete_guide(&self, id: i64) -> Result<(), StoreError> {
        self.write(|tx| {
            tx.execute("DELETE FROM guide WHERE id = ?1", [id])?;
            Ok(())
        })
    }

    /// Lets a guide hold for a folder.
    ///
    /// # Errors
    /// `GuideNotFound` when none has the id.
    pub fn attach_guide(&self, id: i64, folder: &str) -> Result<(), StoreError> {
        self.write(|tx| {
            let sql = "SELECT EXISTS (SELECT 1 FROM guide WHERE id = ?1)";
            if !tx.query_row(sql, [id], |row| row.get::<_, bool>(0))? {
                return Err(StoreError::GuideNotFound { id });
            }
            attach(tx, id, folder)
        })
    }

    /// Lets a guide hold for a folder no longer.
    ///
    /// # Errors
    /// When it could not be written.
    pub fn detach_guide(&self, id: i64, folder: &str) -> Result<(), StoreError> {
        self.write(|tx| {
            let sql = "DELETE FROM guide_folder WHERE guide = ?1 AND folder = ?2";
            tx.execute(sql, params![id, folder])?;
            Ok(())
        })
    }
}

/// Takes over a guide of another file, with its folders, where this file has none of its title or an older one.
pub(crate) fn take_over(
    tx: &Transaction<'_>,
    text: &str,
    at: i64,
    folders: &[String],
) -> Result<(), StoreError> {
    let Some(guide) = Guide::of(text) else {
        return Ok(());
    };
    let sql = "SELECT id, updated_at FROM guide WHERE key = ?1";
    let known: Option<(i64, i64)> = tx
        .query_row(sql, [guide.note.key()], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })
        .optional()?;
    let id = match known {
        Some((_, known)) if known >= at => return Ok(()),
        Some((id, _)) => {
            let sql = "UPDATE guide SET title = ?2, text = ?3, updated_at = ?4 WHERE id = ?1";
            tx.execute(sql, params![id, guide.note.title, guide.text, at])?;
            id
        }
        None => insert(tx, &guide, at)?,
    };
    folders.iter().try_for_each(|folder| attach(tx, id, folder))
}

fn insert(tx: &Transaction<'_>, guide: &Guide, at: i64) -> Result<i64, StoreError> {
    tx.prepare_cached("INSERT INTO guide (title, key, text, updated_at) VALUES (?1, ?2, ?3, ?4)")?
        .execute(params![guide.note.title, guide.note.key(), guide.text, at])?;
    Ok(tx.last_insert_rowid())
}

fn attach(tx: &Transaction<'_>, id: i64, folder: &str) -> Result<(), StoreError> {
    tx.prepare_cached("INSERT OR IGNORE INTO guide_folder (guide, folder) VALUES (?1, ?2)")?
        .execute(params![id, folder])?;
    Ok(())
}

fn owner(tx: &Transaction<'_>, key: &str) -> Result<Option<i64>, StoreError> {
    let sql = "SELECT id FROM guide WHERE key = ?1";
    Ok(tx.query_row(sql, [key], |row| row.get(0)).optional()?)
}

fn row(row: &rusqlite::Row<'_>) -> rusqlite::Result<GuideRow> {
    Ok(GuideRow {
        id: row.get(0)?,
        text: row.get(1)?,
        updated_at: row.get(2)?,
        is_attached: row.get(3)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guide(text: &str) -> Guide {
        Guide::of(text).unwrap()
    }

    #[test]
    fn guides_are_kept_by_title_and_attached_by_folder() {
        let store = Store::in_memory().unwrap();
        let text = "\u{feff}# House style\r\n\r\nShort.\r\n";
        let house = store.put_guide(None, &guide(text), 1).unwrap();
        let law = store.put_guide(None, &guide("# Abc\n"), 2).unwrap();
        store.attach_guide(house, "/a").unwrap();
        store.attach_guide(house, "/a").unwrap();
        let rows = store.guides("/a").unwrap();
        let seen: Vec<(i64, bool)> = rows.iter().map(|row| (row.id, row.is_attached)).collect();
        assert_eq!(seen, [(law, false), (house, true)]);
        assert_eq!(rows[1].text, text);
        assert_eq!(store.guides_of("/a").unwrap(), [text]);
        assert_eq!(store.guides_of("/b").unwrap(), Vec::<String>::new());
        store.detach_guide(house, "/a").unwrap();
        assert_eq!(store.guides_of("/a").unwrap(), Vec::<String>::new());
        store.attach_guide(house, "/a").unwrap();
        store.delete_guide(house).unwrap();
        store.delete_guide(house).unwrap();
        assert_eq!(store.guides_of("/a").unwrap(), Vec::<String>::new());
        assert_eq!(store.guide(house).unwrap(), None);
    }

    #[test]
    fn of_a_damaged_file_what_is_new_or_later_is_taken_over() {
        let store = Store::in_memory().unwrap();
        let house = store.put_guide(None, &guide("# House\n"), 5).unwrap();
        let folders = ["/a".to_owned()];
        for (text, at) in [
            ("# House\n\nOlder.\n", 4),
            ("# HOUSE\n\nLater.\n", 6),
            ("# Law\n", 1),
            ("", 9),
        ] {
            store.write(|tx| take_over(tx, text, at, &folders)).unwrap();
        }
        assert_eq!(
            store.guides_of("/a").unwrap(),
            ["# HOUSE\n\nLater.\n", "# Law\n"]
        );
        assert_eq!(store.guide(house).unwrap().unwrap().updated_at, 6);
    }

    #[test]
    fn no_two_guides_have_one_title() {
        let store = Store::in_memory().unwrap();
        let first = store.put_guide(None, &guide("# House\n"), 1).unwrap();
        let second = store.put_guide(None, &guide("# Other\n"), 1).unwrap();
        for id in [None, Some(second)] {
            let refused = store.put_guide(id, &guide("# HOUSE\n\nNew.\n"), 2);
            assert!(
                matches!(refused, Err(StoreError::GuideTaken)),
                "{refused:?}"
            );
        }
        store
            .put_guide(Some(first), &guide("# House\n\nNew.\n"), 2)
            .unwrap();
        assert_eq!(
            store.guide(first).unwrap().unwrap().text,
            "# House\n\nNew.\n"
        );
        let gone = store.put_guide(Some(99), &guide("# X\n"), 2);
        assert!(matches!(gone, Err(StoreError::GuideNotFound { id: 99 })));
        let gone = store.attach_guide(99, "/a");
        assert!(matches!(gone, Err(StoreError::GuideNotFound { id: 99 })));
    }
}
