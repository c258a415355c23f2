//! The strings of a PO file: shown without quotes, seams and escapes, and written with them, folded
//! as `msgcat` folds. Must not know which string belongs to what.

use super::entry::string_end;
use crate::Span;
use crate::shown::{Place, ShownBuilder};

/// Longest line in columns, with the keyword and the quotes (`msgcat --width` is 79 by default).
const WIDTH: usize = 79;

/// Says how the strings of an entry go over several lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Habit {
    /// At 79 columns, and behind every line break of the text.
    Fold,
    /// Behind every line break of the text only.
    Break,
    /// Never.
    OneLine,
}

/// Shows what the strings of a literal hold.
pub(super) fn show(text: &str, literal: Span, builder: &mut ShownBuilder<'_>) {
    let bytes = text.as_bytes();
    let mut at = literal.start;
    while at < literal.end {
        match bytes.get(at) {
            Some(b'"') => at = show_string(text, at + 1, literal.end, builder),
            Some(b'#') => {
                let rest = Span::new(at, literal.end).of(text);
                at += rest.find(['\n', '\r']).unwrap_or(rest.len());
            }
            _ => at += 1,
        }
    }
}

/// Tells whether a literal holds blanks alone.
pub(super) fn is_blank(text: &str, literal: Span) -> bool {
    let mut characters = literal.of(text).chars();
    while let Some(c) = characters.next() {
        let is_blank = match c {
            '\\' => matches!(characters.next(), Some('n' | 't' | 'r' | 'v' | 'f')),
            c => c == '"' || c.is_whitespace(),
        };
        if !is_blank {
            return false;
        }
    }
    true
}

/// Shows one string whose content begins at an offset, and returns the offset behind it.
fn show_string(text: &str, content: usize, limit: usize, builder: &mut ShownBuilder<'_>) -> usize {
    let end = string_end(text.as_bytes(), content).min(limit);
    builder.write(content, "");
    let mut at = content;
    while let Some(found) = Span::new(at, end).of(text).find('\\') {
        builder.copy(at + found);
        let rest = Span::new(at + found, end).of(text);
        let (length, shown) = escape(rest);
        at += found + length;
        match shown {
            Some(c) => builder.write(at, c.encode_utf8(&mut [0; 4])),
            // A byte of an unknown character set is shown as it is written, in one piece.
            None => builder.write(at, rest.get(..length).unwrap_or_default()),
        }
    }
    builder.copy(end);
    end + 1
}

/// Reads the escape that a text begins with: its length, and the character that it stands for, if
/// it is an ASCII one.
fn escape(rest: &str) -> (usize, Option<char>) {
    let Some(first) = rest.chars().nth(1) else {
        return (rest.len(), Some('\\'));
    };
    let shown = match first {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        'a' => '\u{7}',
        'b' => '\u{8}',
        'v' => '\u{B}',
        'f' => '\u{C}',
        '0'..='7' => return numbered(rest, 1, 3, 8),
        'x' => return numbered(rest, 2, usize::MAX, 16),
        c => c,
    };
    (1 + first.len_utf8(), Some(shown))
}

/// Reads the digits of a numbered escape.
fn numbered(rest: &str, lead: usize, most: usize, radix: u32) -> (usize, Option<char>) {
    let digits = rest.chars().skip(lead).take(most);
    let n_digits = digits.take_while(|c| c.is_digit(radix)).count();
    let length = lead + n_digits;
    let code = rest.get(lead..length).unwrap_or_default();
    let code = u8::from_str_radix(code, radix).ok();
    let ascii = code.filter(|code| code.is_ascii() && *code != 0);
    (length, ascii.map(char::from))
}

/// Writes a target with its quotes in the place of a literal. What the place has beside it is told
/// by its `fresh`: what goes before the first quote, and the blanks at both edges of the source.
pub(in crate::format) fn write(place: &Place<'_>, target: &str, habit: Habit) -> String {
    let mut parts = place.fresh.split('\0');
    let mut part = || parts.next().unwrap_or_default();
    let (before, lead, trail) = (part(), part(), part());
    let mut body = escaped(lead);
    if place.shown.forms.is_empty() {
        body.push_str(&escaped(target));
    } else {
        body.push_str(&place.carry(target, &mut push_escaped));
    }
    body.push_str(&escaped(trail));
    let line = |text: &str| text.rfind(['\n', '\r']).map_or(0, |at| at + 1);
    let head = place.text.get(..place.span.start).unwrap_or_default();
    let own = if before.is_empty() { head } else { before };
    let column = own.get(line(own)..).unwrap_or_default().chars().count();
    before.to_owned()
        + &folded(
            &body,
            column,
            habit,
            super::line_end(place.text, place.span),
        )
}

