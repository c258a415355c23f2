//! Placeables that are told by their characters alone, in any format.

use std::collections::HashSet;

use super::{Found, PlaceableKind, Syntaxes};
use crate::Span;

mod address;
mod number;
mod percent;
mod placeholder;
mod tag;

/// Longest placeholder, in bytes; a longer one is text.
const LONGEST: usize = 400;

use percent::Percent;
pub(super) use tag::tag_key;
pub(crate) use tag::whole_tag;

/// Finds placeables outside of the `taken` spans, which are sorted.
pub(super) fn find(syntaxes: Syntaxes, text: &str, taken: &[Span]) -> Vec<Found> {
    let scan = Scan {
        syntaxes,
        percent: Percent::of(text),
        closed: tag::closed(text),
    };
    let mut found = Vec::new();
    let mut taken = taken.iter().peekable();
    let mut pieces = Vec::new().into_iter().peekable();
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        while taken.next_if(|span| span.end <= at).is_some() {}
        if let Some(span) = taken.next_if(|span| span.start <= at) {
            at = span.end;
            continue;
        }
        if let Some(piece) = pieces.next_if(|piece: &Found| piece.span.start <= at) {
            at = piece.span.end;
            found.push(piece);
            continue;
        }
        let piece = pieces.peek().map(|piece| piece.span.start);
        let limit = taken.peek().map(|span| span.start);
        let limit = piece.into_iter().chain(limit).min().unwrap_or(text.len());
        let before = text.get(..at).unwrap_or_default();
        match scan.token(before, rest) {
            Some(token) if at + token.span.end <= limit => {
                let span = Span::new(at, at + token.span.end);
                if token.kind == PlaceableKind::Tag && syntaxes.shows_tags && piece.is_none() {
                    pieces = tag_pieces(text, span).into_iter().peekable();
                } else {
                    found.push(Found { span, ..token });
                    at = span.end;
                }
            }
            Some(_) | None => at += rest.chars().next().map_or(1, char::len_utf8),
        }
    }
    found
}

/// Takes a tag as the pieces around the values that are read, so that these are text.
pub(super) fn tag_pieces(text: &str, span: Span) -> Vec<Found> {
    let tag = span.of(text);
    let mut key = tag_key(tag);
    let mut piece = |piece: Span| {
        let (start, end) = (span.start + piece.start, span.start + piece.end);
        let key = std::mem::replace(&mut key, "\"".to_owned());
        Found::new(start, end, PlaceableKind::Tag, key)
    };
    tag::pieces(tag).into_iter().map(&mut piece).collect()
}

/// What is known of a text before its placeables are looked for.
struct Scan<'a> {
    syntaxes: Syntaxes,
    percent: Percent,
    /// Names of the tags that are closed somewhere.
    closed: HashSet<&'a str>,
}

impl Scan<'_> {
    /// Reads the placeable that `rest` begins with.
    fn token(&self, before: &str, rest: &str) -> Option<Found> {
        let markdown = self.syntaxes.is_markdown();
        if markdown && before.ends_with('\\') {
            return None;
        }
        let (length, kind) = match rest.chars().next()? {
            '{' if markdown && attribute(rest).is_some() => {
                (attribute(rest)?, PlaceableKind::Attribute)
            }
            '{' | '$' | '#' => (placeholder::braced(rest)?, PlaceableKind::Placeholder),
            '%' if self.percent == Percent::Date => {
                return percent::date(rest).map(|length| Found::free(0, length));
            }
            '%' => (
                percent::percent(self.percent, before, rest)?,
                PlaceableKind::Placeholder,
            ),
            '<' => return self.tag(rest),
            '&' if self.syntaxes.has_entities => (entity(rest)?, PlaceableKind::Tag),
            c if number::digit(c).is_some() => {
                if let Some(length) = address::address(before, rest) {
                    (length, PlaceableKind::Address)
                } else {
                    (number::number(rest)?, PlaceableKind::Number)
                }
            }
            c if c.is_ascii_alphanumeric() => {
                (address::address(before, rest)?, PlaceableKind::Address)
            }
            _ => return None,
        };
        let text = rest.get(..length)?;
        let key = if kind == PlaceableKind::Placeholder {
            text.split_whitespace().collect()
        } else {
            text.strip_prefix("mailto:").unwrap_or(text).to_owned()
        };
        Some(Found::new(0, length, kind, key))
    }

    /// Reads a tag, a comment or a directive of a template.
    fn tag(&self, rest: &str) -> Option<Found> {
        if let Some(length) = placeholder::directive(rest) {
            let key: String = rest.get(..length)?.split_whitespace().collect();
            return Some(Found::new(0, length, PlaceableKind::Placeholder, key));
        }
        let (length, kind) = tag::tag(rest, &self.closed)?;
        let key = tag_key(rest.get(..length)?);
        Some(Found::new(0, length, kind, key))
    }
}

