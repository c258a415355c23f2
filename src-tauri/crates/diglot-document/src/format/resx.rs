//! .NET resources (`.resx`, `.resw`): the values of strings, with their names and comments. Typed and
//! binary data stay outside.

use std::borrow::Cow;

use super::keyed::{Holds, Key, Keys, comment_note};
use super::resource::{attribute, closing, line_end, only_cdata, plain, show, show_cdata};
use super::xml::{Token, TokenKind, tokens};
use super::{Notation, ReadOptions, Reading};
use crate::segment::Piece;
use crate::shown::ShownBuilder;
use crate::{SegmentKind, Span};

/// Reads the strings.
pub(super) fn read(text: &str, options: &ReadOptions<'_>) -> Reading {
    let tokens = tokens(text, Span::new(0, text.len()));
    let line_end = line_end(text);
    let mut pieces = Vec::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        if token.kind != TokenKind::Open || token.name(text) != "data" {
            at += 1;
            continue;
        }
        let end = closing(&tokens, at);
        let is_string =
            token.attribute(text, "type").is_none() && token.attribute(text, "mimetype").is_none();
        if is_string {
            let inside = tokens.get(at + 1..end).unwrap_or_default();
            let piece = string(text, &attribute(token, text, "name"), inside, options);
            pieces.extend(piece.map(|piece| Piece {
                fresh: line_end.to_owned(),
                ..piece
            }));
        }
        at = end + 1;
    }
    Reading {
        pieces,
        ..Reading::default()
    }
}

fn string(text: &str, name: &str, inside: &[Token], options: &ReadOptions<'_>) -> Option<Piece> {
    let child = |name: &str| {
        let is_it = |token: &Token| token.kind == TokenKind::Open && token.name(text) == name;
        let open = inside.iter().position(is_it)?;
        inside.get(open + 1..closing(inside, open))
    };
    let content = child("value")?;
    let comment = child("comment").map(|content| plain(content, text));
    let (span, notation) = match (only_cdata(content, text), content) {
        (Some(span), _) => (span, Notation::CData),
        (None, [only]) if only.kind == TokenKind::Text => (only.span, Notation::XmlValue),
        (None, _) => return None,
    };
    let mut builder = ShownBuilder::new(text, span.start);
    if notation == Notation::XmlValue {
        show(text, span, &mut builder);
    } else {
        show_cdata(text, span, &mut builder);
    }
    let (span, shown) = builder.finish()?;
    let parts = name.split('.').map(|part| Key::Name(Cow::Borrowed(part)));
    // Names with `>>` are the designer's own.
    if name.starts_with(">>")
        || Keys(parts.collect()).hold_text(options.rules, &shown.text) == Holds::Code
    {
        return None;
    }
    let mut piece = Piece::coded(span, shown, SegmentKind::Value, notation);
    piece.hints.note = comment_note(name, &[comment.unwrap_or_default().trim()]);
    Some(piece)
}

#[cfg(test)]
mod tests;
