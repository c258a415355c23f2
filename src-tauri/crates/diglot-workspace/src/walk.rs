//! Goes through the project file by file, reading one folder at a time.

use std::io;
use std::vec::IntoIter;

use diglot_agent::ProjectPath;
use diglot_agent::workspace::{DirEntry, DirEntryKind};
use diglot_document::Untranslatable;

use crate::scope::Scope;

/// Gives every file that is shown: of each folder first what its folders hold, then its own files, as listed. A
/// folder that cannot be read is given as one entry. Dropping it stops the walk; it holds one handle for each folder
/// between the root and where it is, 64 at most, and the names of those folders.
#[derive(Debug)]
pub struct Walk {
    levels: Vec<Level>,
    ready: Option<DirEntry>,
    n_left_out: usize,
    left_out_at_root: Vec<String>,
}

#[derive(Debug)]
struct Level {
    scope: Scope,
    folders: IntoIter<String>,
    files: IntoIter<DirEntry>,
}

impl Walk {
    pub(crate) fn new(root: Scope) -> Self {
        let mut walk = Self {
            levels: Vec::new(),
            ready: None,
            n_left_out: 0,
            left_out_at_root: Vec::new(),
        };
        let path = root.path().clone();
        walk.enter(path, Ok(root));
        walk
    }

    /// Returns how many names were left out so far: hidden, ignored, and folders that programs made.
    pub fn n_left_out(&self) -> usize {
        self.n_left_out
    }

    /// Returns the names that the project folder itself leaves out, in order.
    pub fn left_out_at_root(&self) -> &[String] {
        &self.left_out_at_root
    }

    fn enter(&mut self, path: ProjectPath, scope: io::Result<Scope>) {
        let read = scope.and_then(|scope| Ok((scope.entries()?, scope)));
        match read {
            Ok((entries, scope)) => {
                self.n_left_out += entries.left_out.len();
                if path.is_root() {
                    self.left_out_at_root = entries.left_out;
                }
                self.levels.push(Level {
                    scope,
                    folders: entries.folders.into_iter(),
                    files: entries.files.into_iter(),
                });
            }
            Err(error) => {
                tracing::warn!(%error, "a folder cannot be read");
                let kind = DirEntryKind::Other {
                    reason: Untranslatable::Unreadable,
                    n_bytes: 0,
                };
                self.ready = Some(DirEntry { path, kind });
            }
        }
    }
}

impl Iterator for Walk {
    type Item = DirEntry;

    fn next(&mut self) -> Option<DirEntry> {
        loop {
            if let Some(entry) = self.ready.take() {
                return Some(entry);
            }
            let level = self.levels.last_mut()?;
            if let Some(name) = level.folders.next() {
                let scope = level.scope.enter(&name);
                if let Ok(path) = level.scope.path().join(&name) {
                    self.enter(path, scope);
                }
            } else if let Some(file) = level.files.next() {
                return Some(file);
            } else {
                self.levels.pop();
            }
        }
    }
}
