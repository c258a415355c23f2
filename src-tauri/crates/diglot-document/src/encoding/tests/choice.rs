//! Tables: small files of each encoding, what they say of themselves, and how they are read.

use super::*;
use crate::LanguageTag;

/// Encodes a text in the web's name of an encoding; UTF-16 without a mark.
fn bytes(name: &str, text: &str) -> Vec<u8> {
    let name = label::exact(name).unwrap();
    named(name).encode(text).unwrap().into_owned()
}

/// Says what becomes of a file.
#[derive(Debug, PartialEq, Eq)]
struct Read<'a> {
    text: &'a str,
    name: &'static str,
    declared: Option<&'static str>,
    doubtful: bool,
}

fn read_as<'a>(bytes: &[u8], hints: &EncodingHints<'_>, text: &'a str) -> Read<'a> {
    let decoded = Decoded::new(bytes, hints).unwrap();
    assert_eq!(decoded.text, text);
    let TextEncoding { name, declared, .. } = decoded.encoding;
    Read {
        text,
        name,
        declared,
        doubtful: decoded.doubtful,
    }
}

/// Reads `text`, encoded in `is`, without any hint.
fn check(is: &str, text: &str, name: &'static str, declared: Option<&'static str>, doubtful: bool) {
    let expected = Read {
        text,
        name,
        declared,
        doubtful,
    };
    let found = read_as(&bytes(is, text), &EncodingHints::default(), text);
    assert_eq!(found, expected, "{is}");
}

const GERMAN: &str = "Der Prüfer misst die Größe, wählt „groß“ und prüft für 5 Euro.";
const POLISH: &str = "Zażółć gęślą jaźń. Wszystkie zmiany są zapisywane, a później wysyłane.";
const RUSSIAN: &str = "Перед первым пуском наполните бак водой и проверьте давление насоса.";
const UKRAINIAN: &str =
    "Перед першим пуском наповніть бак водою і перевірте її тиск, щоб об'єкт не вийшов із ладу.";
const GREEK: &str = "Γεμίστε τη δεξαμενή πριν από την πρώτη εκκίνηση της αντλίας.";
const TURKISH: &str =
    "İlk çalıştırmadan önce depoyu doldurun; pompayı asla kuru çalıştırmayın, ağır değil.";
const HEBREW: &str = "מלאו את המיכל לפני ההפעלה הראשונה ואל תפעילו את המשאבה יבשה.";
const ARABIC: &str = "املأ الخزان قبل التشغيل الأول ولا تشغل المضخة وهي جافة أبدا.";
const THAI: &str = "เติมน้ำในถังก่อนใช้งานครั้งแรก และห้ามใช้งานปั๊มโดยไม่มีน้ำ";
const CHINESE: &str = "夜里下了一场雨。他打开窗户，街上没有人。";
const TRADITIONAL: &str = "夜裡下了一場雨。他打開窗戶，街上沒有人。";
const JAPANESE: &str = "表示はソフトで行う。このボタンの順に押すと終わる。";
const KOREAN: &str = "처음 사용하기 전에 물통을 채우고 펌프를 절대로 물 없이 돌리지 마십시오.";

#[test]
fn what_says_nothing_is_guessed() {
    for (is, text) in [
        ("windows-1252", GERMAN),
        ("windows-1250", POLISH),
        ("ISO-8859-2", POLISH),
        ("windows-1251", RUSSIAN),
        ("KOI8-U", UKRAINIAN),
        ("ISO-8859-5", RUSSIAN),
        ("windows-1253", GREEK),
        ("windows-1254", TURKISH),
        ("windows-1255", HEBREW),
        ("windows-1256", ARABIC),
        ("windows-874", THAI),
        ("GBK", CHINESE),
        ("Big5", TRADITIONAL),
        ("Shift_JIS", JAPANESE),
        ("EUC-JP", JAPANESE),
        ("EUC-KR", KOREAN),
    ] {
        check(is, text, label::exact(is).unwrap(), None, true);
    }
    // Beyond what GBK holds in two bytes.
    check(
        "gb18030",
        "夜里下了一场雨。他打开窗户，街上没有人。😀",
        "gb18030",
        None,
        true,
    );
}

#[test]
fn what_is_certain_is_no_guess() {
    for (is, text) in [
        ("UTF-8", GERMAN),
        ("UTF-8", "plain"),
        ("UTF-16LE", GERMAN),
        ("UTF-16BE", "A line.\r\nAnother.\r\n"),
        (
            "UTF-16LE",
            "夜里下了一场雨。\n他打开窗户，街上没有一个人。\n",
        ),
        (
            "UTF-16BE",
            "夜里下了一场雨。\n他打开窗户，街上没有一个人。\n",
        ),
    ] {
        check(is, text, label::exact(is).unwrap(), None, false);
    }
}

#[test]
fn what_is_declared_is_believed() {
    for (is, text, name) in [
        (
            "ISO-8859-1",
            "<?xml version=\"1.0\" encoding=\"latin1\"?><a>Größe</a>",
            "ISO-8859-1",
        ),
        (
            "US-ASCII",
            "<?xml version=\"1.0\" encoding=\"latin1\"?><a>plain</a>",
            "ISO-8859-1",
        ),
        (
            "US-ASCII",
            "<?xml version=\"1.0\" encoding=\"ascii\"?><a>plain</a>",
            "US-ASCII",
        ),
        (
            "windows-1252",
            "<!doctype html><meta charset=iso-8859-1><p>„Größe“",
            "windows-1252",
        ),
        (
            "Shift_JIS",
            "<html><meta charset=\"shift_jis\">ｱｲｳ表",
            "Shift_JIS",
        ),
        ("EUC-JP", "# -*- coding: euc-jp -*-\n漢字", "EUC-JP"),
        (
            "KOI8-R",
            "msgid \"\"\nmsgstr \"Content-Type: text/plain; charset=KOI8-R\\n\"\n\"Content-Type: text/plain; charset=KOI8-R\\n\"\n\nмир",
            "KOI8-R",
        ),
        (
            "GBK",
            "<?xml version=\"1.0\" encoding=\"GBK\"?>一 一",
            "GBK",
        ),
        (
            "UTF-16LE",
            "<?xml version=\"1.0\" encoding=\"utf-16\"?><a>Größe</a>",
            "UTF-16LE",
        ),
        (
            "UTF-8",
            "<?xml version=\"1.0\" encoding=\"utf-8\"?><a>Größe</a>",
            "UTF-8",
        ),
    ] {
        let declared = Some(name);
        let doubtful = text.contains("一 一");
        check(is, text, name, declared, doubtful);
    }
}

