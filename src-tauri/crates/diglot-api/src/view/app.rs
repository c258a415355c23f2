//! What a host shows of the application as a whole.

use diglot_store::Recovery;
use serde::Serialize;
use ts_rs::TS;

/// Shows what was done about a damaged database.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct RecoveryView {
    /// Absolute path under which the damaged file is kept; `None` when there was none to keep.
    pub kept: Option<String>,
    /// When the backup was made that took its place, in Unix milliseconds; `None` when a new file was begun.
    #[ts(type = "number | null")]
    pub backup_at: Option<i64>,
    /// Steps that only the damaged file had, and that were taken over.
    pub n_salvaged: usize,
    /// Until when work may be missing, in Unix milliseconds; `None` when nothing is.
    #[ts(type = "number | null")]
    pub lost_until: Option<i64>,
}

impl From<&Recovery> for RecoveryView {
    fn from(recovery: &Recovery) -> Self {
        Self {
            kept: recovery
                .kept
                .as_ref()
                .map(|path| path.display().to_string()),
            backup_at: recovery.backup_at,
            n_salvaged: recovery.n_salvaged,
            lost_until: recovery.lost_until,
        }
    }
}
