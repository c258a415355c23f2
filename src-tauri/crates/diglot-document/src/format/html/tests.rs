use proptest::prelude::*;

use super::*;
use crate::SegmentKind::{Caption, Heading, ListItem, Paragraph, TableCell, Value};
use crate::format::proof;
use crate::{Document, Format, LanguageTag, ParseOptions, render_target};

fn check(text: &str, expected: &[&str]) {
    let part = Span::new(0, text.len());
    let mut found: Vec<_> = read_part(text, part)
        .into_iter()
        .map(|piece| piece.span)
        .collect();
    found.sort();
    assert_eq!(
        found
            .into_iter()
            .map(|span| span.of(text))
            .collect::<Vec<_>>(),
        expected
    );
}

#[test]
fn block_tags_set_texts_apart_and_inline_tags_do_not() {
    check(
        "<div>\n  Hello <b>you</b>\n  there\n</div>\n",
        &["Hello <b>you</b>\n  there"],
    );
    check("<ul><li>One</li><li>Two</li></ul>", &["One", "Two"]);
    check("<sup>\nOne <b>two</b>\n</sup>", &["One <b>two</b>"]);
    check("<p><b><a title=\"Go\">One</a></b></p>", &["Go", "One"]);
    check("<b>One</b> and <b>two</b>", &["<b>One</b> and <b>two</b>"]);
}

#[test]
fn comments_code_and_entities_are_no_text() {
    check(
        "<div><!-- Not this --><code>x y</code> &nbsp; 42</div>",
        &[],
    );
    check(
        "<pre>a <b>c</b></pre><p>Text</p><script>if (a < b) {}</script>",
        &["Text"],
    );
    check("<p>a < b is text", &["a < b is text"]);
    check("<div class=\"x", &[]);
}

#[test]
fn spoken_attributes_are_read_once() {
    check("<img src=\"a.png\" alt=\"A pump\">", &["A pump"]);
    check(
        "<p>See <img alt='A pump'> here</p>",
        &["See <img alt='A pump'> here"],
    );
    check(
        "<a href='/'><img alt=\"Build Status\" src=\"https://img.shields.io/x.svg\"></a>",
        &[],
    );
    check(
        "<Tabs items={['a > b']} title=\"Pick one\" />",
        &["Pick one"],
    );
}

fn proven(text: &str) -> Document {
    let document = proof::parse(Format::Html, text);
    proof::prove(&document);
    document
}

/// Reads a document by the laws of formats, and compares its sources.
fn check_document(text: &str, expected: &[&str]) -> Document {
    let document = proven(text);
    let found: Vec<_> = document
        .segments
        .iter()
        .map(|s| s.source.as_str())
        .collect();
    assert_eq!(found, expected, "{text}");
    document
}

/// Compares a document after each of its units was replaced.
fn check_targets(text: &str, targets: &[&str], expected: &str) {
    let document = proven(text);
    let output = render_target(&document, |n| targets.get(n).copied()).unwrap();
    assert_eq!(String::from_utf8(output).unwrap(), expected);
}