#[test]
fn bytes_that_contradict_what_they_declare_are_read_as_they_are() {
    let xml =
        |label: &str, text: &str| format!("<?xml version=\"1.0\" encoding=\"{label}\"?>{text}");
    for (is, label, text, declared) in [
        ("UTF-8", "ISO-8859-1", "Größe", Some("ISO-8859-1")),
        ("UTF-8", "GBK", CHINESE, Some("GBK")),
        ("UTF-8", "UTF-16", "Größe", Some("UTF-16LE")),
        ("UTF-8", "klingon-8", "Größe", None),
        ("windows-1251", "UTF-8", RUSSIAN, Some("UTF-8")),
        ("GBK", "Big5", CHINESE, Some("Big5")),
        ("windows-1252", "US-ASCII", GERMAN, Some("US-ASCII")),
        ("windows-1252", "ISO-8859-1", GERMAN, Some("ISO-8859-1")),
        ("UTF-16BE", "UTF-8", "Größe", Some("UTF-8")),
    ] {
        check(
            is,
            &xml(label, text),
            label::exact(is).unwrap(),
            declared,
            true,
        );
    }
    let marked = [
        b"\xEF\xBB\xBF".as_slice(),
        xml("latin1", "Größe").as_bytes(),
    ]
    .concat();
    let found = Decoded::new(&marked, &EncodingHints::default()).unwrap();
    assert_eq!((found.encoding.name, found.doubtful), ("UTF-8", true));
}

#[test]
fn a_few_broken_bytes_leave_the_declared_encoding() {
    let mut broken = bytes("Shift_JIS", &format!("<html><meta charset=sjis>{JAPANESE}"));
    broken.extend(b"\xFF.");
    let found = Decoded::new(&broken, &EncodingHints::default()).unwrap();
    assert_eq!((found.encoding.name, found.invalid.len()), ("Shift_JIS", 1));
}

#[test]
fn the_language_decides_and_settles_the_doubt() {
    // Fits GBK, Shift_JIS and others.
    let kana = b"\xB1\xB2\xB3\x82\xCC\x8F\x87";
    for (bytes, language, name, doubtful) in [
        (&kana[..], "ja", "Shift_JIS", true),
        (&bytes("GBK", CHINESE), "zh-Hans", "GBK", false),
        // A language that the bytes do not fit decides nothing.
        (&bytes("GBK", CHINESE), "ja", "GBK", true),
        (&bytes("GBK", CHINESE), "zh-TW", "GBK", true),
        (&bytes("windows-1252", GERMAN), "de", "windows-1252", false),
        (&bytes("windows-1252", GERMAN), "tlh", "windows-1252", true),
        (&bytes("Shift_JIS", JAPANESE), "en", "Shift_JIS", true),
    ] {
        let language = LanguageTag::parse(language).unwrap();
        let hints = EncodingHints {
            language: Some(&language),
            ..EncodingHints::default()
        };
        let found = Decoded::new(bytes, &hints).unwrap();
        assert_eq!(
            (found.encoding.name, found.doubtful, found.encoding.guessed),
            (name, doubtful, true),
            "{language}"
        );
    }
}

#[test]
fn a_format_may_have_an_encoding_of_its_own() {
    let hints = EncodingHints {
        default: Some("ISO-8859-1"),
        ..EncodingHints::default()
    };
    for (is, text, name, doubtful) in [
        ("US-ASCII", "key=value", "US-ASCII", false),
        (
            "ISO-8859-1",
            "key=Der Prüfer misst die Größe",
            "ISO-8859-1",
            false,
        ),
        ("UTF-8", "key=Größe", "UTF-8", false),
        ("windows-1251", RUSSIAN, "windows-1251", true),
    ] {
        let found = read_as(&bytes(is, text), &hints, text);
        assert_eq!((found.name, found.doubtful), (name, doubtful), "{is}");
    }
}

#[test]
fn what_a_person_chose_counts_unless_a_mark_says_otherwise() {
    let choose = |label| EncodingHints {
        chosen: Some(label),
        ..EncodingHints::default()
    };
    let text = "<meta charset=utf-8>";
    let found = read_as(text.as_bytes(), &choose("koi8-r"), text);
    assert_eq!((found.name, found.doubtful), ("KOI8-R", false));
    let marked = Decoded::new(b"\xFF\xFEa\0", &choose("koi8-r")).unwrap();
    assert_eq!(marked.encoding.name, "UTF-16LE");
}

#[test]
fn nul_bytes_are_wide_text_only_where_that_is_sure() {
    for bytes in [
        &b"\0\0\0\0"[..],
        b"a\0b",
        b"\x01\0\x02\0\x03\0",
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
        b"ab\0\xD8cd\0\xD8",
    ] {
        let found = Decoded::new(bytes, &EncodingHints::default());
        assert_eq!(found.unwrap_err(), Untranslatable::Binary);
    }
}
