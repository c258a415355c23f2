//! How long a text is whatever its script, so that texts of two languages can be compared.

use unicode_segmentation::UnicodeSegmentation;

use super::Text;
use crate::{LanguagePair, LanguageTag};

/// How many letters of English a language needs for what English says in a hundred, in alphabets. Measured on true
/// translations; those of other languages lie between.
const LETTERS: [(&str, usize); 14] = [
    ("en", 100),
    ("de", 113),
    ("fr", 115),
    ("es", 109),
    ("pt", 105),
    ("it", 112),
    ("nl", 112),
    ("ru", 103),
    ("uk", 102),
    ("ar", 83),
    ("he", 80),
    ("fa", 95),
    ("ur", 100),
    ("tr", 104),
];

/// The same for a language that is not listed.
const USUAL: usize = 106;

/// Letters of English that a character stands for, in hundredths: of Chinese, of Japanese syllables, of Korean ones.
const HAN: usize = 300;
const KANA: usize = 170;
const HANGUL: usize = 195;

/// Lengths of a true translation in hundredths of what is usual: up to a length of source, the least and the most.
const RANGES: [(usize, usize, usize); 5] = [
    (20, 0, usize::MAX),
    (40, 25, 500),
    (80, 37, 300),
    (150, 45, 250),
    (usize::MAX, 50, 220),
];

/// The lengths of two texts in letters of English.
pub(super) struct Sizes {
    source: usize,
    target: usize,
}

impl Sizes {
    pub(super) fn of(source: &Text<'_>, target: &Text<'_>, languages: &LanguagePair) -> Self {
        Self {
            source: weight(&source.prose, &languages.source),
            target: weight(&target.prose, &languages.target),
        }
    }

    /// Tells whether the target is far too long or far too short.
    pub(super) fn are_odd(&self) -> bool {
        let found = RANGES.iter().find(|(length, ..)| self.source <= *length);
        found.is_some_and(|(_, least, most)| {
            self.is_below(*least) || self.target > self.source.saturating_mul(*most) / 100
        })
    }

    /// Tells whether the target is shorter than so many hundredths of what is usual.
    pub(super) fn is_below(&self, hundredths: usize) -> bool {
        self.target * 100 < self.source * hundredths
    }

    /// Tells whether the source is long enough that a missing word shows.
    pub(super) fn is_sentence(&self) -> bool {
        self.source > 20
    }

    /// Tells whether the source is long enough that a missing sentence shows.
    pub(super) fn is_paragraph(&self) -> bool {
        self.source >= 30
    }
}

fn weight(prose: &str, language: &LanguageTag) -> usize {
    let of_language = LETTERS.iter().find(|(code, _)| *code == language.primary());
    let letters = of_language.map_or(USUAL, |(_, letters)| *letters);
    let hundredths: usize = prose
        .trim()
        .graphemes(true)
        .map(|cluster| match cluster.chars().next() {
            Some('\u{3400}'..='\u{9FFF}') => HAN,
            // With the marks of the east, which are as wide.
            Some('\u{3000}'..='\u{30FF}' | '\u{FF00}'..='\u{FF60}') => KANA,
            Some('\u{AC00}'..='\u{D7A3}') => HANGUL,
            Some(c) if c.is_alphabetic() => 10_000 / letters,
            Some(_) | None => 100,
        })
        .sum();
    hundredths / 100
}
