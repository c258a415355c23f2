//! What a person did to units, as it can be taken back and done again.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::session::SessionView;

/// Names what a person did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub enum ActionKindView {
    /// Approved a draft.
    Approve,
    /// Approved many drafts at once.
    BulkApprove,
    /// Refined a draft.
    Refine,
    /// Rejected a draft.
    Reject,
    /// Set a unit aside.
    Skip,
    /// Translated an open unit by hand.
    Translate,
    /// Changed a confirmed unit.
    Revise,
}

/// Shows one action.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct ActionView {
    /// What it was.
    pub kind: ActionKindView,
    /// The document.
    pub path: String,
    /// The unit, from 1; the first one of many.
    pub unit: usize,
    /// How many units it was about.
    pub n_units: usize,
    /// The target that the person typed, where they typed one.
    pub text: Option<String>,
}

/// Shows what was taken back or done again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct ReversalView {
    /// The action; `None` when there was none.
    pub action: Option<ActionView>,
    /// The session after it.
    pub session: SessionView,
}
