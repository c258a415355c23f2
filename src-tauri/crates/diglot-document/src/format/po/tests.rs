use proptest::prelude::*;

use crate::{Document, Format, LanguageTag, ParseOptions, render_target};

fn parse(text: &str, target: Option<&str>) -> Document {
    let options = ParseOptions {
        target: target.map(|tag| LanguageTag::parse(tag).unwrap()),
        ..ParseOptions::default()
    };
    Document::parse(Format::Po, text.as_bytes(), &options).unwrap()
}

/// Confirms each unit whose source is named, with its target.
fn render(document: &Document, targets: &[(&str, &str)]) -> String {
    let target = |ordinal: usize| {
        let source = document.segments[ordinal].source.as_str();
        let found = targets.iter().find(|(wanted, _)| *wanted == source);
        found.map(|(_, target)| *target)
    };
    String::from_utf8(render_target(document, target).unwrap()).unwrap()
}

/// Confirms units by their numbers, from 1.
fn confirm(document: &Document, targets: &[(usize, &str)]) -> String {
    let target = |ordinal: usize| {
        let found = targets.iter().find(|(number, _)| *number == ordinal + 1);
        found.map(|(_, target)| *target)
    };
    String::from_utf8(render_target(document, target).unwrap()).unwrap()
}

fn sources(document: &Document) -> Vec<&str> {
    document
        .segments
        .iter()
        .map(|segment| segment.source.as_str())
        .collect()
}

fn note(document: &Document, ordinal: usize) -> &str {
    document.segments[ordinal].hints.note.as_deref().unwrap()
}

const HEADER: &str = "msgid \"\"\nmsgstr \"\"\n\"Language: de\\n\"\n\"Content-Type: text/plain; charset=UTF-8\\n\"\n\n";

/// Field case C061.
#[test]
fn plural_entries_have_a_unit_for_each_form_of_the_target() {
    let text = include_str!("../../../../../../tests/fixtures/cases/C061/in/pl.po");
    let document = parse(text, Some("pl"));
    assert_eq!(
        sources(&document),
        ["%d seat free", "%d seats free", "%d seats free", "Open"]
    );
    assert_eq!(document.n_finished, 3);
    assert_eq!(
        note(&document, 1),
        "plural form 2 of 3: 2, 3, 4, 22 … · c-format"
    );
    let forms = [
        (1, "%d wolne miejsce"),
        (2, "%d wolne miejsca"),
        (3, "%d wolnych miejsc"),
    ];
    let expected = text
        .replace("msgstr[0] \"\"", "msgstr[0] \"%d wolne miejsce\"")
        .replace("msgstr[1] \"\"", "msgstr[1] \"%d wolne miejsca\"")
        .replace("msgstr[2] \"\"", "msgstr[2] \"%d wolnych miejsc\"");
    assert_eq!(confirm(&document, &forms), expected);
}

/// Field case C062.
#[test]
fn a_confirmed_entry_is_fuzzy_no_more() {
    let text = include_str!("../../../../../../tests/fixtures/cases/C062/in/de.po");
    let document = parse(text, Some("de"));
    assert_eq!(sources(&document), ["Save the file", "%d saved file"]);
    assert_eq!(document.n_finished, 1);
    let hints = &document.segments[0].hints;
    assert_eq!(hints.suggestion.as_deref(), Some("Datei speichern"));
    assert_eq!(hints.note.as_deref(), Some("button · ui/main.c:10"));
    let rendered = confirm(&document, &[(2, "%d gesicherte Datei")]);
    let expected = text
        .replace(
            "#, fuzzy, c-format\n#| msgid \"%d file\"\n",
            "#, c-format\n",
        )
        .replace("\"%d Datei\"", "\"%d gesicherte Datei\"");
    assert_eq!(rendered, expected);
    let rendered = confirm(&document, &[(1, "Datei speichern")]);
    let expected = text.replace("#, fuzzy\n#| msgid \"Save file\"\n", "");
    assert_eq!(rendered, expected);
}

