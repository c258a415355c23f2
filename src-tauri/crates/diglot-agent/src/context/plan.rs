//! What must happen next, and the bounds of a run.

use std::collections::{BTreeSet, HashSet};

use diglot_document::TermStatus;

use super::{Context, DocumentState, Window};
use crate::agent_loop::{Actor, FinishReason};
use crate::entry::{Chunk, ChunkMatch, Entry, Lesson, Seq};
use crate::guide::GuideNote;
use crate::limits;
use crate::matches::Matches;
use crate::memory::{Memory, MemoryItem, MemoryKind};
use crate::message::{CallId, Message};
use crate::model::{OpenUnit, Outlook};
use crate::terms::Glossary;
use crate::tools::read::unit_line;
use crate::workspace::ProjectPath;

/// Says what the next step does; a pure function of the log (SPEC 2).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Plan {
    /// Nothing: a person must act.
    AwaitUser(FinishReason),
    /// Answers these calls.
    RunTools(Vec<CallId>),
    /// Learns from the decision on this call.
    ExtractMemory(CallId),
    /// Asks the model.
    AskModel,
}

impl Context {
    /// Works out what the next step does.
    pub fn plan(&self) -> Plan {
        if self.seq() == Seq(0) {
            return Plan::AwaitUser(FinishReason::Empty);
        }
        let runnable: Vec<CallId> = self
            .open_calls
            .iter()
            .filter(|id| !self.is_waiting(id))
            .cloned()
            .collect();
        if !runnable.is_empty() {
            return Plan::RunTools(runnable);
        }
        if let Some(id) = self.extractions.front() {
            return Plan::ExtractMemory(id.clone());
        }
        self.rest()
    }

    /// Works out what follows when nothing but a person or the model can go on.
    fn rest(&self) -> Plan {
        if self.pending().next().is_some() {
            return Plan::AwaitUser(FinishReason::Waiting);
        }
        if !self.model_has_turn {
            return Plan::AwaitUser(self.end_of_turn());
        }
        match self.stopped_by() {
            Some(reason) => Plan::AwaitUser(reason),
            None => Plan::AskModel,
        }
    }

    /// Tells who must act next; an open request means the person, whatever else there is to do.
    pub fn actor(&self) -> Actor {
        if self.pending().any(|id| self.is_waiting(id)) {
            return Actor::User;
        }
        match self.plan() {
            Plan::AwaitUser(_) => Actor::User,
            Plan::RunTools(_) | Plan::ExtractMemory(_) | Plan::AskModel => Actor::Agent,
        }
    }

    /// Says why the agent does not go on, or `None` while it does.
    pub fn finish(&self) -> Option<FinishReason> {
        match self.plan() {
            Plan::AwaitUser(reason) => Some(reason),
            Plan::RunTools(_) | Plan::ExtractMemory(_) | Plan::AskModel => None,
        }
    }

    fn end_of_turn(&self) -> FinishReason {
        if self.is_complete() {
            FinishReason::Complete
        } else {
            FinishReason::TurnEnded
        }
    }

    /// Tells whether every listed document was read and every unit is confirmed.
    pub fn is_complete(&self) -> bool {
        self.n_confirmed == self.n_units
            && self.unread().next().is_none()
            && self.unlisted().next().is_none()
    }

    fn stopped_by(&self) -> Option<FinishReason> {
        let guard = &self.guard;
        if guard.most_repeated >= limits::IDENTICAL_CALLS {
            return Some(FinishReason::RepeatedCall);
        }
        if guard.n_refused_turns >= limits::REFUSALS_IN_A_ROW {
            return Some(FinishReason::RefusedCalls);
        }
        if guard.n_steps >= limits::STEPS_WITHOUT_DECISION {
            return Some(FinishReason::StepLimit);
        }
        self.is_spent().then_some(FinishReason::TokenCap)
    }

    /// Returns the folders seen in listings, and the project folder, that were not listed.
    fn unlisted(&self) -> impl Iterator<Item = ProjectPath> {
        let root = self.listed.is_empty().then(ProjectPath::root);
        root.into_iter().chain(self.listed.unlisted().cloned())
    }

