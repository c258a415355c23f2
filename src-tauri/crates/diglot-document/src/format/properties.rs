//! Java properties: values with their keys and comments. Owns the escapes and the continued lines
//! (`java.util.Properties.load`); must not know the encoding, which is Latin-1 or UTF-8.

use std::borrow::Cow;

use super::keyed::{Holds, Key, Keys, comment_note};
use super::{Notation, ReadOptions, Reading};
use crate::segment::Piece;
use crate::shown::{Place, ShownBuilder, shown_text};
use crate::splice::utf16_escapes;
use crate::text::{Line, lines};
use crate::{SegmentKind, Span};

/// Reads the values that hold text.
pub(super) fn read(text: &str, options: &ReadOptions<'_>) -> Reading {
    let mut pieces = Vec::new();
    let mut comments = Vec::new();
    let mut rows = lines(text);
    while let Some(row) = rows.next() {
        let content = row.content(text).trim_start_matches(is_blank);
        if let Some(comment) = content.strip_prefix(['#', '!']) {
            comments.push(comment.trim());
            continue;
        }
        let start = row.end - content.len();
        let mut end = row;
        while is_continued(end.content(text))
            && let Some(next) = rows.next()
        {
            end = next;
        }
        pieces.extend(entry(text, start, end, &comments, options));
        comments.clear();
    }
    Reading {
        pieces,
        ..Reading::default()
    }
}

fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\u{C}')
}

/// Tells whether a line ends in an odd number of backslashes.
fn is_continued(line: &str) -> bool {
    let bare = line.trim_end_matches('\\');
    (line.len() - bare.len()) % 2 == 1
}

fn entry(
    text: &str,
    start: usize,
    last: Line,
    comments: &[&str],
    options: &ReadOptions<'_>,
) -> Option<Piece> {
    let raw = text.get(start..last.end)?;
    let key_length = key_length(raw);
    let after = raw.get(key_length..)?;
    let value = skip_blanks(after);
    let value = value.strip_prefix(['=', ':']).map_or(value, skip_blanks);
    let from = last.end - value.len();
    let mut builder = ShownBuilder::new(text, from);
    show(text, Span::new(from, last.end), &mut builder);
    let (span, shown) = builder.finish()?;
    let key = shown_text(raw.get(..key_length)?, &show);
    let parts = key.split('.').map(|part| Key::Name(Cow::Borrowed(part)));
    let keys = Keys(parts.collect());
    if keys.hold_text(options.rules, &shown.text) == Holds::Code {
        return None;
    }
    let mut piece = Piece::coded(span, shown, SegmentKind::Value, Notation::Properties);
    piece.hints.note = comment_note(&key, comments);
    Some(piece)
}

/// Returns the length of the key: up to the first separator that is not escaped.
fn key_length(raw: &str) -> usize {
    let mut escaped = false;
    let ends = |c: char| {
        let end = !escaped && (is_blank(c) || matches!(c, '=' | ':' | '\n' | '\r'));
        escaped = c == '\\' && !escaped;
        end
    };
    raw.find(ends).unwrap_or(raw.len())
}

/// Skips blanks, and what continues a line with nothing on it.
fn skip_blanks(text: &str) -> &str {
    let mut rest = text.trim_start_matches(is_blank);
    while let Some(next) = rest.strip_prefix('\\').and_then(line_break) {
        rest = next.trim_start_matches(is_blank);
    }
    rest
}

fn line_break(text: &str) -> Option<&str> {
    text.strip_prefix("\r\n")
        .or_else(|| text.strip_prefix(['\n', '\r']))
}

/// Shows a stretch without its escapes.
fn show(_: &str, span: Span, builder: &mut ShownBuilder<'_>) {
    builder.unescape(span, escape);
}

/// Reads the escape or the control character that a text begins with: its length, and what it stands
/// for, if anything.
fn escape(rest: &str) -> (usize, Option<char>) {
    if let Some(raw) = rest.chars().next().filter(|c| *c != '\\') {
        return (raw.len_utf8(), Some(raw));
    }
    let Some(next) = rest.chars().nth(1) else {
        return (1, None);
    };
    if let Some(beyond) = rest.get(1..).and_then(line_break) {
        return (rest.len() - beyond.trim_start_matches(is_blank).len(), None);
    }
    let shown = match next {
        't' => '\t',
        'n' => '\n',
        'r' => '\r',
        'f' => '\u{C}',
        'u' => return super::keyed::escape::utf16(rest),
        other => other,
    };
    (1 + next.len_utf8(), Some(shown))
}

/// Writes a target as a value.
pub(super) fn write(place: &Place<'_>, target: &str) -> String {
    place.carry_read_back(target, &show, &fresh)
}

fn fresh(c: char, out: &mut String) {
    match c {
        '\\' => out.push_str("\\\\"),
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        '\u{C}' => out.push_str("\\f"),
        // The first one would be read as the separator of a key and a blank.
        '=' | ':' if out.is_empty() => out.extend(['\\', c]),
        c if c.is_control() => out.push_str(&utf16_escapes(c)),
        c => out.push(c),
    }
}

#[cfg(test)]
mod tests;
