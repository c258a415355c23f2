//! What the agent learnt from a person's decisions: items, their evidence, and how operations apply.

use diglot_document::LanguagePair;
use serde::{Deserialize, Serialize};

pub mod extract;

mod align;
mod conflict;
mod form;
mod grounding;
mod item;
mod tally;
mod text;

pub use conflict::Conflict;
pub use form::{CheckedRule, Form};
pub use item::{Evidence, MemoryId, MemoryItem, MemoryKind, MemoryState, Scope, Term, Wording};
pub use tally::{Chance, Outcome, Tally};
pub use text::check_text;

use conflict::same_sentence;
use grounding::{
    check_term, grounded_wording, holds_own_mark, holds_word, is_opposite, own_words, quoted_term,
    quoted_wording, share,
};

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
        /// The wording, where the instruction is one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        wording: Option<Wording>,
    },
    /// Says an item better, or gives it more evidence.
    Update {
        /// Which.
        id: MemoryId,
        /// The instruction.
        text: String,
        /// The pair, for terminology.
        term: Option<Term>,
        /// The wording, where the instruction is one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        wording: Option<Wording>,
    },
    /// Takes an item back.
    Delete {
        /// Which.
        id: MemoryId,
    },
}

/// Holds what an operation says of an item.
struct Said<'a> {
    text: &'a str,
    term: Option<&'a Term>,
    wording: Option<&'a Wording>,
}

