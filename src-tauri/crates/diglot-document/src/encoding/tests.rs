use proptest::prelude::*;

use super::*;

mod choice;

fn decode(bytes: &[u8], label: Option<&str>) -> Result<Decoded, Untranslatable> {
    let hints = EncodingHints {
        chosen: label,
        ..EncodingHints::default()
    };
    Decoded::new(bytes, &hints)
}

/// Decodes, and returns the text, the encoding's name and whether it is a guess.
fn check(bytes: &[u8], label: Option<&str>, expected: (&str, &str, bool)) {
    let decoded = decode(bytes, label).unwrap();
    let TextEncoding { name, guessed, .. } = decoded.encoding;
    assert_eq!((decoded.text.as_str(), name, guessed), expected);
}

#[test]
fn marks_and_valid_utf8_are_certain() {
    check("Größe".as_bytes(), None, ("Größe", "UTF-8", false));
    check(b"\xEF\xBB\xBFa", None, ("a", "UTF-8", false));
    check(b"\xFF\xFEa\0\xAC\x20", None, ("a€", "UTF-16LE", false));
    check(b"\xFE\xFF\0a\x20\xAC", None, ("a€", "UTF-16BE", false));
    check(b"", None, ("", "UTF-8", false));
}

#[test]
fn legacy_text_is_guessed_and_a_person_may_know_better() {
    let western = b"Der Pr\xFCfer misst die Gr\xF6\xDFe.";
    check(
        western,
        None,
        ("Der Prüfer misst die Größe.", "windows-1252", true),
    );
    let chinese = encoding_rs::GBK
        .encode("夜里下了一场雨。他打开窗户，街上没有人。")
        .0;
    check(
        &chinese,
        None,
        ("夜里下了一场雨。他打开窗户，街上没有人。", "GBK", true),
    );
    let japanese = encoding_rs::SHIFT_JIS
        .encode("表示はソフトで行う。ｱｲｳの順")
        .0;
    check(
        &japanese,
        Some("shift_jis"),
        ("表示はソフトで行う。ｱｲｳの順", "Shift_JIS", false),
    );
}

#[test]
fn an_unknown_label_is_passed_over_and_reported() {
    let decoded = decode(b"plain", Some("klingon-8")).unwrap();
    assert_eq!((decoded.encoding.name, decoded.doubtful), ("UTF-8", true));
}

#[test]
fn broken_utf8_stays_utf8() {
    let decoded = decode(b"Broken \xC3( and \xFF here.", None).unwrap();
    assert_eq!(decoded.text, "Broken \u{FFFD}( and \u{FFFD} here.");
    assert_eq!(
        (decoded.encoding.name, decoded.invalid),
        ("UTF-8", vec![7, 16])
    );
    let decoded = decode("Größe, Maß und \u{0}".replace('\0', "").as_bytes(), None).unwrap();
    assert!(decoded.invalid.is_empty(), "{:?}", decoded.invalid);
    let mostly = [b"Gr\xC3\xB6\xC3\x9Fe ".as_slice(), b"kaputt\xFC"].concat();
    assert_eq!(decode(&mostly, None).unwrap().encoding.name, "UTF-8");
}

#[test]
fn bytes_that_are_no_text_are_refused() {
    for bytes in [
        b"\x89PNG\r\n\0\0".as_slice(),
        b"\x01\x02\x03abc",
        b"\xFF\xFE\0\0a\0",
    ] {
        assert_eq!(decode(bytes, None).unwrap_err(), Untranslatable::Binary);
    }
}

fn named(name: &'static str) -> TextEncoding {
    TextEncoding {
        name,
        bom: false,
        guessed: false,
        declared: None,
    }
}

