//! Texts in attributes of office files: what is read out instead of a picture. Must not know which
//! elements have one.

use super::Notation;
use super::office::Tree;
use super::xml;
use crate::segment::Piece;
use crate::shown::ShownBuilder;
use crate::text::has_prose;
use crate::{SegmentKind, Span};

/// Appends the attributes of a tag that hold text.
pub(super) fn read(tree: &Tree<'_>, at: usize, names: &[&str], pieces: &mut Vec<Piece>) {
    for name in names {
        let Some(value) = tree.attribute(at, name) else {
            continue;
        };
        let mut builder = ShownBuilder::new(tree.text, value.start);
        show(tree.text, value, &mut builder);
        let told = builder.finish();
        let told = told.filter(|(_, shown)| has_prose(&shown.text) && !is_file_name(&shown.text));
        let Some((span, shown)) = told else {
            continue;
        };
        let quote = tree
            .text
            .get(value.end..)
            .and_then(|rest| rest.chars().next());
        let notation = Notation::XmlAttribute(quote.unwrap_or('"'));
        pieces.push(Piece::coded(span, shown, SegmentKind::Caption, notation));
    }
}

/// Tells whether a text is the name of a file, which programs put in where nobody wrote a text.
fn is_file_name(text: &str) -> bool {
    let ending = text.rsplit_once('.').map_or("", |(_, ending)| ending);
    let is_ending = (3..=4).contains(&ending.len()) && ending.is_ascii();
    is_ending && !text.contains(char::is_whitespace)
}

/// Shows a value without its references.
fn show(text: &str, value: Span, builder: &mut ShownBuilder<'_>) {
    let mut at = value.start;
    while let Some(found) = Span::new(at, value.end).of(text).find('&') {
        at += found;
        builder.copy(at);
        if let Some((length, Some(c))) = xml::reference(Span::new(at, value.end).of(text)) {
            at += length;
            builder.write(at, c.encode_utf8(&mut [0; 4]));
        } else {
            at += 1;
            builder.copy(at);
        }
    }
    builder.copy(value.end);
}
