use std::io::{Cursor, Read as _, Write as _};

use proptest::prelude::*;
use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

use crate::{Document, Format, ParseOptions, Problem, SegmentKind, Untranslatable, render_target};

/// Packs members.
pub(in crate::format) fn pack(members: &[(&str, &str)]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in members {
        writer
            .start_file(*name, SimpleFileOptions::default())
            .unwrap();
        writer.write_all(content.as_bytes()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// Returns a member's text.
pub(in crate::format) fn member(bytes: &[u8], name: &str) -> String {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).unwrap();
    let mut content = String::new();
    let mut member = archive.by_name(name).unwrap();
    member.read_to_string(&mut content).unwrap();
    content
}

/// Lists the units' texts.
pub(in crate::format) fn sources(document: &Document) -> Vec<&str> {
    let segments = document.segments.iter();
    segments.map(|segment| segment.source.as_str()).collect()
}

/// Proves that a package comes back: with each unit as itself, and with each wrapped in markers that
/// are then deleted.
pub(in crate::format) fn prove(document: &Document) {
    let same = render_target(document, |n| Some(document.segments[n].source.as_str())).unwrap();
    assert!(same == *document.bytes);
    let mut end = 0;
    for segment in &document.segments {
        assert!(segment.span.start >= end && segment.span.end >= segment.span.start);
        end = segment.span.end;
    }
    let wrap = |source: &&str| format!("⟦{source}⟧");
    let marked: Vec<String> = sources(document).iter().map(wrap).collect();
    let output = render_target(document, |n| Some(marked[n].as_str())).unwrap();
    let (mut old, mut new) = (
        ZipArchive::new(Cursor::new(&document.bytes[..])).unwrap(),
        ZipArchive::new(Cursor::new(&output[..])).unwrap(),
    );
    let mut n_marks = 0;
    for index in 0..old.len() {
        let (mut before, mut after) = (Vec::new(), Vec::new());
        old.by_index(index)
            .unwrap()
            .read_to_end(&mut before)
            .unwrap();
        new.by_index(index)
            .unwrap()
            .read_to_end(&mut after)
            .unwrap();
        if before != after {
            let after = String::from_utf8(after).unwrap();
            n_marks += after.matches('⟦').count();
            assert_eq!(
                after.replace(['⟦', '⟧'], ""),
                String::from_utf8(before).unwrap()
            );
        }
    }
    assert_eq!(n_marks, marked.len());
}

const TYPES: &str = r#"<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/><Override PartName="/word/footnotes.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.footnotes+xml"/></Types>"#;

/// Makes a document with the given content of its body.
fn word(body: &str) -> Document {
    let text = format!("<?xml version=\"1.0\"?>\n<w:document><w:body>{body}</w:body></w:document>");
    let notes = "<w:footnotes><w:footnote><w:p><w:r><w:t>A note.</w:t></w:r></w:p></w:footnote></w:footnotes>";
    let bytes = pack(&[
        ("[Content_Types].xml", TYPES),
        ("word/footnotes.xml", notes),
        ("word/document.xml", &text),
    ]);
    Document::parse(Format::Word, &bytes, &ParseOptions::default()).unwrap()
}

/// Compares the units of a body without the note, and proves the document.
fn check(body: &str, expected: &[&str]) {
    let document = word(body);
    let mut units = sources(&document);
    assert_eq!(units.pop(), Some("A note."));
    assert_eq!(units, expected, "{body}");
    prove(&document);
}

/// Writes a target in the place of the first unit, and returns the body.
fn written(body: &str, target: &str) -> String {
    let document = word(body);
    let bytes = render_target(&document, |n| (n == 0).then_some(target)).unwrap();
    let text = member(&bytes, "word/document.xml");
    assert!(super::Tree::new(&text).is_ok(), "{text}");
    let body = text.split_once("<w:body>").unwrap().1;
    body.split_once("</w:body>").unwrap().0.to_owned()
}

const BOLD: &str = "<w:r><w:rPr><w:b/></w:rPr><w:t>is</w:t></w:r>";

#[test]
fn paragraphs_are_units_with_numbered_tags() {
    check(
        r#"<w:p><w:r><w:t>Pump </w:t></w:r><w:r w:rsidR="1"><w:rPr><w:lang w:val="x"/></w:rPr><w:t>man</w:t></w:r><w:proofErr w:type="spellStart"/><w:r><w:t>ual</w:t></w:r></w:p>"#,
        &["Pump manual"],
    );
    check(
        &format!(
            "<w:p><w:r><w:t>The lid </w:t></w:r>{BOLD}<w:r><w:t xml:space=\"preserve\"> red.</w:t></w:r></w:p>"
        ),
        &["The lid <1>is</1> red."],
    );
    check(
        r#"<w:p><w:r><w:t>See </w:t></w:r><w:hyperlink r:id="rId9"><w:r><w:rPr><w:u w:val="single"/></w:rPr><w:t>the guide</w:t></w:r></w:hyperlink><w:r><w:t xml:space="preserve"> first.</w:t></w:r><w:r><w:tab/><w:t>End</w:t></w:r><w:r><w:br/></w:r></w:p>"#,
        &["See <1>the guide</1> first.<2/>End"],
    );
}

#[test]
fn what_readers_do_not_see_is_no_text() {
    for (body, expected) in [
        ("<w:p/><w:p><w:pPr/></w:p>", vec![]),
        (
            "<w:p><w:r><w:t>1.5</w:t></w:r></w:p><w:p><w:r><w:t> </w:t></w:r></w:p>",
            vec![],
        ),
        (
            "<w:p><w:r><w:t>Old </w:t></w:r><w:del><w:r><w:delText>red</w:delText></w:r></w:del><w:ins><w:r><w:t>blue</w:t></w:r></w:ins><w:r><w:t> lid</w:t></w:r></w:p>",
            vec!["Old blue lid"],
        ),
        (
            "<w:p><w:r><w:t>Seen </w:t></w:r><w:r><w:rPr><w:vanish/></w:rPr><w:t>not seen</w:t></w:r><w:r><w:t>text</w:t></w:r></w:p>",
            vec!["Seen <1/>text"],
        ),
        (
            "<w:p><w:r><w:t>A</w:t></w:r><w:bookmarkStart w:id=\"1\"/><w:r><w:t>bc</w:t></w:r><w:bookmarkEnd w:id=\"1\"/><w:r><w:lastRenderedPageBreak/><w:t>d</w:t></w:r></w:p>",
            vec!["Abcd"],
        ),
        (
            "<w:p><w:r><w:tab/><w:t>First</w:t></w:r><w:r><w:footnoteReference w:id=\"2\"/></w:r><w:r><w:t xml:space=\"preserve\"> and</w:t><w:br/><w:t>last</w:t></w:r><w:r><w:drawing/></w:r></w:p>",
            vec!["First<1/> and<2/>last"],
        ),
        (
            "<w:p><w:sdt><w:sdtPr/><w:sdtContent><w:r><w:t>Whole</w:t></w:r></w:sdtContent></w:sdt></w:p>",
            vec!["Whole"],
        ),
        (
            "<w:p><w:r><w:t>In </w:t></w:r><w:sdt><w:sdtPr/><w:sdtContent><w:r><w:t>part</w:t></w:r></w:sdtContent></w:sdt></w:p>",
            vec!["In <1>part</1>"],
        ),
        (
            "<w:p><w:r><w:t>x &lt; y &amp; &lt;1&gt; caf&#xE9;</w:t></w:r></w:p>",
            vec!["x < y & &lt;1> café"],
        ),
        (
            "<w:p><w:r><w:t>Area </w:t></w:r><m:oMath><m:r><m:t>r</m:t></m:r></m:oMath><w:r><w:t>!</w:t></w:r></w:p>",
            vec!["Area <1/>!"],
        ),
    ] {
        check(body, &expected);
    }
}

#[test]
fn results_of_fields_are_text_or_things() {
    let field = |code: &str| {
        format!(
            "<w:r><w:fldChar w:fldCharType=\"begin\"/></w:r><w:r><w:instrText> {code} </w:instrText></w:r><w:r><w:fldChar w:fldCharType=\"separate\"/></w:r><w:r><w:t>result</w:t></w:r><w:r><w:fldChar w:fldCharType=\"end\"/></w:r>"
        )
    };
    let (page, link) = (field("PAGE"), field("HYPERLINK &quot;a&quot;"));
    check(&format!("<w:p>{page}</w:p>"), &[]);
    check(
        &format!("<w:p><w:r><w:t>Page </w:t></w:r>{page}<w:r><w:t> end</w:t></w:r></w:p>"),
        &["Page <1/> end"],
    );
    check(&format!("<w:p>{link}</w:p>"), &["result"]);
    check(
        &format!("<w:p><w:r><w:t>A </w:t></w:r>{link}<w:r><w:t> b</w:t></w:r></w:p>"),
        &["A <1>result</1> b"],
    );
    check(
        "<w:p><w:r><w:t>A </w:t></w:r><w:fldSimple w:instr=\"PAGE\"><w:r><w:t>one</w:t></w:r></w:fldSimple><w:r><w:t> b</w:t></w:r></w:p>",
        &["A <1/> b"],
    );
    let begins = "<w:r><w:fldChar w:fldCharType=\"begin\"/></w:r><w:r><w:instrText>TOC</w:instrText></w:r><w:r><w:fldChar w:fldCharType=\"separate\"/></w:r>";
    let ends = "<w:r><w:fldChar w:fldCharType=\"end\"/></w:r>";
    check(
        &format!(
            "<w:p>{begins}<w:r><w:t>One</w:t></w:r></w:p><w:p><w:r><w:t>Two</w:t></w:r></w:p><w:p>{ends}<w:r><w:t>Three</w:t></w:r></w:p>"
        ),
        &["One", "Two", "Three"],
    );
}

#[test]
fn text_boxes_and_pictures_are_units_of_their_own() {
    let drawing = |inner: &str| {
        format!(
            "<w:drawing><wp:inline><wp:docPr id=\"1\" name=\"x\" descr=\"A red &amp;lid&quot;\"/>{inner}</wp:inline></w:drawing>"
        )
    };
    let boxed = drawing("<w:txbxContent><w:p><w:r><w:t>Boxed</w:t></w:r></w:p></w:txbxContent>");
    let twice = format!(
        "<w:r><mc:AlternateContent><mc:Choice>{boxed}</mc:Choice><mc:Fallback>{boxed}</mc:Fallback></mc:AlternateContent></w:r>"
    );
    check(
        &format!("<w:p><w:r><w:t>Before</w:t></w:r>{twice}<w:r><w:t>after</w:t></w:r></w:p>"),
        &["Before", "A red &lid\"", "Boxed", "after"],
    );
    let picture = drawing("");
    check(
        &format!("<w:p><w:r>{picture}</w:r><w:r><w:t>Caption</w:t></w:r></w:p>"),
        &["A red &lid\"", "Caption"],
    );
    check(
        &format!(
            "<w:p><w:r><w:t>Press </w:t></w:r><w:r>{picture}</w:r><w:r><w:t> now</w:t></w:r></w:p>"
        ),
        &["Press <1/> now"],
    );
}

#[test]
fn kinds_come_from_styles_and_cells() {
    let document = word(
        "<w:p><w:pPr><w:pStyle w:val=\"Heading2\"/></w:pPr><w:r><w:t>One</w:t></w:r></w:p><w:p><w:pPr><w:numPr/></w:pPr><w:r><w:t>Two</w:t></w:r></w:p><w:tbl><w:tr><w:tc><w:p><w:r><w:t>Three</w:t></w:r></w:p></w:tc></w:tr></w:tbl><w:p><w:r><w:t>Four</w:t></w:r></w:p>",
    );
    let kinds: Vec<_> = document
        .segments
        .iter()
        .map(|segment| segment.kind)
        .collect();
    assert_eq!(
        kinds,
        [
            SegmentKind::Heading(2),
            SegmentKind::ListItem,
            SegmentKind::TableCell,
            SegmentKind::Paragraph,
            SegmentKind::Paragraph,
        ]
    );
}

const LID: &str = "<w:p><w:r><w:t xml:space=\"preserve\">The lid </w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>is</w:t></w:r><w:r><w:t xml:space=\"preserve\"> red.</w:t></w:r></w:p>";

#[test]
fn tags_bring_back_their_runs() {
    for (target, expected) in [
        (
            "Der Deckel <1>ist</1> rot.",
            "<w:p><w:r><w:t xml:space=\"preserve\">Der Deckel </w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>ist</w:t></w:r><w:r><w:t xml:space=\"preserve\"> rot.</w:t></w:r></w:p>",
        ),
        (
            "Rot <1>& <2></1>",
            "<w:p><w:r><w:t xml:space=\"preserve\">Rot </w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>&amp; &lt;2></w:t></w:r><w:r><w:t xml:space=\"preserve\"></w:t></w:r></w:p>",
        ),
        (
            "Ohne",
            "<w:p><w:r><w:t xml:space=\"preserve\">Ohne</w:t></w:r></w:p>",
        ),
        (
            "a</1> <1>b",
            "<w:p><w:r><w:t xml:space=\"preserve\">a </w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>b</w:t></w:r><w:r><w:t xml:space=\"preserve\"></w:t></w:r></w:p>",
        ),
    ] {
        assert_eq!(written(LID, target), expected, "{target}");
    }
}

/// A paragraph with a format, a link with a format inside, a bookmark, a note and a field, between
/// two others.
const RICH: &str = "<w:p><w:r><w:t>Before it.</w:t></w:r></w:p><w:p><w:r><w:rPr><w:b/></w:rPr><w:t>See</w:t></w:r><w:r><w:t xml:space=\"preserve\"> one </w:t></w:r><w:hyperlink r:id=\"r1\"><w:r><w:t xml:space=\"preserve\">the </w:t></w:r><w:r><w:rPr><w:i/></w:rPr><w:t>big</w:t></w:r><w:r><w:t> guide</w:t></w:r></w:hyperlink><w:r><w:t> fi</w:t></w:r><w:bookmarkStart w:id=\"7\"/><w:ins><w:r><w:t>rs</w:t></w:r></w:ins><w:r><w:t>t</w:t></w:r><w:bookmarkEnd w:id=\"7\"/><w:r><w:footnoteReference w:id=\"2\"/></w:r><w:r><w:t>.</w:t><w:tab/><w:t>End</w:t></w:r></w:p><w:p><w:r><w:t>After it.</w:t></w:r></w:p>";

const RICH_SHOWN: &str = "<1>See</1> one <2>the <3>big</3> guide</2> first<4/>.<5/>End";

/// Writes a target in the place of the rich paragraph, and returns the new body and its units.
fn rewritten(target: &str) -> (String, Vec<String>) {
    let document = word(RICH);
    let bytes = render_target(&document, |n| (n == 1).then_some(target)).unwrap();
    let text = member(&bytes, "word/document.xml");
    assert!(super::Tree::new(&text).is_ok(), "{target:?} {text}");
    let again = Document::parse(Format::Word, &bytes, &ParseOptions::default()).unwrap();
    prove(&again);
    let units = sources(&again).into_iter().map(str::to_owned).collect();
    (text, units)
}

#[test]
fn tags_may_move_and_nothing_is_lost() {
    check(RICH, &["Before it.", RICH_SHOWN, "After it."]);
    for (target, expected) in [
        (
            "Zuerst<4/> <2>das <3>große</3> Buch</2>.<5/><1>Ende</1>",
            "Zuerst<1/> <2>das <3>große</3> Buch</2>.<4/><5>Ende</5>",
        ),
        ("<2>ganz</2><4/>.", "<1>ganz</1><2/>."),
        ("Ganz ohne", "Ganz ohne"),
        ("<1>a <2>b</1> c</2> d<4/>", "<1>a</1> <2>b</2><3> c</3> d"),
        ("x<4/> <4/> <5/>y<5/>z", "x<1/>  <2/>y<3/>z"),
        ("&lt;1> < 5 & <b> <9> y<4/>", "&lt;1> < 5 & <b> &lt;9> y"),
    ] {
        let (text, units) = rewritten(target);
        assert_eq!(units[0], "Before it.");
        assert_eq!(units[1], expected, "{text}");
        assert_eq!(units[2], "After it.");
        for mark in ["footnoteReference", "bookmarkStart", "bookmarkEnd"] {
            assert_eq!(text.matches(mark).count(), 1, "{mark} {text}");
        }
    }
}

#[test]
fn blanks_are_kept_where_they_count() {
    let body = format!("<w:p><w:r><w:t>Is</w:t></w:r>{BOLD}<w:r><w:t>red</w:t></w:r></w:p>");
    assert_eq!(
        written(&body, "Da <1>ist</1> es"),
        "<w:p><w:r><w:t>Da</w:t><w:t xml:space=\"preserve\"> </w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>ist</w:t></w:r><w:r><w:t></w:t><w:t xml:space=\"preserve\"> es</w:t></w:r></w:p>"
    );
}

#[test]
fn long_paragraphs_are_divided_outside_of_tags() {
    let long = |n: usize| format!("Sentence {n} goes on for a while, as they do. ").repeat(5);
    let body = format!(
        "<w:p><w:r><w:t xml:space=\"preserve\">{}</w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t xml:space=\"preserve\">{}</w:t></w:r><w:r><w:t>{}</w:t></w:r></w:p>",
        long(1),
        long(2),
        long(3)
    );
    let document = word(&body);
    prove(&document);
    let units = sources(&document);
    assert!(units.len() >= 4, "{units:?}");
    for unit in units {
        assert_eq!(unit.matches("<1>").count(), unit.matches("</1>").count());
    }
    let all = render_target(&document, |n| {
        Some(["Eins.", "<1>Zwei</1>.", "Drei."][n % 3])
    })
    .unwrap();
    let text = member(&all, "word/document.xml");
    assert!(super::Tree::new(&text).is_ok());
}

#[test]
fn packages_without_their_parts_are_damaged() {
    let damaged = |members: &[(&str, &str)]| {
        Document::parse(Format::Word, &pack(members), &ParseOptions::default()).err()
    };
    let expected = Some(Untranslatable::Damaged);
    assert_eq!(damaged(&[]), expected);
    assert_eq!(damaged(&[("[Content_Types].xml", TYPES)]), expected);
    assert_eq!(damaged(&[("[Content_Types].xml", "<Types>")]), expected);
    let broken = pack(&[
        ("[Content_Types].xml", TYPES),
        ("word/document.xml", "<w:p><w:r><w:t>Text</w:r></w:p>"),
    ]);
    let document = Document::parse(Format::Word, &broken, &ParseOptions::default()).unwrap();
    assert!(document.segments.is_empty());
    assert_eq!(document.problems, [Problem::Unclosed { line: 1 }]);
}

#[test]
fn depth_and_length_are_no_harm() {
    let deep = format!(
        "<w:p>{}<w:r><w:t>Text</w:t></w:r>{}</w:p>",
        "<w:ins>".repeat(10_000),
        "</w:ins>".repeat(10_000)
    );
    assert_eq!(sources(&word(&deep)), ["Text", "A note."]);
    let many = format!(
        "<w:p>{}</w:p>",
        format!("<w:r><w:t>a </w:t></w:r>{BOLD}").repeat(3_000)
    );
    let document = word(&many);
    prove(&document);
    let boxes = "<w:p><w:r><w:pict><w:txbxContent>".repeat(500);
    let ends = "</w:txbxContent></w:pict></w:r></w:p>".repeat(500);
    prove(&word(&format!("{boxes}{ends}")));
}

/// Targets of words and of tags that the rich paragraph has, has differently, or has not.
fn any_target() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        Just("wort".to_owned()),
        Just(" ".to_owned()),
        Just("é&<]]>".to_owned()),
        Just("&lt;1>".to_owned()),
        (0_usize..7).prop_map(|n| format!("<{n}>")),
        (0_usize..7).prop_map(|n| format!("</{n}>")),
        (0_usize..7).prop_map(|n| format!("<{n}/>")),
        Just("<1>See</1>".to_owned()),
        Just(" one <2>".to_owned()),
        Just(" guide</2> first<4/>.<5/>".to_owned()),
    ];
    prop::collection::vec(word, 1..12).prop_map(|words| words.concat())
}

