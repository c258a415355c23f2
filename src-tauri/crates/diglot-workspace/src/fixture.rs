//! Folders that the tests are run on.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use diglot_agent::ProjectPath;
use diglot_agent::workspace::{DirEntry, DirEntryKind};
use diglot_document::Untranslatable;
use tempfile::TempDir;

use crate::FolderWorkspace;

/// A folder `guide` inside a temporary one, so that there is an outside.
pub(crate) struct Folder {
    pub(crate) around: TempDir,
}

impl Folder {
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        let folder = Self {
            around: tempfile::tempdir().unwrap(),
        };
        fs::create_dir(folder.path()).unwrap();
        for (name, text) in files {
            folder.file(name, text);
        }
        folder
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.around.path().join("guide")
    }

    pub(crate) fn outside(&self) -> &Path {
        self.around.path()
    }

    pub(crate) fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    pub(crate) fn workspace(&self) -> FolderWorkspace {
        FolderWorkspace::open(&self.path()).unwrap()
    }
}

pub(crate) fn path(text: &str) -> ProjectPath {
    ProjectPath::from_listing(text).unwrap()
}

/// An entry in a few letters: `docs/`, `a.md`, or `x.bin: UnknownFormat`.
pub(crate) fn short(entry: &DirEntry) -> String {
    match &entry.kind {
        DirEntryKind::Folder => format!("{}/", entry.path),
        DirEntryKind::Document { .. } => entry.path.to_string(),
        DirEntryKind::Other { reason, .. } => format!("{}: {reason:?}", entry.path),
    }
}

pub(crate) fn is(entry: &DirEntry, expected: Untranslatable) -> bool {
    matches!(&entry.kind, DirEntryKind::Other { reason, .. } if *reason == expected)
}

/// Makes a named pipe; `false`, with a word about it, where the system has no command for that.
pub(crate) fn pipe(path: &Path) -> bool {
    let made = Command::new("mkfifo")
        .arg(path)
        .status()
        .is_ok_and(|status| status.success());
    if !made {
        println!("not tested here: there is no mkfifo");
    }
    made
}
