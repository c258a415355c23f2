use proptest::prelude::*;

use super::*;
use crate::Format;
use crate::format::proof::{check, parse, prove, prove_values, render};

const FILE: &str = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<!-- All rights -->\n<resources xmlns:xliff=\"urn:x\">\n    <!-- On the button -->\n    <string name=\"save\">Don\\'t save \\\"now\\\"\\nbut &lt;b>later&lt;/b> &amp; \\u00e9t\\u00E9</string>\n    <string name=\"quoted\">\"It's  two blanks\"</string>\n    <string name=\"tags\">Hello <b>dear</b> <xliff:g id=\"name\">%1$s</xliff:g>,\n        how are you?</string>\n    <string name=\"html\"><![CDATA[Read <a href=\"x\">this</a> & go]]></string>\n    <string name=\"off\" translatable=\"false\">Not this one</string>\n    <string name=\"alias\">@string/save</string>\n    <string-array name=\"days\"><item>The Monday</item><item>\\@home today</item></string-array>\n    <plurals name=\"files\">\n        <item quantity=\"one\">One file</item>\n        <item quantity=\"other\">%d files</item>\n    </plurals>\n    <string-array name=\"ids\" translatable=\"false\"><item>Not me</item></string-array>\n    <item name=\"x\" type=\"id\">Nor me</item>\n</resources>\n";

#[test]
fn texts_are_shown_without_escapes() {
    check(
        Format::AndroidStrings,
        FILE,
        &[
            "Don't save \"now\"\nbut <b>later</b> & été",
            "It's  two blanks",
            "Hello <b>dear</b> <xliff:g id=\"name\">%1$s</xliff:g>, how are you?",
            "Read <a href=\"x\">this</a> & go",
            "The Monday",
            "@home today",
            "One file",
            "%d files",
        ],
    );
    let document = parse(Format::AndroidStrings, FILE);
    let note = |n: usize| document.segments[n].hints.note.as_deref();
    assert_eq!(note(0), Some("save: On the button"));
    assert_eq!((note(4), note(7)), (Some("days"), Some("files / other")));
}

#[test]
fn only_resources_are_recognised() {
    for (head, expected) in [("<?xml?><resources>", true), ("<html><p>resources", false)] {
        assert_eq!(fits(head.as_bytes()), expected);
    }
    let found = Format::detect("res/values/strings.xml", FILE.as_bytes());
    assert_eq!(found, Ok(Format::AndroidStrings));
    assert!(Format::detect("pom.xml", b"<project/>").is_err());
}

#[test]
fn targets_are_escaped() {
    let text = "<resources><string name=\"a\">Some text</string></resources>";
    for (target, expected) in [
        ("L'été \"x\"", "L\\'été \\\"x\\\""),
        ("@a ?b", "\\@a ?b"),
        ("?b\nc", "\\?b\\nc"),
        ("a  b <i>&", "a \\u0020b &lt;i>&amp;"),
    ] {
        assert_eq!(
            render(Format::AndroidStrings, text, 0, target),
            text.replace("Some text", expected)
        );
    }
    let tagged = render(
        Format::AndroidStrings,
        FILE,
        2,
        "<b>Guten</b> Tag, <i>du</i>",
    );
    assert!(
        tagged.contains("><b>Guten</b> Tag, &lt;i>du&lt;/i></string>"),
        "{tagged}"
    );
}

proptest! {
    #[test]
    fn any_target_reads_back(target in "[a-z <>/&;'\"@?\\\\\n\té日]{0,20}x") {
        // A mark of XML that joins tags stands as it is written.
        let marked = "<string name=\"tags\">Hello <b>dear</b> <xliff:g id=\"name\">%1$s</xliff:g>,\n        how are you?</string>\n";
        assert!(FILE.contains(marked));
        prove_values(Format::AndroidStrings, &FILE.replace(marked, ""), &target);
        let plain = target.replace(['<', '>', '&'], "");
        prove_values(Format::AndroidStrings, FILE, &plain);
    }

    #[test]
    fn any_text_keeps_its_bytes(text in "(<string name=\"a\">|</string>|<b>|</b>|<!\\[CDATA\\[a b<\\]\\]>|&amp;|&lt;b>|[a-zé]{1,6} [a-z]{1,6}|\\\\[nu'\"]|[<>&\n\r\"' \\\\]){0,40}") {
        prove(&parse(Format::AndroidStrings, &format!("<resources>{text}")));
    }
}
