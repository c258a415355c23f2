//! Apple `.stringsdict`: the forms of plural texts in an XML property list. Types and other values stay
//! outside.

use super::keyed::comment_note;
use super::resource::{closing, line_end, plain, show};
use super::xml::{TokenKind, tokens};
use super::{Notation, ReadOptions, Reading};
use crate::segment::Piece;
use crate::shown::ShownBuilder;
use crate::text::has_prose;
use crate::{SegmentKind, Span};

/// Keys whose values are texts.
const TEXTS: [&str; 7] = [
    "NSStringLocalizedFormatKey",
    "zero",
    "one",
    "two",
    "few",
    "many",
    "other",
];

/// Reads the forms, with the keys around them as notes.
pub(super) fn read(text: &str, options: &ReadOptions<'_>) -> Reading {
    let tokens = tokens(text, Span::new(0, text.len()));
    let line_end = line_end(text);
    let mut pieces = Vec::new();
    let mut around: Vec<String> = Vec::new();
    let mut key = String::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let name = token.name(text);
        match (token.kind, name) {
            (TokenKind::Open, "dict") => around.push(std::mem::take(&mut key)),
            (TokenKind::Close, "dict") => {
                around.pop();
            }
            (TokenKind::Open, "key" | "string") => {
                let end = closing(&tokens, at);
                let content = tokens.get(at + 1..end).unwrap_or_default();
                if name == "key" {
                    key = plain(content, text);
                } else if let [only] = content
                    && only.kind == TokenKind::Text
                {
                    let path = Path {
                        around: &around,
                        key: &key,
                    };
                    pieces.extend(form(text, only.span, &path, options).map(|piece| Piece {
                        fresh: line_end.to_owned(),
                        ..piece
                    }));
                }
                at = end;
            }
            _ => {}
        }
        at += 1;
    }
    Reading {
        pieces,
        ..Reading::default()
    }
}

/// The keys of a value.
struct Path<'k> {
    /// Of the dictionaries around it; the outermost has none.
    around: &'k [String],
    key: &'k str,
}

fn form(text: &str, span: Span, path: &Path<'_>, options: &ReadOptions<'_>) -> Option<Piece> {
    /// Plural forms stand no deeper: text, variable, form.
    const DEPTH: usize = 4;
    let mut builder = ShownBuilder::new(text, span.start);
    show(text, span, &mut builder);
    let (span, shown) = builder.finish()?;
    let around = path.around.iter().skip(1).take(DEPTH).map(String::as_str);
    let keys: Vec<&str> = around.chain([path.key]).collect();
    let is_text = || TEXTS.contains(&path.key) && has_prose(&shown.text);
    if !options.rules.key(&keys).unwrap_or_else(is_text) {
        return None;
    }
    let mut piece = Piece::coded(span, shown, SegmentKind::Value, Notation::XmlValue);
    piece.is_whole = true;
    piece.hints.note = comment_note(&keys.join(" / "), &[]);
    Some(piece)
}

#[cfg(test)]
mod tests;
