//! Keys: what a store looks terms up by, so that the terms of a text are found without looking at the others.

use std::collections::BTreeSet;

use unicode_segmentation::UnicodeSegmentation;

use super::contained::{Folded, has_signs, is_unspaced};
use super::stem::{Stems, fold, is_unspaced_char};
use super::words::{Seen, words};
use crate::check::text::Text;
use crate::placeable::Syntaxes;
use crate::{Format, LanguageTag};

/// Version of the keys; a store makes its own anew when it is another one.
pub const KEY_VERSION: i64 = 1;

/// Words of a term that its key is made of, and characters in scripts without blanks.
const WORDS: usize = 5;
/// See [`WORDS`].
const CHARACTERS: usize = 5;
/// Longest word that is looked at as a compound, in letters.
const LONGEST_COMPOUND: usize = 48;

/// Returns the key of a term; `None` for a text that can be no term, since it has no letter and no digit.
pub fn term_key(term: &str, language: &LanguageTag) -> Option<String> {
    if !term.contains(char::is_alphanumeric) {
        return None;
    }
    if is_unspaced(term, language) {
        let folded = fold(term);
        let letters = folded.chars().filter(|c| !c.is_whitespace());
        let is_start = begins_key(language);
        let mut letters = letters.skip_while(|c| !is_start(*c)).peekable();
        letters.peek()?;
        return Some(unspaced_key(letters.take(CHARACTERS)));
    }
    let stems = Stems::of(language);
    // What stands between the words of a term with signs parts them in a text.
    let n_words = if has_signs(term) { 1 } else { WORDS };
    let words = term.unicode_words().take(n_words);
    let words: Vec<String> = words.map(|word| stems.word(word).stem).collect();
    (!words.is_empty()).then(|| words.join(" "))
}

/// Lists the keys of all terms that a text may have, sorted; their number grows with the text alone.
pub fn term_keys(format: Format, text: &str, language: &LanguageTag) -> Vec<String> {
    let text = Text::read(Syntaxes::of(format), text);
    let stems = Stems::of(language);
    let mut keys = BTreeSet::new();
    if !language.is_unspaced() {
        let words = words(&text, &stems);
        for (first, _) in words.iter().enumerate() {
            for_each_run(&words, first, &stems, |key, _| {
                keys.insert(key.to_owned());
            });
        }
        for seen in &words {
            for part in parts(seen, &stems) {
                keys.insert(part.stem);
            }
        }
    }
    unspaced_keys(text.raw, language, &mut keys);
    keys.into_iter().collect()
}

/// Calls `take` with each key that a term may have which begins at a word, and the number of words that it is made of.
pub(super) fn for_each_run(
    words: &[Seen],
    first: usize,
    stems: &Stems,
    mut take: impl FnMut(&str, usize),
) {
    let mut run = String::new();
    for (place, seen) in words.iter().skip(first).take(WORDS).enumerate() {
        if place > 0 && !seen.follows {
            return;
        }
        if place > 0 {
            run.push(' ');
        }
        let length = run.len();
        // The last word is the one that is inflected in most languages, and its stemmer may not see it.
        for stem in stems.stems(&seen.word) {
            run.truncate(length);
            run.push_str(&stem);
            take(&run, place + 1);
        }
        run.truncate(length);
        run.push_str(&seen.word.stem);
    }
}

/// A part of a compound that may be a term.
pub(super) struct Part {
    pub(super) stem: String,
    /// Bytes of the word.
    pub(super) start: usize,
    pub(super) end: usize,
}

/// Lists the beginnings and ends of a word that may be terms of their own.
pub(super) fn parts(seen: &Seen, stems: &Stems) -> Vec<Part> {
    let Some(bounds) = stems.compounds else {
        return Vec::new();
    };
    let lower = &seen.word.lower;
    let ends: Vec<usize> = lower
        .char_indices()
        .map(|(at, _)| at)
        .chain([lower.len()])
        .collect();
    let n = ends.len() - 1;
    // The bytes of the word in small letters are those of the text only where none was longer.
    let is_plain = lower.len() == seen.span.end - seen.span.start;
    if n > LONGEST_COMPOUND || n < bounds.part + bounds.rest {
        return Vec::new();
    }
    let part = |from: usize, to: usize| {
        let (start, end) = (*ends.get(from)?, *ends.get(to)?);
        let stem = stems.stem(lower.get(start..end)?);
        let (start, end) = if is_plain {
            (start, end)
        } else {
            (0, seen.span.end - seen.span.start)
        };
        Some(Part { stem, start, end })
    };
    let heads = (bounds.part..=n - bounds.rest).filter_map(|to| part(0, to));
    let tails = (bounds.rest..=n - bounds.part).filter_map(|from| part(from, n));
    heads.chain(tails).collect()
}

fn unspaced_keys(raw: &str, language: &LanguageTag, keys: &mut BTreeSet<String>) {
    let is_start = begins_key(language);
    if !raw.contains(&is_start) {
        return;
    }
    let folded = Folded::of(raw).text;
    let letters: Vec<char> = folded.chars().filter(|c| !c.is_whitespace()).collect();
    for first in 0..letters.len() {
        let rest = letters.get(first..).unwrap_or_default();
        if !rest.first().is_some_and(|c| is_start(*c)) {
            continue;
        }
        let mut key = unspaced_key([]);
        for c in rest.iter().take(CHARACTERS) {
            key.push(*c);
            keys.insert(key.clone());
        }
    }
}

/// Says with which characters a key may begin: in a language with blanks, those of scripts without.
fn begins_key(language: &LanguageTag) -> impl Fn(char) -> bool + use<> {
    let all = language.is_unspaced();
    move |c: char| is_unspaced_char(c) || all && c.is_alphanumeric()
}

/// Marks a key that is made of characters: no word begins so.
fn unspaced_key(letters: impl IntoIterator<Item = char>) -> String {
    let mut key = "~".to_owned();
    key.extend(letters);
    key
}