/// Field case C064.
#[test]
fn edges_escapes_and_folds_are_those_of_the_source() {
    let text = include_str!("../../../../../../tests/fixtures/cases/C064/in/de.po");
    let document = parse(text, Some("de"));
    let long = "A long text that was wrapped by hand in\ttwo \"lines\".";
    assert_eq!(sources(&document), ["Wrong", "lap start", "Saved.", long]);
    let rendered = render(
        &document,
        &[
            ("Wrong", "Falsch"),
            ("lap start", " Rundenbeginn\n"),
            ("Saved.", "Gespeichert."),
            (
                long,
                "Ein langer Text, von Hand umbrochen,\tzweizeilig: so lang, dass er \"hier\" nicht auf eine Zeile passt.",
            ),
        ],
    );
    let expected = text
        .replacen("\" Wrong\"\nmsgstr \"\"", "\" Wrong\"\nmsgstr \" Falsch\"", 1)
        .replacen("start \"\nmsgstr \"\"", "start \"\nmsgstr \"Rundenbeginn \"", 1)
        .replacen(".\\n\"\nmsgstr \"\"", ".\\n\"\nmsgstr \"Gespeichert.\\n\"", 1)
        .replacen(
            "\\\"lines\\\".\\n\"\nmsgstr \"\"\n",
            "\\\"lines\\\".\\n\"\nmsgstr \"\"\n\"Ein langer Text, von Hand umbrochen,\\tzweizeilig: so lang, dass er \\\"hier\\\" \"\n\"nicht auf eine Zeile passt.\\n\"\n",
            1,
        );
    assert_eq!(rendered, expected);
}

#[test]
fn a_template_gets_its_language_and_its_plural_forms() {
    let text = "# Copyright\n#, fuzzy\nmsgid \"\"\nmsgstr \"\"\n\"Project-Id-Version: x\\n\"\n\"Language: \\n\"\n\"Content-Type: text/plain; charset=CHARSET\\n\"\n\"Plural-Forms: nplurals=INTEGER; plural=EXPRESSION;\\n\"\n\n#: a.c:1 a.c:2 b.c:3\n#: c.c:4\nmsgctxt \"menu\"\nmsgid \"%d tank\"\nmsgid_plural \"%d tanks\"\nmsgstr[0] \"\"\nmsgstr[1] \"\"\n#~ msgid \"old\"\n#~ msgstr \"\"\n";
    let document = parse(text, Some("cs"));
    assert_eq!(document.segments.len(), 3);
    assert_eq!(
        note(&document, 2),
        "plural form 3 of 3: 0, 5, 6, 7 … · menu · a.c:1, a.c:2, b.c:3 …"
    );
    let header = |text: &str| {
        text.replace("Language: ", "Language: cs")
            .replace("CHARSET", "UTF-8")
            .replace(
                "nplurals=INTEGER; plural=EXPRESSION;",
                "nplurals=3; plural=(n==1) ? 0 : (n>=2 && n<=4) ? 1 : 2;",
            )
    };
    assert_eq!(
        confirm(&document, &[(3, "%d nádrží")]),
        header(text).replace(
            "msgstr[1] \"\"\n",
            "msgstr[1] \"\"\nmsgstr[2] \"%d nádrží\"\n"
        )
    );
    assert_eq!(
        confirm(&document, &[(1, "%d nádrž")]),
        header(text)
            .replace("msgstr[0] \"\"", "msgstr[0] \"%d nádrž\"")
            .replace("msgstr[1] \"\"\n", "msgstr[1] \"\"\nmsgstr[2] \"\"\n")
    );
    let document = parse(text, Some("ja"));
    let rendered = confirm(&document, &[(1, "%d 槽")]);
    assert!(rendered.contains("msgstr[0] \"%d 槽\"\n#~ "), "{rendered}");
    let document = parse(text, None);
    assert_eq!(document.segments.len(), 2);
    assert_eq!(
        confirm(&document, &[(1, "a"), (2, "b")]),
        text.replace("[0] \"\"", "[0] \"a\"")
            .replace("[1] \"\"", "[1] \"b\"")
    );
}

