//! Prose from a made-up vocabulary: the same each time, with hardly two texts alike. Owns the words; knows no format
//! but blank lines between paragraphs.

use std::fmt::Write as _;

const ONSETS: [&str; 12] = ["b", "d", "f", "g", "k", "l", "m", "n", "p", "r", "s", "t"];
const VOWELS: [&str; 5] = ["a", "e", "i", "o", "u"];

/// Gives numbers that are even enough, the same from the same seed.
#[derive(Debug, Clone)]
pub(crate) struct Dice(u32);

impl Dice {
    /// Starts from a seed.
    pub(crate) fn new(seed: u32) -> Self {
        Self(seed)
    }

    /// Returns a number below a bound.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        // The generator of Numerical Recipes; its upper bits are even enough.
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 8) as usize % bound.max(1)
    }
}

/// Makes a word of two or three syllables.
pub(crate) fn word(dice: &mut Dice) -> String {
    let mut word = String::new();
    for _ in 0..=dice.below(2) + 1 {
        word.push_str(
            ONSETS
                .get(dice.below(ONSETS.len()))
                .copied()
                .unwrap_or_default(),
        );
        word.push_str(
            VOWELS
                .get(dice.below(VOWELS.len()))
                .copied()
                .unwrap_or_default(),
        );
    }
    word
}

/// Writes paragraphs of so many words, each with its number, and a blank line after each.
pub(crate) fn paragraphs(n_units: usize, n_words: usize) -> String {
    let mut dice = Dice::new(1);
    let mut text = String::new();
    for unit in 1..=n_units {
        let _ = write!(text, "Unit {unit}");
        for _ in 0..n_words {
            text.push(' ');
            text.push_str(&word(&mut dice));
        }
        text.push_str(".\n\n");
    }
    text
}
