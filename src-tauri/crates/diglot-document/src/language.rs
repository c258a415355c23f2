//! Language tags (BCP 47) and detection. Must not know a document.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Holds a well-formed BCP 47 tag in canonical case, for instance `pt-BR` or `zh-Hant`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct LanguageTag(String);

/// Reports text that is not a language tag.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a language tag like `de` or `pt-BR`")]
pub struct LanguageTagError(pub String);

impl LanguageTag {
    /// Reads a tag, in any case, with `-` or `_`.
    ///
    /// # Errors
    /// When it is not of the form `language[-Script][-REGION][-variant]`.
    pub fn parse(text: &str) -> Result<Self, LanguageTagError> {
        let refused = || LanguageTagError(text.to_owned());
        let mut subtags = text.trim().split(['-', '_']);
        let language = subtags.next().unwrap_or_default();
        if !matches!(language.len(), 2 | 3) || !is_alphabetic(language) {
            return Err(refused());
        }
        let mut tag = language.to_ascii_lowercase();
        let mut reached = Subtag::Language;
        for subtag in subtags {
            let (kind, canonical) = Subtag::read(subtag).ok_or_else(refused)?;
            let in_order = kind > reached || kind == Subtag::Variant && reached == Subtag::Variant;
            if !in_order {
                return Err(refused());
            }
            reached = kind;
            tag.push('-');
            tag.push_str(&canonical);
        }
        Ok(Self(tag))
    }

    /// Returns the tag as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the primary language, for instance `pt` of `pt-BR`.
    pub fn primary(&self) -> &str {
        self.0.split('-').next().unwrap_or_default()
    }

    /// Returns the script subtag, for instance `Hant` of `zh-Hant-TW`.
    fn script(&self) -> Option<&str> {
        self.0
            .split('-')
            .skip(1)
            .find(|subtag| subtag.len() == 4 && is_alphabetic(subtag))
    }

    /// Tells whether the language is written from right to left.
    pub fn is_rtl(&self) -> bool {
        match self.script() {
            Some(script) => RTL_SCRIPTS.contains(&script),
            None => RTL_LANGUAGES.contains(&self.primary()),
        }
    }

    /// Tells whether the language sets no blanks between its words.
    pub fn is_unspaced(&self) -> bool {
        self.script() != Some("Latn") && UNSPACED_LANGUAGES.contains(&self.primary())
    }

    /// Tells whether Chinese is written in traditional characters.
    pub(crate) fn is_traditional(&self) -> bool {
        let mut subtags = self.0.split('-').skip(1);
        match self.script() {
            Some(script) => script == "Hant",
            None => subtags.any(|subtag| matches!(subtag, "TW" | "HK" | "MO")),
        }
    }
}

/// Names the places of a tag in their order (RFC 5646 section 2.1); extensions are not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Subtag {
    Language,
    Script,
    Region,
    Variant,
}

impl Subtag {
    /// Tells what a subtag after the first is by its form, with its canonical case.
    fn read(subtag: &str) -> Option<(Self, String)> {
        let digits = subtag.bytes().all(|b| b.is_ascii_digit());
        let word = subtag.bytes().all(|b| b.is_ascii_alphanumeric());
        let lower = subtag.to_ascii_lowercase();
        match subtag.len() {
            4 if is_alphabetic(subtag) => {
                let mut letters = lower.chars();
                let head = letters.next().map(|c| c.to_ascii_uppercase());
                Some((Self::Script, head.into_iter().chain(letters).collect()))
            }
            2 if is_alphabetic(subtag) => Some((Self::Region, lower.to_ascii_uppercase())),
            3 if digits => Some((Self::Region, lower)),
            4 if word && subtag.starts_with(|c: char| c.is_ascii_digit()) => {
                Some((Self::Variant, lower))
            }
            5..=8 if word => Some((Self::Variant, lower)),
            _ => None,
        }
    }
}

fn is_alphabetic(subtag: &str) -> bool {
    subtag.bytes().all(|b| b.is_ascii_alphabetic())
}

const RTL_SCRIPTS: [&str; 9] = [
    "Adlm", "Arab", "Aran", "Hebr", "Mand", "Nkoo", "Rohg", "Syrc", "Thaa",
];