#[test]
fn a_page_gives_what_a_reader_sees() {
    let page = r##"<!DOCTYPE html>
<html lang="en"><!-- Not this --><head><meta charset="utf-8">
<title>Pumps &amp; more</title>
<meta name="description" content="All about pumps"><meta property="og:title" content="Pumps">
<meta name="viewport" content="width=device-width"><link rel="alternate" title="Feed">
<style>p { color: red }</style><script>if (a < b) { say("No") }</script></head>
<body><nav><a href="/" title="Go home">Home</a></nav>
<h2>The pump<a class="anchor" href="#pump">¶</a></h2>
<p>It&rsquo;s a <b>good</b>
   pump, and <img src="a.png" alt="a picture"> shows&nbsp;it.<br>
   Line two.</p>
<pre>code <b>here</b></pre>
<form><label>Name <input name="n" placeholder="Your name" value="x"></label>
<select><option value="a">First</option><option>Second</select>
<input type=submit value="Send it"><button>Save</button></form>
<table summary="What it costs"><tr><td>Cell<td>42<td>Other</table>
<dl><dt>Term<dd>Meaning</dl><figure><img alt="Side view"><figcaption>A pump</figcaption></figure>
<p translate="no">Diglot<p>by <span class="notranslate">Diglot</span><svg><title>Icon</title><path d="M0 0"/></svg>
</body></html>
"##;
    let document = check_document(
        page,
        &[
            "Pumps &amp; more",
            "All about pumps",
            "Pumps",
            "Go home",
            "Home",
            "The pump",
            "It’s a <b>good</b> pump, and <img src=\"a.png\" alt=\"a picture\"> shows&nbsp;it.<br> Line two.",
            "Name",
            "Your name",
            "First",
            "Second",
            "Send it",
            "Save",
            "What it costs",
            "Cell",
            "Other",
            "Term",
            "Meaning",
            "Side view",
            "A pump",
            "by <span class=\"notranslate\">Diglot</span>",
            "Icon",
        ],
    );
    let kinds: Vec<_> = [0, 5, 6, 9, 14, 16, 18]
        .map(|n: usize| document.segments[n].kind)
        .into();
    assert_eq!(
        kinds,
        [
            Caption,
            Heading(2),
            Paragraph,
            Value,
            TableCell,
            ListItem,
            Caption
        ]
    );
    let note = |n: usize| document.segments[n].hints.note.as_deref();
    assert_eq!(
        [note(0), note(1), note(8)],
        [None, Some("meta description"), Some("input placeholder")]
    );
}

#[test]
fn broken_pages_lose_no_text_and_double_none() {
    for (text, expected) in [
        (
            "<p>One<p>Two <b>three<p>four</b> five",
            &["One", "Two <b>three", "four</b> five"] as &[&str],
        ),
        ("a < b & c <d", &["a < b & c <d"]),
        ("<p class=x title=Word>Text</p", &["Word", "Text</p"]),
        ("<p title=\"unclosed>Text</p> more", &["Text", "more"]),
        ("One</p></div>Two", &["One", "Two"]),
        ("<b><p>One</p><p>Two</p></b>", &["One", "Two"]),
        ("<li translate=no>x<ul><li>y</ul><li>Text", &["Text"]),
        ("<ul><li translate=no>x</ul>Text", &["Text"]),
        ("<pre>never closed <p>code", &[]),
        ("<!-- never closed <p>x", &[]),
        ("<script>x</SCRIPT>Text<textarea>y</textarea>", &["Text"]),
        ("<![CDATA[x]]>Text<?pi?>More", &["Text<?pi?>More"]),
        ("One<br/><br>Two<br>Three", &["One", "Two<br>Three"]),
        (
            "A<!-- -->B <!--[if IE]>\nno<![endif]-->C",
            &["A<!-- -->B", "C"],
        ),
        (
            "<h1><svg:title>Tag</svg:title> <o:p></o:p>Text</h1>",
            &["Tag", "Text"],
        ),
        ("", &[]),
        ("<", &[]),
        ("<a", &["<a"]),
    ] {
        check_document(text, expected);
    }
}

#[test]
fn marks_of_template_engines_stay() {
    for (text, expected) in [
        (
            "{% block title %}My site{% endblock %}",
            &["My site"] as &[&str],
        ),
        (
            "<p>{{ user.name }}, welcome to {% if x > 1 %}it{% endif %}",
            &["{{ user.name }}, welcome to {% if x > 1 %}it{% endif %}"],
        ),
        (
            "<a href=\"{{ url(\"x\") }}\" {% if a > b %}title=\"Go\"{% endif %}>Home</a>",
            &["Go", "Home"],
        ),
        (
            "<?php if ($a > 3): ?>\n<p>Hi <?= $name ?> <% x > y %></p>",
            &["Hi <?= $name ?>"],
        ),
        (
            "<p>{{ 'a > b' | t }}</p>{# Not this #}<p>{# nor #}This</p>",
            &["This"],
        ),
        ("{{#if x}}One{{else}}Two{{/if}}", &["One{{else}}Two"]),
        (
            "<div {{ attrs }}>Text</div><?php echo 'unclosed'",
            &["Text"],
        ),
        ("---\ntitle: Front\n---\n<p>Body</p>", &["Front", "Body"]),
    ] {
        check_document(text, expected);
    }
}

