//! Encodings: detection, byte-order marks, decoding and the exact way back. Must not know a format
//! or a segment.

mod detect;
mod offsets;

use std::borrow::Cow;
use std::ops::Range;

use encoding_rs::{EncoderResult, Encoding, ISO_2022_JP, UTF_8, UTF_16BE, UTF_16LE};

use crate::{Span, Untranslatable};

/// Says how a file's bytes become text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextEncoding {
    /// WHATWG name, for instance `UTF-8` or `windows-1252`.
    pub name: &'static str,
    /// Whether the file starts with a byte-order mark.
    pub bom: bool,
    /// Whether the encoding was guessed from the content rather than declared or certain.
    pub guessed: bool,
}

impl TextEncoding {
    fn table(&self) -> &'static Encoding {
        Encoding::for_label(self.name.as_bytes()).unwrap_or(UTF_8)
    }

    /// Returns the number of bytes of the byte-order mark.
    fn bom_length(&self) -> usize {
        match (self.bom, self.table() == UTF_8) {
            (false, _) => 0,
            (true, true) => 3,
            (true, false) => 2,
        }
    }

    /// Returns the characters of a text that the encoding cannot hold, each once; `None` when it holds all.
    pub fn missing_characters(&self, text: &str) -> Option<String> {
        self.encode(text).err()
    }

    /// Turns text into bytes of this encoding.
    ///
    /// # Errors
    /// The characters that it cannot hold, each once; nothing is ever replaced.
    pub(crate) fn encode<'a>(&self, text: &'a str) -> Result<Cow<'a, [u8]>, String> {
        let table = self.table();
        if table == UTF_8 {
            Ok(Cow::Borrowed(text.as_bytes()))
        } else if table == UTF_16LE {
            Ok(Cow::Owned(
                text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
            ))
        } else if table == UTF_16BE {
            Ok(Cow::Owned(
                text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
            ))
        } else {
            encode_legacy(table, text).map(Cow::Owned)
        }
    }
}

fn encode_legacy(table: &'static Encoding, text: &str) -> Result<Vec<u8>, String> {
    let mut encoder = table.new_encoder();
    let mut bytes = Vec::with_capacity(text.len() + 16);
    let mut lost = String::new();
    let mut rest = text;
    loop {
        let (result, read) =
            encoder.encode_from_utf8_to_vec_without_replacement(rest, &mut bytes, true);
        rest = rest.get(read..).unwrap_or_default();
        match result {
            EncoderResult::InputEmpty => break,
            EncoderResult::OutputFull => bytes.reserve(rest.len() * 2 + 16),
            EncoderResult::Unmappable(c) if !lost.contains(c) => lost.push(c),
            EncoderResult::Unmappable(_) => {}
        }
    }
    if lost.is_empty() {
        Ok(bytes)
    } else {
        Err(lost)
    }
}

/// Holds a file's text and how it came out of the bytes.
#[derive(Debug)]
pub(crate) struct Decoded {
    /// Without a byte-order mark; U+FFFD stands for bytes that the encoding does not know.
    pub(crate) text: String,
    pub(crate) encoding: TextEncoding,
    /// Offsets in `text` of the U+FFFD that stand for invalid bytes, ascending.
    pub(crate) invalid: Vec<usize>,
    /// Whether a person should look at the choice of the encoding.
    pub(crate) doubtful: bool,
}

impl Decoded {
    /// Decodes a file: by its byte-order mark, else by the label that a person chose, else by what
    /// its bytes look like.
    pub(crate) fn new(bytes: &[u8], label: Option<&str>) -> Result<Self, Untranslatable> {
        let chosen = label.map(|label| Encoding::for_label_no_replacement(label.trim().as_bytes()));
        let (table, bom_length, guessed) = match (Encoding::for_bom(bytes), chosen.flatten()) {
            (Some((table, length)), _) => (table, length, false),
            (None, Some(table)) => (table, 0, false),
            (None, None) => {
                let (table, guessed) = detect::detect(bytes);
                (table, 0, guessed)
            }
        };
        let body = bytes.get(bom_length..).unwrap_or_default();
        let wide = table == UTF_16LE || table == UTF_16BE;
        if !wide && detect::is_binary(bytes) {
            return Err(Untranslatable::Binary);
        }
        let (text, invalid) = offsets::decode(table, body);
        if wide && detect::is_binary(text.as_bytes()) {
            return Err(Untranslatable::Binary);
        }
        let encoding = TextEncoding {
            name: table.name(),
            bom: bom_length > 0,
            guessed,
        };
        let unknown_label = matches!(chosen, Some(None));
        Ok(Self {
            text,
            encoding,
            invalid,
            doubtful: guessed || unknown_label,
        })
    }

    /// Returns the bytes of the file that ascending, disjoint spans of the text stand for.
    pub(crate) fn byte_ranges(&self, bytes: &[u8], spans: &[Span]) -> Vec<Range<usize>> {
        let bom = self.encoding.bom_length();
        let body = bytes.get(bom..).unwrap_or_default();
        let exact = self.encoding.table() == UTF_8 && self.invalid.is_empty();
        if exact {
            return spans
                .iter()
                .map(|span| bom + span.start..bom + span.end)
                .collect();
        }
        let wanted: Vec<usize> = spans
            .iter()
            .flat_map(|span| [span.start, span.end])
            .collect();
        let found = offsets::byte_offsets(self.encoding.table(), body, &wanted);
        let range = |pair: &[usize]| match *pair {
            [start, end] => bom + start..bom + self.past_escape(body, end),
            _ => 0..0,
        };
        found.chunks(2).map(range).collect()
    }

    /// Moves an end behind the escape to ASCII that follows it, since what replaces the span ends
    /// in ASCII by itself and a second escape in a row is an error.
    fn past_escape(&self, body: &[u8], end: usize) -> usize {
        let escape = self.encoding.table() == ISO_2022_JP
            && body
                .get(end..)
                .is_some_and(|rest| rest.starts_with(b"\x1b(B"));
        if escape { end + 3 } else { end }
    }
}

#[cfg(test)]
mod tests;
