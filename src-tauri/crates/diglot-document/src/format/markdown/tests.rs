use std::fmt::Write as _;

use proptest::prelude::*;

use crate::{Document, Format, ParseOptions, Segment, render_target};

fn parse(text: &str) -> Document {
    Document::parse(Format::Markdown, text.as_bytes(), &ParseOptions::default()).unwrap()
}

fn sources(document: &Document) -> Vec<&str> {
    document
        .segments
        .iter()
        .map(|segment| segment.source.as_str())
        .collect()
}

fn render(document: &Document, ordinal: usize, target: &str) -> String {
    let bytes = render_target(document, |n| (n == ordinal).then_some(target)).unwrap();
    String::from_utf8(bytes).unwrap()
}

/// Compares the sources of a document.
fn check(text: &str, expected: &[&str]) {
    assert_eq!(sources(&parse(text)), expected);
}

/// Compares the file after one unit was replaced, and that its neighbours read the same.
fn check_target(text: &str, ordinal: usize, target: &str, expected: &str) {
    let document = parse(text);
    let rendered = render(&document, ordinal, target);
    assert_eq!(rendered, expected);
    let again = parse(&rendered);
    let others = |document: &Document| {
        let mut others: Vec<String> = sources(document).iter().map(|s| (*s).to_owned()).collect();
        others.remove(ordinal);
        others
    };
    assert_eq!(others(&again), others(&document));
}

#[test]
fn fixtures_read_as_approved() {
    for name in ["bom", "cjk", "crlf", "guide", "long"] {
        let bytes = std::fs::read(format!("tests/fixtures/markdown/{name}.md")).unwrap();
        let document = Document::parse(Format::Markdown, &bytes, &ParseOptions::default()).unwrap();
        let mut listing = String::new();
        for segment in &document.segments {
            let Segment {
                ordinal,
                kind,
                source,
                continuations,
                ..
            } = segment;
            writeln!(
                listing,
                "{} {kind:?} {source:?} {continuations:?}",
                ordinal + 1
            )
            .unwrap();
        }
        writeln!(listing, "{:?} {:?}", document.encoding, document.problems).unwrap();
        insta::assert_snapshot!(name, listing);
    }
}

#[test]
fn what_has_no_words_is_no_unit() {
    for text in [
        "`code`",
        "42",
        "---",
        "https://a.example/b_c_d",
        "<https://a.example>",
        "{limit}",
        "$x$",
        "***",
        "[x]: y",
        "<code>Object</code>",
        "42 <!-- title=\"a\" -->",
        "| :star: | snake_case |\n|--|--|",
        "## [2.0.0-rc.1]",
        "![CI](https://a.example/badge.svg)\n[![Docs *here*][d]](b)\n\n[d]: //shields.io/d",
        "<a href=\"b\"><img alt=\"Build\" src=\"https://a.example/badge.svg\"></a> [x_y](z)",
    ] {
        check(text, &[]);
    }
}

#[test]
fn what_a_reader_sees_is_a_unit() {
    let badge = "[![CI](https://a.example/badge.svg)](b)";
    for (text, expected) in [
        (
            &*format!("# Pump {badge}"),
            &[&*format!("Pump {badge}")] as &[&str],
        ),
        ("[![Side view](a.png)](b)", &["[![Side view](a.png)](b)"]),
        (
            "<code>a</code> or <kbd>b</kbd>",
            &["<code>a</code> or <kbd>b</kbd>"],
        ),
        ("<var> is set", &["<var> is set"]),
        (
            "<a href='b'><img alt='Side view' src='c'></a>",
            &["Side view"],
        ),
        (
            "<p align=\"center\">Text <b>here</b></p>",
            &["Text <b>here</b>"],
        ),
        (
            "<details><summary>More</summary>\n\nInside\n\n</details>",
            &["More", "Inside"],
        ),
        (
            "[^1]: A note\n    goes on.\n\nx[^1]",
            &["A note\ngoes on.", "x[^1]"],
        ),
        (
            "[a]: b \"A title\"\n\n[a](b \"Its title\")",
            &["[a](b \"Its title\")"],
        ),
        ("- a\n\n  b\n  - c\n    d", &["a", "b", "c\nd"]),
        (
            "> <details>\n> <summary>More</summary>\n> Inside\n> it\n> </details>",
            &["More", "Inside\nit"],
        ),
        ("> <img\n>   alt=\"Side\n>   view\">", &["Side\nview"]),
    ] {
        check(text, expected);
    }
}

