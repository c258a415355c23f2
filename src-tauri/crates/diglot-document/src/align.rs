//! Matches the segments of a document with those of a changed version of it.

use std::collections::{HashMap, VecDeque};

use similar::{Algorithm, DiffOp, capture_diff_slices};

use crate::Segment;

/// Tells what became of an old segment, by its ordinal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Twin {
    /// The same text among the same neighbours.
    Same(usize),
    /// The same text in another place.
    Moved(usize),
    /// A text that was changed.
    Changed(usize),
}

/// Two texts share at least so much of their words, in percent, when one is the other changed.
const LIKE: usize = 50;
/// So many segments in a row may be compared each with each; in longer rows each has one candidate.
const MOST_COMPARED: usize = 64;

/// Matches segments by exact text in order, so that a text that occurs several times keeps its
/// neighbours; then by exact text anywhere; then by what the file says of them, such as a key; then
/// by likeness between the same neighbours. Answers for each new segment its old twin, if it has one;
/// no two have the same.
pub fn align(old: &[Segment], new: &[Segment]) -> Vec<Option<Twin>> {
    let mut pairs = Pairs {
        old,
        new,
        twins: vec![None; new.len()],
        is_free: vec![true; old.len()],
    };
    let gaps = pairs.take_same();
    pairs.take_moved();
    pairs.take_named();
    for (old, new) in gaps {
        pairs.take_alike(&old, &new);
    }
    pairs.twins
}

/// Ordinals of old and new segments between two that stayed.
type Gap = (Vec<usize>, Vec<usize>);

struct Pairs<'s> {
    old: &'s [Segment],
    new: &'s [Segment],
    twins: Vec<Option<Twin>>,
    /// Old segments that have no twin yet.
    is_free: Vec<bool>,
}

impl Pairs<'_> {
    fn pair(&mut self, new: usize, twin: Twin) {
        let (Twin::Same(old) | Twin::Moved(old) | Twin::Changed(old)) = twin;
        if let (Some(slot), Some(free)) = (self.twins.get_mut(new), self.is_free.get_mut(old)) {
            *slot = Some(twin);
            *free = false;
        }
    }

    fn is_open(&self, new: usize) -> bool {
        self.twins.get(new).is_some_and(Option::is_none)
    }

    fn is_free(&self, old: usize) -> bool {
        self.is_free.get(old).copied().unwrap_or_default()
    }

    fn take_same(&mut self) -> Vec<Gap> {
        let texts = |segments: &[Segment]| -> Vec<String> {
            let texts = segments.iter().map(|segment| segment.source.clone());
            texts.collect()
        };
        let mut gaps = Vec::new();
        for op in capture_diff_slices(Algorithm::Patience, &texts(self.old), &texts(self.new)) {
            if let DiffOp::Equal {
                old_index,
                new_index,
                len,
            } = op
            {
                for offset in 0..len {
                    self.pair(new_index + offset, Twin::Same(old_index + offset));
                }
            } else {
                gaps.push((op.old_range().collect(), op.new_range().collect()));
            }
        }
        gaps
    }

    fn take_moved(&mut self) {
        let text = |segment: &Segment| Some(segment.source.clone());
        for (old, new) in self.matches(&text) {
            self.pair(new, Twin::Moved(old));
        }
    }

    fn take_named(&mut self) {
        let name = |segment: &Segment| segment.hints.note.clone();
        for (old, new) in self.matches(&name) {
            self.pair(new, Twin::Changed(old));
        }
    }

    /// Pairs what is left over by a key, in order.
    fn matches(&self, key: &dyn Fn(&Segment) -> Option<String>) -> Vec<(usize, usize)> {
        let mut waiting: HashMap<String, VecDeque<usize>> = HashMap::new();
        for segment in self.old.iter().filter(|old| self.is_free(old.ordinal)) {
            if let Some(key) = key(segment) {
                waiting.entry(key).or_default().push_back(segment.ordinal);
            }
        }
        let open = self.new.iter().filter(|new| self.is_open(new.ordinal));
        let found = open.filter_map(|segment| {
            let old = waiting.get_mut(&key(segment)?)?.pop_front()?;
            Some((old, segment.ordinal))
        });
        found.collect()
    }

    /// Pairs what is left over in a gap, the likest first come first served in document order.
    fn take_alike(&mut self, old: &[usize], new: &[usize]) {
        let open: Vec<usize> = new.iter().copied().filter(|at| self.is_open(*at)).collect();
        let mut free: VecDeque<usize> =
            old.iter().copied().filter(|at| self.is_free(*at)).collect();
        for new in open {
            let window = free.iter().take(MOST_COMPARED).enumerate();
            let rated = window.map(|(place, old)| (self.likeness(*old, new), place));
            let best = rated.max_by_key(|(likeness, place)| (*likeness, usize::MAX - place));
            if let Some((LIKE.., place)) = best
                && let Some(old) = free.get(place).copied()
            {
                // What stands before it was removed: twins keep their order.
                free.drain(..=place);
                self.pair(new, Twin::Changed(old));
            }
        }
    }

    /// Returns how much two texts share of their words, in percent.
    fn likeness(&self, old: usize, new: usize) -> usize {
        let (Some(old), Some(new)) = (self.old.get(old), self.new.get(new)) else {
            return 0;
        };
        let (before, after) = (words(&old.source), words(&new.source));
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for word in &before {
            *counts.entry(word).or_default() += 1;
        }
        let mut shared = 0;
        for word in &after {
            if let Some(count) = counts.get_mut(word).filter(|count| **count > 0) {
                *count -= 1;
                shared += 1;
            }
        }
        200 * shared / (before.len() + after.len()).max(1)
    }
}

