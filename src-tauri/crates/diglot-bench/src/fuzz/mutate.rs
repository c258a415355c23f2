//! Mutations of seeds: bytes flipped, pieces cut, repeated and spliced, tokens of the format and of trouble put in.
//! Owns the dictionary, which it takes from the seeds themselves; must not know a format.

use std::collections::BTreeSet;

use super::packages;
use super::random::Random;

/// Longest input that a mutation makes.
const MAX_LENGTH: usize = 96 * 1024;
/// Most tokens that a dictionary keeps.
const MAX_TOKENS: usize = 600;
/// What has broken a reader of some format before.
const TROUBLE: &[&str] = &[
    "\0",
    "\r",
    "\n",
    "\r\n",
    "\n\n",
    "\t",
    "\u{feff}",
    "\u{2028}",
    "\u{85}",
    "\u{3000}",
    "\u{a0}",
    "\u{301}",
    "\u{1f468}\u{200d}\u{1f469}",
    "\u{202e}",
    "\\",
    "\\u",
    "\\u{",
    "\\uD83D",
    "\\N",
    "\\\n",
    "\"",
    "'",
    "\"\"\"",
    "`",
    "```",
    "$",
    "$$",
    "%",
    "%1$s",
    "%%",
    "&",
    "&amp;",
    "&#0;",
    "&#x110000;",
    "&lt",
    "<",
    ">",
    "</",
    "/>",
    "<!--",
    "-->",
    "<![CDATA[",
    "]]>",
    "<?",
    "?>",
    "<!DOCTYPE x [<!ENTITY a \"b\">]>",
    "{",
    "}",
    "{{",
    "}}",
    "${",
    "{0}",
    "{n, plural, other{#}}",
    "[",
    "]",
    "](",
    "[^1]:",
    "|",
    "|-",
    "|+",
    ">-",
    "- ",
    "? ",
    ": ",
    "&a ",
    "*a",
    "#",
    "#!",
    "---",
    "+++",
    "===",
    "...",
    "::",
    ".. ",
    "-->",
    "00:00:01,000 --> 00:00:02,000",
    "~",
    "^",
    "=",
    ";",
    ",",
    "\\begin{",
    "\\end{",
    "\\item",
    "\\verb|",
];

/// Makes inputs from seeds.
pub(super) struct Mutator {
    seeds: Vec<Vec<u8>>,
    tokens: Vec<Vec<u8>>,
    random: Random,
}

impl Mutator {
    pub(super) fn new(seeds: &[Vec<u8>], random: Random) -> Self {
        let mut tokens: BTreeSet<Vec<u8>> = TROUBLE
            .iter()
            .map(|text| text.as_bytes().to_vec())
            .collect();
        for seed in seeds {
            for text in packages::texts(seed) {
                let words = text.split(u8::is_ascii_whitespace);
                tokens.extend(
                    words
                        .filter(|word| (1..24).contains(&word.len()))
                        .map(<[u8]>::to_vec)
                        .take(MAX_TOKENS),
                );
                let marks = text.split(u8::is_ascii_alphanumeric);
                tokens.extend(
                    marks
                        .filter(|mark| (1..12).contains(&mark.len()))
                        .map(<[u8]>::to_vec)
                        .take(MAX_TOKENS),
                );
            }
        }
        Self {
            seeds: seeds.to_vec(),
            tokens: tokens.into_iter().collect(),
            random,
        }
    }

    /// Makes the next input.
    pub(super) fn next(&mut self) -> Vec<u8> {
        let seed = self.random.choose(&self.seeds).cloned().unwrap_or_default();
        // Most damage to a package as it is packed only makes it unreadable.
        if packages::is_package(&seed) && self.random.below(8) > 0 {
            let which = self.random.below(64);
            return packages::rewrite(&seed, which, |text| self.mutate(text));
        }
        self.mutate(seed)
    }

    fn mutate(&mut self, mut bytes: Vec<u8>) -> Vec<u8> {
        for _ in 0..=self.random.below(4) {
            self.once(&mut bytes);
            bytes.truncate(MAX_LENGTH);
        }
        bytes
    }

    fn once(&mut self, bytes: &mut Vec<u8>) {
        let at = self.random.below(bytes.len() + 1);
        match self.random.below(8) {
            0 => {
                if let Some(byte) = bytes.get_mut(at) {
                    *byte ^= 1 << self.random.below(8);
                }
            }
            1 => {
                if let Some(byte) = bytes.get_mut(at) {
                    *byte = self.random.byte();
                }
            }
            2 => bytes.truncate(at),
            3 => {
                let end = self.end(at, bytes.len());
                bytes.drain(at..end);
            }
            4 => {
                let end = self.end(at, bytes.len());
                let piece = bytes
                    .get(at..end)
                    .unwrap_or_default()
                    .repeat(1 + self.random.below(40));
                insert(bytes, at, &piece);
            }
            5 => {
                let other = self.random.choose(&self.seeds).cloned().unwrap_or_default();
                let from = self.random.below(other.len() + 1);
                let to = self.end(from, other.len());
                insert(bytes, at, other.get(from..to).unwrap_or_default());
            }
            _ => {
                let token = self
                    .random
                    .choose(&self.tokens)
                    .cloned()
                    .unwrap_or_default();
                let n_times = if self.random.below(6) == 0 {
                    self.random.below(200)
                } else {
                    1
                };
                insert(bytes, at, &token.repeat(n_times));
            }
        }
    }

    /// Ends a piece that begins at `at`, more often a short one than a long one.
    fn end(&mut self, at: usize, length: usize) -> usize {
        let most = 1 << self.random.below(10);
        length.min(at + 1 + self.random.below(most))
    }
}

fn insert(bytes: &mut Vec<u8>, at: usize, piece: &[u8]) {
    bytes.splice(at..at, piece.iter().copied());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_differ_and_repeat_with_the_seed() {
        let seeds = [b"# One\n\nTwo *three*.\n".to_vec()];
        let inputs = |seed| {
            let mut mutator = Mutator::new(&seeds, Random::new(seed));
            (0..200).map(|_| mutator.next()).collect::<Vec<_>>()
        };
        let first = inputs(7);
        assert_eq!(first, inputs(7));
        assert!(first.iter().collect::<BTreeSet<_>>().len() > 150);
        assert!(first.iter().all(|input| input.len() <= MAX_LENGTH));
    }

    #[test]
    fn the_dictionary_holds_the_marks_of_the_seeds() {
        let mutator = Mutator::new(&[b"a <!-- b ==> c".to_vec()], Random::new(1));
        assert!(mutator.tokens.iter().any(|token| token == b"==>"));
        assert!(mutator.tokens.iter().any(|token| token == b"\\N"));
    }

    #[test]
    fn no_seed_is_no_trouble() {
        let mut mutator = Mutator::new(&[], Random::new(1));
        for _ in 0..50 {
            mutator.next();
        }
    }
}
