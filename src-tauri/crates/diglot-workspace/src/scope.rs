//! One folder of the project with the ignore rules that hold in it. The only place that decides what is visible.

use std::io;
use std::path::Path;
use std::sync::Arc;

use cap_fs_ext::DirExt;
use cap_std::fs::Dir;
use diglot_agent::ProjectPath;
use diglot_agent::workspace::{DirEntry, DirEntryKind};
use diglot_document::format::{HEAD_BYTES, MAX_BYTES};
use diglot_document::{Format, Untranslatable};
use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::file::{open_regular, read_up_to};
use crate::names::{composed, is_left_out, natural_order};

/// Folders inside each other at most; deeper ones are listed and not entered.
pub(crate) const MAX_DEPTH: usize = 64;
/// Longest ignore file that is read.
const MAX_RULES: u64 = 1024 * 1024;

/// Holds a folder that was reached from the root without following a link.
#[derive(Debug, Clone)]
pub(crate) struct Scope {
    dir: Arc<Dir>,
    path: ProjectPath,
    depth: usize,
    rules: Option<Arc<Rules>>,
}

/// Holds the rules of one ignore file and of those above it, which it overrules.
#[derive(Debug)]
struct Rules {
    own: Gitignore,
    above: Option<Arc<Rules>>,
}

/// Holds the names that a folder has, before any of its files was looked at: in a large folder that takes longest.
#[derive(Debug, Default)]
pub(crate) struct Names {
    /// Folders that can be entered, in order.
    pub(crate) folders: Vec<String>,
    /// Everything else that is shown, in no order.
    pub(crate) files: Vec<Named>,
    /// Names that are not shown, in order.
    pub(crate) left_out: Vec<String>,
}

/// Holds one name of a folder.
#[derive(Debug)]
pub(crate) struct Named {
    path: ProjectPath,
    /// Whether it can be shown but not asked for: it is no text, or holds control characters.
    is_odd: bool,
}

/// Holds what a folder has.
#[derive(Debug, Default)]
pub(crate) struct Entries {
    /// Folders that can be entered, in order.
    pub(crate) folders: Vec<String>,
    /// Everything else that is shown, in order.
    pub(crate) files: Vec<DirEntry>,
    /// Names that are not shown, in order.
    pub(crate) left_out: Vec<String>,
}

impl Scope {
    /// Starts at the project folder.
    pub(crate) fn root(dir: Arc<Dir>) -> Self {
        let mut scope = Self {
            dir,
            path: ProjectPath::root(),
            depth: 0,
            rules: None,
        };
        scope.read_rules();
        scope
    }

    pub(crate) fn dir(&self) -> &Dir {
        &self.dir
    }

    pub(crate) fn path(&self) -> &ProjectPath {
        &self.path
    }

    /// Goes into a folder by its name on disk.
    pub(crate) fn enter(&self, name: &str) -> io::Result<Self> {
        let path = self.path.join(name).map_err(io::Error::other)?;
        if self.depth == MAX_DEPTH {
            return Err(io::Error::other("folders are nested too deeply"));
        }
        let dir = Arc::new(self.dir.open_dir_nofollow(name)?);
        let mut scope = Self {
            dir,
            path,
            depth: self.depth + 1,
            rules: self.rules.clone(),
        };
        scope.read_rules();
        Ok(scope)
    }

    /// Tells whether an entry is shown.
    pub(crate) fn shows(&self, name: &str, is_folder: bool) -> bool {
        if is_left_out(name, is_folder) {
            return false;
        }
        let path = format!("{}/{name}", rules_root(&self.path));
        let mut rules = self.rules.as_deref();
        while let Some(here) = rules {
            match here.own.matched(&path, is_folder) {
                Match::Ignore(_) => return false,
                Match::Whitelist(_) => return true,
                Match::None => rules = here.above.as_deref(),
            }
        }
        true
    }

    /// Finds the name on disk for one that was asked for: the same, or the only one that differs from it by the
    /// form of its accents alone.
    pub(crate) fn name_on_disk(&self, asked: &str) -> io::Result<Option<String>> {
        match self.dir.symlink_metadata(asked) {
            Ok(_) => return Ok(Some(asked.to_owned())),
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            Err(_) => {}
        }
        let wanted = composed(asked);
        let mut twins = self
            .dir
            .entries()?
            .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
            .filter(|name| composed(name) == wanted);
        let twin = twins.next();
        Ok(if twins.next().is_none() { twin } else { None })
    }

