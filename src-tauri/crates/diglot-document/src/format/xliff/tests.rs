use proptest::prelude::*;

use crate::format::proof::sources;
use crate::{
    CheckContext, Document, Format, LanguagePair, LanguageTag, ParseOptions, check, render_target,
};

fn parse(text: &str) -> Document {
    Document::parse(Format::Xliff, text.as_bytes(), &ParseOptions::default()).unwrap()
}

fn confirm(document: &Document, targets: &[(usize, &str)]) -> String {
    let target = |ordinal: usize| {
        let found = targets.iter().find(|(number, _)| *number == ordinal + 1);
        found.map(|(_, target)| *target)
    };
    String::from_utf8(render_target(document, target).unwrap()).unwrap()
}

fn suggestion(document: &Document, ordinal: usize) -> Option<&str> {
    document.segments[ordinal].hints.suggestion.as_deref()
}

fn old(units: &str) -> String {
    format!(
        "<xliff version=\"1.2\">\n<file source-language=\"en\" original=\"a\"><body>\n{units}\n</body></file></xliff>\n"
    )
}

fn new(units: &str) -> String {
    format!(
        "<xliff xmlns=\"urn:oasis:names:tc:xliff:document:2.0\" version=\"2.0\" srcLang=\"en\"><file id=\"f\">{units}</file></xliff>"
    )
}

/// Field case C065.
#[test]
fn inline_elements_are_shown_as_written() {
    let text = include_str!("../../../../../../tests/fixtures/cases/C065/in/doc.xlf");
    let document = parse(text);
    let first = "A <g id=\"1\">spare key</g> is  short &amp; light<x id=\"2\"/>.";
    let second = "Ticket <x id=\"3\"/> from <bpt id=\"4\">&lt;b&gt;</bpt>today<ept id=\"4\">&lt;/b&gt;</ept><ph id=\"5\">{n}</ph>";
    assert_eq!(sources(&document), [first, second]);
    assert_eq!(confirm(&document, &[]), text);
    let turned = "Kurz &amp; leicht ist  ein <g id=\"1\">Ersatzschlüssel</g><x id=\"2\"/>.";
    let marked = second.replace("Ticket", "Karte <1 & 2> —");
    let rendered = confirm(&document, &[(1, turned), (2, &marked)]);
    let expected = text
        .replace(
            "<x id=\"2\"/>.</source>\n",
            &format!("<x id=\"2\"/>.</source>\n    <target state=\"final\">{turned}</target>\n"),
        )
        .replace(
            "<target state=\"new\"></target>",
            &format!(
                "<target state=\"final\">{}</target>",
                marked.replace("<1 & 2>", "&lt;1 &amp; 2>")
            ),
        );
    assert_eq!(rendered, expected);
    let again = parse(&rendered);
    assert_eq!((again.segments.len(), again.n_finished), (0, 2));
}

#[test]
fn a_code_that_is_lost_is_an_issue() {
    let source = "Ticket <x id=\"3\"/> from <ph id=\"5\">{n}</ph>";
    let languages = LanguagePair {
        source: LanguageTag::parse("en").unwrap(),
        target: LanguageTag::parse("de").unwrap(),
    };
    let context = CheckContext::new(Format::Xliff, &languages);
    let issues = |target: &str| {
        let found = check(source, target, &context);
        found
            .into_iter()
            .map(|issue| issue.kind)
            .collect::<Vec<_>>()
    };
    assert_eq!(issues("Von <ph id=\"5\">{n}</ph>: Karte <x id=\"3\"/>"), []);
    assert_ne!(issues("Karte von <ph id=\"5\">{n}</ph>"), []);
    assert_ne!(issues("Karte <x id=\"3\"/> von <ph id=\"5\">{m}</ph>"), []);
}

#[test]
fn states_tell_what_is_finished() {
    for (attributes, target, expected) in [
        ("", None, (1, None)),
        ("", Some("<target/>"), (1, None)),
        ("", Some("<target>  </target>"), (1, None)),
        ("", Some("<target>eins</target>"), (0, None)),
        ("", Some("<target>one</target>"), (1, Some("one"))),
        ("", Some("<target state=\"final\">one</target>"), (0, None)),
        (
            "",
            Some("<target state=\"translated\">eins</target>"),
            (0, None),
        ),
        (
            "",
            Some("<target state=\"translated\" state-qualifier=\"leveraged-mt\">eins</target>"),
            (1, Some("eins")),
        ),
        (
            "",
            Some("<target state=\"needs-review-translation\">eins</target>"),
            (1, Some("eins")),
        ),
        (
            " approved=\"no\"",
            Some("<target>eins</target>"),
            (1, Some("eins")),
        ),
        (
            " approved=\"yes\"",
            Some("<target state=\"needs-l10n\">eins</target>"),
            (0, None),
        ),
        (" translate=\"no\"", None, (0, None)),
    ] {
        let unit = format!(
            "<trans-unit id=\"1\"{attributes}><source>one</source>{}</trans-unit>",
            target.unwrap_or_default()
        );
        let text = old(&unit);
        let document = parse(&text);
        let found = (
            document.segments.len(),
            document
                .segments
                .first()
                .and_then(|_| suggestion(&document, 0)),
        );
        assert_eq!(found, expected, "{unit}");
        assert_eq!(confirm(&document, &[]), text);
        if expected.0 == 1 {
            let again = parse(&confirm(&document, &[(1, "zwei")]));
            assert_eq!((again.segments.len(), again.n_finished), (0, 1), "{unit}");
        }
    }
    for (state, expected) in [
        ("", 0),
        (" state=\"initial\"", 1),
        (" state=\"translated\"", 0),
        (" state=\"translated\" subState=\"my:needs-review\"", 1),
        (" state=\"final\"", 0),
    ] {
        let text = new(&format!(
            "<unit id=\"u\"><segment{state}><source>one</source><target>eins</target></segment></unit>"
        ));
        assert_eq!(parse(&text).segments.len(), expected, "{state}");
    }
}

