//! Cuts a text into the terms that it is found by: words in lower case, pairs of characters where a script
//! writes no blanks.

use std::collections::BTreeSet;

/// Terms of one text at most: a unit has about 60 words, and the rarest six of them decide.
const TERMS: usize = 128;

/// Returns the distinct terms of a text, in no order that means anything.
pub(super) fn terms(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let lower = text.to_lowercase();
    let words = lower
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty());
    for run in words.flat_map(runs) {
        if run.chars().next().is_some_and(is_unspaced) {
            found.extend(pairs(&run));
        } else {
            found.insert(run);
        }
        if found.len() >= TERMS {
            break;
        }
    }
    found
}

/// Splits a word where it goes from a script with blanks to one without, or back.
fn runs(word: &str) -> Vec<String> {
    let mut runs: Vec<String> = Vec::new();
    let mut last = None;
    for c in word.chars() {
        let unspaced = is_unspaced(c);
        match runs.last_mut() {
            Some(run) if last == Some(unspaced) => run.push(c),
            _ => runs.push(c.to_string()),
        }
        last = Some(unspaced);
    }
    runs
}

fn pairs(run: &str) -> Vec<String> {
    let characters: Vec<char> = run.chars().collect();
    if characters.len() < 2 {
        return vec![run.to_owned()];
    }
    characters
        .windows(2)
        .map(|pair| pair.iter().collect())
        .collect()
}

/// Tells whether words of this character's script stand together without blanks.
fn is_unspaced(c: char) -> bool {
    matches!(c,
        '\u{0e00}'..='\u{0eff}'       // Thai, Lao
        | '\u{1000}'..='\u{109f}'     // Myanmar
        | '\u{1780}'..='\u{17ff}'     // Khmer
        | '\u{3040}'..='\u{30ff}'     // Kana
        | '\u{3400}'..='\u{9fff}'     // Han
        | '\u{f900}'..='\u{faff}'     // Han, compatibility
        | '\u{20000}'..='\u{3ffff}'   // Han, later planes
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        let expected: BTreeSet<String> = expected.iter().map(|&term| term.to_owned()).collect();
        assert_eq!(terms(text), expected, "{text}");
    }

    #[test]
    fn words_are_lower_case_and_counted_once() {
        check(
            "Fill the tank; fill THE pump!",
            &["fill", "the", "tank", "pump"],
        );
        check("", &[]);
        check(" … ", &[]);
    }

    #[test]
    fn scripts_without_blanks_give_overlapping_pairs() {
        check("打开文件", &["打开", "开文", "文件"]);
        check("水", &["水"]);
        check("PDF文件v2", &["pdf", "文件", "v2"]);
    }

    #[test]
    fn long_texts_are_bounded() {
        let words: Vec<_> = (0..1000).map(|n| format!("w{n}")).collect();
        assert_eq!(terms(&words.join(" ")).len(), TERMS);
    }
}
