//! Guides as the screen shows them.

use serde::Serialize;
use ts_rs::TS;

/// Shows the guides, as a project sees them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct GuidesView {
    /// All guides, in order of their titles.
    pub guides: Vec<GuideView>,
    /// Guides at most that hold for one project.
    pub most_attached: usize,
}

/// Shows one guide.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct GuideView {
    /// Its id.
    #[ts(type = "number")]
    pub id: i64,
    /// Its first heading.
    pub title: String,
    /// The beginning of what follows, may be empty.
    pub opening: String,
    /// Its Markdown.
    pub text: String,
    /// Whether it holds for the project.
    pub is_attached: bool,
    /// About how many tokens it costs where the agent reads all of it.
    pub n_tokens: usize,
    /// When it last changed, in Unix milliseconds.
    #[ts(type = "number")]
    pub updated_at: i64,
}

/// Shows what stands in a file that may become a guide.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct GuideFileView {
    /// The guide that has the title; keeping the text replaces it.
    #[ts(type = "number | null")]
    pub id: Option<i64>,
    /// Its first heading.
    pub title: String,
    /// All of it.
    pub text: String,
}

/// Tells where a guide was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct ExportView {
    /// Absolute path of the file; `None` when the person chose none.
    pub path: Option<String>,
}
