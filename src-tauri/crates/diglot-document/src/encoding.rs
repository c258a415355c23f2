//! Encodings: detection, byte-order marks, decoding and the exact way back. Must not know a format
//! or a segment.

mod choose;
mod declared;
mod detect;
mod join;
mod label;
mod offsets;

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

use crate::{LanguageTag, Span, Untranslatable};

use choose::Choice;
pub use label::encodings;

/// Says how a file's bytes become text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextEncoding {
    /// WHATWG name, for instance `UTF-8` or `windows-1252`, or that of a narrower one, `ISO-8859-1`.
    pub name: &'static str,
    /// Whether the file starts with a byte-order mark.
    pub bom: bool,
    /// Whether the encoding was guessed from the content rather than declared or certain.
    pub guessed: bool,
    /// The encoding that the text itself names, which need not be the one that it is in.
    pub declared: Option<&'static str>,
}

/// Holds what is known of a file besides its bytes.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct EncodingHints<'a> {
    /// The label that a person chose.
    pub(crate) chosen: Option<&'a str>,
    /// The language of the text, which decides where several encodings fit.
    pub(crate) language: Option<&'a LanguageTag>,
    /// The encoding that the format has where a text names none.
    pub(crate) default: Option<&'static str>,
}

impl TextEncoding {
    fn table(&self) -> &'static Encoding {
        label::table(self.name)
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
            self.encode_legacy(table, text).map(Cow::Owned)
        }
    }

    /// Replaces ranges of bytes, which ascend, in a file of this encoding.
    pub(crate) fn join(&self, bytes: &[u8], changes: &[(Range<usize>, Vec<u8>)]) -> Vec<u8> {
        join::join(self.table(), bytes, changes)
    }

    /// Returns the text of a file of this encoding, without its mark and with ranges replaced;
    /// `None` when some of its bytes are no text.
    pub(crate) fn join_text<'c>(
        &self,
        bytes: &[u8],
        changes: impl Iterator<Item = (&'c Range<usize>, &'c str)>,
    ) -> Option<String> {
        let text = join::join_text(self.table(), bytes, changes)?;
        Some(
            text.strip_prefix('\u{FEFF}')
                .map(str::to_owned)
                .unwrap_or(text),
        )
    }

    fn encode_legacy(&self, table: &'static Encoding, text: &str) -> Result<Vec<u8>, String> {
        if let Some(bytes) = self.encode_exactly(table, text) {
            return Ok(bytes);
        }
        let mut seen = HashSet::new();
        let mut buffer = [0; 4];
        let lost = text.chars().filter(|&c| {
            seen.insert(c)
                && self
                    .encode_exactly(table, c.encode_utf8(&mut buffer))
                    .is_none()
        });
        Err(lost.collect())
    }

    /// Returns the bytes of a text if they read as the same text again. The web's encoders write
    /// some characters as others, for instance `¥` as a backslash.
    fn encode_exactly(&self, table: &'static Encoding, text: &str) -> Option<Vec<u8>> {
        let (bytes, _, replaced) = table.encode(text);
        let same = || {
            table
                .decode_without_bom_handling_and_without_replacement(&bytes)
                .is_some_and(|read| read == text)
        };
        (!replaced && label::fits(self.name, &bytes) && same()).then(|| bytes.into_owned())
    }
}

/// Says whether a file in UTF-8 gets a byte-order mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mark {
    None,
    /// Where the text does not say itself that it is UTF-8.
    WhereSilent,
}

/// Turns a text into a file in UTF-8; where it names another encoding, it names this one instead.
pub(crate) fn to_utf8(text: &str, mark: Mark) -> Vec<u8> {
    let named = declared::renamed(text);
    let silent = mark == Mark::WhereSilent && declared::find(text).is_empty();
    let mark: &[u8] = if silent { b"\xEF\xBB\xBF" } else { b"" };
    [mark, named.as_bytes()].concat()
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
    /// it declares, else by what its bytes look like.
    pub(crate) fn new(bytes: &[u8], hints: &EncodingHints<'_>) -> Result<Self, Untranslatable> {
        let Choice {
            name,
            bom_length,
            guessed,
            declared,
            doubtful,
        } = choose::choose(bytes, hints);
        let table = label::table(name);
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
            name,
            bom: bom_length > 0,
            guessed,
            declared,
        };
        Ok(Self {
            text,
            encoding,
            invalid,
            doubtful,
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
            [start, end] => bom + start..bom + end,
            _ => 0..0,
        };
        found.chunks(2).map(range).collect()
    }
}

#[cfg(test)]
mod tests;
