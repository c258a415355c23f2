//! Guesses the encoding of bytes that do not say it. Must not decode for others.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, GB18030, GBK, UTF_16BE, UTF_16LE};

use super::choose::{Choice, decodes};
use crate::LanguageTag;

/// So many bytes are looked at for what is no text.
const BINARY_PROBE: usize = 64 * 1024;

/// So many bytes from the first that is not ASCII are looked at for a guess.
const GUESS_PROBE: usize = 1024 * 1024;

/// Guesses the encoding of bytes; UTF-8 with a few broken places is no guess. The language of the
/// text decides where several encodings fit; where it only agrees, the guess is no doubt.
pub(super) fn guess(bytes: &[u8], language: Option<&LanguageTag>) -> Choice {
    let choice = |name, guessed, doubtful| Choice {
        name,
        bom_length: 0,
        guessed,
        declared: None,
        doubtful,
    };
    if std::str::from_utf8(bytes).is_ok() || is_damaged_utf8(bytes) {
        return choice("UTF-8", false, false);
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    let start = Encoding::ascii_valid_up_to(bytes).saturating_sub(2);
    let probe = bytes.get(start..).unwrap_or_default();
    detector.feed(
        probe.get(..GUESS_PROBE).unwrap_or(probe),
        probe.len() <= GUESS_PROBE,
    );
    let by_bytes = detector.guess(None, Utf8Detection::Deny);
    let home = language.and_then(home);
    let by_language = home
        .as_ref()
        .map(|home| detector.guess(Some(home.domain), Utf8Detection::Deny))
        .filter(|table| decodes(bytes, table));
    let table = by_language.unwrap_or(by_bytes);
    let at_home = home.is_some_and(|home| home.encodings.contains(&table.name()));
    // The web decodes GBK as its superset, but does not encode what only that has.
    let wider = table == GBK && !decodes_narrow(bytes);
    let name = if wider { GB18030 } else { table }.name();
    choice(name, true, !at_home || table != by_bytes)
}

/// Tells whether bytes in GBK keep to two a character.
fn decodes_narrow(bytes: &[u8]) -> bool {
    let text = GBK.decode_without_bom_handling(bytes).0;
    !GBK.encode(&text).2
}

/// Says where a language is at home.
struct Home {
    /// A top-level domain, which is what the detector knows.
    domain: &'static [u8],
    /// The encodings that its texts are in, as far as the detector tells them apart.
    encodings: &'static [&'static str],
}

fn home(language: &LanguageTag) -> Option<Home> {
    let (domain, encodings): (&[u8], &[&str]) = match language.primary() {
        "zh" | "yue" if language.is_traditional() => (b"tw", &["Big5"]),
        "zh" | "wuu" => (b"cn", &["GBK", "gb18030"]),
        "ja" => (b"jp", &["Shift_JIS", "EUC-JP"]),
        "ko" => (b"kr", &["EUC-KR"]),
        "ru" | "uk" | "be" | "bg" | "mk" | "kk" | "ky" | "mn" => {
            (b"ru", &["windows-1251", "KOI8-U", "ISO-8859-5", "IBM866"])
        }
        "sr" => (
            b"rs",
            &["windows-1250", "ISO-8859-2", "windows-1251", "ISO-8859-5"],
        ),
        "hu" => (b"hu", &["windows-1250", "ISO-8859-2"]),
        "pl" | "cs" | "sk" | "hr" | "sl" | "ro" | "sq" => (b"cz", &["windows-1250", "ISO-8859-2"]),
        "el" => (b"gr", &["windows-1253", "ISO-8859-7"]),
        "tr" | "az" => (b"tr", &["windows-1254"]),
        "he" | "yi" => (b"il", &["windows-1255", "ISO-8859-8"]),
        "ar" | "fa" | "ur" => (b"eg", &["windows-1256", "ISO-8859-6"]),
        "et" | "lv" | "lt" => (b"lt", &["windows-1257", "ISO-8859-13", "ISO-8859-4"]),
        "vi" => (b"vn", &["windows-1258"]),
        "th" => (b"th", &["windows-874"]),
        "en" | "de" | "fr" | "es" | "pt" | "it" | "nl" | "da" | "sv" | "nb" | "nn" | "no"
        | "fi" | "ca" | "gl" | "eu" | "ga" | "af" | "is" | "id" | "ms" => {
            (b"de", &["windows-1252"])
        }
        _ => return None,
    };
    Some(Home { domain, encodings })
}

/// Finds UTF-16 without a mark, where it is sure: what has NUL bytes is no other text, one byte
/// order reads as whole characters without controls, and far more of them than in the other order
/// are those that every text has.
pub(super) fn wide(bytes: &[u8]) -> Option<&'static Encoding> {
    if !bytes.len().is_multiple_of(2) || !bytes.contains(&0) {
        return None;
    }
    let probe = bytes.get(..BINARY_PROBE).unwrap_or(bytes);
    let little = common(probe, u16::from_le_bytes);
    let big = common(probe, u16::from_be_bytes);
    let sure = |mine: Option<usize>, other: Option<usize>| {
        mine.is_some_and(|n| n * 40 >= probe.len() && n > 4 * other.unwrap_or(0))
    };
    if sure(little, big) {
        Some(UTF_16LE)
    } else if sure(big, little) {
        Some(UTF_16BE)
    } else {
        None
    }
}

/// Counts the characters of ASCII and the full stops, commas and blanks of East Asia; `None` where
/// a control or half a character shows that it is no text.
fn common(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Option<usize> {
    let pairs = bytes.as_chunks::<2>().0;
    let mut n = 0;
    let mut after_ascii = true;
    let mut characters = char::decode_utf16(pairs.iter().map(|pair| unit(*pair))).peekable();
    while let Some(character) = characters.next() {
        match character {
            Ok('\t' | '\n' | '\r' | '\u{C}' | ' '..='/' | '\u{3000}'..='\u{3002}' | '\u{FF0C}') => {
                n += 1;
            }
            // `一` reads as a letter in the other order, but seldom twice.
            Ok('0'..='~') => n += usize::from(after_ascii),
            Ok(c) if c.is_control() || c == '\u{FFFE}' || c == '\u{FFFF}' => return None,
            // The probe may end in the middle of a pair.
            Err(_) if characters.peek().is_some() => return None,
            Ok(_) | Err(_) => {}
        }
        after_ascii = character.is_ok_and(|c| c.is_ascii());
    }
    Some(n)
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
