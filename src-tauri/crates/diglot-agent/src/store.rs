//! What is written together, and the rows that a store keeps beside the log.

use diglot_document::{LanguagePair, Origin, UnitState};
use serde::{Deserialize, Serialize};

use crate::copilot::DecisionMode;
use crate::entry::{Entry, Seq, SessionId};
use crate::memory::{MemoryId, MemoryItem};
use crate::workspace::{ProjectPath, SourceText};

/// Holds everything that one step or decision changes: written in one transaction or not at all.
#[derive(Debug, Clone)]
pub struct Commit {
    /// The session.
    pub session: SessionId,
    /// Sequence number of its last entry as the writer knew it; another one is a conflict.
    pub expected: Seq,
    /// New entries, in order.
    pub entries: Vec<Entry>,
    /// Source texts that the entries name for the first time.
    pub sources: Vec<SourceText>,
    /// The projection: units whose row changed.
    pub units: Vec<UnitRow>,
    /// The projection: the session's counts after the entries.
    pub counts: SessionCounts,
    /// Pairs for the translation memory.
    pub pairs: Vec<TmPair>,
    /// Pairs that the translation memory gives up, since their decision was taken back.
    pub withdrawn: Vec<TmPair>,
    /// Memory items that are new or changed.
    pub memory: Vec<MemoryItem>,
    /// Memory items that are gone.
    pub forgotten: Vec<MemoryId>,
    /// When, in Unix milliseconds.
    pub at: i64,
}

/// Holds one unit's row of the projection; a unit without a row is open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnitRow {
    /// The document.
    pub path: ProjectPath,
    /// The unit, from 1.
    pub unit: usize,
    /// Its source text.
    pub source: String,
    /// Draft or confirmed target, may be empty.
    pub target: String,
    /// How far it is.
    pub state: UnitState,
    /// Where the text came from.
    pub origin: Origin,
    /// How it was confirmed.
    pub mode: DecisionMode,
    /// Whether a person changed it after confirming it.
    pub revised: bool,
}

/// Holds what a session list shows without reading a log.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionCounts {
    /// Units of all documents that were read.
    pub n_units: u64,
    /// Those a person confirmed.
    pub n_confirmed: u64,
    /// Requests that wait for a person.
    pub n_waiting: u64,
    /// Tokens spent, prompt and answer.
    pub n_tokens: u64,
}

/// Holds one confirmed pair for the translation memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TmPair {
    /// Languages.
    pub languages: LanguagePair,
    /// Source text.
    pub source: String,
    /// Confirmed target.
    pub target: String,
    /// Source of the unit before, where there is one.
    pub previous: Option<String>,
    /// Source of the unit after, where there is one.
    pub next: Option<String>,
    /// The document.
    pub path: ProjectPath,
}
