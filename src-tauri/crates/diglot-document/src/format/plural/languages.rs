//! The plural rules of the languages: those of `msginit` of GNU gettext 0.21 where it knows a
//! language, else those of the Unicode CLDR 36 for whole numbers. Must not know how a rule is read.

const NONE: &str = "nplurals=1; plural=0;";
const NOT_ONE: &str = "nplurals=2; plural=(n != 1);";
const ABOVE_ONE: &str = "nplurals=2; plural=(n > 1);";
const DUAL: &str = "nplurals=3; plural=n==1 ? 0 : n==2 ? 1 : 2;";
const CZECH: &str = "nplurals=3; plural=(n==1) ? 0 : (n>=2 && n<=4) ? 1 : 2;";
const POLISH: &str =
    "nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);";
const RUSSIAN: &str = "nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);";
const LITHUANIAN: &str =
    "nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && (n%100<10 || n%100>=20) ? 1 : 2);";
const LATVIAN: &str = "nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n != 0 ? 1 : 2);";
const ROMANIAN: &str = "nplurals=3; plural=n==1 ? 0 : (n==0 || (n%100 > 0 && n%100 < 20)) ? 1 : 2;";
const SLOVENIAN: &str =
    "nplurals=4; plural=(n%100==1 ? 0 : n%100==2 ? 1 : n%100==3 || n%100==4 ? 2 : 3);";
const ICELANDIC: &str = "nplurals=2; plural=(n%10==1 && n%100!=11 ? 0 : 1);";
const FILIPINO: &str = "nplurals=2; plural=(n>3 && (n%10==4 || n%10==6 || n%10==9));";
const GAELIC: &str =
    "nplurals=4; plural=(n==1 || n==11) ? 0 : (n==2 || n==12) ? 1 : (n>2 && n<20) ? 2 : 3;";
const WELSH: &str =
    "nplurals=6; plural=(n==0) ? 0 : (n==1) ? 1 : (n==2) ? 2 : (n==3) ? 3 : (n==6) ? 4 : 5;";
const MALTESE: &str = "nplurals=4; plural=(n==1 ? 0 : n==0 || (n%100>1 && n%100<11) ? 1 : n%100>10 && n%100<20 ? 2 : 3);";
const ARABIC: &str = "nplurals=6; plural=(n==0 ? 0 : n==1 ? 1 : n==2 ? 2 : n%100>=3 && n%100<=10 ? 3 : n%100>=11 ? 4 : 5);";
const BRETON: &str = "nplurals=5; plural=(n%10==1 && n%100!=11 && n%100!=71 && n%100!=91 ? 0 : n%10==2 && n%100!=12 && n%100!=72 && n%100!=92 ? 1 : (n%10==3 || n%10==4 || n%10==9) && n%100/10!=1 && n%100/10!=7 && n%100/10!=9 ? 2 : n!=0 && n%1000000==0 ? 3 : 4);";

/// Languages by their rule; a tag with a region goes before its language.
const TABLE: &[(&str, &[&str])] = &[
    (
        NONE,
        &[
            "bm", "bo", "dz", "id", "ig", "ii", "ja", "jv", "km", "ko", "lo", "ms", "my", "sah",
            "su", "th", "to", "vi", "wo", "yo", "zh",
        ],
    ),
    (
        NOT_ONE,
        &[
            "af", "an", "ast", "az", "bg", "ca", "da", "de", "el", "en", "eo", "es", "et", "eu",
            "fi", "fo", "fur", "fy", "gl", "ha", "he", "hu", "ia", "it", "ka", "kk", "ku", "ky",
            "lb", "ml", "mn", "mr", "nb", "ne", "nl", "nn", "no", "or", "ps", "pt", "rm", "sd",
            "so", "sq", "sv", "sw", "ta", "te", "tk", "tr", "ug", "ur", "uz",
        ],
    ),
    (
        ABOVE_ONE,
        &[
            "ak", "am", "as", "bn", "fa", "ff", "fr", "gu", "hi", "hy", "kab", "kn", "ln", "mg",
            "oc", "pa", "pt-BR", "si", "ti", "wa", "zu",
        ],
    ),
    (DUAL, &["ga", "iu", "se"]),
    (CZECH, &["cs", "sk"]),
    (POLISH, &["pl"]),
    (RUSSIAN, &["be", "bs", "hr", "ru", "sr", "uk"]),
    (LITHUANIAN, &["lt"]),
    (LATVIAN, &["lv"]),
    (ROMANIAN, &["ro"]),
    (SLOVENIAN, &["dsb", "hsb", "sl"]),
    (ICELANDIC, &["is", "mk"]),
    (FILIPINO, &["fil", "tl"]),
    (GAELIC, &["gd"]),
    (WELSH, &["cy"]),
    (MALTESE, &["mt"]),
    (ARABIC, &["ar"]),
    (BRETON, &["br"]),
];

/// Returns the rule of a language tag, exactly as it is given.
pub(super) fn rule(tag: &str) -> Option<&'static str> {
    all().find(|(known, _)| *known == tag).map(|(_, rule)| rule)
}

/// Lists the known tags with their rules.
pub(super) fn all() -> impl Iterator<Item = (&'static str, &'static str)> {
    let spread = |(rule, tags): &'static (&'static str, &'static [&'static str])| {
        tags.iter().map(|tag| (*tag, *rule))
    };
    TABLE.iter().flat_map(spread)
}