    /// Works out the window that the next request opens with, when it needs a new one.
    pub fn next_chunk(
        &self,
        memory: &Memory,
        matches: &dyn Matches,
        glossary: &Glossary<'_>,
    ) -> Option<Chunk> {
        let path = match (&self.window, &self.wanted) {
            (_, Some(path)) => self.unfinished_from(Some(path)),
            (None, None) => None,
            (Some(window), None)
                if self.reopens || self.has_other_guides(window) || self.is_worn_out(window) =>
            {
                self.unfinished_from(window.chunk.path.as_ref())
            }
            (Some(_), None) => return None,
        };
        let chunk = Chunk {
            path: path.clone(),
            from_unit: 1,
            to_unit: 0,
            memory: general(memory).map(MemoryItem::as_told).collect(),
            pairs: Vec::new(),
            confirmed: Vec::new(),
            matches: Vec::new(),
            terms: Vec::new(),
            waived: Vec::new(),
            next: self.next_text(path.as_ref()),
            guides: self.guide_notes().cloned().collect(),
        };
        Some(match &path {
            Some(path) => self.with_block(chunk, path, matches, glossary),
            None => chunk,
        })
    }

    /// Puts the source block of a document into a chunk, and what goes with it.
    fn with_block(
        &self,
        chunk: Chunk,
        path: &ProjectPath,
        matches: &dyn Matches,
        glossary: &Glossary<'_>,
    ) -> Chunk {
        let Some(document) = self.documents.get(path) else {
            return chunk;
        };
        let (from_unit, to_unit) = self.block(document);
        let is_confirmed = |unit: &usize| {
            let unit = document.units.get(unit - 1);
            unit.is_some_and(|unit| unit.state.is_confirmed())
        };
        let (confirmed, open): (Vec<usize>, Vec<usize>) =
            (from_unit..=to_unit).partition(is_confirmed);
        let found = |unit: usize| {
            let source = &document.segments().get(unit - 1)?.source;
            let found = matches.find(source).into_iter().next()?;
            Some(ChunkMatch { unit, found })
        };
        let pairs = self.pairs_before(path, from_unit).into_iter();
        let pairs = pairs.map(|(source, target)| (source.to_owned(), target.to_owned()));
        let at_hand = self.terms_of(document, open.iter().copied(), glossary);
        Chunk {
            from_unit,
            to_unit,
            pairs: pairs.collect(),
            confirmed,
            matches: open.into_iter().filter_map(found).collect(),
            terms: at_hand.entries,
            waived: at_hand.waived,
            ..chunk
        }
    }

    /// Says what is to be done next: a unit, a document, a folder, or nothing.
    pub(crate) fn next_text(&self, path: Option<&ProjectPath>) -> String {
        if let Some(path) = self.unfinished_from(path) {
            return crate::tools::next_open_text(self, &path);
        }
        if let Some(path) = self.unread().next() {
            return format!("Call Read with file_id \"{path}\".");
        }
        match self.unlisted().next() {
            Some(folder) => format!("Call LS with path \"{folder}\" to see the files."),
            None => "No unit is open. Say that you are done.".to_owned(),
        }
    }

    fn guide_notes(&self) -> impl Iterator<Item = &GuideNote> {
        self.settings.guides.iter().map(|guide| &guide.note)
    }

    /// Tells whether the person changed the guides since the window began.
    fn has_other_guides(&self, window: &Window) -> bool {
        !window.chunk.guides.iter().eq(self.guide_notes())
    }

    fn is_worn_out(&self, window: &Window) -> bool {
        let full = window.chunk.path.is_some() && window.n_confirmed >= self.chunk_units();
        full || window.n_bytes >= self.halved(limits::TURN_BYTES)
            || self.has_passed(window)
            || self.is_exhausted(window)
    }

    /// Tells whether the document at hand has nothing open, so that its turns are of no use for what follows.
    fn is_exhausted(&self, window: &Window) -> bool {
        let document = window
            .chunk
            .path
            .as_ref()
            .and_then(|path| self.documents.get(path));
        document.is_some_and(|document| document.next_open().is_none())
    }

    /// Tells whether the next open unit stands behind the source block, so that the model does not see it.
    fn has_passed(&self, window: &Window) -> bool {
        let Some(path) = &window.chunk.path else {
            return false;
        };
        let next = self.documents.get(path).and_then(DocumentState::next_open);
        next.is_some_and(|next| next + 1 > window.chunk.to_unit)
    }

    /// Returns the first document with open units, preferring the one at hand.
    fn unfinished_from(&self, at_hand: Option<&ProjectPath>) -> Option<ProjectPath> {
        let has_open = |path: &&ProjectPath| {
            let document = self.documents.get(*path);
            document.is_some_and(|document| document.next_open().is_some())
        };
        at_hand
            .filter(has_open)
            .or_else(|| self.unfinished().next())
            .cloned()
    }

