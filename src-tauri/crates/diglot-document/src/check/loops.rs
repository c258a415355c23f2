//! Repetition: a model that fell into a loop.

use std::collections::HashMap;

use unicode_segmentation::UnicodeSegmentation;

use super::Text;

/// Longest group of words that is looked for as a loop.
const LONGEST_GROUP: usize = 12;

/// Fewest turns of a group that make a loop.
const FEWEST_TURNS: usize = 3;

/// Fewest turns of a single word, and of a single character of a script without spaces: people
/// write `very, very, very` and `哈哈哈哈`.
const FEWEST_TURNS_OF_ONE: (usize, usize) = (4, 6);

/// Fewest turns of numbers: tables and examples repeat them.
const FEWEST_TURNS_OF_NUMBERS: usize = 8;

/// Fewest words of a sentence that counts when it is repeated apart.
const FEWEST_SENTENCE_WORDS: usize = 3;

/// Fewest letters of a text that was given twice, and of one word that is a loop.
const FEWEST_LETTERS: (usize, usize) = (8, 30);

/// Longest group of letters that is looked for as a loop inside of a word.
const LONGEST_SYLLABLE: usize = 8;

/// Why a text is read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reading {
    /// A target: only what nobody writes on purpose counts.
    Suspect,
    /// A source: anything that stands three times in a row excuses the target.
    Excuse,
}

/// Finds what a target repeats although its source repeats nothing so often.
pub(super) fn repeated(source: &Text<'_>, target: &Text<'_>) -> Option<String> {
    let found = any(target, Reading::Suspect)?;
    any(source, Reading::Excuse).is_none().then_some(found)
}

/// Finds what a text repeats in its prose, or with its code and addresses.
fn any(text: &Text<'_>, reading: Reading) -> Option<String> {
    let prose = &text.prose;
    group(prose, reading)
        .or_else(|| sentence(prose))
        .or_else(|| word(prose))
        .or_else(|| group(text.raw, reading))
}

/// Returns the text that a target gives several times and nothing else, unless its source does so too.
pub(super) fn doubled<'a>(source: &str, target: &'a str) -> Option<&'a str> {
    let part = part(target)?;
    let letters = part.chars().filter(|c| c.is_alphabetic()).count();
    (letters >= FEWEST_LETTERS.0 && self::part(source).is_none()).then_some(part)
}

/// Returns the part of a text that stands in it two, three or four times, with nothing but blanks between.
fn part(text: &str) -> Option<&str> {
    let text = text.trim();
    (2..=4).find_map(|turns| {
        let most = text.len() / turns;
        let ends = most.saturating_sub(2)..=most;
        ends.rev().find_map(|end| {
            let (first, rest) = text.split_at_checked(end)?;
            let first = first.trim();
            let is_alone = !first.is_empty() && rest.split(first).all(|gap| gap.trim().is_empty());
            let n_more = rest.matches(first).count();
            (is_alone && n_more == turns - 1).then_some(first)
        })
    })
}

/// Finds a word that is one group of letters over and over.
fn word(text: &str) -> Option<String> {
    text.unicode_words()
        .filter(|word| word.len() >= FEWEST_LETTERS.1)
        .find_map(|word| {
            let letters: Vec<char> = word.chars().collect();
            let turns = |length: &usize| {
                let same = letters.iter().zip(letters.iter().skip(*length));
                same.rev().take_while(|(one, other)| one == other).count()
            };
            let mut lengths = 1..=LONGEST_SYLLABLE;
            let length = lengths.find(|length| turns(length) >= FEWEST_LETTERS.1 - length)?;
            letters
                .get(letters.len() - length..)
                .map(|group| group.iter().collect())
        })
}

/// Finds a group of words that follows itself.
fn group(text: &str, reading: Reading) -> Option<String> {
    let words: Vec<(usize, &str)> = text.unicode_word_indices().collect();
    let folded: Vec<String> = words.iter().map(|(_, word)| word.to_lowercase()).collect();
    (1..=LONGEST_GROUP).find_map(|length| {
        let turns = fewest_turns(length, reading);
        let start = looping(&folded, length, turns, reading)?;
        let (from, _) = words.get(start)?;
        let (last, word) = words.get(start + length - 1)?;
        text.get(*from..last + word.len()).map(str::to_owned)
    })
}

fn fewest_turns(length: usize, reading: Reading) -> usize {
    match reading {
        Reading::Suspect if length == 1 => FEWEST_TURNS_OF_ONE.0,
        Reading::Suspect | Reading::Excuse => FEWEST_TURNS,
    }
}

/// Finds where a group of `length` words begins that stands `turns` times in a row.
fn looping(words: &[String], length: usize, turns: usize, reading: Reading) -> Option<usize> {
    let mut run = 0;
    for (index, (word, later)) in words.iter().zip(words.iter().skip(length)).enumerate() {
        run = if word == later { run + 1 } else { 0 };
        let start = (index + 1).saturating_sub(run);
        let single_character = length == 1 && word.chars().count() == 1 && !word.is_ascii();
        let wanted = if single_character && reading == Reading::Suspect {
            FEWEST_TURNS_OF_ONE.1
        } else {
            turns
        };
        if run >= length * (wanted - 1) {
            let group = words.get(start..start + length)?;
            let is_words = group.iter().any(|word| word.contains(char::is_alphabetic))
                || run >= length * (FEWEST_TURNS_OF_NUMBERS - 1);
            // A group of one repeated word is the shorter group, with its own limit.
            let uniform = length > 1 && group.windows(2).all(|pair| pair.first() == pair.last());
            if is_words && !uniform {
                return Some(start);
            }
        }
    }
    None
}

/// Finds a sentence that stands three times anywhere.
fn sentence(text: &str) -> Option<String> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    text.unicode_sentences()
        .map(str::trim)
        .find_map(|sentence| {
            let count = counts.entry(sentence).or_default();
            *count += 1;
            let long_enough = sentence
                .unicode_words()
                .nth(FEWEST_SENTENCE_WORDS - 1)
                .is_some();
            (*count == FEWEST_TURNS && long_enough).then(|| sentence.to_owned())
        })
}
