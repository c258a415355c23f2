//! What is done about a damaged file: it is kept aside, the latest good backup takes its place, and what can still be
//! read of it is taken over. Must not change the damaged file.

use std::fs;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags, TransactionBehavior};

use crate::backups::{self, Backup};
use crate::connection::{open_reader, quick_check, set_up};
use crate::error::StoreError;
use crate::files::{
    UNFINISHED, at, beside, changed_at, make_whole, remove, set_aside, size, stamp,
};
use crate::migrate::latest;
use crate::open::identify;
use crate::wal;

mod rows;

/// Tells what was done about a damaged database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recovery {
    /// Where the damaged file is kept; `None` when there was nothing to keep.
    pub kept: Option<PathBuf>,
    /// When the backup was made that took its place, in Unix milliseconds; `None` when a new file was begun.
    pub backup_at: Option<i64>,
    /// Entries of logs that only the damaged file had, and that were taken over.
    pub n_salvaged: usize,
    /// Until when work may be missing, in Unix milliseconds; `None` when all of the damaged file could be read.
    pub lost_until: Option<i64>,
}

/// Keeps a damaged file aside and puts the latest good backup in its place, where there is one.
///
/// # Errors
/// When a file cannot be moved.
pub(crate) fn recover(path: &Path, now: i64, migrations: &[&str]) -> Result<Recovery, StoreError> {
    let lost_until = changed_at(path);
    let is_there = size(path) > 0 || size(&beside(path, "-wal")) > 0;
    let kept = if is_there {
        let word = format!("damaged-{}", stamp(now)?);
        Some(set_aside(path, &word)?)
    } else {
        None
    };
    let backup = backups::list(path).into_iter().find(|backup| {
        let put = put_back(backup, path, migrations);
        if let Err(error) = &put {
            tracing::warn!(%error, path = %backup.path.display(), "a backup cannot be used");
        }
        put.is_ok()
    });
    Ok(Recovery {
        kept,
        backup_at: backup.map(|backup| backup.at),
        n_salvaged: 0,
        lost_until: lost_until.or(Some(now)),
    })
}

/// Puts a backup in the place of the database, once it was looked through.
fn put_back(backup: &Backup, path: &Path, migrations: &[&str]) -> Result<(), StoreError> {
    let look = |path: &Path| {
        let connection = open_reader(path)?;
        let found = identify(&connection, migrations)?;
        if !(1..=latest(migrations)).contains(&found) {
            return Err(StoreError::ReadOnly);
        }
        quick_check(&connection)
    };
    look(&backup.path)?;
    make_whole(path, |to| {
        fs::copy(&backup.path, to).map_err(at(to))?;
        look(to)
    })
}

/// Takes over what a damaged file holds beyond the database that took its place: whole, or nothing.
pub(crate) fn salvage(kept: &Path, writer: &mut Connection, recovery: &mut Recovery) {
    let scratch = beside(kept, UNFINISHED);
    let is_log_whole = size(&beside(kept, "-wal")) == 0 || wal::check(kept).is_ok();
    let found = open_copy(kept, &scratch).and_then(|old| {
        let new = writer.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let found = rows::take_over(&old, &new)?;
        new.commit()?;
        Ok(found)
    });
    match found {
        Ok(found) => {
            recovery.n_salvaged = found.n_entries;
            if found.is_whole && is_log_whole {
                recovery.lost_until = None;
            }
        }
        Err(error) => tracing::warn!(%error, "nothing of the damaged file could be taken over"),
    }
    for suffix in ["", "-wal", "-shm"] {
        if let Err(error) = remove(&beside(&scratch, suffix)) {
            tracing::warn!(%error, "a copy of the damaged file stays");
        }
    }
}

/// Opens a copy, since reading what a write-ahead log holds may write.
fn open_copy(kept: &Path, scratch: &Path) -> Result<Connection, StoreError> {
    for suffix in ["", "-wal"] {
        let from = beside(kept, suffix);
        if size(&from) > 0 {
            let to = beside(scratch, suffix);
            crate::files::create_private_file(&to)?;
            fs::copy(&from, &to).map_err(at(&to))?;
        }
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(scratch, flags)?;
    set_up(&connection)?;
    Ok(connection)
}
