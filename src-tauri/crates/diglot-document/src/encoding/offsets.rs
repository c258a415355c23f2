//! Decoding with the way back from text offsets to byte offsets. Linear; nothing is kept per
//! character: the bytes are walked a second time for the offsets that are wanted.

use encoding_rs::{CoderResult, Encoding, UTF_8, UTF_16BE, UTF_16LE};

/// Stands for what the encoding does not know.
const REPLACEMENT: char = '\u{FFFD}';

/// Decodes bytes without a byte-order mark, and returns the offsets of what stands for invalid
/// ones.
pub(super) fn decode(table: &'static Encoding, bytes: &[u8]) -> (String, Vec<usize>) {
    if let Some(text) = table.decode_without_bom_handling_and_without_replacement(bytes) {
        return (text.into_owned(), Vec::new());
    }
    let mut text = String::with_capacity(bytes.len());
    let mut invalid = Vec::new();
    let mut step = |piece: &str, is_valid: bool, _: usize| {
        if !is_valid {
            invalid.push(text.len());
        }
        text.push_str(piece);
        true
    };
    walk(table, bytes, &mut step);
    (text, invalid)
}

/// Returns the byte offsets of ascending text offsets.
pub(super) fn byte_offsets(table: &'static Encoding, bytes: &[u8], wanted: &[usize]) -> Vec<usize> {
    let mut found = Vec::with_capacity(wanted.len());
    let mut left = wanted.iter().copied().peekable();
    let mut text_at = 0;
    let mut byte_at = 0;
    while left.next_if(|&at| at == 0).is_some() {
        found.push(0);
    }
    let mut step = |piece: &str, is_valid: bool, length: usize| {
        // Only whole UTF-8 comes in pieces longer than one character, and there both sides agree.
        let identical = is_valid && piece.len() == length;
        while let Some(at) = left.next_if(|&at| at <= text_at + piece.len()) {
            found.push(byte_at + if identical { at - text_at } else { length });
        }
        text_at += piece.len();
        byte_at += length;
        left.peek().is_some()
    };
    walk(table, bytes, &mut step);
    found.resize(wanted.len(), bytes.len());
    found
}

/// Gets a piece of text, whether its bytes are valid, and how many they are; tells whether to go on.
type Step<'a> = dyn FnMut(&str, bool, usize) -> bool + 'a;

fn walk(table: &'static Encoding, bytes: &[u8], step: &mut Step<'_>) {
    if table == UTF_8 {
        walk_utf8(bytes, step);
    } else if table == UTF_16LE {
        walk_utf16(bytes, u16::from_le_bytes, step);
    } else if table == UTF_16BE {
        walk_utf16(bytes, u16::from_be_bytes, step);
    } else {
        walk_legacy(table, bytes, step);
    }
}

fn walk_utf8(bytes: &[u8], step: &mut Step<'_>) {
    let broken = REPLACEMENT.to_string();
    for chunk in bytes.utf8_chunks() {
        let go_on = step(chunk.valid(), true, chunk.valid().len())
            && (chunk.invalid().is_empty() || step(&broken, false, chunk.invalid().len()));
        if !go_on {
            return;
        }
    }
}

fn walk_utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16, step: &mut Step<'_>) {
    let (pairs, rest) = bytes.as_chunks::<2>();
    let mut buffer = [0; 4];
    for character in char::decode_utf16(pairs.iter().map(|pair| unit(*pair))) {
        let go_on = match character {
            Ok(c) => step(c.encode_utf8(&mut buffer), true, c.len_utf16() * 2),
            Err(_) => step(REPLACEMENT.encode_utf8(&mut buffer), false, 2),
        };
        if !go_on {
            return;
        }
    }
    if !rest.is_empty() {
        step(REPLACEMENT.encode_utf8(&mut buffer), false, rest.len());
    }
}

/// Feeds one byte at a time, so that every character is seen with the bytes that it came from.
fn walk_legacy(table: &'static Encoding, bytes: &[u8], step: &mut Step<'_>) {
    let mut decoder = table.new_decoder_without_bom_handling();
    let mut pending = 0;
    let mut buffer = [0; 32];
    for (index, byte) in bytes.iter().enumerate() {
        let last = index + 1 == bytes.len();
        let (result, _, written, bad) =
            decoder.decode_to_utf8(std::slice::from_ref(byte), &mut buffer, last);
        pending += 1;
        debug_assert_eq!(result, CoderResult::InputEmpty);
        let piece = buffer
            .get(..written)
            .and_then(|utf8| std::str::from_utf8(utf8).ok());
        let Some(piece) = piece.filter(|piece| !piece.is_empty()) else {
            continue;
        };
        if !step(piece, !bad, std::mem::take(&mut pending)) {
            return;
        }
    }
}
