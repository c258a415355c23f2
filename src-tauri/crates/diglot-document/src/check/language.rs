//! Is the target in the language that was asked for?

use std::collections::HashSet;

use whatlang::Script;

use super::han;
use crate::language::{detect, two_guesses};
use crate::{LanguagePair, LanguageTag};

/// Fewest letters that tell a language, and that tell one which nobody asked for.
const FEWEST_LETTERS: (usize, usize) = (60, 90);

/// Fewest letters that tell a language to two detectors that agree, and to two that only deny the asked one.
const FEWEST_GUESSED_LETTERS: (usize, usize) = (20, 45);

/// Letters that a language of the same script has and the asked one has not.
const FOREIGN_LETTERS: [(&str, &str); 4] = [
    ("ru", "іїєґўјљњћђџѕќѓ"),
    ("uk", "ыэъё"),
    ("be", "ищъї"),
    ("ar", "پچژگکی"),
];

/// Fewest such letters, and the share of all letters that they are at least: one of so many.
const FEWEST_FOREIGN: (usize, usize) = (2, 30);

/// Fewest letters that tell a script; a Chinese character or a Japanese syllable counts for two.
const FEWEST_SCRIPT_LETTERS: usize = 12;

/// Fewest Chinese characters without any kana that are no Japanese.
const FEWEST_BARE_HAN: usize = 25;

/// So much of a text is looked at, in characters.
const PROBE: usize = 4000;

/// Languages that a detector confuses.
const CLOSE: [&[&str]; 11] = [
    &["da", "nb", "no", "nn", "sv"],
    &["es", "pt", "gl", "ca", "it", "oc"],
    &["cs", "sk"],
    &["hr", "sr", "bs", "sl"],
    &["ru", "uk", "be", "bg", "mk", "sr"],
    &["nl", "af", "fy", "de", "lb"],
    &["id", "ms", "jv", "su"],
    &["az", "tr", "tk", "uz"],
    &["hi", "mr", "ne"],
    &["fa", "ar", "ur", "ps"],
    &["zh", "yue", "wuu", "ja"],
];

/// Tells whether a target is surely in another language than asked for.
pub(super) fn is_wrong(source: &str, target: &str, languages: &LanguagePair) -> bool {
    let asked = &languages.target;
    if languages.source.primary() == asked.primary() {
        return false;
    }
    let target: String = target.chars().take(PROBE).collect();
    let known: HashSet<String> = words(source).map(str::to_lowercase).collect();
    // Names, commands and quotations come from the source, whatever the language.
    let own = |word: &&str| !known.contains(&word.to_lowercase());
    let words: Vec<&str> = words(&target).filter(own).collect();
    let words = words.join(" ");
    has_wrong_script(&words, asked)
        || han::is_wrong(&words, asked)
        || has_foreign_letters(&words, asked)
        || is_guessed_wrong(&words, asked)
        || is_other_language(&words, languages)
}

/// Tells whether two detectors name another language, each by its own way, or the same one for a short text.
fn is_guessed_wrong(text: &str, asked: &LanguageTag) -> bool {
    let letters = letters(text);
    if letters < FEWEST_GUESSED_LETTERS.0 || scripts(asked) != Some(&[Script::Latin]) {
        return false;
    }
    two_guesses(text, asked).is_some_and(|(one, other)| {
        let asked = asked.primary();
        let agree = one == other || letters >= FEWEST_GUESSED_LETTERS.1;
        one.primary() != asked && other.primary() != asked && agree
    })
}

/// Tells whether a text has letters, and often, that its language does without.
fn has_foreign_letters(text: &str, asked: &LanguageTag) -> bool {
    let Some((_, foreign)) = FOREIGN_LETTERS
        .iter()
        .find(|(code, _)| *code == asked.primary())
    else {
        return false;
    };
    let found = text.chars().filter(|c| foreign.contains(*c)).count();
    found >= FEWEST_FOREIGN.0 && found * FEWEST_FOREIGN.1 >= letters(text)
}

