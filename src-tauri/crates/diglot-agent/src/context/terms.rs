//! Terms of the units at hand: what a model is told of them, and which drafts go back for one.

use std::collections::BTreeSet;

use diglot_document::{CheckedTerm, TermState, TermStatus, review_terms};

use super::{Context, DocumentState, Window};
use crate::limits;
use crate::terms::{Glossary, TermEntry, UnitTerms, Waiver, term_lines};
use crate::workspace::ProjectPath;

/// Holds the terms of several units.
#[derive(Debug, Default)]
pub(super) struct AtHand {
    /// Each once, in order of the units.
    pub(super) entries: Vec<TermEntry>,
    pub(super) waived: Vec<Waiver>,
}

impl AtHand {
    fn add(&mut self, unit: usize, terms: UnitTerms) {
        let waivers = terms.waived.into_iter();
        self.waived
            .extend(waivers.map(|fingerprint| Waiver { unit, fingerprint }));
        for entry in terms.entries {
            if !self.entries.contains(&entry) {
                self.entries.push(entry);
            }
        }
    }

    /// Cuts the list to what a request has room for.
    fn within(mut self, n_bytes: usize) -> Self {
        let mut n = 0;
        self.entries.retain(|entry| {
            n += entry.source.len() + entry.target.len() + entry.note.len().min(limits::TERM_NOTE);
            n <= n_bytes
        });
        self
    }
}

impl Window {
    /// Takes terms over that the model was told, and gives up those that hold no longer.
    pub(super) fn learn_terms(&mut self, told: &[TermEntry], ended: &[TermEntry]) {
        let is_old = |entry: &TermEntry| {
            ended.contains(entry) || told.iter().any(|new| new.is_same_pair(entry))
        };
        self.terms.retain(|entry| !is_old(entry));
        self.terms.extend(told.iter().cloned());
        self.n_bytes += term_lines(told).iter().map(String::len).sum::<usize>();
    }
}

impl Context {
    /// Finds the terms of units, as many as a request has room for.
    pub(super) fn terms_of(
        &self,
        document: &DocumentState,
        units: impl Iterator<Item = usize>,
        glossary: &Glossary<'_>,
    ) -> AtHand {
        let format = document.document.format;
        let mut at_hand = AtHand::default();
        for unit in units {
            if let Some(segment) = unit
                .checked_sub(1)
                .and_then(|at| document.segments().get(at))
            {
                at_hand.add(unit, glossary.find(format, &segment.source));
            }
        }
        at_hand.within(self.halved(limits::TERM_BYTES))
    }

    /// Finds the terms of the units that are proposed next.
    pub(super) fn terms_next(&self, path: &ProjectPath, glossary: &Glossary<'_>) -> AtHand {
        let Some(document) = self.documents.get(path) else {
            return AtHand::default();
        };
        let next = document.open_from(0).take(self.look_ahead().max(1));
        self.terms_of(document, next.map(|ordinal| ordinal + 1), glossary)
    }

    /// Works out what the model must be told of terms since the window began: what is new for the units that come next, and
    /// what it was told of their terms and holds no longer.
    pub(super) fn changed_terms(
        &self,
        window: &Window,
        glossary: &Glossary<'_>,
    ) -> (AtHand, Vec<TermEntry>) {
        let Some(path) = &window.chunk.path else {
            return (AtHand::default(), Vec::new());
        };
        let mut next = self.terms_next(path, glossary);
        let sources: BTreeSet<String> = next
            .entries
            .iter()
            .map(|entry| entry.source.to_lowercase())
            .collect();
        let is_ended = |told: &&TermEntry| {
            let stands = |entry: &TermEntry| entry.is_same_pair(told);
            let is_of_unit =
                sources.contains(&told.source.to_lowercase()) || self.is_in_next(path, told);
            is_of_unit && !next.entries.iter().any(stands)
        };
        let ended = window.terms.iter().filter(is_ended).cloned().collect();
        next.entries.retain(|entry| !window.terms.contains(entry));
        next.waived.retain(|waiver| !window.waived.contains(waiver));
        (next, ended)
    }

    /// Tells whether a unit that is proposed next has a term.
    fn is_in_next(&self, path: &ProjectPath, term: &TermEntry) -> bool {
        let Some(document) = self.documents.get(path) else {
            return false;
        };
        let (format, languages) = (document.document.format, &self.settings.languages);
        let mut next = document.open_from(0).take(self.look_ahead().max(1));
        next.any(|ordinal| {
            let source = document.segments().get(ordinal);
            let source = source.map_or("", |segment| segment.source.as_str());
            !review_terms(format, source, "", &[term.checked()], languages).is_empty()
        })
    }

    /// Says which terms of the window a draft does not deal with as it should, a sentence each. Only terms that stand in the
    /// source as they are count, and none that the person waived for the unit.
    pub(super) fn term_faults(
        &self,
        document: &DocumentState,
        ordinal: usize,
        target: &str,
    ) -> Vec<String> {
        let (Some(window), Some(segment)) = (&self.window, document.segments().get(ordinal)) else {
            return Vec::new();
        };
        let is_at_hand = window.chunk.path.as_ref() == Some(&document.read.path);
        if window.terms.is_empty() || !is_at_hand {
            return Vec::new();
        }
        let terms: Vec<CheckedTerm<'_>> = window.terms.iter().map(TermEntry::checked).collect();
        let languages = &self.settings.languages;
        let format = document.document.format;
        let found = review_terms(format, &segment.source, target, &terms, languages).into_iter();
        let found = found.filter(|found| found.is_certain() && found.state != TermState::Met);
        let sentence = |found: diglot_document::FoundTerm| {
            let fingerprint = found.issue(&terms)?.fingerprint();
            let unit = ordinal + 1;
            if window.waived.contains(&Waiver { unit, fingerprint }) {
                return None;
            }
            let own = found.entries.iter().filter_map(|entry| terms.get(*entry));
            let allowed: Vec<String> = own
                .clone()
                .filter(|term| term.status != TermStatus::Forbidden)
                .map(|term| format!("\"{}\"", term.target))
                .collect();
            let source = own.map(|term| term.source).next()?;
            let wanted = allowed.join(" or ");
            let bad = found.forbidden.and_then(|entry| terms.get(entry));
            Some(match (bad, allowed.is_empty()) {
                (Some(bad), false) => format!(
                    "\"{source}\" is not translated as \"{}\" here, but as {wanted}.",
                    bad.target
                ),
                (Some(bad), true) => {
                    format!("\"{source}\" is not translated as \"{}\" here.", bad.target)
                }
                (None, _) => format!("The term \"{source}\" is translated as {wanted} here."),
            })
        };
        found.filter_map(sentence).collect()
    }
}
