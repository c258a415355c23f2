//! Why a target was not written, by what a person can do about it.

use std::io;
use std::path::PathBuf;

use diglot_agent::{ProjectPath, SourceHash};

/// Reports why a target was not written; what was there is untouched.
#[derive(Debug, thiserror::Error)]
pub enum TargetError {
    /// Targets would lie among the sources, or the sources among the targets.
    #[error("`{path}` and the project lie inside each other")]
    Overlaps {
        /// The target folder.
        path: PathBuf,
    },
    /// The target folder cannot be opened.
    #[error("`{path}` cannot be opened: {source}")]
    Unusable {
        /// The target folder.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// The target, or a folder on the way to it, is a link.
    #[error("`{path}` is a link")]
    Link {
        /// The target.
        path: ProjectPath,
    },
    /// A folder, pipe or device stands where the target goes, or a file where a folder goes.
    #[error("something else stands at `{path}`")]
    NotAFile {
        /// The target.
        path: ProjectPath,
    },
    /// Somebody took the right to write the file away.
    #[error("`{path}` is write-protected")]
    ReadOnly {
        /// The target.
        path: ProjectPath,
    },
    /// Somebody changed the file since it was last written.
    #[error("`{path}` was changed by somebody else")]
    EditedOutside {
        /// The target.
        path: ProjectPath,
        /// Hash of what is there now.
        found: SourceHash,
    },
    /// There is a file that was not written by this session.
    #[error("`{path}` was there before")]
    Foreign {
        /// The target.
        path: ProjectPath,
        /// Hash of what is there.
        found: SourceHash,
    },
    /// The system refused.
    #[error("`{path}` cannot be written: {source}")]
    Io {
        /// The target.
        path: ProjectPath,
        /// Why.
        #[source]
        source: io::Error,
    },
}
