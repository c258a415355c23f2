//! What the model is told of decisions that changed: it keeps the results that it has, and hears how units stand now.

use diglot_document::UnitState;

use crate::context::Context;
use crate::entry::{UnitNote, UnitRef};
use crate::workspace::ProjectPath;

impl Context {
    /// Returns how the units stand of which the model was told otherwise.
    pub(in crate::context) fn notes(&self) -> Vec<UnitNote> {
        let units = self.doings.untold.iter();
        units
            .filter_map(|(path, ordinal)| self.note_of(path, *ordinal))
            .collect()
    }

    /// Notes what the model was told; what changed meanwhile is told with the next turn.
    pub(in crate::context) fn on_notes(&mut self, notes: &[UnitNote]) {
        for note in notes {
            let Some(ordinal) = note.unit.unit.checked_sub(1) else {
                continue;
            };
            if self.note_of(&note.unit.path, ordinal).as_ref() == Some(note) {
                self.doings
                    .untold
                    .remove(&(note.unit.path.clone(), ordinal));
            }
        }
    }

    /// Forgets what the model would be told of earlier turns: it sees them no longer.
    pub(in crate::context) fn on_new_window(&mut self) {
        self.doings.untold.clear();
    }

    /// Notes that the model knows an earlier decision on a unit.
    pub(super) fn on_changed_mind(&mut self, path: &ProjectPath, ordinal: usize) {
        self.doings.untold.insert((path.clone(), ordinal));
    }

    fn note_of(&self, path: &ProjectPath, ordinal: usize) -> Option<UnitNote> {
        let unit = self.documents.get(path)?.units.get(ordinal)?;
        let rejected = unit.rejected.as_ref();
        let reason = rejected.map(|found| found.rejection.words(&found.draft));
        let text = match unit.state {
            UnitState::Approved | UnitState::Refined => unit.target.as_deref().map(str::to_owned),
            UnitState::Rejected => reason,
            UnitState::Open | UnitState::Proposed => None,
        };
        Some(UnitNote {
            unit: UnitRef {
                path: path.clone(),
                unit: ordinal + 1,
            },
            state: unit.state,
            text,
        })
    }
}
