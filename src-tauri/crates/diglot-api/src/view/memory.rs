//! What was learnt, as the screen shows it.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Shows the memory of a language pair.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct MemoryView {
    /// In the order they were learnt.
    pub items: Vec<MemoryItemView>,
    /// About how many tokens the active items cost in each request.
    pub n_tokens: usize,
}

/// Shows one item.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct MemoryItemView {
    /// Its id.
    #[ts(type = "number")]
    pub id: i64,
    /// What it is about.
    pub kind: MemoryKindView,
    /// The instruction.
    pub text: String,
    /// Source term, for terminology.
    pub term_source: Option<String>,
    /// Target term, for terminology.
    pub term_target: Option<String>,
    /// How far it is trusted.
    pub state: MemoryStateView,
    /// Where it came from, oldest first.
    pub evidence: Vec<EvidenceView>,
    /// About how many tokens it costs in each request.
    pub n_tokens: usize,
    /// When it last changed, in Unix milliseconds.
    #[ts(type = "number")]
    pub updated_at: i64,
}

/// Names what an item is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub enum MemoryKindView {
    /// A term.
    Terminology,
    /// Style.
    Style,
    /// A preference.
    Preference,
}

/// Names how far an item is trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub enum MemoryStateView {
    /// Not sent yet.
    Suggested,
    /// Sent with each request.
    Active,
    /// Switched off.
    Off,
}

/// Shows one decision that an item came from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct EvidenceView {
    /// Source of the unit.
    pub source: String,
    /// The draft.
    pub draft: String,
    /// The final text; `None` for a rejection.
    pub target: Option<String>,
    /// The reason, for a rejection.
    pub reason: Option<String>,
    /// When, in Unix milliseconds.
    #[ts(type = "number")]
    pub at: i64,
}
