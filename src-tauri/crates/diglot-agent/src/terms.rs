//! The port to the termbase, and the terms of the units at hand: those of the termbase and those that were learnt. Must not
//! know where terms are kept.

use std::collections::HashMap;
use std::fmt::Write as _;

use diglot_document::term::{term_key, term_keys};
use diglot_document::{
    CheckedTerm, Format, FoundTerm, LanguagePair, TermState, TermStatus, review_terms,
};
use serde::{Deserialize, Serialize};

use crate::limits;
use crate::memory::{Memory, MemoryKind, Term};

/// Holds one translation of a term.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TermEntry {
    /// In the source language.
    pub source: String,
    /// In the target language.
    pub target: String,
    /// What the target is to the source.
    pub status: TermStatus,
    /// What a translator should know of it, may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
}

impl TermEntry {
    /// Returns the entry as checks look for it.
    pub fn checked(&self) -> CheckedTerm<'_> {
        CheckedTerm {
            source: &self.source,
            target: &self.target,
            status: self.status,
        }
    }

    /// Tells whether another entry is about the same pair, in whatever case.
    pub fn is_same_pair(&self, other: &Self) -> bool {
        let same = |left: &str, right: &str| left.to_lowercase() == right.to_lowercase();
        same(&self.source, &other.source) && same(&self.target, &other.target)
    }
}

/// Names a finding on a term that a person does not want to see again for a unit's source.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Waiver {
    /// The unit, from 1.
    pub unit: usize,
    /// The finding; see [`diglot_document::Issue::fingerprint`].
    pub fingerprint: String,
}

/// Looks up the terms of the session's language pair.
pub trait Terms: Send + Sync {
    /// Returns the entries whose terms a source may have, in a firm order, may be empty. What it costs does not grow with
    /// the termbase.
    fn find(&self, format: Format, source: &str) -> Vec<TermEntry>;

    /// Tells whether the person waived a finding for a source.
    fn is_waived(&self, source: &str, fingerprint: &str) -> bool;
}

/// Finds nothing; for sessions without a termbase.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoTerms;

impl Terms for NoTerms {
    fn find(&self, _format: Format, _source: &str) -> Vec<TermEntry> {
        Vec::new()
    }

    fn is_waived(&self, _source: &str, _fingerprint: &str) -> bool {
        false
    }
}

/// Knows the termbase and what was learnt. Made for one step.
pub struct Glossary<'a> {
    terms: &'a dyn Terms,
    languages: &'a LanguagePair,
    learnt: HashMap<String, Vec<&'a Term>>,
}

/// Holds the terms of a source.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UnitTerms {
    /// Entries in order of the text, those of one term together, as they came.
    pub entries: Vec<TermEntry>,
    /// Fingerprints of findings that the person waived for the source.
    pub waived: Vec<String>,
}

impl<'a> Glossary<'a> {
    /// Joins a termbase with the terminology that is active in memory.
    pub fn new(terms: &'a dyn Terms, memory: &'a Memory, languages: &'a LanguagePair) -> Self {
        let mut learnt: HashMap<String, Vec<&'a Term>> = HashMap::new();
        let active = memory
            .active()
            .filter(|item| item.kind == MemoryKind::Terminology);
        for term in active.filter_map(|item| item.term.as_ref()) {
            if let Some(key) = term_key(&term.source, &languages.source) {
                learnt.entry(key).or_default().push(term);
            }
        }
        Self {
            terms,
            languages,
            learnt,
        }
    }

    /// Finds the terms of a source.
    pub fn find(&self, format: Format, source: &str) -> UnitTerms {
        let known = self.known(format, source);
        let checked: Vec<CheckedTerm<'_>> = known.iter().map(TermEntry::checked).collect();
        let mut unit = UnitTerms::default();
        for found in review_terms(format, source, "", &checked, self.languages) {
            let waived = findings(&found, &checked)
                .into_iter()
                .filter(|fingerprint| self.terms.is_waived(source, fingerprint));
            unit.waived.extend(waived);
            let entries = found.entries.iter().take(limits::TRANSLATIONS_OF_TERM);
            unit.entries
                .extend(entries.filter_map(|entry| known.get(*entry).cloned()));
        }
        unit
    }

    /// Lists what a source may have: the entries of the termbase, then what was learnt and it does not say.
    fn known(&self, format: Format, source: &str) -> Vec<TermEntry> {
        let mut known = self.terms.find(format, source);
        if self.learnt.is_empty() {
            return known;
        }
        let keys = term_keys(format, source, &self.languages.source);
        for term in keys.iter().filter_map(|key| self.learnt.get(key)).flatten() {
            let entry = TermEntry {
                source: term.source.clone(),
                target: term.target.clone(),
                status: TermStatus::Preferred,
                note: String::new(),
            };
            if !known.iter().any(|other| other.is_same_pair(&entry)) {
                known.push(entry);
            }
        }
        known
    }
}

/// Names the findings that a term can lead to.
fn findings(found: &FoundTerm, terms: &[CheckedTerm<'_>]) -> Vec<String> {
    let unmet = found.issue(terms).into_iter();
    let forbidden = found.entries.iter().filter_map(|entry| {
        let is_forbidden = terms
            .get(*entry)
            .is_some_and(|term| term.status == TermStatus::Forbidden);
        let used = FoundTerm {
            state: TermState::Forbidden,
            forbidden: is_forbidden.then_some(*entry),
            ..found.clone()
        };
        is_forbidden.then(|| used.issue(terms)).flatten()
    });
    unmet
        .chain(forbidden)
        .map(|issue| issue.fingerprint())
        .collect()
}

/// Writes terms for a model, a line each: what a source is, may be and must not be.
pub(crate) fn term_lines(entries: &[TermEntry]) -> Vec<String> {
    let mut sources: Vec<(String, Vec<&TermEntry>)> = Vec::new();
    for entry in entries {
        let key = entry.source.to_lowercase();
        match sources.iter_mut().find(|(known, _)| *known == key) {
            Some((_, own)) => own.push(entry),
            None => sources.push((key, vec![entry])),
        }
    }
    sources.iter().map(|(_, own)| term_line(own)).collect()
}

fn term_line(entries: &[&TermEntry]) -> String {
    let of = |status: TermStatus| {
        let own = entries.iter().filter(|entry| entry.status == status);
        own.map(|entry| entry.target.as_str()).collect::<Vec<_>>()
    };
    let source = entries.first().map_or("", |entry| &entry.source);
    let mut line = format!("- {source}");
    let preferred = of(TermStatus::Preferred);
    if !preferred.is_empty() {
        let _ = write!(line, " => {}", preferred.join(" or "));
    }
    let (also, not) = (of(TermStatus::Admitted), of(TermStatus::Forbidden));
    if !also.is_empty() {
        let _ = write!(line, " (also: {})", also.join(", "));
    }
    if !not.is_empty() {
        let _ = write!(line, " (never: {})", not.join(", "));
    }
    let notes = entries.iter().map(|entry| entry.note.trim());
    for note in notes.filter(|note| !note.is_empty()) {
        let _ = write!(line, "; {}", crate::prompt::cut(note, limits::TERM_NOTE));
    }
    line
}

#[cfg(test)]
mod tests;