/// Escapes a text as a PO string needs it.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    text.chars().for_each(|c| push_escaped(c, &mut out));
    out
}

fn push_escaped(c: char, out: &mut String) {
    match c {
        '\n' => out.push_str("\\n"),
        '\t' => out.push_str("\\t"),
        '\r' => out.push_str("\\r"),
        '\u{7}' => out.push_str("\\a"),
        '\u{8}' => out.push_str("\\b"),
        '\u{B}' => out.push_str("\\v"),
        '\u{C}' => out.push_str("\\f"),
        '"' | '\\' => {
            out.push('\\');
            out.push(c);
        }
        c if c.is_ascii_control() => {
            use std::fmt::Write as _;
            let _ = write!(out, "\\{:03o}", u32::from(c));
        }
        c => out.push(c),
    }
}

/// Puts an escaped text into quotes, over several lines where the habit and its length ask for it.
fn folded(body: &str, column: usize, habit: Habit, line_end: &str) -> String {
    let atoms: Vec<&str> = Atoms(body).collect();
    let mut lines = vec![String::new()];
    let mut width = 0;
    let mut words = Vec::new();
    for (index, atom) in atoms.iter().enumerate() {
        words.push(*atom);
        let next = atoms.get(index + 1);
        if next.is_some_and(|next| !may_break(atom, next)) {
            continue;
        }
        let word: String = words.drain(..).collect();
        let columns = columns(&word);
        if habit == Habit::Fold && width > 0 && width + columns > WIDTH - 2 {
            lines.push(String::new());
            width = 0;
        }
        if let Some(last) = lines.last_mut() {
            last.push_str(&word);
        }
        width += columns;
        if *atom == "\\n" && habit != Habit::OneLine && next.is_some() {
            lines.push(String::new());
            width = 0;
        }
    }
    let fits = column + width + 2 <= WIDTH || habit != Habit::Fold;
    if let ([line], true) = (lines.as_slice(), fits) {
        return format!("\"{line}\"");
    }
    let mut out = "\"\"".to_owned();
    for line in lines {
        out.push_str(line_end);
        out.push('"');
        out.push_str(&line);
        out.push('"');
    }
    out
}

/// Walks the characters and escapes of an escaped text.
struct Atoms<'t>(&'t str);

impl<'t> Iterator for Atoms<'t> {
    type Item = &'t str;

    fn next(&mut self) -> Option<Self::Item> {
        let first = self.0.chars().next()?;
        let length = if first == '\\' {
            escape(self.0).0
        } else {
            first.len_utf8()
        };
        let (atom, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(atom)
    }
}

/// Tells whether a line may end between two atoms: behind blanks and line breaks, and beside the
/// characters of languages that set no blanks.
fn may_break(before: &str, after: &str) -> bool {
    const OPENING: &str = "（「『【《〈［｛〔“‘";
    const CLOSING: &str =
        "）」』】》〉］｝〕”’、。，．！？：；・ー…々ぁぃぅぇぉっゃゅょァィゥェォッャュョ";
    if before == "\\n" {
        return true;
    }
    if before == " " || after == " " {
        return before == " " && after != " ";
    }
    let wide = columns(before) > 1 || columns(after) > 1;
    let is_mark = |atom: &str| atom.chars().all(|c| c.is_ascii_punctuation());
    wide && !OPENING.contains(before) && !CLOSING.contains(after) && !is_mark(after)
}

/// Returns the columns that an escaped text takes in a terminal.
fn columns(text: &str) -> usize {
    let wide = |c: char| {
        matches!(c, '\u{1100}'..='\u{115F}' | '\u{2E80}'..='\u{A4CF}' | '\u{AC00}'..='\u{D7A3}'
            | '\u{F900}'..='\u{FAFF}' | '\u{FE30}'..='\u{FE6F}' | '\u{FF00}'..='\u{FF60}'
            | '\u{FFE0}'..='\u{FFE6}' | '\u{1F300}'..='\u{1FAFF}' | '\u{20000}'..='\u{3FFFD}')
    };
    text.chars().map(|c| 1 + usize::from(wide(c))).sum()
}
