//! Guesses the encoding of bytes that do not say it. Must not decode for others.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8};

/// So many bytes are looked at for what is no text.
const BINARY_PROBE: usize = 64 * 1024;

/// Guesses the encoding, and tells whether it is a guess; valid UTF-8 is none.
pub(super) fn detect(bytes: &[u8]) -> (&'static Encoding, bool) {
    if std::str::from_utf8(bytes).is_ok() || is_damaged_utf8(bytes) {
        return (UTF_8, false);
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    (detector.guess(None, Utf8Detection::Deny), true)
}

/// Tells whether bytes are UTF-8 with a few broken places rather than a legacy encoding: most
/// sequences are whole, or none is and the stray bytes stand alone, where a legacy text would have
/// letters inside words.
fn is_damaged_utf8(bytes: &[u8]) -> bool {
    let mut whole = 0_usize;
    let mut broken = 0_usize;
    for chunk in bytes.utf8_chunks() {
        whole += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
        broken += usize::from(!chunk.invalid().is_empty());
    }
    if whole > 0 {
        return whole >= broken;
    }
    let stray = stray_runs(bytes);
    stray * 2 > broken
}

/// Counts the runs of high bytes that touch no letter, are one byte long, and are neither a word
/// (`à`) nor punctuation of windows-1252.
fn stray_runs(bytes: &[u8]) -> usize {
    let high = |at: usize| bytes.get(at).is_some_and(|b| !b.is_ascii());
    let letter = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_alphanumeric);
    let stray = |&(at, byte): &(usize, u8)| {
        let before = at.checked_sub(1);
        let joined =
            before.is_some_and(|at| high(at) || letter(at)) || high(at + 1) || letter(at + 1);
        let known = matches!(byte, 0x80..=0xBF | 0xC0 | 0xC8 | 0xC9 | 0xE0 | 0xE9 | 0xE8);
        !byte.is_ascii() && !joined && !known
    };
    bytes.iter().copied().enumerate().filter(stray).count()
}

/// Tells whether bytes are no text: a NUL, or more than one control character in fifty.
pub(super) fn is_binary(bytes: &[u8]) -> bool {
    let probe = bytes.get(..BINARY_PROBE).unwrap_or(bytes);
    let control = |b: &&u8| matches!(b, 0x01..=0x08 | 0x0E..=0x1A | 0x1C..=0x1F | 0x7F);
    bytes.contains(&0) || probe.iter().filter(control).count() * 50 > probe.len()
}