    /// Returns first and last unit of the source block that begins at the next open unit.
    fn block(&self, document: &DocumentState) -> (usize, usize) {
        let Some(first) = document.next_open() else {
            return (1, 0);
        };
        let n_units = self.chunk_units() + self.look_ahead().max(self.halved(8));
        let most = self.halved(limits::CHUNK_BYTES);
        let mut n_bytes = 0;
        let within = document
            .segments()
            .iter()
            .skip(first)
            .take(n_units)
            .take_while(|segment| {
                let unit = document.units().get(segment.ordinal);
                let former = unit.and_then(|unit| unit.former.as_deref());
                let length = unit_line(segment, None, former).len();
                let fits = n_bytes == 0 || n_bytes + length <= most;
                n_bytes += length;
                fits
            });
        (first + 1, first + within.count())
    }

    /// Works out what the model must be told beside the conversation since the window began.
    pub fn next_lesson(&self, memory: &Memory, glossary: &Glossary<'_>) -> Option<Lesson> {
        let window = self.window.as_ref()?;
        let items: Vec<MemoryItem> = general(memory)
            .filter(|item| {
                let told = window.told.get(&item.id.0);
                told.is_none_or(|told| told.text != item.text)
            })
            .map(MemoryItem::as_told)
            .collect();
        let active: HashSet<&str> = memory.active().map(|item| item.text.as_str()).collect();
        let ceased = window.told.values().map(|told| &told.text);
        let ceased = ceased.filter(|text| !active.contains(text.as_str()));
        let withdrawn: Vec<String> = ceased
            .collect::<BTreeSet<_>>()
            .into_iter()
            .cloned()
            .collect();
        let (at_hand, ended_terms) = self.changed_terms(window, glossary);
        let units = self.notes();
        let next = (self.goes_on() || !units.is_empty())
            .then(|| self.next_text(window.chunk.path.as_ref()));
        let has_terms =
            !(at_hand.entries.is_empty() && at_hand.waived.is_empty() && ended_terms.is_empty());
        let is_empty = items.is_empty() && withdrawn.is_empty() && next.is_none() && !has_terms;
        (!is_empty).then_some(Lesson {
            items,
            withdrawn,
            next,
            units,
            terms: at_hand.entries,
            ended_terms,
            waived: at_hand.waived,
        })
    }

    /// Tells whether the person lets the model go on after it ended its turn, so that it is told where.
    fn goes_on(&self) -> bool {
        let mut messages = self.turns().iter().rev().filter_map(|entry| {
            if let Entry::Message(message) = entry.as_ref() {
                Some(message)
            } else {
                None
            }
        });
        let last_is_user = matches!(messages.next(), Some(Message::User { .. }));
        last_is_user && matches!(messages.next(), Some(Message::Assistant { .. }))
    }

    /// Tells what is left to do, for a model that works without language.
    pub fn outlook(&self, glossary: &Glossary<'_>) -> Outlook {
        let bound = limits::PAGE_UNITS;
        let unfinished: Vec<ProjectPath> = self.unfinished().take(bound).cloned().collect();
        let next_units = unfinished
            .first()
            .map_or_else(Vec::new, |path| self.open_units(path));
        let at_hand = unfinished
            .first()
            .map_or_else(Vec::new, |path| self.terms_next(path, glossary).entries);
        let preferred = at_hand
            .into_iter()
            .filter(|term| term.status == TermStatus::Preferred);
        Outlook {
            languages: self.settings.languages.clone(),
            unlisted: self.unlisted().take(bound).collect(),
            unread: self.unread().take(bound).cloned().collect(),
            unfinished,
            next_units,
            terms: preferred.map(|term| (term.source, term.target)).collect(),
        }
    }

    fn open_units(&self, path: &ProjectPath) -> Vec<OpenUnit> {
        let Some(document) = self.documents.get(path) else {
            return Vec::new();
        };
        document
            .open_from(0)
            .take(self.look_ahead().max(1))
            .filter_map(|ordinal| {
                let source = document.segments().get(ordinal)?.source.clone();
                let repeat = self.repeats.get(source.as_str()).map(ToString::to_string);
                let rejected = document.units.get(ordinal)?.rejected.clone();
                Some(OpenUnit {
                    path: path.clone(),
                    unit: ordinal + 1,
                    source,
                    repeat,
                    rejected: rejected.map(|rejected| rejected.draft.clone()),
                })
            })
            .collect()
    }
}

/// Lists what a model is told of memory whatever the units are: all but terms, which go with the units that have them.
fn general(memory: &Memory) -> impl Iterator<Item = &MemoryItem> {
    let is_term = |item: &MemoryItem| item.kind == MemoryKind::Terminology && item.term.is_some();
    memory.active().filter(move |item| !is_term(item))
}
