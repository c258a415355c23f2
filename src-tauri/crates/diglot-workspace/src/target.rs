//! The target folder: where targets go, and that nobody's work is overwritten there.

use std::io;
use std::path::{Path, PathBuf};

use cap_fs_ext::{DirExt, MetadataExt};
use cap_std::ambient_authority;
use cap_std::fs::Dir;
use diglot_agent::{ProjectPath, SourceHash};

mod error;
mod paths;
mod replace;

pub use error::TargetError;
pub use paths::{clashes, free_target_path, target_path};

use paths::free_name;
use replace::{Existing, look, put, sweep, sync};

/// Tells what writing a target did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Written {
    /// There was no file.
    Created,
    /// The file has new content.
    Replaced,
    /// The file had this content already and was not touched.
    Unchanged,
}

/// Writes the targets of one session. The folder is made with the first of them. Sources are safe from it twice
/// over: it never lies inside or around the project, and it replaces names, never the content of a file.
#[derive(Debug)]
pub struct TargetFolder {
    parent: Dir,
    name: PathBuf,
    path: PathBuf,
}

impl TargetFolder {
    /// Prepares to write to `path`, whose parent exists, and removes what a crash left half-written there.
    ///
    /// # Errors
    /// When it lies inside or around the project, is a link or a file, or cannot be reached.
    pub fn open(path: &Path, project: &Path) -> Result<Self, TargetError> {
        let unusable = |source| TargetError::Unusable {
            path: path.to_owned(),
            source,
        };
        let nameless = || unusable(io::Error::from(io::ErrorKind::InvalidInput));
        let name = path.file_name().ok_or_else(nameless)?;
        let parent = path.parent().ok_or_else(nameless)?;
        if overlaps(path, project) {
            return Err(TargetError::Overlaps {
                path: path.to_owned(),
            });
        }
        let parent = Dir::open_ambient_dir(parent, ambient_authority()).map_err(unusable)?;
        let folder = Self {
            parent,
            name: name.into(),
            path: path.to_owned(),
        };
        match folder.parent.open_dir_nofollow(&folder.name) {
            Ok(root) => sweep(&root, 0),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(source) => return Err(unusable(source)),
        }
        Ok(folder)
    }

    /// Returns the folder's path as it was given.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes a target whole: afterwards it is there with this content, also after a power cut, or what was there
    /// before still is. `last` is the hash of what this session last wrote there.
    ///
    /// # Errors
    /// When somebody else's content is there, when it is a link, or when the system refuses.
    pub fn write(
        &self,
        path: &ProjectPath,
        bytes: &[u8],
        last: Option<&SourceHash>,
    ) -> Result<Written, TargetError> {
        let dir = self.make_folder_of(path)?;
        let existing = look(&dir, path)?;
        if existing
            .as_ref()
            .is_some_and(|existing| existing.hash == SourceHash::of(bytes))
        {
            return Ok(Written::Unchanged);
        }
        is_ours(path, existing.as_ref(), last)?;
        put(&dir, path, bytes, existing.as_ref())?;
        Ok(if existing.is_some() {
            Written::Replaced
        } else {
            Written::Created
        })
    }

    /// Returns the hash of what is at a target now, `None` where nothing is.
    ///
    /// # Errors
    /// When it is a link or no file, or cannot be read.
    pub fn hash(&self, path: &ProjectPath) -> Result<Option<SourceHash>, TargetError> {
        match self.folder_of(path)? {
            Some(dir) => Ok(look(&dir, path)?.map(|existing| existing.hash)),
            None => Ok(None),
        }
    }

    /// Gives what somebody else put there, also a link or a folder, a free name: `guide.before-diglot.md`. Returns that.
    ///
    /// # Errors
    /// When nothing is there, or the system refuses.
    pub fn keep_aside(&self, path: &ProjectPath) -> Result<ProjectPath, TargetError> {
        let io = |source| TargetError::Io {
            path: path.clone(),
            source,
        };
        let missing = || io(io::Error::from(io::ErrorKind::NotFound));
        let dir = self.folder_of(path)?.ok_or_else(missing)?;
        dir.symlink_metadata(path.name()).map_err(io)?;
        let kept = free_name(Some(&dir), path, "before-diglot");
        dir.rename(path.name(), &dir, kept.name()).map_err(io)?;
        sync(&dir).map_err(io)?;
        Ok(kept)
    }