proptest! {
    #[test]
    fn any_target_leaves_a_sound_document(target in any_target()) {
        prop_assume!(!target.trim().is_empty());
        let (text, units) = rewritten(&target);
        prop_assert_eq!(units.first().map(String::as_str), Some("Before it."));
        prop_assert_eq!(units.iter().rev().nth(1).map(String::as_str), Some("After it."));
        for mark in ["footnoteReference", "bookmarkStart", "bookmarkEnd"] {
            prop_assert_eq!(text.matches(mark).count(), 1);
        }
    }

    #[test]
    fn any_text_reads_back(target in "[a-zé<>&;/1 \"'lt]{1,30}") {
        let target = target.trim();
        prop_assume!(target.contains(char::is_alphabetic) && !target.contains("<1"));
        prop_assume!(!target.contains("</1"));
        let document = word("<w:p><w:r><w:t>Text</w:t></w:r></w:p>");
        let bytes = render_target(&document, |n| (n == 0).then_some(target)).unwrap();
        let again = Document::parse(Format::Word, &bytes, &ParseOptions::default()).unwrap();
        if again.segments.len() == 2 {
            prop_assert_eq!(sources(&again)[0], target);
        }
    }

    #[test]
    fn damaged_text_never_panics(at in any::<prop::sample::Index>(), with in "[<>/&a]{0,3}", cut: bool) {
        let mut text = RICH.to_owned();
        let at = at.index(text.len());
        if cut {
            text.truncate(at);
        }
        text.insert_str(at.min(text.len()), &with);
        prove(&word(&text));
    }
}

