//! Replaces one file by its whole new content: a new file beside it, synced, renamed over it, folder synced. Sweeps
//! up what a crash left of that.

use std::io::{self, Write};

use cap_fs_ext::DirExt;
use cap_std::fs::{Dir, File, FileType, OpenOptions, Permissions};
use diglot_agent::{ProjectPath, SourceHash};

use super::TargetError;
use crate::file::{Refused, open_regular, read_up_to};
use crate::scope::MAX_DEPTH;

/// How the names of half-written files begin and end.
const PREFIX: &str = ".diglot-";
const SUFFIX: &str = ".tmp";

/// Holds what is at a target.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Existing {
    pub(super) hash: SourceHash,
    permissions: Permissions,
    /// User and group.
    #[cfg(unix)]
    owner: (u32, u32),
}

/// Removes half-written files. One of another process that is writing just now is lost too; that write then fails
/// and is tried again.
pub(super) fn sweep(dir: &Dir, depth: usize) {
    let Ok(entries) = dir.entries() else { return };
    for entry in entries.filter_map(Result::ok) {
        let (name, kind) = (entry.file_name(), entry.file_type());
        let is_folder = kind.as_ref().is_ok_and(FileType::is_dir);
        if is_folder && depth < MAX_DEPTH {
            if let Ok(inner) = dir.open_dir_nofollow(name) {
                sweep(&inner, depth + 1);
            }
        } else if kind.is_ok_and(|kind| kind.is_file())
            && name.to_str().is_some_and(is_temporary)
            && let Err(error) = entry.remove_file()
        {
            tracing::warn!(%error, "a half-written file stays");
        }
    }
}

/// Tells whether a name is one of a half-written file.
fn is_temporary(name: &str) -> bool {
    name.starts_with(PREFIX) && name.ends_with(SUFFIX)
}

/// Reads what is at a target.
pub(super) fn look(dir: &Dir, path: &ProjectPath) -> Result<Option<Existing>, TargetError> {
    let io = |source| TargetError::Io {
        path: path.clone(),
        source,
    };
    let (file, metadata) = match open_regular(dir, path.name()) {
        Ok(open) => open,
        Err(Refused::Missing) => return Ok(None),
        Err(Refused::Link) => return Err(TargetError::Link { path: path.clone() }),
        Err(Refused::NotAFile) => return Err(TargetError::NotAFile { path: path.clone() }),
        Err(Refused::Io(error)) => return Err(io(error)),
    };
    let bytes = read_up_to(file, &metadata, u64::MAX - 1).map_err(io)?;
    Ok(Some(Existing {
        hash: SourceHash::of(&bytes),
        permissions: metadata.permissions(),
        #[cfg(unix)]
        owner: {
            use cap_std::fs::MetadataExt;
            (metadata.uid(), metadata.gid())
        },
    }))
}

/// Puts new content in the place of `existing`, which is looked at once more just before.
pub(super) fn put(
    dir: &Dir,
    path: &ProjectPath,
    bytes: &[u8],
    existing: Option<&Existing>,
) -> Result<(), TargetError> {
    let io = |source| TargetError::Io {
        path: path.clone(),
        source,
    };
    if existing.is_some_and(|existing| existing.permissions.readonly()) {
        return Err(TargetError::ReadOnly { path: path.clone() });
    }
    let (name, file) = create_temporary(dir, existing.is_some()).map_err(io)?;
    let replaced = fill(file, bytes, existing)
        .map_err(io)
        .and_then(|()| still_there(dir, path, existing))
        .and_then(|()| dir.rename(&name, dir, path.name()).map_err(io));
    if let Err(error) = replaced {
        // Gone already when a sweep took it; another reason to stay is seen by the next one.
        dir.remove_file(&name).unwrap_or_default();
        return Err(error);
    }
    sync(dir).map_err(io)
}

/// Makes the names in a folder durable.
pub(super) fn sync(dir: &Dir) -> io::Result<()> {
    // Elsewhere the system has no such call; renames are durable with its journal.
    if cfg!(unix) {
        dir.open(".")?.sync_all()
    } else {
        Ok(())
    }
}

/// Makes a file to write to. One that will take after another is for this user alone until then.
fn create_temporary(dir: &Dir, is_private: bool) -> io::Result<(String, File)> {
    let process = std::process::id();
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    if is_private {
        use cap_std::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    #[cfg(not(unix))]
    let _ = is_private;
    let mut n = 0_u32;
    loop {
        let name = format!("{PREFIX}{process}-{n}{SUFFIX}");
        match dir.open_with(&name, &options) {
            Ok(file) => return Ok((name, file)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => n += 1,
            Err(error) => return Err(error),
        }
    }
}

fn fill(mut file: File, bytes: &[u8], existing: Option<&Existing>) -> io::Result<()> {
    file.write_all(bytes)?;
    if let Some(existing) = existing
        && let Err(error) = take_after(&file, existing)
    {
        // Some file systems have no modes. The file stays narrower than the one before, never wider.
        tracing::warn!(%error, "the mode of a target is not kept");
    }
    file.sync_all()
}

/// Gives a file the owner and the mode of the one that it replaces, as far as the system allows.
#[cfg(unix)]
fn take_after(file: &File, existing: &Existing) -> io::Result<()> {
    use cap_std::fs::{MetadataExt, PermissionsExt};
    use std::os::unix::fs::fchown;
    let (user, group) = existing.owner;
    // Only an administrator may give a file away; its group may be changed by a member of both.
    if let Err(error) = fchown(file, Some(user), Some(group))
        && fchown(file, None, Some(group)).is_err()
    {
        tracing::info!(%error, "a target changes its owner");
    }
    let mut permissions = existing.permissions.clone();
    if file.metadata()?.gid() != group {
        // What one group may do is not for another: that gets what everybody may.
        let mode = permissions.mode();
        permissions.set_mode(mode & !0o070 | (mode & 0o007) << 3);
    }
    file.set_permissions(permissions)
}

#[cfg(not(unix))]
fn take_after(file: &File, existing: &Existing) -> io::Result<()> {
    file.set_permissions(existing.permissions.clone())
}

fn still_there(
    dir: &Dir,
    path: &ProjectPath,
    expected: Option<&Existing>,
) -> Result<(), TargetError> {
    match (look(dir, path)?, expected) {
        (None, _) => Ok(()),
        (Some(found), Some(expected)) if found.hash == expected.hash => Ok(()),
        (Some(found), _) => Err(TargetError::EditedOutside {
            path: path.clone(),
            found: found.hash,
        }),
    }
}
