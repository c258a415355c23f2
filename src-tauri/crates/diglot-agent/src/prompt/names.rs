//! English names of languages, for prompts: a tag says a language exactly, a name makes it plain to a model.

use diglot_document::LanguageTag;

/// Whole tags whose name says more than that of their language.
const TAGS: [(&str, &str); 12] = [
    ("zh-Hans", "Simplified Chinese"),
    ("zh-Hant", "Traditional Chinese"),
    ("zh-CN", "Simplified Chinese"),
    ("zh-TW", "Traditional Chinese (Taiwan)"),
    ("zh-HK", "Traditional Chinese (Hong Kong)"),
    ("pt-BR", "Brazilian Portuguese"),
    ("pt-PT", "European Portuguese"),
    ("en-GB", "British English"),
    ("en-US", "American English"),
    ("es-419", "Latin American Spanish"),
    ("fr-CA", "Canadian French"),
    ("sr-Latn", "Serbian in Latin script"),
];

/// Primary languages by their ISO 639 code.
const LANGUAGES: [(&str, &str); 64] = [
    ("af", "Afrikaans"),
    ("am", "Amharic"),
    ("ar", "Arabic"),
    ("az", "Azerbaijani"),
    ("be", "Belarusian"),
    ("bg", "Bulgarian"),
    ("bn", "Bengali"),
    ("bs", "Bosnian"),
    ("ca", "Catalan"),
    ("cs", "Czech"),
    ("cy", "Welsh"),
    ("da", "Danish"),
    ("de", "German"),
    ("el", "Greek"),
    ("en", "English"),
    ("eo", "Esperanto"),
    ("es", "Spanish"),
    ("et", "Estonian"),
    ("eu", "Basque"),
    ("fa", "Persian"),
    ("fi", "Finnish"),
    ("fil", "Filipino"),
    ("fr", "French"),
    ("ga", "Irish"),
    ("gl", "Galician"),
    ("gu", "Gujarati"),
    ("he", "Hebrew"),
    ("hi", "Hindi"),
    ("hr", "Croatian"),
    ("hu", "Hungarian"),
    ("hy", "Armenian"),
    ("id", "Indonesian"),
    ("is", "Icelandic"),
    ("it", "Italian"),
    ("ja", "Japanese"),
    ("ka", "Georgian"),
    ("kk", "Kazakh"),
    ("ko", "Korean"),
    ("lt", "Lithuanian"),
    ("lv", "Latvian"),
    ("mk", "Macedonian"),
    ("ml", "Malayalam"),
    ("mr", "Marathi"),
    ("ms", "Malay"),
    ("nb", "Norwegian Bokmål"),
    ("nl", "Dutch"),
    ("nn", "Norwegian Nynorsk"),
    ("no", "Norwegian"),
    ("pl", "Polish"),
    ("pt", "Portuguese"),
    ("ro", "Romanian"),
    ("ru", "Russian"),
    ("sk", "Slovak"),
    ("sl", "Slovenian"),
    ("sq", "Albanian"),
    ("sr", "Serbian"),
    ("sv", "Swedish"),
    ("sw", "Swahili"),
    ("ta", "Tamil"),
    ("th", "Thai"),
    ("tr", "Turkish"),
    ("uk", "Ukrainian"),
    ("vi", "Vietnamese"),
    ("zh", "Chinese"),
];

/// Names a language with its tag, for instance `German (de)`; the tag alone where no name is known.
pub(super) fn language_name(tag: &LanguageTag) -> String {
    let named = |table: &[(&str, &'static str)], key: &str| {
        table
            .iter()
            .find(|(code, _)| *code == key)
            .map(|(_, name)| *name)
    };
    let name = named(&TAGS, tag.as_str()).or_else(|| named(&LANGUAGES, tag.primary()));
    name.map_or_else(|| tag.to_string(), |name| format!("{name} ({tag})"))
}