/// Languages whose usual script runs from right to left (CLDR, likely subtags).
const RTL_LANGUAGES: [&str; 24] = [
    "ar", "arc", "arz", "azb", "bal", "bgn", "ckb", "dv", "fa", "glk", "he", "iw", "ji", "ks",
    "lrc", "mzn", "nqo", "pnb", "ps", "sd", "syr", "ug", "ur", "yi",
];

const UNSPACED_LANGUAGES: [&str; 10] =
    ["bo", "dz", "ja", "km", "lo", "my", "th", "wuu", "yue", "zh"];

/// Tells whether a language pack made for `pack` can translate into or from `wanted`: one for `pt`
/// serves `pt` and any `pt-*` (SPEC 10, 19), but one for `zh` does not write traditional characters.
pub fn serves(pack: &LanguageTag, wanted: &LanguageTag) -> bool {
    let mut asked = wanted.as_str().split('-');
    let fits = pack
        .as_str()
        .split('-')
        .all(|subtag| asked.any(|other| other == subtag));
    let same_script = pack.primary() != "zh" || pack.is_traditional() == wanted.is_traditional();
    fits && pack.primary() == wanted.primary() && same_script
}

/// So much of a text is looked at to tell its language, in bytes.
const DETECTION_PROBE: usize = 8 * 1024;

/// Tells the language of a text, or `None` when it cannot be told reliably.
pub fn detect(text: &str) -> Option<LanguageTag> {
    let limit = text.len().min(DETECTION_PROBE);
    let probe = (0..4).find_map(|back| text.get(..limit.checked_sub(back)?))?;
    let found = whatlang::detect(probe).filter(whatlang::Info::is_reliable)?;
    tag_of(found.lang().code())
}

/// Returns the guesses of two detectors of different make, however sure they are; `None` where one of them does not know
/// the asked language.
pub(crate) fn two_guesses(text: &str, asked: &LanguageTag) -> Option<(LanguageTag, LanguageTag)> {
    let is_asked = |code: &str| tag_of(code).is_some_and(|tag| tag.primary() == asked.primary());
    if !whichlang::LANGUAGES
        .iter()
        .any(|known| is_asked(known.three_letter_code()))
    {
        return None;
    }
    let by_trigrams = whatlang::detect(text)?.lang();
    let by_model = whichlang::detect_language(text);
    Some((
        tag_of(by_trigrams.code())?,
        tag_of(by_model.three_letter_code())?,
    ))
}

/// Returns the tag for a code of ISO 639-3.
fn tag_of(code: &str) -> Option<LanguageTag> {
    let short = SHORT_CODES
        .iter()
        .find(|(long, _)| *long == code)
        .map_or(code, |(_, short)| short);
    LanguageTag::parse(short).ok()
}

/// ISO 639-3 codes of the detector with the shorter ones that BCP 47 asks for.
const SHORT_CODES: [(&str, &str); 70] = [
    ("epo", "eo"),
    ("eng", "en"),
    ("rus", "ru"),
    ("cmn", "zh"),
    ("spa", "es"),
    ("por", "pt"),
    ("ita", "it"),
    ("ben", "bn"),
    ("fra", "fr"),
    ("deu", "de"),
    ("ukr", "uk"),
    ("kat", "ka"),
    ("ara", "ar"),
    ("hin", "hi"),
    ("jpn", "ja"),
    ("heb", "he"),
    ("yid", "yi"),
    ("pol", "pl"),
    ("amh", "am"),
    ("jav", "jv"),
    ("kor", "ko"),
    ("nob", "nb"),
    ("dan", "da"),
    ("swe", "sv"),
    ("fin", "fi"),
    ("tur", "tr"),
    ("nld", "nl"),
    ("hun", "hu"),
    ("ces", "cs"),
    ("ell", "el"),
    ("bul", "bg"),
    ("bel", "be"),
    ("mar", "mr"),
    ("kan", "kn"),
    ("ron", "ro"),
    ("slv", "sl"),
    ("hrv", "hr"),
    ("srp", "sr"),
    ("mkd", "mk"),
    ("lit", "lt"),
    ("lav", "lv"),
    ("est", "et"),
    ("tam", "ta"),
    ("vie", "vi"),
    ("urd", "ur"),
    ("tha", "th"),
    ("guj", "gu"),
    ("uzb", "uz"),
    ("pan", "pa"),
    ("aze", "az"),
    ("ind", "id"),
    ("tel", "te"),
    ("pes", "fa"),
    ("mal", "ml"),
    ("ori", "or"),
    ("mya", "my"),
    ("nep", "ne"),
    ("sin", "si"),
    ("khm", "km"),
    ("tuk", "tk"),
    ("aka", "ak"),
    ("zul", "zu"),
    ("sna", "sn"),
    ("afr", "af"),
    ("lat", "la"),
    ("slk", "sk"),
    ("cat", "ca"),
    ("tgl", "tl"),
    ("hye", "hy"),
    ("cym", "cy"),
];

