use proptest::prelude::*;

use crate::format::proof;
use crate::{Document, Format, LanguageTag, ParseOptions, Rules, render_target};

fn check(text: &str, expected: &[(&str, &str)]) -> Document {
    let document = proof::parse(Format::Json, text);
    proof::prove(&document);
    compare(&document, expected);
    document
}

fn compare(document: &Document, expected: &[(&str, &str)]) {
    let note = |segment: &crate::Segment| segment.hints.note.clone().unwrap_or_default();
    let found: Vec<_> = document
        .segments
        .iter()
        .map(|segment| (note(segment), segment.source.clone()))
        .collect();
    let found: Vec<_> = found
        .iter()
        .map(|(note, text)| (note.as_str(), text.as_str()))
        .collect();
    assert_eq!(found, expected);
}

fn parse_with(text: &str, options: &ParseOptions) -> Document {
    Document::parse(Format::Json, text.as_bytes(), options).unwrap()
}

fn units(text: &str) -> usize {
    let document = proof::parse(Format::Json, text);
    proof::prove(&document);
    document.segments.len()
}

#[test]
fn values_are_units_with_their_paths() {
    check(
        "{\n\t\"z\": \"Last \\u00b0\",\n\t// \"no\": \"No\"\n\t\"a\": [\"x\", {\"b\\u00e9\": \"Path \\/ to\"}], \"n\": \"42\" }",
        &[("z", "Last °"), ("a.0", "x"), ("a.1.bé", "Path / to")],
    );
}

#[test]
fn dialects_are_understood() {
    check(
        "// it's\n{bare: 'It\\'s \"here\"', /* 'no' */ n_1: \"Over \\\nlines\", \"list\": ['a', -1.5e3, true, 'b',],}",
        &[
            ("bare", "It's \"here\""),
            ("n_1", "Over lines"),
            ("list.0", "a"),
            ("list.3", "b"),
        ],
    );
    check("\"Alone\"", &[("", "Alone")]);
    check(
        "{\"a\": \"Lone \\ud800 and \\u12\", \"b\": \"open",
        &[("a", "Lone \u{FFFD} and \\u12")],
    );
}

#[test]
fn codes_and_keys_under_a_rule_are_left_out() {
    let text = r#"{"language": "en", "page": {"id": "home", "url": "/a", "title": "Home", "secret": "Words here"},
        "items": [{"type": "Kind", "text": "Shown"}]}"#;
    check(
        text,
        &[
            ("page.title", "Home"),
            ("page.secret", "Words here"),
            ("items.0.text", "Shown"),
        ],
    );
    let options = ParseOptions {
        rules: Rules {
            keys_out: vec!["secret".to_owned(), "items.*.text".to_owned()],
            keys_in: vec!["page.id".to_owned()],
            ..Rules::default()
        },
        ..ParseOptions::default()
    };
    let document = parse_with(text, &options);
    compare(&document, &[("page.id", "home"), ("page.title", "Home")]);
}

#[test]
fn extension_messages_have_notes() {
    check(
        r#"{"hi": {"message": "Hi $NAME$", "description": "Shown at the start",
            "placeholders": {"name": {"content": "$1", "example": "Ada"}}},
            "bye": {"message": "Bye"}}"#,
        &[
            ("hi.message\nShown at the start\nname: Ada", "Hi $NAME$"),
            ("bye.message", "Bye"),
        ],
    );
    check(
        r#"{"error": {"message": "Gone", "hint": "Try again"}}"#,
        &[("error.message", "Gone"), ("error.hint", "Try again")],
    );
}

#[test]
fn extracted_messages_have_notes() {
    check(
        r#"[{"id": "app.hi", "defaultMessage": "Hi {name}", "description": "A greeting", "file": "src/Some File.js"}]"#,
        &[("0.defaultMessage\nA greeting", "Hi {name}")],
    );
    check(
        r#"{"x1": {"description": "Of a button", "defaultMessage": "Save"}}"#,
        &[("x1.defaultMessage\nOf a button", "Save")],
    );
}

#[test]
fn resource_bundles_name_the_target_language() {
    let text = r#"{"@@locale": "en", "@@context": "Some words", "n": "{n, plural, other {# files}}",
        "@n": {"description": "How many", "placeholders": {"n": {"type": "int", "example": "5"}}}, "ok": "OK"}"#;
    check(
        text,
        &[
            ("n\nHow many\nn: 5", "{n, plural, other {# files}}"),
            ("ok", "OK"),
        ],
    );
    let options = ParseOptions {
        target: Some(LanguageTag::parse("pt-BR").unwrap()),
        ..ParseOptions::default()
    };
    let document = parse_with(text, &options);
    let output = render_target(&document, |n| (n == 1).then_some("Gut")).unwrap();
    let expected = text
        .replace("\"en\"", "\"pt_BR\"")
        .replace("\"OK\"", "\"Gut\"");
    assert_eq!(String::from_utf8(output).unwrap(), expected);
}

#[test]
fn targets_keep_the_escapes_of_the_source() {
    let input = r#"{"a": " Two \u00b0 \/ \"x\" \n", "b": "café"}"#;
    let document = check(input, &[("a", "Two ° / \"x\""), ("b", "café")]);
    let output = render_target(&document, |_| Some("\"1\"\n° ° \\")).unwrap();
    assert_eq!(
        String::from_utf8(output).unwrap(),
        r#"{"a": " \"1\"\n\u00b0 \u00b0 \\ \n", "b": "\"1\"\n° ° \\"}"#
    );
}

#[test]
fn divided_values_keep_their_own_quotes() {
    let text = r#"{"a": "It's one. It is two."}"#;
    let options = ParseOptions {
        soft_limit: Some(10),
        ..ParseOptions::default()
    };
    let document = parse_with(text, &options);
    let output = render_target(&document, |n| (n == 1).then_some("\"2\"")).unwrap();
    let expected = r#"{"a": "It's one. \"2\""}"#;
    assert_eq!(String::from_utf8(output).unwrap(), expected);
}

#[test]
fn depth_and_length_are_no_matter() {
    let deep = "{\"a\":[\"x y\",".repeat(100_000);
    assert_eq!(units(&deep), 100_000);
    let long = format!(
        "{{\"{}\": [{}]}}",
        "k".repeat(1_000_000),
        "\"A b\\u0021\",".repeat(20_000)
    );
    assert_eq!(units(&long), 20_000);
}

proptest! {
    #[test]
    fn any_target_reads_back(target in "\\PC*[\\n\"'\\\\\u{FFFD}\u{2028}a-c]{1,8}") {
        prop_assume!(!target.trim().is_empty());
        for text in [
            r#"{"a": "x \ud83d\"\/\u0041 b", "b": ["y"]}"#,
            r#"{a: 'x \'"\
 b\\', b: "y"}"#,
        ] {
            proof::prove_values(Format::Json, text, &target);
        }
    }

    #[test]
    fn any_text_is_read(text in "([{}\\[\\]:,\"'\\\\/*\\n a@]|\\\\u00e9|\"a\"|\"message\")*") {
        proof::prove(&proof::parse(Format::Json, &text));
    }
}
