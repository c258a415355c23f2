//! One tag of HTML or JSX: where it ends, what it is called, and its attributes. Must not know what
//! any of them means.

use std::collections::HashSet;

use crate::Span;
use crate::format::xml;

/// Holds one tag. Its attributes are found as they are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Tag<'t> {
    text: &'t str,
    /// From `<` to past `>`.
    pub(super) span: Span,
    /// Whether quotes and braces were taken for what they are.
    is_plain: bool,
}

/// Holds one attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Attribute<'t> {
    pub(super) name: &'t str,
    /// The value without its quotes; `None` where there is none, or where it is an expression.
    pub(super) value: Option<Span>,
    /// What stands around the value.
    pub(super) quote: Option<char>,
}

impl<'t> Tag<'t> {
    /// Reads the tag that starts at an offset. Quotes after `=`, braces and template marks hide a `>`.
    pub(super) fn at(text: &'t str, at: usize, limit: usize) -> Option<Self> {
        let start = name_end(text, at)?;
        let mut walk = Walk {
            text,
            at: start,
            limit,
            is_bound: false,
        };
        while walk.attribute().is_some() {}
        let closed = text.get(walk.at..limit)?.starts_with('>');
        closed.then_some(Self {
            text,
            span: Span::new(at, walk.at + 1),
            is_plain: false,
        })
    }

    /// Takes a tag whose ends are known; a `>` inside may be the mark of a quoted line.
    pub(super) fn known(text: &'t str, span: Span) -> Option<Self> {
        let is_plain = false;
        name_end(text, span.start).map(|_| Self {
            text,
            span,
            is_plain,
        })
    }

    /// Reads a tag up to the next `>`, whatever stands before it.
    pub(super) fn plain(text: &'t str, at: usize, limit: usize) -> Option<Self> {
        let start = name_end(text, at)?;
        let length = Span::new(start, limit).of(text).find('>')?;
        Some(Self {
            text,
            span: Span::new(at, start + length + 1),
            is_plain: true,
        })
    }

    pub(super) fn source(&self) -> &'t str {
        self.span.of(self.text)
    }

    /// Returns the name in lower case.
    pub(super) fn name(&self) -> String {
        tag_name(self.source())
    }

    pub(super) fn closes(&self) -> bool {
        self.source().starts_with("</")
    }

    pub(super) fn is_empty(&self) -> bool {
        self.source().ends_with("/>")
    }

    pub(super) fn attributes(&self) -> impl Iterator<Item = Attribute<'t>> + use<'t> {
        let start = name_end(self.text, self.span.start).unwrap_or(self.span.end);
        let mut walk = Walk {
            text: self.text,
            at: if self.is_plain { self.span.end } else { start },
            limit: self.span.end.max(1) - 1,
            is_bound: true,
        };
        std::iter::from_fn(move || walk.attribute())
    }

    /// Tells whether XML allows for the tag's attributes (section 3.1).
    pub(super) fn is_well_formed(&self) -> bool {
        let mut met = HashSet::new();
        self.attributes().all(|attribute| {
            let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | ':' | '_');
            let is_named = attribute.name.chars().all(is_part) && met.insert(attribute.name);
            let value = attribute.value.map_or("", |value| value.of(self.text));
            let mut references = value.match_indices('&');
            let are_whole = references
                .all(|(at, _)| xml::reference(value.get(at..).unwrap_or_default()).is_some());
            is_named && attribute.quote.is_some() && !value.contains('<') && are_whole
        })
    }

    /// Returns the value of an attribute; names are compared without case.
    pub(super) fn value(&self, name: &str) -> Option<Span> {
        let mut attributes = self.attributes();
        attributes.find_map(|found| {
            let same = found.name.eq_ignore_ascii_case(name);
            found.value.filter(|_| same)
        })
    }
}

/// Returns the end of the tag that starts at `at`, past its `>`.
pub(crate) fn tag_end(text: &str, at: usize, limit: usize) -> Option<usize> {
    Tag::at(text, at, limit).map(|tag| tag.span.end)
}

/// Returns the element's name in lower case; empty when no tag starts here.
pub(crate) fn tag_name(tag: &str) -> String {
    let Some(end) = name_end(tag, 0) else {
        return String::new();
    };
    let name = tag.get(1..end).unwrap_or_default();
    name.trim_start_matches('/').to_ascii_lowercase()
}

/// Returns where the name of the tag that starts at an offset ends.
fn name_end(text: &str, at: usize) -> Option<usize> {
    let rest = text.get(at..)?.strip_prefix('<')?;
    let name = rest.strip_prefix('/').unwrap_or(rest);
    if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return None;
    }
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | ':' | '_');
    let length = name.find(|c| !is_part(c)).unwrap_or(name.len());
    Some(at + 1 + (rest.len() - name.len()) + length)
}

/// A walk through what stands behind a tag's name.
struct Walk<'t> {
    text: &'t str,
    at: usize,
    limit: usize,
    /// Whether the limit is where the tag ends.
    is_bound: bool,
}

