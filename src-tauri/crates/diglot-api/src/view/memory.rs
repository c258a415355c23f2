//! What was learnt, as the screen shows it.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::session::FaultView;

/// Shows the memory of a language pair.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct MemoryView {
    /// In the order they were learnt.
    pub items: Vec<MemoryItemView>,
    /// About how many tokens the items that are sent cost in each request.
    pub n_tokens: usize,
    /// Questions to the person, oldest first.
    pub conflicts: Vec<MemoryConflictView>,
}

/// Shows two active items that cannot both be kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct MemoryConflictView {
    /// The item that was there first.
    #[ts(type = "number")]
    pub earlier: i64,
    /// The other one.
    #[ts(type = "number")]
    pub later: i64,
    /// The one that is sent until the person has settled it.
    #[ts(type = "number")]
    pub sent: i64,
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
    /// What the person writes, where the item is a wording.
    pub wording_write: Option<String>,
    /// What they do not write, where the item is a wording.
    pub wording_instead_of: Option<String>,
    /// Where it holds.
    pub scope: MemoryScopeView,
    /// How far it is trusted.
    pub state: MemoryStateView,
    /// Whether it is sent: it is active, and no other one holds in its place.
    pub is_sent: bool,
    /// Drafts that were decided on, made under it where it had a chance.
    #[ts(type = "number")]
    pub n_applied: u64,
    /// Those whose final text keeps it.
    #[ts(type = "number")]
    pub n_met: u64,
    /// Those whose final text goes against it.
    #[ts(type = "number")]
    pub n_overridden: u64,
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
    /// Not sent, since the person went against it: they are asked.
    Suspended,
}

/// Names where an item holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub enum MemoryScopeView {
    /// In the project of the session.
    Project,
    /// In the languages of the session.
    Languages,
    /// In all languages.
    All,
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
    /// The person's own words, for a rejection.
    pub reason: Option<String>,
    /// When, in Unix milliseconds.
    #[ts(type = "number")]
    pub at: i64,
    /// What was wrong, for a rejection that names it.
    pub fault: Option<FaultView>,
    /// The piece of the draft that was wrong, for a rejection that marks it.
    pub marked: Option<String>,
}
