//! Folders that the program is given or brings along. Must not know what is in them.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::{fs, io};

use tauri::path::BaseDirectory;
use tauri::{AppHandle, Manager, Runtime};

/// Returns the first folder that a command line names, absolute; options are passed over.
pub(crate) fn folder_argument(
    args: impl IntoIterator<Item = OsString>,
    directory: &Path,
) -> Option<String> {
    args.into_iter()
        .find(|arg| !arg.is_empty() && !arg.as_encoded_bytes().starts_with(b"-"))
        .map(|arg| directory.join(arg).display().to_string())
}

/// Returns the sample folder: a copy beside the database, since installed files cannot be translated in place.
pub(crate) fn sample<R: Runtime>(app: &AppHandle<R>, data_folder: &Path) -> Option<PathBuf> {
    let copy = data_folder.join("sample").join("guide");
    if copy.is_dir() {
        return Some(copy);
    }
    let original = app
        .path()
        .resolve("sample/guide", BaseDirectory::Resource)
        .ok()?;
    match copy_folder(&original, &copy) {
        Ok(()) => Some(copy),
        Err(error) => {
            tracing::warn!("the sample folder cannot be had: {error}");
            None
        }
    }
}

fn copy_folder(from: &Path, to: &Path) -> io::Result<()> {
    let entries = fs::read_dir(from)?;
    // Private, since the first call also makes the folder in which the database will be.
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(to)?;
    for entry in entries {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_folder(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), &target)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(args: &[&str], expected: Option<&str>) {
        let args = args.iter().map(OsString::from);
        assert_eq!(
            folder_argument(args, Path::new("/home/ada")).as_deref(),
            expected
        );
    }

    #[cfg(unix)]
    #[test]
    fn the_first_argument_that_is_no_option_is_the_folder() {
        check(&[], None);
        check(&["--verbose", ""], None);
        check(&["guide"], Some("/home/ada/guide"));
        check(
            &["--", "/srv/ein Ordner", "/srv/other"],
            Some("/srv/ein Ordner"),
        );
    }

    #[test]
    fn a_copy_holds_every_file() {
        let from = tempfile::tempdir().unwrap();
        fs::create_dir(from.path().join("deep")).unwrap();
        fs::write(from.path().join("deep/a.md"), "# A\n").unwrap();
        let to = tempfile::tempdir().unwrap();
        copy_folder(from.path(), &to.path().join("guide")).unwrap();
        let copied = fs::read_to_string(to.path().join("guide/deep/a.md")).unwrap();
        assert_eq!(copied, "# A\n");
    }
}
