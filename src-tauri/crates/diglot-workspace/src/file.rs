//! Opens one regular file through a directory handle, without following a link or waiting for a pipe.

use std::io::{self, Read};

use cap_fs_ext::{FollowSymlinks, OpenOptionsFollowExt, OpenOptionsSyncExt};
use cap_std::fs::{Dir, File, Metadata, OpenOptions};

/// Says why a name gives no regular file.
#[derive(Debug)]
pub(crate) enum Refused {
    /// Nothing is there.
    Missing,
    /// A link.
    Link,
    /// A folder, pipe, socket or device.
    NotAFile,
    /// The system's own refusal.
    Io(io::Error),
}

impl From<io::Error> for Refused {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::NotFound {
            Self::Missing
        } else {
            Self::Io(error)
        }
    }
}

/// Opens a regular file for reading. It is looked at first, since opening a pipe or device has effects, and
/// again when it is open, since it may have been exchanged in between.
pub(crate) fn open_regular(dir: &Dir, name: &str) -> Result<(File, Metadata), Refused> {
    let before = dir.symlink_metadata(name)?;
    if before.is_symlink() {
        return Err(Refused::Link);
    }
    if !before.is_file() {
        return Err(Refused::NotAFile);
    }
    let mut options = OpenOptions::new();
    options.read(true).follow(FollowSymlinks::No).nonblock(true);
    let file = dir.open_with(name, &options)?;
    let metadata = file.metadata()?;
    if metadata.is_file() {
        Ok((file, metadata))
    } else {
        Err(Refused::NotAFile)
    }
}

/// Reads a file, at most `limit` bytes and one more, so that the caller sees that there is more.
pub(crate) fn read_up_to(file: File, metadata: &Metadata, limit: u64) -> io::Result<Vec<u8>> {
    let size = usize::try_from(metadata.len().min(limit)).unwrap_or_default();
    let mut bytes = Vec::with_capacity(size.saturating_add(1));
    file.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok(bytes)
}
