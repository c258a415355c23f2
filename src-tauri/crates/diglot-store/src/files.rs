//! The files of a database as a whole: private, named beside it, on disk before they count, moved together. Knows no
//! table.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use rusqlite::Connection;

use crate::error::StoreError;

/// Ends the name of a file that is being made; a crash may leave one.
pub(crate) const UNFINISHED: &str = ".new";
/// What SQLite keeps beside a database.
pub(crate) const JOURNALS: [&str; 3] = ["-wal", "-shm", "-journal"];

/// Returns the path with more at the end of its name.
pub(crate) fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    name.into()
}

/// Returns the first of `<file>.<word>`, `<file>.<word>-2`, `-3`, … that does not exist.
pub(crate) fn free_name(path: &Path, word: &str) -> PathBuf {
    let mut n = 1;
    loop {
        let number = if n == 1 {
            String::new()
        } else {
            format!("-{n}")
        };
        let name = beside(path, &format!(".{word}{number}"));
        if fs::symlink_metadata(&name).is_err() {
            return name;
        }
        n += 1;
    }
}

/// Returns the size of a file; none has 0.
pub(crate) fn size(path: &Path) -> u64 {
    fs::metadata(path).map_or(0, |file| file.len())
}

/// Creates the folder for this user alone, with those above it, and puts their names on disk; one that is there keeps
/// its mode.
pub(crate) fn create_private_folder(folder: &Path) -> Result<(), StoreError> {
    if folder.as_os_str().is_empty() {
        return Ok(());
    }
    if folder.is_dir() {
        // An earlier start may have made it and failed to say so.
        return sync_name(folder);
    }
    if let Some(parent) = folder.parent() {
        create_private_folder(parent)?;
    }
    let mut builder = fs::DirBuilder::new();
    // Another start may be making it just now.
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder).map_err(at(folder))?;
    sync_name(folder)
}

/// Puts the name of a folder on disk, where the user may look into the folder above it.
fn sync_name(folder: &Path) -> Result<(), StoreError> {
    match sync_folder(folder) {
        Err(StoreError::Io { source, .. }) if source.kind() == io::ErrorKind::PermissionDenied => {
            Ok(())
        }
        synced => synced,
    }
}

/// Creates the file before SQLite does, so that it and the journals, which copy its mode, are private.
pub(crate) fn create_private_file(path: &Path) -> Result<(), StoreError> {
    let mut options = File::options();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map_err(at(path))?;
    keep_private(path)
}

/// Takes everybody else's rights to a file of ours away.
fn keep_private(path: &Path) -> Result<(), StoreError> {
    #[cfg(unix)]
    {
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o600);
        fs::set_permissions(path, mode).map_err(at(path))?;
    }
    #[cfg(not(unix))]
    let _ = path;
    Ok(())
}

/// Makes a file under another name first, so that the name never stands for half of it.
pub(crate) fn make_whole(
    path: &Path,
    fill: impl FnOnce(&Path) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let unfinished = beside(path, UNFINISHED);
    clear(&unfinished)?;
    create_private_file(&unfinished)?;
    let made = fill(&unfinished)
        .and_then(|()| sync(&unfinished))
        .and_then(|()| fs::rename(&unfinished, path).map_err(at(path)));
    if let Err(error) = made {
        // Why it was not made is what counts; what stays is swept up later.
        drop(clear(&unfinished));
        return Err(error);
    }
    sync_folder(path)
}

/// Removes a database that is not wanted, with what SQLite keeps beside it.
fn clear(path: &Path) -> Result<(), StoreError> {
    let mut all = JOURNALS.into_iter().chain([""]);
    all.try_for_each(|suffix| remove(&beside(path, suffix)))
}

/// Removes a file of ours; one that is not there is as good.
pub(crate) fn remove(path: &Path) -> Result<(), StoreError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(at(path)(error)),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Moves a database and its journals out of the way, together and under a free name.
pub(crate) fn set_aside(path: &Path, word: &str) -> Result<PathBuf, StoreError> {
    let kept = free_name(path, word);
    // The database last: while it is in its place, the move is done again after a crash.
    for suffix in JOURNALS.into_iter().chain([""]) {
        let from = beside(path, suffix);
        match fs::rename(&from, beside(&kept, suffix)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(at(&from)(error)),
            Ok(()) | Err(_) => {}
        }
    }
    sync_folder(path)?;
    Ok(kept)
}

/// Returns when a database last changed on disk, in Unix milliseconds.
pub(crate) fn changed_at(path: &Path) -> Option<i64> {
    [path.to_owned(), beside(path, "-wal")]
        .iter()
        .filter_map(|path| fs::metadata(path).ok()?.modified().ok())
        .filter_map(|time| time.duration_since(UNIX_EPOCH).ok())
        .filter_map(|since| i64::try_from(since.as_millis()).ok())
        .max()
}

/// Writes a time, in Unix milliseconds, as part of a file's name: names sort as their times do.
pub(crate) fn stamp(time: i64) -> Result<String, StoreError> {
    let sql = "SELECT strftime('%Y-%m-%dT%H-%M-%fZ', ?1 / 1000.0, 'unixepoch')";
    Ok(Connection::open_in_memory()?.query_row(sql, [time], |row| row.get(0))?)
}

/// Reads a time that [`stamp`] wrote.
pub(crate) fn read_stamp(text: &str) -> Option<i64> {
    let (day, time) = text.strip_suffix('Z')?.split_once('T')?;
    let text = format!("{day} {}", time.replace('-', ":"));
    let sql = "SELECT CAST(round(unixepoch(?1, 'subsec') * 1000) AS INTEGER)";
    let connection = Connection::open_in_memory().ok()?;
    connection.query_row(sql, [text], |row| row.get(0)).ok()
}

fn sync(path: &Path) -> Result<(), StoreError> {
    let file = File::options().read(true).write(true).open(path);
    file.and_then(|file| file.sync_all()).map_err(at(path))
}

/// Puts the names in a file's folder on disk. Windows has no such thing, and needs none.
pub(crate) fn sync_folder(path: &Path) -> Result<(), StoreError> {
    #[cfg(unix)]
    if let Some(folder) = path.parent().filter(|path| !path.as_os_str().is_empty()) {
        let opened = File::open(folder);
        opened
            .and_then(|folder| folder.sync_all())
            .map_err(at(folder))?;
    }
    #[cfg(not(unix))]
    let _ = path;
    Ok(())
}

/// Tells which path the file system refused.
pub(crate) fn at(path: &Path) -> impl Fn(io::Error) -> StoreError + '_ {
    |source| StoreError::Io {
        path: path.to_owned(),
        source,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_as_they_were_written_and_sort() {
        let times = [
            0,
            1,
            999,
            1_796_065_375_123,
            1_796_065_375_124,
            1_801_000_000_007,
        ];
        let names = times.map(|time| stamp(time).unwrap());
        assert_eq!(names[3], "2026-11-30T19-02-55.123Z");
        assert!(names.is_sorted(), "{names:?}");
        assert_eq!(names.map(|name| read_stamp(&name)), times.map(Some));
        for other in ["", "Z", "T", "2026-11-30", "xT19-02-55.123Z"] {
            assert_eq!(read_stamp(other), None, "{other}");
        }
    }

    #[test]
    fn a_file_that_cannot_be_filled_is_not_there() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.db");
        let fails = |_: &Path| Err(StoreError::ReadOnly);
        make_whole(&path, fails).unwrap_err();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
