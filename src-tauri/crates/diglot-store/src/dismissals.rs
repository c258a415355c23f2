//! Findings that a person set aside, by session.

use std::collections::HashSet;

use diglot_agent::SessionId;

use crate::connection::Store;
use crate::error::StoreError;

impl Store {
    /// Returns the keys of the findings that were set aside in a session.
    ///
    /// # Errors
    /// When they could not be read.
    pub fn dismissals(&self, session: SessionId) -> Result<HashSet<String>, StoreError> {
        self.read(|connection| {
            let mut statement =
                connection.prepare_cached("SELECT key FROM dismissal WHERE session = ?1")?;
            let keys = statement.query_map([session.0], |row| row.get(0))?;
            Ok(keys.collect::<Result<_, _>>()?)
        })
    }

    /// Sets a finding aside; doing it again changes nothing.
    ///
    /// # Errors
    /// When it could not be written.
    pub fn dismiss(&self, session: SessionId, key: &str) -> Result<(), StoreError> {
        self.write(|tx| {
            tx.prepare_cached("INSERT OR IGNORE INTO dismissal (session, key) VALUES (?1, ?2)")?
                .execute(rusqlite::params![session.0, key])?;
            Ok(())
        })
    }

    /// Takes a finding up again.
    ///
    /// # Errors
    /// When it could not be written.
    pub fn take_up(&self, session: SessionId, key: &str) -> Result<(), StoreError> {
        self.write(|tx| {
            tx.prepare_cached("DELETE FROM dismissal WHERE session = ?1 AND key = ?2")?
                .execute(rusqlite::params![session.0, key])?;
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::Store;
    use crate::fixture::new_session;

    #[test]
    fn findings_are_set_aside_and_taken_up_by_session() {
        let store = Store::in_memory().unwrap();
        let session = store.create_session(&new_session("a", 1)).unwrap();
        let other = store.create_session(&new_session("b", 2)).unwrap();
        for _ in 0..2 {
            store.dismiss(session, "k").unwrap();
        }
        assert_eq!(store.dismissals(session).unwrap(), ["k".to_owned()].into());
        assert!(store.dismissals(other).unwrap().is_empty());
        store.take_up(session, "k").unwrap();
        assert!(store.dismissals(session).unwrap().is_empty());
        store.dismiss(session, "k").unwrap();
        store.delete_session(session).unwrap();
        assert!(store.dismissals(session).unwrap().is_empty());
    }
}
