//! The store's connections: how they are set up, and the one way to read and to write.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior};

use crate::backups;
use crate::error::StoreError;
use crate::files::{beside, create_private_file, remove, size};
use crate::migrate::{MIGRATIONS, migrate};
use crate::open::start_again;
use crate::recover::Recovery;
use crate::trust::settle;

/// Statements kept prepared; more than the store has.
const STATEMENTS: usize = 64;
/// Pages of the write-ahead log from which on it is brought into the file: as many as SQLite itself would let come.
const LOG_PAGES: i64 = 1_000;
/// Ends the name of the empty file that has the database looked through at the next start.
pub(crate) const SUSPECT: &str = ".suspect";

/// Holds the open database. Methods block; call them off the async threads.
#[derive(Debug)]
pub struct Store {
    /// Lets lists and look-ups go on beside a write; absent where only one connection is possible. Closed first: the
    /// last one to close brings the write-ahead log into the file, which one that cannot write does not.
    pub(crate) reader: Mutex<Option<Connection>>,
    pub(crate) writer: Mutex<Connection>,
    read_only: bool,
    /// The file; `None` for a store in memory.
    pub(crate) path: Option<PathBuf>,
    /// Whether the disk failed, so that nothing counts as written before the file was looked at anew.
    pub(crate) is_distrusted: AtomicBool,
    /// Transactions that were written, and how many of them the latest backup holds.
    n_written: AtomicU64,
    pub(crate) n_backed_up: Mutex<u64>,
    /// Held, never read: closing it lets the next process in.
    _lock: Option<File>,
}

/// Holds what a store is made of.
pub(crate) struct Connections {
    pub(crate) writer: Connection,
    pub(crate) reader: Option<Connection>,
    pub(crate) read_only: bool,
    /// Whether the file may hold what no backup holds.
    pub(crate) has_changed: bool,
    /// Whether all that was found is known to be on disk.
    pub(crate) is_settled: bool,
}

impl Store {
    /// Opens an empty store that goes with the value; for tests.
    ///
    /// # Errors
    /// When SQLite has no memory left.
    pub fn in_memory() -> Result<Self, StoreError> {
        let mut writer = Connection::open_in_memory()?;
        set_up(&writer)?;
        migrate(&mut writer, MIGRATIONS)?;
        let connections = Connections {
            writer,
            reader: None,
            read_only: false,
            has_changed: false,
            is_settled: true,
        };
        Ok(Self::new(connections, None, None))
    }

    pub(crate) fn new(connections: Connections, path: Option<PathBuf>, lock: Option<File>) -> Self {
        Self {
            writer: Mutex::new(connections.writer),
            reader: Mutex::new(connections.reader),
            read_only: connections.read_only,
            is_distrusted: AtomicBool::new(!connections.is_settled),
            path,
            n_written: AtomicU64::new(connections.has_changed.into()),
            n_backed_up: Mutex::default(),
            _lock: lock,
        }
    }

    /// Counts the transactions that were written since the file was opened: what was read before is as it was while this
    /// stays the same.
    pub fn n_written(&self) -> u64 {
        self.n_written.load(Ordering::SeqCst)
    }

    /// Tells whether a newer version wrote the file, so that nothing can be changed.
    pub fn is_read_only(&self) -> bool {
        self.read_only
    }

    /// Returns the size of the file in bytes.
    pub fn n_bytes(&self) -> u64 {
        self.path.as_deref().map_or(0, size)
    }

    /// Looks for damaged pages; takes seconds on a large file, and holds nobody up. A damaged file is restored when
    /// it is opened the next time.
    ///
    /// # Errors
    /// `Damaged` with the first finding.
    pub fn check(&self) -> Result<(), StoreError> {
        let found = match &self.path {
            Some(path) if self.read_only || self.is_shared() => {
                open_reader(path).and_then(|own| quick_check(&own))
            }
            _ => quick_check(&lock(&self.writer)),
        };
        self.noting(found)
    }