/// Splits a text into words. Where no blank parts Latin words from Chinese or Japanese ones, the
/// change of script does.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let is_east = |c: char| c >= '\u{0E00}';
    text.split(|c: char| !c.is_alphanumeric())
        .flat_map(move |run| {
            let mut rest = run;
            std::iter::from_fn(move || {
                let first = rest.chars().next()?;
                let end = rest.find(|c| is_east(c) != is_east(first));
                let (word, after) = rest.split_at_checked(end.unwrap_or(rest.len()))?;
                rest = after;
                Some(word)
            })
        })
}

fn letters(text: &str) -> usize {
    text.chars().filter(|c| c.is_alphabetic()).count()
}

fn has_wrong_script(text: &str, asked: &LanguageTag) -> bool {
    let Some(expected) = scripts(asked) else {
        return false;
    };
    let letters = letters(text);
    let kana = text
        .chars()
        .filter(|c| matches!(c, '\u{3041}'..='\u{30FF}'))
        .count();
    let han = text
        .chars()
        .filter(|c| matches!(c, '\u{3400}'..='\u{9FFF}'))
        .count();
    if letters + kana + han < FEWEST_SCRIPT_LETTERS {
        return false;
    }
    match asked.primary() {
        "ja" if kana == 0 && han >= FEWEST_BARE_HAN => return true,
        "zh" if kana * 5 > letters && (letters >= FEWEST_SCRIPT_LETTERS || kana * 2 > letters) => {
            return true;
        }
        _ => {}
    }
    whatlang::detect_script(text).is_some_and(|script| !expected.contains(&script))
}

/// Lists the scripts that a language is written in; `None` where that is not settled.
fn scripts(tag: &LanguageTag) -> Option<&'static [Script]> {
    if tag
        .as_str()
        .split('-')
        .skip(1)
        .any(|subtag| subtag.len() == 4)
        && tag.primary() != "zh"
    {
        return None;
    }
    Some(match tag.primary() {
        "ru" | "uk" | "be" | "bg" | "mk" => &[Script::Cyrillic],
        "ar" | "fa" | "ur" | "ps" => &[Script::Arabic],
        "he" | "yi" => &[Script::Hebrew],
        "el" => &[Script::Greek],
        "hy" => &[Script::Armenian],
        "ka" => &[Script::Georgian],
        "zh" => &[Script::Mandarin],
        "ja" => &[Script::Mandarin, Script::Hiragana, Script::Katakana],
        "ko" => &[Script::Hangul, Script::Mandarin],
        "th" => &[Script::Thai],
        "hi" | "mr" | "ne" => &[Script::Devanagari],
        "bn" => &[Script::Bengali],
        "ta" => &[Script::Tamil],
        "te" => &[Script::Telugu],
        "en" | "de" | "fr" | "es" | "pt" | "it" | "nl" | "da" | "sv" | "nb" | "nn" | "no"
        | "fi" | "is" | "pl" | "cs" | "sk" | "sl" | "hr" | "hu" | "ro" | "tr" | "vi" | "id"
        | "ca" | "gl" | "eu" | "et" | "lv" | "lt" | "ga" | "cy" | "af" | "sq" | "eo" | "la" => {
            &[Script::Latin]
        }
        _ => return None,
    })
}

fn is_other_language(text: &str, languages: &LanguagePair) -> bool {
    let letters = letters(text);
    if letters < FEWEST_LETTERS.0 {
        return false;
    }
    let Some(detected) = detect(text) else {
        return false;
    };
    let (detected, asked) = (detected.primary(), languages.target.primary());
    let close = CLOSE
        .iter()
        .any(|group| group.contains(&detected) && group.contains(&asked));
    let fewest = if detected == languages.source.primary() {
        FEWEST_LETTERS.0
    } else {
        FEWEST_LETTERS.1
    };
    // A language that the detector does not know looks to it like some other one.
    let third_unknown =
        scripts(&languages.target).is_none() && detected != languages.source.primary();
    detected != asked && !close && letters >= fewest && !third_unknown
}