#[test]
fn characters_that_do_not_fit_are_named_once() {
    for (name, text, expected) in [
        ("windows-1252", "f\u{FC}r 5 €", Ok(&b"f\xFCr 5 \x80"[..])),
        ("windows-1252", "日本 日 ok", Err("日本")),
        ("ISO-8859-1", "„für“ 5 €", Err("„“€")),
        ("ISO-8859-15", "5 €", Ok(b"5 \xA4")),
        ("US-ASCII", "Maß", Err("ß")),
        ("GB2312", "中國", Err("國")),
        ("GBK", "中國", Ok(b"\xD6\xD0\x87\xF8")),
        // The web writes these as a backslash, a tilde and a full-width letter.
        ("Shift_JIS", "¥‾−A", Err("¥‾−")),
        ("ISO-2022-JP", "ｱ", Err("ｱ")),
        ("UTF-16BE", "a€", Ok(b"\0a\x20\xAC")),
        ("UTF-8", "a", Ok(b"a")),
    ] {
        let found = named(name).encode(text).map(Cow::into_owned);
        let expected = expected.map(<[u8]>::to_vec).map_err(str::to_owned);
        assert_eq!(found, expected, "{name}");
        assert_eq!(named(name).missing_characters(text), expected.err());
    }
}

#[test]
fn a_long_text_that_does_not_fit_is_told_at_once() {
    let text: String = ('\u{4E00}'..'\u{9000}').cycle().take(300_000).collect();
    let missing = named("windows-1252").missing_characters(&text).unwrap();
    assert_eq!(missing.chars().count(), 0x9000 - 0x4E00);
}

/// Every character's bytes are found again, and joined give the file.
fn check_ranges(bytes: &[u8], label: Option<&str>) {
    let Ok(decoded) = decode(bytes, label) else {
        return;
    };
    let span = |(at, c): (usize, char)| Span::new(at, at + c.len_utf8());
    let spans: Vec<Span> = decoded.text.char_indices().map(span).collect();
    let ranges = decoded.byte_ranges(bytes, &spans);
    let mut at = decoded.encoding.bom_length();
    let escapes = decoded.encoding.name == "ISO-2022-JP";
    for (range, span) in ranges.iter().zip(&spans) {
        assert!(
            range.start == at || range.start == range.end,
            "{range:?} after {at}"
        );
        at = range.end;
        let valid = decoded.invalid.is_empty() && !escapes;
        if valid && decoded.encoding.table().is_single_byte() {
            let text = span.of(&decoded.text);
            assert_eq!(
                decoded.encoding.encode(text).unwrap().as_ref(),
                &bytes[range.clone()]
            );
        }
    }
}

#[test]
fn every_encoding_finds_its_way_back() {
    let text = "表示はソフトで行う。ABC ｱｲｳ\r\n次の行";
    for table in [
        encoding_rs::SHIFT_JIS,
        encoding_rs::EUC_JP,
        encoding_rs::GB18030,
    ] {
        let bytes = table.encode(text).0;
        check_ranges(&bytes, Some(table.name()));
    }
    let escaped = b"A \x1b$B$3$3\x1b(B z";
    let decoded = decode(escaped, Some("iso-2022-jp")).unwrap();
    assert_eq!(decoded.text, "A ここ z");
    let range = decoded.byte_ranges(escaped, &[Span::new(2, 8)]);
    assert_eq!(range.first(), Some(&(2..9)));
}

/// Characters of every script that some encoding holds.
const REPERTOIRE: &str =
    "[a-z \\r\\n€„“äßéőžğñЖяѐїΩήאשعيกา夜里下雨國表示ソフトｱｲ。한국어﷼đĳ]{0,40}";

proptest! {
    #[test]
    fn what_is_encoded_is_decoded(text in REPERTOIRE) {
        for name in encodings() {
            let held: String = text
                .chars()
                .filter(|c| named(name).encode(&c.to_string()).is_ok())
                .collect();
            let bytes = named(name).encode(&held).unwrap().into_owned();
            prop_assert_eq!(decode(&bytes, Some(name)).unwrap().text, held, "{}", name);
            check_ranges(&bytes, Some(name));
        }
    }

    #[test]
    fn any_bytes_keep_their_places(bytes in proptest::collection::vec(any::<u8>(), 0..64)) {
        check_ranges(&bytes, None);
        for label in encodings() {
            check_ranges(&bytes, Some(label));
        }
        check_ranges(&[b"\xFF\xFE".as_slice(), &bytes].concat(), None);
    }
}
