use proptest::prelude::*;

use crate::format::proof;
use crate::{Document, Format, LanguageTag, ParseOptions, Problem, render_target};

fn check(text: &str, expected: &[(&str, &str)]) {
    let document = proof::parse(Format::Yaml, text);
    let segments = document.segments.iter();
    let found: Vec<_> = segments
        .map(|segment| {
            (
                segment.hints.note.as_deref().unwrap(),
                segment.source.as_str(),
            )
        })
        .collect();
    assert_eq!(found, expected, "{text}");
    proof::prove(&document);
}

fn render(text: &str, target: &str) -> String {
    proof::render(Format::Yaml, text, 0, target)
}

/// Every style, with what may stand around it.
const STYLES: &str = "plain: One long text\n  over  lines\n\n\n  and more # comment\n\
    'single': &a !!str 'It''s one\n  text\n\n  here'   # comment\n\
    double: \"Tab\\tand \\\"quotes\\\" \\\n   joined \\\n\n  \\x41 b\\  \n  é\"\n\
    literal: |2 # comment\n   Deeper line.\n  Second line.\n\n\n  Third.\n\n\
    folded: &f >-\n\n  One long text\n  over lines.\n\n  New one.\n    * kept\n    * lines\n  End.\n\n\
    list:\n- - Item\n  - name: Value\n- {full: &u \"Litre\", short: *u, [a]: Words here}\n\
    ? complex key\n: !local Not text\n\
    n: 12\nb: Yes\ns: 'Yes'\n---\nsecond: Document\n";

#[test]
fn every_style_shows_its_text() {
    check(
        STYLES,
        &[
            ("plain", "One long text over  lines\n\nand more"),
            ("single", "It's one text\nhere"),
            ("double", "Tab\tand \"quotes\" joined \nA b  é"),
            ("literal", "Deeper line.\nSecond line.\n\n\nThird."),
            (
                "folded",
                "One long text over lines.\nNew one.\n  * kept\n  * lines\nEnd.",
            ),
            ("list.0.0", "Item"),
            ("list.0.1.name", "Value"),
            ("list.1.full", "Litre"),
            ("list.1", "Words here"),
            ("s", "Yes"),
            ("second", "Document"),
        ],
    );
    proof::prove(&proof::parse(Format::Yaml, &STYLES.replace('\n', "\r\n")));
}

#[test]
fn targets_stay_strings() {
    for (value, target, expected) in [
        ("Nope", "No", "\"No\""),
        ("Nope", "[rot, blau]", "\"[rot, blau]\""),
        ("Nope", "a: \"b\"", "'a: \"b\"'"),
        ("Nope", "a #b", "\"a #b\""),
        ("Nope", "a\nb", "\"a\\nb\""),
        ("Nope", "12", "\"12\""),
        ("Nope", "- x", "\"- x\""),
        ("Nope", "Größe, [x]", "Größe, [x]"),
        ("'Nope'", "it's", "'it''s'"),
        ("'Nope'", "a\nb", "'a\n\n   b'"),
        ("\"Nope\"", "a\n\"b\" \\", "\"a\\n\\\"b\\\" \\\\\""),
        ("|\n  Nope", "a: b\n\n  c # d", "|\n  a: b\n\n    c # d"),
        (">\n  Nope", "a\nb\n  c\nd", ">\n  a\n\n  b\n    c\n  d"),
        (">\n  No\n  pe", "One  two three", ">\n  One  two three"),
    ] {
        let expected = format!("k: {expected}\n");
        assert_eq!(
            render(&format!("k: {value}\n"), target),
            expected,
            "{value} {target}"
        );
    }
    assert_eq!(render("[Some words, b]", "a, b"), "[\"a, b\", b]");
}

