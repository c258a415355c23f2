//! How often an item was applied, met and overridden, and when that asks for the person. Must not know how items are
//! learnt.

use serde::{Deserialize, Serialize};

use super::{Evidence, Memory, MemoryId, MemoryState};
use crate::entry::SessionId;
use crate::message::CallId;

/// The last chances that are looked at for a suspension, and those that must have gone against an item (SPEC 5).
const LOOKED_AT: usize = 5;
/// See [`LOOKED_AT`].
const AGAINST: usize = 3;
/// Chances that are kept one by one: so many decisions can be taken back before a suspension is judged by fewer than five.
const KEPT: usize = 20;

/// Says what became of an item in a final text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Outcome {
    /// The person's final text keeps it.
    Met,
    /// The person's final text goes against it.
    Overridden,
    /// The final text gets by without either.
    Neither,
}

/// Records one decision on a draft in which an item had its chance.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Chance {
    /// The session.
    pub session: SessionId,
    /// The decision.
    pub call_id: CallId,
    /// What became of the item.
    pub outcome: Outcome,
}

/// Counts what became of an item. Rejected drafts do not count: the unit comes again. Nor do bulk approvals.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Tally {
    /// Drafts that were decided on, made under the item where it had a chance.
    pub n_applied: u64,
    /// Those whose final text keeps it.
    pub n_met: u64,
    /// Those whose final text goes against it.
    pub n_overridden: u64,
    /// The latest of them, oldest first.
    pub recent: Vec<Chance>,
}

impl Tally {
    pub(super) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Counts one decision once.
    fn count(&mut self, chance: Chance) {
        if self.recent.iter().any(|known| known.is_of(&chance)) {
            return;
        }
        self.n_applied += 1;
        self.n_met += u64::from(chance.outcome == Outcome::Met);
        self.n_overridden += u64::from(chance.outcome == Outcome::Overridden);
        self.recent.push(chance);
        if self.recent.len() > KEPT {
            self.recent.remove(0);
        }
    }

    fn uncount(&mut self, chance: &Chance) {
        let less = |n: u64, by: bool| n.saturating_sub(u64::from(by));
        self.n_applied = less(self.n_applied, true);
        self.n_met = less(self.n_met, chance.outcome == Outcome::Met);
        self.n_overridden = less(self.n_overridden, chance.outcome == Outcome::Overridden);
        self.recent.retain(|known| !known.is_of(chance));
    }

    /// Returns what became of the item in a decision, as far as it is kept.
    pub(super) fn known(&self, evidence: &Evidence) -> Option<&Chance> {
        let is_of = |known: &&Chance| {
            known.session == evidence.session && known.call_id == evidence.call_id
        };
        self.recent.iter().find(is_of)
    }

    /// Tells whether the person went against the item so often that they are asked.
    fn is_doubtful(&self) -> bool {
        let latest = self.recent.iter().rev().take(LOOKED_AT);
        let against = latest.filter(|chance| chance.outcome == Outcome::Overridden);
        against.count() >= AGAINST
    }
}

impl Chance {
    fn is_of(&self, other: &Self) -> bool {
        self.session == other.session && self.call_id == other.call_id
    }
}

impl Memory {
    /// Counts what became of items in one decision, and suspends those that the person goes against. Answers the ids of
    /// the items that are changed.
    pub fn count(&mut self, chances: &[(MemoryId, Chance)], at: i64) -> Vec<MemoryId> {
        let mut changed = Vec::new();
        for (id, chance) in chances {
            let Ok(item) = self.find_mut(*id) else {
                continue;
            };
            let before = item.tally.clone();
            item.tally.count(chance.clone());
            if item.tally == before {
                continue;
            }
            if item.state == MemoryState::Active && item.tally.is_doubtful() {
                item.state = MemoryState::Suspended;
                item.updated_at = at;
            }
            changed.push(*id);
        }
        changed
    }

    /// Takes back what [`Memory::count`] did for a decision that was taken back.
    pub fn uncount(&mut self, chances: &[(MemoryId, Chance)], at: i64) -> Vec<MemoryId> {
        let mut changed = Vec::new();
        for (id, chance) in chances {
            let Ok(item) = self.find_mut(*id) else {
                continue;
            };
            item.tally.uncount(chance);
            // A person who switched the item since has the last word.
            let is_last_change = item.updated_at == at;
            if is_last_change && item.state == MemoryState::Suspended && !item.tally.is_doubtful() {
                item.state = MemoryState::Active;
            }
            changed.push(*id);
        }
        changed
    }
}
