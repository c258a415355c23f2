//! Words and their stems. Knows how words are inflected as far as a stemmer does, and a table that tells inflection from
//! derivation; must not know a text.

use snowball_stemmers_rs::{Algorithm, Stemmer};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::{decompose_canonical, is_combining_mark};

use super::TermForm;
use crate::LanguageTag;

/// Fewest letters that an ending may leave of a word.
const FEWEST_STEM: usize = 2;
/// Longest word that has a stem, in bytes; what is longer is none of a language.
const LONGEST_WORD: usize = 120;

/// Endings of the plural and of cases, with what stands in their place in the word's first form. They are for the languages
/// whose stemmers also take off what makes another word: `sealing` has the stem of `seal`.
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

/// Languages that write words in one, or small words onto others, with the fewest letters of the part that counts and of the
/// rest.
const COMPOUNDING: [(&str, Compounds); 13] = [
    ("da", WORDS_IN_ONE),
    ("de", WORDS_IN_ONE),
    ("et", WORDS_IN_ONE),
    ("fi", WORDS_IN_ONE),
    ("hu", WORDS_IN_ONE),
    ("is", WORDS_IN_ONE),
    ("nb", WORDS_IN_ONE),
    ("nl", WORDS_IN_ONE),
    ("nn", WORDS_IN_ONE),
    ("no", WORDS_IN_ONE),
    ("sv", WORDS_IN_ONE),
    // Particles follow a noun without a blank.
    ("ko", Compounds { part: 2, rest: 1 }),
    // The article and short prepositions are written onto it.
    ("he", Compounds { part: 3, rest: 1 }),
];

const WORDS_IN_ONE: Compounds = Compounds { part: 4, rest: 3 };

/// Bounds the parts of a compound, in letters.
#[derive(Debug, Clone, Copy)]
pub(super) struct Compounds {
    pub(super) part: usize,
    pub(super) rest: usize,
}

/// Knows the words of one language.
pub(super) struct Stems {
    stemmer: Option<Stemmer>,
    endings: &'static [(&'static str, &'static str)],
    pub(super) compounds: Option<Compounds>,
}

/// Holds a word with what it is compared by.
#[derive(Debug, Clone)]
pub(super) struct Word {
    /// As it is written, accents in one form.
    text: String,
    /// In small letters.
    pub(super) lower: String,
    /// Without accents as well.
    pub(super) folded: String,
    pub(super) stem: String,
}

impl Stems {
    pub(super) fn of(language: &LanguageTag) -> Self {
        let code = language.primary();
        let endings = ENDINGS.iter().find(|(known, _)| *known == code);
        let compounds = COMPOUNDING.iter().find(|(known, _)| *known == code);
        Self {
            stemmer: algorithm(code).map(Stemmer::create),
            endings: endings.map_or(&[][..], |(_, endings)| endings),
            compounds: compounds.map(|(_, compounds)| *compounds),
        }
    }

    pub(super) fn word(&self, text: &str) -> Word {
        let text: String = text.nfc().collect();
        let lower = text.to_lowercase();
        Word {
            folded: fold(&lower),
            stem: self.stem(&lower),
            lower,
            text,
        }
    }

    /// Returns the stem of a word in small letters, without accents.
    pub(super) fn stem(&self, lower: &str) -> String {
        match &self.stemmer {
            Some(stemmer) if lower.len() <= LONGEST_WORD => fold(&stemmer.stem(lower)),
            Some(_) | None => fold(lower),
        }
    }

    /// Lists the stems by which a word is found: its own, that of the word without its accents, and those of the words that it
    /// may be an inflection of.
    pub(super) fn stems(&self, word: &Word) -> Vec<String> {
        let first = self.first_forms(&word.folded);
        let others = first.chain([word.folded.clone()]);
        let mut stems = vec![word.stem.clone(), word.folded.clone()];
        stems.extend(others.map(|form| self.stem(&form)));
        stems.sort_unstable();
        stems.dedup();
        stems
    }

    /// Lists the forms that a word without accents may be an inflection of.
    fn first_forms<'a>(&'a self, folded: &'a str) -> impl Iterator<Item = String> + 'a {
        self.endings.iter().filter_map(|(ending, instead)| {
            let stem = folded.strip_suffix(ending)?;
            (stem.chars().count() >= FEWEST_STEM).then(|| format!("{stem}{instead}"))
        })
    }

