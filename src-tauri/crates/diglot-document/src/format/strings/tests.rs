use proptest::prelude::*;

use crate::format::proof::{check, parse, prove, prove_values, render};
use crate::{Document, Format, ParseOptions, render_target};

const FILE: &str = "/* Button in the \"toolbar\" */\n\"save.button\" = \"Save \\\"now\\\"\\nand go\";\r\n// Not for \"people\"\nbare_key = 'It\\'s text';\n\"code\" = \"ok_cancel\";\n\"multi\" = \"Two\r\nlines of \\U00e9t\\U00E9\"; \"other\" = bare;\n\"last\" = \"Done here\"";

#[test]
fn values_are_shown_without_escapes() {
    check(
        Format::AppleStrings,
        FILE,
        &[
            "Save \"now\"\nand go",
            "It's text",
            "Two\nlines of été",
            "Done here",
        ],
    );
    let document = parse(Format::AppleStrings, FILE);
    let notes: Vec<_> = document
        .segments
        .iter()
        .map(|s| s.hints.note.as_deref())
        .collect();
    assert_eq!(
        notes,
        [
            Some("save.button: Button in the \"toolbar\""),
            Some("bare_key: Not for \"people\""),
            Some("multi"),
            Some("last"),
        ]
    );
}

#[test]
fn targets_stay_in_their_quotes() {
    assert_eq!(
        render(
            Format::AppleStrings,
            "\"a\" = \"Some text\";",
            0,
            "\"x\"\\\n%@ 'y'"
        ),
        "\"a\" = \"\\\"x\\\"\\\\\\n%@ 'y'\";"
    );
}

#[test]
fn wide_files_stay_wide() {
    let wide = |text: &str| -> Vec<u8> {
        let units = format!("\u{FEFF}{text}").encode_utf16().collect::<Vec<_>>();
        units.into_iter().flat_map(u16::to_le_bytes).collect()
    };
    let bytes = wide("/* x */\r\n\"a\" = \"Größe und Maß\";\r\n");
    let document = Document::parse(Format::AppleStrings, &bytes, &ParseOptions::default()).unwrap();
    let output = render_target(&document, |_| Some("日本")).unwrap();
    assert_eq!(output, wide("/* x */\r\n\"a\" = \"日本\";\r\n"));
}

proptest! {
    #[test]
    fn any_target_reads_back(target in "[a-z \\\\=;/*'\"{}\n\t\r\u{1}é日😀]{0,20}x") {
        prove_values(Format::AppleStrings, FILE, &target);
    }

    #[test]
    fn any_text_keeps_its_bytes(text in "([a-zé ]{0,6}|[\\\\=;/*\n\r\t\"' {}]|\\\\U[0-9a-g]{1,4}){0,40}") {
        prove(&parse(Format::AppleStrings, &text));
    }
}
