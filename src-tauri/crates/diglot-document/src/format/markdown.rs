//! Markdown: CommonMark with GitHub's additions, front matter, and the block marks of common site
//! generators. Owns the order of reading: front matter, own constructs blanked out, the rest parsed
//! by pulldown-cmark for its offsets. Nothing is ever re-serialised.

mod blocks;
mod mask;

use std::borrow::Cow;

use pulldown_cmark::{Event, Options, Parser};

use crate::format::{Reading, front_matter};
use crate::segment::Piece;
use crate::{SegmentKind, Span};

const OPTIONS: Options = Options::ENABLE_TABLES
    .union(Options::ENABLE_FOOTNOTES)
    .union(Options::ENABLE_STRIKETHROUGH)
    .union(Options::ENABLE_TASKLISTS)
    .union(Options::ENABLE_HEADING_ATTRIBUTES)
    .union(Options::ENABLE_MATH)
    .union(Options::ENABLE_GFM);

pub(crate) use mask::{TABLE_OF_CONTENTS, is_module_line};

/// Reads the translatable pieces of a document.
pub(crate) fn read(text: &str) -> Reading {
    let matter = front_matter::read(text);
    let body = with_line_feeds(text.get(matter.end..).unwrap_or_default());
    let masked = mask::mask(text, &body, matter.end);
    let body = masked
        .as_ref()
        .map_or(body.as_ref(), |masked| masked.body.as_str());
    let mut blocks = blocks::read(text, events(body, matter.end));
    let mut pieces = matter.pieces;
    if let Some(masked) = masked {
        mark_admonitions(&mut blocks.pieces, &masked.admonitions);
        pieces.extend(masked.pieces);
    }
    pieces.append(&mut blocks.pieces);
    let unclosed = matter.unclosed.into_iter().chain(blocks.unclosed).collect();
    Reading {
        unclosed,
        ..Reading::of(pieces)
    }
}

/// Writes every CR that ends a line alone as LF, since the parser takes it for text in places.
fn with_line_feeds(body: &str) -> Cow<'_, str> {
    if !body.split('\r').skip(1).any(|rest| !rest.starts_with('\n')) {
        return Cow::Borrowed(body);
    }
    let mut characters = body.chars().peekable();
    let mut copy = String::with_capacity(body.len());
    while let Some(c) = characters.next() {
        let alone = c == '\r' && characters.peek() != Some(&'\n');
        copy.push(if alone { '\n' } else { c });
    }
    Cow::Owned(copy)
}

/// Parses a body that starts at `base` of the text, with ranges in the text.
fn events(body: &str, base: usize) -> impl Iterator<Item = (Event<'_>, Span)> {
    Parser::new_ext(body, OPTIONS)
        .into_offset_iter()
        .map(move |(event, range)| (event, Span::new(base + range.start, base + range.end)))
}

/// Names the paragraphs inside admonitions what they are. Both lists ascend by start.
fn mark_admonitions(pieces: &mut [Piece], admonitions: &[Span]) {
    for admonition in admonitions {
        let first = pieces.partition_point(|piece| piece.span.start < admonition.start);
        let inside = pieces.iter_mut().skip(first);
        for piece in inside.take_while(|piece| piece.span.end <= admonition.end) {
            if piece.kind == SegmentKind::Paragraph {
                piece.kind = SegmentKind::Quote;
            }
        }
    }
}

#[cfg(test)]
mod tests;