impl<'t> Walk<'t> {
    fn rest(&self) -> &'t str {
        self.text.get(self.at..self.limit).unwrap_or_default()
    }

    /// Moves behind a length of bytes.
    fn skip(&mut self, length: usize) {
        self.at = self.limit.min(self.at + length);
    }

    fn skip_blanks(&mut self) {
        let rest = self.rest();
        self.skip(rest.len() - rest.trim_start_matches(is_space).len());
    }

    /// Reads the next attribute, or an expression among them; stops before the `>`.
    fn attribute(&mut self) -> Option<Attribute<'t>> {
        let rest = self.rest();
        let parts = |c: char| is_space(c) || c == '/' || c == '>' && self.is_bound;
        let length = rest.len() - rest.trim_start_matches(parts).len();
        self.skip(length);
        let start = self.at;
        if !self.skip_hidden() {
            let rest = self.rest();
            let ends = |c: char| is_space(c) || matches!(c, '=' | '>' | '/');
            // A `=` where a name begins is a part of it.
            let lead = usize::from(rest.starts_with('='));
            let tail = rest.get(lead..).unwrap_or_default();
            self.skip(lead + tail.find(ends).unwrap_or(tail.len()));
        }
        let name = self
            .text
            .get(start..self.at)
            .filter(|name| !name.is_empty())?;
        let behind = self.at;
        self.skip_blanks();
        let mut found = Attribute {
            name,
            value: None,
            quote: None,
        };
        if !self.rest().starts_with('=') {
            self.at = behind;
            return Some(found);
        }
        self.skip(1);
        self.skip_blanks();
        (found.value, found.quote) = self.value();
        Some(found)
    }

    fn value(&mut self) -> (Option<Span>, Option<char>) {
        let quote = self.rest().chars().next();
        if let Some(quote) = quote.filter(|c| matches!(c, '"' | '\'')) {
            let start = self.at + 1;
            self.skip(1);
            self.skip_quoted(quote);
            let value = Span::new(start, self.at);
            self.skip(1);
            return (Some(value), Some(quote));
        }
        let start = self.at;
        let is_expression = self.rest().starts_with('{');
        while self.skip_hidden() {}
        loop {
            let rest = self.rest();
            let ends = |c: char| is_space(c) || matches!(c, '>' | '{' | '<');
            self.skip(rest.find(ends).unwrap_or(rest.len()));
            if !self.skip_hidden() {
                if !self.rest().starts_with('<') {
                    break;
                }
                self.skip(1);
            }
        }
        // The slash that closes `<br class=x/>` in practice belongs to the tag.
        let value = Span::new(start, self.at);
        let read = (!is_expression && value.start < value.end).then_some(value);
        (read, None)
    }

    /// Goes to the quote that ends a value; inside template marks quotes are the template's.
    fn skip_quoted(&mut self, quote: char) {
        loop {
            let rest = self.rest();
            let ends = |c: char| c == quote || matches!(c, '{' | '<');
            let Some(length) = rest.find(ends) else {
                self.at = self.limit;
                return;
            };
            self.skip(length);
            if self.rest().starts_with(quote) {
                return;
            }
            match template(self.rest()).filter(|length| *length <= TEMPLATE_LIMIT) {
                Some(length) => self.skip(length),
                None => self.skip(1),
            }
        }
    }

    /// Skips `{…}`, with braces in pairs, or a template's mark; tells whether one was there.
    fn skip_hidden(&mut self) -> bool {
        let rest = self.rest();
        let length = match rest.as_bytes().first() {
            Some(b'{') => Some(braces(rest)),
            Some(b'<') => template(rest),
            Some(_) | None => None,
        };
        self.skip(length.unwrap_or_default());
        length.is_some()
    }
}

/// A tag inside of a text is at most so long, in bytes; a longer one ends it, since no one could read
/// the text around the data that it holds.
pub(super) const TAG_LIMIT: usize = 2048;

/// A template's mark inside a quoted value is at most so long, in bytes.
const TEMPLATE_LIMIT: usize = 1024;

/// Returns the length of `{…}` with its inner pairs; all when it never closes.
fn braces(rest: &str) -> usize {
    let mut quote = None;
    let mut depth = 0_usize;
    for (at, byte) in rest.bytes().enumerate() {
        match (quote, byte) {
            (Some(open), byte) if open == byte => quote = None,
            (None, b'"' | b'\'' | b'`') => quote = Some(byte),
            (None, b'{') => depth += 1,
            (None, b'}') => {
                depth -= 1;
                if depth == 0 {
                    return at + 1;
                }
            }
            (Some(_) | None, _) => {}
        }
    }
    rest.len()
}

/// Returns the length of the template mark that a text begins with: `{{ }}`, `{% %}`, `{# #}`,
/// `<% %>`, `<? ?>`.
pub(super) fn template(rest: &str) -> Option<usize> {
    let rest = rest.get(..floor(rest, TEMPLATE_LIMIT))?;
    let close = match rest.get(..2)? {
        "{{" if rest.starts_with("{{{") && rest.contains("}}}") => "}}}",
        "{{" if rest.starts_with("{{!--") => "--}}",
        "{{" => "}}",
        "{%" => "%}",
        "{#" => "#}",
        "<%" => "%>",
        "<?" => "?>",
        _ => return None,
    };
    let inner = rest.get(2..)?;
    let length = inner.find(close)?;
    Some(2 + length + close.len())
}

/// Returns the last character boundary of a text that is at most at an offset.
pub(super) fn floor(text: &str, at: usize) -> usize {
    let mut end = text.len().min(at);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    end
}

/// Tells whether a character separates attributes.
pub(super) fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r' | '\u{C}')
}
