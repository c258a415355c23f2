//! What the agent learnt from a person's decisions: items, their evidence, and how operations apply.

use diglot_document::LanguagePair;
use serde::{Deserialize, Serialize};

use crate::entry::SessionId;
use crate::limits;
use crate::message::CallId;

pub mod extract;

mod contradiction;
mod grounding;

use contradiction::contradict;
use grounding::{check_term, holds_word, own_words, quoted_term, share};

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

    /// Tells whether another pair says the same, in whatever case.
    fn is_same(&self, other: &Self) -> bool {
        let same = |left: &str, right: &str| left.to_lowercase() == right.to_lowercase();
        same(&self.source, &other.source) && same(&self.target, &other.target)
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
    /// The person's reason, for a rejection.
    pub reason: Option<String>,
    /// When, in Unix milliseconds.
    pub at: i64,
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
    /// How far it is trusted.
    pub state: MemoryState,
    /// Languages that it holds for.
    pub languages: LanguagePair,
    /// Where it came from, oldest first; empty when the person wrote it.
    pub evidence: Vec<Evidence>,
    /// When it last changed, in Unix milliseconds.
    pub updated_at: i64,
}

/// Changes memory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "action", rename_all = "camelCase")]
pub enum MemoryOp {
    /// Learns something new.
    Add {
        /// What it is about.
        kind: MemoryKind,
        /// The instruction.
        text: String,
        /// The pair, for terminology.
        term: Option<Term>,
    },
    /// Says an item better, or gives it more evidence.
    Update {
        /// Which.
        id: MemoryId,
        /// The instruction.
        text: String,
        /// The pair, for terminology.
        term: Option<Term>,
    },
    /// Takes an item back.
    Delete {
        /// Which.
        id: MemoryId,
    },
}

/// Holds the items of one language pair.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Memory {
    /// In order of id.
    pub items: Vec<MemoryItem>,
    /// The id that the next new item takes.
    pub next_id: i64,
}

/// Reports what became of operations.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Applied {
    /// Operations that were taken over.
    pub ops: Vec<MemoryOp>,
    /// Items that are new or changed.
    pub changed: Vec<MemoryItem>,
    /// Items that are gone.
    pub forgotten: Vec<MemoryId>,
    /// What was refused and why, in plain words.
    pub refused: Vec<String>,
}

/// Edits that make an item active without a person's click (SPEC 5).
const EDITS_TO_ACTIVATE: usize = 2;
/// Share of an instruction that must stand in another for both to mean the same.
const REWORDED: f64 = 0.5;
/// Share of an instruction that stands in a source when the source gave it. An instruction about a source quotes a word or
/// two of it.
const REPEATED: f64 = 0.67;

impl Memory {
    /// Returns the items that are sent to a model.
    pub fn active(&self) -> impl Iterator<Item = &MemoryItem> {
        self.items
            .iter()
            .filter(|item| item.state == MemoryState::Active)
    }

