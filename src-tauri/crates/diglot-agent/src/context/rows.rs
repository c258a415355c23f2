//! What a store keeps beside the log: the rows of units, the pairs that were confirmed, the counts of the session. Must not
//! know how a store holds them.

use diglot_document::{Origin, UnitState};

use super::Context;
use crate::copilot::DecisionMode;
use crate::store::{SessionCounts, TmPair, UnitRow};
use crate::workspace::ProjectPath;

impl Context {
    /// Takes the projection's rows that changed since this was last asked. A row without a source tells
    /// that the document has the unit no longer.
    pub fn take_touched(&mut self) -> Vec<UnitRow> {
        let gone = |path: ProjectPath, ordinal: usize| UnitRow {
            path,
            unit: ordinal + 1,
            source: String::new(),
            target: String::new(),
            state: UnitState::Open,
            origin: Origin::None,
            mode: DecisionMode::Single,
            revised: false,
        };
        std::mem::take(&mut self.touched)
            .into_iter()
            .map(|(path, ordinal)| {
                self.unit_row(&path, ordinal)
                    .unwrap_or_else(|| gone(path, ordinal))
            })
            .collect()
    }

    /// Takes the pairs that were confirmed since this was last asked.
    pub fn take_pairs(&mut self) -> Vec<TmPair> {
        std::mem::take(&mut self.confirmed_now)
            .into_iter()
            .filter_map(|(path, ordinal)| self.pair(path, ordinal))
            .collect()
    }

    /// Forgets what changed and was confirmed so far, since it is stored already.
    pub fn settle(&mut self) {
        self.foretold.clear();
        self.parsed = None;
        self.touched.clear();
        self.confirmed_now.clear();
        self.doings.settle();
    }

    /// Returns the projection's row of a unit.
    pub fn unit_row(&self, path: &ProjectPath, ordinal: usize) -> Option<UnitRow> {
        let document = self.documents.get(path)?;
        let unit = document.units.get(ordinal)?;
        let draft = unit.proposal.as_ref().and_then(|id| self.draft(id));
        let (target, origin) = match (&unit.target, draft) {
            (Some(target), _) => (target.to_string(), unit.origin),
            (None, Some(draft)) => (draft.target.clone(), draft.origin),
            (None, None) => (String::new(), Origin::None),
        };
        Some(UnitRow {
            path: path.clone(),
            unit: ordinal + 1,
            source: document.segments().get(ordinal)?.source.clone(),
            target,
            state: unit.state,
            origin,
            mode: unit.mode,
            revised: unit.revised,
        })
    }

    /// Returns the counts of the session.
    pub fn counts(&self) -> SessionCounts {
        SessionCounts {
            n_units: self.n_units,
            n_confirmed: self.n_confirmed,
            n_waiting: self.pending().filter(|id| self.is_waiting(id)).count() as u64,
            n_tokens: self.n_tokens(),
        }
    }

    pub(super) fn pair(&self, path: ProjectPath, ordinal: usize) -> Option<TmPair> {
        let document = self.documents.get(&path)?;
        let target = document.units.get(ordinal)?.target.as_ref()?.to_string();
        let source_of = |ordinal: usize| Some(document.segments().get(ordinal)?.source.clone());
        Some(TmPair {
            languages: self.settings.languages.clone(),
            source: source_of(ordinal)?,
            target,
            previous: ordinal.checked_sub(1).and_then(source_of),
            next: source_of(ordinal + 1),
            path,
        })
    }
}
