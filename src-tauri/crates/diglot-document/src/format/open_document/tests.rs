use proptest::prelude::*;

use crate::format::office::Tree;
use crate::format::office::tests::{member, pack, prove, sources};
use crate::{Document, Format, ParseOptions, SegmentKind, Untranslatable, render_target};

const STYLES: &str = "<office:automatic-styles><style:style style:name=\"T1\" style:family=\"text\"><style:text-properties fo:font-weight=\"bold\"/></style:style><style:style style:name=\"T2\" style:family=\"text\"><style:text-properties officeooo:rsid=\"1\"/></style:style><style:style style:name=\"T3\" style:family=\"text\"><style:text-properties officeooo:rsid=\"2\" fo:language=\"de\"/></style:style></office:automatic-styles>";

/// Makes a text with the given content of its body.
fn text(body: &str) -> Document {
    let content = format!(
        "<?xml version=\"1.0\"?>\n<office:document-content>{STYLES}<office:body>{body}</office:body></office:document-content>"
    );
    let bytes = pack(&[
        ("mimetype", "application/vnd.oasis.opendocument.text"),
        ("content.xml", &content),
        (
            "styles.xml",
            "<office:document-styles><text:p>Footer</text:p></office:document-styles>",
        ),
    ]);
    Document::parse(Format::OpenDocument, &bytes, &ParseOptions::default()).unwrap()
}

fn check(body: &str, expected: &[&str]) {
    let document = text(body);
    let mut units = sources(&document);
    assert_eq!(units.pop(), Some("Footer"));
    assert_eq!(units, expected, "{body}");
    prove(&document);
}

/// Writes a target in the place of the first unit, and returns the body.
fn written(body: &str, target: &str) -> String {
    let document = text(body);
    let bytes = render_target(&document, |n| (n == 0).then_some(target)).unwrap();
    let text = member(&bytes, "content.xml");
    assert!(Tree::new(&text).is_ok(), "{target:?} {text}");
    let body = text.split_once("<office:body>").unwrap().1;
    body.split_once("</office:body>").unwrap().0.to_owned()
}

#[test]
fn spans_are_tags_where_they_look_different() {
    for (body, expected) in [
        (
            "<text:p>The <text:span text:style-name=\"T1\">red</text:span> lid &amp; more</text:p>",
            vec!["The <1>red</1> lid & more"],
        ),
        (
            "<text:p><text:span text:style-name=\"T2\">Pu</text:span>mp <text:span text:style-name=\"T3\">man</text:span><text:span text:style-name=\"T2\">ual</text:span></text:p>",
            vec!["Pump manual"],
        ),
        (
            "<text:p><text:span text:style-name=\"T1\">All bold</text:span></text:p>",
            vec!["All bold"],
        ),
        (
            "<text:p><text:span text:style-name=\"T1\">Mostly bold<text:span text:style-name=\"Em\"> not</text:span></text:span> x</text:p>",
            vec!["Mostly bold<1> not</1><2> x</2>"],
        ),
        (
            "<text:p>\n  A<text:s text:c=\"2\"/>b<text:tab/>c\n  d <text:line-break/>e<text:s/></text:p>",
            vec!["A  b<1/>c d <2/>e"],
        ),
        (
            "<text:h text:outline-level=\"2\">See <text:a xlink:href=\"x\"><text:span text:style-name=\"T1\">this</text:span></text:a></text:h>",
            vec!["See <1>this</1>"],
        ),
        (
            "<text:p>1.5</text:p><text:tracked-changes><text:p>Old</text:p></text:tracked-changes><text:p>New<text:change text:change-id=\"1\"/> <office:annotation><text:p>Why</text:p></office:annotation>text</text:p>",
            vec!["New text"],
        ),
        (
            "<text:p>Page <text:page-number>1</text:page-number> of it</text:p>",
            vec!["Page <1/> of it"],
        ),
    ] {
        check(body, &expected);
    }
    let kinds = text("<text:h text:outline-level=\"2\">See</text:h>").segments;
    assert_eq!(kinds[0].kind, SegmentKind::Heading(2));
}

