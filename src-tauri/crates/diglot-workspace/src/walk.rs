//! Goes through the project file by file, reading one folder at a time.

use std::io;
use std::vec::IntoIter;

use diglot_agent::ProjectPath;
use diglot_agent::workspace::{DirEntry, DirEntryKind};
use diglot_document::Untranslatable;

use crate::scope::{Named, Scope, in_order};

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
    files: Files,
}

/// Holds the files of a folder, which come after what its folders hold: until then they are only names.
#[derive(Debug)]
enum Files {
    Names(Vec<Named>),
    InOrder(IntoIter<Named>),
}

impl Files {
    fn next(&mut self) -> Option<Named> {
        if let Self::Names(names) = self {
            *self = Self::InOrder(in_order(std::mem::take(names)).into_iter());
        }
        match self {
            Self::Names(_) => None,
            Self::InOrder(files) => files.next(),
        }
    }
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
        let read = scope.and_then(|scope| Ok((scope.names()?, scope)));
        match read {
            Ok((names, scope)) => {
                self.n_left_out += names.left_out.len();
                if path.is_root() {
                    self.left_out_at_root = names.left_out;
                }
                self.levels.push(Level {
                    scope,
                    folders: names.folders.into_iter(),
                    files: Files::Names(names.files),
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
                return Some(level.scope.look(file));
            } else {
                self.levels.pop();
            }
        }
    }
}
