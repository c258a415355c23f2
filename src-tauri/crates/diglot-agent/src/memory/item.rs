//! What an item of memory is made of: pairs, wordings, evidence, scope, and how far it is trusted. Must not know how
//! operations apply to items.

use diglot_document::LanguagePair;
use serde::{Deserialize, Serialize};

use super::tally::Tally;
use crate::entry::SessionId;
use crate::limits;
use crate::message::CallId;
use crate::rejection::Fault;

/// Identifies a memory item; never reused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct MemoryId(pub i64);

/// Tells what an item is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum MemoryKind {
    /// How one word or phrase is translated.
    Terminology,
    /// How the text should read.
    Style,
    /// How the person wants to work.
    Preference,
}

/// Tells how far an item is trusted (SPEC 5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum MemoryState {
    /// One edit speaks for it; not sent to a model.
    Suggested,
    /// Two edits speak for it, or a person took it; sent.
    Active,
    /// A person switched it off.
    Off,
    /// The person went against it so often that they are asked; not sent until they answer.
    Suspended,
}

/// Tells where an item holds.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum Scope {
    /// In one project, and there before what holds more widely.
    Project {
        /// Its folder, as its sessions name it.
        folder: String,
    },
    /// In its language pair.
    #[default]
    Languages,
    /// In every language pair.
    All,
}

impl Scope {
    fn is_default(&self) -> bool {
        *self == Self::default()
    }

    /// Tells whether an item of this scope holds in a project; its languages are looked at elsewhere.
    pub fn holds_in(&self, project: &str) -> bool {
        match self {
            Self::Project { folder } => folder == project,
            Self::Languages | Self::All => true,
        }
    }

    /// Orders scopes, the narrowest first.
    pub(super) fn width(&self) -> u8 {
        match self {
            Self::Project { .. } => 0,
            Self::Languages => 1,
            Self::All => 2,
        }
    }
}

/// Holds a pair of terms.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Term {
    /// In the source language.
    pub source: String,
    /// In the target language.
    pub target: String,
}

impl Term {
    /// Returns the pair as checks look for it.
    pub fn checked(&self) -> diglot_document::CheckedTerm<'_> {
        diglot_document::CheckedTerm::preferred(&self.source, &self.target)
    }

    /// Says it as an instruction.
    pub fn to_text(&self) -> String {
        format!("Translate “{}” as “{}”", self.source, self.target)
    }

    /// Tells whether another pair says the same, in whatever case.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        let same = |left: &str, right: &str| left.to_lowercase() == right.to_lowercase();
        same(&self.source, &other.source) && same(&self.target, &other.target)
    }
}

/// Holds what the person writes in the place of something else, whatever the source.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Wording {
    /// What the person writes.
    pub write: String,
    /// What they do not write.
    pub instead_of: String,
}

impl Wording {
    /// Says it as an instruction.
    pub fn to_text(&self) -> String {
        format!("Write “{}”, not “{}”", self.write, self.instead_of)
    }

    /// Reads an instruction that [`Wording::to_text`] wrote: items of before keep theirs as a text alone.
    pub(super) fn from_text(text: &str) -> Option<Self> {
        let (write, rest) = text
            .trim()
            .strip_prefix("Write “")?
            .split_once("”, not “")?;
        let wording = Self {
            write: write.to_owned(),
            instead_of: rest.strip_suffix('”')?.to_owned(),
        };
        let is_whole = |text: &str| !text.trim().is_empty() && !text.contains(['“', '”']);
        (is_whole(&wording.write) && is_whole(&wording.instead_of)).then_some(wording)
    }
}

/// Records one decision that an item came from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Evidence {
    /// The session.
    pub session: SessionId,
    /// The decision.
    pub call_id: CallId,
    /// Source of the unit.
    pub source: String,
    /// The draft.
    pub draft: String,
    /// The final text, or `None` for a rejection.
    pub target: Option<String>,
    /// The person's own words, for a rejection that has some.
    pub reason: Option<String>,
    /// When, in Unix milliseconds.
    pub at: i64,
    /// What was wrong, for a rejection that names it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<Fault>,
    /// The piece of the draft that was wrong, for a rejection that marks it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub marked: Option<String>,
}

impl Evidence {
    /// Tells whether another one records the same decision.
    pub fn is_same(&self, other: &Self) -> bool {
        self.session == other.session && self.call_id == other.call_id
    }
}

/// Holds one instruction that was learnt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MemoryItem {
    /// Its id.
    pub id: MemoryId,
    /// What it is about.
    pub kind: MemoryKind,
    /// The instruction, at most [`limits::MEMORY_ITEM`] grapheme clusters.
    pub text: String,
    /// The pair, for terminology.
    pub term: Option<Term>,
    /// The wording, where the instruction is one; texts tell whether it is kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wording: Option<Wording>,
    /// How far it is trusted.
    pub state: MemoryState,
    /// Languages that it was learnt for.
    pub languages: LanguagePair,
    /// Where it holds.
    #[serde(default, skip_serializing_if = "Scope::is_default")]
    pub scope: Scope,
    /// Where it came from, oldest first, at most [`limits::EVIDENCE`]; empty when the person wrote it.
    pub evidence: Vec<Evidence>,
    /// How drafts and the person kept to it.
    #[serde(default, skip_serializing_if = "Tally::is_empty")]
    pub tally: Tally,
    /// Items that seem to say otherwise and, as the person said, hold beside it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub beside: Vec<MemoryId>,
    /// When its words or its state last changed, in Unix milliseconds.
    pub updated_at: i64,
}

impl MemoryItem {
    /// Makes an item that a person writes: active at once, with a text still to be set.
    pub fn by_hand(kind: MemoryKind, languages: LanguagePair) -> Self {
        Self {
            id: MemoryId(0),
            kind,
            text: String::new(),
            term: None,
            wording: None,
            state: MemoryState::Active,
            languages,
            scope: Scope::default(),
            evidence: Vec::new(),
            tally: Tally::default(),
            beside: Vec::new(),
            updated_at: 0,
        }
    }

    /// Returns the item as a log keeps that a model was told of it: what changes with decisions stays in memory alone, so
    /// that an entry does not grow with them.
    pub(crate) fn as_told(&self) -> Self {
        Self {
            text: self.text.clone(),
            term: self.term.clone(),
            wording: self.wording.clone(),
            id: self.id,
            state: self.state,
            updated_at: self.updated_at,
            ..Self::by_hand(self.kind, self.languages.clone())
        }
    }

    /// Sets how far the person trusts it, which answers any question about it.
    pub fn decide(&mut self, state: MemoryState) {
        self.state = state;
        self.tally.recent.clear();
    }

    /// Adds evidence once per decision, the latest last.
    pub(super) fn keep(&mut self, evidence: &Evidence) {
        if self.evidence.iter().any(|old| old.is_same(evidence)) {
            return;
        }
        self.evidence.push(evidence.clone());
        if self.evidence.len() > limits::EVIDENCE {
            self.evidence.remove(0);
        }
    }
}
