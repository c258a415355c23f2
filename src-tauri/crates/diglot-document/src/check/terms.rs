//! Terms: where the source has one as a whole word, the target must have its translation. Knows how
//! words are inflected only as far as it takes to keep quiet when in doubt.

use std::cmp::Reverse;
use std::collections::HashMap;

use unicode_normalization::UnicodeNormalization;
use unicode_segmentation::UnicodeSegmentation;

use super::{CheckedTerm, Issue, IssueKind, Text};
use crate::{LanguagePair, LanguageTag};

/// Fewest letters that an ending may leave of a word.
const FEWEST_STEM: usize = 2;

/// Endings of the plural and of cases, with what stands in their place in the word's first form.
const ENDINGS: &[(&str, &[(&str, &str)])] = &[
    (
        "en",
        &[
            ("s", ""),
            ("es", ""),
            ("ies", "y"),
            ("ves", "f"),
            ("'s", ""),
            ("s'", ""),
        ],
    ),
    (
        "de",
        &[
            ("e", ""),
            ("n", ""),
            ("en", ""),
            ("er", ""),
            ("ern", ""),
            ("s", ""),
            ("es", ""),
        ],
    ),
    ("fr", &[("s", ""), ("x", ""), ("aux", "al")]),
    ("es", &[("s", ""), ("es", ""), ("ces", "z")]),
    ("pt", &[("s", ""), ("es", ""), ("oes", "ao"), ("is", "l")]),
    ("it", &[("i", "o"), ("i", "e"), ("e", "a")]),
    ("nl", &[("s", ""), ("n", ""), ("en", "")]),
    (
        "sv",
        &[
            ("n", ""),
            ("en", ""),
            ("et", ""),
            ("er", ""),
            ("ar", ""),
            ("or", "a"),
            ("s", ""),
        ],
    ),
    (
        "da",
        &[
            ("n", ""),
            ("en", ""),
            ("et", ""),
            ("er", ""),
            ("erne", ""),
            ("s", ""),
        ],
    ),
    (
        "ru",
        &[
            ("ы", ""),
            ("и", ""),
            ("а", ""),
            ("у", ""),
            ("ом", ""),
            ("е", ""),
            ("ов", ""),
            ("ам", ""),
            ("ами", ""),
            ("ах", ""),
            ("ы", "а"),
            ("и", "а"),
            ("у", "а"),
            ("ой", "а"),
            ("е", "а"),
        ],
    ),
];

/// Reports each term of the source that the target does not meet.
pub(super) fn check(
    source: &Text<'_>,
    target: &Text<'_>,
    terms: &[CheckedTerm<'_>],
    languages: &LanguagePair,
) -> Vec<Issue> {
    if terms.is_empty() {
        return Vec::new();
    }
    let mut variants: HashMap<String, Vec<&str>> = HashMap::new();
    for term in terms {
        variants
            .entry(fold(term.source))
            .or_default()
            .push(term.target);
    }
    let rendered = fold(target.raw);
    let mut issues = Vec::new();
    for term in present(&source.prose, terms, &languages.source) {
        // Taken out, so that a source with several terms is judged once.
        let targets = variants.remove(&fold(term.source)).unwrap_or_default();
        let is_met = |target: &&str| meets(&rendered, target, &languages.target);
        if let (Some(first), false) = (targets.first(), targets.iter().any(is_met)) {
            issues.push(Issue {
                missing: vec![(*first).to_owned()],
                ..Issue::warning(IssueKind::Term)
            });
        }
    }
    issues
}

/// Lists the terms that a text has. A term inside of a longer one is no occurrence of its own:
/// `seal ring` does not ask for the translation of `seal`.
fn present<'t>(
    text: &str,
    terms: &'t [CheckedTerm<'t>],
    language: &LanguageTag,
) -> Vec<&'t CheckedTerm<'t>> {
    let mut by_length: Vec<&CheckedTerm<'_>> = terms.iter().collect();
    by_length.retain(|term| !term.source.trim().is_empty() && !term.target.trim().is_empty());
    by_length.sort_by_key(|term| Reverse(term.source.len()));
    let mut words = Words::read(text, language);
    let folded = fold(text);
    let has = |term: &&CheckedTerm<'_>| {
        if language.is_unspaced() || is_unspaced(term.source) {
            folded.contains(&fold(term.source))
        } else {
            words.take(term.source)
        }
    };
    by_length.into_iter().filter(has).collect()
}

/// The words of a source, found by any form that they may be an inflection of.
struct Words<'a> {
    texts: Vec<&'a str>,
    forms: Vec<Vec<String>>,
    /// Where the words stand that may be a form of the key.
    places: HashMap<String, Vec<usize>>,
    /// Which words belong to a term already.
    taken: Vec<bool>,
    /// Terms that were looked for, and whether they are there.
    known: HashMap<String, bool>,
}

