//! What the application tells its host without being asked. Small on purpose: the host asks again.

use serde::Serialize;
use ts_rs::TS;

/// Tells that something changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(
    tag = "event",
    content = "data",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
#[ts(export)]
pub enum ApiEvent {
    /// A session's log grew.
    SessionChanged {
        /// The session.
        #[ts(type = "number")]
        session_id: i64,
        /// Its last sequence number.
        #[ts(type = "number")]
        seq: u64,
    },
    /// A session began or ended to work, or waits to try again.
    RunChanged {
        /// The session.
        #[ts(type = "number")]
        session_id: i64,
        /// Whether the agent is at work.
        running: bool,
        /// When a failed attempt is tried again, in Unix milliseconds.
        #[ts(type = "number | null")]
        try_again_at: Option<i64>,
    },
    /// Target files were written, or could not be.
    TargetsChanged {
        /// The session.
        #[ts(type = "number")]
        session_id: i64,
    },
    /// Files of a project changed on disk.
    ProjectChanged {
        /// The project.
        project_id: String,
    },
    /// What `app_view` shows changed: the state of the database.
    AppChanged {},
    /// Another start of the program, or the system, asks to open a folder.
    FolderRequested {
        /// Absolute path.
        path: String,
    },
}
