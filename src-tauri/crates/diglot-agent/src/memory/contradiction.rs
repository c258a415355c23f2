//! Instructions of which only one can hold: the same sentence about other words. Must not know how items are kept.

use super::MemoryItem;

/// Tells whether two instructions say the same of different words, as `Address the reader with 'du'` and `with 'Sie'`.
/// Terms never do: a source may have several translations.
pub(super) fn contradict(one: &MemoryItem, other: &MemoryItem) -> bool {
    if one.kind != other.kind || one.term.is_some() || other.term.is_some() {
        return false;
    }
    let ((frame, words), (other_frame, other_words)) = (parts(&one.text), parts(&other.text));
    frame == other_frame && !words.is_empty() && words != other_words
}

/// Parts an instruction into what stands outside of its quotes and what inside, in lower case.
fn parts(text: &str) -> (Vec<String>, Vec<String>) {
    let is_quote = |c: char| matches!(c, '\'' | '"' | '`' | '“' | '”' | '„' | '«' | '»');
    let pieces = text
        .split(is_quote)
        .map(|piece| piece.trim().to_lowercase());
    let (mut outside, mut inside) = (Vec::new(), Vec::new());
    for (place, piece) in pieces.enumerate() {
        if place % 2 == 0 {
            outside.push(piece);
        } else {
            inside.push(piece);
        }
    }
    (outside, inside)
}
