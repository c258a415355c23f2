//! The one error of the application: a code that the screen acts on, and a detail for the curious.

use std::io;

use diglot_agent::model::PersonCause;
use diglot_agent::{ContextError, ModelError, WorkspaceError};
use diglot_offline::PackError;
use diglot_openai::ConfigError;
use diglot_store::StoreError;
use diglot_workspace::{OpenError, TargetError};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Names what went wrong. A code exists only where the screen says or does something of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub enum ErrorCode {
    /// The model wants a key and none is set.
    NoApiKey,
    /// The key was refused.
    ModelUnauthorized,
    /// The account has no credit left.
    ModelBilling,
    /// The model's name is unknown at the endpoint.
    ModelUnknown,
    /// Too many requests, also after waiting.
    ModelRateLimited,
    /// Nobody answers at the endpoint, also after waiting.
    ModelUnreachable,
    /// The model's answers cannot be used: empty, cut, not decodable.
    ModelUnusable,
    /// The endpoint refuses for another reason.
    ModelRefused,
    /// The request is longer than the model takes.
    ContextTooLong,
    /// The session is at work already.
    SessionBusy,
    /// The session changed meanwhile; look again.
    SessionConflict,
    /// There is no such session.
    SessionNotFound,
    /// No open request has this id.
    NotPending,
    /// The request was decided before, in another way.
    AlreadyDecided,
    /// The draft has a fault that approving it must confirm.
    NeedsConfirmation,
    /// The decision lacks what it needs: a text, a reason.
    DecisionIncomplete,
    /// The file changed on disk; its open drafts were withdrawn.
    SourceChanged,
    /// The file or folder cannot be read.
    SourceUnreadable,
    /// The project's folder is not there.
    FolderMissing,
    /// The path is not a folder that can be translated.
    NotAFolder,
    /// The target file cannot be written.
    TargetNotWritable,
    /// The disk is full, that of the target files or that of the application's data.
    DiskFull,
    /// The application's data cannot be written: the folder is write-protected, or the disk fails.
    DataNotWritable,
    /// The target file was changed by somebody else, or was there before.
    TargetEditedOutside,
    /// Characters that the file's encoding cannot hold; the detail is these characters.
    TargetUnencodable,
    /// The text is not a language tag.
    BadLanguage,
    /// A memory item's text is not allowed.
    MemoryRefused,
    /// The text cannot be a guide: it has no title, is too long, or there are too many.
    GuideRefused,
    /// What was given can be no term.
    TermRefused,
    /// A file has no terms that can be read.
    TermsUnreadable,
    /// Another guide has the title.
    GuideTaken,
    /// A file that the person chose cannot be read.
    FileUnreadable,
    /// A file that the person chose cannot be written.
    FileNotWritable,
    /// The settings do not fit, for instance the address.
    BadSettings,
    /// The language pack cannot be used.
    BadPack,
    /// The database was written by a newer Diglot; it can be read only.
    DatabaseTooNew,
    /// The database is damaged; it is restored at the next start, or at once when the person says so.
    DatabaseDamaged,
    /// A part of the session's log or row cannot be read, so that it is only shown.
    SessionDamaged,
    /// Another Diglot has the database open.
    DatabaseLocked,
    /// The arguments of the command do not fit.
    BadRequest,
    /// A fault of Diglot itself.
    Internal,
}

impl ErrorCode {
    /// Tells whether a disk refused, which may be over without anybody telling.
    pub(crate) fn is_of_the_disk(self) -> bool {
        matches!(
            self,
            Self::TargetNotWritable | Self::DiskFull | Self::DataNotWritable
        )
    }
}

/// Reports an error to the screen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, thiserror::Error)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
#[error("{detail}")]
pub struct ApiError {
    /// What went wrong.
    pub code: ErrorCode,
    /// More, in English, without document text or key; may be empty.
    pub detail: String,
}

