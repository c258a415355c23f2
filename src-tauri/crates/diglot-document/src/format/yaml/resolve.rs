//! What a scalar without quotes is to YAML 1.1 and 1.2: text, or a number, a truth value, a date. Must
//! not know where it stands.

/// ISO 639-1, which tells names of languages from other keys of two letters.
const LANGUAGES: &str = "aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch \
    co cr cs cu cv cy da de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he \
    hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv \
    kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny \
    oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su \
    sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu";

/// Tells whether both versions read a plain scalar as text.
pub(super) fn is_string(value: &str) -> bool {
    const WORDS: [&str; 16] = [
        "", "~", "null", "true", "false", "yes", "no", "on", "off", "y", "n", "<<", "=", ".nan",
        ".inf", "-",
    ];
    let lower = value.to_lowercase();
    let number = lower.contains(|c: char| c.is_ascii_digit())
        && lower.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c))
        && lower
            .bytes()
            .all(|b| b.is_ascii_hexdigit() || b"+-._:xotz \t".contains(&b));
    let infinite = lower.trim_start_matches(['+', '-']) == ".inf";
    !WORDS.contains(&lower.as_str()) && !number && !infinite
}

/// Tells whether a key names a language: `en`, `pt-BR`, `zh_Hans`.
pub(super) fn is_language(key: &str) -> bool {
    let mut parts = key.split(['-', '_']);
    let primary = parts.next().unwrap_or_default();
    let word = |part: &str| {
        (2..=4).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_alphanumeric())
    };
    LANGUAGES.split(' ').any(|code| code == primary) && parts.all(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_text_and_numbers_are_not() {
        for value in [
            "Hello", "a", "No way", "1 litre", "...", "e", "-x", "Ja", "v1.2",
        ] {
            assert!(is_string(value), "{value}");
        }
        for value in [
            "No",
            "yes",
            "NULL",
            "~",
            "1",
            "-1.5e3",
            "0x1F",
            "1_000",
            "12:30",
            "2024-05-01",
            "2001-12-14t21:59:43.10-05:00",
            "+.INF",
            ".5",
            "=",
        ] {
            assert!(!is_string(value), "{value}");
        }
    }

    #[test]
    fn languages_are_told_from_other_keys() {
        for key in ["en", "pt-BR", "zh_Hans", "es-419"] {
            assert!(is_language(key), "{key}");
        }
        for key in ["ui", "app", "en-", "site", "en_translation"] {
            assert!(!is_language(key), "{key}");
        }
    }
}
