//! What a person did, in order, so that it can be taken back and done again. Owns both stacks and the fold of `Undo` and
//! `Redo`: each swaps a unit with the state that is kept of it, so one is the exact inverse of the other. The log is
//! never altered, and a call that has its result keeps it: its draft comes back to the person, not to the model.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::sync::Arc;

use diglot_document::UnitState;

mod action;
mod notes;

pub use action::{Action, ActionKind};

use super::{CallState, Context, ContextError, Draft, Guard, Unit};
use crate::copilot::{CopilotResponse, Decision, DecisionMode};
use crate::entry::{Entry, Reversal, Seq};
use crate::limits;
use crate::message::CallId;
use crate::store::TmPair;
use crate::workspace::ProjectPath;

/// Says how a call stands beside having a result or none.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Standing {
    /// It waits until it has its result.
    #[default]
    Usual,
    /// It has its result, and waits again since the decision on it was taken back.
    Reopened,
    /// It has no result yet and waits no more: an earlier decision on its unit was taken back.
    Overtaken,
}

/// Holds what was done and taken back in a session.
#[derive(Debug, Clone, Default)]
pub(super) struct Doings {
    done: VecDeque<Deed>,
    undone: Vec<Deed>,
    /// Calls that have their result and wait again, in the order in which they were reopened.
    pub(super) reopened: Vec<CallId>,
    /// Units of which the model was told a decision that holds no longer.
    untold: BTreeSet<(ProjectPath, usize)>,
    /// Pairs that the translation memory must give up.
    withdrawn: Vec<TmPair>,
    /// Whether another bulk decision belongs to the last deed.
    in_bulk: bool,
    /// What was taken back or done again, by the entry that says it.
    reversed: HashMap<Seq, Action>,
    /// Calls that an entry lets wait or wait no more without naming them.
    moved: HashMap<Seq, Vec<CallId>>,
}

/// Holds one action: one unit, or those of a bulk approval in order.
#[derive(Debug, Clone)]
struct Deed {
    acts: Vec<Act>,
}

/// Holds one entry of an action, and what to swap its unit with.
#[derive(Debug, Clone)]
struct Act {
    seq: Seq,
    entry: Arc<Entry>,
    path: ProjectPath,
    ordinal: usize,
    kept: Box<Kept>,
}

/// Keeps all that an action changes of a unit and around it.
#[derive(Debug, Clone)]
struct Kept {
    unit: Unit,
    was_never: bool,
    repeat: Option<Arc<str>>,
    last_correction: Seq,
}

/// Says which way a deed goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Back,
    Again,
}

impl Doings {
    /// Forgets the pairs that the translation memory has given up.
    pub(super) fn settle(&mut self) {
        self.withdrawn.clear();
    }
}

impl Deed {
    fn seq(&self) -> Seq {
        self.acts.first().map_or(Seq(0), |act| act.seq)
    }
}

fn responses_of(deed: Option<&Deed>) -> Vec<&CopilotResponse> {
    let acts = deed.map_or(&[][..], |deed| &deed.acts);
    acts.iter().filter_map(Act::response).collect()
}

impl Context {
    /// Returns the open calls whose drafts give way when the next action is taken back.
    pub fn overtaken_by_undo(&self) -> Vec<CallId> {
        self.overtaken_by(self.doings.done.back())
    }

    /// Returns the open calls whose drafts give way when the next action is done again.
    pub fn overtaken_by_redo(&self) -> Vec<CallId> {
        self.overtaken_by(self.doings.undone.last())
    }

    /// Returns the decisions that are taken back next, in order.
    pub fn responses_of_undo(&self) -> Vec<&CopilotResponse> {
        responses_of(self.doings.done.back())
    }

    /// Returns the decisions that are given again next, in order.
    pub fn responses_of_redo(&self) -> Vec<&CopilotResponse> {
        responses_of(self.doings.undone.last())
    }

    /// Returns the calls that the entry at a sequence number lets wait, or wait no more, without naming them.
    pub fn moved_at(&self, seq: Seq) -> &[CallId] {
        self.doings.moved.get(&seq).map_or(&[], Vec::as_slice)
    }

    /// Takes the pairs that the translation memory must give up since this was last asked.
    pub fn take_withdrawn(&mut self) -> Vec<TmPair> {
        std::mem::take(&mut self.doings.withdrawn)
    }

    /// Keeps how a unit is before the entry at `seq` changes it. What was taken back is lost with it.
    pub(super) fn record(
        &mut self,
        seq: Seq,
        entry: &Arc<Entry>,
        (path, ordinal): (&ProjectPath, usize),
        mode: DecisionMode,
    ) {
        let Some(kept) = self.kept(path, ordinal) else {
            return;
        };
        let act = Act {
            seq,
            entry: Arc::clone(entry),
            path: path.clone(),
            ordinal,
            kept: Box::new(kept),
        };
        let doings = &mut self.doings;
        let mut lost = std::mem::take(&mut doings.undone);
        let is_bulk = mode == DecisionMode::Bulk;
        match doings.done.back_mut() {
            Some(deed) if is_bulk && doings.in_bulk => deed.acts.push(act),
            Some(_) | None => doings.done.push_back(Deed { acts: vec![act] }),
        }
        doings.in_bulk = is_bulk;
        if doings.done.len() > limits::UNDONE_ACTIONS {
            lost.extend(doings.done.pop_front());
        }
        self.release(lost.into_iter().flat_map(|deed| deed.acts));
    }

