//! What must happen next, and the bounds of a run.

use super::{Context, Window};
use crate::agent_loop::{Actor, FinishReason};
use crate::entry::{Chunk, ChunkMatch, Entry, Lesson};
use crate::limits;
use crate::matches::Matches;
use crate::memory::{Memory, MemoryItem};
use crate::message::{CallId, Message};
use crate::model::{OpenUnit, Outlook};
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
        if self.log.is_empty() {
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
        if !self.open_calls.is_empty() {
            return Plan::AwaitUser(FinishReason::Waiting);
        }
        if !self.model_has_turn() {
            return Plan::AwaitUser(self.end_of_turn());
        }
        match self.stopped_by() {
            Some(reason) => Plan::AwaitUser(reason),
            None => Plan::AskModel,
        }
    }

    /// Tells who must act next; an open request means the person, whatever else there is to do.
    pub fn actor(&self) -> Actor {
        if self.open_calls.iter().any(|id| self.is_waiting(id)) {
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

    fn model_has_turn(&self) -> bool {
        let last = self.log.iter().rev().find_map(|entry| {
            if let Entry::Message(message) = entry.as_ref() {
                Some(message)
            } else {
                None
            }
        });
        match last {
            Some(Message::User { .. } | Message::Tool(_)) => true,
            Some(Message::Assistant { .. }) | None => false,
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
        !self.folders.is_empty()
            && self.n_confirmed == self.n_units
            && self.unread().next().is_none()
            && self.unlisted().is_empty()
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
        let cap = self.settings.token_cap?;
        (self.usage.total() >= cap).then_some(FinishReason::TokenCap)
    }

    /// Returns the folders seen in listings, and the project folder, that were not listed.
    fn unlisted(&self) -> Vec<ProjectPath> {
        if self.folders.is_empty() {
            return vec![ProjectPath::root()];
        }
        let is_folder = |entry: &&crate::workspace::DirEntry| {
            entry.kind == crate::workspace::DirEntryKind::Folder
        };
        let folders = self
            .listed
            .iter()
            .filter(is_folder)
            .map(|entry| &entry.path);
        folders
            .filter(|path| !self.folders.contains(*path))
            .cloned()
            .collect()
    }

    /// Works out the window that the next request opens with, when it needs a new one.
    pub fn next_chunk(&self, memory: &Memory, matches: &dyn Matches) -> Option<Chunk> {
        let path = match (&self.window, &self.wanted) {
            (_, Some(path)) => Some(path.clone()),
            (None, None) => None,
            (Some(window), None) if self.is_worn_out(window) => self.chunk_path(window),
            (Some(_), None) => return None,
        };
        let (from, to) = path.as_ref().map_or((1, 0), |path| self.block(path));
        let found = path.as_ref().map_or_else(Vec::new, |path| {
            let document = self.documents.get(path);
            let sources = (from..=to).filter_map(|unit| {
                Some((unit, document?.segments().get(unit - 1)?.source.as_str()))
            });
            sources
                .filter_map(|(unit, source)| {
                    let found = matches.find(source).into_iter().next()?;
                    Some(ChunkMatch { unit, found })
                })
                .collect()
        });
        let memory = memory.active().cloned().collect();
        Some(Chunk {
            path,
            from_unit: from,
            to_unit: to,
            memory,
            matches: found,
        })
    }

    fn is_worn_out(&self, window: &Window) -> bool {
        let full = window.chunk.path.is_some() && window.n_confirmed >= self.settings.chunk_units;
        full || window.n_bytes >= limits::TURN_BYTES || self.has_passed(window)
    }

    /// Tells whether the next open unit stands behind the source block, so that the model does not see it.
    fn has_passed(&self, window: &Window) -> bool {
        let Some(path) = &window.chunk.path else {
            return false;
        };
        let next = self
            .documents
            .get(path)
            .and_then(super::DocumentState::next_open);
        next.is_some_and(|next| next + 1 > window.chunk.to_unit)
    }

    fn chunk_path(&self, window: &Window) -> Option<ProjectPath> {
        let has_open = |path: &&ProjectPath| {
            self.documents
                .get(*path)
                .is_some_and(|doc| doc.next_open().is_some())
        };
        window
            .chunk
            .path
            .iter()
            .chain(&self.read_order)
            .find(has_open)
            .cloned()
    }

    /// Returns first and last unit of the source block that begins at the next open unit.
    pub(crate) fn block(&self, path: &ProjectPath) -> (usize, usize) {
        let Some(document) = self.documents.get(path) else {
            return (1, 0);
        };
        let Some(first) = document.next_open() else {
            return (1, 0);
        };
        let n_units = self.settings.chunk_units + self.settings.look_ahead.max(8);
        let mut n_bytes = 0;
        let within = document
            .segments()
            .iter()
            .skip(first)
            .take(n_units)
            .take_while(|segment| {
                let fits = n_bytes == 0 || n_bytes + segment.source.len() <= limits::CHUNK_BYTES;
                n_bytes += segment.source.len();
                fits
            });
        (first + 1, first + within.count())
    }

    /// Works out what the model must be told of changes in the active memory since the window began.
    pub fn next_lesson(&self, memory: &Memory) -> Option<Lesson> {
        let window = self.window.as_ref()?;
        let active: Vec<&MemoryItem> = memory.active().collect();
        let items: Vec<MemoryItem> = active
            .iter()
            .filter(|item| window.told.get(&item.id.0) != Some(&item.text))
            .map(|item| (*item).clone())
            .collect();
        let still = |id: &i64, text: &String| {
            active
                .iter()
                .any(|item| item.id.0 == *id && item.text == *text)
        };
        let withdrawn: Vec<String> = window
            .told
            .iter()
            .filter(|(id, text)| !still(id, text))
            .map(|(_, text)| text.clone())
            .collect();
        (!items.is_empty() || !withdrawn.is_empty()).then_some(Lesson { items, withdrawn })
    }

    /// Tells what is left to do, for a model that works without language.
    pub fn outlook(&self, memory: &Memory) -> Outlook {
        let unfinished: Vec<ProjectPath> = self
            .documents()
            .filter(|(_, document)| document.next_open().is_some())
            .map(|(path, _)| path.clone())
            .collect();
        let next_units = unfinished
            .first()
            .map_or_else(Vec::new, |path| self.open_units(path));
        let terms = memory.active().filter_map(|item| item.term.clone());
        Outlook {
            languages: self.settings.languages.clone(),
            unlisted: self.unlisted(),
            unread: self.unread().take(limits::PAGE_UNITS).cloned().collect(),
            unfinished,
            next_units,
            terms: terms.map(|term| (term.source, term.target)).collect(),
        }
    }

    fn open_units(&self, path: &ProjectPath) -> Vec<OpenUnit> {
        let Some(document) = self.documents.get(path) else {
            return Vec::new();
        };
        document
            .open_from(0)
            .take(self.settings.look_ahead.max(1))
            .filter_map(|ordinal| {
                let source = document.segments().get(ordinal)?.source.clone();
                let repeat = self.repeats.get(source.as_str()).map(ToString::to_string);
                let rejected = document.units.get(ordinal)?.rejected.clone();
                Some(OpenUnit {
                    path: path.clone(),
                    unit: ordinal + 1,
                    source,
                    repeat,
                    rejected: rejected.map(|rejected| rejected.draft),
                })
            })
            .collect()
    }
}
