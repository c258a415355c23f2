use std::path::Path;

use crate::{Document, Format, ParseOptions, Problem, Span, render_target};

/// A file that broke another tool, with what must hold for it.
struct Case {
    file: &'static str,
    encoding: Option<&'static str>,
    units: Option<usize>,
    inside: &'static [&'static str],
    outside: &'static [&'static str],
}

impl Case {
    const fn new(file: &'static str) -> Self {
        Self {
            file,
            encoding: None,
            units: None,
            inside: &[],
            outside: &[],
        }
    }
}

fn bytes_of(file: &str) -> Vec<u8> {
    std::fs::read(Path::new("tests/fixtures/cases").join(file)).unwrap()
}

fn parse(file: &str, encoding: Option<&str>) -> Document {
    let options = ParseOptions {
        encoding: encoding.map(str::to_owned),
        ..ParseOptions::default()
    };
    Document::parse(Format::from_path(file).unwrap(), &bytes_of(file), &options).unwrap()
}

fn render(document: &Document, targets: &[String]) -> Vec<u8> {
    render_target(document, |n| targets.get(n).map(String::as_str)).unwrap()
}

/// Encodes the markers as the document does, so that they can be taken out of its bytes.
fn without_markers(document: &Document, bytes: &[u8]) -> Vec<u8> {
    let wide = document.encoding.name == "UTF-16LE";
    let length = if wide { 2 } else { 3 };
    let markers = if wide {
        [vec![0xE6, 0x27], vec![0xE7, 0x27]]
    } else {
        ["⟦".as_bytes().to_vec(), "⟧".as_bytes().to_vec()]
    };
    let mut kept = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        if markers.iter().any(|marker| bytes[at..].starts_with(marker)) {
            at += length;
        } else {
            kept.push(bytes[at]);
            at += 1;
        }
    }
    kept
}

fn check(case: &Case) {
    let document = parse(case.file, case.encoding);
    let input = bytes_of(case.file);
    let sources: Vec<String> = document.segments.iter().map(|s| s.source.clone()).collect();
    assert_eq!(
        render(&document, &[]),
        input,
        "{}: nothing translated",
        case.file
    );
    assert_eq!(
        render(&document, &sources),
        input,
        "{}: each as itself",
        case.file
    );
    if let Some(units) = case.units {
        assert_eq!(sources.len(), units, "{}: {sources:#?}", case.file);
    }
    for text in case.inside {
        assert!(
            sources.iter().any(|s| s.contains(text)),
            "{}: {text} in {sources:#?}",
            case.file
        );
    }
    for text in case.outside {
        let first = document.text.find(text).unwrap();
        let apart = document
            .segments
            .iter()
            .all(|s| s.span.end <= first || s.span.start >= first + text.len());
        assert!(apart, "{}: {text} in {sources:#?}", case.file);
    }
    if matches!(document.encoding.name, "UTF-8" | "UTF-16LE") {
        let marked: Vec<String> = sources
            .iter()
            .map(|s| format!("\u{27E6}{s}\u{27E7}"))
            .collect();
        let output = render(&document, &marked);
        assert_eq!(
            without_markers(&document, &output),
            input,
            "{}: marked",
            case.file
        );
    }
}

#[test]
fn front_matter_keeps_keys_and_gives_prose() {
    check(&Case {
        inside: &[
            "Pump manual: quick start",
            "How to mount the pump\nin ten minutes.",
            "Fill the tank first.",
        ],
        outside: &[
            "slug: pump-manual",
            "date: 2024-05-01",
            "draft: false",
            "water",
        ],
        units: Some(4),
        ..Case::new("C001-doc.md")
    });
    check(&Case {
        inside: &["Before the rule.", "After the rule.", "Old style heading"],
        outside: &["weight: 10"],
        ..Case::new("C002-a.md")
    });
    check(&Case {
        units: Some(1),
        outside: &["weight = 10"],
        ..Case::new("C002-b.md")
    });
}

#[test]
fn code_is_never_offered() {
    let outside = &[
        "# stop the old copy",
        "svc stop app",
        "# start the new copy",
        "svc start app",
    ];
    check(&Case {
        units: Some(3),
        inside: &["Deploy", "Run the script:", "Then open the status page."],
        outside,
        ..Case::new("C004-doc.md")
    });
    check(&Case {
        units: Some(3),
        inside: &[
            "Show a fence like this:",
            "Or with tildes:",
            "This one is cut off:",
        ],
        outside: &["echo inner", "not prose either", "tail -f log"],
        ..Case::new("C005-doc.md")
    });
    assert_eq!(
        parse("C005-doc.md", None).problems,
        [Problem::Unclosed { line: 19 }]
    );
}