    /// Lists the folder. An entry that cannot be looked at is shown as such, the rest stands.
    pub(crate) fn entries(&self) -> io::Result<Entries> {
        let Names {
            folders,
            files,
            left_out,
        } = self.names()?;
        let files = in_order(files);
        Ok(Entries {
            folders,
            files: files.into_iter().map(|named| self.look(named)).collect(),
            left_out,
        })
    }

    /// Reads the names of the folder.
    pub(crate) fn names(&self) -> io::Result<Names> {
        let mut names = Names::default();
        for entry in self.dir.entries()? {
            match entry {
                Ok(entry) => self.sort_in(&entry, &mut names),
                Err(error) => tracing::warn!(%error, "an entry without a name is left out"),
            }
        }
        names.folders.sort_by(|a, b| natural_order(a, b));
        names.left_out.sort_by(|a, b| natural_order(a, b));
        Ok(names)
    }

    fn sort_in(&self, entry: &cap_std::fs::DirEntry, names: &mut Names) {
        let raw = entry.file_name();
        let name = raw.to_string_lossy();
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if !self.shows(&name, is_folder) {
            names.left_out.push(name.into_owned());
            return;
        }
        let (path, is_odd) = match (raw.to_str(), self.path.join(&name)) {
            (Some(name), Ok(_)) if is_folder => return names.folders.push(name.to_owned()),
            (Some(_), Ok(path)) => (path, false),
            (None, Ok(path)) => (path, true),
            (_, Err(_)) => match self.path.join(&name.replace(char::is_control, "\u{fffd}")) {
                Ok(path) => (path, true),
                Err(_) => return names.left_out.push(name.into_owned()),
            },
        };
        names.files.push(Named { path, is_odd });
    }

    /// Looks at what a name stands for.
    pub(crate) fn look(&self, named: Named) -> DirEntry {
        let Named { path, is_odd } = named;
        let kind = if is_odd {
            DirEntryKind::Other {
                reason: Untranslatable::Unreadable,
                n_bytes: 0,
            }
        } else {
            kind_of(&self.dir, path.name())
        };
        DirEntry { path, kind }
    }

    /// Adds the folder's own ignore file. One that cannot be read hides nothing.
    fn read_rules(&mut self) {
        let Ok((file, metadata)) = open_regular(&self.dir, ".gitignore") else {
            return;
        };
        let Ok(bytes) = read_up_to(file, &metadata, MAX_RULES) else {
            return;
        };
        let mut builder = GitignoreBuilder::new(rules_folder(&self.path));
        for line in String::from_utf8_lossy(&bytes).lines() {
            // A line that is no pattern is skipped, as git does.
            drop(builder.add_line(None, line));
        }
        if let Ok(own) = builder.build() {
            self.rules = Some(Arc::new(Rules {
                own,
                above: self.rules.take(),
            }));
        }
    }
}

/// The ignore crate matches paths below a folder; the project stands for the root of its own small world.
fn rules_root(path: &ProjectPath) -> String {
    if path.is_root() {
        String::new()
    } else {
        format!("/{}", path.as_str())
    }
}

fn rules_folder(path: &ProjectPath) -> std::path::PathBuf {
    Path::new("/").join(path.as_str())
}

/// Recognises a file by its name, and by its beginning where several formats use the ending.
fn recognise(dir: &Dir, name: &str) -> Result<Format, Untranslatable> {
    if !Format::needs_content(name) {
        return Format::from_path(name);
    }
    let (file, metadata) = open_regular(dir, name).map_err(|_| Untranslatable::Unreadable)?;
    let head = read_up_to(file, &metadata, HEAD_BYTES as u64);
    let head = head.map_err(|_| Untranslatable::Unreadable)?;
    Format::detect(name, &head)
}

/// Puts names into the order in which they are shown.
pub(crate) fn in_order(mut files: Vec<Named>) -> Vec<Named> {
    files.sort_by(|a, b| natural_order(a.path.name(), b.path.name()));
    files
}

fn kind_of(dir: &Dir, name: &str) -> DirEntryKind {
    let other = |reason, n_bytes| DirEntryKind::Other { reason, n_bytes };
    let Ok(metadata) = dir.symlink_metadata(name) else {
        return other(Untranslatable::Unreadable, 0);
    };
    let n_bytes = metadata.len();
    if !metadata.is_file() {
        return other(Untranslatable::NotAFile, 0);
    }
    match recognise(dir, name) {
        Ok(_) if n_bytes > MAX_BYTES => other(Untranslatable::TooLarge, n_bytes),
        Ok(format) => DirEntryKind::Document { format, n_bytes },
        Err(reason) => other(reason, n_bytes),
    }
}