    /// Makes a backup beside the database, where the latest does not hold everything already; answers whether it
    /// did. Holds nobody up, and belongs in the background.
    ///
    /// # Errors
    /// `Damaged` when the database is; earlier backups stay then.
    pub fn back_up(&self, at: i64) -> Result<bool, StoreError> {
        let Some(path) = self.path.as_ref().filter(|_| !self.read_only) else {
            return Ok(false);
        };
        let mut n_backed_up = lock(&self.n_backed_up);
        let n_written = self.n_written.load(Ordering::SeqCst);
        if *n_backed_up == n_written {
            return Ok(false);
        }
        let made = if self.is_shared() {
            // The file itself is brought up to date too: a lost write-ahead log then costs no more than a lost file.
            open_writer(path).and_then(|own| {
                own.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()))?;
                backups::make(&own, path, at)
            })
        } else {
            backups::make(&lock(&self.writer), path, at)
        };
        let backup = self.noting(made)?;
        tracing::info!(path = %backup.path.display(), "a backup was made");
        *n_backed_up = n_written;
        Ok(true)
    }

    /// Brings the write-ahead log into the file, so that the next start sees an end in order also where the process
    /// ends without closing the store.
    ///
    /// # Errors
    /// When the file cannot be written; nothing is lost then.
    pub fn settle(&self) -> Result<(), StoreError> {
        let Some(path) = self.path.as_ref().filter(|_| !self.read_only) else {
            return Ok(());
        };
        let has_log = self.is_shared();
        self.noting(settle(&lock(&self.writer), path, has_log))
    }

    /// Runs a look at the database as it was last written.
    pub(crate) fn read<T>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let looked = {
            let reader = lock(&self.reader);
            if let Some(reader) = reader.as_ref() {
                work(reader)
            } else {
                drop(reader);
                work(&lock(&self.writer))
            }
        };
        self.noting(looked)
    }

    fn is_shared(&self) -> bool {
        lock(&self.reader).is_some()
    }

    /// Keeps the file aside, puts the latest good backup in its place, and takes over what can be read of it, while the
    /// store stays open.
    ///
    /// # Errors
    /// When a file cannot be moved; the store is empty then, and the next start tries again.
    pub fn restore(&self, now: i64) -> Result<Recovery, StoreError> {
        let Some(path) = self.path.as_ref().filter(|_| !self.read_only) else {
            return Err(StoreError::ReadOnly);
        };
        let mut n_backed_up = lock(&self.n_backed_up);
        let mut writer = lock(&self.writer);
        let mut reader = lock(&self.reader);
        *reader = None;
        // Unlike the last one to close, one that is kept from it leaves the log as it is.
        writer.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
        *writer = Connection::open_in_memory()?;
        let (connections, recovery) = start_again(path, now)?;
        *writer = connections.writer;
        *reader = connections.reader;
        self.is_distrusted
            .store(!connections.is_settled, Ordering::SeqCst);
        *n_backed_up = 0;
        self.n_written.fetch_add(1, Ordering::SeqCst);
        remove(&beside(path, SUSPECT))?;
        Ok(recovery)
    }

    /// Runs one transaction: all of `work` is on disk when this returns `Ok`, nothing of it otherwise.
    pub(crate) fn write<T>(
        &self,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        if self.read_only {
            return Err(StoreError::ReadOnly);
        }
        self.regain_trust()?;
        let mut connection = lock(&self.writer);
        let written = connection
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .map_err(StoreError::from)
            .and_then(|transaction| {
                let value = work(&transaction)?;
                transaction.commit()?;
                Ok(value)
            });
        if written.is_ok() {
            self.n_written.fetch_add(1, Ordering::SeqCst);
            // What was written is on disk already; what fails here is made good before the next time.
            if let Err(error) = self.noting(shorten_log(&connection)) {
                tracing::warn!(%error, "the log stays long");
            }
        }
        self.noting(written)
    }

    /// Notes what came to light: damage, so that the next start looks through the file and restores it; a disk that
    /// fails, so that nothing counts as written before the file was looked at anew.
    fn noting<T>(&self, result: Result<T, StoreError>) -> Result<T, StoreError> {
        if let Err(StoreError::DiskFailed(error)) = &result {
            tracing::error!(%error, "the disk failed");
            self.is_distrusted.store(true, Ordering::SeqCst);
        }
        if let Err(error) = &result
            && error.is_corruption()
            && let Some(path) = self.path.as_ref().filter(|_| !self.read_only)
        {
            tracing::error!(%error, "the database is damaged");
            if let Err(error) = create_private_file(&beside(path, SUSPECT)) {
                tracing::error!(%error, "the damage is not noted for the next start");
            }
        }
        result
    }
}

/// A panic in another thread rolled its transaction back, so what is locked is still good.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
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
         PRAGMA journal_size_limit = 4000000;
         PRAGMA wal_autocheckpoint = 0;",
    )?;
    let mode = set_journal_mode(connection, "WAL")?;
    let shared = mode.eq_ignore_ascii_case("wal");
    if !shared {
        tracing::warn!(mode, "no write-ahead logging here");
        connection
            .execute_batch("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = TRUNCATE;")?;
    }
    Ok(shared)
}

/// Sets how changes are journaled, and returns how they are then. The row that tells it comes before the change is
/// committed, so the statement must be run to its end: else a failure of the commit goes unseen.
pub(crate) fn set_journal_mode(connection: &Connection, mode: &str) -> Result<String, StoreError> {
    let mut set = String::new();
    connection.pragma(None, "journal_mode", mode, |row| {
        set = row.get(0)?;
        Ok(())
    })?;
    Ok(set)
}

/// Brings a long write-ahead log into the file. SQLite would do so by itself, and say nothing of a sync that fails.
fn shorten_log(connection: &Connection) -> Result<(), StoreError> {
    // Without such a log it has -1 pages.
    let n_pages: i64 = connection.query_row("PRAGMA wal_checkpoint(NOOP)", [], |row| row.get(1))?;
    if n_pages >= LOG_PAGES {
        connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()))?;
    }
    Ok(())
}

/// Opens a connection that can write and is set up as every one that does.
fn open_writer(path: &Path) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    set_up_writer(&connection)?;
    Ok(connection)
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
