//! Decides which encoding a file is read in: by its mark, by a person, by what it declares, by what
//! its bytes look like, in this order; and whether a person should look at it. Must not decode for
//! others.

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

use super::declared::{self, Charset, Declaration};
use super::{EncodingHints, detect, label, offsets};

/// Says how a file is read, and why so.
#[derive(Debug)]
pub(super) struct Choice {
    pub(super) name: &'static str,
    pub(super) bom_length: usize,
    pub(super) guessed: bool,
    /// What the text declares, where it is an encoding that we know.
    pub(super) declared: Option<&'static str>,
    pub(super) doubtful: bool,
}

/// One broken character in so many leaves a declared encoding standing.
const MOST_BROKEN: usize = 20;

/// A text of so many whole UTF-8 sequences is no Chinese, Japanese or Korean encoding by chance.
const SEQUENCES: usize = 3;

pub(super) fn choose(bytes: &[u8], hints: &EncodingHints<'_>) -> Choice {
    let chosen = hints.chosen.map(label::exact);
    let mark = Encoding::for_bom(bytes);
    let (wide, bom_length) = match mark {
        Some((table, length)) => (Some(table), length),
        None => (detect::wide(bytes), 0),
    };
    let declared = declaration(bytes.get(bom_length..).unwrap_or_default(), wide);
    let known = declared.and_then(|charset| match charset {
        Charset::Known(name) => Some(name),
        Charset::Unknown | Charset::Unset => None,
    });
    let mut choice = match (mark, chosen.flatten(), wide) {
        (None, Some(name), _) => certain(name),
        (_, _, Some(table)) => Choice {
            doubtful: known.is_some_and(|name| !is_same(name, table)),
            ..certain(table.name())
        },
        (_, _, None) => by_content(bytes, known, hints),
    };
    choice.bom_length = bom_length;
    choice.declared = known;
    choice.doubtful |= matches!(chosen, Some(None))
        || chosen.is_none() && mark.is_none() && declared == Some(Charset::Unknown);
    if !label::fits(choice.name, bytes) {
        choice.name = label::table(choice.name).name();
        choice.doubtful |= chosen.is_none();
    }
    choice
}

fn certain(name: &'static str) -> Choice {
    Choice {
        name,
        bom_length: 0,
        guessed: false,
        declared: None,
        doubtful: false,
    }
}

/// Returns what the text declares.
fn declaration(body: &[u8], wide: Option<&'static Encoding>) -> Option<Charset> {
    let head = body.get(..declared::PROBE).unwrap_or(body);
    let as_ascii = |b: &u8| {
        if b.is_ascii() {
            char::from(*b)
        } else {
            '\u{1A}'
        }
    };
    let text = match wide {
        Some(table) => table.decode_without_bom_handling(head).0,
        None => head.iter().map(as_ascii).collect(),
    };
    declared::find(&text)
        .first()
        .map(|Declaration { charset, .. }| *charset)
}

/// Tells whether a declared name and the tables in use agree; `utf-16` names both byte orders.
fn is_same(name: &str, table: &'static Encoding) -> bool {
    let is_wide = |table| table == UTF_16LE || table == UTF_16BE;
    let declared = label::table(name);
    declared == table || is_wide(declared) && is_wide(table)
}

/// Decides for bytes without a mark that are not UTF-16.
fn by_content(bytes: &[u8], declared: Option<&'static str>, hints: &EncodingHints<'_>) -> Choice {
    let utf8 = std::str::from_utf8(bytes).ok();
    let Some(name) = declared else {
        return match hints.default {
            Some(name) if utf8.is_none_or(str::is_ascii) => by_default(bytes, name, hints),
            _ if utf8.is_some() => certain("UTF-8"),
            _ => detect::guess(bytes, hints.language),
        };
    };
    let table = label::table(name);
    let is_wide = table == UTF_16LE || table == UTF_16BE;
    let doubt = |choice: Choice| Choice {
        doubtful: true,
        ..choice
    };
    match utf8 {
        Some(_) if table == UTF_8 => certain(name),
        Some(_) if is_wide => doubt(certain("UTF-8")),
        Some(text) if text.is_ascii() => certain(name),
        Some(text) if is_utf8_rather(text, bytes, table) => doubt(certain("UTF-8")),
        Some(_) => doubt(certain(name)),
        None if is_wide || table == UTF_8 => {
            let choice = detect::guess(bytes, hints.language);
            // Broken bytes are reported as such.
            if choice.guessed || is_wide {
                doubt(choice)
            } else {
                choice
            }
        }
        None if decodes(bytes, table) && name != "US-ASCII" => certain(name),
        None => {
            let choice = detect::guess(bytes, hints.language);
            // A single-byte encoding fits anything, so it says less than the declaration.
            let says_less = label::table(choice.name).is_single_byte() && is_readable(bytes, table);
            if says_less {
                certain(name)
            } else {
                doubt(choice)
            }
        }
    }
}

/// Decides for a format that has an encoding of its own when nothing is declared.
fn by_default(bytes: &[u8], name: &'static str, hints: &EncodingHints<'_>) -> Choice {
    if bytes.is_ascii() {
        // What only some readers of the format agree on must be escaped.
        return certain("US-ASCII");
    }
    let guess = detect::guess(bytes, hints.language);
    let agrees = label::table(guess.name) == label::table(name);
    if agrees { certain(name) } else { guess }
}

/// Tells whether bytes that are valid UTF-8 are that, and not the encoding that they declare.
fn is_utf8_rather(text: &str, bytes: &[u8], table: &'static Encoding) -> bool {
    let sequences = text.chars().filter(|c| !c.is_ascii()).count();
    table.is_single_byte() || sequences >= SEQUENCES || !decodes(bytes, table)
}

pub(super) fn decodes(bytes: &[u8], table: &'static Encoding) -> bool {
    table
        .decode_without_bom_handling_and_without_replacement(bytes)
        .is_some()
}

/// Tells whether bytes can be read in an encoding with at most a few broken places.
fn is_readable(bytes: &[u8], table: &'static Encoding) -> bool {
    let (text, invalid) = offsets::decode(table, bytes);
    let characters = text.chars().filter(|c| !c.is_ascii()).count();
    invalid.is_empty() || invalid.len() * MOST_BROKEN <= characters
}
