//! TOML: the string values of tables and arrays, in the four kinds of strings. Owns how TOML is
//! scanned; nothing is ever re-serialised.

mod string;

use std::collections::HashMap;

pub(crate) use string::Style;
pub(super) use string::write;

use string::{close, show};

use crate::format::keyed::profile::Profile;
use crate::format::keyed::{Choose, Holds, Key, Keys};
use crate::format::{Notation, ReadOptions, Reading};
use crate::segment::Piece;
use crate::shown::ShownBuilder;
use crate::text::first_line_end;
use crate::{SegmentKind, Span};

/// Reads the string values that hold text.
pub(super) fn read(text: &str, options: &ReadOptions<'_>) -> Reading {
    let choose: &Choose<'_> = &|keys, value| match keys.hold_text(options.rules, value) {
        Holds::Text if is_name(keys, value) => Holds::Code,
        holds @ (Holds::Text | Holds::Code | Holds::Wanted) => holds,
    };
    let scan = scan(text, Span::new(0, text.len()), choose);
    let profile = scan.profile;
    let pieces = scan.pieces.into_iter().enumerate();
    Reading {
        pieces: pieces
            .filter(|(index, _)| profile.keeps(*index))
            .map(|(_, piece)| piece)
            .collect(),
        unclosed: scan.unclosed.into_iter().collect(),
        ..Reading::default()
    }
}

/// Tells a single word in small letters or capitals: TOML is for settings, where it names something,
/// unless it is a form of a message of Hugo's.
fn is_name(keys: &Keys<'_>, value: &str) -> bool {
    const FORMS: [&str; 6] = ["zero", "one", "two", "few", "many", "other"];
    let is_form = keys.last_name().is_some_and(|key| FORMS.contains(&key));
    let is_written = value.starts_with(char::is_uppercase) && value.chars().any(char::is_lowercase);
    let is_word = value.is_ascii() && !value.contains(char::is_whitespace);
    is_word && !is_written && !is_form
}

fn scan<'t, 'w>(text: &'t str, part: Span, choose: &'w Choose<'w>) -> Scan<'t, 'w> {
    let mut scan = Scan {
        text,
        end: part.end,
        line_end: first_line_end(text),
        choose,
        keys: Keys::default(),
        n_table_keys: 0,
        tables: HashMap::new(),
        open: Vec::new(),
        at_key: true,
        pieces: Vec::new(),
        profile: Profile::default(),
        unclosed: None,
    };
    let mut at = part.start;
    while at < part.end {
        at = scan.step(at);
    }
    scan
}

struct Scan<'t, 'w> {
    text: &'t str,
    end: usize,
    line_end: &'static str,
    choose: &'w Choose<'w>,
    keys: Keys<'t>,
    /// So many of the keys are the table's.
    n_table_keys: usize,
    /// How often each array of tables was named.
    tables: HashMap<&'t str, usize>,
    /// Inline tables and arrays around the current place, outermost first.
    open: Vec<Open>,
    /// Whether a key comes next.
    at_key: bool,
    pieces: Vec<Piece>,
    profile: Profile,
    /// Where a string opens that never closes.
    unclosed: Option<usize>,
}

/// An inline table or an array.
struct Open {
    is_table: bool,
    /// So many keys are outside of it.
    n_keys: usize,
}