    /// Lets the calls go whose decisions can be neither taken back nor done again any more.
    fn release(&mut self, acts: impl IntoIterator<Item = Act>) {
        for act in acts {
            let Some(response) = act.response() else {
                continue;
            };
            if let Some(state) = self.calls.get_mut(&response.call_id) {
                state.is_undoable = false;
            }
            self.retire(&response.call_id);
        }
    }

    /// Ends a bulk approval: what is decided next is an action of its own.
    pub(super) fn end_bulk(&mut self) {
        self.doings.in_bulk = false;
    }

    pub(super) fn on_undo(&mut self, reversal: &Reversal) -> Result<(), ContextError> {
        let top = self.doings.done.back().map(Deed::seq);
        if top != Some(reversal.of) {
            return Err(ContextError::OutOfTurn(reversal.of));
        }
        self.note_reversal(self.undoable());
        if let Some(mut deed) = self.doings.done.pop_back() {
            for act in deed.acts.iter_mut().rev() {
                self.swap(act, Way::Back);
            }
            self.doings.undone.push(deed);
        }
        self.after_reversal();
        Ok(())
    }

    pub(super) fn on_redo(&mut self, reversal: &Reversal) -> Result<(), ContextError> {
        let top = self.doings.undone.last().map(Deed::seq);
        if top != Some(reversal.of) {
            return Err(ContextError::OutOfTurn(reversal.of));
        }
        self.note_reversal(self.redoable());
        if let Some(mut deed) = self.doings.undone.pop() {
            for act in &mut deed.acts {
                self.swap(act, Way::Again);
            }
            self.doings.done.push_back(deed);
        }
        self.after_reversal();
        Ok(())
    }

    fn note_moved(&mut self, id: &CallId) {
        let seq = Seq(self.seq().0 + 1);
        let moved = self.doings.moved.entry(seq).or_default();
        if !moved.contains(id) {
            moved.push(id.clone());
        }
    }

    fn after_reversal(&mut self) {
        self.guard = Guard::default();
        self.doings.in_bulk = false;
    }

    /// Swaps a unit with what is kept of it.
    fn swap(&mut self, act: &mut Act, way: Way) {
        let (path, ordinal) = (act.path.clone(), act.ordinal);
        let Some(current) = self.kept(&path, ordinal) else {
            return;
        };
        let confirms = self
            .kind_of(act, way)
            .is_some_and(|kind| !matches!(kind, ActionKind::Reject | ActionKind::Skip));
        if confirms && way == Way::Back {
            let pair = self.pair(path.clone(), ordinal);
            self.doings.withdrawn.extend(pair);
        }
        let response = act.response().cloned();
        if let (Some(response), Way::Back) = (&response, way) {
            self.take_back(response);
        }
        self.detach(current.unit.proposal.as_ref());
        let kept = std::mem::replace(act.kept.as_mut(), current);
        self.install(&path, ordinal, kept);
        if let Some(response) = response {
            if way == Way::Again {
                self.give_again(&response);
            }
            self.on_changed_mind(&path, ordinal);
        }
        if confirms && way == Way::Again {
            self.confirmed_now.insert((path, ordinal));
        }
    }

    fn install(&mut self, path: &ProjectPath, ordinal: usize, kept: Kept) {
        let proposal = kept.unit.proposal.clone();
        let before = self.n_confirmed;
        self.change(path, ordinal, |unit| *unit = kept.unit);
        if let Some(window) = &mut self.window {
            let (before, after) = (before as usize, self.n_confirmed as usize);
            window.n_confirmed = (window.n_confirmed + after).saturating_sub(before);
        }
        if kept.was_never
            && let Some(document) = self.documents.get_mut(path)
        {
            document.never.insert(ordinal);
        }
        if let Some(source) = self.source_of(path, ordinal) {
            match kept.repeat {
                Some(target) => self.repeats.insert(source, target),
                None => self.repeats.remove(&source),
            };
        }
        self.last_correction = kept.last_correction;
        self.attach(proposal);
    }

    /// Takes the person's decision from a call.
    fn take_back(&mut self, response: &CopilotResponse) {
        let id = &response.call_id;
        self.note_moved(id);
        self.forget_lesson(id);
        if let Some(state) = self.calls.get_mut(id) {
            state.response = None;
        }
    }

