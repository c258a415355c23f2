//! One document of a session and its units: what is confirmed, open, waiting or set aside.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use diglot_document::{Document, Origin, ParseOptions, Segment, UnitState, locate};

use super::Context;
use crate::copilot::DecisionMode;
use crate::entry::SourceRead;
use crate::message::CallId;
use crate::rejection::Rejection;
use crate::workspace::{ProjectPath, SourceHash, SourceText};

/// Holds a document of the session.
#[derive(Debug, Clone)]
pub struct DocumentState {
    /// How it was last read.
    pub read: SourceRead,
    /// Its text.
    pub document: Arc<Document>,
    pub(super) units: Vec<Unit>,
    /// Ordinals that can be proposed now and were not set aside.
    pub(super) open: BTreeSet<usize>,
    /// Ordinals that were never proposed, nor set aside.
    pub(super) never: BTreeSet<usize>,
    /// Ordinals that the person set aside.
    pub(super) aside: BTreeSet<usize>,
    /// For each ordinal whose text occurs several times: which of how many it is, from 1.
    pub(super) occurrences: HashMap<usize, (usize, usize)>,
    pub(super) n_confirmed: usize,
    /// Which of the documents read it is, from 0.
    pub(super) place: usize,
}

/// Holds a document as its source text reads, so that a large one is not read twice.
#[derive(Debug, Clone)]
pub struct Parsed {
    /// Where it stands.
    pub path: ProjectPath,
    /// Hash of its source text.
    pub hash: SourceHash,
    /// How it was read.
    pub options: ParseOptions,
    /// What came of it.
    pub document: Arc<Document>,
}

impl Parsed {
    pub(super) fn is_of(
        &self,
        path: &ProjectPath,
        hash: &SourceHash,
        options: &ParseOptions,
    ) -> bool {
        (&self.path, &self.hash, &self.options) == (path, hash, options)
    }
}

/// Holds what the log says of one unit.
#[derive(Debug, Clone)]
pub struct Unit {
    /// How far it is.
    pub state: UnitState,
    /// Confirmed target.
    pub target: Option<Arc<str>>,
    /// Where the confirmed target came from.
    pub origin: Origin,
    /// How it was confirmed.
    pub mode: DecisionMode,
    /// Whether a person changed it after confirming it.
    pub revised: bool,
    /// Whether the person set it aside.
    pub skipped: bool,
    /// The open call that proposes it.
    pub proposal: Option<CallId>,
    /// The last draft that was refused, and why.
    pub rejected: Option<Arc<Rejected>>,
    /// What the person confirmed before the source changed.
    pub former: Option<Arc<Former>>,
    /// Faulty drafts that went back to the model since the last one that was shown.
    pub(super) faults: u8,
    /// Whether one went back for its terms since.
    pub(super) terms_named: bool,
}

/// Holds a draft that a person refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rejected {
    /// The draft.
    pub draft: String,
    /// Why.
    pub rejection: Rejection,
}

/// Holds what a unit was before its source changed on disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Former {
    /// The source.
    pub source: String,
    /// The target that the person had confirmed.
    pub target: Arc<str>,
}

impl Default for Unit {
    fn default() -> Self {
        Self {
            state: UnitState::Open,
            target: None,
            origin: Origin::None,
            mode: DecisionMode::Single,
            revised: false,
            skipped: false,
            proposal: None,
            rejected: None,
            former: None,
            faults: 0,
            terms_named: false,
        }
    }
}

impl Unit {
    /// Returns the state that an undecided draft leaves behind: that of the decision before it.
    pub(super) fn last_decided(&self) -> UnitState {
        if self.rejected.is_some() {
            UnitState::Rejected
        } else {
            UnitState::Open
        }
    }
}

impl Context {
    /// Gives a document that the next entry reads, as its source text reads.
    pub fn add_parsed(&mut self, parsed: Parsed) {
        self.parsed = Some(parsed);
    }