#[test]
fn a_confirmed_segment_is_final() {
    let text = old(
        "<trans-unit id='1' approved='no'><source>one</source><target state='needs-review-translation' state-qualifier='fuzzy-match'>eins</target></trans-unit>",
    );
    let expected = text.replace("'no'", "'yes'").replace(
        "'needs-review-translation' state-qualifier='fuzzy-match'",
        "'final'",
    );
    assert_eq!(confirm(&parse(&text), &[(1, "eins")]), expected);
    assert_eq!(
        confirm(&parse(&text), &[(1, "ein")]),
        expected.replace(">eins<", ">ein<")
    );
    let text = new(
        "<unit id=\"u\" name=\"menu\"><notes><note>a button</note></notes>\n <segment id=\"1\" subState=\"x:y\" state=\"initial\">\n  <source>One.</source>\n </segment><ignorable><source> </source></ignorable><segment><source>Two <pc id=\"1\">b</pc>.</source><target/></segment></unit>",
    );
    let document = parse(&text);
    assert_eq!(sources(&document), ["One.", "Two <pc id=\"1\">b</pc>."]);
    assert_eq!(
        document.segments[0].hints.note.as_deref(),
        Some("menu · a button")
    );
    let expected = text
        .replace(" subState=\"x:y\" state=\"initial\"", " state=\"final\"")
        .replace("One.</source>", "One.</source>\n  <target>Eins.</target>")
        .replace(
            "<segment><source>Two",
            "<segment state=\"final\"><source>Two",
        )
        .replace("<target/>", "<target><pc id=\"1\">b</pc> zwei.</target>");
    assert_eq!(
        confirm(&document, &[(1, "Eins."), (2, "<pc id=\"1\">b</pc> zwei.")]),
        expected
    );
}

#[test]
fn hints_come_from_notes_sizes_and_matches() {
    let text = old(
        "<group><trans-unit id=\"1\" resname=\"a.b\" maxwidth=\"20\" size-unit=\"char\"><source xml:lang=\"en\">\n  One &lt;b&gt; </source><alt-trans><source>Ones</source><target> Eins</target></alt-trans><note>A &quot;note&quot;</note><context-group><context context-type=\"sourcefile\">a.c</context><context context-type=\"linenumber\">4</context></context-group></trans-unit></group>",
    );
    let document = parse(&text);
    assert_eq!(sources(&document), ["One &lt;b&gt;"]);
    let hints = &document.segments[0].hints;
    assert_eq!(hints.note.as_deref(), Some("a.b · A \"note\" · a.c · 4"));
    assert_eq!(
        (hints.max_length, suggestion(&document, 0)),
        (Some(20), Some("Eins"))
    );
    let expected = text.replace(
        "&gt; </source>",
        "&gt; </source><target state=\"final\">\n  Eins </target>",
    );
    assert_eq!(confirm(&document, &[(1, "Eins")]), expected);
    let text = new(
        "<unit id=\"u\" slr:sizeRestriction=\"0,25\"><mtc:matches><mtc:match ref=\"#1\"><source>x</source><target>y</target></mtc:match></mtc:matches><segment><source>One</source></segment></unit>",
    );
    let document = parse(&text);
    assert_eq!(
        (
            document.segments[0].hints.max_length,
            suggestion(&document, 0)
        ),
        (Some(25), Some("y"))
    );
}

