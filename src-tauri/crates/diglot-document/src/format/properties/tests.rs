use proptest::prelude::*;

use crate::format::proof::{prove, prove_values, sources};
use crate::{Document, Format, ParseOptions, render_target};

/// Reads a text as UTF-8, in which the proofs' markers are no escapes.
fn parse(text: &str) -> Document {
    let options = ParseOptions {
        encoding: Some("UTF-8".to_owned()),
        ..ParseOptions::default()
    };
    Document::parse(Format::Properties, text.as_bytes(), &options).unwrap()
}

fn check(text: &str, expected: &[&str]) {
    let document = parse(text);
    assert_eq!(sources(&document), expected, "{text}");
    prove(&document);
}

const FILE: &str = "# Shown at the top\n! of the page\npage.title=The first page\n\nplain value of words\ncolon : Another value\nescaped\\ key\\=x = Two \\u00e9l\\u00E9ments\\n\\\n    and \\t more \\\nstill\nempty=\nlast=Ends here\\";

#[test]
fn values_are_shown_without_escapes() {
    check(
        FILE,
        &[
            "The first page",
            "value of words",
            "Another value",
            "Two éléments\nand \t more still",
            "Ends here",
        ],
    );
    let document = parse(FILE);
    let notes: Vec<_> = document
        .segments
        .iter()
        .map(|s| s.hints.note.as_deref())
        .collect();
    assert_eq!(
        notes,
        [
            Some("page.title: Shown at the top of the page"),
            Some("plain"),
            Some("colon"),
            Some("escaped key=x"),
            Some("last"),
        ]
    );
}

#[test]
fn what_continues_is_no_key() {
    check(
        "a=One\\\n# two\nb\\\n=Three four\n",
        &["One# two", "Three four"],
    );
    check("a \\\n  = \\\n  Text here\r\nb", &["Text here"]);
}

#[test]
fn targets_are_escaped_as_the_encoding_asks() {
    let bytes = |encoding: Option<&str>, text: &[u8], target| {
        let options = ParseOptions {
            encoding: encoding.map(str::to_owned),
            ..ParseOptions::default()
        };
        let document = Document::parse(Format::Properties, text, &options).unwrap();
        assert_eq!(crate::missing_characters(&document, 0, target), None);
        render_target(&document, |_| Some(target)).unwrap()
    };
    // Nobody knows what reads a file of ASCII.
    assert_eq!(
        bytes(None, b"a=Some text", "Größe 😀"),
        b"a=Gr\\u00f6\\u00dfe \\ud83d\\ude00"
    );
    assert_eq!(
        bytes(None, b"a=Une \xE9l\xE9gante id\xE9e", "é €"),
        b"a=\xE9 \\u20ac"
    );
    let utf8 = "a=Größe und Maß";
    assert_eq!(
        bytes(None, utf8.as_bytes(), "Große €"),
        "a=Große €".as_bytes()
    );
}

#[test]
fn separators_at_the_start_are_escaped() {
    let output = render_target(&parse("key Some text"), |_| Some("= : x")).unwrap();
    assert_eq!(output, b"key \\= : x");
}

proptest! {
    #[test]
    fn any_target_reads_back(target in "[a-z \\\\=:#!'\"{}\n\t\r\u{1}é日😀]{0,20}x[a-z \\\\\n]{0,4}y") {
        prove_values(Format::Properties, FILE, &target);
    }

    #[test]
    fn any_text_keeps_its_bytes(text in "([a-zé ]{0,6}|[\\\\=:#!\n\r\t ]|\\\\u[0-9a-g]{1,4}){0,30}") {
        let document = parse(&text);
        prove(&document);
        prop_assert!(sources(&document).iter().all(|source| !source.is_empty()));
    }
}
