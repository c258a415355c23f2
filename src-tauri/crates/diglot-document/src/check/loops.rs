//! Repetition: a model that fell into a loop.

use std::collections::HashMap;

use unicode_segmentation::UnicodeSegmentation;

/// Longest group of words that is looked for as a loop.
const LONGEST_GROUP: usize = 12;

/// Fewest turns of a group that make a loop.
const FEWEST_TURNS: usize = 3;

/// Fewest turns of a single word, and of a single character of a script without spaces: people
/// write `very, very, very` and `哈哈哈哈`.
const FEWEST_TURNS_OF_ONE: (usize, usize) = (4, 6);

/// Fewest words of a sentence that counts when it is repeated apart.
const FEWEST_SENTENCE_WORDS: usize = 3;

/// Why a text is read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reading {
    /// A target: only what nobody writes on purpose counts.
    Suspect,
    /// A source: anything that stands three times in a row excuses the target.
    Excuse,
}

/// Finds what a target repeats although its source repeats nothing so often.
pub(super) fn repeated(source: &str, target: &str) -> Option<String> {
    let found = group(target, Reading::Suspect).or_else(|| sentence(target))?;
    let known = group(source, Reading::Excuse).or_else(|| sentence(source));
    known.is_none().then_some(found)
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
            let is_words = group.iter().any(|word| word.contains(char::is_alphabetic));
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
