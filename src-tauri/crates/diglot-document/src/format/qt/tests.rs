use crate::format::proof::sources;
use crate::{Document, Format, LanguageTag, ParseOptions, render_target};

const HEAD: &str = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<!DOCTYPE TS>\n";

fn parse(text: &str, target: Option<&str>) -> Document {
    let options = ParseOptions {
        target: target.map(|tag| LanguageTag::parse(tag).unwrap()),
        ..ParseOptions::default()
    };
    Document::open("a/app_de.ts", text.as_bytes(), &options).unwrap()
}

fn confirm(document: &Document, targets: &[(usize, &str)]) -> String {
    let target = |ordinal: usize| {
        let found = targets.iter().find(|(number, _)| *number == ordinal + 1);
        found.map(|(_, target)| *target)
    };
    String::from_utf8(render_target(document, target).unwrap()).unwrap()
}

fn file(language: &str, messages: &str) -> String {
    format!(
        "{HEAD}<TS version=\"2.1\"{language}>\n<context>\n    <name>Main</name>\n{messages}\n</context>\n</TS>\n"
    )
}

#[test]
fn the_ending_is_shared_with_a_language() {
    assert!(Format::needs_content("app.ts"));
    let open = |text: &str| Document::open("app.ts", text.as_bytes(), &ParseOptions::default());
    assert!(open("export const a: Map<TS, string> = new Map();\n").is_err());
    assert_eq!(open(&file("", "")).unwrap().format, Format::QtTs);
}

#[test]
fn unfinished_messages_are_units() {
    let text = file(
        " language=\"de_AT\"",
        "    <message id=\"x\">\n        <location filename=\"a.cpp\" line=\"3\"/>\n        <location line=\"+7\"/>\n        <source>It&apos;s &lt;b&gt;%1&lt;/b&gt;</source>\n        <comment>title</comment>\n        <extracomment>Of the window.</extracomment>\n        <translation type=\"unfinished\"></translation>\n    </message>\n    <message>\n        <source>Old</source>\n        <translation type=\"unfinished\">Alt</translation>\n    </message>\n    <message><source>Done</source><translation>Fertig</translation></message>\n    <message><source>Gone</source><translation type=\"vanished\">Weg</translation></message>\n    <message><source>New</source></message>",
    );
    let document = parse(&text, Some("de"));
    assert_eq!(
        sources(&document),
        ["It's &lt;b&gt;%1&lt;/b&gt;", "Old", "New"]
    );
    assert_eq!(document.n_finished, 1);
    assert_eq!(
        document.segments[0].hints.note.as_deref(),
        Some("Main · a.cpp:3 · title · Of the window.")
    );
    assert_eq!(
        document.segments[1].hints.suggestion.as_deref(),
        Some("Alt")
    );
    assert_eq!(confirm(&document, &[]), text);
    let expected = text
        .replace(
            "<translation type=\"unfinished\"></translation>",
            "<translation>So ist&apos;s &lt;b&gt;%1&lt;/b&gt; &amp; &lt;2</translation>",
        )
        .replace("<translation type=\"unfinished\">Alt", "<translation>Alt")
        .replace(
            "<source>New</source>",
            "<source>New</source><translation>Neu</translation>",
        );
    let targets = [
        (1, "So ist's &lt;b&gt;%1&lt;/b&gt; & <2"),
        (2, "Alt"),
        (3, "Neu"),
    ];
    assert_eq!(confirm(&document, &targets), expected);
}

#[test]
fn numerus_messages_have_a_unit_for_each_form() {
    let message = |translation: &str| {
        format!(
            "<message numerus=\"yes\"><source>%n file(s)</source><translation type=\"unfinished\">{translation}</translation></message>"
        )
    };
    let text = file(
        " language=\"pl\"",
        &message(
            "\n <numerusform>%n plik</numerusform>\n <numerusform/>\n <numerusform></numerusform>\n",
        ),
    );
    let document = parse(&text, Some("pl"));
    assert_eq!(document.segments.len(), 3);
    let note = |ordinal: usize| document.segments[ordinal].hints.note.as_deref();
    assert_eq!(note(1), Some("plural form 2 of 3: 2, 3, 4, 22 … · Main"));
    let two = text.replace("<numerusform/>", "<numerusform>%n pliki</numerusform>");
    assert_eq!(confirm(&document, &[(1, "%n plik"), (2, "%n pliki")]), two);
    let three = two
        .replace("<numerusform></", "<numerusform>%n plików</")
        .replace(" type=\"unfinished\"", "");
    let all = [(1, "%n plik"), (2, "%n pliki"), (3, "%n plików")];
    assert_eq!(confirm(&document, &all), three);

    let text = file("", &message(""));
    let document = parse(&text, Some("pl"));
    let expected = file(
        "",
        &message(
            "<numerusform></numerusform><numerusform>%n pliki</numerusform><numerusform></numerusform>",
        ),
    );
    let expected = expected.replace("<TS ", "<TS language=\"pl\" ");
    assert_eq!(confirm(&document, &[(2, "%n pliki")]), expected);
    let text = file(
        " language=\"en\"",
        &message("<numerusform></numerusform><numerusform></numerusform>"),
    );
    assert_eq!(parse(&text, Some("pl")).segments.len(), 3);
    assert_eq!(parse(&text, Some("en")).segments.len(), 2);
    assert_eq!(parse(&file("", &message("")), Some("tr")).segments.len(), 1);
}

#[test]
fn long_and_deep_inputs_take_linear_time() {
    for part in [
        "<message>",
        "<source>",
        "<translation>",
        "<message numerus=\"yes\"><source>a</source><translation><numerusform>",
    ] {
        let text = format!("{HEAD}<TS>{}", part.repeat(20_000));
        assert_eq!(confirm(&parse(&text, Some("pl")), &[]), text);
    }
    let text = file(
        "",
        &format!(
            "<message numerus=\"yes\"><source>a</source><translation>{}</translation></message>",
            "<numerusform>".repeat(20_000)
        ),
    );
    assert_eq!(confirm(&parse(&text, Some("pl")), &[]), text);
}