/// Splits a text into words; of scripts without blanks between them, into characters.
fn words(text: &str) -> Vec<&str> {
    use unicode_segmentation::UnicodeSegmentation as _;
    text.unicode_words().collect()
}

#[cfg(test)]
mod tests {
    use super::Twin::{Changed, Moved, Same};
    use super::*;
    use crate::{Document, Format, ParseOptions};

    fn check(format: Format, old: &str, new: &str, expected: &[Option<Twin>]) {
        let read = |text: &str| {
            Document::parse(format, text.as_bytes(), &ParseOptions::default()).unwrap()
        };
        let twins = align(&read(old).segments, &read(new).segments);
        assert_eq!(twins, expected, "{old:?} {new:?}");
    }

    #[test]
    fn inserted_and_changed_paragraphs_are_new_and_the_rest_keeps_its_twin() {
        check(
            Format::PlainText,
            "One stays.\n\nTwo is edited here.\n\nTwin.\n\nTwin.\n",
            "One stays.\n\nAn inserted one.\n\nTwo was edited here.\n\nTwin.\n\nTwin.\n",
            &[
                Some(Same(0)),
                None,
                Some(Changed(1)),
                Some(Same(2)),
                Some(Same(3)),
            ],
        );
    }

    #[test]
    fn a_moved_paragraph_is_found() {
        check(
            Format::PlainText,
            "A first one.\n\nB second.\n\nC third.\n\nD fourth.\n",
            "B second.\n\nC third.\n\nD fourth.\n\nA first one.\n",
            &[Some(Same(1)), Some(Same(2)), Some(Same(3)), Some(Moved(0))],
        );
    }

    #[test]
    fn a_value_with_the_same_key_was_changed_whatever_it_says_now() {
        check(
            Format::Json,
            r#"{"a": "Open", "b": "Save the file"}"#,
            r#"{"b": "Keep it", "c": "New"}"#,
            &[Some(Changed(1)), None],
        );
    }

    #[test]
    fn text_without_blanks_is_compared_by_characters() {
        check(
            Format::PlainText,
            "夜里下了一场雨。\n\n完全不同的文字\n",
            "夜里下了一场大雨。\n\n街上没有人，很安静\n",
            &[Some(Changed(0)), None],
        );
    }
}
