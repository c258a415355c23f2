//! How each setting writes a character that the file's encoding cannot hold. Must not know encodings.

use std::fmt::Write as _;

use crate::format::{Cues, Notation, Style, TomlStyle};
use crate::segment::Setting;

/// Writes the missing characters of a fitted text as escapes; `None` where the setting has none.
pub(crate) fn escape_missing(setting: Setting, fitted: &str, missing: &str) -> Option<String> {
    let mut out = String::with_capacity(fitted.len() * 2);
    for c in fitted.chars() {
        if missing.contains(c) {
            out.push_str(&escape(setting, c)?);
        } else {
            out.push(c);
        }
    }
    Some(out)
}

fn escape(setting: Setting, c: char) -> Option<String> {
    match setting {
        Setting::Plain
        | Setting::YamlPlain
        | Setting::YamlBlock
        | Setting::SingleQuoted
        | Setting::Literal
        | Setting::Rst(_)
        | Setting::Tex(_)
        | Setting::Coded(
            Notation::Yaml(
                Style::Plain { .. } | Style::Single | Style::Literal(_) | Style::Folded(_),
            )
            | Notation::Toml(TomlStyle::Literal | TomlStyle::LiteralLines)
            | Notation::RstTitle
            | Notation::RstCsv(_)
            | Notation::AdocTitle
            | Notation::Po(_)
            | Notation::CData
            | Notation::Csv(_)
            | Notation::Cue(Cues::SubRip)
            | Notation::Dialogue,
        ) => None,
        Setting::Block
        | Setting::Line
        | Setting::Cell
        | Setting::Html
        | Setting::Attribute(_)
        | Setting::Adoc(_)
        | Setting::Coded(
            Notation::Xml
            | Notation::XmlAttribute(_)
            | Notation::XmlValue
            | Notation::Html(_)
            | Notation::Runs(_)
            | Notation::Cue(Cues::WebVtt),
        ) => Some(format!("&#x{:X};", u32::from(c))),
        // YAML and TOML agree here.
        Setting::DoubleQuoted
        | Setting::Coded(
            Notation::Yaml(Style::Double) | Notation::Toml(TomlStyle::Basic | TomlStyle::Lines),
        ) => Some(utf32_escape(c)),
        Setting::Coded(Notation::Json(_) | Notation::Properties | Notation::Android(_)) => {
            Some(utf16_escapes(c))
        }
        Setting::Coded(Notation::Strings(_)) => Some(utf16_escapes(c).replace("\\u", "\\U")),
    }
}

/// Returns `\uhhhh` or `\Uhhhhhhhh`.
fn utf32_escape(c: char) -> String {
    match u32::from(c) {
        code @ ..=0xFFFF => format!("\\u{code:04X}"),
        code => format!("\\U{code:08X}"),
    }
}

/// Returns `\uhhhh`, or two for a character beyond the first plane.
pub(crate) fn utf16_escapes(c: char) -> String {
    let mut out = String::with_capacity(12);
    for unit in c.encode_utf16(&mut [0; 2]) {
        let _ = write!(out, "\\u{unit:04x}");
    }
    out
}
