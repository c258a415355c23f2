use proptest::prelude::*;

use super::read;
use crate::Format::AsciiDoc;
use crate::format::proof;

fn check(text: &str, expected: &[&str]) {
    proof::check(AsciiDoc, text, expected);
}

fn render(text: &str, ordinal: usize, target: &str) -> String {
    proof::render(AsciiDoc, text, ordinal, target)
}

#[test]
fn a_guide_reads_as_approved() {
    insta::assert_snapshot!(proof::listing(
        AsciiDoc,
        include_str!("../../../tests/fixtures/asciidoc/guide.adoc")
    ));
}

#[test]
fn titles_and_paragraphs() {
    check(
        "= Top\nA. Nobody <a@b.example>\nv1.0, today\n:toc:\n:description: A guide\n\nOne\ntwo.\n\n== Sub ==\n\nOld style\n---------\nThree.\n",
        &["Top", "A guide", "One\ntwo.", "Sub", "Old style", "Three."],
    );
}

#[test]
fn lists_and_descriptions() {
    check(
        "* one\n  more\n** two\n. three\n+\nattached\n\n1. four\n\nterm one:: its text\n-n::\n--name::\n\tIndented text\n\tgoes on.\n+\nMore of it.\n\n  literal here\n",
        &[
            "one\nmore",
            "two",
            "three",
            "attached",
            "four",
            "term one",
            "its text",
            "Indented text\ngoes on.",
            "More of it.",
        ],
    );
}

#[test]
fn code_comments_and_macros_are_no_text() {
    check(
        "// a comment\n\n----\ncode here\n----\n\n[source,c]\nint x;\nmore code\n\n////\nall this\n////\n\n```sh\ncode\n```\n\ninclude::a.adoc[]\n\n[stem]\n++++\nx = y\n++++\n\n literal text\n\nifdef::a[]\nText one.\nendif::[]\n",
        &["Text one."],
    );
}

#[test]
fn fences_hold_blocks() {
    check(
        ".A title\n====\nInside.\n\n----\ncode\n----\n====\n\nNOTE: Mind the\ngap.\n\n[quote, Somebody]\n____\nSaid so.\n____\n\nimage::a.png[A pump, 50%, title=\"The pump\"]\n",
        &[
            "A title",
            "Inside.",
            "Mind the\ngap.",
            "Said so.",
            "A pump",
            "The pump",
        ],
    );
}

#[test]
fn cells_begin_with_a_bar() {
    check(
        "[cols=2*]\n|===\n|One |Two\n\n2+^|Three\ngoes on |Four \\| five\na|\n* an item\n|===\n\n[format=csv]\n|===\na,b\n|===\n",
        &["One", "Two", "Three\ngoes on", "Four \\| five", "an item"],
    );
}

#[test]
fn lines_below_titles_fit_them() {
    for (text, target, expected) in [
        (
            "Pump\n----\n\nx\n",
            "Die Pumpe",
            "Die Pumpe\n---------\n\nx\n",
        ),
        ("The pump\r\n--------\r\n", "Pump", "Pump\r\n----\r\n"),
        ("Pump\n-----\n", "Pumpe!", "Pumpe!\n-----\n"),
        (
            "Example\n----\ncode\n----\n",
            "Wie",
            "Wie{empty}\n----\ncode\n----\n",
        ),
    ] {
        assert_eq!(render(text, 0, target), expected);
    }
}

#[test]
fn targets_open_no_blocks() {
    let openers = [
        "* x",
        ". x",
        "== x",
        "[x]",
        "----\nx",
        "x\n----",
        "// x",
        ":a: x",
        "x:: y",
        "NOTE: x",
        ".x",
        "image::x[]",
        "|===",
        "x\n+\ny",
        "+",
        "--",
        "include::x[]",
        "x y;;",
        "'''",
        "ifdef::a[]",
    ];
    for target in openers {
        proof::prove_neighbours(AsciiDoc, "", target);
    }
    for (text, target, expected) in [
        ("|===\n|a 2+|b\n|===\n", "x|y", "|===\n|x\\|y 2+|b\n|===\n"),
        ("|===\n|an a|b\n|===\n", "x y", "|===\n|x y a|b\n|===\n"),
        ("|===\n|one|b\n|===\n", "x y", "|===\n|x y |b\n|===\n"),
        (
            "* a\n* b\n",
            "x\n* y:: z",
            "* x\n{empty}* y:{empty}: z\n* b\n",
        ),
        (
            "image::a.png[A pump]\n",
            "x, \"y\"",
            "image::a.png[\"x, \\\"y\\\"\"]\n",
        ),
    ] {
        assert_eq!(render(text, 0, target), expected);
    }
}

#[test]
fn marks_without_end_take_linear_time() {
    let tokens = [
        "`a ",
        "*a ",
        "a:[",
        "_a ",
        "<<a ",
        "[[a",
        "|===\n",
        "====\n",
        "|===\n----\na\n",
        "a:: ",
        "[.a]",
        "a\n+\n",
    ];
    for token in tokens {
        read(&token.repeat(30_000));
    }
    read(&format!("{}*", "*a ".repeat(30_000)));
}

proptest! {
    #[test]
    fn any_text_keeps_its_bytes_and_its_neighbours(
        text in "([a-z]{1,4}|[ \t]|\r?\n|\r|  |[*] |[.] |==? |---- ?|====|\\|===\n|\\||:a: |::|`|[*]|_|//|[+]\n|\\[a\\]\n|NOTE: |image::a\\[|\\]|~~|日){0,40}",
        target in "([a-z]{1,4}|[ \t]|\n|[*] |[.] |1[.] |::|----|=|:a: |`|[*]|_|\\||[+]|\\[a\\]|//|\\|===|~~|日){0,12}",
    ) {
        proof::prove_neighbours(AsciiDoc, &text, &format!("{target}a"));
    }
}
