//! When the disk has failed: a system that could not write forgets that it should have, and the next sync succeeds without
//! it. So nothing counts as written before all that was committed went to the disk once more. Knows no table.

use std::path::Path;
use std::sync::atomic::Ordering;

use rusqlite::Connection;

use crate::connection::{Store, lock, quick_check};
use crate::error::StoreError;
use crate::files::sync_folder;
use crate::migrate::MIGRATIONS;
use crate::open::{Empty, connect};

impl Store {
    /// After a failure of the disk, writes what was committed anew, opens the file again and looks through it; otherwise
    /// does nothing.
    ///
    /// # Errors
    /// As long as the disk fails. What was read before can still be read.
    pub(crate) fn regain_trust(&self) -> Result<(), StoreError> {
        let Some(path) = self.path.as_ref().filter(|_| self.is_distrusted()) else {
            return Ok(());
        };
        // No backup may read while the log is emptied.
        let backup = lock(&self.n_backed_up);
        let mut writer = lock(&self.writer);
        let mut reader = lock(&self.reader);
        if !self.is_distrusted() {
            return Ok(());
        }
        let is_shared = reader.is_some();
        settle(&writer, path, is_shared)?;
        if !is_shared {
            // It has the file for itself, so it must let go of it first.
            *writer = Connection::open_in_memory()?;
        }
        let anew = connect(path, MIGRATIONS, Empty::New)?;
        quick_check(&anew.writer)?;
        (*writer, *reader) = (anew.writer, anew.reader);
        self.is_distrusted.store(!anew.is_settled, Ordering::SeqCst);
        drop((reader, writer, backup));
        tracing::info!("the disk works again");
        Ok(())
    }

    fn is_distrusted(&self) -> bool {
        self.is_distrusted.load(Ordering::SeqCst)
    }
}

/// Sees to it that all that was found in a database lasts: what stands in its log goes into the file itself, and the names
/// of both are on disk. A page of the log that a failed sync has lost is written as a page of the file.
///
/// # Errors
/// When the disk refuses, or somebody reads for too long.
pub(crate) fn settle(
    connection: &Connection,
    path: &Path,
    has_log: bool,
) -> Result<(), StoreError> {
    if has_log {
        let is_busy: bool =
            connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0))?;
        if is_busy {
            return Err(StoreError::Busy);
        }
    }
    sync_folder(path)
}

/// Makes the journal of a connection that cannot log ahead, and puts its name on disk. SQLite makes it with the first
/// change and does not look whether the name was synced; without the name nothing could be rolled back.
///
/// # Errors
/// When the disk refuses.
pub(crate) fn begin_journal(
    writer: &Connection,
    path: &Path,
    version: i64,
) -> Result<(), StoreError> {
    // A change that changes nothing.
    writer.pragma_update(None, "user_version", version)?;
    sync_folder(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::connection::set_up_writer;
    use crate::files::{beside, size};
    use crate::fixture::new_session;

    #[test]
    fn after_a_failure_the_file_is_opened_anew_before_anything_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("diglot.db");
        let store = Store::open(&path, 1).unwrap().store;
        store.create_session(&new_session("one", 1)).unwrap();
        let log = beside(&path, "-wal");
        let mark = |store: &Store| lock(&store.writer).execute_batch("CREATE TEMP TABLE mark (x)");
        mark(&store).unwrap();
        assert!(mark(&store).is_err() && size(&log) > 0);
        store.is_distrusted.store(true, Ordering::SeqCst);
        store.regain_trust().unwrap();
        assert_eq!(size(&log), 0, "what was committed stands in the file");
        mark(&store).unwrap();
        store.create_session(&new_session("two", 2)).unwrap();
        assert_eq!(store.sessions(None, 0, 9).unwrap().n_total, 2);
    }

    #[cfg(unix)]
    #[test]
    fn where_no_log_is_possible_the_journal_has_its_name_before_anything_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("diglot.db");
        let flags = rusqlite::OpenFlags::default();
        let writer = Connection::open_with_flags_and_vfs(&path, flags, "unix-dotfile").unwrap();
        assert!(!set_up_writer(&writer).unwrap());
        begin_journal(&writer, &path, 0).unwrap();
        let journal = beside(&path, "-journal");
        assert!(
            journal.exists() && size(&journal) == 0,
            "nothing to roll back"
        );
    }

    #[test]
    fn a_long_log_is_brought_into_the_file_while_the_store_is_open() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("diglot.db");
        let store = Store::open(&path, 1).unwrap().store;
        let (log, text) = (beside(&path, "-wal"), "x".repeat(1_000_000));
        for n in 0..20 {
            store.create_session(&new_session(&text, n)).unwrap();
        }
        assert!(size(&path) > 10_000_000, "{}", size(&path));
        assert!(size(&log) < 10_000_000, "{}", size(&log));
    }

    #[test]
    fn a_disk_that_still_fails_gets_nothing_to_write() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data").join("diglot.db");
        let (data, gone) = (folder.path().join("data"), folder.path().join("gone"));
        let store = Store::open(&path, 1).unwrap().store;
        store.create_session(&new_session("one", 1)).unwrap();
        std::fs::rename(&data, &gone).unwrap();
        store.is_distrusted.store(true, Ordering::SeqCst);
        store.create_session(&new_session("two", 2)).unwrap_err();
        std::fs::rename(&gone, &data).unwrap();
        store.create_session(&new_session("two", 2)).unwrap();
        assert_eq!(store.sessions(None, 0, 9).unwrap().n_total, 2);
    }

    #[test]
    fn what_a_disk_refuses_has_a_name_of_its_own() {
        use rusqlite::ffi;
        let refusal =
            |code| StoreError::from(rusqlite::Error::SqliteFailure(ffi::Error::new(code), None));
        assert!(matches!(refusal(ffi::SQLITE_FULL), StoreError::DiskFull(_)));
        let failed = refusal(ffi::SQLITE_IOERR_FSYNC);
        assert!(matches!(failed, StoreError::DiskFailed(_)));
        let forbidden = refusal(ffi::SQLITE_READONLY);
        assert!(matches!(forbidden, StoreError::NotWritable(_)));
        assert!(refusal(ffi::SQLITE_IOERR_SHORT_READ).is_corruption());
    }
}