#[test]
fn marks_of_generators_stay_outside_and_their_titles_inside() {
    check(":::tip Title\nText\n:::\nMore", &["Title", "Text", "More"]);
    check("> [!note]+ Title\n> Text", &["Title", "Text"]);
    check(
        "!!! note \"Title\"\n    Text\n\nMore",
        &["Title", "Text", "More"],
    );
    check("{% note %}\nText\n{% endnote %}", &["Text"]);
    check("```\n:::tip Title\n```", &[]);
    check(
        "import a from 'b'\n\nimport duties rose.",
        &["import duties rose."],
    );
    check("$$\na\n\nb\n", &["$$\na", "b"]);
    for indent in ["  ", "    "] {
        let tabs = "<Tabs>\n.<Tab\n.label=\"One\">\n..Text\n\n..- item\n..more\n\n..Last\n.</Tab>\n\n.<Tab>\n\n..Two\n.</Tab>\n</Tabs>\n\nEnd";
        check(
            &tabs.replace('.', indent),
            &["One", "Text", "item\nmore", "Last", "Two", "End"],
        );
    }
    check("<Card />\n\nText\n\n    code", &["Text"]);
    check("<Card>\nText\n</Card>\n\n    code", &["Text"]);
}

#[test]
fn programs_in_mdx_stay_and_components_are_taken_off_their_texts() {
    for (text, expected) in [
        (
            "export const meta = {\n  title: 'No',\n\n  other: \"it's\",\n}\n\nText",
            &["Text"] as &[&str],
        ),
        ("export const open = {\n\nText", &["Text"]),
        (
            "export function Box() {\n  return (\n\n    <p>No</p>\n  )\n}\nimport a from 'b'\n\nText",
            &["Text"],
        ),
        (
            "{items.map((item) => (\n  <li>No {item}</li>\n\n))}\n\nText",
            &["Text"],
        ),
        (
            "{a ? <b>No</b> : `no}`}\n\n{never closed\n\n{name} is text",
            &["{never closed", "{name} is text"],
        ),
        ("<>\n  Text\n</>", &["Text"]),
        (
            "<Card title=\"Hi\" description='Desc'>Card **text** here</Card>",
            &["Hi", "Desc", "Card **text** here"],
        ),
        (
            "<Card>One <B>two</B>\nthree\n\nfour</Card>",
            &["One <B>two</B>\nthree", "four"],
        ),
        (
            "<Icon title=\"a\" /> and <B>two</B>",
            &["<Icon title=\"a\" /> and <B>two</B>"],
        ),
    ] {
        check(text, expected);
    }
    check_target(
        "<Card title=\"a\">b\nc</Card>\n\nd",
        1,
        "{x}\n# y",
        "<Card title=\"a\">\\{x}\n\\# y</Card>\n\nd",
    );
    check_target("a\n\n}\n\nb", 0, "{x", "\\{x\n\n}\n\nb");
}

#[test]
fn a_target_cannot_open_another_block() {
    for (target, expected) in [
        ("# x", "\\# x\n\nb"),
        ("- x", "\\- x\n\nb"),
        ("12. x", "12\\. x\n\nb"),
        ("> x", "\\> x\n\nb"),
        ("```\nx", "\\```\nx\n\nb"),
        ("    x", "x\n\nb"),
        ("x\n\ny", "x\ny\n\nb"),
        ("x\n===", "x\n\\===\n\nb"),
        ("x\n---", "x\n\\---\n\nb"),
        ("<!-- x", "\\<!-- x\n\nb"),
        ("<div>\nx", "\\<div>\nx\n\nb"),
        ("[x]: y", "\\[x]: y\n\nb"),
        (":::x", "\\:::x\n\nb"),
        ("x | y\n--|--", "x | y\n\\--|--\n\nb"),
        ("<b>x</b> y", "<b>x</b> y\n\nb"),
        ("import x from 'y'", "&#105;mport x from 'y'\n\nb"),
        ("important x", "important x\n\nb"),
        ("{/*\n*/}\nx", "\\{/*\n*/}\nx\n\nb"),
        ("{% comment\nx", "\\{% comment\nx\n\nb"),
    ] {
        check_target("a\n\nb", 0, target, expected);
    }
}

