//! The categories of each language, with the first numbers of each: `plurals.xml` and `ordinals.xml` of
//! the Unicode CLDR 48, in which fractions count as well. Must not know how they are looked up.

use super::Categories;
use super::Category::{Few, Many, One, Other, Two, Zero};

pub(super) const ANY: &str = "all numbers";
const REST: &str = "all other numbers";
pub(super) const FRACTIONS: &str = "fractions";
pub(super) const MILLIONS: &str = "1000000, 2000000 …";
const ENDING_IN_ONE: &str = "1, 21, 31, 41 …";
const ENDING_IN_FEW: &str = "2–4, 22–24, 32–34 …";

/// Languages by their categories; a tag with a region counts before its language.
pub(super) const CARDINALS: &[(Categories, &[&str])] = &[
    (
        &[(Other, ANY)],
        &[
            "id", "ja", "jv", "km", "ko", "lo", "ms", "my", "th", "vi", "yo", "zh",
        ],
    ),
    (
        &[(One, "1"), (Other, REST)],
        &[
            "af", "an", "ast", "az", "bg", "de", "el", "en", "eo", "et", "eu", "fi", "fo", "fur",
            "fy", "gl", "ha", "hu", "ia", "ka", "kk", "ku", "ky", "lb", "ml", "mn", "mr", "nb",
            "ne", "nl", "nn", "no", "or", "ps", "rm", "sc", "sd", "so", "sq", "sv", "sw", "ta",
            "te", "tk", "tr", "ug", "ur", "uz",
        ],
    ),
    (&[(One, "1, 0.1–1.9"), (Other, REST)], &["da"]),
    (
        &[(One, "0, 1, 0.1–0.9"), (Other, REST)],
        &["am", "as", "bn", "fa", "gu", "hi", "kn", "zu"],
    ),
    (&[(One, "0, 1"), (Other, REST)], &["mg", "pa", "ti"]),
    (&[(One, "0, 1, 0.1–1.9"), (Other, REST)], &["hy"]),
    (&[(One, "0, 1, 0.1"), (Other, REST)], &["si"]),
    (
        &[(One, "1"), (Many, MILLIONS), (Other, REST)],
        &["ca", "es", "it", "pt-PT"],
    ),
    (
        &[(One, "0, 1, 0.1–1.9"), (Many, MILLIONS), (Other, REST)],
        &["fr", "pt"],
    ),
    (&[(One, "1, 21, 31, 0.1 …"), (Other, REST)], &["is", "mk"]),
    (
        &[(One, "0–3, 5, 7, 8, 10 …"), (Other, "4, 6, 9, 14 …")],
        &["fil"],
    ),
    (&[(One, "1, 0.1–0.9"), (Two, "2"), (Other, REST)], &["he"]),
    (
        &[
            (One, ENDING_IN_ONE),
            (Few, ENDING_IN_FEW),
            (Many, "0, 5–20, 25–30 …"),
            (Other, FRACTIONS),
        ],
        &["be", "ru", "uk"],
    ),
    (
        &[
            (One, "1"),
            (Few, ENDING_IN_FEW),
            (Many, "0, 5–21, 25–31 …"),
            (Other, FRACTIONS),
        ],
        &["pl"],
    ),
    (
        &[
            (One, ENDING_IN_ONE),
            (Few, ENDING_IN_FEW),
            (Other, "0, 5–20, 25–30 …"),
        ],
        &["bs", "hr", "sr"],
    ),
    (
        &[
            (One, "1"),
            (Few, "2–4"),
            (Many, FRACTIONS),
            (Other, "0, 5, 6, 7 …"),
        ],
        &["cs", "sk"],
    ),
    (
        &[
            (One, ENDING_IN_ONE),
            (Few, "2–9, 22–29, 32–39 …"),
            (Many, FRACTIONS),
            (Other, "0, 10–20, 30, 40 …"),
        ],
        &["lt"],
    ),
    (
        &[
            (Zero, "0, 10–20, 30, 40 …"),
            (One, "1, 21, 31, 0.1 …"),
            (Other, "2–9, 22–29, 32–39 …"),
        ],
        &["lv"],
    ),
    (
        &[
            (One, "1"),
            (Few, "0, 2–19, 101–119 …"),
            (Other, "20–100, 120–200 …"),
        ],
        &["ro"],
    ),
    (
        &[
            (One, "1, 101, 201 …"),
            (Two, "2, 102, 202 …"),
            (Few, "3, 4, 103, 104 …, fractions"),
            (Other, "0, 5–100, 105–200 …"),
        ],
        &["sl"],
    ),
    (
        &[
            (One, "1, 101, 201, 0.1 …"),
            (Two, "2, 102, 202, 0.2 …"),
            (Few, "3, 4, 103, 104 …"),
            (Other, "0, 5–100, 105–200 …"),
        ],
        &["dsb", "hsb"],
    ),
    (
        &[
            (Zero, "0"),
            (One, "1"),
            (Two, "2"),
            (Few, "3–10, 103–110 …"),
            (Many, "11–99, 111–199 …"),
            (Other, "100–102, 200–202 …"),
        ],
        &["ar"],
    ),
    (
        &[
            (Zero, "0"),
            (One, "1"),
            (Two, "2"),
            (Few, "3"),
            (Many, "6"),
            (Other, "4, 5, 7, 8 …"),
        ],
        &["cy"],
    ),
    (
        &[
            (One, "1, 21, 31, 41 …"),
            (Two, "2, 22, 32, 42 …"),
            (Few, "3, 4, 9, 23, 24, 29 …"),
            (Many, MILLIONS),
            (Other, "0, 5–8, 10–20 …"),
        ],
        &["br"],
    ),
    (
        &[
            (One, "1"),
            (Two, "2"),
            (Few, "3–6"),
            (Many, "7–10"),
            (Other, "0, 11, 12, 13 …"),
        ],
        &["ga"],
    ),
    (
        &[
            (One, "1, 11"),
            (Two, "2, 12"),
            (Few, "3–10, 13–19"),
            (Other, "0, 20, 21, 22 …"),
        ],
        &["gd"],
    ),
    (
        &[
            (One, "1"),
            (Two, "2"),
            (Few, "0, 3–10, 103–110 …"),
            (Many, "11–19, 111–119 …"),
            (Other, "20–102, 120–202 …"),
        ],
        &["mt"],
    ),
];