    /// Tells how a word of a text is like one of a term; `None` when it is another word. What a term writes in capitals,
    /// such as `IT`, the text must too.
    pub(super) fn likeness(&self, word: &Word, wanted: &Word) -> Option<TermForm> {
        if wanted.is_acronym() && !word.text.starts_with(&wanted.text) {
            return None;
        }
        if word.lower == wanted.lower {
            let form = if word.keeps_capitals(wanted) {
                TermForm::Exact
            } else {
                TermForm::Inflected
            };
            return Some(form);
        }
        if word.folded == wanted.folded || self.is_inflection(&word.folded, &wanted.folded) {
            return Some(TermForm::Inflected);
        }
        if word.stem != wanted.stem || self.stemmer.is_none() {
            return None;
        }
        let is_inflection = self.endings.is_empty();
        Some(if is_inflection {
            TermForm::Inflected
        } else {
            TermForm::Related
        })
    }

    /// Tells whether one of two words may be a form of the other.
    fn is_inflection(&self, one: &str, other: &str) -> bool {
        self.first_forms(one).any(|form| form == other)
            || self.first_forms(other).any(|form| form == one)
    }
}

impl Word {
    fn is_acronym(&self) -> bool {
        self.text.chars().nth(1).is_some() && !self.text.contains(char::is_lowercase)
    }

    /// Tells whether the word has capitals where the wanted one does: a name is written with one.
    fn keeps_capitals(&self, wanted: &Self) -> bool {
        let mut letters = self.text.chars().zip(wanted.text.chars());
        letters.all(|(own, wanted)| !wanted.is_uppercase() || own.is_uppercase())
    }
}

/// Takes off what an inflection may change besides the ending: case, accents and vowel points.
pub(super) fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for c in text.chars() {
        fold_char(c, &mut folded);
    }
    folded
}

/// Appends what is left of a character; nothing of a mark.
pub(super) fn fold_char(c: char, folded: &mut String) {
    decompose_canonical(c, |c| match c {
        '’' => folded.push('\''),
        c if is_point(c) => {}
        c => folded.extend(c.to_lowercase()),
    });
}

/// Tells whether a mark may be left out: accents, and the vowel points of Hebrew and Arabic. Vowel signs of other scripts are
/// letters like others.
fn is_point(c: char) -> bool {
    let is_in =
        matches!(c, '\u{0300}'..='\u{036F}' | '\u{0591}'..='\u{05C7}' | '\u{064B}'..='\u{0652}');
    is_in && is_combining_mark(c)
}

/// Tells whether a character belongs to a script that sets no blanks between words.
pub(super) fn is_unspaced_char(c: char) -> bool {
    matches!(c, '\u{0E00}'..='\u{0FFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}'
        | '\u{3005}'..='\u{3007}' | '\u{3041}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}' | '\u{20000}'..='\u{3FFFF}')
}

fn algorithm(language: &str) -> Option<Algorithm> {
    Some(match language {
        "ar" => Algorithm::Arabic,
        "ca" => Algorithm::Catalan,
        "cs" => Algorithm::Czech,
        "da" => Algorithm::Danish,
        "de" => Algorithm::German,
        "el" => Algorithm::Greek,
        "en" => Algorithm::English,
        "eo" => Algorithm::Esperanto,
        "es" => Algorithm::Spanish,
        "et" => Algorithm::Estonian,
        "eu" => Algorithm::Basque,
        "fa" => Algorithm::Persian,
        "fi" => Algorithm::Finnish,
        "fr" => Algorithm::French,
        "ga" => Algorithm::Irish,
        "hi" => Algorithm::Hindi,
        "hu" => Algorithm::Hungarian,
        "hy" => Algorithm::Armenian,
        "id" => Algorithm::Indonesian,
        "it" => Algorithm::Italian,
        "lt" => Algorithm::Lithuanian,
        "nb" | "nn" | "no" => Algorithm::Norwegian,
        "ne" => Algorithm::Nepali,
        "nl" => Algorithm::Dutch,
        "pl" => Algorithm::Polish,
        "pt" => Algorithm::Portuguese,
        "ro" => Algorithm::Romanian,
        "ru" => Algorithm::Russian,
        "sr" => Algorithm::Serbian,
        "sv" => Algorithm::Swedish,
        "ta" => Algorithm::Tamil,
        "tr" => Algorithm::Turkish,
        "uk" => Algorithm::Ukrainian,
        "yi" => Algorithm::Yiddish,
        _ => return None,
    })
}