#[test]
fn a_header_lacks_no_field() {
    let entry = "msgid \"%d x\"\r\nmsgid_plural \"%d y\"\r\nmsgstr[0] \"\"\r\nmsgstr[1] \"\"\r\n";
    let header = "msgid \"\"\r\nmsgstr \"Language: de_AT\\nContent-Type: text/plain; charset=utf-8\"\r\n\r\n";
    let text = format!("{header}{entry}");
    let rendered = confirm(&parse(&text, Some("de")), &[(1, "z")]);
    let expected = text
        .replace(
            "charset=utf-8\"",
            "charset=utf-8\"\r\n\"\\nPlural-Forms: nplurals=2; plural=(n != 1);\\n\"",
        )
        .replace("[0] \"\"", "[0] \"z\"");
    assert_eq!(rendered, expected);
    let rendered = confirm(&parse(entry, Some("pt-BR")), &[(1, "z")]);
    assert!(rendered.starts_with("msgid \"\"\r\nmsgstr \"\"\r\n\"Language: pt_BR\\n\"\r\n"));
    assert!(rendered.ends_with(&entry.replace("[0] \"\"", "[0] \"z\"")));
}

#[test]
fn a_plural_entry_stays_fuzzy_until_its_last_form_is_confirmed() {
    let entry = "#, fuzzy\n#| msgid \"one\"\nmsgid \"one y\"\nmsgid_plural \"%d y\"\nmsgstr[0] \"eins\"\nmsgstr[1] \"%d\"\n";
    let text = format!("{HEADER}{entry}");
    let document = parse(&text, None);
    assert_eq!(sources(&document), ["one y", "%d y"]);
    let one = text.replace("\"eins\"", "\"ein y\"");
    assert_eq!(confirm(&document, &[(1, "ein y")]), one);
    let both = one
        .replace("[1] \"%d\"", "[1] \"%d ys\"")
        .replace("#, fuzzy\n#| msgid \"one\"\n", "");
    assert_eq!(confirm(&document, &[(1, "ein y"), (2, "%d ys")]), both);
}

#[test]
fn a_suggestion_with_other_edges_is_written_anew() {
    let text = format!("{HEADER}#, fuzzy\nmsgid \"a b\\n\"\nmsgstr \"\"\n\"c \"\n\"d\"\n");
    let document = parse(&text, None);
    assert_eq!(
        document.segments[0].hints.suggestion.as_deref(),
        Some("c d")
    );
    assert_eq!(
        confirm(&document, &[(1, "c d")]),
        format!("{HEADER}msgid \"a b\\n\"\nmsgstr \"c d\\n\"\n")
    );
}

#[test]
fn odd_entries_are_read_as_gettext_does() {
    for (text, expected) in [
        (
            "msgid \"a\" msgstr \"\" msgid \"b\"\n\n\"c\"\nmsgstr\"\"",
            vec!["a", "bc"],
        ),
        (
            "msgid \" \"\nmsgstr \"\"\nmsgid \"%s\"\nmsgstr \" \"\n",
            vec!["%s"],
        ),
        (
            "domain \"x\"\nmsgid \"a\\\"\\\\\\x41\\101\\033\"\nmsgstr \"\"",
            vec!["a\"\\AA\u{1b}"],
        ),
        (
            "msgid \"a\nmsgstr \"\"\nmsgid \"b\"\nmsgstr \"\"",
            vec!["b"],
        ),
        ("msgid \"a\"", vec!["a"]),
        ("#~ msgid \"a\"\n#~ msgstr \"\"\n", vec![]),
        ("msgid \"\\303\\251\"\nmsgstr \"\"", vec!["\\303\\251"]),
    ] {
        let document = parse(text, None);
        assert_eq!(sources(&document), expected, "{text}");
        let rendered = render_target(&document, |n| Some(document.segments[n].source.as_str()));
        let rendered = String::from_utf8(rendered.unwrap()).unwrap();
        let again = parse(&rendered, None);
        assert_eq!(again.n_finished, expected.len(), "{rendered}");
    }
    let document = parse("msgid \"\\303\\251\"\nmsgstr \"\"", None);
    assert_eq!(
        confirm(&document, &[(1, "x \\303\\251 \\")]),
        "msgid \"\\303\\251\"\nmsgstr \"x \\303\\251 \\\\\""
    );
}