impl<'a> Words<'a> {
    fn read(text: &'a str, language: &LanguageTag) -> Self {
        let texts: Vec<&str> = text.unicode_words().collect();
        let forms: Vec<Vec<String>> = texts
            .iter()
            .map(|word| first_forms(word, language))
            .collect();
        let mut places: HashMap<String, Vec<usize>> = HashMap::new();
        for (index, forms) in forms.iter().enumerate() {
            for form in forms {
                places.entry(form.clone()).or_default().push(index);
            }
        }
        Self {
            taken: vec![false; texts.len()],
            known: HashMap::new(),
            texts,
            forms,
            places,
        }
    }

    /// Takes the places of a term, if it has any that no longer term has.
    fn take(&mut self, term: &str) -> bool {
        let key = fold(term);
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let words: Vec<(&str, String)> = term
            .unicode_words()
            .map(|word| (word, fold(word)))
            .collect();
        let mut found = false;
        for start in self.starts(&words) {
            let fits = |(step, (word, form)): (usize, &(&str, String))| {
                self.fits(start + step, word, form)
            };
            if words.iter().enumerate().all(fits) {
                let places = self.taken.get_mut(start..start + words.len());
                for taken in places.into_iter().flatten() {
                    found |= !*taken;
                    *taken = true;
                }
            }
        }
        self.known.insert(key, found);
        found
    }

    /// Lists where a term may begin: by its rarest word.
    fn starts(&self, words: &[(&str, String)]) -> Vec<usize> {
        let places = |form: &String| self.places.get(form).map_or(&[][..], Vec::as_slice);
        let by_word = words
            .iter()
            .enumerate()
            .map(|(step, (_, form))| (step, places(form)));
        let Some((step, places)) = by_word.min_by_key(|(_, places)| places.len()) else {
            return Vec::new();
        };
        places
            .iter()
            .filter_map(|place| place.checked_sub(step))
            .collect()
    }

    /// Tells whether a word may be a form of the term's word. What a term writes in capitals, such
    /// as `IT`, the text must too.
    fn fits(&self, index: usize, wanted: &str, form: &String) -> bool {
        let (Some(text), Some(forms)) = (self.texts.get(index), self.forms.get(index)) else {
            return false;
        };
        let is_acronym = wanted.chars().nth(1).is_some() && !wanted.contains(char::is_lowercase);
        let same_case = !is_acronym || text.starts_with(wanted);
        same_case && forms.contains(form)
    }
}

/// Lists the forms that a word may be an inflection of, itself among them.
fn first_forms(word: &str, language: &LanguageTag) -> Vec<String> {
    let word = fold(word);
    let endings = ENDINGS
        .iter()
        .find(|(code, _)| *code == language.primary())
        .map_or(&[][..], |(_, endings)| endings);
    let mut forms: Vec<String> = endings
        .iter()
        .filter_map(|(ending, instead)| {
            let stem = word.strip_suffix(ending)?;
            (stem.chars().count() >= FEWEST_STEM).then(|| format!("{stem}{instead}"))
        })
        .collect();
    forms.push(word);
    forms
}

/// Tells whether a text holds a term or what may be a form of it, also as a part of a compound.
fn meets(folded: &str, term: &str, language: &LanguageTag) -> bool {
    let term = fold(term);
    if folded.contains(&term) || language.is_unspaced() || is_unspaced(&term) {
        return folded.contains(&term);
    }
    let words: Vec<&str> = term.unicode_words().collect();
    // Articles and the like change with the sentence.
    let counts = |word: &&&str| words.len() == 1 || word.chars().nth(3).is_some();
    words.iter().filter(counts).all(|word| {
        let length = word.chars().count();
        let kept = match length {
            0..=3 => length,
            4..=5 => length - 1,
            6..=8 => length - 2,
            _ => length - 3,
        };
        let stem: String = word.chars().take(kept).collect();
        folded.contains(&stem)
    })
}

/// Tells whether a term is written in a script that sets no blanks between words.
fn is_unspaced(term: &str) -> bool {
    term.contains(|c: char| matches!(c, '\u{0E00}'..='\u{0EFF}' | '\u{3041}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}'))
}

/// Takes off what an inflection may change besides the ending: case, accents and vowel points.
fn fold(text: &str) -> String {
    let is_mark = |c: &char| matches!(c, '\u{0300}'..='\u{036F}' | '\u{0591}'..='\u{05C7}' | '\u{064B}'..='\u{0652}');
    text.nfd()
        .filter(|c| !is_mark(c))
        .flat_map(char::to_lowercase)
        .map(|c| if c == '’' { '\'' } else { c })
        .collect()
}
