//! JSON and its dialects with comments, single quotes and bare keys: string values, with the path of
//! keys as their note. Owns how JSON is scanned; nothing is ever re-serialised.

mod catalog;

use catalog::Catalog;

use crate::format::keyed::escape::{self, Dialect};
use crate::format::keyed::profile::Profile;
use crate::format::keyed::{Holds, Key, Keys};
use crate::format::{Notation, ReadOptions, Reading};
use crate::segment::Piece;
use crate::shown::{Place, ShownBuilder};
use crate::{SegmentKind, Span};

/// Reads the string values that hold text.
pub(super) fn read(text: &str, options: &ReadOptions<'_>) -> Reading {
    let mut scan = Scan {
        text,
        options,
        keys: Keys::default(),
        at_value: true,
        is_open: true,
        pieces: Vec::new(),
        catalog: Catalog::default(),
        profile: Profile::default(),
    };
    let mut at = 0;
    while let Some(byte) = text.as_bytes().get(at) {
        at = match byte {
            b'"' => scan.take_string(at),
            b'\'' if scan.is_open => scan.take_string(at),
            b'/' => scan.skip_comment(at),
            byte if is_bare(*byte) => scan.take_bare(at),
            _ => scan.take_mark(at, *byte),
        };
    }
    Reading {
        edits: scan.catalog.edits(text, options.target),
        pieces: scan.catalog.finish(scan.pieces, &scan.profile),
        ..Reading::default()
    }
}

/// Writes a target between the quotes of its source.
pub(super) fn write(place: &Place<'_>, target: &str, quote: char) -> String {
    escape::write(place, target, quote, Dialect::Json)
}

struct Scan<'t> {
    text: &'t str,
    options: &'t ReadOptions<'t>,
    keys: Keys<'t>,
    /// Whether a value is at hand, not a key.
    at_value: bool,
    /// Whether a key or value comes next.
    is_open: bool,
    pieces: Vec<Piece>,
    catalog: Catalog,
    profile: Profile,
}

/// Tells whether a byte may stand in a name without quotes, a number or a word.
fn is_bare(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'-' | b'+' | b'.') || byte >= 0x80
}

impl Scan<'_> {
    fn take_mark(&mut self, at: usize, byte: u8) -> usize {
        match byte {
            b'{' => {
                if matches!(self.keys.0.as_slice(), [Key::Index(_)]) {
                    self.catalog.take_key(&self.keys);
                }
                self.keys.0.push(Key::Name("".into()));
                self.at_value = false;
            }
            b'[' => {
                self.keys.0.push(Key::Index(0));
                self.at_value = true;
            }
            b'}' | b']' => {
                self.keys.0.pop();
                self.at_value = true;
            }
            b':' => self.at_value = true,
            b',' => {
                self.keys.next_index();
                self.at_value = !matches!(self.keys.0.last(), Some(Key::Name(_)));
            }
            _ => return at + 1,
        }
        self.is_open = !matches!(byte, b'}' | b']');
        at + 1
    }

    fn skip_comment(&self, at: usize) -> usize {
        let rest = self.text.get(at..).unwrap_or_default();
        let end = if rest.starts_with("//") {
            rest.find(['\n', '\r'])
        } else if rest.starts_with("/*") {
            rest.find("*/").map(|end| end + 2)
        } else {
            Some(1)
        };
        at + end.unwrap_or(rest.len())
    }

    /// Takes a name, a number or a word without quotes, and returns the offset behind it.
    fn take_bare(&mut self, start: usize) -> usize {
        let rest = self.text.as_bytes().get(start..).unwrap_or_default();
        let length = rest.iter().take_while(|byte| is_bare(**byte)).count();
        if !self.at_value {
            self.take_key(Span::new(start, start + length));
        }
        self.is_open = false;
        start + length
    }

    /// Takes the string that opens at an offset, and returns the offset behind it. One that never
    /// closes is left alone.
    fn take_string(&mut self, open: usize) -> usize {
        let bytes = self.text.as_bytes();
        let quote = bytes.get(open).copied().unwrap_or(b'"');
        let mut end = open + 1;
        while let Some(byte) = bytes.get(end).filter(|byte| **byte != quote) {
            end += if *byte == b'\\' { 2 } else { 1 };
        }
        if end >= bytes.len() {
            return bytes.len();
        }
        let inner = Span::new(open + 1, end);
        if self.at_value {
            self.take_value(inner, quote.into());
        } else {
            self.take_key(inner);
        }
        self.is_open = false;
        end + 1
    }

    fn take_key(&mut self, inner: Span) {
        let raw = inner.of(self.text);
        let name = if raw.contains('\\') {
            let mut builder = ShownBuilder::new(self.text, inner.start);
            escape::show(self.text, inner, Dialect::Json, &mut builder);
            let shown = builder.finish();
            shown
                .map(|(_, shown)| shown.text)
                .unwrap_or_default()
                .into()
        } else {
            raw.into()
        };
        self.keys.set_name(name);
        self.catalog.take_key(&self.keys);
        self.profile.take_key(&self.keys);
    }

    fn take_value(&mut self, inner: Span, quote: char) {
        let mut builder = ShownBuilder::new(self.text, inner.start);
        escape::show(self.text, inner, Dialect::Json, &mut builder);
        let Some((span, shown)) = builder.finish() else {
            return;
        };
        self.catalog.take_value(&self.keys, inner, &shown.text);
        let holds = self.keys.hold_text(self.options.rules, &shown.text);
        if holds == Holds::Code {
            return;
        }
        self.profile.take_piece(&self.keys, holds == Holds::Wanted);
        self.catalog.take_piece(&self.keys, holds == Holds::Wanted);
        let mut piece = Piece::coded(span, shown, SegmentKind::Value, Notation::Json(quote));
        piece.hints.note = self.keys.note();
        self.pieces.push(piece);
    }
}

#[cfg(test)]
mod tests;
