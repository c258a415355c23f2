//! The port to the folder: names and bytes inside one root, read-only.

use std::fmt;
use std::sync::Arc;

use diglot_document::{Format, Untranslatable};
use serde::{Deserialize, Serialize};

/// Names a file or folder inside the project: relative, `/` between parts, no `.` or `..` part, no
/// leading slash, drive or control character. The project folder itself is the empty path.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ProjectPath(Arc<str>);

/// Reports text that names nothing inside a project.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProjectPathError {
    /// Absolute, or starts with a drive or a home mark.
    #[error("absolute paths are outside the project")]
    Absolute,
    /// Leaves the folder.
    #[error("`..` leads outside the project")]
    Parent,
    /// Holds a character that no file of ours has.
    #[error("the path holds a control character")]
    Control,
}

impl ProjectPath {
    /// Returns the project folder itself.
    pub fn root() -> Self {
        Self(Arc::default())
    }

    /// Reads a path as people and models write it: `./a`, `a/`, `a\b` and `.` are understood.
    ///
    /// # Errors
    /// When it is absolute, leaves the folder, or holds a control character.
    pub fn parse(text: &str) -> Result<Self, ProjectPathError> {
        let text = text.trim();
        if text.chars().any(char::is_control) {
            return Err(ProjectPathError::Control);
        }
        let text = text.replace('\\', "/");
        let drive = text.as_bytes().get(1) == Some(&b':');
        if text.starts_with('/') || text.starts_with('~') || drive || text.contains("://") {
            return Err(ProjectPathError::Absolute);
        }
        let mut parts = Vec::new();
        for part in text.split('/') {
            match part {
                "" | "." => {}
                ".." => return Err(ProjectPathError::Parent),
                part => parts.push(part),
            }
        }
        Ok(Self(parts.join("/").into()))
    }

    /// Takes names that a folder listing gave, joined by `/`, as they are.
    ///
    /// # Errors
    /// As [`ProjectPath::parse`]; a backslash or a leading `~` in a real name is kept.
    pub fn from_listing(text: &str) -> Result<Self, ProjectPathError> {
        if text.chars().any(char::is_control) {
            return Err(ProjectPathError::Control);
        }
        if text.starts_with('/') {
            return Err(ProjectPathError::Absolute);
        }
        if text.split('/').any(|part| part == "..") {
            return Err(ProjectPathError::Parent);
        }
        Ok(Self(text.trim_matches('/').into()))
    }

    /// Returns the path as text; empty for the project folder.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Tells whether it is the project folder.
    pub fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the last part.
    pub fn name(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or_default()
    }

    /// Returns the path of an entry of this folder.
    ///
    /// # Errors
    /// As [`ProjectPath::from_listing`].
    pub fn join(&self, name: &str) -> Result<Self, ProjectPathError> {
        if self.is_root() {
            Self::from_listing(name)
        } else {
            Self::from_listing(&format!("{}/{name}", self.0))
        }
    }
}

impl fmt::Display for ProjectPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_empty() { "." } else { &self.0 })
    }
}

impl From<ProjectPath> for String {
    fn from(path: ProjectPath) -> Self {
        path.0.as_ref().to_owned()
    }
}

impl TryFrom<String> for ProjectPath {
    type Error = ProjectPathError;
    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::from_listing(&text)
    }
}

/// Identifies a file's bytes: the hexadecimal BLAKE3 hash.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SourceHash(pub String);

impl SourceHash {
    /// Hashes bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self(blake3::hash(bytes).to_hex().to_string())
    }
}

/// Holds a file as it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceText {
    /// Hash of `bytes`.
    pub hash: SourceHash,
    /// All of the file.
    pub bytes: Arc<[u8]>,
}

impl SourceText {
    /// Hashes and keeps bytes.
    pub fn new(bytes: Vec<u8>) -> Self {
        Self {
            hash: SourceHash::of(&bytes),
            bytes: bytes.into(),
        }
    }
}

/// Describes one entry of a folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DirEntry {
    /// Where it is.
    pub path: ProjectPath,
    /// What it is.
    pub kind: DirEntryKind,
}

impl DirEntry {
    /// Tells whether it is a file that can be read as a document.
    pub fn is_document(&self) -> bool {
        matches!(self.kind, DirEntryKind::Document { .. })
    }
}

/// Tells what a folder entry is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(
    tag = "kind",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub enum DirEntryKind {
    /// A folder that can be listed.
    Folder,
    /// A file that can be read.
    Document {
        /// How it will be read.
        format: Format,
        /// Size in bytes.
        n_bytes: u64,
    },
    /// A file that cannot be translated.
    Other {
        /// Why.
        reason: Untranslatable,
        /// Size in bytes; 0 where it could not be asked.
        n_bytes: u64,
    },
}

/// Holds a folder's entries.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Listing {
    /// Folders first, then files, each by name in natural order.
    pub entries: Vec<DirEntry>,
    /// Names that are there but not entered: hidden, ignored, dependency and build folders, links.
    pub left_out: Vec<String>,
}

/// Says for a model why a file cannot be translated.
pub(crate) fn why(reason: Untranslatable) -> &'static str {
    match reason {
        Untranslatable::UnknownFormat => "no format that can be translated",
        Untranslatable::Binary => "not a text",
        Untranslatable::TooLarge => "too large",
        Untranslatable::NotAFile => "not a regular file",
        Untranslatable::Unreadable => "cannot be read",
        Untranslatable::Settings => "a program's settings",
        Untranslatable::Damaged => "damaged",
        Untranslatable::Encrypted => "behind a password",
        Untranslatable::SwitchedOff => "switched off by the user",
    }
}

/// Reports why a path could not be listed or read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WorkspaceError {
    /// Nothing is there, or a part of the path is a link.
    #[error("`{path}` does not exist in the project")]
    NotFound {
        /// What was asked for.
        path: ProjectPath,
    },
    /// It is there and cannot be translated or listed.
    #[error("`{path}` cannot be translated: {}", why(*reason))]
    Untranslatable {
        /// What was asked for.
        path: ProjectPath,
        /// Why.
        reason: Untranslatable,
    },
    /// The system refused.
    #[error("`{path}` could not be read: {detail}")]
    Unreadable {
        /// What was asked for.
        path: ProjectPath,
        /// The system's words, without an absolute path.
        detail: String,
    },
}

/// Gives the names and bytes of one folder. Calls are short, may be repeated, and change nothing.
pub trait Workspace: Send + Sync {
    /// Lists a folder. An entry that cannot be looked at is listed as `Other`, the rest stands.
    ///
    /// # Errors
    /// When the folder itself is not there or cannot be listed.
    fn list(&self, folder: &ProjectPath) -> Result<Listing, WorkspaceError>;

    /// Reads a document whole.
    ///
    /// # Errors
    /// When it is not there, not a regular file, too large, or not readable.
    fn read(&self, path: &ProjectPath) -> Result<SourceText, WorkspaceError>;

    /// Hashes a document as it is now; cheap when nothing changed since it was last read.
    ///
    /// # Errors
    /// As [`Workspace::read`].
    fn hash(&self, path: &ProjectPath) -> Result<SourceHash, WorkspaceError>;
}
