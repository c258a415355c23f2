//! Taking back and doing again what a person did to units: the entries that say it, what becomes of drafts that stand
//! in the way, and what memory gives up.

use super::{AgentLoop, Step, result};
use crate::context::Context;
use crate::copilot::CopilotResponse;
use crate::entry::{Entry, Reversal};
use crate::memory::Applied;
use crate::message::{CallId, ToolDetail};

impl AgentLoop<'_> {
    /// Takes the person's last action on units back; `None` when there is none.
    pub fn undo(&self, context: &Context, at: i64) -> Option<Step> {
        let of = context.undoable()?.seq;
        let mut step = Step::of(vec![Entry::Undo(Reversal { of, at })]);
        step.entries.extend(overtaken(&context.overtaken_by_undo()));
        step.memory = self.unlearnt(context);
        Some(step)
    }

    /// Does again what was taken back last; `None` when nothing was, or something else was done since.
    pub fn redo(&self, context: &Context, at: i64) -> Option<Step> {
        let of = context.redoable()?.seq;
        let mut step = Step::of(vec![Entry::Redo(Reversal { of, at })]);
        step.entries.extend(overtaken(&context.overtaken_by_redo()));
        for response in context.responses_of_redo() {
            step.memory.join(self.counted(context, response));
        }
        Some(step)
    }

    /// Counts what a decision made of the rules that its draft was made under.
    pub(super) fn counted(&self, context: &Context, response: &CopilotResponse) -> Applied {
        let chances = context.chances(response, self.memory);
        let mut applied = Applied::default();
        if !chances.is_empty() {
            let mut memory = self.memory.clone();
            let counted = memory.count(&chances, response.at);
            applied.note_all(&memory, &counted);
        }
        applied
    }

    /// Says what memory gives up with the decisions that are taken back.
    fn unlearnt(&self, context: &Context) -> Applied {
        let mut memory = self.memory.clone();
        let mut all = Applied::default();
        for response in context.responses_of_undo() {
            let counted = memory.uncount(&context.chances(response, self.memory), response.at);
            all.note_all(&memory, &counted);
            if let Some(evidence) = context.evidence(&response.call_id) {
                all.join(memory.unlearn(&evidence));
            }
        }
        all
    }
}

/// Closes the drafts that give way to what comes back.
fn overtaken(calls: &[CallId]) -> Vec<Entry> {
    let text =
        "The person took an earlier decision on this unit back, so this draft was set aside.";
    let entry = |id| result(id, text, ToolDetail::SetAside);
    calls.iter().map(entry).collect()
}
