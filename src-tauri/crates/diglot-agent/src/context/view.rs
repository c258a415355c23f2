//! What the prompt shows of the context: the window, the last confirmed pairs, the person's words.

use std::sync::Arc;

use diglot_document::{Origin, WhenMissing, missing_characters, render_target_with};

use super::{Context, Window};
use crate::copilot::{CopilotResponse, Decision, DecisionMode};
use crate::entry::{Chunk, Entry, UnitRef};
use crate::limits;
use crate::memory::{Chance, Evidence, Memory, MemoryId};
use crate::message::CallId;
use crate::prompt::cut;
use crate::workspace::ProjectPath;

impl Context {
    /// Returns the chunk of the window, if one was opened.
    pub fn chunk(&self) -> Option<&Arc<Chunk>> {
        self.window.as_ref().map(|window: &Window| &window.chunk)
    }

    /// Returns the pages of guides that were given in the window: hash of the guide, and page.
    pub(crate) fn given_guides(&self) -> &[(String, usize)] {
        let window = self.window.as_ref();
        window.map_or(&[], |window| window.guides.as_slice())
    }

    /// Returns the entries of the window, in order; all of the log before the first chunk.
    pub fn turns(&self) -> &[Arc<Entry>] {
        let start = self.window.as_ref().map_or(0, |window| window.start);
        self.log.since(start)
    }

    /// Returns the person's last messages and answers before a position of the log, oldest first, within the bounds of
    /// [`limits`]. The latest is always there, cut with an ellipsis where it is very long.
    pub fn earlier_messages(&self, before: usize) -> Vec<String> {
        self.messages_before(before, self.halved(limits::LATEST_BYTES))
    }

    /// Returns what [`Context::earlier_messages`] does, the latest within so many bytes.
    pub(crate) fn messages_before(&self, before: usize, latest: usize) -> Vec<String> {
        let mut n_bytes = 0;
        let said = self.said.iter().rev();
        let mut texts: Vec<String> = said
            .filter(|(place, _)| *place < before)
            .take(limits::REPEATED_MESSAGES)
            .map(|(_, text)| text)
            .enumerate()
            .take_while(|(age, text)| {
                n_bytes += if *age == 0 { 0 } else { text.len() };
                n_bytes <= limits::REPEATED_BYTES
            })
            .map(|(_, text)| cut(text, latest))
            .collect();
        texts.reverse();
        texts
    }

    /// Returns an answer of the person with its question.
    pub(super) fn answered(&self, response: &CopilotResponse) -> Option<String> {
        let Decision::Answer { choice, text } = &response.decision else {
            return None;
        };
        let ask = crate::tools::ask::read(&self.calls.get(&response.call_id)?.call).ok()?;
        let given: Vec<&str> = [choice, text]
            .into_iter()
            .flatten()
            .map(String::as_str)
            .collect();
        Some(format!("{} (asked: {})", given.join(", "), ask.question))
    }

    /// Returns the characters of a target that its document cannot hold in the way that the person chose for
    /// it; `None` when it holds all.
    pub fn unencodable(&self, unit: &UnitRef, target: &str) -> Option<String> {
        let document = &self.documents.get(&unit.path)?.document;
        let ordinal = unit.unit.checked_sub(1)?;
        let lost = missing_characters(document, ordinal, target)?;
        let choice = self.settings.when_missing.get(&unit.path).copied();
        if choice.unwrap_or_default() == WhenMissing::Refuse {
            return Some(lost);
        }
        let alone = |other| (other == ordinal).then_some(target);
        let refused = render_target_with(document, choice.unwrap_or_default(), alone).err();
        refused.map(|error| error.characters)
    }

    /// Returns where the window begins in the log; the end of the log when the next request opens one.
    pub fn window_start(&self) -> usize {
        self.window.as_ref().map_or(0, |window| window.start)
    }

    /// Returns the confirmed pairs just before a unit of a document, oldest first.
    pub fn pairs_before(&self, path: &ProjectPath, unit: usize) -> Vec<(&str, &str)> {
        self.confirmed_before(path, unit.saturating_sub(1), limits::EXAMPLE_PAIRS)
    }

    /// Returns so many confirmed pairs before a place of a document, oldest first; they are not looked for far away.
    pub(crate) fn confirmed_before(
        &self,
        path: &ProjectPath,
        ordinal: usize,
        n_pairs: usize,
    ) -> Vec<(&str, &str)> {
        let Some(document) = self.documents.get(path) else {
            return Vec::new();
        };
        let end = ordinal.min(document.units.len());
        let start = end.saturating_sub(4 * n_pairs);
        let mut pairs: Vec<(&str, &str)> = (start..end)
            .rev()
            .filter_map(|ordinal| {
                let target = document.units.get(ordinal)?.target.as_deref()?;
                Some((document.segments().get(ordinal)?.source.as_str(), target))
            })
            .take(n_pairs)
            .collect();
        pairs.reverse();
        pairs
    }

    /// Works out what a decision made of the rules that its draft was made under. A bulk approval says nothing of them, a
    /// rejected unit comes again, and what was not drafted by a model was not made under a rule.
    pub fn chances(&self, response: &CopilotResponse, memory: &Memory) -> Vec<(MemoryId, Chance)> {
        let id = &response.call_id;
        let (Some(state), Some(draft)) = (self.calls.get(id), self.draft(id)) else {
            return Vec::new();
        };
        let is_made = matches!(draft.origin, Origin::Model | Origin::Engine);
        let target = match &response.decision {
            Decision::Approve => &draft.target,
            Decision::Refine { target } => target,
            Decision::Reject { .. } | Decision::Answer { .. } | Decision::Cancel => {
                return Vec::new();
            }
        };
        if response.mode == DecisionMode::Bulk || !is_made {
            return Vec::new();
        }
        let languages = &self.settings.languages;
        let rules = state.rules.iter().filter_map(|rule| {
            let form = &rule.form;
            let item = rule.id.or_else(|| memory.item_of(form))?;
            let outcome = form.outcome(&draft.source, &draft.target, target, languages)?;
            let chance = Chance {
                session: self.settings.session,
                call_id: id.clone(),
                outcome,
            };
            Some((item, chance))
        });
        rules.collect()
    }

    /// Gathers what memory learns from the decision on a call.
    pub fn evidence(&self, id: &CallId) -> Option<Evidence> {
        let state = self.calls.get(id)?;
        let draft = self.draft(id)?;
        let response = state.response.as_ref()?;
        let (target, rejection) = match &response.decision {
            Decision::Refine { target } => (Some(target.clone()), None),
            Decision::Reject(rejection) => (None, Some(rejection)),
            Decision::Approve | Decision::Answer { .. } | Decision::Cancel => return None,
        };
        let reason = rejection.map(|rejection| rejection.reason.clone());
        let marked = rejection.and_then(|rejection| rejection.marked.as_ref());
        Some(Evidence {
            session: self.settings.session,
            call_id: id.clone(),
            source: draft.source.clone(),
            draft: draft.target.clone(),
            target,
            reason: reason.filter(|reason| !reason.trim().is_empty()),
            at: response.at,
            fault: rejection.and_then(|rejection| rejection.fault),
            marked: marked.map(|marked| marked.text.clone()),
        })
    }
}