impl ApiError {
    /// Makes an error with a detail.
    pub fn new(code: ErrorCode, detail: impl Into<String>) -> Self {
        Self {
            code,
            detail: detail.into(),
        }
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        let code = match &error {
            _ if error.is_corruption() => ErrorCode::DatabaseDamaged,
            StoreError::Locked { .. } => ErrorCode::DatabaseLocked,
            StoreError::DiskFull(_) => ErrorCode::DiskFull,
            StoreError::Io { source, .. } if is_full(source) => ErrorCode::DiskFull,
            StoreError::Io { .. } | StoreError::DiskFailed(_) | StoreError::NotWritable(_) => {
                ErrorCode::DataNotWritable
            }
            StoreError::ReadOnly => ErrorCode::DatabaseTooNew,
            StoreError::Conflict { .. } => ErrorCode::SessionConflict,
            StoreError::SessionNotFound { .. } => ErrorCode::SessionNotFound,
            StoreError::UnreadableEntry { .. } => ErrorCode::SessionDamaged,
            StoreError::GuideTaken => ErrorCode::GuideTaken,
            StoreError::GuideNotFound { .. } | StoreError::NoTerm => ErrorCode::BadRequest,
            StoreError::SourceMissing { .. }
            | StoreError::MemoryTaken { .. }
            | StoreError::UnreadableRow { .. }
            | StoreError::Busy
            | StoreError::SqliteTooOld { .. }
            | StoreError::Encode(_)
            | StoreError::Sqlite(_)
            | StoreError::Damaged { .. } => ErrorCode::Internal,
        };
        Self::new(code, error.to_string())
    }
}

impl From<ContextError> for ApiError {
    fn from(error: ContextError) -> Self {
        let code = match &error {
            ContextError::NoSuchUnit(_) => ErrorCode::BadRequest,
            ContextError::NoOpenCall(_)
            | ContextError::SourceMissing { .. }
            | ContextError::NotADocument(_)
            | ContextError::DraftsWait(_)
            | ContextError::CallsOpen
            | ContextError::OutOfTurn(_) => ErrorCode::Internal,
        };
        Self::new(code, error.to_string())
    }
}

impl From<WorkspaceError> for ApiError {
    fn from(error: WorkspaceError) -> Self {
        Self::new(ErrorCode::SourceUnreadable, error.to_string())
    }
}

impl From<OpenError> for ApiError {
    fn from(error: OpenError) -> Self {
        let code = match &error {
            OpenError::NotFound { .. } => ErrorCode::FolderMissing,
            OpenError::NotAFolder { .. } | OpenError::WholeDisk { .. } => ErrorCode::NotAFolder,
            OpenError::Unreadable { .. } => ErrorCode::SourceUnreadable,
        };
        Self::new(code, error.to_string())
    }
}

impl From<TargetError> for ApiError {
    fn from(error: TargetError) -> Self {
        let code = match &error {
            TargetError::EditedOutside { .. } | TargetError::Foreign { .. } => {
                ErrorCode::TargetEditedOutside
            }
            TargetError::Unusable { source, .. } | TargetError::Io { source, .. }
                if is_full(source) =>
            {
                ErrorCode::DiskFull
            }
            TargetError::Overlaps { .. }
            | TargetError::Unusable { .. }
            | TargetError::Link { .. }
            | TargetError::NotAFile { .. }
            | TargetError::ReadOnly { .. }
            | TargetError::Io { .. } => ErrorCode::TargetNotWritable,
        };
        Self::new(code, error.to_string())
    }
}

/// Tells whether there is no room, on the disk or in what a person may use of it.
fn is_full(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded
    )
}

impl From<ConfigError> for ApiError {
    fn from(error: ConfigError) -> Self {
        Self::new(ErrorCode::BadSettings, error.to_string())
    }
}

impl From<PackError> for ApiError {
    fn from(error: PackError) -> Self {
        Self::new(ErrorCode::BadPack, error.to_string())
    }
}

impl From<&ModelError> for ApiError {
    fn from(error: &ModelError) -> Self {
        let code = match error {
            ModelError::Transient {
                status: Some(429), ..
            } => ErrorCode::ModelRateLimited,
            ModelError::Transient { .. } => ErrorCode::ModelUnreachable,
            ModelError::Unusable { .. } => ErrorCode::ModelUnusable,
            ModelError::TooLarge { .. } => ErrorCode::ContextTooLong,
            ModelError::NeedsPerson { cause, .. } => match cause {
                PersonCause::NoKey => ErrorCode::NoApiKey,
                PersonCause::Unauthorized => ErrorCode::ModelUnauthorized,
                PersonCause::Billing => ErrorCode::ModelBilling,
                PersonCause::UnknownModel => ErrorCode::ModelUnknown,
                PersonCause::Unreachable => ErrorCode::ModelUnreachable,
                PersonCause::Unsupported | PersonCause::Refused => ErrorCode::ModelRefused,
            },
        };
        let (ModelError::Transient { detail, .. }
        | ModelError::NeedsPerson { detail, .. }
        | ModelError::Unusable { detail, .. }
        | ModelError::TooLarge { detail }) = error;
        Self::new(code, detail.clone())
    }
}
