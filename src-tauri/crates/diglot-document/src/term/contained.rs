//! Terms that are looked for as they are written: in scripts without blanks, and with signs that are no letters, such as
//! `C++`. Owns the way from a folded text back to its bytes.

use super::TermForm;
use super::stem::{fold_char, is_unspaced_char};
use crate::{LanguageTag, Span};

/// A text without case and accents, with the place of each of its bytes in the text.
pub(super) struct Folded {
    pub(super) text: String,
    /// For each byte of `text` the first byte of its character, and the length of the text at the end.
    starts: Vec<usize>,
}

impl Folded {
    pub(super) fn of(raw: &str) -> Self {
        let mut text = String::with_capacity(raw.len());
        let mut starts = Vec::with_capacity(raw.len() + 1);
        for (start, c) in raw.char_indices() {
            fold_char(c, &mut text);
            starts.resize(text.len(), start);
        }
        starts.push(raw.len());
        Self { text, starts }
    }

    /// Lists where a folded term stands, each with how it is like the term as it is written.
    pub(super) fn places(&self, raw: &str, folded: &str, term: &str) -> Vec<(Span, TermForm)> {
        let found = self.text.match_indices(folded).filter_map(|(at, found)| {
            let span = Span::new(*self.starts.get(at)?, *self.starts.get(at + found.len())?);
            let is_whole = self.is_edge(at) && self.is_edge(at + found.len());
            (is_whole && stands_alone(raw, span)).then_some(span)
        });
        let form = |span: Span| {
            if span.of(raw).to_lowercase() == term.to_lowercase() {
                TermForm::Exact
            } else {
                TermForm::Inflected
            }
        };
        found.map(|span| (span, form(span))).collect()
    }

    /// Tells whether a place is no part of a character that folding took apart.
    fn is_edge(&self, at: usize) -> bool {
        at == 0 || self.starts.get(at) != self.starts.get(at - 1)
    }
}

/// Tells whether a place begins and ends where its words do. A script without blanks has no such edges.
fn stands_alone(raw: &str, span: Span) -> bool {
    let is_joined = |left: Option<char>, right: Option<char>| {
        let joins = |c: char| c.is_alphanumeric() && !is_unspaced_char(c);
        left.is_some_and(joins) && right.is_some_and(joins)
    };
    let before = raw
        .get(..span.start)
        .and_then(|text| text.chars().next_back());
    let after = raw.get(span.end..).and_then(|text| text.chars().next());
    let own = span.of(raw);
    !is_joined(before, own.chars().next()) && !is_joined(own.chars().next_back(), after)
}

/// Tells whether a term has no blanks to be found by.
pub(super) fn is_unspaced(term: &str, language: &LanguageTag) -> bool {
    language.is_unspaced() || term.contains(is_unspaced_char)
}

/// Tells whether a term has signs that its words alone do not show.
pub(super) fn has_signs(term: &str) -> bool {
    let is_light =
        |c: char| c.is_alphanumeric() || c.is_whitespace() || matches!(c, '-' | '\'' | '’');
    let is_mark = |c: char| unicode_normalization::char::is_combining_mark(c);
    !term.chars().all(|c| is_light(c) || is_mark(c))
}
