//! What must survive from source to target: code, links, tags, placeholders, numbers. Knows how
//! they are written, not how two texts are compared.

use std::cmp::Reverse;

use crate::text::has_prose;
use crate::{Format, Span};

pub(crate) mod asciidoc;
mod cue;
pub(crate) mod latex;
mod lexical;
mod markdown;
pub(crate) mod message;
pub(crate) mod rst;
mod syntax;
mod xliff;

pub(crate) use lexical::{digit, is_group_blank, whole_tag};
pub(crate) use markdown::block_count;
pub(crate) use syntax::{Markup, Syntaxes};

/// Names a kind of placeable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PlaceableKind {
    /// An inline code span with its backticks.
    Code,
    /// A link or image destination with its brackets, for instance `](url)`, or an autolink. A
    /// title is no part of it: `](url "` and `")` are two.
    Link,
    /// A reference key, for instance `][key]`, a whole shortcut `[key]`, or a footnote mark.
    Reference,
    /// An HTML or JSX tag, or an entity. The values of attributes that are read are no part of it:
    /// `<img alt="` and `">` are two.
    Tag,
    /// An emphasis mark, for instance `**`.
    Emphasis,
    /// `{name}`, `%s`, `%(n)d`, `${x}`, `{{ x }}`, `{% … %}`, `<0/>`, and what stands around the
    /// branches of a plural message.
    Placeholder,
    /// Inline math with its delimiters.
    Math,
    /// A heading id `{#id}` or an attribute list.
    Attribute,
    /// A hard line break.
    HardBreak,
    /// A number with its separators and unit sign.
    Number,
    /// A web or mail address in plain text.
    Address,
}

/// Marks one placeable in a source or target text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placeable {
    /// Bytes of the text that it was found in.
    pub span: Span,
    /// What it is.
    pub kind: PlaceableKind,
}

/// Finds the placeables of a unit's text, in order, disjoint.
pub fn placeables(format: Format, text: &str) -> Vec<Placeable> {
    find(Syntaxes::of(format), text)
        .into_iter()
        .map(|found| Placeable {
            span: found.span,
            kind: found.kind,
        })
        .collect()
}

/// A placeable with the meaning by which two texts are compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) span: Span,
    pub(crate) kind: PlaceableKind,
    /// Equal in two texts when they mean the same, for instance a bare link destination.
    pub(crate) key: String,
    /// Whether it may differ in kind and number between languages: the frame of a plural message,
    /// or a part of a date's format.
    pub(crate) is_free: bool,
}

impl Found {
    fn new(start: usize, end: usize, kind: PlaceableKind, key: impl Into<String>) -> Self {
        Self {
            span: Span { start, end },
            kind,
            key: key.into(),
            is_free: false,
        }
    }

    /// Makes a placeholder that may differ in kind and number.
    fn free(start: usize, end: usize) -> Self {
        Self {
            is_free: true,
            ..Self::new(start, end, PlaceableKind::Placeholder, "")
        }
    }

    /// Returns the text of the placeable as it stands in `text`, the one it was found in.
    pub(crate) fn text<'a>(&self, text: &'a str) -> &'a str {
        self.span.of(text)
    }
}

/// Finds the placeables of a text with their keys, in order, disjoint.
pub(crate) fn find(syntaxes: Syntaxes, text: &str) -> Vec<Found> {
    let mut found = match syntaxes.markup {
        Markup::Markdown => markdown::find(text),
        Markup::ReStructuredText => rst::find(text),
        Markup::AsciiDoc => asciidoc::find(text),
        Markup::Latex => latex::find(text),
        Markup::Cue => cue::find(text),
        Markup::Xliff => xliff::codes(text),
        Markup::Backticks => lexical::code_spans(text),
        Markup::Tags => Vec::new(),
    };
    let messages = message::find(text);
    found.extend(messages.found());
    let mut found = first_ones(found);
    let emphasis_apart = |found: &&Found| found.kind != PlaceableKind::Emphasis;
    let solid = found.iter().filter(emphasis_apart).map(|found| found.span);
    let mut solid: Vec<Span> = solid.chain(messages.quoted.iter().copied()).collect();
    solid.sort();
    found.extend(lexical::find(syntaxes, text, &solid));
    first_ones(found)
}

/// Tells whether a text has words outside of the placeables that were found in it.
pub(crate) fn has_prose_outside(text: &str, found: &[Found]) -> bool {
    let mut at = 0;
    for found in found {
        if has_prose(Span::new(at, found.span.start).of(text)) {
            return true;
        }
        at = found.span.end;
    }
    has_prose(text.get(at..).unwrap_or_default())
}

/// Keeps, of those that overlap, the one that begins first, and of those the longest.
fn first_ones(mut found: Vec<Found>) -> Vec<Found> {
    found.sort_by_key(|found| (found.span.start, Reverse(found.span.end)));
    let mut end = 0;
    found.retain(|found| {
        let free = found.span.start >= end;
        if free {
            end = found.span.end;
        }
        free
    });
    found
}

#[cfg(test)]
mod tests;