#[test]
fn rails_files_change_their_language() {
    let text = "# c\nen:\n  hi: Hi\n  date:\n    order: [ :year, :month ]\n    format: \"%d\"\n";
    let render = |text: &str, target: &str| {
        let options = ParseOptions {
            target: Some(LanguageTag::parse(target).unwrap()),
            ..ParseOptions::default()
        };
        let document = Document::parse(Format::Yaml, text.as_bytes(), &options).unwrap();
        assert_eq!(proof::sources(&document), ["Hi"]);
        String::from_utf8(render_target(&document, |_| Some("Na")).unwrap()).unwrap()
    };
    let changed = |key: &str| text.replace("en:", key).replace("Hi", "Na");
    assert_eq!(render(text, "de"), changed("de:"));
    assert_eq!(render(text, "no"), changed("\"no\":"));
    assert_eq!(
        render(&text.replace("en:", "\"en\":"), "pt-BR"),
        changed("\"pt-BR\":")
    );
    assert_eq!(render(&text.replace("en:", "ui:"), "de"), changed("ui:"));
    assert_eq!(
        render("en: {hi: Hi}\nfr: {}\n", "de"),
        "en: {hi: Na}\nfr: {}\n"
    );
}

#[test]
fn files_for_programs_give_their_texts() {
    check(
        "openapi: 3.0.0\ninfo:\n  title: Pump API\n  contact: {name: Some One}\npaths:\n  /a:\n    get:\n      summary: Lists pumps\n      operationId: List pumps\n",
        &[
            ("info.title", "Pump API"),
            ("paths./a.get.summary", "Lists pumps"),
        ],
    );
    check(
        "site_name: My docs\ntheme: {name: Material theme}\nnav:\n  - Home page: index.md\n  - Guides:\n      - First steps: a/b.md\n",
        &[
            ("site_name", "My docs"),
            ("nav.0", "Home page"),
            ("nav.1", "Guides"),
            ("nav.1.Guides.0", "First steps"),
        ],
    );
    check("apiVersion: v1\nkind: Pod\nname: Some words\n", &[]);
}

#[test]
fn what_cannot_be_read_is_left_alone_and_told() {
    let text = "a: Words here\nb: @no\nc: More words\n";
    check(text, &[("a", "Words here")]);
    let problems = proof::parse(Format::Yaml, text).problems;
    assert_eq!(problems, [Problem::Unclosed { line: 2 }]);
    check(
        "a: Words here\nb: Some words: no key\n",
        &[("a", "Words here")],
    );
}

#[test]
fn depth_and_length_are_no_matter() {
    for text in [
        "[".repeat(100_000),
        "{a: ".repeat(100_000),
        "- ".repeat(100_000) + "Words here",
        format!("a: {}", "word\n  ".repeat(100_000)),
        format!("a: \"{}\"", "word\\n ".repeat(100_000)),
        format!("a: >\n{}", "  word é\n\n".repeat(100_000)),
        format!("{{{}}}", "a: 'It''s é', ".repeat(20_000)),
        format!("{}:\n{}", "k".repeat(1000), "- A b\n".repeat(20_000)),
    ] {
        let document = proof::parse(Format::Yaml, &text);
        proof::prove(&document);
    }
}

proptest! {
    #[test]
    fn any_target_reads_back(target in "[ \\n'\"\\\\#:,\\[\\]{}&*!|>%@`?a-cNo0-9é\u{2028}-]{1,10}") {
        prop_assume!(!target.trim().is_empty());
        proof::prove_values(Format::Yaml, "a: x y\nb: [\"x\\n\\u0041 y\", x y]\n\"c\":\n- x\n  y\nd: {e: x y}\n", &target);
        // What has blanks around its line breaks cannot stand in single quotes.
        let lines: Vec<_> = target.trim().lines().map(str::trim).collect();
        proof::prove_values(Format::Yaml, "a: 'x\n  y'\nb: ['x', 'it''s']\n", &lines.join("\n"));
        proof::prove_values(Format::Yaml, "a: |\n  x\n\n  y\nb:\n- |+\n  x\n   y\n", &target);
        proof::prove_values(Format::Yaml, "a: >\n  x\n  y\nb:\n- >-\n  x\n\n  z\n\n", &target);
    }

    #[test]
    fn any_text_is_read(text in "([-?:,{}\\[\\]&*!|>'\"%@`#a\\\\ é\\n]|: |- |\\n  |a b|\\| *\\n)*") {
        proof::prove(&proof::parse(Format::Yaml, &text));
    }
}
