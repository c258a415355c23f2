//! Names of encodings: what a label stands for, and which bytes a narrower encoding than the web's
//! may hold. Must not look at a file.
//!
//! The web reads several old names as a wider encoding (ISO-8859-1 as windows-1252, WHATWG Encoding
//! section 4.2). Other readers (msgfmt, Java, XML parsers) do not, so the narrow names are kept where
//! a file is not for the web: a target must not hold what only browsers would read.

use encoding_rs::{Encoding, UTF_8};

/// Offered to a person who chooses, the most used first.
const OFFERED: [&str; 41] = [
    "UTF-8",
    "windows-1252",
    "UTF-16LE",
    "GBK",
    "Shift_JIS",
    "windows-1251",
    "Big5",
    "EUC-KR",
    "ISO-8859-1",
    "EUC-JP",
    "gb18030",
    "windows-1250",
    "ISO-8859-2",
    "ISO-8859-15",
    "KOI8-R",
    "windows-1254",
    "windows-1253",
    "windows-1256",
    "windows-1255",
    "windows-1257",
    "windows-1258",
    "windows-874",
    "UTF-16BE",
    "KOI8-U",
    "ISO-8859-3",
    "ISO-8859-4",
    "ISO-8859-5",
    "ISO-8859-6",
    "ISO-8859-7",
    "ISO-8859-8",
    "ISO-8859-9",
    "ISO-8859-10",
    "ISO-8859-13",
    "ISO-8859-14",
    "ISO-8859-16",
    "ISO-2022-JP",
    "GB2312",
    "IBM866",
    "macintosh",
    "x-mac-cyrillic",
    "US-ASCII",
];

/// Returns the names of encodings that a person can choose from, the most used first.
pub fn encodings() -> &'static [&'static str] {
    &OFFERED
}

/// Names of encodings that the web reads as a wider one, which bears no such name itself.
const NARROW: [(&str, &[&str]); 5] = [
    (
        "US-ASCII",
        &["us-ascii", "ascii", "ansi_x3.4-1968", "iso646-us", "646"],
    ),
    (
        "ISO-8859-1",
        &[
            "iso-8859-1",
            "iso_8859-1",
            "iso8859-1",
            "iso88591",
            "latin1",
            "l1",
            "cp819",
            "ibm819",
            "iso-ir-100",
        ],
    ),
    (
        "ISO-8859-9",
        &[
            "iso-8859-9",
            "iso_8859-9",
            "iso8859-9",
            "iso88599",
            "latin5",
            "l5",
            "iso-ir-148",
        ],
    ),
    ("TIS-620", &["tis-620", "iso-8859-11", "iso8859-11"]),
    (
        "GB2312",
        &["gb2312", "gb_2312", "gb_2312-80", "euc-cn", "euccn"],
    ),
];

/// Names that programming languages and editors use and the web does not.
const ALIASES: [(&str, &str); 18] = [
    ("utf-8-sig", "utf-8"),
    ("utf-8-with-signature", "utf-8"),
    ("cp65001", "utf-8"),
    ("cp932", "shift_jis"),
    ("ms932", "shift_jis"),
    ("cp936", "gbk"),
    ("ms936", "gbk"),
    ("cp949", "euc-kr"),
    ("ms949", "euc-kr"),
    ("uhc", "euc-kr"),
    ("cp950", "big5"),
    ("ms950", "big5"),
    ("eucjp", "euc-jp"),
    ("ujis", "euc-jp"),
    ("latin7", "iso-8859-13"),
    ("latin8", "iso-8859-14"),
    ("latin9", "iso-8859-15"),
    ("latin10", "iso-8859-16"),
];

/// Returns the name of the encoding that a label means to browsers.
pub(super) fn web(label: &str) -> Option<&'static str> {
    let label = label.trim().to_ascii_lowercase();
    let known = |label: &str| {
        let alias = ALIASES.iter().find(|(alias, _)| *alias == label);
        let label = alias.map_or(label, |(_, name)| name);
        Encoding::for_label_no_replacement(label.as_bytes())
    };
    spellings(&label)
        .iter()
        .find_map(|label| known(label))
        .map(Encoding::name)
}

/// Returns the name of the encoding that a label means to everything but browsers.
pub(super) fn exact(label: &str) -> Option<&'static str> {
    let lower = label.trim().to_ascii_lowercase();
    let spellings = spellings(&lower);
    let narrow = NARROW
        .iter()
        .find(|(_, labels)| spellings.iter().any(|s| labels.contains(&s.as_str())));
    narrow.map(|(name, _)| *name).or_else(|| web(label))
}

/// Lists how a label may be spelt in the registries: as it is, without the line ends that Emacs
/// names, with `-` for `_`, and with neither.
fn spellings(label: &str) -> [String; 3] {
    let label = ["-unix", "-dos", "-mac"]
        .iter()
        .find_map(|end| label.strip_suffix(end))
        .unwrap_or(label);
    [
        label.to_owned(),
        label.replace('_', "-"),
        label.replace(['_', '-'], ""),
    ]
}

/// Returns the tables of an encoding's name.
pub(super) fn table(name: &str) -> &'static Encoding {
    Encoding::for_label(name.as_bytes()).unwrap_or(UTF_8)
}

/// Tells whether bytes lie in the part of its tables that a name allows.
pub(super) fn fits(name: &str, bytes: &[u8]) -> bool {
    match name {
        "US-ASCII" => bytes.is_ascii(),
        "ISO-8859-1" | "ISO-8859-9" | "TIS-620" => !bytes.iter().any(|b| matches!(b, 0x80..=0x9F)),
        "GB2312" => {
            let mut high = bytes.iter().filter(|b| !b.is_ascii());
            let lead = |b: &u8| matches!(b, 0xA1..=0xF7);
            std::iter::from_fn(|| Some((high.next()?, high.next())))
                .all(|(first, second)| lead(first) && second.is_some_and(|b| *b >= 0xA1))
        }
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_of_all_trades_are_known() {
        for (label, on_the_web, elsewhere) in [
            ("utf8", "UTF-8", "UTF-8"),
            ("UTF_8", "UTF-8", "UTF-8"),
            ("utf-8-unix", "UTF-8", "UTF-8"),
            ("latin-1", "windows-1252", "ISO-8859-1"),
            (" ISO-8859-1 ", "windows-1252", "ISO-8859-1"),
            ("iso8859_1", "windows-1252", "ISO-8859-1"),
            ("iso-latin-1-dos", "", ""),
            ("ASCII", "windows-1252", "US-ASCII"),
            ("iso8859_2", "ISO-8859-2", "ISO-8859-2"),
            ("latin-9", "ISO-8859-15", "ISO-8859-15"),
            ("gb2312", "GBK", "GB2312"),
            ("cp932", "Shift_JIS", "Shift_JIS"),
            ("euc_jp", "EUC-JP", "EUC-JP"),
            ("eucJP", "EUC-JP", "EUC-JP"),
            ("KOI8_U", "KOI8-U", "KOI8-U"),
            ("klingon-8", "", ""),
            ("", "", ""),
        ] {
            assert_eq!(web(label).unwrap_or(""), on_the_web, "{label}");
            assert_eq!(exact(label).unwrap_or(""), elsewhere, "{label}");
        }
    }

    #[test]
    fn every_name_that_is_offered_is_its_own_label() {
        for name in encodings() {
            assert_eq!(exact(name), Some(*name));
        }
    }
}
