//! The application's settings: JSON values by name.

use rusqlite::OptionalExtension;
use serde_json::Value;

use crate::connection::Store;
use crate::error::StoreError;
use crate::rows::{from_json, json_of};

impl Store {
    /// Returns a setting.
    ///
    /// # Errors
    /// When the stored text is no JSON: a damaged setting is not an absent one.
    pub fn setting(&self, name: &str) -> Result<Option<Value>, StoreError> {
        let text: Option<String> = self.read(|connection| {
            Ok(connection
                .prepare_cached("SELECT value FROM setting WHERE name = ?1")?
                .query_row([name], |row| row.get(0))
                .optional()?)
        })?;
        text.map(|text| from_json("setting", &text)).transpose()
    }

    /// Keeps a setting.
    ///
    /// # Errors
    /// When it could not be written.
    pub fn set_setting(&self, name: &str, value: &Value) -> Result<(), StoreError> {
        let text = json_of(value)?;
        self.write(|tx| {
            tx.prepare_cached("INSERT OR REPLACE INTO setting (name, value) VALUES (?1, ?2)")?
                .execute([name, &text])?;
            Ok(())
        })
    }

    /// Gives a setting that cannot be read another name, so that nothing is written over it.
    ///
    /// # Errors
    /// When it could not be written.
    pub fn set_setting_aside(&self, name: &str, at: i64) -> Result<(), StoreError> {
        self.write(|tx| {
            tx.execute(
                "UPDATE OR REPLACE setting SET name = ?1 || '.unreadable-' || ?2 WHERE name = ?1",
                rusqlite::params![name, at],
            )?;
            Ok(())
        })
    }

    /// Forgets a setting.
    ///
    /// # Errors
    /// When it could not be written.
    pub fn remove_setting(&self, name: &str) -> Result<(), StoreError> {
        self.write(|tx| {
            tx.prepare_cached("DELETE FROM setting WHERE name = ?1")?
                .execute([name])?;
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::{Store, StoreError};

    #[test]
    fn settings_are_kept_replaced_and_removed() {
        let store = Store::in_memory().unwrap();
        assert_eq!(store.setting("theme").unwrap(), None);
        store.set_setting("theme", &json!("dark")).unwrap();
        store
            .set_setting("theme", &json!({ "name": "light" }))
            .unwrap();
        assert_eq!(
            store.setting("theme").unwrap(),
            Some(json!({ "name": "light" }))
        );
        store.remove_setting("theme").unwrap();
        assert_eq!(store.setting("theme").unwrap(), None);
    }

    #[test]
    fn a_damaged_setting_is_an_error() {
        let store = Store::in_memory().unwrap();
        store
            .write(|tx| Ok(tx.execute("INSERT INTO setting VALUES ('a', '{')", [])?))
            .unwrap();
        let error = store.setting("a").unwrap_err();
        assert!(
            matches!(
                error,
                StoreError::UnreadableRow {
                    table: "setting",
                    ..
                }
            ),
            "{error:?}"
        );
    }
}
