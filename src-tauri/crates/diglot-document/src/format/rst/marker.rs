//! What a reStructuredText line begins with: markers of items, fields, options, directives. Knows one
//! line at a time, not how they nest.

use crate::format::rows::width;
use crate::text::is_blank;

/// Names what a line opens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Opener {
    Bullet,
    Enumerator,
    Field,
    Option,
    Doctest,
    LineBlock,
    GridTable,
    SimpleTable,
    Explicit,
    /// An anonymous target, `__ url`.
    Anonymous,
    /// Punctuation alone: an overline or a transition.
    Rule,
}

/// Finds what a line opens, with the length of its marker.
pub(crate) fn opener(line: &str) -> Option<(Opener, usize)> {
    let first = line.chars().next()?;
    let ends = |length: usize| ends_word(line, length).then_some(length);
    let found = match first {
        '.' if ends_word(line, 2) && line.starts_with("..") => Some((Opener::Explicit, 2)),
        '_' if ends_word(line, 2) && line.starts_with("__") => Some((Opener::Anonymous, 2)),
        '>' if line.starts_with(">>>") && ends_word(line, 3) => Some((Opener::Doctest, 3)),
        '|' => ends(1).map(|length| (Opener::LineBlock, length)),
        '+' if is_grid_border(line) => Some((Opener::GridTable, line.len())),
        '=' if is_simple_border(line) => Some((Opener::SimpleTable, line.len())),
        '*' | '+' | '-' | '•' | '‣' | '⁃' => {
            ends(first.len_utf8()).map(|length| (Opener::Bullet, length))
        }
        ':' => field(line).map(|length| (Opener::Field, length)),
        _ => None,
    };
    found
        .or_else(|| enumerator(line).map(|length| (Opener::Enumerator, length)))
        .or_else(|| option_marker(line).map(|length| (Opener::Option, length)))
        .or_else(|| is_rule(line).then_some((Opener::Rule, line.len())))
}

fn ends_word(line: &str, at: usize) -> bool {
    line.get(at..)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with(is_blank))
}

/// Tells whether a line consists of one punctuation character.
pub(super) fn is_rule(line: &str) -> bool {
    let mut characters = line.chars();
    let first = characters.next();
    first.is_some_and(|first| first.is_ascii_punctuation() && characters.all(|c| c == first))
}

/// Tells whether a line makes a title of the line above it.
pub(crate) fn underlines(line: &str, title: &str) -> bool {
    is_rule(line) && (line.len() >= 4 || line.len() >= width(title))
}

/// Tells whether a line is the upper or lower border of a grid table.
pub(super) fn is_grid_border(line: &str) -> bool {
    line.len() > 2
        && line.starts_with("+-")
        && line.ends_with("-+")
        && line.bytes().all(|b| matches!(b, b'-' | b'+'))
}

/// Tells whether a line is the border of a simple table, of two columns or more.
pub(crate) fn is_simple_border(line: &str) -> bool {
    line.contains("= ") && is_border(line)
}

/// Tells whether a line is a further border of a simple table, where spans may leave one column.
pub(super) fn is_border(line: &str) -> bool {
    line.starts_with('=') && line.bytes().all(|b| matches!(b, b'=' | b' '))
}

/// Returns the length of `:name:`, whose second colon ends a word and begins no role.
pub(crate) fn field(line: &str) -> Option<usize> {
    let body = line.strip_prefix(':')?;
    if body.starts_with([':', ' ', '\t']) {
        return None;
    }
    let mut escaped = false;
    for (at, c) in body.char_indices() {
        if c == ':' && !escaped {
            let rest = body.get(at + 1..).unwrap_or_default();
            let before = body.get(..at).unwrap_or_default();
            if (rest.is_empty() || rest.starts_with(is_blank)) && !before.ends_with(is_blank) {
                return Some(at + 2);
            }
            if rest.starts_with('`') {
                return None;
            }
        }
        escaped = c == '\\' && !escaped;
    }
    None
}

/// Returns the length of `1.`, `(a)`, `iv)`, `#.` in front of a blank or the line's end.
fn enumerator(line: &str) -> Option<usize> {
    let open = usize::from(line.starts_with('('));
    let body = line.get(open..)?;
    let end = body.find(|c: char| !(c.is_ascii_alphanumeric() || c == '#'))?;
    let number = body.get(..end)?;
    let closed = match body.get(end..)?.chars().next()? {
        ')' => true,
        '.' => open == 0,
        _ => false,
    };
    let digits =
        !number.is_empty() && number.len() <= 9 && number.bytes().all(|b| b.is_ascii_digit());
    let roman =
        |set: &str| number.len() > 1 && number.len() < 8 && number.chars().all(|c| set.contains(c));
    let letter = number.len() == 1 && number.bytes().all(|b| b.is_ascii_alphabetic());
    let named = digits || letter || number == "#" || roman("ivxlcdm") || roman("IVXLCDM");
    let length = open + end + 1;
    (closed && named && ends_word(line, length)).then_some(length)
}

/// Returns the length of `-a, --all=X` with at least two blanks or the line's end behind it.
fn option_marker(line: &str) -> Option<usize> {
    if !line.starts_with(['-', '/', '+']) {
        return None;
    }
    let length = line.find("  ").unwrap_or(line.len());
    let marker = line.get(..length)?;
    marker.split(", ").all(is_option).then_some(length)
}

fn is_option(text: &str) -> bool {
    let (name, argument) = text.split_once([' ', '=']).unwrap_or((text, "X"));
    let short = |mark: char| {
        name.strip_prefix(mark)
            .is_some_and(|rest| rest.len() == 1 && rest.bytes().all(|b| b.is_ascii_alphanumeric()))
    };
    let long = |mark: &str| {
        let word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        name.strip_prefix(mark).is_some_and(|rest| {
            rest.starts_with(|c: char| c.is_ascii_alphabetic()) && rest.chars().all(word)
        })
    };
    let bracketed = argument.starts_with('<') && argument.ends_with('>');
    let word = argument.starts_with(|c: char| c.is_ascii_alphabetic())
        && argument
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'));
    (short('-') || short('+') || long("--") || long("/")) && (bracketed || word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_are_told_from_text() {
        for (line, expected) in [
            ("- a", Some((Opener::Bullet, 1))),
            ("-a", Some((Opener::Option, 2))),
            ("-a text", Some((Opener::Option, 7))),
            ("-a some text", None),
            ("-f FILE, --file=FILE  text", Some((Opener::Option, 20))),
            ("--all  text", Some((Opener::Option, 5))),
            ("1. a", Some((Opener::Enumerator, 2))),
            ("(iv) a", Some((Opener::Enumerator, 4))),
            ("#. a", Some((Opener::Enumerator, 2))),
            ("1.5 a", None),
            ("etc. a", None),
            (":a b: c", Some((Opener::Field, 5))),
            (":ref:`a` b", None),
            (":: a", None),
            (".. a", Some((Opener::Explicit, 2))),
            ("... a", None),
            ("| a", Some((Opener::LineBlock, 1))),
            ("|a| b", None),
            (">>> a", Some((Opener::Doctest, 3))),
            ("+--+--+", Some((Opener::GridTable, 7))),
            ("==  ==", Some((Opener::SimpleTable, 6))),
            ("====", Some((Opener::Rule, 4))),
            ("__ a", Some((Opener::Anonymous, 2))),
            ("__a", None),
            ("é. a", None),
        ] {
            assert_eq!(opener(line), expected, "{line}");
        }
    }
}
