//! Whether a target meets the terms of its source. It keeps quiet when in doubt: any trace of a translation that may be used
//! counts, and of one that must not be used only what is sure.

use unicode_segmentation::UnicodeSegmentation;

use super::contained::is_unspaced;
use super::places::find;
use super::stem::{Stems, fold};
use super::{CheckedTerm, FoundTerm, TermForm, TermState, TermStatus};
use crate::check::text::Text;
use crate::{LanguagePair, LanguageTag};

/// Finds the terms of a source and looks how a target deals with them.
pub(crate) fn review_texts(
    source: &Text<'_>,
    target: &Text<'_>,
    terms: &[CheckedTerm<'_>],
    languages: &LanguagePair,
) -> Vec<FoundTerm> {
    let is_whole =
        |term: &&CheckedTerm<'_>| !term.source.trim().is_empty() && !term.target.trim().is_empty();
    // A blank is wanted nowhere, and keeps the numbers of the others.
    let sources: Vec<&str> = terms
        .iter()
        .map(|term| if is_whole(&term) { term.source } else { "" })
        .collect();
    let found = find(source, &sources, &languages.source);
    if found.is_empty() {
        return Vec::new();
    }
    let rendered = Rendered::read(target, &languages.target);
    let judged = found.into_iter().map(|placed| {
        let (state, forbidden) = rendered.judge(target, &placed.entries, terms);
        FoundTerm {
            places: placed.places,
            entries: placed.entries,
            state,
            forbidden,
        }
    });
    judged.collect()
}

/// A target as it is looked through for translations.
struct Rendered<'a> {
    folded: String,
    stems: Stems,
    found: Vec<String>,
    language: &'a LanguageTag,
}

impl<'a> Rendered<'a> {
    fn read(target: &Text<'_>, language: &'a LanguageTag) -> Self {
        let stems = Stems::of(language);
        let words = target.raw.unicode_words();
        let mut found: Vec<String> = words.map(|word| stems.word(word).stem).collect();
        found.sort_unstable();
        Self {
            folded: fold(target.raw),
            stems,
            found,
            language,
        }
    }

    fn judge(
        &self,
        target: &Text<'_>,
        entries: &[usize],
        terms: &[CheckedTerm<'_>],
    ) -> (TermState, Option<usize>) {
        let of = |entry: &usize| terms.get(*entry);
        let is_forbidden =
            |entry: &&usize| of(entry).is_some_and(|term| term.status == TermStatus::Forbidden);
        let forbidden: Vec<usize> = entries
            .iter()
            .copied()
            .filter(|e| is_forbidden(&e))
            .collect();
        if let Some(entry) = self.used(target, entries, &forbidden, terms) {
            return (TermState::Forbidden, Some(entry));
        }
        let mut allowed = entries.iter().filter(|entry| !is_forbidden(entry));
        let asks = allowed.clone().next().is_some();
        let is_met = allowed.any(|entry| of(entry).is_some_and(|term| self.meets(term.target)));
        let state = if is_met || !asks {
            TermState::Met
        } else {
            TermState::Unmet
        };
        (state, None)
    }

    /// Returns a forbidden translation that stands in the target for itself, not within one that may be used.
    fn used(
        &self,
        target: &Text<'_>,
        entries: &[usize],
        forbidden: &[usize],
        terms: &[CheckedTerm<'_>],
    ) -> Option<usize> {
        if forbidden.is_empty() {
            return None;
        }
        let wanted: Vec<&str> = entries
            .iter()
            .map(|entry| terms.get(*entry).map_or("", |term| term.target))
            .collect();
        let found = find(target, &wanted, self.language);
        let found = found.into_iter().filter(|placed| {
            let is_sure = |form: TermForm| form != TermForm::Related;
            placed.places.iter().any(|place| is_sure(place.form))
        });
        // Where one says that it may be used and another that it may not, it may.
        let entries = found.map(|placed| {
            let own = placed
                .entries
                .iter()
                .filter_map(|place| entries.get(*place));
            own.copied().collect::<Vec<usize>>()
        });
        entries
            .filter(|own| own.iter().all(|entry| forbidden.contains(entry)))
            .find_map(|own| own.first().copied())
    }

    /// Tells whether the target holds a translation or what may be a form of it, also as a part of a compound.
    fn meets(&self, term: &str) -> bool {
        let folded = fold(term.trim());
        if self.folded.contains(&folded) || is_unspaced(term, self.language) {
            return self.folded.contains(&folded);
        }
        let words: Vec<&str> = term.unicode_words().collect();
        // Articles and the like change with the sentence.
        let counts = |word: &&&str| words.len() == 1 || word.chars().nth(3).is_some();
        let mut counted = words.iter().filter(counts);
        counted.all(|word| self.has_trace(word))
    }

    /// Tells whether a word has the stem of this one, or any begins as it does.
    fn has_trace(&self, word: &str) -> bool {
        let word = self.stems.word(word);
        if self.found.binary_search(&word.stem).is_ok() {
            return true;
        }
        let length = word.folded.chars().count();
        let kept = match length {
            0..=3 => length,
            4..=5 => length - 1,
            6..=8 => length - 2,
            _ => length - 3,
        };
        let beginning: String = word.folded.chars().take(kept).collect();
        self.folded.contains(&beginning)
    }
}
