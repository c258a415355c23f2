//! Puts kept and new bytes together. Owns the shift states of ISO-2022-JP, in which the same bytes
//! mean different characters; must not know what the pieces are.

use std::ops::Range;

use encoding_rs::{Encoding, ISO_2022_JP};

/// The escape sequence that a stretch of ISO-2022-JP is read after.
type Shift = [u8; 3];

const ASCII: Shift = *b"\x1b(B";

/// Replaces ranges of bytes, which ascend; one that reaches into another is left out.
pub(super) fn join(
    table: &'static Encoding,
    bytes: &[u8],
    changes: &[(Range<usize>, Vec<u8>)],
) -> Vec<u8> {
    let mut writer = Writer {
        out: Vec::with_capacity(bytes.len() + bytes.len() / 8),
        shifts: table == ISO_2022_JP,
        shift: ASCII,
    };
    let mut shift = ASCII;
    let mut kept = 0;
    for (range, new) in changes {
        let Some(between) = bytes.get(kept..range.start) else {
            continue;
        };
        shift = writer.push(between, shift);
        writer.push(new, ASCII);
        shift = writer.passed(bytes.get(range.clone()), shift);
        kept = range.end;
    }
    shift = writer.push(bytes.get(kept..).unwrap_or_default(), shift);
    if writer.shift != shift {
        writer.out.extend(shift);
    }
    writer.out
}

/// Decodes bytes with ranges replaced by texts; `None` where kept bytes are no text.
pub(super) fn join_text<'c>(
    table: &'static Encoding,
    bytes: &[u8],
    changes: impl Iterator<Item = (&'c Range<usize>, &'c str)>,
) -> Option<String> {
    let shifts = table == ISO_2022_JP;
    let mut text = String::with_capacity(bytes.len() + bytes.len() / 8);
    let mut shift = ASCII;
    let mut kept = 0;
    let keep = |part: &[u8], shift: Shift, text: &mut String| {
        let mut decode = |bytes: &[u8]| {
            let decoded = table.decode_without_bom_handling_and_without_replacement(bytes);
            decoded.map(|decoded| text.push_str(&decoded))
        };
        if shifts && shift != ASCII && !part.starts_with(b"\x1b") {
            decode(&[shift.as_slice(), part].concat())
        } else {
            decode(part)
        }
    };
    for (range, new) in changes {
        let Some(between) = bytes.get(kept..range.start) else {
            continue;
        };
        keep(between, shift, &mut text)?;
        text.push_str(new);
        let passed = bytes.get(kept..range.end).unwrap_or_default();
        shift = last_shift(passed).filter(|_| shifts).unwrap_or(shift);
        kept = range.end;
    }
    keep(bytes.get(kept..).unwrap_or_default(), shift, &mut text)?;
    Some(text)
}

struct Writer {
    out: Vec<u8>,
    /// Whether the encoding has shift states at all.
    shifts: bool,
    /// The state at the end of what was written.
    shift: Shift,
}

impl Writer {
    /// Writes bytes that are read in a state, and returns the state behind them. An escape at their
    /// end is written when something follows: two in a row are an error.
    fn push(&mut self, bytes: &[u8], shift: Shift) -> Shift {
        if !self.shifts {
            self.out.extend_from_slice(bytes);
            return shift;
        }
        let after = last_shift(bytes).unwrap_or(shift);
        let body = bytes.strip_suffix(after.as_slice()).unwrap_or(bytes);
        if !body.is_empty() {
            if self.shift != shift && !body.starts_with(b"\x1b") {
                self.out.extend(shift);
            }
            self.out.extend_from_slice(body);
            self.shift = last_shift(body).unwrap_or(shift);
        }
        after
    }

    /// Returns the state behind bytes that are left out.
    fn passed(&self, bytes: Option<&[u8]>, shift: Shift) -> Shift {
        let last = bytes.filter(|_| self.shifts).and_then(last_shift);
        last.unwrap_or(shift)
    }
}

fn last_shift(bytes: &[u8]) -> Option<Shift> {
    let at = bytes.iter().rposition(|b| *b == 0x1B)?;
    bytes.get(at..at + 3)?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(source: &str, changes: &[(&str, &str)]) -> String {
        let (bytes, _, _) = ISO_2022_JP.encode(source);
        let place = |part: &str| {
            let at = source.find(part).unwrap();
            let before = source.get(..at).unwrap();
            // Without the escape back to ASCII, which stands behind what is left out.
            let length = |text: &str| {
                let bytes = ISO_2022_JP.encode(text).0;
                bytes
                    .strip_suffix(b"\x1b(B")
                    .map_or(bytes.len(), <[u8]>::len)
            };
            length(before)..length(&format!("{before}{part}"))
        };
        let texts: Vec<_> = changes
            .iter()
            .map(|(old, new)| (place(old), *new))
            .collect();
        let changes: Vec<_> = texts
            .iter()
            .map(|(range, new)| (range.clone(), ISO_2022_JP.encode(new).0.into_owned()))
            .collect();
        let decode = |bytes: &[u8]| {
            let text = ISO_2022_JP.decode_without_bom_handling_and_without_replacement(bytes);
            text.unwrap().into_owned()
        };
        let text = decode(&join(ISO_2022_JP, &bytes, &changes));
        let changes = texts.iter().map(|(range, new)| (range, *new));
        assert_eq!(join_text(ISO_2022_JP, &bytes, changes), Some(text.clone()));
        text
    }

    #[test]
    fn shift_states_fit_together() {
        for (source, changes, expected) in [
            ("雨が降る。", &[("雨", "A")][..], "Aが降る。"),
            ("雨が降る。", &[("が", "A日")], "雨A日降る。"),
            ("雨が降る。", &[("雨", "日"), ("が", "本")], "日本降る。"),
            ("雨が降る。", &[("る。", "x")], "雨が降x"),
            ("a雨b", &[("雨", "日"), ("b", "本")], "a日本"),
            ("a雨b", &[("a", "日")], "日雨b"),
            ("雨", &[("雨", "x")], "x"),
        ] {
            assert_eq!(joined(source, changes), expected, "{source} {changes:?}");
        }
    }

    #[test]
    fn a_change_inside_another_is_left_out() {
        let changes = [
            (1..3, b"x".to_vec()),
            (2..4, b"y".to_vec()),
            (4..4, b"z".to_vec()),
        ];
        assert_eq!(join(encoding_rs::UTF_8, b"abcde", &changes), b"axdze");
    }
}
