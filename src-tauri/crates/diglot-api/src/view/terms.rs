//! Terms as the screen shows them.

use diglot_document::term::exchange::TermRefusal;
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

/// Shows a page of the termbase.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct TermsView {
    /// Terms in order of their sources.
    pub terms: Vec<TermView>,
    /// How many fit the search in all.
    pub n_terms: usize,
    /// Position of the first of them, from 0.
    pub offset: usize,
}

/// Shows one term.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct TermView {
    /// Its id.
    #[ts(type = "number")]
    pub id: i64,
    /// In the source language.
    pub source: String,
    /// In the target language.
    pub target: String,
    /// What the target is to the source.
    pub status: TermStatusView,
    /// What a translator should know, may be empty.
    pub note: String,
    /// What it means, may be empty.
    pub definition: String,
    /// The field that it belongs to, may be empty.
    pub subject: String,
    /// The file that it came from; empty where the person wrote it.
    pub origin: String,
    /// When it last changed, in Unix milliseconds.
    #[ts(type = "number")]
    pub updated_at: i64,
}

/// Names a form of files with terms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub enum TermFormView {
    /// TBX-Basic of version 2.
    Tbx2,
    /// TBX-Basic of version 3.
    Tbx3,
    /// CSV.
    Csv,
}

/// Tells what became of a file with terms.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct TermImportView {
    /// Name of the file.
    pub file: String,
    /// Terms that are new.
    pub n_added: usize,
    /// Terms that were there and say something else now.
    pub n_changed: usize,
    /// Terms that were there as they are.
    pub n_same: usize,
    /// Parts that were not taken.
    pub n_refused: usize,
    /// The first of them, with the reason.
    pub refused: Vec<TermRefusedView>,
    /// Kinds of data that terms have no place for, with how often the file has them.
    pub left_out: Vec<LeftOutView>,
}

/// Names a part of a file that was not taken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct TermRefusedView {
    /// Its line, from 1.
    pub line: usize,
    /// What there is of it, may be empty.
    pub text: String,
    /// Why.
    pub reason: TermRefusalView,
}

/// Says why a part of a file was not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub enum TermRefusalView {
    /// It has no term in the source language.
    NoSource,
    /// It has no term in the target language.
    NoTarget,
    /// A term has no letter and no digit.
    NoLetter,
    /// A term is too long to be one.
    TooLong,
    /// Its status is none that is known.
    UnknownStatus,
}

impl From<TermRefusal> for TermRefusalView {
    fn from(reason: TermRefusal) -> Self {
        match reason {
            TermRefusal::NoSource => Self::NoSource,
            TermRefusal::NoTarget => Self::NoTarget,
            TermRefusal::NoLetter => Self::NoLetter,
            TermRefusal::TooLong => Self::TooLong,
            TermRefusal::UnknownStatus => Self::UnknownStatus,
        }
    }
}

/// Names a kind of data that was left out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct LeftOutView {
    /// Its name in the file.
    pub name: String,
    /// How often it stands there.
    pub count: usize,
}
