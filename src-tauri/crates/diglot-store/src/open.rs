//! Opens the file: lock, permissions, whose file it is, damage, migrations.

use std::collections::BTreeSet;
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags};

use crate::backups;
use crate::connection::{
    Connections, SUSPECT, Store, open_reader, quick_check, set_up, set_up_writer,
};
use crate::error::StoreError;
use crate::files::{at, beside, create_private_file, create_private_folder, remove, size};
use crate::migrate::{MIGRATIONS, latest, migrate, version};
use crate::recover::{Recovery, recover, salvage};
use crate::{trust, wal};

/// First SQLite without the race that loses committed pages of a write-ahead log (fixed in 3.51.3).
const SQLITE_NEEDED: i32 = 3_051_003;
/// `Digl` in ASCII, as the first migration sets it.
const APPLICATION_ID: i64 = 1_147_758_444;
/// No program will ever be so many versions ahead; such a number is damage.
const NO_VERSION: i64 = 10_000;
/// Smallest page of a database, in bytes; to SQLite, a shorter file is an empty one.
const SMALLEST_PAGE: u64 = 512;
/// Largest file that is looked through at start after a crash: a quarter of a second at the measured 130 MB/s.
const CHECKED_AT_START: u64 = 32 * 1024 * 1024;
/// Milliseconds after which a file is looked through again; a backup has it looked through too.
const CHECKED_EVERY: i64 = 7 * 86_400_000;

/// Holds a store that was opened, and what had to be done for it.
#[derive(Debug)]
pub struct Opened {
    /// The store.
    pub store: Store,
    /// Whether a newer version wrote the file; every write answers `ReadOnly` then.
    pub read_only: bool,
    /// What was done about a damaged file.
    pub recovered: Option<Recovery>,
    /// Whether [`Store::check`] should look through the file in the background.
    pub is_check_due: bool,
}

impl Store {
    /// Opens or creates the database, and its folder, for this process alone. A damaged file is kept aside; the
    /// latest good backup takes its place, with what can still be read of the damaged one. `now` is the time in
    /// Unix milliseconds.
    ///
    /// # Errors
    /// `Locked` when another process has it; damage is no error (see [`Opened::recovered`]).
    pub fn open(path: &Path, now: i64) -> Result<Opened, StoreError> {
        if rusqlite::version_number() < SQLITE_NEEDED {
            return Err(StoreError::SqliteTooOld {
                found: rusqlite::version(),
            });
        }
        if let Some(folder) = path.parent() {
            create_private_folder(folder)?;
        }
        let lock = lock(path)?;
        backups::clear(path);
        let crashed = size(&beside(path, "-wal")) > 0;
        let is_new = size(path) == 0;
        let (connections, recovered) = match connect(path, MIGRATIONS, Empty::New) {
            Ok(connections) => (connections, None),
            Err(error) if error.is_corruption() => {
                tracing::error!(%error, "the database is damaged; it is kept aside");
                let (connections, recovery) = start_again(path, now)?;
                (connections, Some(recovery))
            }
            Err(error) => return Err(error),
        };
        let last_look = backups::list(path).first().map_or(0, |backup| backup.at);
        let is_large = size(path) > CHECKED_AT_START;
        let is_check_due = crashed && is_large || last_look < now - CHECKED_EVERY && !is_new;
        let read_only = connections.read_only;
        if !read_only {
            backups::sweep(path);
        }
        Ok(Opened {
            store: Self::new(connections, Some(path.to_owned()), Some(lock)),
            read_only,
            recovered,
            is_check_due: is_check_due && !read_only,
        })
    }
}

/// Puts the latest good backup in the place of a damaged file, and takes over what can be read of that one.
pub(crate) fn start_again(path: &Path, now: i64) -> Result<(Connections, Recovery), StoreError> {
    let mut recovery = recover(path, now, MIGRATIONS)?;
    let mut connections = connect(path, MIGRATIONS, Empty::Successor)?;
    if let Some(kept) = recovery.kept.clone() {
        salvage(&kept, &mut connections.writer, &mut recovery);
    }
    connections.has_changed = true;
    Ok((connections, recovery))
}

/// Says what a file without anything in it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Empty {
    /// A new one, unless something beside it tells of an older one.
    New,
    /// The successor of a damaged one.
    Successor,
}

