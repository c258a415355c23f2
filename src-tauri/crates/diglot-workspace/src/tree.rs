//! The project folder: lists, reads and hashes what is inside one root, and nothing else.

use std::collections::HashMap;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use cap_fs_ext::MetadataExt;
use cap_std::ambient_authority;
use cap_std::fs::{Dir, File, Metadata};
use diglot_agent::workspace::{DirEntry, DirEntryKind, Listing};
use diglot_agent::{ProjectPath, SourceHash, SourceText, Workspace, WorkspaceError};
use diglot_document::format::MAX_BYTES;
use diglot_document::{Format, Untranslatable};

use crate::file::{Refused, open_regular, read_up_to};
use crate::scope::Scope;
use crate::walk::Walk;

/// A file that changed this shortly before it was hashed may change again with no trace: clocks of file systems
/// tick in up to two seconds.
const SETTLED: Duration = Duration::from_secs(2);

/// Reports why a folder cannot be a project.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// Nothing is there.
    #[error("`{path}` does not exist")]
    NotFound {
        /// What was asked for.
        path: PathBuf,
    },
    /// It is a file.
    #[error("`{path}` is not a folder")]
    NotAFolder {
        /// What was asked for.
        path: PathBuf,
    },
    /// It is the root of the file system.
    #[error("`{path}` is a whole disk, not a project")]
    WholeDisk {
        /// What was asked for.
        path: PathBuf,
    },
    /// The system refused.
    #[error("`{path}` cannot be opened: {source}")]
    Unreadable {
        /// What was asked for.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
}

/// Holds one project folder. Paths are looked up below its handle, so a folder that is moved or exchanged while
/// it is open leads nowhere else.
#[derive(Debug)]
pub struct FolderWorkspace {
    dir: Arc<Dir>,
    path: PathBuf,
    hashes: Mutex<HashMap<ProjectPath, (Stamp, SourceHash)>>,
}

/// Tells one state of a file from another without reading it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Stamp {
    n_bytes: u64,
    modified: Option<SystemTime>,
    /// Set by the system alone on Unix, so it also shows a change that put the time of change back.
    changed: Option<(i64, i64)>,
    device: u64,
    inode: u64,
}

impl FolderWorkspace {
    /// Opens a folder that a person chose.
    ///
    /// # Errors
    /// When it is not there, no folder, a whole disk, or not readable.
    pub fn open(path: &Path) -> Result<Self, OpenError> {
        let report = |source: io::Error| {
            let path = path.to_owned();
            if source.kind() == io::ErrorKind::NotFound {
                OpenError::NotFound { path }
            } else if source.kind() == io::ErrorKind::NotADirectory && !path.is_dir() {
                OpenError::NotAFolder { path }
            } else {
                OpenError::Unreadable { path, source }
            }
        };
        let dir = Dir::open_ambient_dir(path, ambient_authority()).map_err(report)?;
        dir.entries().map_err(report)?;
        let whole = path.canonicalize().map_err(report)?;
        if whole.parent().is_none() {
            return Err(OpenError::WholeDisk {
                path: path.to_owned(),
            });
        }
        Ok(Self {
            dir: Arc::new(dir),
            path: whole,
            hashes: Mutex::default(),
        })
    }

    /// Returns the folder's absolute path, without links; for the person, never for a model.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Goes through all files that a listing of each folder would show, in the order of the listings, one folder at
    /// a time: the first come at once however many there are.
    pub fn walk(&self) -> Walk {
        Walk::new(self.root())
    }

    /// Reads the beginning of a document, so many bytes at most.
    ///
    /// # Errors
    /// As [`Workspace::read`].
    pub fn read_head(
        &self,
        asked: &ProjectPath,
        n_bytes: usize,
    ) -> Result<Vec<u8>, WorkspaceError> {
        let (_, file, _) = self.document(asked)?;
        let mut head = Vec::new();
        let read = file.take(n_bytes as u64).read_to_end(&mut head);
        read.map_err(|error| refuse(asked, &error))?;
        Ok(head)
    }

    pub(crate) fn root(&self) -> Scope {
        Scope::root(Arc::clone(&self.dir))
    }

    /// Goes to a folder, part by part.
    fn folder(&self, path: &ProjectPath, asked: &ProjectPath) -> Result<Scope, WorkspaceError> {
        let missing = || WorkspaceError::NotFound {
            path: asked.clone(),
        };
        let mut scope = self.root();
        for part in path.as_str().split('/').filter(|part| !part.is_empty()) {
            let name = on_disk(&scope, part, asked)?;
            let metadata = scope
                .dir()
                .symlink_metadata(&name)
                .map_err(|error| refuse(asked, &error))?;
            if !metadata.is_dir() || !scope.shows(&name, true) {
                return Err(missing());
            }
            scope = scope.enter(&name).map_err(|error| refuse(asked, &error))?;
        }
        Ok(scope)
    }

