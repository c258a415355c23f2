//! Terms of a session: the termbase of its languages, what was learnt, and what a person waived for a source.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};

use diglot_agent::{Context, Glossary, TermEntry, Terms};
use diglot_document::{
    CheckedTerm, Document, Format, FoundTerm, Issue, LanguagePair, TermForm, review_terms,
};
use diglot_store::{Store, StoreTerms};

use super::sessions::Session;
use super::{Workbench, lock};
use crate::error::ApiError;
use crate::view::document::SourcePartView;
use crate::view::terms::{TermTargetView, UnitTermView};

mod commands;
mod waivers;

pub(super) use waivers::waiver_key;

/// The termbase as the core of one session asks it.
pub(super) struct SessionTerms {
    terms: StoreTerms,
    /// Keys of all that was set aside. Its lock is held for nothing else.
    pub(super) aside: Mutex<HashSet<String>>,
    /// The terms that were asked for last: while somebody types, they are asked for again and again.
    last: Mutex<Option<Known>>,
}

/// Holds the terms of one source, as they were when so much had been written.
struct Known {
    format: Format,
    source: String,
    n_written: u64,
    entries: Arc<Vec<TermEntry>>,
}

impl SessionTerms {
    pub(super) fn new(
        store: &Arc<Store>,
        languages: &LanguagePair,
        aside: HashSet<String>,
    ) -> Result<Self, ApiError> {
        store.renew_term_keys()?;
        Ok(Self {
            terms: StoreTerms::new(Arc::clone(store), languages.clone()),
            aside: Mutex::new(aside),
            last: Mutex::default(),
        })
    }
}

impl Terms for SessionTerms {
    fn find(&self, format: Format, source: &str) -> Vec<TermEntry> {
        self.terms.find(format, source)
    }

    fn is_waived(&self, source: &str, fingerprint: &str) -> bool {
        lock(&self.aside).contains(&waiver_key(source, fingerprint))
    }
}

impl Workbench {
    /// Returns the terms of a source. Asking again for the same one costs nothing until something is written.
    pub(super) fn terms_of(
        &self,
        session: &Session,
        languages: &LanguagePair,
        format: Format,
        source: &str,
    ) -> Result<Arc<Vec<TermEntry>>, ApiError> {
        let n_written = self.store().n_written();
        if let Some(known) = lock(&session.terms.last).as_ref().filter(|known| {
            known.format == format && known.source == source && known.n_written == n_written
        }) {
            return Ok(Arc::clone(&known.entries));
        }
        let memory = self.memory_of(session)?;
        let glossary = Glossary::new(session.terms.as_ref(), &memory, languages);
        let entries = Arc::new(glossary.find(format, source).entries);
        *lock(&session.terms.last) = Some(Known {
            format,
            source: source.to_owned(),
            n_written,
            entries: Arc::clone(&entries),
        });
        Ok(entries)
    }

    /// Remembers that a person confirmed a unit although terms are not met: it is not asked about again for its source.
    pub(super) fn waive_unmet(
        &self,
        session: &Session,
        context: &Context,
        document: &Document,
        source: &str,
        target: &str,
    ) -> Result<(), ApiError> {
        let languages = &context.settings().languages;
        for fingerprint in
            self.term_findings(session, languages, document.format, source, target)?
        {
            self.waive(session, source, &fingerprint, true)?;
        }
        Ok(())
    }

    /// Names the findings on terms of a target.
    pub(super) fn term_findings(
        &self,
        session: &Session,
        languages: &LanguagePair,
        format: Format,
        source: &str,
        target: &str,
    ) -> Result<Vec<String>, ApiError> {
        let entries = self.terms_of(session, languages, format, source)?;
        let terms: Vec<CheckedTerm<'_>> = entries.iter().map(TermEntry::checked).collect();
        let found = review_terms(format, source, target, &terms, languages).into_iter();
        let sure = found.filter(|found| found.form() != TermForm::Related);
        let issues = sure.filter_map(|found: FoundTerm| found.issue(&terms));
        Ok(issues.map(|issue: Issue| issue.fingerprint()).collect())
    }
}

/// Shows the terms of a source, and the source in pieces with its terms marked.
pub(super) fn lit(
    format: Format,
    source: &str,
    target: &str,
    entries: &[TermEntry],
    languages: &LanguagePair,
) -> (Vec<SourcePartView>, Vec<UnitTermView>) {
    let terms: Vec<CheckedTerm<'_>> = entries.iter().map(TermEntry::checked).collect();
    let found = review_terms(format, source, target, &terms, languages);
    let mut places: Vec<(usize, usize, usize)> = Vec::new();
    for (term, found) in found.iter().enumerate() {
        let spans = found.places.iter().map(|place| place.span);
        places.extend(spans.map(|span| (span.start, span.end, term)));
    }
    places.sort_unstable();
    let views = found.iter().map(|found| {
        let own = found.entries.iter().filter_map(|entry| entries.get(*entry));
        UnitTermView {
            source: own
                .clone()
                .next()
                .map_or_else(String::new, |entry| entry.source.clone()),
            targets: own
                .map(|entry| TermTargetView {
                    target: entry.target.clone(),
                    status: entry.status.into(),
                    note: entry.note.clone(),
                })
                .collect(),
            certain: found.is_certain(),
            related: found.form() == TermForm::Related,
            state: found.state.into(),
        }
    });
    (source_parts(format, source, &places), views.collect())
}

/// Cuts a source at its placeables and at its terms.
fn source_parts(
    format: Format,
    source: &str,
    places: &[(usize, usize, usize)],
) -> Vec<SourcePartView> {
    let mut parts = Vec::new();
    let mut at = 0;
    for part in super::present::parts(format, source) {
        let end = at + part.text.len();
        let first = places.partition_point(|(_, term_end, _)| *term_end <= at);
        let within = places.iter().skip(first);
        for (from, to, term) in within.take_while(|(from, ..)| *from < end) {
            push(
                &mut parts,
                source,
                at,
                (*from).max(at),
                part.placeable,
                None,
            );
            let stop = (*to).min(end);
            push(
                &mut parts,
                source,
                (*from).max(at),
                stop,
                part.placeable,
                Some(*term),
            );
            at = stop;
        }
        push(&mut parts, source, at, end, part.placeable, None);
        at = end;
    }
    parts
}

fn push(
    parts: &mut Vec<SourcePartView>,
    source: &str,
    from: usize,
    to: usize,
    placeable: Option<crate::view::document::PlaceableView>,
    term: Option<usize>,
) {
    if let Some(text) = source.get(from..to).filter(|text| !text.is_empty()) {
        parts.push(SourcePartView {
            text: text.to_owned(),
            placeable,
            term,
        });
    }
}