impl fmt::Display for LanguageTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<LanguageTag> for String {
    fn from(tag: LanguageTag) -> Self {
        tag.0
    }
}

impl TryFrom<String> for LanguageTag {
    type Error = LanguageTagError;
    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::parse(&text)
    }
}

/// Names what is translated from and into.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LanguagePair {
    /// Language of the source text.
    pub source: LanguageTag,
    /// Language of the target text.
    pub target: LanguageTag,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tag(text: &str) -> LanguageTag {
        LanguageTag::parse(text).unwrap()
    }

    #[test]
    fn tags_are_read_in_any_case_and_written_in_one() {
        for (text, expected) in [
            ("de", "de"),
            ("PT_br", "pt-BR"),
            ("zh-hant", "zh-Hant"),
            ("ZH-HANT-tw", "zh-Hant-TW"),
            ("es-419", "es-419"),
            ("sl-ROZAJ-biske", "sl-rozaj-biske"),
            ("de-1996", "de-1996"),
            (" en ", "en"),
        ] {
            assert_eq!(tag(text).as_str(), expected);
        }
        for text in [
            "",
            "e",
            "english",
            "de-",
            "de-DE-Latn",
            "de-DE-AT",
            "d1",
            "../de",
            "de DE",
        ] {
            assert_eq!(
                LanguageTag::parse(text),
                Err(LanguageTagError(text.to_owned()))
            );
        }
    }

    #[test]
    fn direction_and_spacing_follow_script_before_language() {
        for (text, rtl) in [
            ("ar", true),
            ("he-IL", true),
            ("az-Arab", true),
            ("ar-Latn", false),
            ("de", false),
        ] {
            assert_eq!(tag(text).is_rtl(), rtl, "{text}");
        }
        for (text, unspaced) in [
            ("zh-Hans", true),
            ("ja", true),
            ("ja-Latn", false),
            ("ko", false),
        ] {
            assert_eq!(tag(text).is_unspaced(), unspaced, "{text}");
        }
    }

    #[test]
    fn a_pack_serves_its_language_and_its_variants() {
        for (pack, wanted, expected) in [
            ("pt", "pt", true),
            ("pt", "pt-BR", true),
            ("pt-BR", "pt-BR", true),
            ("pt-BR", "pt-PT", false),
            ("pt-BR", "pt", false),
            ("es", "pt", false),
            ("zh", "zh-CN", true),
            ("zh", "zh-TW", false),
            ("zh-Hant", "zh-Hant-HK", true),
        ] {
            assert_eq!(
                serves(&tag(pack), &tag(wanted)),
                expected,
                "{pack} {wanted}"
            );
        }
    }

    #[test]
    fn a_language_is_told_when_it_can_be() {
        let english = "Fill the tank before the first run and never run the pump dry. ".repeat(200);
        let german =
            "Füllen Sie den Tank vor dem ersten Start und lassen Sie die Pumpe nie trocken laufen.";
        let chinese = "清晨的码头还笼罩在薄雾里，渔船一只接一只地离开岸边。";
        let found = [&english, german, chinese, "ok"].map(|text| detect(text).map(String::from));
        assert_eq!(
            found,
            [
                Some("en".into()),
                Some("de".into()),
                Some("zh".into()),
                None
            ]
        );
    }
}