#[test]
fn a_target_keeps_to_its_place() {
    check_target("> - a\n>\n> b", 0, "x\ny", "> - x\n>   y\n>\n> b");
    check_target("> a\n> c\r\n\r\nb", 0, "x\ny\nz", "> x\n> y\n> z\r\n\r\nb");
    check_target(
        "| a | b |\n|---|---|\n| c | d |",
        2,
        "x|y\nz\\",
        "| a | b |\n|---|---|\n| x\\|y z | d |",
    );
    check_target("# a {#i}\n\nb", 0, "x\ny", "# x y {#i}\n\nb");
    check_target("# a\n\nb", 0, "C #", "# C \\#\n\nb");
    check_target(
        "> <div>\n> a\n> </div>\n\nb",
        0,
        "x\ny</div>",
        "> <div>\n> x\n> y&lt;/div>\n> </div>\n\nb",
    );
    for (target, expected) in [
        ("x <!-- y --> z", "x &lt;!-- y --> z"),
        ("x <b>y</b> <i>z</i>", "x <b>y</b> &lt;i>z&lt;/i>"),
        ("x <b y", "x &lt;b y"),
        ("x <br> y < z", "x &lt;br> y < z"),
        ("x\n:::[A", "x\n&#58;::[A"),
    ] {
        let block = |inner: &str| format!("<div>\n{inner}\n</div>\n\nb");
        check_target(&block("a <b>b</b>"), 0, target, &block(expected));
    }
    check_target("|a|b|\n|-|-|", 0, "x\\", "|x\\\\ |b|\n|-|-|");
    check_target(
        "import\n===\n\nb",
        0,
        "export {x",
        "&#101;xport {x\n===\n\nb",
    );
    check_target(
        "<div>a <i <!-- b> c</i> d</div>",
        0,
        "x <i <!-- b>",
        "<div>x <i <!-- b></div>",
    );
    check_target("a | b\n--|--", 0, "[x]: y", "\\[x]: y | b\n--|--");
    check_target("<X>a</X>\n\nb", 0, "<script>x", "<X>\\<script>x</X>\n\nb");
    check_target("> <p>\n> a", 0, ":::x", "> <p>\n> &#58;::x");
    check_target("> a | b\n> --|--", 0, "# x", "> \\# x | b\n> --|--");
    check_target(
        "> <img\n>   alt=\"a\n>   b\">\n\nc",
        0,
        "x\n\"y\"",
        "> <img\n>   alt=\"x &quot;y&quot;\">\n\nc",
    );
    check_target("- a\n- b", 0, "- x\n- y", "- \\- x\n  \\- y\n- b");
}

#[test]
fn values_keep_their_quoting() {
    let text = "---\ntitle: a\nsummary: 'b'\ncaption: \"c\"\n---\nd";
    let with = |title: &str, summary: &str, caption: &str| {
        format!("---\ntitle: {title}\nsummary: {summary}\ncaption: {caption}\n---\nd")
    };
    check_target(text, 0, "x", &with("x", "'b'", "\"c\""));
    check_target(
        text,
        0,
        "x: \"y\"",
        &with("\"x: \\\"y\\\"\"", "'b'", "\"c\""),
    );
    check_target(text, 0, "no", &with("\"no\"", "'b'", "\"c\""));
    check_target(text, 1, "it's", &with("a", "'it''s'", "\"c\""));
    check_target(
        text,
        2,
        "say \"x\"\ny \\d",
        &with("a", "'b'", "\"say \\\"x\\\" y \\\\d\""),
    );
}

#[test]
fn long_paragraphs_are_divided_outside_of_markup() {
    let link = "[Link. With an end](https://a.example/b.c) goes on. ";
    let text = link.repeat(10);
    let document = parse(&text);
    assert_eq!(document.segments.len(), 2);
    assert!(
        document
            .segments
            .iter()
            .all(|s| s.source.starts_with("[Link") && s.source.ends_with("on."))
    );
}

