//! What the commands about terms take.

use serde::Deserialize;
use ts_rs::TS;

use crate::view::terms::{TermFormView, TermStatusView};

request! {
    /// Names a page of the termbase of a session's languages.
    TermListRequest {
        /// The session.
        #[ts(type = "number")]
        session_id: i64,
        /// Text that a term, its translation or its note holds.
        query: Option<String>,
        /// Position of the first, from 0.
        offset: Option<usize>,
        /// Terms at most.
        limit: Option<usize>,
    }
}
request! {
    /// Keeps a term.
    TermSaveRequest {
        /// The session.
        #[ts(type = "number")]
        session_id: i64,
        /// The term; missing adds one.
        #[ts(optional, type = "number")]
        id: Option<i64>,
        /// In the source language.
        source: String,
        /// In the target language.
        target: String,
        /// What the target is to the source.
        status: TermStatusView,
        /// What a translator should know; missing is nothing.
        note: Option<String>,
    }
}
request! {
    /// Names a term.
    TermRequest {
        /// The session.
        #[ts(type = "number")]
        session_id: i64,
        /// The term.
        #[ts(type = "number")]
        id: i64,
    }
}
request! {
    /// Names a file with terms.
    TermImportRequest {
        /// The session, whose languages count.
        #[ts(type = "number")]
        session_id: i64,
        /// Absolute path; in a window the person chooses it.
        path: Option<String>,
    }
}
request! {
    /// Writes the terms of a session's languages to a file.
    TermExportRequest {
        /// The session.
        #[ts(type = "number")]
        session_id: i64,
        /// In which form.
        form: TermFormView,
        /// Absolute path; in a window the person chooses it.
        path: Option<String>,
    }
}