impl<'t> Scan<'t, '_> {
    fn rest(&self, at: usize) -> &'t str {
        self.text.get(at..self.end).unwrap_or_default()
    }

    /// Takes what stands at an offset, and returns the offset behind it.
    fn step(&mut self, at: usize) -> usize {
        let rest = self.rest(at);
        let Some(c) = rest.chars().next() else {
            return self.end;
        };
        match c {
            '#' => return at + rest.find('\n').unwrap_or(rest.len()),
            '[' if self.at_key && self.open.is_empty() => return self.take_header(at),
            '"' | '\'' if !self.at_key => return self.take_string(at),
            '\n' if self.open.is_empty() => self.leave_entry(),
            '{' | '[' => self.enter(c == '{'),
            '}' | ']' => {
                if let Some(open) = self.open.pop() {
                    self.keys.0.truncate(open.n_keys);
                }
                self.at_key = false;
            }
            ',' => match self.open.last() {
                Some(open) if open.is_table => {
                    self.keys.0.truncate(open.n_keys);
                    self.at_key = true;
                }
                Some(_) => self.keys.next_index(),
                None => {}
            },
            c if self.at_key && !c.is_whitespace() => return self.take_key(at),
            _ => {}
        }
        at + c.len_utf8()
    }

    fn leave_entry(&mut self) {
        self.keys.0.truncate(self.n_table_keys);
        self.at_key = true;
    }

    fn enter(&mut self, is_table: bool) {
        let n_keys = self.keys.0.len();
        self.open.push(Open { is_table, n_keys });
        self.at_key = is_table;
        if !is_table {
            self.keys.0.push(Key::Index(0));
        }
    }

    /// Takes `[table]` or `[[array.of.tables]]`.
    fn take_header(&mut self, at: usize) -> usize {
        let line = self.rest(at).lines().next().unwrap_or_default();
        let is_array = line.starts_with("[[");
        self.keys.0.clear();
        let mut here = at + 1 + usize::from(is_array);
        let start = here;
        while let Some((name, next)) = key_part(self.text, here, at + line.len()) {
            self.push_key(name);
            here = next;
            if !self.rest(here).starts_with('.') {
                break;
            }
            here += 1;
        }
        if is_array {
            let name = self.text.get(start..here).unwrap_or_default();
            let count = self.tables.entry(name).or_default();
            self.keys.0.push(Key::Index(*count));
            *count += 1;
        }
        self.n_table_keys = self.keys.0.len();
        self.at_key = false;
        at + line
            .find(']')
            .filter(|end| at + end >= here)
            .map_or(line.len(), |end| end + 1)
    }

    /// Takes a key with its dots, up to the sign behind it.
    fn take_key(&mut self, at: usize) -> usize {
        let mut here = at;
        while let Some((name, next)) = key_part(self.text, here, self.end) {
            self.push_key(name);
            here = next;
            let Some(rest) = self.rest(here).strip_prefix('.') else {
                break;
            };
            here = self.end - rest.len();
        }
        self.at_key = false;
        let sign = self.rest(here).chars().next().filter(|c| *c != '\n');
        here + sign.map_or(0, char::len_utf8)
    }

    fn push_key(&mut self, name: &'t str) {
        self.keys.0.push(Key::Name(name.into()));
        self.profile.take_key(&self.keys);
    }

    /// Takes the string that opens at an offset, and returns the offset behind it.
    fn take_string(&mut self, at: usize) -> usize {
        let (style, fence) = Style::at(self.rest(at));
        let start = at + fence;
        let Some(length) = close(self.rest(start), style) else {
            self.unclosed.get_or_insert(at);
            let rest = self.rest(at);
            let line = rest.find('\n').filter(|_| fence == 1);
            return at + line.unwrap_or(rest.len());
        };
        let inner = Span::new(start, start + length);
        let mut builder = ShownBuilder::new(self.text, inner.start);
        show(self.text, inner, style, &mut builder);
        if let Some((span, shown)) = builder.finish() {
            let holds = (self.choose)(&self.keys, &shown.text);
            if holds != Holds::Code {
                self.profile.take_piece(&self.keys, holds == Holds::Wanted);
                let notation = Notation::Toml(style);
                let mut piece = Piece::coded(span, shown, SegmentKind::Value, notation);
                piece.hints.note = self.keys.note();
                self.line_end.clone_into(&mut piece.fresh);
                self.pieces.push(piece);
            }
        }
        inner.end + fence
    }
}

/// Reads one part of a dotted key, with the blanks around it: its name, and the offset behind it.
fn key_part(text: &str, at: usize, end: usize) -> Option<(&str, usize)> {
    let blank = [' ', '\t'];
    let rest = text.get(at..end)?;
    let body = rest.trim_start_matches(blank);
    let (name, behind) = if let Some(inner) = body.strip_prefix(['"', '\'']) {
        let (style, _) = Style::at(body.get(..1)?);
        let (name, behind) = inner.split_at_checked(close(inner, style)?)?;
        (name, behind.get(1..)?)
    } else {
        let is_bare = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
        let length = body.find(|c| !is_bare(c)).unwrap_or(body.len());
        let parts = body.split_at_checked(length);
        parts.filter(|(name, _)| !name.is_empty())?
    };
    Some((name, end - behind.trim_start_matches(blank).len()))
}

#[cfg(test)]
mod tests;