/// Pieces that Markdown gives a meaning, to be thrown together.
fn fragment() -> impl Strategy<Value = String> {
    const PIECES: &[&str] = &[
        "# ",
        "## ",
        "- ",
        "* ",
        "+ ",
        "1. ",
        "2) ",
        "> ",
        "```",
        "~~~",
        "    ",
        "\t",
        "\n",
        "\n\n",
        "===",
        "---",
        "***",
        "___",
        "+++",
        "|",
        "||",
        "|-|",
        ":-:",
        "<div>",
        "</div>",
        "<!--",
        "-->",
        "<b>",
        "<?",
        "<X>",
        "[x]: y",
        "[^1]: ",
        "[!NOTE]",
        "[ ] ",
        "[",
        "]",
        "]:",
        "(",
        ")",
        "`",
        "``",
        "*",
        "_",
        "\\",
        ":::",
        ":::tip ",
        "$$",
        "\\[",
        "{%",
        "%}",
        "{{",
        "}}",
        "{#id}",
        "!!! ",
        "???",
        "word",
        "Wort ",
        " ",
        "é",
        "字",
        "&amp;",
        "\r\n",
        "\r",
        "=",
        "-",
        "import a from 'b'",
        "!",
        "{:",
        "=== \"",
        "<script>",
        "{/*",
        "*/}",
        "[TOC]",
    ];
    prop_oneof![3 => proptest::sample::select(PIECES).prop_map(str::to_owned), 1 => "\\PC{0,4}"]
}

fn any_markdown() -> impl Strategy<Value = String> {
    proptest::collection::vec(fragment(), 0..40).prop_map(|pieces| pieces.concat())
}

#[test]
fn html_on_one_line_takes_linear_time() {
    let line = "<p>a</p>".repeat(50_000);
    assert_eq!(parse(&line).segments.len(), 50_000);
    assert_eq!(parse(&format!("> {line}")).segments.len(), 50_000);
}

proptest! {
    #[test]
    fn any_text_keeps_its_bytes(text in any_markdown()) {
        let Ok(document) = Document::parse(Format::Markdown, text.as_bytes(), &ParseOptions::default()) else {
            return Ok(());
        };
        let nothing = render_target(&document, |_| None).unwrap();
        prop_assert_eq!(&nothing, text.as_bytes());
        let itself = render_target(&document, |n| Some(document.segments[n].source.as_str())).unwrap();
        prop_assert_eq!(&itself, text.as_bytes());
        let mut end = 0;
        for (ordinal, segment) in document.segments.iter().enumerate() {
            prop_assert_eq!(segment.ordinal, ordinal);
            prop_assert!(segment.span.start >= end && segment.span.end > segment.span.start);
            prop_assert!(document.text.get(segment.span.start..segment.span.end).is_some());
            prop_assert_eq!(segment.source.trim(), &segment.source);
            prop_assert_eq!(segment.source.matches('\n').count(), segment.continuations.len());
            end = segment.span.end;
        }
        let marked: Vec<String> = document.segments.iter().map(|s| format!("⟦{}⟧", s.source)).collect();
        let marked = render_target(&document, |n| Some(marked[n].as_str())).unwrap();
        let unmarked = String::from_utf8(marked).unwrap().replace(['⟦', '⟧'], "");
        prop_assert_eq!(unmarked, text.replace(['⟦', '⟧'], ""));
    }

    #[test]
    fn any_target_leaves_the_neighbours_as_they_are(target in any_markdown(), place in 0..28_usize) {
        let text = "---\ntitle: Front\n---\n\nIntro text.\n\n# Heading\n\n- item\n  more\n- other\n\n> quote\n\n\
            | cell | other |\n|---|---|\n| third | fourth |\n\nSetext\n---\n\n1. number\n\n\
            <div>\n  html\n  <p><img alt=\"picture\"></p>\n</div>\n\n> <p>\n> inside\n> </p>\n\n\
            <a><img src=x alt='view'></a>\n\n> [!NOTE]\n> alert\n\n!!! tip \"Title\"\n\n    hint\n\n\
            <Tab>\n\n    tab\n\n</Tab>\n\nNote[^1]\n\n[^1]: foot\n\nEnd.\n";
        let document = parse(text);
        let ordinal = place % document.segments.len();
        let again = render(&document, ordinal, &format!("Wort {target}"));
        prop_check(&document, ordinal, &again)?;
        let again = render(&document, ordinal, &format!("{target} Wort"));
        prop_check(&document, ordinal, &again)?;
    }
}

/// The units before and after the replaced one read as before; it may itself read otherwise.
fn prop_check(document: &Document, ordinal: usize, rendered: &str) -> Result<(), TestCaseError> {
    let again = parse(rendered);
    let (before, after) = (sources(document), sources(&again));
    prop_assert_eq!(
        &before[..ordinal],
        &after[..ordinal.min(after.len())],
        "{}",
        rendered
    );
    let tail = before.len() - ordinal - 1;
    let from = after.len().saturating_sub(tail);
    prop_assert_eq!(&before[ordinal + 1..], &after[from..], "{}", rendered);
    prop_assert!(before.len() >= after.len(), "{}", rendered);
    Ok(())
}