    /// Returns a free name beside a target, `guide.diglot.md`, for when what is there must stay in its place.
    ///
    /// # Errors
    /// When a folder on the way is a link or cannot be read.
    pub fn beside(&self, path: &ProjectPath) -> Result<ProjectPath, TargetError> {
        Ok(free_name(self.folder_of(path)?.as_ref(), path, "diglot"))
    }

    /// Tells whether names that differ in case alone are one file here; `false` where the folder is not there yet.
    pub fn ignores_case(&self) -> bool {
        let name = self.name.to_string_lossy();
        let swapped: String = name
            .chars()
            .map(|c| {
                if c.is_uppercase() {
                    c.to_ascii_lowercase()
                } else {
                    c.to_ascii_uppercase()
                }
            })
            .collect();
        let id = |name: &str| {
            self.parent
                .symlink_metadata(name)
                .ok()
                .map(|found| (found.dev(), found.ino()))
        };
        swapped != name && id(&name).is_some() && id(&name) == id(&swapped)
    }

    /// Opens the folder that a target lies in; `None` where it is not there yet.
    fn folder_of(&self, path: &ProjectPath) -> Result<Option<Dir>, TargetError> {
        self.go_to(path, |_, _| Ok(false))
    }

    /// Opens the folder that a target lies in, and makes what is missing on the way.
    fn make_folder_of(&self, path: &ProjectPath) -> Result<Dir, TargetError> {
        let made = self.go_to(path, |dir, name| {
            dir.create_dir(name)?;
            sync(dir)?;
            Ok(true)
        })?;
        made.ok_or_else(|| TargetError::NotAFile { path: path.clone() })
    }

    /// Goes to a target's folder without following a link. `make` is asked to make a folder that is missing.
    fn go_to(
        &self,
        path: &ProjectPath,
        make: impl Fn(&Dir, &Path) -> io::Result<bool>,
    ) -> Result<Option<Dir>, TargetError> {
        let io = |source| TargetError::Io {
            path: path.clone(),
            source,
        };
        let folder = path
            .as_str()
            .rsplit_once('/')
            .map_or("", |(folder, _)| folder);
        let parts = folder
            .split('/')
            .filter(|part| !part.is_empty())
            .map(Path::new);
        let mut dir = self.parent.try_clone().map_err(io)?;
        for name in std::iter::once(self.name.as_path()).chain(parts) {
            dir = match dir.open_dir_nofollow(name) {
                Ok(next) => next,
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    if !make(&dir, name).map_err(io)? {
                        return Ok(None);
                    }
                    dir.open_dir_nofollow(name).map_err(io)?
                }
                Err(error) => return Err(obstacle(&dir, name, path, error)),
            };
        }
        Ok(Some(dir))
    }
}

/// Says what stands where a folder should be.
fn obstacle(dir: &Dir, name: &Path, path: &ProjectPath, error: io::Error) -> TargetError {
    match dir.symlink_metadata(name) {
        Ok(found) if found.is_symlink() => TargetError::Link { path: path.clone() },
        Ok(found) if !found.is_dir() => TargetError::NotAFile { path: path.clone() },
        _ => TargetError::Io {
            path: path.clone(),
            source: error,
        },
    }
}

/// Refuses content that this session did not write.
fn is_ours(
    path: &ProjectPath,
    existing: Option<&Existing>,
    last: Option<&SourceHash>,
) -> Result<(), TargetError> {
    let Some(existing) = existing else {
        return Ok(());
    };
    let found = existing.hash.clone();
    match last {
        Some(last) if *last == found => Ok(()),
        Some(_) => Err(TargetError::EditedOutside {
            path: path.clone(),
            found,
        }),
        None => Err(TargetError::Foreign {
            path: path.clone(),
            found,
        }),
    }
}

/// Tells whether one folder is the other or lies in it, by what they are and not by how they are called.
fn overlaps(target: &Path, project: &Path) -> bool {
    let id = |path: &Path| {
        let metadata = Dir::open_ambient_dir(path, ambient_authority())
            .ok()?
            .dir_metadata()
            .ok()?;
        Some((metadata.dev(), metadata.ino()))
    };
    let holds = |outer: &Path, inner: &Path| {
        let whole = inner.canonicalize().ok();
        let lies_in = |inner: &Path| {
            id(outer).is_some_and(|outer| inner.ancestors().any(|path| id(path) == Some(outer)))
        };
        lies_in(inner) || whole.is_some_and(|whole| lies_in(&whole))
    };
    let parent = target.parent().unwrap_or(target);
    holds(project, target) || holds(project, parent) || holds(target, project)
}

#[cfg(test)]
mod tests;