#[test]
fn long_targets_are_folded_where_the_file_folds() {
    let words = "word ".repeat(30);
    let folded = format!("{HEADER}msgid \"x\"\nmsgstr \"\"\n");
    let lines = "word ".repeat(15);
    let rendered = confirm(&parse(&folded, None), &[(1, &words)]);
    let expected = format!("msgstr \"\"\n\"{lines}\"\n\"{}\"\n", lines.trim_end());
    assert!(rendered.ends_with(&expected), "{rendered}");
    let unfolded = format!("{folded}\nmsgid \"{words}\"\nmsgstr \"y\"\n");
    let rendered = confirm(&parse(&unfolded, None), &[(1, &words)]);
    assert!(
        rendered.contains(&format!("msgstr \"{}\"\n", words.trim_end())),
        "{rendered}"
    );
    let broken = format!("{HEADER}msgid \"\"\n\"x\\n\"\n\"{words}\"\nmsgstr \"\"\n");
    let rendered = confirm(&parse(&broken, None), &[(1, "a\nb")]);
    assert!(
        rendered.ends_with("msgstr \"\"\n\"a\\n\"\n\"b \"\n"),
        "{rendered}"
    );
    let chinese = "水箱已满。".repeat(12);
    let rendered = confirm(&parse(&folded, None), &[(1, &chinese)]);
    let expected = format!("msgstr \"\"\n\"{}水箱已\"\n\"满。", "水箱已满。".repeat(7));
    assert!(rendered.contains(&expected), "{rendered}");
}

#[test]
fn long_inputs_take_linear_time() {
    let long = "a".repeat(1 << 20);
    let entries = "msgid \"a\"\nmsgstr \"\"\n".repeat(40_000);
    for (text, n_units) in [
        (format!("msgid \"{long}\"\nmsgstr \"\""), 1),
        (
            format!("msgid \"{}\"\nmsgstr \"\"", "\\n a".repeat(200_000)),
            1,
        ),
        ("msgstr[".repeat(150_000), 0),
        ("\"\n".repeat(500_000), 0),
        ("#,fuzzy,\n".repeat(100_000), 0),
        (entries, 40_000),
    ] {
        let document = parse(&text, Some("pl"));
        assert_eq!(document.segments.len(), n_units);
        let rendered = render_target(&document, |n| Some(document.segments[n].source.as_str()));
        assert!(rendered.unwrap().len() >= text.len());
    }
}

proptest! {
    #[test]
    fn any_text_is_read_and_given_back(text in "(?s)(msgid|msgid_plural|msgstr|msgctxt|\\[[01]\\]|#, fuzzy|#~|#\\||\"|\\\\|\n|\r| |[a-zé]|\\PC){0,60}") {
        let document = parse(&text, Some("pl"));
        let mut end = 0;
        for segment in &document.segments {
            prop_assert!(segment.span.start >= end && segment.span.end >= segment.span.start);
            prop_assert!(text.is_char_boundary(segment.span.start) && text.is_char_boundary(segment.span.end));
            end = segment.span.end;
        }
        prop_assert_eq!(render_target(&document, |_| None).unwrap(), text.as_bytes());
        render_target(&document, |_| Some("x")).unwrap();
    }

    #[test]
    fn any_target_reads_back(target in "(?s)( |\n|\"|\\\\|n|x|3|水|。|\\PC|\\t|[\u{1}-\u{1f}]){1,120}", folds: bool) {
        let target = target.trim();
        prop_assume!(!target.is_empty());
        let seam = if folds { "\"\n\"" } else { "" };
        let text = format!("{HEADER}msgid \"a\"\nmsgstr \"\"\n\n#, fuzzy\nmsgid \"b {seam}c\\n\"\nmsgstr \"x\"\n\nmsgid \"d\"\nmsgstr \"\"\n");
        let document = parse(&text, None);
        let rendered = confirm(&document, &[(2, target)]);
        let again = parse(&rendered, None);
        prop_assert_eq!(sources(&again), ["a", "d"]);
        prop_assert_eq!(again.n_finished, 1);
        // Fuzzy once more, the written target is the suggestion.
        let fuzzy = rendered.replacen("msgid \"b ", "#, fuzzy\nmsgid \"b ", 1);
        let again = parse(&fuzzy, None);
        prop_assert_eq!(again.segments[1].hints.suggestion.as_deref(), Some(target));
    }
}