#[test]
fn marked_segments_are_units() {
    let unit = |target: &str| {
        old(&format!(
            "<trans-unit id=\"1\"><source>One. Two.<x id=\"1\"/></source><seg-source><mrk mtype=\"seg\" mid=\"1\">One.</mrk> <mrk mtype=\"seg\" mid=\"2\">Two.</mrk><x id=\"1\"/></seg-source>{target}</trans-unit>"
        ))
    };
    let first = "<mrk mtype=\"seg\" mid=\"1\">Eins.</mrk>";
    let second = " <mrk mtype=\"seg\" mid=\"2\">Zwei.</mrk>";
    let empty = " <mrk mtype=\"seg\" mid=\"2\"></mrk>";
    for (target, written) in [
        ("", "<target>"),
        ("<target state=\"new\"/>", "<target state=\"new\">"),
        ("<target></target>", "<target>"),
    ] {
        let text = unit(target);
        let document = parse(&text);
        assert_eq!(sources(&document), ["One.", "Two."]);
        assert_eq!(
            confirm(&document, &[(1, "Eins.")]),
            unit(&format!("{written}{first}{empty}<x id=\"1\"/></target>"))
        );
        let state = if target.is_empty() {
            "<target>"
        } else {
            "<target state=\"final\">"
        };
        let both = confirm(&document, &[(1, "Eins."), (2, "Zwei.")]);
        assert_eq!(
            both,
            unit(&format!("{state}{first}{second}<x id=\"1\"/></target>"))
        );
        assert_eq!(parse(&both).n_finished, 2);
    }
    let text = unit(&format!(
        "<target state=\"needs-review-translation\">{first}</target>"
    ));
    let document = parse(&text);
    assert_eq!(
        (suggestion(&document, 0), suggestion(&document, 1)),
        (Some("Eins."), None)
    );
    assert_eq!(
        confirm(&document, &[(2, "Zwei.")]),
        unit(&format!(
            "<target state=\"needs-review-translation\">{first}{}</target>",
            second.trim()
        ))
    );
    let text = unit("<target>Alles.</target>");
    assert_eq!(
        (parse(&text).segments.len(), parse(&text).n_finished),
        (0, 1)
    );
}

#[test]
fn the_target_language_is_named() {
    let options = ParseOptions {
        target: Some(LanguageTag::parse("pt-BR").unwrap()),
        ..ParseOptions::default()
    };
    let text = old("<trans-unit id=\"1\"><source>one</source></trans-unit>");
    let named = text.replace("<file ", "<file target-language=\"pt-BR\" ");
    let other = text.replace("<file ", "<file target-language=\"de\" ");
    for text in [&text, &named, &other] {
        let document = Document::parse(Format::Xliff, text.as_bytes(), &options).unwrap();
        let expected = named.replace("</source>", "</source><target state=\"final\">um</target>");
        assert_eq!(confirm(&document, &[(1, "um")]), expected);
        assert_eq!(confirm(&document, &[]), **text);
    }
}

#[test]
fn sources_with_character_data_and_comments_are_read() {
    let text = old(
        "<trans-unit id=\"1\"><source><![CDATA[<b> & ]]>c<!-- x --><x id=\"1\"/><!-- y -->d</source></trans-unit>",
    );
    let document = parse(&text);
    assert_eq!(sources(&document), ["<b> & c<x id=\"1\"/>d"]);
    let rendered = confirm(&document, &[(1, "e <b> & <x id=\"1\"/>")]);
    assert!(
        rendered.contains("<target state=\"final\">e &lt;b> &amp; <x id=\"1\"/></target>"),
        "{rendered}"
    );
}

#[test]
fn long_and_deep_inputs_take_linear_time() {
    for part in [
        "<g>",
        "<trans-unit><source>",
        "<source>",
        "<ignorable>",
        "<trans-unit><source>a</source><seg-source><mrk mtype=\"seg\">",
        "<trans-unit><source>a</source></trans-unit>",
        "<group translate=\"no\">",
        "<alt-trans>",
    ] {
        let text = part.repeat(20_000);
        let document = parse(&text);
        assert_eq!(confirm(&document, &[]), text);
        let marks =
            format!("<trans-unit><source>x</source><seg-source>{text}</seg-source></trans-unit>");
        parse(&marks);
    }
}

proptest! {
    #[test]
    fn any_text_is_read_and_given_back(text in "(?s)(<trans-unit>|</trans-unit>|<source>|</source>|<target/?>|</target>|<seg-source>|<mrk mtype=\"seg\" mid=\"1\">|</mrk>|<unit>|<segment>|</segment>|</unit>|&amp;|<x/>|<!--|-->|[a-zé ]|\\PC){0,60}") {
        let document = parse(&text);
        let mut end = 0;
        for segment in &document.segments {
            prop_assert!(segment.span.start >= end && segment.span.end >= segment.span.start);
            end = segment.span.end;
        }
        prop_assert_eq!(confirm(&document, &[]), text);
        render_target(&document, |_| Some("x")).unwrap();
    }

    #[test]
    fn any_target_reads_back(target in "(?s)(<|>|&|\"|'|a|é| |\n|]]>|\\PC){1,60}") {
        let target = target.trim();
        prop_assume!(!target.is_empty());
        let text = old("<trans-unit id=\"1\"><source>a</source></trans-unit><trans-unit id=\"2\"><source> b </source><target state=\"new\">x</target></trans-unit><trans-unit id=\"3\"><source>c</source></trans-unit>");
        let rendered = confirm(&parse(&text), &[(2, target)]);
        let again = parse(&rendered);
        prop_assert_eq!(sources(&again), ["a", "c"]);
        // Put back to review, the written target is the suggestion, with marks as they are written.
        let again = parse(&rendered.replace("state=\"final\"", "state=\"new\""));
        let written = target.replace('&', "&amp;").replace('<', "&lt;").replace("]]>", "]]&gt;");
        prop_assert_eq!(suggestion(&again, 1), Some(written.as_str()));
    }
}