    /// Tells whether a source text can be read as a document.
    pub(crate) fn is_readable(
        &self,
        path: &ProjectPath,
        source: &SourceText,
        encoding: Option<&str>,
    ) -> bool {
        let options = self.settings.parse_options(encoding);
        let parsed = self.parsed.as_ref();
        parsed.is_some_and(|parsed| parsed.is_of(path, &source.hash, &options))
            || Document::open(path.as_str(), &source.bytes, &options).is_ok()
    }
}

impl DocumentState {
    pub(super) fn new(read: SourceRead, document: Arc<Document>, place: usize) -> Self {
        let n = document.segments.len();
        Self {
            read,
            document,
            units: vec![Unit::default(); n],
            open: (0..n).collect(),
            never: (0..n).collect(),
            aside: BTreeSet::new(),
            occurrences: HashMap::new(),
            n_confirmed: 0,
            place,
        }
        .with_occurrences()
    }

    fn with_occurrences(mut self) -> Self {
        let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
        for segment in &self.document.segments {
            places
                .entry(segment.source.as_str())
                .or_default()
                .push(segment.ordinal);
        }
        for ordinals in places.into_values().filter(|ordinals| ordinals.len() > 1) {
            let n = ordinals.len();
            let numbered = ordinals.into_iter().enumerate();
            self.occurrences
                .extend(numbered.map(|(place, ordinal)| (ordinal, (place + 1, n))));
        }
        self
    }

    /// Tells which of how many units with the same text a unit is, from 1; `None` when it is the only one.
    pub fn occurrence(&self, ordinal: usize) -> Option<(usize, usize)> {
        self.occurrences.get(&ordinal).copied()
    }

    /// Returns the units in order; one for each segment.
    pub fn units(&self) -> &[Unit] {
        &self.units
    }

    /// Returns the segments in order.
    pub fn segments(&self) -> &[Segment] {
        &self.document.segments
    }

    /// Returns what a unit leaves behind when its source changes.
    pub(super) fn former(&self, ordinal: usize) -> Option<Arc<Former>> {
        let unit = self.units.get(ordinal)?;
        let Some(target) = unit.target.clone() else {
            return unit.former.clone();
        };
        let source = self.segments().get(ordinal)?.source.clone();
        Some(Arc::new(Former { source, target }))
    }

    /// Counts the units that a person confirmed.
    pub fn n_confirmed(&self) -> usize {
        self.n_confirmed
    }

    /// Returns the ordinal of the next open unit: neither confirmed, nor proposed in an open call, nor
    /// set aside.
    pub fn next_open(&self) -> Option<usize> {
        self.open.first().copied()
    }

    /// Returns the ordinals of open units from `from` on, in order.
    pub fn open_from(&self, from: usize) -> impl Iterator<Item = usize> + '_ {
        self.open.range(from..).copied()
    }

    /// Tells whether every unit is confirmed.
    pub fn is_complete(&self) -> bool {
        self.n_confirmed == self.units.len()
    }

    /// Puts a unit's ordinal into the sets that its state asks for.
    pub(super) fn index(&mut self, ordinal: usize) {
        let Some(unit) = self.units.get(ordinal) else {
            return;
        };
        let open = !unit.state.is_confirmed() && unit.proposal.is_none() && !unit.skipped;
        if open {
            self.open.insert(ordinal);
        } else {
            self.open.remove(&ordinal);
            self.never.remove(&ordinal);
        }
        if unit.skipped {
            self.aside.insert(ordinal);
        } else {
            self.aside.remove(&ordinal);
        }
    }
}

impl locate::UnitStates for DocumentState {
    fn is_confirmed(&self, ordinal: usize) -> bool {
        self.units
            .get(ordinal)
            .is_some_and(|unit| unit.state.is_confirmed())
    }

    fn is_open(&self, ordinal: usize) -> bool {
        self.units
            .get(ordinal)
            .is_some_and(|unit| !unit.state.is_confirmed() && unit.proposal.is_none())
    }

    fn next_open(&self) -> Option<usize> {
        self.open.first().copied()
    }

    fn first_never_proposed(&self) -> Option<usize> {
        self.never.first().copied()
    }
}
