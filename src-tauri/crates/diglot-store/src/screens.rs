//! What sessions show when they are opened: one row each, a cache that may be thrown away.

use diglot_agent::{Seq, SessionId};
use rusqlite::{OptionalExtension, params};

use crate::connection::Store;
use crate::error::StoreError;
use crate::rows::int;

impl Store {
    /// Returns what was kept of a session as of its last entry, by the same maker; `None` when there is nothing, or
    /// the session went on since.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn screen(&self, session: SessionId, maker: &str) -> Result<Option<String>, StoreError> {
        self.read(|connection| {
            Ok(connection
                .prepare_cached(
                    "SELECT body FROM screen JOIN session ON session.id = screen.session \
                     WHERE session.id = ?1 AND session.seq = screen.seq AND maker = ?2",
                )?
                .query_row(params![session.0, maker], |row| row.get(0))
                .optional()?)
        })
    }

    /// Keeps what a session shows as of an entry, in place of what was kept before.
    ///
    /// # Errors
    /// When it could not be written.
    pub fn keep_screen(
        &self,
        session: SessionId,
        seq: Seq,
        maker: &str,
        body: &str,
    ) -> Result<(), StoreError> {
        self.write(|tx| {
            tx.prepare_cached(
                "INSERT OR REPLACE INTO screen (session, seq, maker, body) VALUES (?1, ?2, ?3, ?4)",
            )?
            .execute(params![session.0, int(seq.0), maker, body])?;
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::fixture::{commit, said, store};

    use super::*;

    #[test]
    fn a_screen_is_of_one_entry_and_one_maker() {
        let (store, session) = store();
        assert_eq!(store.screen(session, "a").unwrap(), None);
        store.keep_screen(session, Seq(0), "a", "{}").unwrap();
        assert_eq!(store.screen(session, "a").unwrap().as_deref(), Some("{}"));
        assert_eq!(store.screen(session, "b").unwrap(), None);
        let mut step = commit(session, 0);
        step.entries.push(said("Go on."));
        store.commit(&step).unwrap();
        assert_eq!(store.screen(session, "a").unwrap(), None);
        store.delete_session(session).unwrap();
        let count = "SELECT count(*) FROM screen";
        let left =
            store.read(|reader| Ok(reader.query_row(count, [], |row| row.get::<_, i64>(0))?));
        assert_eq!(left.unwrap(), 0);
    }
}
