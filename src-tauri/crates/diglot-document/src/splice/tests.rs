use proptest::prelude::*;

use crate::{Document, Format, ParseOptions, Unencodable, render_target};

/// Renders plain text with one unit replaced.
fn check(source: &str, ordinal: usize, target: &str, expected: &str) {
    let document = Document::parse(
        Format::PlainText,
        source.as_bytes(),
        &ParseOptions::default(),
    )
    .unwrap();
    let bytes = render_target(&document, |n| (n == ordinal).then_some(target)).unwrap();
    assert_eq!(String::from_utf8(bytes).unwrap(), expected);
}

#[test]
fn lines_take_the_ends_and_prefixes_of_their_own() {
    check("a\r\n  b\n\nc", 0, "x\ny\nz", "x\r\n  y\r\n  z\n\nc");
    check("a\r\n\r\nc", 0, "x\ny", "x\r\ny\r\n\r\nc");
    check("a\r\rc", 1, "x\ny", "a\r\rx\ry");
    check("  one", 0, "x\r\ny", "  x\n  y");
    check("- one\n- two", 0, "x\ny", "- x\n  y\n- two");
}

#[test]
fn what_would_open_another_unit_is_folded_away() {
    check("a\n\nb", 0, " x\n\n y\n", "x\ny\n\nb");
    check("a\n\nb", 0, "x\n- y\n---\nz", "x - y ---\nz\n\nb");
    check("a\n\nb", 0, " \n", "a\n\nb");
    check("a\n\t\u{3000}a", 0, "x\n- y", "x - y");
    check("a\n\t\u{3000}a", 0, "x\n\u{3000}y", "x\n\t\u{3000}y");
}

#[test]
fn what_the_encoding_cannot_hold_is_told_and_not_replaced() {
    let options = ParseOptions {
        encoding: Some("windows-1252".to_owned()),
        ..ParseOptions::default()
    };
    let document = Document::parse(Format::PlainText, b"a\n\nb \xE9", &options).unwrap();
    let answer = |targets: [&'static str; 2]| render_target(&document, |n| targets.get(n).copied());
    assert_eq!(answer(["x", "\u{20AC}\ny"]), Ok(b"x\n\n\x80\ny".to_vec()));
    let refused = Unencodable {
        ordinal: 1,
        encoding: "windows-1252",
        characters: "日本".to_owned(),
    };
    assert_eq!(answer(["x", "日本 日"]), Err(refused));
}

proptest! {
    #[test]
    fn any_plain_text_keeps_its_bytes_and_its_neighbours(
        text in "([a-z]{1,4}|[ \t\u{3000}]|\r?\n|\r|- |[0-9]\\. |---){0,30}",
        target in "([a-z]{1,4}|[ \t\u{3000}]|\r?\n|\r|- |[0-9]\\. |---){0,12}",
    ) {
        let parse = |bytes: &[u8]| Document::parse(Format::PlainText, bytes, &ParseOptions::default());
        let document = parse(text.as_bytes()).unwrap();
        let sources: Vec<String> = document.segments.iter().map(|s| s.source.clone()).collect();
        let itself = render_target(&document, |n| Some(sources[n].as_str())).unwrap();
        prop_assert_eq!(itself, text.as_bytes());
        for ordinal in 0..sources.len() {
            let changed = format!("a{target}");
            let bytes = render_target(&document, |n| (n == ordinal).then_some(&*changed)).unwrap();
            let again = parse(&bytes).unwrap();
            let found: Vec<String> = again.segments.iter().map(|s| s.source.clone()).collect();
            prop_assert_eq!(found.len(), sources.len(), "{}", String::from_utf8_lossy(&bytes));
            prop_assert_eq!(&found[..ordinal], &sources[..ordinal]);
            prop_assert_eq!(&found[ordinal + 1..], &sources[ordinal + 1..]);
        }
    }
}
