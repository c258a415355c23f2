//! Opens the file: lock, permissions, whose file it is, damage, migrations.

use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags};

use crate::connection::{Store, copy, open_reader, quick_check, set_up, set_up_writer};
use crate::error::StoreError;
use crate::migrate::{MIGRATIONS, latest, migrate, version};

/// First SQLite without the race that loses committed pages of a write-ahead log (fixed in 3.51.3).
const SQLITE_NEEDED: i32 = 3_051_003;
/// `Digl` in ASCII, as the first migration sets it.
const APPLICATION_ID: i64 = 1_147_758_444;
/// Largest file that is looked through at start after a crash: a quarter of a second at the measured 130 MB/s.
const CHECKED_AT_START: u64 = 32 * 1024 * 1024;

/// Holds a store that was opened, and what had to be done for it.
#[derive(Debug)]
pub struct Opened {
    /// The store.
    pub store: Store,
    /// Whether a newer version wrote the file; every write answers `ReadOnly` then.
    pub read_only: bool,
    /// Where the damaged file was put, when it had to be started afresh.
    pub recovered: Option<PathBuf>,
}

impl Store {
    /// Opens or creates the database, and its folder, for this process alone.
    ///
    /// # Errors
    /// `Locked` when another process has it, `Foreign` when it is not ours; damage is no error (see
    /// [`Opened::recovered`]).
    pub fn open(path: &Path) -> Result<Opened, StoreError> {
        if rusqlite::version_number() < SQLITE_NEEDED {
            return Err(StoreError::SqliteTooOld {
                found: rusqlite::version(),
            });
        }
        if let Some(folder) = path.parent() {
            create_private_folder(folder)?;
        }
        let lock = lock(path)?;
        let (connections, recovered) = match connect(path, MIGRATIONS) {
            Ok(connections) => (connections, None),
            Err(error) if error.is_corruption() => {
                tracing::error!(%error, "the database is damaged; it is kept aside");
                let kept = set_aside(path)?;
                (connect(path, MIGRATIONS)?, Some(kept))
            }
            Err(error) => return Err(error),
        };
        let Connections {
            writer,
            reader,
            read_only,
        } = connections;
        let store = Self::new(writer, reader, read_only, Some(lock));
        Ok(Opened {
            store,
            read_only,
            recovered,
        })
    }
}

struct Connections {
    writer: Connection,
    reader: Option<Connection>,
    read_only: bool,
}

fn connect(path: &Path, migrations: &[&str]) -> Result<Connections, StoreError> {
    let newest = latest(migrations);
    let crashed = fs::metadata(beside(path, "-wal")).is_ok_and(|wal| wal.len() > 0);
    create_private_file(path)?;
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut writer = Connection::open_with_flags(path, flags)?;
    set_up(&writer)?;
    let found = identify(&writer, path)?;
    if found > newest {
        drop(writer);
        return Ok(Connections {
            writer: open_reader(path)?,
            reader: None,
            read_only: true,
        });
    }
    let shared = set_up_writer(&writer)?;
    let small = fs::metadata(path).is_ok_and(|file| file.len() <= CHECKED_AT_START);
    if crashed && small {
        quick_check(&writer)?;
    }
    if found > 0 && found < newest {
        copy(&writer, &free_name(path, &format!("before-v{newest}")))?;
    }
    migrate(&mut writer, migrations)?;
    let reader = if shared {
        Some(open_reader(path)?)
    } else {
        None
    };
    Ok(Connections {
        writer,
        reader,
        read_only: false,
    })
}

/// Returns the version of the schema, 0 for an empty file. Reading it proves that the file is a database.
fn identify(connection: &Connection, path: &Path) -> Result<i64, StoreError> {
    let n_tables: i64 =
        connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    let application: i64 =
        connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
    let ours = application == APPLICATION_ID || application == 0 && n_tables == 0;
    if ours {
        version(connection)
    } else {
        Err(StoreError::Foreign {
            path: path.to_owned(),
        })
    }
}

/// Takes the lock that tells other processes to stay out. The operating system drops it with the process.
fn lock(path: &Path) -> Result<File, StoreError> {
    let name = beside(path, ".lock");
    let io = |source| StoreError::Io {
        path: name.clone(),
        source,
    };
    let file = File::options()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(&name)
        .map_err(io)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(StoreError::Locked {
            path: path.to_owned(),
        }),
        Err(TryLockError::Error(source)) => Err(io(source)),
    }
}

/// Moves a damaged file and its journals out of the way, together and under free names.
fn set_aside(path: &Path) -> Result<PathBuf, StoreError> {
    let kept = free_name(path, "corrupt");
    for suffix in ["-wal", "-shm", ""] {
        let from = beside(path, suffix);
        match fs::rename(&from, beside(&kept, suffix)) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(source) => return Err(StoreError::Io { path: from, source }),
        }
    }
    Ok(kept)
}

/// Returns the first of `<file>.<word>-1`, `-2`, … that does not exist.
fn free_name(path: &Path, word: &str) -> PathBuf {
    let mut n = 1;
    loop {
        let name = beside(path, &format!(".{word}-{n}"));
        if fs::symlink_metadata(&name).is_err() {
            return name;
        }
        n += 1;
    }
}

fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    name.into()
}

/// Creates the folder for this user alone; one that is there keeps its mode.
fn create_private_folder(folder: &Path) -> Result<(), StoreError> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder).map_err(|source| StoreError::Io {
        path: folder.to_owned(),
        source,
    })
}

/// Creates the file before SQLite does, so that it and the journals, which copy its mode, are private.
fn create_private_file(path: &Path) -> Result<(), StoreError> {
    let mut options = File::options();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map_err(|source| StoreError::Io {
        path: path.to_owned(),
        source,
    })?;
    keep_private(path)
}

/// Takes everybody else's rights to a file of ours away.
pub(crate) fn keep_private(path: &Path) -> Result<(), StoreError> {
    #[cfg(unix)]
    {
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o600);
        fs::set_permissions(path, mode).map_err(|source| StoreError::Io {
            path: path.to_owned(),
            source,
        })?;
    }
    #[cfg(not(unix))]
    let _ = path;
    Ok(())
}

#[cfg(test)]
mod tests;
