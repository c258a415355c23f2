//! The words of a text that a reader sees, with where they stand. Knows which placeables part words; must not know a term.

use unicode_segmentation::UnicodeSegmentation;

use super::stem::{Stems, Word};
use crate::check::text::Text;
use crate::{PlaceableKind, Span};

/// Holds a word of a text.
#[derive(Debug)]
pub(super) struct Seen {
    pub(super) span: Span,
    pub(super) word: Word,
    /// Whether a term may go on from the word before to this one.
    pub(super) follows: bool,
}

/// Lists the words of a text in order, without those of code and the like.
pub(super) fn words(text: &Text<'_>, stems: &Stems) -> Vec<Seen> {
    let mut seen: Vec<Seen> = Vec::new();
    for (start, word) in text.raw.unicode_word_indices() {
        let span = Span::new(start, start + word.len());
        if !is_prose(text, span) {
            continue;
        }
        let before = seen.last().map(|last| Span::new(last.span.end, start));
        seen.push(Seen {
            span,
            word: stems.word(word),
            follows: before.is_some_and(|gap| is_joint(text, gap)),
        });
    }
    seen
}

/// Tells whether a span is what a reader sees as words: no placeable but a number, and no branch of a plural message but
/// `other`.
pub(super) fn is_prose(text: &Text<'_>, span: Span) -> bool {
    let mut within = placeables_in(text, span);
    within.all(|found| found.kind == PlaceableKind::Number) && !text.is_form(span)
}

/// Tells whether a gap between two words may lie within a term: it holds blanks, hyphens and marks of emphasis at most.
fn is_joint(text: &Text<'_>, gap: Span) -> bool {
    let mut at = gap.start;
    for found in placeables_in(text, gap) {
        let is_mark = matches!(
            found.kind,
            PlaceableKind::Emphasis | PlaceableKind::Tag | PlaceableKind::HardBreak
        );
        if !is_mark || !is_blank(text.raw, Span::new(at, found.span.start)) {
            return false;
        }
        at = found.span.end;
    }
    is_blank(text.raw, Span::new(at.min(gap.end), gap.end))
}

fn is_blank(text: &str, span: Span) -> bool {
    let is_light =
        |c: char| c.is_whitespace() || matches!(c, '-' | '\u{2010}' | '\u{2011}' | '\'' | '’');
    span.of(text).chars().all(is_light)
}

/// Lists the placeables that overlap a span.
fn placeables_in<'t>(
    text: &'t Text<'_>,
    span: Span,
) -> impl Iterator<Item = &'t crate::placeable::Found> {
    let first = text
        .found
        .partition_point(|found| found.span.end <= span.start);
    let after = text.found.iter().skip(first);
    after.take_while(move |found| found.span.start < span.end)
}