    /// Returns the pairs of the active terms, as checks look for them.
    pub fn terms(&self) -> impl Iterator<Item = diglot_document::CheckedTerm<'_>> {
        self.active()
            .filter_map(|item| item.term.as_ref())
            .map(Term::checked)
    }

    /// Applies operations that one decision led to. An operation that is not grounded in the decision, names
    /// no item, or is malformed is refused and changes nothing.
    pub fn apply(
        &mut self,
        ops: Vec<MemoryOp>,
        evidence: &Evidence,
        languages: &LanguagePair,
    ) -> Applied {
        let mut applied = Applied::default();
        for op in ops {
            match self.apply_one(&op, evidence, languages, &mut applied) {
                Ok(()) => applied.ops.push(op),
                Err(reason) => applied.refused.push(reason),
            }
        }
        self.settle(&mut applied);
        applied
    }

    /// Lets one of two instructions hold that cannot both: the one learnt last, unless the person wrote the other.
    fn settle(&mut self, applied: &mut Applied) {
        let is_active = |item: &&MemoryItem| item.state == MemoryState::Active;
        let risen: Vec<MemoryItem> = applied.changed.iter().filter(is_active).cloned().collect();
        for mut new in risen {
            let is_against = |old: &MemoryItem| {
                old.id != new.id && old.state == MemoryState::Active && contradict(old, &new)
            };
            let mut yields = false;
            for old in self.items.iter_mut().filter(|old| is_against(old)) {
                if old.evidence.is_empty() {
                    yields = true;
                } else {
                    old.state = MemoryState::Off;
                    applied.note(old.clone());
                }
            }
            if yields && let Ok(item) = self.find_mut(new.id) {
                new.state = MemoryState::Suggested;
                item.state = MemoryState::Suggested;
                applied.note(new);
            }
        }
    }

    fn apply_one(
        &mut self,
        op: &MemoryOp,
        evidence: &Evidence,
        languages: &LanguagePair,
        applied: &mut Applied,
    ) -> Result<(), String> {
        match op {
            MemoryOp::Add { kind, text, term } => {
                self.add(*kind, text, term.as_ref(), evidence, languages, applied)
            }
            MemoryOp::Update { id, text, term } => {
                let item = self.find_mut(*id)?;
                if !item.may_be_said(text) {
                    let kind = item.kind;
                    return self.add(kind, text, term.as_ref(), evidence, languages, applied);
                }
                check_text(text)?;
                check_term(item.kind, term.as_ref(), evidence)?;
                text.trim().clone_into(&mut item.text);
                if term.is_some() {
                    item.term.clone_from(term);
                }
                item.learn(evidence);
                applied.note(item.clone());
                Ok(())
            }
            MemoryOp::Delete { id } => {
                let item = self.find_mut(*id)?;
                if item.evidence.is_empty() || item.state == MemoryState::Off {
                    return Err(format!("item {} is as the person left it and stays", id.0));
                }
                if item.state == MemoryState::Active {
                    item.state = MemoryState::Suggested;
                    item.updated_at = evidence.at;
                    applied.note(item.clone());
                    return Ok(());
                }
                self.items.retain(|item| item.id != *id);
                applied.changed.retain(|item| item.id != *id);
                applied.forgotten.push(*id);
                Ok(())
            }
        }
    }

    fn add(
        &mut self,
        kind: MemoryKind,
        text: &str,
        term: Option<&Term>,
        evidence: &Evidence,
        languages: &LanguagePair,
        applied: &mut Applied,
    ) -> Result<(), String> {
        check_text(text)?;
        let term = match term {
            None if kind == MemoryKind::Terminology => quoted_term(text, evidence),
            term => term.cloned(),
        };
        check_term(kind, term.as_ref(), evidence)?;
        let mut items = self.items.iter_mut();
        if let Some(twin) = items.find(|item| item.says(text, term.as_ref())) {
            twin.learn(evidence);
            applied.note(twin.clone());
            return Ok(());
        }
        let item = MemoryItem {
            id: MemoryId(self.next_id.max(1)),
            kind,
            text: text.trim().to_owned(),
            term,
            state: MemoryState::Suggested,
            languages: languages.clone(),
            evidence: vec![evidence.clone()],
            updated_at: evidence.at,
        };
        self.next_id = item.id.0 + 1;
        self.items.push(item.clone());
        applied.note(item);
        Ok(())
    }

    /// Gives up what one decision taught, since it was taken back: an item that it alone speaks for goes, and one that
    /// it made active is a suggestion again.
    pub fn unlearn(&mut self, evidence: &Evidence) -> Applied {
        let mut applied = Applied::default();
        self.items.retain_mut(|item| {
            if !item.evidence.iter().any(|known| known.is_same(evidence)) {
                return true;
            }
            item.evidence.retain(|known| !known.is_same(evidence));
            if item.evidence.is_empty() {
                applied.forgotten.push(item.id);
                return false;
            }
            // A person who switched the item since has the last word.
            let is_last_change = item.updated_at == evidence.at;
            if is_last_change
                && item.state == MemoryState::Active
                && item.evidence.len() < EDITS_TO_ACTIVATE
            {
                item.state = MemoryState::Suggested;
            }
            applied.changed.push(item.clone());
            true
        });
        applied
    }

    fn find_mut(&mut self, id: MemoryId) -> Result<&mut MemoryItem, String> {
        self.items
            .iter_mut()
            .find(|item| item.id == id)
            .ok_or_else(|| format!("there is no memory item {}", id.0))
    }
}

