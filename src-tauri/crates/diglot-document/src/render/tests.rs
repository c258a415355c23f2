use super::*;
use crate::{Format, ParseOptions};

/// Renders a file with its last unit replaced, and every other one left.
fn check(
    format: Format,
    label: &str,
    (text, target): (&str, &str),
    when_missing: WhenMissing,
    expected: Result<&str, &str>,
) {
    let encode = |text: &str| {
        encoding_rs::Encoding::for_label(label.as_bytes())
            .unwrap()
            .encode(text)
            .0
            .into_owned()
    };
    let options = ParseOptions {
        encoding: Some(label.to_owned()),
        ..ParseOptions::default()
    };
    let document = Document::parse(format, &encode(text), &options).unwrap();
    let last = document.segments.len() - 1;
    let found = render_target_with(&document, when_missing, |n| (n == last).then_some(target));
    let expected = match expected {
        Ok(text) if when_missing == WhenMissing::ConvertToUtf8 => Ok(text.as_bytes().to_vec()),
        Ok(text) => Ok(encode(text)),
        Err(characters) => Err(characters.to_owned()),
    };
    assert_eq!(found.map_err(|error| error.characters), expected, "{text}");
    let missing = missing_characters(&document, last, target);
    assert_eq!(
        missing.is_none(),
        when_missing == WhenMissing::Refuse && expected.is_ok()
    );
}

#[test]
fn what_the_encoding_holds_is_written() {
    let texts = ("# Größe\n\nMaß", "für 5 €");
    let expected = Ok("# Größe\n\nfür 5 €");
    check(
        Format::Markdown,
        "windows-1252",
        texts,
        WhenMissing::Refuse,
        expected,
    );
}

#[test]
fn what_it_does_not_hold_is_refused_or_escaped() {
    for (format, text, escaped) in [
        (
            Format::Markdown,
            "# Größe\n\nMaß",
            Ok("# Größe\n\n&#x65E5; a &#x1F600;"),
        ),
        (
            Format::Markdown,
            "| a |\n| - |\n| Maß |",
            Ok("| a |\n| - |\n| &#x65E5; a &#x1F600; |"),
        ),
        (
            Format::Markdown,
            "---\ntitle: \"Maß x\"\n---\n",
            Ok("---\ntitle: \"\\u65E5 a \\U0001F600\"\n---\n"),
        ),
        (
            Format::Json,
            "{\"a\": \"Maß\"}",
            Ok("{\"a\": \"\\u65e5 a \\ud83d\\ude00\"}"),
        ),
        (Format::PlainText, "Maß", Err("日😀")),
    ] {
        let texts = (text, "日 a 😀");
        check(
            format,
            "windows-1252",
            texts,
            WhenMissing::Refuse,
            Err("日😀"),
        );
        check(format, "windows-1252", texts, WhenMissing::Escape, escaped);
    }
}

#[test]
fn a_file_may_become_utf8_and_says_so() {
    for (format, label, text, expected) in [
        (
            Format::Markdown,
            "koi8-r",
            "# Мир\n\nслово\r\n",
            "# Мир\n\n日\r\n",
        ),
        (
            Format::PlainText,
            "gbk",
            "夜里\n\n下雨",
            "\u{FEFF}夜里\n\n😀日",
        ),
        (
            Format::PlainText,
            "iso-2022-jp",
            "-*- coding: iso-2022-jp -*-\n\n雨\n\n降る",
            "-*- coding: utf-8 -*-\n\n雨\n\n😀日",
        ),
    ] {
        let target = if label == "koi8-r" { "日" } else { "😀日" };
        check(
            format,
            label,
            (text, target),
            WhenMissing::ConvertToUtf8,
            Ok(expected),
        );
    }
}

#[test]
fn a_file_with_broken_bytes_is_not_converted() {
    let document = Document::parse(
        Format::PlainText,
        b"\x82\xA0\n\n\xFF\n\n\x82\xA2",
        &ParseOptions {
            encoding: Some("shift_jis".to_owned()),
            ..ParseOptions::default()
        },
    )
    .unwrap();
    let found = render_target_with(&document, WhenMissing::ConvertToUtf8, |_| Some("é"));
    assert_eq!(found.unwrap_err().characters, "é");
}