    /// Opens a document and tells its path on disk.
    fn document(
        &self,
        asked: &ProjectPath,
    ) -> Result<(ProjectPath, File, Metadata), WorkspaceError> {
        let missing = || WorkspaceError::NotFound {
            path: asked.clone(),
        };
        let bad = |reason| WorkspaceError::Untranslatable {
            path: asked.clone(),
            reason,
        };
        if asked.is_root() {
            return Err(bad(Untranslatable::NotAFile));
        }
        let (folder, name) = asked
            .as_str()
            .rsplit_once('/')
            .unwrap_or(("", asked.as_str()));
        let folder = ProjectPath::from_listing(folder).map_err(|_| missing())?;
        let scope = self.folder(&folder, asked)?;
        let name = on_disk(&scope, name, asked)?;
        if !scope.shows(&name, false) {
            return Err(missing());
        }
        let (file, metadata) =
            open_regular(scope.dir(), &name).map_err(|refused| match refused {
                Refused::Missing => missing(),
                Refused::Link | Refused::NotAFile => bad(Untranslatable::NotAFile),
                Refused::Io(error) => refuse(asked, &error),
            })?;
        Format::from_path(&name).map_err(bad)?;
        if metadata.len() > MAX_BYTES {
            return Err(bad(Untranslatable::TooLarge));
        }
        let path = scope.path().join(&name).map_err(|_| missing())?;
        Ok((path, file, metadata))
    }

    fn read_whole(
        &self,
        asked: &ProjectPath,
        path: ProjectPath,
        file: File,
        metadata: &Metadata,
    ) -> Result<SourceText, WorkspaceError> {
        let stamp = Stamp::of(metadata);
        let bytes = read_up_to(file, metadata, MAX_BYTES).map_err(|error| refuse(asked, &error))?;
        if bytes.len() as u64 > MAX_BYTES {
            let reason = Untranslatable::TooLarge;
            return Err(WorkspaceError::Untranslatable {
                path: asked.clone(),
                reason,
            });
        }
        let whole = bytes.len() as u64 == stamp.n_bytes;
        let source = SourceText::new(bytes);
        let mut hashes = self.hashes.lock().unwrap_or_else(PoisonError::into_inner);
        if whole && stamp.is_settled() {
            hashes.insert(path, (stamp, source.hash.clone()));
        } else {
            hashes.remove(&path);
        }
        Ok(source)
    }
}

impl Workspace for FolderWorkspace {
    fn list(&self, folder: &ProjectPath) -> Result<Listing, WorkspaceError> {
        let scope = self.folder(folder, folder)?;
        let found = scope.entries().map_err(|error| refuse(folder, &error))?;
        let folders = found.folders.iter().filter_map(|name| {
            Some(DirEntry {
                path: scope.path().join(name).ok()?,
                kind: DirEntryKind::Folder,
            })
        });
        let entries = folders.chain(found.files).collect();
        Ok(Listing {
            entries,
            left_out: found.left_out,
        })
    }

    fn read(&self, path: &ProjectPath) -> Result<SourceText, WorkspaceError> {
        let (on_disk, file, metadata) = self.document(path)?;
        self.read_whole(path, on_disk, file, &metadata)
    }

    fn hash(&self, path: &ProjectPath) -> Result<SourceHash, WorkspaceError> {
        let (on_disk, file, metadata) = self.document(path)?;
        let known = {
            let hashes = self.hashes.lock().unwrap_or_else(PoisonError::into_inner);
            hashes.get(&on_disk).cloned()
        };
        match known {
            Some((stamp, hash)) if stamp == Stamp::of(&metadata) => Ok(hash),
            _ => Ok(self.read_whole(path, on_disk, file, &metadata)?.hash),
        }
    }
}

impl Stamp {
    fn of(metadata: &Metadata) -> Self {
        #[cfg(unix)]
        let changed = {
            use cap_std::fs::MetadataExt;
            Some((metadata.ctime(), metadata.ctime_nsec()))
        };
        #[cfg(not(unix))]
        let changed = None;
        Self {
            n_bytes: metadata.len(),
            modified: metadata
                .modified()
                .ok()
                .map(cap_std::time::SystemTime::into_std),
            changed,
            device: metadata.dev(),
            inode: metadata.ino(),
        }
    }

    fn is_settled(&self) -> bool {
        let age = self.modified.and_then(|modified| modified.elapsed().ok());
        age.is_some_and(|age| age >= SETTLED)
    }
}

fn on_disk(scope: &Scope, name: &str, asked: &ProjectPath) -> Result<String, WorkspaceError> {
    scope
        .name_on_disk(name)
        .map_err(|error| refuse(asked, &error))?
        .ok_or_else(|| WorkspaceError::NotFound {
            path: asked.clone(),
        })
}

fn refuse(path: &ProjectPath, error: &io::Error) -> WorkspaceError {
    let path = path.clone();
    if error.kind() == io::ErrorKind::NotFound {
        WorkspaceError::NotFound { path }
    } else {
        WorkspaceError::Unreadable {
            path,
            detail: error.to_string(),
        }
    }
}

#[cfg(test)]
mod tests;