#[test]
fn notes_and_frames_are_read() {
    let note = "<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>A note.</text:p></text:note-body></text:note>";
    check(
        &format!("<text:p>The lid{note} is red.{note} It shuts.{note}</text:p>"),
        &[
            "The lid<1>A note.</1> is red.",
            "A note.",
            "It shuts.",
            "A note.",
        ],
    );
    let frame = "<draw:frame><draw:text-box><text:p>Boxed</text:p></draw:text-box><svg:title>A lid</svg:title></draw:frame>";
    check(
        &format!("<text:p>{frame}After it</text:p>"),
        &["Boxed", "A lid", "After it"],
    );
    let image = "<draw:frame><draw:image/><svg:desc>A lid</svg:desc></draw:frame>";
    check(
        &format!("<text:p>{image}After</text:p><text:p>Press {image} now</text:p>"),
        &["A lid", "After", "Press <1/> now"],
    );
}

#[test]
fn numbers_of_tables_stay() {
    check(
        "<table:table-cell office:value-type=\"float\"><text:p>12 kg</text:p></table:table-cell><table:table-cell office:value-type=\"string\" table:formula=\"x\"><text:p>Sum</text:p></table:table-cell><table:table-cell office:value-type=\"string\"><text:p>Lid</text:p></table:table-cell>",
        &["Lid"],
    );
}

#[test]
fn targets_are_written_as_spans() {
    let body = "<text:p><text:span text:style-name=\"T2\">The </text:span><text:span text:style-name=\"T1\">red</text:span> lid</text:p>";
    for (target, expected) in [
        (
            "Der <1>rote</1> Deckel",
            "<text:p><text:span text:style-name=\"T2\">Der </text:span><text:span text:style-name=\"T1\">rote</text:span> Deckel</text:p>",
        ),
        (
            "<1>Rot</1>  er < b",
            "<text:p><text:span text:style-name=\"T2\"></text:span><text:span text:style-name=\"T1\">Rot</text:span> <text:s/>er &lt; b</text:p>",
        ),
    ] {
        assert_eq!(written(body, target), expected, "{target}");
    }
}

#[test]
fn broken_and_encrypted_packages_are_named() {
    let error = |members: &[(&str, &str)]| {
        Document::parse(
            Format::OpenDocument,
            &pack(members),
            &ParseOptions::default(),
        )
        .err()
    };
    assert_eq!(error(&[]), Some(Untranslatable::Damaged));
    let manifest = "<m><manifest:encryption-data/></m>";
    let members = [("content.xml", "x"), ("META-INF/manifest.xml", manifest)];
    assert_eq!(error(&members), Some(Untranslatable::Encrypted));
}

const RICH: &str = "<text:p><text:span text:style-name=\"T2\">See <text:span text:style-name=\"T1\">one</text:span></text:span> <text:a xlink:href=\"x\">the <text:span text:style-name=\"T1\">big</text:span> guide</text:a> fi<text:bookmark-start text:name=\"b\"/>rst<text:bookmark-end text:name=\"b\"/><text:sequence>1</text:sequence>.<text:tab/><text:span text:style-name=\"T3\">End</text:span></text:p>";

fn any_target() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        Just("wort".to_owned()),
        Just("  ".to_owned()),
        Just("é&<]]>".to_owned()),
        (0_usize..7).prop_map(|n| format!("<{n}>")),
        (0_usize..7).prop_map(|n| format!("</{n}>")),
        (0_usize..7).prop_map(|n| format!("<{n}/>")),
        Just("See <1>one</1>".to_owned()),
        Just(" <2>the <3>".to_owned()),
        Just(" guide</2> first<4/>.<5/>End".to_owned()),
    ];
    prop::collection::vec(word, 1..12).prop_map(|words| words.concat())
}

proptest! {
    #[test]
    fn any_target_leaves_a_sound_document(target in any_target()) {
        prop_assume!(!target.trim().is_empty());
        let body = written(RICH, &target);
        for mark in ["text:sequence>1", "bookmark-start", "bookmark-end"] {
            prop_assert_eq!(body.matches(mark).count(), 1, "{}", body);
        }
        prove(&text(&body));
    }

    #[test]
    fn damaged_text_never_panics(at in any::<prop::sample::Index>(), with in "[<>/&a]{0,3}", cut: bool) {
        let mut body = RICH.to_owned();
        let at = at.index(body.len());
        if cut {
            body.truncate(at);
        }
        body.insert_str(at.min(body.len()), &with);
        prove(&text(&body));
    }
}

#[test]
fn rich_text_is_one_unit() {
    check(
        RICH,
        &["See <1>one</1> <2>the <3>big</3> guide</2> first<4/>.<5/>End"],
    );
}