/// Holds the items that hold for one language pair in one project.
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
    /// Returns the items that are sent to a model: the active ones, and of two that disagree the one that holds until the
    /// person has settled it.
    pub fn active(&self) -> impl Iterator<Item = &MemoryItem> {
        let held_back = self.held_back();
        self.items
            .iter()
            .filter(move |item| item.state == MemoryState::Active && !held_back.contains(&item.id))
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
        applied
    }

    fn apply_one(
        &mut self,
        op: &MemoryOp,
        evidence: &Evidence,
        languages: &LanguagePair,
        applied: &mut Applied,
    ) -> Result<(), String> {
        match op {
            MemoryOp::Add {
                kind,
                text,
                term,
                wording,
            } => {
                let said = Said::new(text, term.as_ref(), wording.as_ref());
                self.add(*kind, &said, evidence, languages, applied)
            }
            MemoryOp::Update {
                id,
                text,
                term,
                wording,
            } => {
                let said = Said::new(text, term.as_ref(), wording.as_ref());
                let item = self.find_mut(*id)?;
                if item.may_be_said(text) {
                    check_text(text)?;
                    check_term(item.kind, term.as_ref(), evidence)?;
                    item.say(&said, evidence);
                    self.speak_for(*id, evidence, applied);
                    return Ok(());
                }
                let kind = item.kind;
                self.add(kind, &said, evidence, languages, applied)
            }
            MemoryOp::Delete { id } => self.speak_against(*id, evidence, applied),
        }
    }

    fn add(
        &mut self,
        kind: MemoryKind,
        said: &Said<'_>,
        evidence: &Evidence,
        languages: &LanguagePair,
        applied: &mut Applied,
    ) -> Result<(), String> {
        check_text(said.text)?;
        if is_opposite(said.text, said.wording, evidence) {
            return Err("an instruction says the opposite of the decision".to_owned());
        }
        let term = match said.term {
            None if kind == MemoryKind::Terminology => quoted_term(said.text, evidence),
            term => term.cloned(),
        };
        check_term(kind, term.as_ref(), evidence)?;
        let said = Said {
            term: term.as_ref(),
            ..*said
        };
        let mut items = self.items.iter();
        let id = match items.find(|item| item.says(&said)) {
            Some(twin) => twin.id,
            None => self.make(kind, &said, evidence, languages),
        };
        self.speak_for(id, evidence, applied);
        Ok(())
    }

    /// Adds an item that nothing speaks for yet.
    fn make(
        &mut self,
        kind: MemoryKind,
        said: &Said<'_>,
        evidence: &Evidence,
        languages: &LanguagePair,
    ) -> MemoryId {
        let id = MemoryId(self.next_id.max(1));
        let mut item = MemoryItem {
            id,
            state: MemoryState::Suggested,
            ..MemoryItem::by_hand(kind, languages.clone())
        };
        item.say(said, evidence);
        self.next_id = id.0 + 1;
        self.items.push(item);
        id
    }

    /// Gives an item a decision as evidence, and counts what that says against others.
    fn speak_for(&mut self, id: MemoryId, evidence: &Evidence, applied: &mut Applied) {
        let Ok(item) = self.find_mut(id) else { return };
        let was_active = item.state == MemoryState::Active;
        item.learn(evidence);
        applied.note(item.clone());
        let item = item.clone();
        let is_against = |old: &&MemoryItem| {
            let is_free = old.form().is_none() && old.state == MemoryState::Active;
            is_free && old.id != id && same_sentence(old, &item)
        };
        let against: Vec<MemoryId> = self
            .items
            .iter()
            .filter(is_against)
            .map(|old| old.id)
            .collect();
        // Texts tell of the other rules, whatever a model says.
        let is_met = was_active && item.form().is_none();
        let met = is_met.then_some((id, Outcome::Met));
        let overridden = against.into_iter().map(|old| (old, Outcome::Overridden));
        self.witness(met.into_iter().chain(overridden), evidence, applied);
    }

    /// Hears that a decision goes against an item: a suggestion goes, and a rule counts it.
    fn speak_against(
        &mut self,
        id: MemoryId,
        evidence: &Evidence,
        applied: &mut Applied,
    ) -> Result<(), String> {
        let item = self.find_mut(id)?;
        match item.state {
            MemoryState::Suggested => {
                self.items.retain(|item| item.id != id);
                applied.changed.retain(|item| item.id != id);
                applied.forgotten.push(id);
                Ok(())
            }
            MemoryState::Active if !item.evidence.is_empty() && item.form().is_none() => {
                let own = own_words(evidence);
                // A change of marks alone has no words.
                if !own.is_empty() && !own.iter().any(|word| holds_word(&item.text, word)) {
                    return Err(format!("the decision does not speak of item {}", id.0));
                }
                self.witness([(id, Outcome::Overridden)], evidence, applied);
                Ok(())
            }
            MemoryState::Active | MemoryState::Off | MemoryState::Suspended => {
                Err(format!("item {} is for the person to take back", id.0))
            }
        }
    }

    fn witness(
        &mut self,
        outcomes: impl IntoIterator<Item = (MemoryId, Outcome)>,
        evidence: &Evidence,
        applied: &mut Applied,
    ) {
        let chance = |(id, outcome)| (id, evidence.chance(outcome));
        let chances: Vec<(MemoryId, Chance)> = outcomes.into_iter().map(chance).collect();
        for id in self.count(&chances, evidence.at) {
            if let Ok(item) = self.find_mut(id) {
                applied.note(item.clone());
            }
        }
    }

    /// Gives up what one decision taught, since it was taken back: an item that it alone speaks for goes, and one that
    /// it made active is a suggestion again. What a model said of rules goes with it.
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
        let witnessed = |item: &MemoryItem| {
            let known = item.tally.known(evidence)?;
            item.form().is_none().then(|| (item.id, known.clone()))
        };
        let chances: Vec<(MemoryId, Chance)> = self.items.iter().filter_map(witnessed).collect();
        for id in self.uncount(&chances, evidence.at) {
            if let Ok(item) = self.find_mut(id) {
                applied.note(item.clone());
            }
        }
        applied
    }

    fn find_mut(&mut self, id: MemoryId) -> Result<&mut MemoryItem, String> {
        self.items
            .iter_mut()
            .find(|item| item.id == id)
            .ok_or_else(|| format!("there is no memory item {}", id.0))
    }
}