#[test]
fn targets_are_fitted_into_their_places() {
    check_targets(
        "<p>It&rsquo;s &quot;one&quot;\n  two <a href=\"x\"\n title=\"t\">three</a> &amp; four</p>",
        &["„Eins“ <a href=\"x\" title=\"neu\">’drei</a> <i>&nbsp; \"a\" & <b"],
        "<p>„Eins“ <a href=\"x\" title=\"neu\">&rsquo;drei</a>\n  &lt;i>&nbsp; &quot;a&quot; &amp; &lt;b</p>",
    );
    check_targets(
        "<p title='a'>One {{ x }}</p><img alt=b><img alt=c>",
        &["it's \"x\"", "{{ x }} {{ y }} {% z", "two words", "=/"],
        "<p title='it&#39;s \"x\"'>{{ x }} &#123;{ y }} &#123;% z</p><img alt=\"two words\"><img alt=\"=/\">",
    );
    // What is XML stays well-formed.
    check_targets(
        "<?xml version=\"1.0\"?><p>a <b>c</b> d</p>",
        &["<xt <b>c</b> e"],
        "<?xml version=\"1.0\"?><p>&lt;xt <b>c</b> e</p>",
    );
    check_targets(
        "<?xml version=\"1.0\"?><p>a <b id=\"1\" title=\"t\">c</b> d</p>",
        &["<b id=\"1\" title=\"u & v\">x</b> <b id=\"1\" title=\"u\">y</b> <b id=1>z</b>"],
        "<?xml version=\"1.0\"?><p><b id=\"1\" title=\"u &amp; v\">x</b> \
         <b id=\"1\" title=\"u\">y</b> &lt;b id=1>z&lt;/b></p>",
    );
    check_targets(
        "<html xmlns=\"http://www.w3.org/1999/xhtml\"><p>a <b>c</b> d</p></html>",
        &["x <b>y & z < &nbsp; &copy; &lt; ]]>\u{1}"],
        "<html xmlns=\"http://www.w3.org/1999/xhtml\"><p>x &lt;b>y &amp; z &lt; &#160; &#169; &lt; ]]&gt;</p></html>",
    );
}

#[test]
fn the_root_names_the_language_of_the_target() {
    let check = |text: &str, target: &str, expected: &str| {
        let options = ParseOptions {
            target: Some(LanguageTag::parse(target).unwrap()),
            ..ParseOptions::default()
        };
        let document = Document::parse(Format::Html, text.as_bytes(), &options).unwrap();
        let output = render_target(&document, |_| Some("x")).unwrap();
        assert_eq!(String::from_utf8(output).unwrap(), expected);
        assert_eq!(render_target(&document, |_| None).unwrap(), text.as_bytes());
    };
    check(
        "<html lang='en-US' xml:lang=\"en\" dir=ltr>a",
        "ar",
        "<html lang='ar' xml:lang=\"ar\" dir=rtl>x",
    );
    check("<html lang=en>a", "he", "<html dir=\"rtl\" lang=he>x");
    check("<html lang=\"de-AT\">a", "de", "<html lang=\"de-AT\">x");
    check("<html><p lang=en>a", "de", "<html><p lang=en>x");
    check("<html lang=ar dir=rtl>a", "de", "<html lang=de dir=ltr>x");
}

#[test]
fn rules_add_attributes() {
    let options = ParseOptions {
        rules: Rules {
            attributes: vec!["data-tip".to_owned()],
            ..Rules::default()
        },
        ..ParseOptions::default()
    };
    let text = "<p DATA-tip=\"A hint\" data-x=\"No hint\">Text</p>";
    let document = Document::parse(Format::Html, text.as_bytes(), &options).unwrap();
    let found: Vec<_> = document
        .segments
        .iter()
        .map(|s| s.source.as_str())
        .collect();
    assert_eq!(found, ["A hint", "Text"]);
}

