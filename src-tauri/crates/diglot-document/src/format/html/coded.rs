//! The text of HTML as people see it: characters instead of references, one blank instead of a line
//! break with its indentation. Must not know where a text stands in its document.
//!
//! Tags, comments, template marks and references to what cannot be seen or told from markup stand as
//! they are written.

use std::collections::HashMap;

use super::element;
use super::tag::is_space;
use super::token::{Token, Tokens, may_open};
use crate::Span;
use crate::format::xml;
use crate::shown::{Shown, ShownBuilder};

/// Shows a part of a text; `None` when nothing but blanks is there.
pub(super) fn shown(text: &str, span: Span) -> Option<(Span, Shown)> {
    let mut builder = ShownBuilder::new(text, span.start);
    for token in Tokens::new(text, span, true) {
        let part = token.span();
        if let Token::Text(_) = token {
            show_text(text, part, &mut builder);
        } else {
            builder.write(part.end, &folded(part.of(text)));
        }
    }
    builder.finish()
}

fn show_text(text: &str, part: Span, builder: &mut ShownBuilder<'_>) {
    let mut at = part.start;
    let marks = |c: char| is_space(c) || matches!(c, '&' | '<' | '{');
    while let Some(length) = Span::new(at, part.end).of(text).find(marks) {
        builder.copy(at + length);
        at += length;
        let rest = Span::new(at, part.end).of(text);
        if let Some((length, character)) = xml::reference(rest) {
            let raw = rest.get(..length).unwrap_or_default();
            match character.filter(|c| xml::is_seen(*c)) {
                Some(c) => builder.write(at + length, c.encode_utf8(&mut [0; 4])),
                None => builder.write(at + length, raw),
            }
            at += length;
        } else if rest.starts_with('&') {
            builder.write(at + 1, "&");
            at += 1;
        } else if rest.starts_with(['<', '{']) {
            // With what makes it look like markup, so that it is known again.
            let length = if may_open(rest) { 2 } else { 1 };
            builder.write(at + length, rest.get(..length).unwrap_or_default());
            at += length;
        } else {
            let blanks = rest.len() - rest.trim_start_matches(is_space).len();
            if rest.get(..blanks) == Some(" ") {
                builder.copy(at + 1);
            } else {
                builder.write(at + blanks, " ");
            }
            at += blanks;
        }
    }
    builder.copy(part.end);
}

/// Folds white space as HTML does.
pub(super) fn folded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match is_space(c) {
            true if out.ends_with(' ') => {}
            true => out.push(' '),
            false => out.push(c),
        }
    }
    out
}

/// Finds the markup of a shown text that must not be cut: whole elements, and what stands alone.
pub(super) fn atoms(shown: &str) -> Vec<Span> {
    let mut atoms: Vec<Span> = Vec::new();
    let mut open: Vec<(String, usize)> = Vec::new();
    let mut counts: HashMap<String, usize> = HashMap::new();
    for token in Tokens::new(shown, Span::new(0, shown.len()), true) {
        let Token::Tag(tag) = token else {
            if !matches!(token, Token::Text(_)) {
                atoms.push(token.span());
            }
            continue;
        };
        let name = tag.name();
        if tag.closes() && counts.get(&name).is_some_and(|count| *count > 0) {
            while let Some((opened, start)) = open.pop() {
                if let Some(count) = counts.get_mut(&opened) {
                    *count -= 1;
                }
                if opened == name {
                    let inside = atoms.partition_point(|atom| atom.start < start);
                    atoms.truncate(inside);
                    atoms.push(Span::new(start, tag.span.end));
                    break;
                }
            }
            continue;
        }
        atoms.push(tag.span);
        if !tag.closes() && !tag.is_empty() && !element::is_void(&name) {
            *counts.entry(name.clone()).or_default() += 1;
            open.push((name, tag.span.start));
        }
    }
    atoms
}
