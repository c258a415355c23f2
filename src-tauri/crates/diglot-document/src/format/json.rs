//! JSON: string values, with the path of keys as their note. Comments and single quotes, which some
//! dialects allow, are understood. Owns which values hold text; nothing is ever re-serialised.

use crate::format::{Notation, ReadOptions, Reading};
use crate::segment::Piece;
use crate::shown::{Place, ShownBuilder};
use crate::text::has_prose;
use crate::{SegmentKind, Span};

/// Reads the string values that hold text.
pub(super) fn read(text: &str, options: &ReadOptions<'_>) -> Reading {
    let mut scan = Scan {
        text,
        options,
        levels: Vec::new(),
        pieces: Vec::new(),
    };
    let mut at = 0;
    while let Some(byte) = text.as_bytes().get(at) {
        at = match byte {
            b'"' | b'\'' => scan.take_string(at),
            b'/' => scan.skip_comment(at),
            _ => scan.take_mark(at, *byte),
        };
    }
    Reading {
        pieces: scan.pieces,
        ..Reading::default()
    }
}

struct Scan<'t> {
    text: &'t str,
    options: &'t ReadOptions<'t>,
    /// Around the current place, outermost first.
    levels: Vec<Level<'t>>,
    pieces: Vec<Piece>,
}

enum Level<'t> {
    /// The key at hand, and whether its value comes next.
    Object { key: &'t str, at_value: bool },
    /// The index at hand.
    Array(usize),
}

impl Scan<'_> {
    fn take_mark(&mut self, at: usize, byte: u8) -> usize {
        match (byte, self.levels.last_mut()) {
            (b'{', _) => self.levels.push(Level::Object {
                key: "",
                at_value: false,
            }),
            (b'[', _) => self.levels.push(Level::Array(0)),
            (b'}' | b']', _) => {
                self.levels.pop();
            }
            (b':', Some(Level::Object { at_value, .. })) => *at_value = true,
            (b',', Some(Level::Object { at_value, .. })) => *at_value = false,
            (b',', Some(Level::Array(index))) => *index += 1,
            _ => {}
        }
        at + 1
    }

    fn skip_comment(&self, at: usize) -> usize {
        let rest = self.text.get(at..).unwrap_or_default();
        let end = if rest.starts_with("//") {
            rest.find('\n')
        } else if rest.starts_with("/*") {
            rest.find("*/").map(|end| end + 2)
        } else {
            Some(1)
        };
        at + end.unwrap_or(rest.len())
    }

    /// Takes the string that opens at an offset, and returns the offset behind it.
    fn take_string(&mut self, open: usize) -> usize {
        let bytes = self.text.as_bytes();
        let quote = bytes.get(open).copied().unwrap_or(b'"');
        let mut end = open + 1;
        while let Some(byte) = bytes.get(end).filter(|byte| **byte != quote) {
            end += if *byte == b'\\' { 2 } else { 1 };
        }
        let inner = Span::new(open + 1, end.min(bytes.len()));
        match self.levels.last_mut() {
            Some(Level::Object {
                key,
                at_value: false,
            }) => *key = inner.of(self.text),
            Some(_) | None => self.take_value(inner),
        }
        end + 1
    }

    fn take_value(&mut self, inner: Span) {
        let indices: Vec<String> = self.levels.iter().map(Level::name).collect();
        let path: Vec<&str> = indices.iter().map(String::as_str).collect();
        let mut builder = ShownBuilder::new(self.text, inner.start);
        unescape(self.text, inner, &mut builder);
        let Some((span, shown)) = builder.finish() else {
            return;
        };
        let wanted = self.options.rules.key(&path);
        if !wanted.unwrap_or_else(|| has_prose(&shown.text)) {
            return;
        }
        let mut piece = Piece::coded(span, shown, SegmentKind::Value, Notation::Json);
        piece.hints.note = Some(path.join(".")).filter(|path| !path.is_empty());
        self.pieces.push(piece);
    }
}

impl Level<'_> {
    fn name(&self) -> String {
        match self {
            Self::Object { key, .. } => (*key).to_owned(),
            Self::Array(index) => index.to_string(),
        }
    }
}

