//! Apple `.stringsdict`: the forms of plural texts in an XML property list. Types and other values stay
//! outside.

use std::collections::HashSet;

use super::keyed::comment_note;
use super::plural::{Category, Counting, Entries, Entry, Evidence, blanks_before};
use super::resource::{closing, line_end, plain, show};
use super::xml::{Token, TokenKind, tokens};
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
    let mut forms = Forms::default();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let name = token.name(text);
        match (token.kind, name) {
            (TokenKind::Open, "dict") => {
                around.push(std::mem::take(&mut key));
                forms.open();
            }
            (TokenKind::Close, "dict") => {
                around.pop();
                forms.close();
            }
            (TokenKind::Open, "key" | "string") => {
                let end = closing(&tokens, at);
                let content = tokens.get(at + 1..end).unwrap_or_default();
                if name == "key" {
                    key = plain(content, text);
                    forms.take_key(text, token, content);
                } else if let [only] = content
                    && only.kind == TokenKind::Text
                {
                    let path = Path {
                        around: &around,
                        key: &key,
                    };
                    if let Some(close) = tokens.get(end) {
                        forms.take_value(close.span.end, &path.names().join(" / "));
                    }
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
        pieces: forms.complete(text, pieces, options),
        ..Reading::default()
    }
}

/// Gathers the forms of the texts.
#[derive(Default)]
struct Forms {
    entries: Entries,
    /// The dictionaries that are open.
    open: Vec<usize>,
    /// Those that say they hold plural forms.
    plurals: HashSet<usize>,
    /// Whether the key at hand names a form.
    is_form: bool,
}

impl Forms {
    fn open(&mut self) {
        self.open.push(self.entries.open());
        self.is_form = false;
    }

    fn close(&mut self) {
        self.open.pop();
        self.is_form = false;
    }

    /// Takes note of a key; its value follows.
    fn take_key(&mut self, text: &str, tag: &Token, content: &[Token]) {
        self.is_form = false;
        let ([only], Some(parent)) = (content, self.open.last().copied()) else {
            return;
        };
        let name = only.span.trimmed(text);
        if name.of(text) == "NSStringFormatSpecTypeKey" {
            self.plurals.insert(parent);
        }
        let Some(category) = Category::of(name.of(text)) else {
            return;
        };
        self.is_form = true;
        self.entries.count(parent);
        self.entries.push(Entry {
            parent,
            base: String::new(),
            category,
            counting: Counting::Cardinal,
            // Some forms are taken in languages that do not have them, as zero in English.
            evidence: Evidence::Form,
            span: Span::new(tag.span.start, only.span.end),
            name,
            gap: blanks_before(text, tag.span.start).to_owned(),
            label: String::new(),
        });
    }

    /// Takes note of a text up to its end.
    fn take_value(&mut self, end: usize, label: &str) {
        if !std::mem::take(&mut self.is_form) {
            return;
        }
        if let Some(entry) = self.entries.last_mut() {
            entry.span.end = end;
            label.clone_into(&mut entry.label);
        }
    }

    fn complete(self, text: &str, pieces: Vec<Piece>, options: &ReadOptions<'_>) -> Vec<Piece> {
        let mut entries = self.entries;
        entries.retain(|entry| self.plurals.contains(&entry.parent));
        entries.complete(text, pieces, options.target)
    }
}

/// The keys of a value.
struct Path<'k> {
    /// Of the dictionaries around it; the outermost has none.
    around: &'k [String],
    key: &'k str,
}

impl<'k> Path<'k> {
    fn names(&self) -> Vec<&'k str> {
        /// Plural forms stand no deeper: text, variable, form.
        const DEPTH: usize = 4;
        let around = self.around.iter().skip(1).take(DEPTH).map(String::as_str);
        around.chain([self.key]).collect()
    }
}

fn form(text: &str, span: Span, path: &Path<'_>, options: &ReadOptions<'_>) -> Option<Piece> {
    let mut builder = ShownBuilder::new(text, span.start);
    show(text, span, &mut builder);
    let (span, shown) = builder.finish()?;
    let keys = path.names();
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