const SLIDE_TYPES: &str = r#"<Types><Override PartName="/ppt/presentation.xml" ContentType="application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml"/><Override PartName="/ppt/slides/slide1.xml" ContentType="application/vnd.openxmlformats-officedocument.presentationml.slide+xml"/><Override PartName="/ppt/slides/slide2.xml" ContentType="application/vnd.openxmlformats-officedocument.presentationml.slide+xml"/><Override PartName="/ppt/notesSlides/n.xml" ContentType="application/vnd.openxmlformats-officedocument.presentationml.notesSlide+xml"/></Types>"#;

#[test]
fn slides_come_as_they_are_shown_with_their_notes() {
    let slide = |body: &str| {
        format!(
            "<p:sld><p:sp><p:nvSpPr><p:cNvPr id=\"1\" name=\"T\" descr=\"A lid\"/><p:nvPr><p:ph type=\"title\"/></p:nvPr></p:nvSpPr><p:txBody>{body}</p:txBody></p:sp></p:sld>"
        )
    };
    let first = slide(
        "<a:p><a:r><a:rPr lang=\"en\" b=\"1\"/><a:t>Big</a:t></a:r><a:r><a:rPr lang=\"de\" dirty=\"0\"/><a:t> lid &amp; more</a:t></a:r><a:br/><a:r><a:t>two</a:t></a:r><a:fld type=\"slidenum\"><a:t>1</a:t></a:fld></a:p>",
    );
    let relations = "<Relationships><Relationship Id=\"r1\" Target=\"slides/slide1.xml\"/><Relationship Id=\"r2\" Target=\"slides/slide2.xml\"/></Relationships>";
    let notes =
        "<Relationships><Relationship Id=\"r1\" Target=\"../notesSlides/n.xml\"/></Relationships>";
    let bytes = pack(&[
        ("[Content_Types].xml", SLIDE_TYPES),
        (
            "ppt/presentation.xml",
            "<p:presentation><p:sldIdLst><p:sldId id=\"256\" r:id=\"r2\"/><p:sldId id=\"257\" r:id=\"r1\"/></p:sldIdLst></p:presentation>",
        ),
        ("ppt/_rels/presentation.xml.rels", relations),
        (
            "ppt/notesSlides/n.xml",
            &slide("<a:p><a:r><a:t>Note</a:t></a:r></a:p>"),
        ),
        ("ppt/slides/_rels/slide2.xml.rels", notes),
        ("ppt/slides/slide1.xml", &first),
        (
            "ppt/slides/slide2.xml",
            &slide("<a:p><a:r><a:t>Opening</a:t></a:r></a:p>"),
        ),
    ]);
    let document = Document::parse(Format::PowerPoint, &bytes, &ParseOptions::default()).unwrap();
    assert_eq!(
        sources(&document),
        [
            "A lid",
            "Opening",
            "A lid",
            "Note",
            "A lid",
            "<1>Big</1> lid & more<2/>two"
        ]
    );
    assert_eq!(document.segments[1].kind, SegmentKind::Heading(1));
    prove(&document);
    let target = "<2/><1>Groß</1>er Deckel";
    let written = render_target(&document, |n| (n == 5).then_some(target)).unwrap();
    assert!(member(&written, "ppt/slides/slide1.xml").contains(
        "<a:p><a:br/><a:r><a:rPr lang=\"en\" b=\"1\"/><a:t>Groß</a:t></a:r><a:r><a:rPr lang=\"de\" dirty=\"0\"/><a:t>er Deckel</a:t></a:r><a:fld"
    ));
}