/// Finds code spans where no parser does: a run of backticks, and the next run of the same length.
pub(super) fn code_spans(text: &str) -> Vec<Found> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = text
        .get(at..)
        .and_then(|rest| rest.find('`'))
        .map(|n| at + n)
    {
        let fence = backticks(text, start);
        let mut search = start + fence;
        let mut end = None;
        while let Some(close) = text
            .get(search..)
            .and_then(|rest| rest.find('`'))
            .map(|n| search + n)
        {
            let length = backticks(text, close);
            search = close + length;
            if length == fence {
                end = Some((close, search));
                break;
            }
        }
        let Some((close, after)) = end else {
            // An unmatched run of this length stays unmatched; a shorter one may still close.
            at = start + fence;
            continue;
        };
        let inner = text.get(start + fence..close).unwrap_or_default();
        if fence == 1 && closes_as_quote(inner) {
            at = start + fence;
            continue;
        }
        found.push(Found::new(start, after, PlaceableKind::Code, inner.trim()));
        at = after;
    }
    found
}

/// Tells whether a backtick was a quote that an apostrophe closes, as in `` `file' and `folder' ``.
fn closes_as_quote(inner: &str) -> bool {
    let after_first = inner.split_once('\'').map(|(_, after)| after);
    let apart = after_first.is_some_and(|after| !after.starts_with(char::is_alphanumeric));
    apart && inner.matches('\'').count() % 2 == 1
}

fn backticks(text: &str, at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    rest.len() - rest.trim_start_matches('`').len()
}

/// Finds `\( … \)` and `\[ … \]`, which to a Markdown parser are escaped brackets.
pub(super) fn escaped_math(text: &str) -> Vec<Found> {
    let mut found = Vec::new();
    let mut at = 0;
    // What does not close behind one place does not close behind a later one.
    let mut unclosed: HashSet<&str> = HashSet::new();
    while let Some(start) = text
        .get(at..)
        .and_then(|rest| rest.find('\\'))
        .map(|n| at + n)
    {
        let rest = text.get(start..).unwrap_or_default();
        let closing = match rest.as_bytes().get(1) {
            Some(b'(') => "\\)",
            Some(b'[') => "\\]",
            _ => "",
        };
        let inner = rest
            .get(2..)
            .filter(|_| !closing.is_empty() && !unclosed.contains(closing));
        let length = inner.and_then(|inner| inner.find(closing));
        if inner.is_some() && length.is_none() {
            unclosed.insert(closing);
        }
        match (inner, length) {
            (Some(inner), Some(length)) if !is_prose(inner.get(..length).unwrap_or_default()) => {
                let end = start + length + 4;
                let key = text.get(start..end).unwrap_or_default();
                found.push(Found::new(start, end, PlaceableKind::Math, key));
                at = end;
            }
            // A backslash before a backslash takes it out of play.
            _ => at = start + if rest.starts_with("\\\\") { 2 } else { 1 },
        }
    }
    found
}

/// Tells whether what stands between math delimiters reads like a sentence with prices or escaped
/// brackets: words, and no sign that only formulas have.
pub(super) fn is_prose(inner: &str) -> bool {
    if inner.contains(['=', '^', '_', '\\', '+', '<', '>', '{', '*']) {
        return false;
    }
    let longest = if inner.starts_with(|c: char| c.is_ascii_digit()) {
        2
    } else {
        4
    };
    inner
        .split(|c: char| !c.is_alphabetic())
        .any(|word| word.chars().count() >= longest)
}

/// Returns the beginning of a text, of `limit` bytes or a little less, so that looking for an end that
/// never comes costs no more.
fn head(text: &str, limit: usize) -> &str {
    if text.len() <= limit {
        return text;
    }
    let fits = |end: usize| text.get(..end);
    (0..=limit).rev().find_map(fits).unwrap_or_default()
}

/// Reads `{#id}`, `{.class}` or `{: … }`.
fn attribute(rest: &str) -> Option<usize> {
    let inner = head(rest, LONGEST).strip_prefix('{')?;
    if !inner.trim_start().starts_with(['#', '.', ':']) {
        return None;
    }
    let end = inner.find(['}', '\n', '{'])?;
    let named = inner.get(..end)?.contains(char::is_alphanumeric);
    (named && inner.get(end..)?.starts_with('}')).then_some(end + 2)
}

/// Reads `&name;`, `&#1;` or `&#x1;`.
fn entity(rest: &str) -> Option<usize> {
    let name = rest.strip_prefix('&')?;
    let end = name.bytes().take(32).position(|b| b == b';')?;
    let name = name.get(..end)?;
    let digits = name.strip_prefix('#').unwrap_or(name);
    let sound = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_alphanumeric());
    sound.then_some(end + 2)
}

pub(crate) use number::{digit, is_group_blank};
