use proptest::prelude::*;

use crate::format::proof;
use crate::{Format, Problem};

fn check(text: &str, expected: &[(&str, &str)]) {
    let document = proof::parse(Format::Toml, text);
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

/// Every kind of string and of key.
const KINDS: &str = "# it's \"no\" value\ntitle = \"A pump \\u00e9 \\\"x\\\"\" # note\n\
    summary = 'C:\\new \"words\"'\nweight = 10\ndate = 1979-05-27T07:32:00Z\n\
    body = \"\"\"\nOne \"two\"\n  three \\\n\n   four \\\\\nfive\\ttab\"\"\"\"\"\n\
    raw = '''\nIt's raw \\n\nhere'''\n\n[params]\n\"site name\".'text' = \"Over there\"\n\
    list = [\"One thing\", [\"Two things\"], # \"c\"\n  {text = \"Three\", id = \"three\"}, ]\n\
    [[menu.main]]\nname = \"Home\"\nurl = \"/\"\n[[menu.main]]\nname = \"About us\"\n";

#[test]
fn every_kind_of_string_shows_its_text() {
    let expected = [
        ("title", "A pump é \"x\""),
        ("summary", "C:\\new \"words\""),
        ("body", "One \"two\"\n  three four \\\nfive\ttab\"\""),
        ("raw", "It's raw \\n\nhere"),
        ("params.site name.text", "Over there"),
        ("params.list.0", "One thing"),
        ("params.list.1.0", "Two things"),
        ("params.list.2.text", "Three"),
        ("menu.main.0.name", "Home"),
        ("menu.main.1.name", "About us"),
    ];
    check(KINDS, &expected);
    check(&KINDS.replace('\n', "\r\n"), &expected);
}

#[test]
fn targets_are_escaped_as_their_string_needs_it() {
    for (value, target, expected) in [
        ("\"Words\"", "a \"b\" \\\nc", "\"a \\\"b\\\" \\\\\\nc\""),
        ("'Words'", "it's\n\\", "'it’s \\'"),
        ("'''Words'''", "it's '''\n\\", "'''it's ''’\n\\'''"),
        (
            "\"\"\"Words\"\"\"",
            "a \"\"\"\n\\",
            "\"\"\"a \\\"\\\"\\\"\n\\\\\"\"\"",
        ),
        (
            "\"\"\"A \"b\"\"\"\"",
            "\"\"\"\"",
            "\"\"\"\\\"\\\"\\\"\\\"\"\"\"",
        ),
    ] {
        let output = proof::render(Format::Toml, &format!("text = {value}\n"), 0, target);
        assert_eq!(output, format!("text = {expected}\n"), "{value} {target}");
    }
}

#[test]
fn single_words_are_names_of_settings() {
    check(
        "mode = \"both\"\nstyle_of_lines = \"CRLF\"\nmenu = \"Pumps\"\n[files]\none = \"file\"\nother = \"files\"\n",
        &[
            ("menu", "Pumps"),
            ("files.one", "file"),
            ("files.other", "files"),
        ],
    );
    let crlf = "text = \"A b\\r\\nc\"\n";
    assert_eq!(
        proof::render(Format::Toml, crlf, 0, "A b\r\nd"),
        crlf.replace('c', "d")
    );
}

#[test]
fn what_never_closes_is_left_alone() {
    check(
        "a = \"Open\nb = \"Some words\"\nc = '''Open\n",
        &[("b", "Some words")],
    );
    let problems = proof::parse(Format::Toml, "a = 1\nb = \"Open\n").problems;
    assert_eq!(problems, [Problem::Unclosed { line: 2 }]);
}

#[test]
fn depth_and_length_are_no_matter() {
    for text in [
        format!("a = {}", "[".repeat(100_000)),
        format!("a = {}\"A b\"", "{a = ".repeat(100_000)),
        format!("a = \"{}\"", "word\\n ".repeat(100_000)),
        format!("a = \"\"\"{}\"\"\"", "word \\\n \n".repeat(100_000)),
        format!("{} = 1\n", "a.".repeat(100_000)),
        "[[a]]\ntext = \"A b\"\n".repeat(20_000),
        "\"".repeat(1_000_000),
    ] {
        proof::prove(&proof::parse(Format::Toml, &text));
    }
}

proptest! {
    #[test]
    fn any_target_reads_back(target in "[ \\n'\"\\\\#a-c0é\u{2028}]{1,10}") {
        prop_assume!(!target.trim().is_empty());
        let text = "a = \"x \\u0041 \\\\ y\"\nb = [\"\"\"x \"\" y\"\"\", \"z\"]\n[c]\nd = \"\"\"\nx \\\n  y\n\\n\"\"\"\n";
        proof::prove_values(Format::Toml, text, &target);
        let plain = target.replace(['\'', '\n'], "-");
        proof::prove_values(Format::Toml, "a = 'x \\y'\nb = '''x\n''y'''\n", &plain);
    }

    #[test]
    fn any_text_is_read(text in "([-=,.{}\\[\\]'\"#a\\\\ é\\n]|a = |\"\"\"|'''|a b|\\\\\\n)*") {
        proof::prove(&proof::parse(Format::Toml, &text));
    }
}
