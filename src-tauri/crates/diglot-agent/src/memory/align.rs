//! Terms without a model: the word of the source that belongs to a wording which two decisions share. Must not know how
//! operations apply.

use std::collections::BTreeSet;

use super::form::{UNSPACED, occurrences};
use super::{Applied, Evidence, Memory, MemoryItem, MemoryKind, Term, Wording};

/// Fewest letters of a word that may be a term by itself.
const FEWEST_LETTERS: usize = 3;

impl Memory {
    /// Makes terms of the wordings that a decision is the second one for, where all their sources share one word that stands
    /// in no other source unless the wording stands in its target. `others` are pairs of source and target.
    pub fn align(&mut self, evidence: &Evidence, others: &[(&str, &str)]) -> Applied {
        let mut applied = Applied::default();
        for item in &mut self.items {
            let [_, second] = item.evidence.as_slice() else {
                continue;
            };
            let is_new = second.is_same(evidence) && item.kind == MemoryKind::Style;
            let Some(wording) = item.wording.clone().filter(|_| is_new) else {
                continue;
            };
            if let Some(source) = shared_word(item, &wording, others) {
                let term = Term {
                    source,
                    target: wording.write,
                };
                item.kind = MemoryKind::Terminology;
                item.text = term.to_text();
                item.term = Some(term);
                applied.note(item.clone());
            }
        }
        applied
    }
}

/// Finds the only word that the sources of an item have in common and that goes with its wording.
fn shared_word(item: &MemoryItem, wording: &Wording, others: &[(&str, &str)]) -> Option<String> {
    let mut sources = item
        .evidence
        .iter()
        .map(|evidence| evidence.source.as_str());
    let mut shared = known_words(sources.next()?);
    for source in sources {
        let other = known_words(source);
        shared.retain(|word| other.contains(word));
    }
    for (source, target) in others {
        if occurrences(target, &wording.write) == 0 {
            let other = known_words(source);
            shared.retain(|word| !other.contains(word));
        }
    }
    let only = shared.pop_first()?;
    shared.is_empty().then_some(only)
}

fn known_words(text: &str) -> BTreeSet<String> {
    let is_word = |word: &&str| {
        let n_letters = word.chars().filter(|c| c.is_alphabetic()).count();
        n_letters >= FEWEST_LETTERS && word.chars().all(|c| (c as u32) < UNSPACED)
    };
    let found = text
        .split(|c: char| !c.is_alphanumeric() && c != '-')
        .filter(is_word);
    found.map(str::to_lowercase).collect()
}
