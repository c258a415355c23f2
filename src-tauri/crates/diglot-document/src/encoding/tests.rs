use proptest::prelude::*;

use super::*;

/// Decodes, and returns the text, the encoding's name and whether it is a guess.
fn check(bytes: &[u8], label: Option<&str>, expected: (&str, &str, bool)) {
    let decoded = Decoded::new(bytes, label).unwrap();
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
    let decoded = Decoded::new(b"plain", Some("klingon-8")).unwrap();
    assert_eq!((decoded.encoding.name, decoded.doubtful), ("UTF-8", true));
}

#[test]
fn broken_utf8_stays_utf8() {
    let decoded = Decoded::new(b"Broken \xC3( and \xFF here.", None).unwrap();
    assert_eq!(decoded.text, "Broken \u{FFFD}( and \u{FFFD} here.");
    assert_eq!(
        (decoded.encoding.name, decoded.invalid),
        ("UTF-8", vec![7, 16])
    );
    let decoded = Decoded::new("Größe, Maß und \u{0}".replace('\0', "").as_bytes(), None).unwrap();
    assert_eq!(decoded.invalid, []);
    let mostly = [b"Gr\xC3\xB6\xC3\x9Fe ".as_slice(), b"kaputt\xFC"].concat();
    assert_eq!(Decoded::new(&mostly, None).unwrap().encoding.name, "UTF-8");
}

#[test]
fn bytes_that_are_no_text_are_refused() {
    for bytes in [
        b"\x89PNG\r\n\0\0".as_slice(),
        b"\x01\x02\x03abc",
        b"\xFF\xFE\0\0a\0",
    ] {
        assert_eq!(
            Decoded::new(bytes, None).unwrap_err(),
            Untranslatable::Binary
        );
    }
}

#[test]
fn characters_that_do_not_fit_are_named_once() {
    let latin = TextEncoding {
        name: "windows-1252",
        bom: false,
        guessed: true,
    };
    assert_eq!(latin.encode("für 5 €").unwrap().as_ref(), b"f\xFCr 5 \x80");
    assert_eq!(latin.encode("日本 日 ok").unwrap_err(), "日本");
}

/// Every character's bytes are found again, and joined give the file.
fn check_ranges(bytes: &[u8], label: Option<&str>) {
    let Ok(decoded) = Decoded::new(bytes, label) else {
        return;
    };
    let span = |(at, c): (usize, char)| Span::new(at, at + c.len_utf8());
    let spans: Vec<Span> = decoded.text.char_indices().map(span).collect();
    let ranges = decoded.byte_ranges(bytes, &spans);
    let mut at = decoded.encoding.bom_length();
    for (range, span) in ranges.iter().zip(&spans) {
        assert!(
            range.start == at || range.start == range.end,
            "{range:?} after {at}"
        );
        at = range.end;
        let valid = decoded.invalid.is_empty() && decoded.encoding.name != "ISO-2022-JP";
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
    let decoded = Decoded::new(escaped, Some("iso-2022-jp")).unwrap();
    assert_eq!(decoded.text, "A ここ z");
    let range = decoded.byte_ranges(escaped, &[Span::new(2, 8)]);
    assert_eq!(range.first(), Some(&(2..12)));
}

proptest! {
    #[test]
    fn any_bytes_keep_their_places(bytes in proptest::collection::vec(any::<u8>(), 0..64)) {
        check_ranges(&bytes, None);
        for label in ["utf-8", "windows-1251", "gbk", "shift_jis", "big5", "euc-kr"] {
            check_ranges(&bytes, Some(label));
        }
        check_ranges(&[b"\xFF\xFE".as_slice(), &bytes].concat(), None);
    }
}
