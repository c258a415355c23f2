//! The marks around units: which pair a document can hold, and how it may stand in the file's bytes. Owns the choice;
//! must not know a format.

use diglot_document::Document;
use encoding_rs::{Encoding, UTF_16BE, UTF_16LE};

/// Pairs in the order of preference; the last is for encodings that hold nothing but ASCII.
const PAIRS: [[&str; 2]; 5] = [
    ["\u{27e6}", "\u{27e7}"],
    ["\u{300a}", "\u{300b}"],
    ["\u{ab}", "\u{bb}"],
    ["\u{a7}", "\u{b6}"],
    ["Qzxq", "Qzjq"],
];

/// Holds the marks that stand around every unit of a document.
#[derive(Debug, Clone)]
pub struct Marks {
    open: &'static str,
    close: &'static str,
    /// Byte forms of the opening mark.
    opening: Vec<Vec<u8>>,
    /// Byte forms of the closing mark.
    closing: Vec<Vec<u8>>,
}

impl Marks {
    /// Chooses the first pair that the document's encoding holds and its text does not; `None` where there is none.
    pub fn of(document: &Document) -> Option<Self> {
        let encoding = Encoding::for_label(document.encoding.name.as_bytes())?;
        let fits = |mark: &str| encode(encoding, mark).is_some() && !document.text.contains(mark);
        let [open, close] = PAIRS
            .into_iter()
            .find(|pair| pair.iter().all(|mark| fits(mark)))?;
        Some(Self {
            open,
            close,
            opening: forms(encoding, open),
            closing: forms(encoding, close),
        })
    }

    /// Tells whether they are the pair that is preferred.
    pub fn are_usual(&self) -> bool {
        PAIRS.first() == Some(&[self.open, self.close])
    }

    /// Puts a text between the marks.
    pub fn around(&self, text: &str) -> String {
        [self.open, text, self.close].concat()
    }

    /// Returns the length of an opening mark, in any of its forms, that the bytes start with.
    pub(crate) fn opening_length(&self, bytes: &[u8]) -> Option<usize> {
        length(&self.opening, bytes)
    }

    /// Returns the length of a mark, in any of its forms, that the bytes start with.
    pub(crate) fn length(&self, bytes: &[u8]) -> Option<usize> {
        length(&self.opening, bytes).or_else(|| length(&self.closing, bytes))
    }
}

fn length(forms: &[Vec<u8>], bytes: &[u8]) -> Option<usize> {
    let fitting = forms.iter().find(|form| bytes.starts_with(form));
    fitting.map(Vec::len)
}

/// Lists how a mark may be written: as it is, or by an escape where a file writes all beyond ASCII so.
fn forms(encoding: &'static Encoding, mark: &str) -> Vec<Vec<u8>> {
    let mut texts = vec![mark.to_owned()];
    let mut chars = mark.chars();
    if let (Some(c), None) = (chars.next(), chars.next())
        && !c.is_ascii()
    {
        let code = u32::from(c);
        texts.extend([
            format!("\\u{code:04x}"),
            format!("\\u{code:04X}"),
            format!("&#x{code:x};"),
            format!("&#x{code:X};"),
            format!("&#{code};"),
        ]);
    }
    texts
        .iter()
        .filter_map(|text| encode(encoding, text))
        .collect()
}

/// Encodes a text; `None` when the encoding cannot hold it.
fn encode(encoding: &'static Encoding, text: &str) -> Option<Vec<u8>> {
    if encoding == UTF_16LE {
        return Some(text.encode_utf16().flat_map(u16::to_le_bytes).collect());
    }
    if encoding == UTF_16BE {
        return Some(text.encode_utf16().flat_map(u16::to_be_bytes).collect());
    }
    let (bytes, _, has_lost) = encoding.encode(text);
    (!has_lost).then(|| bytes.into_owned())
}

#[cfg(test)]
mod tests {
    use diglot_document::{Format, ParseOptions};

    use super::*;

    fn marks(bytes: &[u8], encoding: &str) -> Marks {
        let options = ParseOptions {
            encoding: Some(encoding.to_owned()),
            ..ParseOptions::default()
        };
        let document = Document::parse(Format::PlainText, bytes, &options).unwrap();
        Marks::of(&document).unwrap()
    }

    #[test]
    fn the_pair_is_one_that_the_file_can_hold() {
        assert_eq!(marks(b"One.", "utf-8").around("x"), "\u{27e6}x\u{27e7}");
        assert_eq!(marks(b"One.", "shift_jis").around("x"), "\u{300a}x\u{300b}");
        assert_eq!(marks(b"One.", "windows-1252").around("x"), "\u{ab}x\u{bb}");
        let taken = "Die \u{27e6}Klammer\u{27e7}.";
        assert_eq!(
            marks(taken.as_bytes(), "utf-8").around("x"),
            "\u{300a}x\u{300b}"
        );
    }

    #[test]
    fn escapes_are_marks_too() {
        let marks = marks(b"One.", "utf-8");
        assert_eq!(marks.length(b"\\u27E7."), Some(6));
        assert_eq!(marks.opening_length("\u{27e6}x".as_bytes()), Some(3));
        assert_eq!(marks.opening_length("\u{27e7}x".as_bytes()), None);
        assert_eq!(marks.length(b"x"), None);
    }
}
