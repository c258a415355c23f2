//! Placeholders that begin with a percent sign: printf and its kin, Python, Ruby, Qt, dates.

use super::{LONGEST, head};

/// Letters of a run after a conversion, at most; a longer run is a word such as `%discount`, unless
/// it begins with a capital: `%sFile`.
const UNIT_LETTERS: usize = 3;

/// Directives of a date's format that no format of arguments has.
const DATES: [char; 5] = ['Y', 'y', 'H', 'I', 'M'];

/// How percent signs are meant in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Percent {
    /// As arguments of printf.
    Arguments,
    /// As positions of Qt besides: `%1`. Only where the first one is there, since some languages
    /// write `%5` for 5 %.
    Positions,
    /// As parts of a date or a time: `%Y-%m-%d`.
    Date,
}

impl Percent {
    /// Tells how a text means its percent signs.
    pub(super) fn of(text: &str) -> Self {
        let (mut directives, mut dates, mut first) = (0, 0, false);
        for body in text.split('%').skip(1) {
            let mut chars = body.chars();
            let (letter, next) = (chars.next().unwrap_or(' '), chars.next());
            let apart = next.is_none_or(|c| !c.is_alphanumeric());
            directives += usize::from(letter.is_ascii_alphabetic() && apart);
            dates += usize::from(DATES.contains(&letter) && apart);
            let unlocalised = body.strip_prefix('L').unwrap_or(body);
            let after = unlocalised.strip_prefix('1');
            first |= after.is_some_and(|after| !after.starts_with(|c: char| is_number_part(c)));
        }
        if dates > 0 && directives > 1 {
            Self::Date
        } else if first {
            Self::Positions
        } else {
            Self::Arguments
        }
    }
}

fn is_number_part(c: char) -> bool {
    c.is_ascii_digit() || matches!(c, '$' | '.' | ',' | '%')
}

/// Reads `%Y`, `%-d` or `%%`.
pub(super) fn date(rest: &str) -> Option<usize> {
    let body = rest.strip_prefix('%')?;
    let letter = body.trim_start_matches(['-', '_', '0', '^', '#', 'E', 'O']);
    let is_letter = |c: char| c.is_ascii_alphabetic() || c == '%';
    letter
        .starts_with(is_letter)
        .then_some(rest.len() - letter.len() + 1)
}

/// Reads `%%`, `%s`, `%1$d`, `%(name)s`, `%{name}`, `%<name>d`, `%@`, `%#@name@`, `%1` or `%NAME%`, in
/// bytes. A percent sign after a number is none, unless it is doubled.
pub(super) fn percent(meaning: Percent, before: &str, rest: &str) -> Option<usize> {
    let body = head(rest, LONGEST).strip_prefix('%')?;
    if body.starts_with('%') {
        return Some(2);
    }
    if before.trim_end().ends_with(char::is_numeric) {
        return None;
    }
    if body.starts_with('{') {
        let end = body.find('}')?;
        return Some(end + 2);
    }
    for (open, close) in [('(', ')'), ('<', '>')] {
        if let Some(inner) = body.strip_prefix(open) {
            let end = inner.find(close)? + 2;
            return conversion(body.get(end..)?).map(|length| 1 + end + length);
        }
    }
    let position = position(body);
    let numbered = body.get(position..)?;
    let argument = || {
        let length = named(numbered).or_else(|| conversion(numbered))?;
        Some(position + length)
    };
    let place = || place(body).filter(|_| meaning == Percent::Positions);
    let length = variable(body).or_else(argument).or_else(place)?;
    Some(1 + length)
}

/// Reads `NAME%`.
fn variable(body: &str) -> Option<usize> {
    let end = body.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))?;
    let named = body.starts_with(|c: char| c.is_ascii_alphabetic()) && end >= 2;
    let after = body.get(end..)?.strip_prefix('%')?;
    let ends = !after.starts_with(|c: char| c.is_ascii_alphanumeric());
    (named && ends).then_some(end + 1)
}

/// Reads `#@name@`, which names an entry of a plural dictionary.
fn named(body: &str) -> Option<usize> {
    let name = body.strip_prefix("#@")?;
    let end = name.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))?;
    name.get(end..)?.starts_with('@').then_some(end + 3)
}

/// Reads `1` to `99`, or with the language's digits `L1`.
fn place(body: &str) -> Option<usize> {
    let digits = body.strip_prefix('L').unwrap_or(body);
    let count = digits.bytes().take_while(u8::is_ascii_digit).count();
    (1..=2)
        .contains(&count)
        .then_some(body.len() - digits.len() + count)
}

/// Returns the length of `1$`, or 0.
fn position(body: &str) -> usize {
    let digits = body.len() - body.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let numbered = digits > 0 && body.get(digits..).is_some_and(|rest| rest.starts_with('$'));
    if numbered { digits + 1 } else { 0 }
}

/// Reads flags, width, precision, size and conversion letter.
fn conversion(body: &str) -> Option<usize> {
    let is_flag = |c: char| matches!(c, '-' | '+' | '#' | '0'..='9' | '.' | '*');
    let rest = body.trim_start_matches(is_flag);
    let rest = rest.trim_start_matches(['h', 'l', 'q', 'j', 'z', 't', 'L']);
    let letter = rest.chars().next()?;
    let after = rest.get(letter.len_utf8()..)?;
    let letters = after.chars().take_while(char::is_ascii_alphabetic).count();
    let sound = match letter {
        'd' | 's' | 'u' | 'f' | '@' => {
            letters <= UNIT_LETTERS || after.starts_with(|c: char| c.is_ascii_uppercase())
        }
        'i' | 'x' | 'X' | 'o' | 'c' | 'e' | 'g' | 'E' | 'G' | 'S' | 'p' | 'm' | 'n' => letters == 0,
        _ => false,
    };
    sound.then_some(body.len() - after.len())
}
