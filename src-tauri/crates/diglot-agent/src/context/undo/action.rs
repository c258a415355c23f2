//! What an action was: its kind, its unit and its text, read from the entry that holds it.

use super::{Act, Deed, Way};
use crate::context::Context;
use crate::copilot::{CopilotResponse, Decision};
use crate::entry::{Entry, Seq, UnitRef};

/// Names what a person did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ActionKind {
    /// Approved a draft.
    Approve,
    /// Approved many drafts at once.
    BulkApprove,
    /// Refined a draft.
    Refine,
    /// Rejected a draft.
    Reject,
    /// Set a unit aside.
    Skip,
    /// Translated an open unit by hand.
    Translate,
    /// Changed a confirmed unit.
    Revise,
}

/// Tells of one action that can be taken back or done again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Action {
    /// Sequence number of its first entry; names it in a [`Reversal`](crate::entry::Reversal).
    pub seq: Seq,
    /// What it was.
    pub kind: ActionKind,
    /// The unit; the first one of a bulk approval.
    pub unit: UnitRef,
    /// How many units it was about.
    pub n_units: usize,
    /// What the person typed, where they typed a target.
    pub text: Option<String>,
}

impl Context {
    /// Returns what can be taken back next.
    pub fn undoable(&self) -> Option<Action> {
        self.action(self.doings.done.back()?)
    }

    /// Returns what can be done again next.
    pub fn redoable(&self) -> Option<Action> {
        self.action(self.doings.undone.last()?)
    }

    /// Returns what the entry at a sequence number took back or did again, without its text.
    pub fn reversed_at(&self, seq: Seq) -> Option<&Action> {
        self.doings.reversed.get(&seq)
    }

    pub(super) fn note_reversal(&mut self, action: Option<Action>) {
        let seq = Seq(self.seq().0 + 1);
        let untold = action.map(|action| Action {
            text: None,
            ..action
        });
        self.doings
            .reversed
            .extend(untold.map(|action| (seq, action)));
    }

    /// Names what an act was; the unit before it is the kept one on the way back, and the present one otherwise.
    pub(super) fn kind_of(&self, act: &Act, way: Way) -> Option<ActionKind> {
        Some(match act.entry.as_ref() {
            Entry::Response(response) => match &response.decision {
                Decision::Approve => ActionKind::Approve,
                Decision::Refine { .. } => ActionKind::Refine,
                Decision::Reject(_) => ActionKind::Reject,
                Decision::Answer { .. } | Decision::Cancel => ActionKind::Skip,
            },
            Entry::Revision(_) => {
                let present = self.documents.get(&act.path)?.units.get(act.ordinal)?;
                let before = match way {
                    Way::Back => &act.kept.unit,
                    Way::Again => present,
                };
                if before.state.is_confirmed() {
                    ActionKind::Revise
                } else {
                    ActionKind::Translate
                }
            }
            Entry::Skip(_) => ActionKind::Skip,
            Entry::Message(_)
            | Entry::SourceRead(_)
            | Entry::Extraction(_)
            | Entry::Lesson(_)
            | Entry::Chunk(_)
            | Entry::Undo(_)
            | Entry::Redo(_) => return None,
        })
    }

    fn action(&self, deed: &Deed) -> Option<Action> {
        let act = deed.acts.first()?;
        let is_done = self.doings.done.back().map(Deed::seq) == Some(deed.seq());
        let way = if is_done { Way::Back } else { Way::Again };
        let mut kind = self.kind_of(act, way)?;
        if kind == ActionKind::Approve && deed.acts.len() > 1 {
            kind = ActionKind::BulkApprove;
        }
        Some(Action {
            seq: deed.seq(),
            kind,
            unit: UnitRef {
                path: act.path.clone(),
                unit: act.ordinal + 1,
            },
            n_units: deed.acts.len(),
            text: act.text(),
        })
    }
}

impl Act {
    /// Returns the decision that it is, if it is one.
    pub(super) fn response(&self) -> Option<&CopilotResponse> {
        if let Entry::Response(response) = self.entry.as_ref() {
            Some(response)
        } else {
            None
        }
    }

    /// Returns the text that it gave to its unit, where it gave one.
    fn text(&self) -> Option<String> {
        if let Entry::Revision(revision) = self.entry.as_ref() {
            return Some(revision.target.clone());
        }
        match &self.response()?.decision {
            Decision::Refine { target } => Some(target.clone()),
            Decision::Approve
            | Decision::Reject { .. }
            | Decision::Answer { .. }
            | Decision::Cancel => None,
        }
    }
}
