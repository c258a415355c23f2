use proptest::prelude::*;

use crate::Format;
use crate::format::proof::{check, parse, prove, prove_values, render};

const FILE: &str = "\u{FEFF}<?xml version=\"1.0\" encoding=\"utf-8\"?>\r\n<root>\r\n  <!-- Sample text -->\r\n  <resheader name=\"reader\"><value>System.Resources.Reader here</value></resheader>\r\n  <data name=\"Title\" xml:space=\"preserve\">\r\n    <value>Save &lt;b&gt;now&lt;/b&gt; &amp; go\r\nhome</value>\r\n    <comment>On the button</comment>\r\n  </data>\r\n  <data name=\"Icon\" type=\"System.Drawing.Icon, System.Drawing\" mimetype=\"application/x\">\r\n    <value>AAA BBB</value>\r\n  </data>\r\n  <data name=\"&gt;&gt;button.Parent\"><value>The parent</value></data>\r\n  <data name=\"Html\"><value><![CDATA[Read <i>this</i> first]]></value></data>\r\n  <data name=\"Odd\"><value>Raw > and 'quotes'</value></data>\r\n</root>";

#[test]
fn strings_are_shown_without_references() {
    let text = FILE.trim_start_matches('\u{FEFF}');
    check(
        Format::DotNetResources,
        text,
        &[
            "Save <b>now</b> & go\nhome",
            "Read <i>this</i> first",
            "Raw > and 'quotes'",
        ],
    );
    let document = parse(Format::DotNetResources, text);
    assert_eq!(
        document.segments[0].hints.note.as_deref(),
        Some("Title: On the button")
    );
}

#[test]
fn targets_are_escaped() {
    let text = "<root><data name=\"a\"><value>Some text</value></data></root>";
    assert_eq!(
        render(Format::DotNetResources, text, 0, "<b>a</b> & \"b\" ]]>"),
        text.replace("Some text", "&lt;b&gt;a&lt;/b&gt; &amp; \"b\" ]]&gt;")
    );
}

proptest! {
    #[test]
    fn any_target_reads_back(target in "[a-z <>/&;'\"\n\té日]{0,20}x") {
        prove_values(Format::DotNetResources, FILE.trim_start_matches('\u{FEFF}'), &target);
    }

    #[test]
    fn any_text_keeps_its_bytes(text in "(<root>|<data name=\"a\">|<value>|</value>|</data>|<!\\[CDATA\\[|\\]\\]>|&amp;|[a-zé]{1,6} [a-z]{1,6}|[<>&\n\r\"]){0,40}") {
        prove(&parse(Format::DotNetResources, &text));
    }
}