#[test]
fn long_texts_are_divided_outside_of_elements() {
    let text = format!("<p>{}", "One <i>small. Step</i> for a man. ".repeat(40));
    let document = proven(&text);
    assert!(document.segments.len() > 3);
    for segment in &document.segments {
        assert!(segment.source.starts_with("One") && segment.source.ends_with("man."));
    }
}

#[test]
fn time_does_not_grow_with_the_square() {
    let n = 50_000;
    for piece in [
        "<b>",
        "</b>",
        "<p ",
        "<a b='",
        "<a b=\"{{",
        "{{",
        "{%",
        "<!--",
        "<?",
        "<%",
        "<![CDATA[",
        "&",
        "<div translate=no>",
        "<pre>",
        "<",
        "<a {",
        "a\n",
        "<i>x</b>",
        "<x-y title=a>",
        "<script>",
        "</p",
        "<br>",
        "<a>x</a>",
        "<!x",
        "<a ",
        "&nbsp;",
    ] {
        proven(&format!("{}word", piece.repeat(n / piece.len())));
    }
}

/// Pieces that HTML gives a meaning, to be thrown together.
fn any_html() -> impl Strategy<Value = String> {
    const PIECES: &[&str] = &[
        "<p>",
        "</p>",
        "<b>",
        "</b>",
        "<i class=\"x\">",
        "</i>",
        "<br>",
        "<br/>",
        "<img alt='a b'>",
        "<a title=word>",
        "</a>",
        "<div translate=no>",
        "</div>",
        "<code>",
        "</code>",
        "<pre>",
        "</pre>",
        "<script>",
        "</script>",
        "<!--",
        "-->",
        "<!x>",
        "<?",
        "?>",
        "<%",
        "%>",
        "{{",
        "}}",
        "{%",
        "%}",
        "{#",
        "#}",
        "{",
        "}",
        "<",
        ">",
        "&",
        ";",
        "&amp;",
        "&eacute;",
        "&nbsp;",
        "&#8217;",
        "&lt;",
        "\"",
        "'",
        "=",
        "/",
        " ",
        "\n",
        "\r\n  ",
        "\t",
        "word",
        "Wort ",
        "é",
        "字",
        "42",
        "<a href=\"",
        "<html lang=en>",
        "<h1>",
        "<li>",
        "<svg:x>",
        "<x-y label=\"a\">",
        "\u{A0}",
        "\u{FFFF}",
        "--",
        "!",
        "<input type=submit value=Go>",
    ];
    let piece = prop_oneof![5 => proptest::sample::select(PIECES).prop_map(str::to_owned), 1 => "\\PC{0,4}"];
    proptest::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn any_text_keeps_its_bytes(text in any_html(), is_xml: bool) {
        let text = if is_xml { format!("<?xml version='1.0'?>{text}") } else { text };
        let is_text = Document::parse(Format::Html, text.as_bytes(), &ParseOptions::default()).is_ok();
        if is_text && !text.contains(['⟦', '⟧']) {
            proven(&text);
        }
    }

    #[test]
    fn any_target_leaves_the_neighbours_as_they_are(target in any_html(), is_xml: bool) {
        let lead = if is_xml { "<?xml version='1.0'?>" } else { "" };
        let page = format!("{lead}<h1>Title</h1><p title=\"tip\">One <b>two</b> {{{{ x }}}} &amp; three<img alt=four><p title='five'>six<!-- c --> and<br>so on<p>Last</p>{{{{ y }}}}-->");
        let document = proven(&page);
        let before: Vec<_> = document.segments.iter().map(|s| s.source.clone()).collect();
        for ordinal in 0..before.len() {
            let target = format!("Wort {target} Wort");
            let output = render_target(&document, |n| (n == ordinal).then_some(target.as_str())).unwrap();
            let again = Document::parse(Format::Html, &output, &ParseOptions::default()).unwrap();
            let mut after: Vec<_> = again.segments.iter().map(|s| s.source.clone()).collect();
            prop_assert_eq!(after.len(), before.len(), "{}", String::from_utf8_lossy(&output));
            after[ordinal].clone_from(&before[ordinal]);
            prop_assert_eq!(&after, &before, "{}", String::from_utf8_lossy(&output));
        }
    }
}