impl MemoryItem {
    /// Returns the item as a log keeps that a model was told of it: its evidence stays in memory alone, so
    /// that an entry does not grow with every decision that speaks for it.
    pub(crate) fn without_evidence(&self) -> Self {
        Self {
            id: self.id,
            kind: self.kind,
            text: self.text.clone(),
            term: self.term.clone(),
            state: self.state,
            languages: self.languages.clone(),
            evidence: Vec::new(),
            updated_at: self.updated_at,
        }
    }

    fn says(&self, text: &str, term: Option<&Term>) -> bool {
        self.text.trim().eq_ignore_ascii_case(text.trim())
            || matches!((&self.term, term), (Some(own), Some(term)) if own.is_same(term))
    }

    /// Tells whether a decision may give the item this text. What a person took or switched off keeps its words, and a
    /// suggestion keeps its meaning: else the words of a document would stand where others were agreed to.
    fn may_be_said(&self, text: &str) -> bool {
        let is_same = self.text.trim().eq_ignore_ascii_case(text.trim());
        is_same || self.state == MemoryState::Suggested && share(text, &self.text) >= REWORDED
    }

    /// Counts the decisions that speak for the item of their own. A pair is grounded in each. Any other instruction must
    /// hold a word that the person wrote, struck out or gave as a reason, and must not stand in the document: else a document
    /// that says what to learn would be obeyed.
    fn n_voices(&self) -> usize {
        let speaks = |evidence: &&Evidence| {
            self.kind == MemoryKind::Terminology
                || share(&self.text, &evidence.source) < REPEATED
                    && own_words(evidence)
                        .iter()
                        .any(|word| holds_word(&self.text, word))
        };
        self.evidence.iter().filter(speaks).count()
    }

    /// Adds evidence once per decision, and activates an item for which enough decisions speak.
    fn learn(&mut self, evidence: &Evidence) {
        if !self.evidence.iter().any(|old| old.is_same(evidence)) {
            self.evidence.push(evidence.clone());
        }
        if self.state == MemoryState::Suggested && self.n_voices() >= EDITS_TO_ACTIVATE {
            self.state = MemoryState::Active;
        }
        self.updated_at = evidence.at;
    }
}

impl Applied {
    fn note(&mut self, item: MemoryItem) {
        self.changed.retain(|old| old.id != item.id);
        self.changed.push(item);
    }
}

/// Checks the text of an item that a model or a person gives.
///
/// # Errors
/// A sentence that says what is wrong.
pub fn check_text(text: &str) -> Result<(), String> {
    let text = text.trim();
    if text.is_empty() {
        return Err("a memory item needs a text".to_owned());
    }
    if diglot_document::shorten(text, limits::MEMORY_ITEM) != text {
        return Err(format!(
            "a memory item has at most {} characters",
            limits::MEMORY_ITEM
        ));
    }
    if text.chars().any(char::is_control) {
        return Err("a memory item is one line without control characters".to_owned());
    }
    let lower = text.to_lowercase();
    if lower.contains("://") || lower.contains("www.") {
        return Err("a memory item holds no web address".to_owned());
    }
    if text.split_whitespace().any(is_path) {
        return Err("a memory item holds no file path".to_owned());
    }
    if let Some(name) = crate::tools::NAMES.iter().find(|name| names(text, name)) {
        return Err(format!("a memory item does not name the tool {name}"));
    }
    Ok(())
}

/// Tells whether a text names a tool. Some are plain words, which may begin a sentence: "Translate x as y".
fn names(text: &str, tool: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(tool).any(|(at, _)| {
        let (before, after) = (text.get(..at), text.get(at + tool.len()..));
        let (before, after) = (before.unwrap_or_default(), after.unwrap_or_default());
        let begins =
            before.trim_end().is_empty() || before.trim_end().ends_with(['.', '!', '?', ':', ';']);
        let is_whole = !before.ends_with(is_word) && !after.starts_with(is_word);
        is_whole && (!begins || tool == "LS")
    })
}

/// Tells whether a word looks like a path of a file system, not like `and/or` or `1/2`.
fn is_path(word: &str) -> bool {
    word.starts_with('/') && word.len() > 1
        || word.starts_with("~/")
        || word.contains("../")
        || word.contains(":\\")
}

#[cfg(test)]
mod tests;
