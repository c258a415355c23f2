//! Apple `.strings`: values with their keys and comments. Owns the syntax of old-style property lists
//! as far as these files have it.

use std::borrow::Cow;

use super::keyed::{Holds, Key, Keys, comment_note};
use super::{Notation, ReadOptions, Reading};
use crate::segment::Piece;
use crate::shown::{Place, ShownBuilder, shown_text};
use crate::splice::utf16_escapes;
use crate::{SegmentKind, Span};

/// Reads the values that hold text.
pub(super) fn read(text: &str, options: &ReadOptions<'_>) -> Reading {
    let mut pieces = Vec::new();
    let mut comments = Vec::new();
    let mut key: Option<Span> = None;
    let mut at_value = false;
    let mut at = 0;
    while let Some(token) = Token::read(text, at) {
        at = token.span.end;
        match token.kind {
            Kind::Comment(inner) => comments.push(inner.of(text).trim()),
            Kind::Mark('=') => at_value = key.is_some(),
            Kind::Mark(';' | '{' | '}') => {
                key = None;
                at_value = false;
                comments.clear();
            }
            Kind::Quoted(inner) | Kind::Bare(inner) if !at_value => key = Some(inner),
            Kind::Bare(_) | Kind::Mark(_) => {}
            Kind::Quoted(inner) => {
                let key = key.map_or_else(String::new, |key| shown_text(key.of(text), &show));
                pieces.extend(value(text, inner, &key, &comments, options));
            }
        }
    }
    Reading {
        pieces,
        ..Reading::default()
    }
}

/// Holds one token, without the blanks before it.
struct Token {
    kind: Kind,
    span: Span,
}

enum Kind {
    /// What stands between its marks.
    Comment(Span),
    /// What stands between its quotes.
    Quoted(Span),
    Bare(Span),
    Mark(char),
}

impl Token {
    fn read(text: &str, at: usize) -> Option<Self> {
        let rest = text.get(at..)?;
        let start = at + rest.find(|c: char| !c.is_whitespace())?;
        let rest = text.get(start..)?;
        let first = rest.chars().next()?;
        let comment = |open: &str, close: &str| {
            let inner = rest.strip_prefix(open)?;
            let length = inner.find(close);
            let end = start + open.len() + length.unwrap_or(inner.len());
            let span = Span::new(start, end + length.map_or(0, |_| close.len()));
            let kind = Kind::Comment(Span::new(start + open.len(), end));
            Some(Self { kind, span })
        };
        if let Some(comment) = comment("/*", "*/").or_else(|| comment("//", "\n")) {
            return Some(comment);
        }
        if matches!(first, '"' | '\'') {
            let end = closing(text, start + 1, first);
            let inner = Span::new(start + 1, end.unwrap_or(text.len()));
            return Some(Self {
                kind: end.map_or(Kind::Bare(inner), |_| Kind::Quoted(inner)),
                span: Span::new(start, end.map_or(text.len(), |end| end + 1)),
            });
        }
        let is_bare =
            |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '-' | '$' | ':' | '/');
        let length = rest.find(|c| !is_bare(c)).unwrap_or(rest.len());
        let (kind, end) = if length == 0 {
            (Kind::Mark(first), start + first.len_utf8())
        } else {
            (Kind::Bare(Span::new(start, start + length)), start + length)
        };
        Some(Self {
            kind,
            span: Span::new(start, end),
        })
    }
}

/// Returns where the quote closes.
fn closing(text: &str, from: usize, quote: char) -> Option<usize> {
    let mut escaped = false;
    let closes = |c: char| {
        let closes = !escaped && c == quote;
        escaped = c == '\\' && !escaped;
        closes
    };
    text.get(from..)?.find(closes).map(|at| from + at)
}

fn value(
    text: &str,
    inner: Span,
    key: &str,
    comments: &[&str],
    options: &ReadOptions<'_>,
) -> Option<Piece> {
    let mut builder = ShownBuilder::new(text, inner.start);
    show(text, inner, &mut builder);
    let (span, shown) = builder.finish()?;
    let keys = Keys(vec![Key::Name(Cow::Borrowed(key))]);
    if keys.hold_text(options.rules, &shown.text) == Holds::Code {
        return None;
    }
    let quote = text.get(..inner.start)?.chars().next_back()?;
    let mut piece = Piece::coded(span, shown, SegmentKind::Value, Notation::Strings(quote));
    piece.hints.note = comment_note(key, comments);
    Some(piece)
}

/// Shows a stretch without its escapes.
fn show(_: &str, span: Span, builder: &mut ShownBuilder<'_>) {
    builder.unescape(span, escape);
}

/// Reads the escape, the line end or the control character that a text begins with: its length, and
/// what it stands for.
fn escape(rest: &str) -> (usize, Option<char>) {
    let mut characters = rest.chars();
    match characters.next() {
        Some('\r') => return (if rest.starts_with("\r\n") { 2 } else { 1 }, Some('\n')),
        Some(raw) if raw != '\\' => return (raw.len_utf8(), Some(raw)),
        Some(_) | None => {}
    }
    let Some(next) = characters.next() else {
        return (1, None);
    };
    let shown = match next {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        'a' => '\u{7}',
        'b' => '\u{8}',
        'f' => '\u{C}',
        'v' => '\u{B}',
        'U' | 'u' => return super::keyed::escape::utf16(rest),
        other => other,
    };
    (1 + next.len_utf8(), Some(shown))
}

/// Writes a target between the quotes of its source.
pub(super) fn write(place: &Place<'_>, target: &str, quote: char) -> String {
    let fresh = |c: char, out: &mut String| match c {
        '\\' => out.push_str("\\\\"),
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        c if c == quote => out.extend(['\\', c]),
        c if c.is_control() => out.push_str(&utf16_escapes(c).replace("\\u", "\\U")),
        c => out.push(c),
    };
    place.carry_read_back(target, &show, &fresh)
}

#[cfg(test)]
mod tests;