pub(crate) fn connect(
    path: &Path,
    migrations: &[&str],
    empty: Empty,
) -> Result<Connections, StoreError> {
    let newest = latest(migrations);
    let is_new = size(path) == 0;
    let crashed = size(&beside(path, "-wal")) > 0;
    let (looking, found) = look_at(path, migrations, empty)?;
    if found > newest {
        return Ok(Connections {
            writer: looking,
            reader: None,
            read_only: true,
            has_changed: false,
            is_settled: true,
        });
    }
    let suspect = beside(path, SUSPECT);
    let is_suspect = suspect.exists();
    if is_suspect || crashed && size(path) <= CHECKED_AT_START {
        quick_check(&looking)?;
    }
    drop(looking);
    if is_suspect {
        remove(&suspect)?;
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut writer = Connection::open_with_flags(path, flags)?;
    let shared = set_up_writer(&writer)?;
    if !shared {
        trust::begin_journal(&writer, path, found)?;
    }
    if found > 0 && found < newest {
        backups::keep(&writer, path, &format!("before-v{newest}"))?;
    }
    migrate(&mut writer, migrations)?;
    let reader = shared.then(|| open_reader(path)).transpose()?;
    let settled = trust::settle(&writer, path, crashed && shared);
    if let Err(error) = &settled {
        tracing::warn!(%error, "what was found is not known to be on disk");
    }
    Ok(Connections {
        writer,
        reader,
        read_only: false,
        has_changed: crashed || is_new,
        is_settled: settled.is_ok(),
    })
}

/// Tells the version of a file, by a connection that cannot write: one of a newer version and a damaged one stay as
/// they are.
fn look_at(
    path: &Path,
    migrations: &[&str],
    empty: Empty,
) -> Result<(Connection, i64), StoreError> {
    let has_log = size(&beside(path, "-wal")) > 0;
    let was_full = empty == Empty::New && !backups::list(path).is_empty();
    match size(path) {
        0 if was_full || has_log => return damaged("the file is empty or gone"),
        1..SMALLEST_PAGE => return damaged("the file is shorter than a page"),
        _ => {}
    }
    create_private_file(path)?;
    if has_log {
        wal::check(path)?;
    }
    let looking = open_to_look(path)?;
    let found = identify(&looking, migrations)?;
    if found == 0 && was_full {
        return damaged("the file holds nothing any more");
    }
    Ok((looking, found))
}

fn damaged<T>(detail: &str) -> Result<T, StoreError> {
    Err(StoreError::Damaged {
        detail: detail.to_owned(),
    })
}

/// Opens a connection to look at a file with. One that crashed without write-ahead logging must be rolled back first.
fn open_to_look(path: &Path) -> Result<Connection, StoreError> {
    if size(&beside(path, "-journal")) == 0 {
        return open_reader(path);
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    set_up(&connection)?;
    Ok(connection)
}

/// Returns the version of the schema, 0 for an empty file.
///
/// # Errors
/// `Damaged` when the file is not ours, or its schema is not what its version says.
pub(crate) fn identify(connection: &Connection, migrations: &[&str]) -> Result<i64, StoreError> {
    let found = version(connection)?;
    let application: i64 =
        connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
    let names = names(connection)?;
    if application == 0 && found == 0 && names.is_empty() {
        return Ok(0);
    }
    if application != APPLICATION_ID {
        return damaged("the file belongs to another program");
    }
    if !(1..NO_VERSION).contains(&found) {
        return damaged("the version of the file makes no sense");
    }
    let steps = usize::try_from(found).ok();
    if let Some(seen) = steps.and_then(|found| migrations.get(..found)) {
        let mut model = Connection::open_in_memory()?;
        migrate(&mut model, seen)?;
        if self::names(&model)? != names {
            return damaged("the schema is not that of its version");
        }
    }
    Ok(found)
}

/// Returns the names of tables and indexes, but for those that SQLite and its full-text search make by themselves.
fn names(connection: &Connection) -> Result<BTreeSet<String>, StoreError> {
    let mut statement = connection.prepare(
        "SELECT name FROM sqlite_schema WHERE name NOT GLOB 'sqlite_*' AND name NOT GLOB 'tm_index_*'",
    )?;
    let names = statement.query_map([], |row| row.get(0))?;
    Ok(names.collect::<Result<_, _>>()?)
}

/// Takes the lock that tells other processes to stay out. The operating system drops it with the process.
fn lock(path: &Path) -> Result<File, StoreError> {
    let name: PathBuf = beside(path, ".lock");
    let file = File::options()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(&name)
        .map_err(at(&name))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(StoreError::Locked {
            path: path.to_owned(),
        }),
        Err(TryLockError::Error(source)) => Err(at(&name)(source)),
    }
}

#[cfg(test)]
mod tests;