    /// Gives a call its decision again. Memory learns from it anew, and a model that ended its turn drafts a
    /// rejected unit anew.
    fn give_again(&mut self, response: &CopilotResponse) {
        let id = &response.call_id;
        self.note_moved(id);
        if let Some(state) = self.calls.get_mut(id) {
            state.response = Some(response.clone());
        }
        let has_text = self.draft(id).is_some_and(|draft| !draft.target.is_empty());
        let learns = response.decision.teaches() && response.mode == DecisionMode::Single;
        if has_text && learns && !self.is_to_be_learnt(id) {
            self.extractions.push_back(id.clone());
        }
        if matches!(response.decision, Decision::Reject(_)) {
            self.model_has_turn = true;
        }
    }

    /// Lets a draft wait no more.
    fn detach(&mut self, id: Option<&CallId>) {
        let Some(id) = id else { return };
        self.note_moved(id);
        self.doings.reopened.retain(|open| open != id);
        if let Some(state) = self.calls.get_mut(id) {
            state.standing = if state.done {
                Standing::Usual
            } else {
                Standing::Overtaken
            };
        }
    }

    /// Lets a draft wait for the person again.
    fn attach(&mut self, id: Option<CallId>) {
        let Some(id) = id else { return };
        self.note_moved(&id);
        let Some(state) = self.calls.get_mut(&id) else {
            return;
        };
        if state.done {
            state.standing = Standing::Reopened;
            self.doings.reopened.push(id);
        } else {
            state.standing = Standing::Usual;
        }
    }

    /// Ends a call's second wait, since it was decided again. The model has its result already, so it is told in
    /// another way, and drafts a rejected unit anew also when it ended its turn.
    pub(super) fn on_decided_again(&mut self, response: &CopilotResponse, draft: &Draft) {
        self.detach(Some(&response.call_id));
        self.on_changed_mind(&draft.path, draft.ordinal);
        if matches!(response.decision, Decision::Reject(_)) {
            self.model_has_turn = true;
        }
    }

    /// Withdraws the drafts that came back to the person, of one document or of all: the person wrote instead, or
    /// the source is another now.
    pub(super) fn close_reopened(&mut self, of: Option<&ProjectPath>) {
        for id in self.doings.reopened.clone() {
            let Some(draft) = self.draft(&id) else {
                continue;
            };
            let (path, ordinal) = (draft.path.clone(), draft.ordinal);
            if of.is_some_and(|of| *of != path) {
                continue;
            }
            self.detach(Some(&id));
            self.change(&path, ordinal, Unit::withdraw_proposal);
        }
    }

    /// Follows units to their places in a document that was read anew. What was done to units that are gone or
    /// changed can no longer be taken back, and drafts of the old text do not come back.
    pub(super) fn move_doings(&mut self, path: &ProjectPath, places: &BTreeMap<usize, usize>) {
        let follow = |act: &mut Act| {
            if act.path != *path {
                return false;
            }
            let Some(place) = places.get(&act.ordinal) else {
                return true;
            };
            act.ordinal = *place;
            act.kept.unit.withdraw_proposal();
            false
        };
        let doings = &mut self.doings;
        let mut lost = Vec::new();
        for deed in doings.done.iter_mut().chain(&mut doings.undone) {
            lost.extend(deed.acts.extract_if(.., |act| follow(act)));
        }
        doings.done.retain(|deed| !deed.acts.is_empty());
        doings.undone.retain(|deed| !deed.acts.is_empty());
        doings.untold.retain(|(of, _)| of != path);
        self.release(lost);
    }

    fn kept(&self, path: &ProjectPath, ordinal: usize) -> Option<Kept> {
        let document = self.documents.get(path)?;
        let source = self.source_of(path, ordinal)?;
        Some(Kept {
            unit: document.units.get(ordinal)?.clone(),
            was_never: document.never.contains(&ordinal),
            repeat: self.repeats.get(&source).cloned(),
            last_correction: self.last_correction,
        })
    }

    fn source_of(&self, path: &ProjectPath, ordinal: usize) -> Option<Arc<str>> {
        let segment = self.segment(path, ordinal)?;
        Some(Arc::from(segment.source.as_str()))
    }

    fn overtaken_by(&self, deed: Option<&Deed>) -> Vec<CallId> {
        let acts = deed.map_or(&[][..], |deed| &deed.acts);
        let proposal = |act: &Act| {
            let document = self.documents.get(&act.path)?;
            document.units.get(act.ordinal)?.proposal.clone()
        };
        let is_open = |id: &CallId| self.calls.get(id).is_some_and(|state| !state.done);
        acts.iter().filter_map(proposal).filter(is_open).collect()
    }
}

impl CallState {
    /// Tells whether the call could wait by its place in the conversation.
    pub(super) fn is_open_to_person(&self) -> bool {
        match self.standing {
            Standing::Usual => !self.done,
            Standing::Reopened => true,
            Standing::Overtaken => false,
        }
    }
}

impl Unit {
    /// Takes an undecided draft from the unit.
    pub(super) fn withdraw_proposal(&mut self) {
        self.proposal = None;
        if self.state == UnitState::Proposed {
            self.state = self.last_decided();
        }
    }
}
