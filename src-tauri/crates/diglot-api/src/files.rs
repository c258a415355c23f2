//! Files that a person chose by a dialog or named on the command line: read whole within a bound, written whole. Must not
//! know what stands in them.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use crate::error::{ApiError, ErrorCode};

/// Reads a file of at most so many bytes.
///
/// # Errors
/// `FileUnreadable` when it is not there, no regular file, too large, or may not be read.
pub(crate) fn read(path: &str, most: u64) -> Result<Vec<u8>, ApiError> {
    let refuse = |text: String| ApiError::new(ErrorCode::FileUnreadable, text);
    let path = absolute(path).map_err(refuse)?;
    let io = |error: io::Error| refuse(format!("`{}`: {error}", path.display()));
    let file = File::open(&path).map_err(io)?;
    let metadata = file.metadata().map_err(io)?;
    if !metadata.is_file() {
        return Err(refuse(format!("`{}` is no file", path.display())));
    }
    let mut bytes = Vec::new();
    file.take(most + 1).read_to_end(&mut bytes).map_err(io)?;
    if bytes.len() as u64 > most {
        return Err(refuse(format!(
            "`{}` has more than {most} bytes",
            path.display()
        )));
    }
    Ok(bytes)
}

/// Writes a file whole: a new one beside it, synced, renamed over it.
///
/// # Errors
/// `FileNotWritable`, or `DiskFull`; what was there is there still.
pub(crate) fn write(path: &str, bytes: &[u8]) -> Result<PathBuf, ApiError> {
    let path = absolute(path).map_err(|text| ApiError::new(ErrorCode::FileNotWritable, text))?;
    let beside = temporary(&path);
    let written = put(&beside, bytes).and_then(|()| fs::rename(&beside, &path));
    written.map_err(|error| {
        if let Err(left) = fs::remove_file(&beside) {
            tracing::debug!(%left, "nothing is left to remove");
        }
        let code = if error.kind() == io::ErrorKind::StorageFull {
            ErrorCode::DiskFull
        } else {
            ErrorCode::FileNotWritable
        };
        ApiError::new(code, format!("`{}`: {error}", path.display()))
    })?;
    Ok(path)
}

fn absolute(path: &str) -> Result<PathBuf, String> {
    let path = Path::new(path.trim());
    if path.is_absolute() && path.file_name().is_some() {
        Ok(path.to_owned())
    } else {
        Err(format!(
            "`{}` is no absolute path of a file",
            path.display()
        ))
    }
}

fn temporary(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.diglot-{}", std::process::id()))
}

fn put(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_and_bounds_hold() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a guide.md").display().to_string();
        for text in ["first", "second\r\n"] {
            write(&path, text.as_bytes()).unwrap();
            assert_eq!(read(&path, 100).unwrap(), text.as_bytes());
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        let code = |error: ApiError| error.code;
        let folder = folder.path().display().to_string();
        for (path, most) in [
            (path.as_str(), 3),
            ("guide.md", 100),
            (&folder, 100),
            ("/no/such", 9),
        ] {
            assert_eq!(
                read(path, most).map_err(code),
                Err(ErrorCode::FileUnreadable)
            );
        }
        for path in ["/no/such/folder/a.md", "a.md", folder.as_str(), "/"] {
            assert_eq!(
                write(path, b"x").map_err(code),
                Err(ErrorCode::FileNotWritable),
                "{path}"
            );
        }
    }
}