impl<'a> Said<'a> {
    fn new(text: &'a str, term: Option<&'a Term>, wording: Option<&'a Wording>) -> Self {
        Self {
            text,
            term,
            wording,
        }
    }
}

impl MemoryItem {
    /// Takes what an operation says, while nobody agreed to other words. A wording that the decision does not bear out is left out: texts would be held
    /// against it.
    fn say(&mut self, said: &Said<'_>, evidence: &Evidence) {
        if self.state != MemoryState::Suggested {
            return;
        }
        said.text.trim().clone_into(&mut self.text);
        if let Some(term) = said.term {
            self.term = Some(term.clone());
        }
        if self.term.is_none() {
            let wording = said.wording.filter(|said| grounded_wording(said, evidence));
            let wording = wording
                .cloned()
                .or_else(|| quoted_wording(said.text, evidence));
            self.wording = wording.or(self.wording.take());
        }
    }

    fn says(&self, said: &Said<'_>) -> bool {
        let is_same = |text: &str| self.text.trim().eq_ignore_ascii_case(text.trim());
        is_same(said.text)
            || matches!((&self.term, said.term), (Some(own), Some(term)) if own.is_same(term))
            || matches!((&self.wording, said.wording), (Some(own), Some(wording)) if own == wording)
    }

    /// Tells whether a decision may give the item this text. What a person took or switched off keeps its words, and a
    /// suggestion keeps its meaning: else the words of a document would stand where others were agreed to.
    fn may_be_said(&self, text: &str) -> bool {
        let is_same = self.text.trim().eq_ignore_ascii_case(text.trim());
        is_same || self.state == MemoryState::Suggested && share(text, &self.text) >= REWORDED
    }

    /// Counts the decisions that speak for the item of their own. A pair is grounded in each. Any other instruction must
    /// hold a word or mark that the person wrote, struck out or gave as a reason, and must not stand in the document: else a document
    /// that says what to learn would be obeyed.
    fn n_voices(&self) -> usize {
        let speaks = |evidence: &&Evidence| {
            self.kind == MemoryKind::Terminology
                || share(&self.text, &evidence.source) < REPEATED
                    && (own_words(evidence)
                        .iter()
                        .any(|word| holds_word(&self.text, word))
                        || holds_own_mark(&self.text, evidence))
        };
        self.evidence.iter().filter(speaks).count()
    }

    /// Adds evidence once per decision, and activates an item for which enough decisions speak.
    fn learn(&mut self, evidence: &Evidence) {
        self.keep(evidence);
        if self.state == MemoryState::Suggested && self.n_voices() >= EDITS_TO_ACTIVATE {
            self.state = MemoryState::Active;
        }
        self.updated_at = evidence.at;
    }
}

impl Evidence {
    /// Records what became of an item in this decision.
    fn chance(&self, outcome: Outcome) -> Chance {
        Chance {
            session: self.session,
            call_id: self.call_id.clone(),
            outcome,
        }
    }
}

impl Applied {
    pub(crate) fn note(&mut self, item: MemoryItem) {
        self.changed.retain(|old| old.id != item.id);
        self.changed.push(item);
    }

    /// Notes items as memory has them now.
    pub(crate) fn note_all(&mut self, memory: &Memory, ids: &[MemoryId]) {
        let is_among = |item: &&MemoryItem| ids.contains(&item.id);
        for item in memory.items.iter().filter(is_among) {
            self.note(item.clone());
        }
    }

    /// Adds what became of later operations.
    pub(crate) fn join(&mut self, later: Self) {
        self.ops.extend(later.ops);
        self.refused.extend(later.refused);
        self.changed
            .retain(|item| !later.forgotten.contains(&item.id));
        self.forgotten.extend(later.forgotten);
        for item in later.changed {
            self.note(item);
        }
    }
}

#[cfg(test)]
mod tests;
