//! The states of a unit under review and where its text came from.

use serde::{Deserialize, Serialize};

/// Tells how far a unit is. A segment that nobody proposed is `Open`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum UnitState {
    /// Nothing was proposed, or what was proposed was set aside.
    Open,
    /// A draft waits for a person.
    Proposed,
    /// A person took the draft as it was.
    Approved,
    /// A person changed the draft and confirmed it.
    Refined,
    /// A person refused the draft; the unit is open again and will be drafted anew.
    Rejected,
}

impl UnitState {
    /// Tells whether a person has confirmed the unit.
    pub fn is_confirmed(self) -> bool {
        matches!(self, Self::Approved | Self::Refined)
    }
}

/// Names where a draft came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Origin {
    /// A language model.
    Model,
    /// An exact match of the translation memory, or a repeat in this session.
    ExactMatch,
    /// A fuzzy match of the translation memory.
    FuzzyMatch,
    /// The embedded neural engine.
    Engine,
    /// A person typed it.
    Hand,
    /// No draft: the unit is left to the person.
    None,
}