const SHEET_TYPES: &str = r#"<Types><Override PartName="/xl/workbook.xml" ContentType="application/vnd.ms-excel.sheet.macroEnabled.main+xml"/><Override PartName="/xl/sharedStrings.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/><Override PartName="/xl/tables/table1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.table+xml"/></Types>"#;

#[test]
fn cells_are_units_but_for_names_of_columns() {
    let bytes = pack(&[
        ("[Content_Types].xml", SHEET_TYPES),
        ("xl/workbook.xml", "<workbook/>"),
        (
            "xl/worksheets/sheet1.xml",
            "<worksheet><c r=\"A1\" t=\"s\"><v>0</v></c><c r=\"B1\" t=\"s\"><v>1</v></c><c r=\"A2\" t=\"inlineStr\"><is><t>In line</t></is></c><c r=\"B2\" t=\"str\"><f>A1</f><v>Made up</v></c><dataValidation prompt=\"Choose one\"/></worksheet>",
        ),
        (
            "xl/worksheets/_rels/sheet1.xml.rels",
            "<Relationships><Relationship Id=\"r1\" Target=\"/xl/tables/table1.xml\"/></Relationships>",
        ),
        ("xl/tables/table1.xml", "<table ref=\"B1:C4\"/>"),
        (
            "xl/sharedStrings.xml",
            "<sst><si><t>Lid</t></si><si><t>Name</t></si><si><t xml:space=\"preserve\"> 12 </t></si><si><r><t>The </t></r><r><rPr><b/></rPr><t>red</t></r><r><t xml:space=\"preserve\"> lid\nhere</t></r></si><si><t>課</t><rPh sb=\"0\" eb=\"1\"><t>カ</t></rPh></si></sst>",
        ),
    ]);
    let document = Document::parse(Format::Excel, &bytes, &ParseOptions::default()).unwrap();
    assert_eq!(
        sources(&document),
        [
            "Lid",
            "The <1>red</1> lid\nhere",
            "課",
            "In line",
            "Choose one"
        ]
    );
    prove(&document);
}