/// Shows a string's text without its escapes (RFC 8259, section 7).
fn unescape(text: &str, inner: Span, builder: &mut ShownBuilder<'_>) {
    let mut at = inner.start;
    while let Some(found) = Span::new(at, inner.end).of(text).find('\\') {
        builder.copy(at + found);
        let rest = Span::new(at + found, inner.end).of(text);
        let (length, shown) = escape(rest);
        at += found + length;
        match shown {
            Some(c) => builder.write(at, c.encode_utf8(&mut [0; 4])),
            None => builder.copy(at),
        }
    }
    builder.copy(inner.end);
}

/// Reads the escape that a text begins with: its length, and what it stands for where it is one.
fn escape(rest: &str) -> (usize, Option<char>) {
    let shown = match rest.as_bytes().get(1) {
        Some(b'n') => '\n',
        Some(b't') => '\t',
        Some(b'r') => '\r',
        Some(b'b') => '\u{8}',
        Some(b'f') => '\u{C}',
        Some(b'u') => return unicode_escape(rest),
        Some(_) => {
            let next = rest.chars().nth(1);
            return (1 + next.map_or(0, char::len_utf8), next);
        }
        None => return (1, None),
    };
    (2, Some(shown))
}

/// Reads `\uXXXX`, or the two of a surrogate pair; a lone surrogate is shown as it is written.
fn unicode_escape(rest: &str) -> (usize, Option<char>) {
    let unit = |at: usize| {
        let digits = rest.get(at..at + 6)?.strip_prefix("\\u")?;
        u16::from_str_radix(digits, 16).ok()
    };
    let Some(first) = unit(0) else {
        return (2, None);
    };
    let units = [Some(first), unit(6)];
    let pair = units.into_iter().flatten();
    match char::decode_utf16(pair).next() {
        Some(Ok(c)) => (6 * c.len_utf16(), Some(c)),
        Some(Err(_)) | None => (6, None),
    }
}

/// Writes a target between the quotes of its source.
pub(super) fn write(place: &Place<'_>, target: &str) -> String {
    let quote = place
        .text
        .get(..place.span.start)
        .and_then(|head| head.rfind(['"', '\'']).and_then(|at| head.get(at..=at)))
        .unwrap_or("\"");
    place.carry(target, &mut |c, out| match c {
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        '\\' => out.push_str("\\\\"),
        c if quote.starts_with(c) => {
            out.push('\\');
            out.push(c);
        }
        c if c.is_control() => {
            use std::fmt::Write as _;
            let _ = write!(out, "\\u{:04x}", u32::from(c));
        }
        c => out.push(c),
    })
}

#[cfg(test)]
mod tests {
    use crate::{Document, Format, ParseOptions, render_target};

    fn parse(text: &str) -> Document {
        Document::parse(Format::Json, text.as_bytes(), &ParseOptions::default()).unwrap()
    }

    #[test]
    fn values_are_units_with_their_paths() {
        let document = parse(
            "{\n\t\"z\": \"Last \\u00b0\",\n\t// \"no\": \"No\"\n\t\"a\": [\"x\", {\"b\": \"Path \\/ to\"}], \"n\": \"42\" }",
        );
        let found: Vec<_> = document
            .segments
            .iter()
            .map(|segment| {
                (
                    segment.hints.note.as_deref().unwrap(),
                    segment.source.as_str(),
                )
            })
            .collect();
        assert_eq!(
            found,
            [("z", "Last °"), ("a.0", "x"), ("a.1.b", "Path / to")]
        );
    }

    #[test]
    fn targets_keep_the_escapes_of_the_source() {
        let input = r#"{"a": " Two \u00b0 \/ \"x\" \n", "b": "café"}"#;
        let document = parse(input);
        let marked: Vec<String> = document
            .segments
            .iter()
            .map(|segment| format!("⟦{}⟧", segment.source))
            .collect();
        let output = render_target(&document, |n| marked.get(n).map(String::as_str)).unwrap();
        let output = String::from_utf8(output).unwrap();
        assert_eq!(output.replace(['⟦', '⟧'], ""), input);
        let output = render_target(&document, |_| Some("\"1\"\n° ° \\")).unwrap();
        assert_eq!(
            String::from_utf8(output).unwrap(),
            r#"{"a": " \"1\"\n\u00b0 \u00b0 \\ \n", "b": "\"1\"\n° ° \\"}"#
        );
    }
}