/// Languages by the categories of their ordinal numbers.
pub(super) const ORDINALS: &[(Categories, &[&str])] = &[
    (
        &[(Other, ANY)],
        &[
            "af", "am", "an", "ar", "ast", "bg", "br", "bs", "cs", "da", "de", "dsb", "el", "eo",
            "es", "et", "eu", "fa", "fi", "fo", "fur", "fy", "gl", "ha", "he", "hr", "hsb", "ia",
            "id", "is", "ja", "jv", "km", "kn", "ko", "ku", "ky", "lb", "lt", "lv", "mg", "ml",
            "mn", "mt", "my", "nb", "nl", "nn", "no", "pa", "pl", "ps", "pt", "rm", "ru", "sd",
            "si", "sk", "sl", "so", "sr", "sw", "ta", "te", "th", "ti", "tr", "ug", "ur", "uz",
            "yo", "zh", "zu",
        ],
    ),
    (
        &[(One, "1"), (Other, REST)],
        &["fil", "fr", "ga", "hy", "lo", "ms", "ro", "vi"],
    ),
    (
        &[
            (One, "1, 21, 31 …"),
            (Two, "2, 22, 32 …"),
            (Few, "3, 23, 33 …"),
            (Other, "4–20, 24–30 …"),
        ],
        &["en"],
    ),
    (
        &[(One, "1, 2, 21, 22 …"), (Other, "3–20, 23–30 …")],
        &["sv"],
    ),
    (&[(One, "1, 5"), (Other, REST)], &["hu"]),
    (&[(One, "1–4"), (Other, REST)], &["ne"]),
    (&[(Many, "8, 11, 80, 800"), (Other, REST)], &["it", "sc"]),
    (&[(Few, "3, 23, 33 …"), (Other, "1, 2, 4–22 …")], &["uk"]),
    (&[(Few, "2, 3, 22, 23 …"), (Other, "1, 4–21 …")], &["be"]),
    (
        &[
            (One, "1, 3"),
            (Two, "2"),
            (Few, "4"),
            (Other, "5, 6, 7, 8 …"),
        ],
        &["ca"],
    ),
    (
        &[
            (One, "1"),
            (Two, "2, 3"),
            (Few, "4"),
            (Many, "6"),
            (Other, "5, 7, 8, 9 …"),
        ],
        &["gu", "hi"],
    ),
    (
        &[
            (One, "1"),
            (Two, "2, 3"),
            (Few, "4"),
            (Other, "5, 6, 7, 8 …"),
        ],
        &["mr"],
    ),
    (
        &[
            (One, "1, 11"),
            (Two, "2, 12"),
            (Few, "3, 13"),
            (Other, "4–10, 14, 15 …"),
        ],
        &["gd"],
    ),
    (
        &[
            (Zero, "0, 7–9"),
            (One, "1"),
            (Two, "2"),
            (Few, "3, 4"),
            (Many, "5, 6"),
            (Other, "10, 11, 12 …"),
        ],
        &["cy"],
    ),
];
