//! The store's connections: how they are set up, and the one way to read and to write.

use std::fs::File;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior};

use crate::error::StoreError;
use crate::migrate::{MIGRATIONS, migrate};

/// Statements kept prepared; more than the store has.
const STATEMENTS: usize = 64;

/// Holds the open database. Methods block; call them off the async threads.
#[derive(Debug)]
pub struct Store {
    writer: Mutex<Connection>,
    /// Lets lists and look-ups go on beside a write; absent where only one connection is possible.
    reader: Option<Mutex<Connection>>,
    read_only: bool,
    /// Held, never read: closing it lets the next process in.
    _lock: Option<File>,
}

impl Store {
    /// Opens an empty store that goes with the value; for tests.
    ///
    /// # Errors
    /// When SQLite has no memory left.
    pub fn in_memory() -> Result<Self, StoreError> {
        let mut connection = Connection::open_in_memory()?;
        set_up(&connection)?;
        migrate(&mut connection, MIGRATIONS)?;
        Ok(Self::new(connection, None, false, None))
    }

    pub(crate) fn new(
        writer: Connection,
        reader: Option<Connection>,
        read_only: bool,
        lock: Option<File>,
    ) -> Self {
        Self {
            writer: Mutex::new(writer),
            reader: reader.map(Mutex::new),
            read_only,
            _lock: lock,
        }
    }

    /// Tells whether a newer version wrote the file, so that nothing can be changed.
    pub fn is_read_only(&self) -> bool {
        self.read_only
    }

    /// Looks for damaged pages; takes seconds on a large file, so it belongs in the background.
    ///
    /// # Errors
    /// `Damaged` with the first finding.
    pub fn check(&self) -> Result<(), StoreError> {
        quick_check(&self.reading())
    }

    /// Writes a consistent copy to a file that does not exist yet.
    ///
    /// # Errors
    /// When it exists or cannot be written.
    pub fn copy_to(&self, path: &Path) -> Result<(), StoreError> {
        copy(&self.reading(), path)
    }

    /// Gives the connection for reading.
    pub(crate) fn reading(&self) -> MutexGuard<'_, Connection> {
        lock(self.reader.as_ref().unwrap_or(&self.writer))
    }

    /// Runs one transaction: all of `work` is on disk when this returns `Ok`, nothing of it otherwise.
    pub(crate) fn write<T>(
        &self,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        if self.read_only {
            return Err(StoreError::ReadOnly);
        }
        let mut connection = lock(&self.writer);
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let value = work(&transaction)?;
        transaction.commit()?;
        Ok(value)
    }
}

/// A panic in another thread rolled its transaction back, so the connection is still good.
fn lock(connection: &Mutex<Connection>) -> MutexGuard<'_, Connection> {
    connection.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Sets what every connection needs.
pub(crate) fn set_up(connection: &Connection) -> Result<(), StoreError> {
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    connection.execute_batch(
        "PRAGMA busy_timeout = 5000;
         PRAGMA foreign_keys = ON;
         PRAGMA trusted_schema = OFF;
         PRAGMA cell_size_check = ON;",
    )?;
    Ok(())
}

/// Sets what the writing connection needs. Returns whether others can read beside it: on a file system that
/// cannot share memory, write-ahead logging damages files, so there one connection locks the file for itself.
pub(crate) fn set_up_writer(connection: &Connection) -> Result<bool, StoreError> {
    set_up(connection)?;
    connection.execute_batch(
        "PRAGMA synchronous = FULL;
         PRAGMA fullfsync = ON;
         PRAGMA checkpoint_fullfsync = ON;
         PRAGMA journal_size_limit = 4000000;",
    )?;
    let mode: String =
        connection.pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get(0))?;
    let shared = mode.eq_ignore_ascii_case("wal");
    if !shared {
        tracing::warn!(mode, "no write-ahead logging here");
        connection
            .execute_batch("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = TRUNCATE;")?;
    }
    Ok(shared)
}

/// Opens a connection that cannot write.
pub(crate) fn open_reader(path: &Path) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    set_up(&connection)?;
    Ok(connection)
}

/// Asks SQLite for damaged pages.
pub(crate) fn quick_check(connection: &Connection) -> Result<(), StoreError> {
    let found: String = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    if found == "ok" {
        Ok(())
    } else {
        Err(StoreError::Damaged { detail: found })
    }
}

/// Copies the database as it is now, whole and without gaps.
pub(crate) fn copy(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    let io = |source| StoreError::Io {
        path: path.to_owned(),
        source,
    };
    connection.execute("VACUUM INTO ?1", [path.to_string_lossy()])?;
    let file = File::options()
        .read(true)
        .write(true)
        .open(path)
        .map_err(io)?;
    crate::open::keep_private(path)?;
    file.sync_all().map_err(io)
}
