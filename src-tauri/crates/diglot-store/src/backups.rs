//! Rotating backups: whole copies of the database in a folder beside it, each looked through before it counts. Knows no
//! table, and not when one is due.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use rusqlite::backup::{Backup as Copying, StepResult};
use rusqlite::{Connection, OpenFlags};

use crate::connection::{quick_check, set_journal_mode};
use crate::error::StoreError;
use crate::files::{
    JOURNALS, UNFINISHED, create_private_folder, free_name, make_whole, read_stamp, remove, stamp,
};

/// Name of the folder beside the database.
const FOLDER: &str = "backups";
/// Ends the name of a backup; the rest is its time.
const ENDING: &str = ".db";
/// Backups that are kept in any case: the latest.
const LATEST: usize = 10;
/// Days of which the last backup is kept.
const DAYS: i64 = 7;
/// Milliseconds of a day.
const DAY: i64 = 86_400_000;

/// Holds where a backup is, and when it was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Backup {
    pub(crate) path: PathBuf,
    /// In Unix milliseconds.
    pub(crate) at: i64,
}

/// Returns the backups of a database, the latest first; may be empty.
pub(crate) fn list(database: &Path) -> Vec<Backup> {
    let entries = fs::read_dir(folder(database)).into_iter().flatten();
    let backup = |path: PathBuf| {
        let name = path.file_name()?.to_str()?;
        let at = read_stamp(name.strip_suffix(ENDING)?)?;
        Some(Backup { path, at })
    };
    let mut found: Vec<Backup> = entries
        .filter_map(|entry| backup(entry.ok()?.path()))
        .collect();
    found.sort_by_key(|backup| std::cmp::Reverse(backup.at));
    found
}

/// Makes a backup of what a connection sees now, and lets those go that are too many.
///
/// # Errors
/// `Damaged` when the copy is: the database is it too, then, and the earlier backups stay.
pub(crate) fn make(source: &Connection, database: &Path, at: i64) -> Result<Backup, StoreError> {
    let folder = folder(database);
    create_private_folder(&folder)?;
    let path = folder.join(stamp(at)? + ENDING);
    make_whole(&path, |path| copy(source, path))?;
    sweep(database);
    Ok(Backup { path, at })
}

/// Copies the database as a connection sees it, page by page, and looks through the copy.
fn copy(source: &Connection, path: &Path) -> Result<(), StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut copy = Connection::open_with_flags(path, flags)?;
    // The file counts once it is whole and on disk; until then nothing needs to be.
    copy.execute_batch("PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;")?;
    // All pages at once: a reader holds nobody up, and what is written meanwhile does not make it begin anew.
    if Copying::new(source, &mut copy)?.step(-1)? != StepResult::Done {
        return Err(StoreError::Busy);
    }
    // A copy that needs no journals beside it can be moved, and looked at without being written to.
    set_journal_mode(&copy, "DELETE")?;
    quick_check(&copy)?;
    copy.close().map_err(|(_, error)| error.into())
}

/// Copies a database under a free name, to be kept for good.
///
/// # Errors
/// When it cannot be written, or is damaged.
pub(crate) fn keep(source: &Connection, database: &Path, word: &str) -> Result<(), StoreError> {
    make_whole(&free_name(database, word), |path| copy(source, path))
}

/// Removes backups that are too many, and what a crash left unfinished. What cannot be removed is tried again with
/// the next backup, and at the next start.
pub(crate) fn sweep(database: &Path) {
    let found = list(database);
    let kept = kept(&found.iter().map(|backup| backup.at).collect::<Vec<_>>());
    let old = found
        .into_iter()
        .filter(|backup| !kept.contains(&backup.at));
    for backup in old {
        if let Err(error) = remove(&backup.path) {
            tracing::warn!(%error, "an old backup stays");
        }
    }
    clear(database);
}

/// Removes what a crash left unfinished, beside a database and among its backups.
pub(crate) fn clear(database: &Path) {
    let paths = |folder: &Path| -> Vec<PathBuf> {
        let entries = fs::read_dir(folder).into_iter().flatten();
        entries
            .filter_map(|entry| Some(entry.ok()?.path()))
            .collect()
    };
    let own = database.to_string_lossy();
    let beside = database.parent().map(paths).unwrap_or_default();
    let beside = beside
        .into_iter()
        .filter(|path| path.to_string_lossy().starts_with(&*own));
    let is_unfinished = |path: &PathBuf| {
        let name = path.to_string_lossy();
        JOURNALS
            .iter()
            .chain([&""])
            .any(|journal| name.ends_with(&format!("{UNFINISHED}{journal}")))
    };
    let all = beside.chain(paths(&folder(database)));
    for path in all.filter(is_unfinished) {
        if let Err(error) = remove(&path) {
            tracing::warn!(%error, "an unfinished file stays");
        }
    }
}

/// Tells which of the times, the latest first, are kept: the latest ten, and the last of each of seven days.
fn kept(times: &[i64]) -> BTreeSet<i64> {
    let day = |at: i64| at.div_euclid(DAY);
    let today = times.first().copied().map(day).unwrap_or_default();
    let last_of_day = |(place, at): (usize, &i64)| {
        let is_last = place == 0
            || times
                .get(place - 1)
                .is_some_and(|later| day(*later) != day(*at));
        (is_last && today - day(*at) < DAYS).then_some(*at)
    };
    let latest = times.iter().take(LATEST).copied();
    let daily = times.iter().enumerate().filter_map(last_of_day);
    latest.chain(daily).collect()
}

fn folder(database: &Path) -> PathBuf {
    database.with_file_name(FOLDER)
}

#[cfg(test)]
mod tests;
