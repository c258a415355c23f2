//! What the commands about guides take.

use serde::Deserialize;
use ts_rs::TS;

request! {
    /// Keeps a guide.
    GuideSaveRequest {
        /// The folder that it was written in.
        project_id: String,
        /// The guide; missing adds one.
        #[ts(optional, type = "number")]
        id: Option<i64>,
        /// Its Markdown; the first heading is its title.
        text: String,
    }
}
request! {
    /// Names a guide.
    GuideRequest {
        /// The guide.
        #[ts(type = "number")]
        id: i64,
    }
}
request! {
    /// Lets a guide hold for a folder, or no longer.
    GuideAttachRequest {
        /// The folder.
        project_id: String,
        /// The guide.
        #[ts(type = "number")]
        id: i64,
        /// Whether it holds.
        attached: bool,
    }
}
request! {
    /// Names a file that may become a guide.
    GuideImportRequest {
        /// Absolute path; in a window the person chooses it.
        path: Option<String>,
    }
}
request! {
    /// Writes a guide to a file.
    GuideExportRequest {
        /// The guide.
        #[ts(type = "number")]
        id: i64,
        /// Absolute path; in a window the person chooses it.
        path: Option<String>,
    }
}
