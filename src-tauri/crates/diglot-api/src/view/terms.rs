//! Terms as the screen shows them.

use diglot_document::{TermState, TermStatus};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Names what a target term is to its source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub enum TermStatusView {
    /// What a translation should have.
    Preferred,
    /// What it may have.
    Admitted,
    /// What it must not have.
    Forbidden,
}

impl From<TermStatus> for TermStatusView {
    fn from(status: TermStatus) -> Self {
        match status {
            TermStatus::Preferred => Self::Preferred,
            TermStatus::Admitted => Self::Admitted,
            TermStatus::Forbidden => Self::Forbidden,
        }
    }
}

impl From<TermStatusView> for TermStatus {
    fn from(status: TermStatusView) -> Self {
        match status {
            TermStatusView::Preferred => Self::Preferred,
            TermStatusView::Admitted => Self::Admitted,
            TermStatusView::Forbidden => Self::Forbidden,
        }
    }
}

/// Names how a text deals with a term.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub enum TermStateView {
    /// A translation that may be used is there.
    Met,
    /// None is there.
    Unmet,
    /// One that must not be used is there.
    Forbidden,
}

impl From<TermState> for TermStateView {
    fn from(state: TermState) -> Self {
        match state {
            TermState::Met => Self::Met,
            TermState::Unmet => Self::Unmet,
            TermState::Forbidden => Self::Forbidden,
        }
    }
}

/// Shows a term of a unit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct UnitTermView {
    /// The term as it is listed.
    pub source: String,
    /// Its translations; never empty.
    pub targets: Vec<TermTargetView>,
    /// Whether the source has it in its own form, so that nobody can doubt that it is meant.
    pub certain: bool,
    /// Whether the source has only a word of its stem, or a compound with it.
    pub related: bool,
    /// How the text in the editor deals with it.
    pub state: TermStateView,
}

/// Shows one translation of a term.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct TermTargetView {
    /// The translation.
    pub target: String,
    /// What it is to the term.
    pub status: TermStatusView,
    /// What a translator should know, may be empty.
    pub note: String,
}
