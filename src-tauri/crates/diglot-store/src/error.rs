//! What can go wrong in the store, by what the caller can do about it.

use std::io;
use std::path::PathBuf;

use diglot_agent::memory::MemoryId;
use diglot_agent::{Seq, SessionId, SourceHash};
use rusqlite::ErrorCode;

/// SQLite's code for a file that ends in the middle of what it should hold.
const SHORT_READ: i32 = rusqlite::ffi::SQLITE_IOERR_SHORT_READ;

/// Reports why the store did not do what it was asked; nothing was changed then.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Another process has the file open.
    #[error("`{path}` is in use by another process")]
    Locked {
        /// The database.
        path: PathBuf,
    },
    /// A newer version of the program wrote the file, so it is only shown.
    #[error("the database was written by a newer version and is opened read-only")]
    ReadOnly,
    /// Somebody else appended to the session in between.
    #[error("session {session} stands at entry {}, not {}", found.0, expected.0)]
    Conflict {
        /// The session.
        session: SessionId,
        /// What the writer knew.
        expected: Seq,
        /// What is stored.
        found: Seq,
    },
    /// No session has this id.
    #[error("there is no session {session}")]
    SessionNotFound {
        /// The id.
        session: SessionId,
    },
    /// An entry names a source text that is neither stored nor part of the commit.
    #[error("the source text {} is missing", hash.0)]
    SourceMissing {
        /// Its hash.
        hash: SourceHash,
    },
    /// A memory item would overwrite another one that took its id meanwhile.
    #[error("memory item {} was taken meanwhile", id.0)]
    MemoryTaken {
        /// The id.
        id: MemoryId,
    },
    /// What was given can be no term, or the term is gone.
    #[error("there is no such term")]
    NoTerm,
    /// Another guide has the title.
    #[error("another guide has this title")]
    GuideTaken,
    /// No guide has this id.
    #[error("there is no guide {id}")]
    GuideNotFound {
        /// The id.
        id: i64,
    },
    /// An entry of this session cannot be read; other sessions are not touched by it.
    #[error("entry {} of session {session} cannot be read: {detail}", seq.0)]
    UnreadableEntry {
        /// The session.
        session: SessionId,
        /// The entry.
        seq: Seq,
        /// What is wrong with it, without its text.
        detail: String,
    },
    /// A row beside the log cannot be read.
    #[error("a row of table `{table}` cannot be read: {detail}")]
    UnreadableRow {
        /// The table.
        table: &'static str,
        /// What is wrong with it, without its text.
        detail: String,
    },
    /// The database was in use, for longer than anybody waits.
    #[error("the database is in use")]
    Busy,
    /// The linked SQLite has known faults that lose data.
    #[error("SQLite {found} is too old to be trusted with data")]
    SqliteTooOld {
        /// Its version.
        found: &'static str,
    },
    /// The file system refused.
    #[error("`{path}`: {source}")]
    Io {
        /// File or folder.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// A value could not be turned into its stored form.
    #[error("a value could not be encoded")]
    Encode(#[source] serde_json::Error),
    /// There is no room on the disk.
    #[error("the disk is full")]
    DiskFull(#[source] rusqlite::Error),
    /// The disk did not do what it was asked for; whether what went before is on it is not known.
    #[error("the disk failed: {0}")]
    DiskFailed(#[source] rusqlite::Error),
    /// The file or its folder may not be written.
    #[error("the database may not be written: {0}")]
    NotWritable(#[source] rusqlite::Error),
    /// SQLite refused.
    #[error("the database refused")]
    Sqlite(#[source] rusqlite::Error),
    /// Pages of the database are damaged.
    #[error("the database is damaged: {detail}")]
    Damaged {
        /// First finding of SQLite's own check.
        detail: String,
    },
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        let Some(found) = error.sqlite_error().copied() else {
            return Self::Sqlite(error);
        };
        if found.code == ErrorCode::DiskFull {
            Self::DiskFull(error)
        } else if found.code == ErrorCode::SystemIoFailure && found.extended_code != SHORT_READ {
            Self::DiskFailed(error)
        } else if is_forbidden(found.code) {
            Self::NotWritable(error)
        } else {
            Self::Sqlite(error)
        }
    }
}

fn is_forbidden(code: ErrorCode) -> bool {
    matches!(
        code,
        ErrorCode::CannotOpen | ErrorCode::ReadOnly | ErrorCode::PermissionDenied
    )
}

impl StoreError {
    /// Tells whether the file itself is broken, as against busy, full or refused.
    pub fn is_corruption(&self) -> bool {
        if let Self::Sqlite(error) = self {
            let is_short = error
                .sqlite_error()
                .is_some_and(|error| error.extended_code == SHORT_READ);
            // The full-text index has no code of its own for a head that is gone.
            let is_headless = matches!(error, rusqlite::Error::SqliteFailure(_, Some(text))
                if text.starts_with("invalid fts5 file format"));
            is_short
                || is_headless
                || matches!(
                    error.sqlite_error_code(),
                    Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt)
                )
        } else {
            matches!(self, Self::Damaged { .. })
        }
    }
}