#[test]
fn lists_breaks_links_and_math_keep_their_marks() {
    check(&Case {
        units: Some(7),
        inside: &[
            "Prepare",
            "Check the seal",
            "Replace it if it is dry.",
            "Check the hose\nand its clamp",
        ],
        ..Case::new("C007-doc.md")
    });
    check(&Case {
        units: Some(2),
        inside: &["Line one  \nLine two  \nLine three\\\nLine four", "The end"],
        ..Case::new("C008-doc.md")
    });
    check(&Case {
        units: Some(2),
        outside: &[
            "[g]: docs/guide.md",
            "[b]: img/badge.svg",
            "[ci]: https://example.org/ci",
        ],
        ..Case::new("C010-doc.md")
    });
    check(&Case {
        inside: &[
            "Install the tool",
            "Mind the heat",
            "Let it cool down.",
            "Next steps",
        ],
        outside: &["{#install}", ":::caution"],
        ..Case::new("C011-doc.md")
    });
    check(&Case {
        units: Some(2),
        inside: &["costs $5 to $6 per day"],
        outside: &["\\sum_{i=1}^{n} x_i", "= \\text{total}"],
        ..Case::new("C013-doc.md")
    });
    check(&Case {
        inside: &[
            "Limits",
            "Read **all** steps.",
            "Before you start",
            "The unit is",
        ],
        outside: &[
            "import {Callout}",
            "export const limit = 3",
            "<Tabs items={['one', 'two']} />",
        ],
        ..Case::new("C014-doc.mdx")
    });
}

#[test]
fn line_ends_stay() {
    check(&Case {
        units: Some(2),
        ..Case::new("C022-doc.md")
    });
    let document = parse("C022-doc.md", None);
    let targets = [
        "Füllen Sie den Tank\nvor dem ersten Start.",
        "Lassen Sie die Pumpe\nnicht trocken laufen.",
    ];
    let output = render(&document, &targets.map(str::to_owned));
    let expected = "Füllen Sie den Tank\r\nvor dem ersten Start.\r\n\r\nLassen Sie die Pumpe\r\nnicht trocken laufen.\r\n";
    assert_eq!(String::from_utf8(output).unwrap(), expected);
    check(&Case {
        units: Some(3),
        ..Case::new("C023-doc.md")
    });
    let document = parse("C023-doc.md", None);
    let output = render(&document, &["x\ny\nz".to_owned()]);
    assert!(output.starts_with(b"x\ny\nz\r\n\r\nbeta"));
}

#[test]
fn encodings_stay() {
    check(&Case {
        units: Some(1),
        outside: &["weight: 3"],
        ..Case::new("C025-doc.md")
    });
    check(&Case {
        units: Some(2),
        inside: &["5 €"],
        ..Case::new("C026-doc.txt")
    });
    check(&Case {
        units: Some(3),
        encoding: Some("gbk"),
        inside: &[
            "夜里下了一场雨。",
            "他打开窗户，街上没有人。",
            "“你来了。”她说。",
        ],
        ..Case::new("C028-doc.txt")
    });
    check(&Case {
        units: Some(2),
        encoding: Some("shift_jis"),
        inside: &["表示はソフトで行う。", "ｱｲｳの順に押す。"],
        ..Case::new("C029-doc.txt")
    });
    check(&Case {
        units: Some(2),
        inside: &["E\u{301}te\u{301}"],
        ..Case::new("C031-doc.md")
    });
    check(&Case {
        units: Some(2),
        inside: &["First line is fine.", "Last line is fine."],
        ..Case::new("C032-doc.md")
    });
    assert_eq!(
        parse("C032-doc.md", None).problems,
        [Problem::InvalidBytes { lines: vec![3] }]
    );
}

#[test]
fn damage_beside_a_long_line_takes_linear_time() {
    let mut bytes = "<p>word</p>".repeat(50_000).into_bytes();
    bytes.extend(b"\n<p>lost \xff</p><p>lost too</p>\n<p>last</p>\n");
    let options = ParseOptions {
        encoding: Some("UTF-8".to_owned()),
        ..ParseOptions::default()
    };
    let document = Document::parse(Format::Html, &bytes, &options).unwrap();
    assert_eq!(document.segments.len(), 50_001);
    assert_eq!(document.segments[50_000].source, "last");
}

#[test]
fn paragraphs_stay_apart() {
    check(&Case {
        units: Some(2),
        ..Case::new("C034-doc.md")
    });
    check(&Case {
        units: Some(2),
        ..Case::new("C038-doc.md")
    });
    check(&Case {
        units: Some(6),
        ..Case::new("C040-doc.md")
    });
    check(&Case {
        units: Some(3),
        ..Case::new("C041-doc.md")
    });
    check(&Case {
        units: Some(3),
        ..Case::new("C019-doc.txt")
    });
    check(&Case {
        units: Some(5),
        inside: &["two words", "two  words", "two\twords"],
        ..Case::new("C046-doc.txt")
    });
    for file in [
        "C049-blank.md",
        "C049-bom.md",
        "C049-empty.md",
        "C049-marks.txt",
        "C049-matter.md",
    ] {
        check(&Case {
            units: Some(0),
            ..Case::new(file)
        });
    }
}

/// C047: one line of one megabyte is cut at sentence ends, and nothing is dropped.
#[test]
fn a_megabyte_on_one_line_is_divided() {
    let sentence = |n: usize| format!("Sentence {n} says that valve {} is open. ", n % 97);
    let mut line: String = (0..24_000).map(sentence).collect();
    line.push_str(&"x".repeat(41));
    for format in [Format::PlainText, Format::Markdown] {
        let document = Document::parse(format, line.as_bytes(), &ParseOptions::default()).unwrap();
        assert!(document.segments.len() > 3_000);
        let mut end = 0;
        for segment in &document.segments {
            assert!(segment.source.len() <= 300 && segment.source.ends_with(['.', 'x']));
            assert!(
                Span::new(end, segment.span.start)
                    .of(&line)
                    .trim()
                    .is_empty()
            );
            end = segment.span.end;
        }
        assert_eq!(end, line.len());
    }
}
