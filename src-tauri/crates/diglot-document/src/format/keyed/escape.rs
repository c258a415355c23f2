//! Backslash escapes in quoted strings, as JSON, JSON5, YAML and TOML have them. Must not know what
//! the strings mean.

use std::fmt::Write as _;

use crate::Span;
use crate::shown::{Place, ShownBuilder};

/// Stands for a surrogate without its other half, and for a number that is no character.
const NO_CHARACTER: char = '\u{FFFD}';

/// Names whose escapes a string has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::format) enum Dialect {
    Json,
    Yaml,
    Toml,
}

/// Reads the escape or the control character that a text begins with: its length, and what it stands
/// for, which is nothing for a line break behind a backslash.
pub(in crate::format) fn read(rest: &str, dialect: Dialect) -> (usize, Option<char>) {
    let mut characters = rest.chars();
    let first = characters.next().unwrap_or('\\');
    if first != '\\' {
        return (first.len_utf8(), Some(first));
    }
    let Some(next) = characters.next() else {
        return (1, Some('\\'));
    };
    let shown = match (next, dialect) {
        ('\r', _) if rest.starts_with("\\\r\n") => return (3, None),
        ('\n' | '\r' | '\u{2028}' | '\u{2029}', _) => return (1 + next.len_utf8(), None),
        ('n', _) => '\n',
        ('t', _) => '\t',
        ('r', _) => '\r',
        ('b', _) => '\u{8}',
        ('f', _) => '\u{C}',
        ('u', Dialect::Json) => return utf16(rest),
        ('u', _) => return number(rest, 4),
        ('U', Dialect::Yaml | Dialect::Toml) => return number(rest, 8),
        ('x', _) => return number(rest, 2),
        ('v', Dialect::Json | Dialect::Yaml) => '\u{B}',
        ('0', Dialect::Json | Dialect::Yaml) => '\0',
        ('e', Dialect::Yaml | Dialect::Toml) => '\u{1B}',
        ('a', Dialect::Yaml) => '\u{7}',
        ('N', Dialect::Yaml) => '\u{85}',
        ('_', Dialect::Yaml) => '\u{A0}',
        ('L', Dialect::Yaml) => '\u{2028}',
        ('P', Dialect::Yaml) => '\u{2029}',
        (other, _) => other,
    };
    (1 + next.len_utf8(), Some(shown))
}

/// Reads a character's number of so many digits. Without them the backslash stands for itself.
fn number(rest: &str, digits: usize) -> (usize, Option<char>) {
    let Some(code) = code(rest, 2, digits) else {
        return (1, Some('\\'));
    };
    (
        2 + digits,
        Some(char::from_u32(code).unwrap_or(NO_CHARACTER)),
    )
}

/// Reads `\uhhhh`, or the two of a surrogate pair; some write `\U`.
pub(in crate::format) fn utf16(rest: &str) -> (usize, Option<char>) {
    let unit = |at: usize| {
        let escape = rest.get(at..)?;
        let is_escape = escape.starts_with("\\u") || escape.starts_with("\\U");
        let code = is_escape.then(|| code(escape, 2, 4))??;
        u16::try_from(code).ok()
    };
    let Some(first) = unit(0) else {
        return (1, Some('\\'));
    };
    let units = [Some(first), unit(6)];
    match char::decode_utf16(units.into_iter().flatten()).next() {
        Some(Ok(c)) => (6 * c.len_utf16(), Some(c)),
        Some(Err(_)) | None => (6, Some(NO_CHARACTER)),
    }
}

fn code(escape: &str, from: usize, digits: usize) -> Option<u32> {
    let digits = escape.get(from..from + digits)?;
    let hex = digits.bytes().all(|b| b.is_ascii_hexdigit());
    hex.then(|| u32::from_str_radix(digits, 16).ok())?
}

/// Writes a target between quotes, on one line.
pub(in crate::format) fn write(
    place: &Place<'_>,
    target: &str,
    quote: char,
    dialect: Dialect,
) -> String {
    let show = |_: &str, span: Span, builder: &mut ShownBuilder<'_>| {
        builder.unescape(span, |rest| read(rest, dialect));
    };
    place.carry_read_back(target, &show, &|c, out| fresh(c, quote, out))
}

/// Writes one character between quotes.
pub(in crate::format) fn fresh(c: char, quote: char, out: &mut String) {
    match c {
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        '\\' => out.push_str("\\\\"),
        c if c == quote => out.extend(['\\', c]),
        // Line ends for some parsers.
        '\u{2028}' | '\u{2029}' | '\u{FEFF}' => {
            let _ = write!(out, "\\u{:04x}", u32::from(c));
        }
        c if c.is_control() => {
            let _ = write!(out, "\\u{:04x}", u32::from(c));
        }
        c => out.push(c),
    }
}
