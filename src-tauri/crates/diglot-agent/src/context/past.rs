//! Calls that are over for good: a session has as many as units, and little of them is asked for again. Owns when a call
//! is over, and what is kept of it.

use super::{CallState, Context, Resolution, Standing};
use crate::copilot::Decision;
use crate::entry::{Entry, Seq, UnitRef};
use crate::message::{CallId, Message, ToolArguments};

/// Keeps of a draft what showing the conversation and an answer to a repeated decision need. Its key is the number of
/// its call.
#[derive(Debug, Clone)]
pub(super) struct Past {
    /// Place of its document among those read.
    place: u32,
    ordinal: u32,
    decided: Decided,
}

#[derive(Debug, Clone)]
enum Decided {
    Not,
    Approved,
    Otherwise(Box<Decision>),
}

/// Tells what is known of a draft whose call is over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PastDraft<'a> {
    /// Sequence number of the message that proposed it.
    pub seq: Seq,
    /// The unit, as it was numbered then.
    pub unit: UnitRef,
    /// What the person decided, if they did.
    pub decision: Option<&'a Decision>,
}

impl Context {
    /// Returns what is kept of a draft of which [`Context::call`] knows nothing any more.
    pub fn past_draft(&self, id: &CallId) -> Option<PastDraft<'_>> {
        let past = self.past.get(&id.number()?)?;
        Some(PastDraft {
            seq: id.seq()?,
            unit: UnitRef {
                path: self.read_order.get(past.place as usize)?.clone(),
                unit: past.ordinal as usize + 1,
            },
            decision: match &past.decided {
                Decided::Not => None,
                Decided::Approved => Some(&Decision::Approve),
                Decided::Otherwise(decision) => Some(decision),
            },
        })
    }

    /// Returns the call that proposed the last draft of a unit; looks through all of a session, so for a person who asks.
    pub fn last_draft_of(&self, unit: &UnitRef) -> Option<CallId> {
        let ordinal = unit.unit.checked_sub(1)?;
        let is_held = |id: &&CallId| {
            let draft = self.draft(id);
            draft.is_some_and(|draft| draft.path == unit.path && draft.ordinal == ordinal)
        };
        let held = self.calls.keys().filter(is_held).filter_map(CallId::number);
        let place = self.documents.get(&unit.path)?.place;
        let is_past =
            |past: &Past| past.place as usize == place && past.ordinal as usize == ordinal;
        let over = self.past.iter().filter(|(_, past)| is_past(past));
        let last = held.chain(over.map(|(number, _)| *number)).max()?;
        Some(CallId::of_number(last))
    }

    /// Lets go of what a new window and a first look at the conversation do not need.
    pub(super) fn let_go(&mut self, place: usize) {
        for entry in self.log.let_go(place) {
            if let Entry::Message(Message::Assistant { tool_calls, .. }) = entry.as_ref() {
                for call in tool_calls {
                    self.retire(&call.id);
                }
            }
        }
    }

    /// Keeps only what is needed of a call, once its message is let go of and nothing can come of it any more.
    pub(super) fn retire(&mut self, id: &CallId) {
        let held_since = self.log.held_since();
        let is_open = self.is_to_be_learnt(id);
        let Some(state) = self
            .calls
            .get_mut(id)
            .filter(|state| state.seq <= held_since)
        else {
            return;
        };
        let is_draft = matches!(state.resolution, Some(Resolution::Draft(_)));
        if state.resolution.is_some() {
            state.call.arguments = ToolArguments::Malformed(String::new());
        }
        let is_over = state.done && !state.is_undoable && state.standing == Standing::Usual;
        if is_draft
            && is_over
            && !is_open
            && let Some((number, past)) = self.past(id)
        {
            self.past.insert(number, past);
            self.calls.remove(id);
        }
    }

    fn past(&self, id: &CallId) -> Option<(u64, Past)> {
        let draft = self.draft(id)?;
        let place = self.documents.get(&draft.path)?.place;
        let past = Past {
            place: u32::try_from(place).ok()?,
            ordinal: u32::try_from(draft.ordinal).ok()?,
            decided: self.calls.get(id)?.decided(),
        };
        Some((id.number()?, past))
    }
}

impl CallState {
    /// Tells whether the call waits for a person.
    pub fn waits(&self) -> bool {
        if self.response.is_some() || !self.is_open_to_person() {
            return false;
        }
        match &self.resolution {
            Some(Resolution::Draft(_)) => true,
            Some(Resolution::Refused { .. }) => false,
            None => {
                crate::tools::ToolName::of(&self.call.name) == Some(crate::tools::ToolName::Ask)
                    && crate::tools::ask::read(&self.call).is_ok()
            }
        }
    }

    fn decided(&self) -> Decided {
        match self.response.as_ref().map(|response| &response.decision) {
            None => Decided::Not,
            Some(Decision::Approve) => Decided::Approved,
            Some(other) => Decided::Otherwise(Box::new(other.clone())),
        }
    }
}

#[cfg(test)]
mod tests;
