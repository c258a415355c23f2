//! Where a text has terms: the places of each, the longest first, none over another.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use unicode_segmentation::UnicodeSegmentation;

use super::contained::{Folded, has_signs, is_unspaced};
use super::keys::{for_each_run, parts, term_key};
use super::stem::{Stems, Word, fold};
use super::words::{Seen, is_prose, words};
use super::{TermForm, TermPlace};
use crate::check::text::Text;
use crate::{LanguageTag, Span};

/// The places of one wanted text.
pub(super) struct Placed {
    /// Which of the wanted texts are this one, in their order.
    pub(super) entries: Vec<usize>,
    /// In order of the text, never empty.
    pub(super) places: Vec<TermPlace>,
}

/// What is looked for, once however many entries have it.
struct Wanted<'t> {
    text: &'t str,
    folded: String,
    words: Vec<Word>,
    is_contained: bool,
    entries: Vec<usize>,
}

struct Candidate {
    wanted: usize,
    span: Span,
    form: TermForm,
}

/// Finds the places of wanted texts, in order of the first place of each.
pub(super) fn find(text: &Text<'_>, wanted: &[&str], language: &LanguageTag) -> Vec<Placed> {
    let stems = Stems::of(language);
    let wanted = gather(wanted, &stems, language);
    if wanted.is_empty() {
        return Vec::new();
    }
    let mut candidates = contained(text, &wanted);
    if !language.is_unspaced() {
        candidates.extend(spelled(text, &wanted, &stems, language));
    }
    let length = |candidate: &Candidate| candidate.span.end - candidate.span.start;
    candidates.sort_by_key(|candidate| {
        (
            Reverse(length(candidate)),
            candidate.form,
            candidate.span.start,
            candidate.wanted,
        )
    });
    let mut taken: BTreeMap<usize, (usize, TermPlace, usize)> = BTreeMap::new();
    for Candidate { wanted, span, form } in candidates {
        let before = taken.range(..span.end).next_back();
        if before.is_none_or(|(_, (end, ..))| *end <= span.start) {
            let place = TermPlace { span, form };
            taken.insert(span.start, (span.end, place, wanted));
        }
    }
    placed(taken, wanted)
}

fn placed(
    taken: BTreeMap<usize, (usize, TermPlace, usize)>,
    wanted: Vec<Wanted<'_>>,
) -> Vec<Placed> {
    let mut entries: Vec<Vec<usize>> = wanted.into_iter().map(|wanted| wanted.entries).collect();
    let mut at: HashMap<usize, usize> = HashMap::new();
    let mut placed: Vec<Placed> = Vec::new();
    for (_, place, wanted) in taken.into_values() {
        let known = at.get(&wanted).and_then(|at| placed.get_mut(*at));
        if let Some(known) = known {
            known.places.push(place);
            continue;
        }
        at.insert(wanted, placed.len());
        let entries = entries.get_mut(wanted).map(std::mem::take);
        placed.push(Placed {
            entries: entries.unwrap_or_default(),
            places: vec![place],
        });
    }
    placed
}

/// Puts what is wanted several times together: in whatever case, but for what is all capitals.
fn gather<'t>(texts: &[&'t str], stems: &Stems, language: &LanguageTag) -> Vec<Wanted<'t>> {
    let mut known: HashMap<(String, bool), usize> = HashMap::new();
    let mut gathered: Vec<Wanted<'t>> = Vec::new();
    for (entry, text) in texts.iter().enumerate() {
        let text = text.trim();
        if !text.contains(char::is_alphanumeric) {
            continue;
        }
        let folded = fold(text);
        let is_acronym = !text.contains(char::is_lowercase);
        let place = *known
            .entry((folded.clone(), is_acronym))
            .or_insert(gathered.len());
        if let Some(wanted) = gathered.get_mut(place) {
            wanted.entries.push(entry);
            continue;
        }
        let is_contained = is_unspaced(text, language) || has_signs(text);
        gathered.push(Wanted {
            text,
            folded,
            words: text.unicode_words().map(|word| stems.word(word)).collect(),
            is_contained,
            entries: vec![entry],
        });
    }
    gathered
}

/// Finds what is looked for as it is written.
fn contained(text: &Text<'_>, wanted: &[Wanted<'_>]) -> Vec<Candidate> {
    if !wanted.iter().any(|wanted| wanted.is_contained) {
        return Vec::new();
    }
    let folded = Folded::of(text.raw);
    let mut candidates = Vec::new();
    for (place, wanted) in wanted.iter().enumerate().filter(|(_, w)| w.is_contained) {
        let found = folded.places(text.raw, &wanted.folded, wanted.text);
        let found = found.into_iter().filter(|(span, _)| is_prose(text, *span));
        candidates.extend(found.map(|(span, form)| Candidate {
            wanted: place,
            span,
            form,
        }));
    }
    candidates
}

/// Finds what is looked for word by word.
fn spelled(
    text: &Text<'_>,
    wanted: &[Wanted<'_>],
    stems: &Stems,
    language: &LanguageTag,
) -> Vec<Candidate> {
    let mut by_key: HashMap<String, Vec<usize>> = HashMap::new();
    for (place, wanted) in wanted.iter().enumerate().filter(|(_, w)| !w.is_contained) {
        if let Some(key) = term_key(wanted.text, language) {
            by_key.entry(key).or_default().push(place);
        }
    }
    if by_key.is_empty() {
        return Vec::new();
    }
    let words = words(text, stems);
    let mut candidates = Vec::new();
    for (first, seen) in words.iter().enumerate() {
        let mut at_word = |key: &str, _| {
            for place in by_key.get(key).into_iter().flatten() {
                let term = wanted.get(*place).map_or(&[][..], |wanted| &wanted.words);
                let found = fits(&words, first, term, stems);
                candidates.extend(found.map(|(span, form)| Candidate {
                    wanted: *place,
                    span,
                    form,
                }));
            }
        };
        for_each_run(&words, first, stems, &mut at_word);
        for part in parts(seen, stems) {
            for place in by_key.get(&part.stem).into_iter().flatten() {
                let is_word = wanted.get(*place).is_some_and(|w| w.words.len() == 1);
                let start = seen.span.start;
                candidates.extend(is_word.then_some(Candidate {
                    wanted: *place,
                    span: Span::new(start + part.start, start + part.end),
                    form: TermForm::Related,
                }));
            }
        }
    }
    candidates
}

/// Tells whether the words from `first` on are forms of a term's words, one after the other, and how they are like it.
fn fits(words: &[Seen], first: usize, term: &[Word], stems: &Stems) -> Option<(Span, TermForm)> {
    let run = words.get(first..first + term.len())?;
    let mut worst = TermForm::Exact;
    for (place, (seen, wanted)) in run.iter().zip(term).enumerate() {
        if place > 0 && !seen.follows {
            return None;
        }
        worst = worst.max(stems.likeness(&seen.word, wanted)?);
    }
    let span = Span::new(run.first()?.span.start, run.last()?.span.end);
    Some((span, worst))
}
