//! How JSON is scanned, with what its dialects allow: comments, single quotes, bare keys, commas at the
//! end. Must not know what values mean.

use crate::Span;
use crate::format::keyed::escape::{self, Dialect};
use crate::format::keyed::{Key, Keys};
use crate::shown::ShownBuilder;

/// Is told of what stands in a text, in order.
pub(in crate::format) trait Visit {
    /// An object opens below the keys.
    fn open(&mut self, keys: &Keys<'_>);
    /// The last of the keys was read, inside its quotes if it has some.
    fn key(&mut self, keys: &Keys<'_>, inner: Span);
    /// A string stands below the keys, inside the given quotes.
    fn string(&mut self, keys: &Keys<'_>, inner: Span, quote: char);
}

/// Walks a text from its start to its end.
pub(in crate::format) fn scan(text: &str, visit: &mut dyn Visit) {
    let mut scan = Scan {
        text,
        visit,
        keys: Keys::default(),
        at_value: true,
        is_open: true,
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
}

struct Scan<'t, 'v> {
    text: &'t str,
    visit: &'v mut dyn Visit,
    keys: Keys<'t>,
    /// Whether a value is at hand, not a key.
    at_value: bool,
    /// Whether a key or value comes next.
    is_open: bool,
}

/// Tells whether a byte may stand in a name without quotes, a number or a word.
fn is_bare(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'-' | b'+' | b'.') || byte >= 0x80
}

impl Scan<'_, '_> {
    fn take_mark(&mut self, at: usize, byte: u8) -> usize {
        match byte {
            b'{' => {
                self.visit.open(&self.keys);
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
            self.visit.string(&self.keys, inner, quote.into());
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
            builder.unescape(inner, |rest| escape::read(rest, Dialect::Json));
            let shown = builder.finish();
            shown
                .map(|(_, shown)| shown.text)
                .unwrap_or_default()
                .into()
        } else {
            raw.into()
        };
        self.keys.set_name(name);
        self.visit.key(&self.keys, inner);
    }
}
