use proptest::prelude::*;
use saphyr_parser::Parser;

use crate::format::proof::{parse, prove};
use crate::{Document, Format, LanguageTag, ParseOptions, render_target};

const ANDROID: &str = "<resources>\r\n    <!-- In the list -->\r\n    <plurals name=\"files\">\r\n        <item quantity=\"one\">One file</item>\r\n\r\n        <item quantity='other'>\r\n            <![CDATA[%d <b>files</b>]]> </item>\r\n    </plurals>\r\n</resources>\r\n";
const APPLE: &str = "<plist version=\"1.0\">\n<dict>\n\t<key>files</key>\n\t<dict>\n\t\t<key>NSStringLocalizedFormatKey</key>\n\t\t<string>%#@n@</string>\n\t\t<key>n</key>\n\t\t<dict>\n\t\t\t<key>NSStringFormatSpecTypeKey</key>\n\t\t\t<string>NSStringPluralRuleType</string>\n\t\t\t<key>one</key>\n\t\t\t<string>One file</string>\n\t\t\t<key>other</key>\n\t\t\t<string>%d files &amp; more</string>\n\t\t</dict>\n\t</dict>\n</dict>\n</plist>\n";

fn parse_for(format: Format, text: &str, target: &str) -> Document {
    let options = ParseOptions {
        target: Some(LanguageTag::parse(target).unwrap()),
        ..ParseOptions::default()
    };
    Document::parse(format, text.as_bytes(), &options).unwrap()
}

/// Lists what the notes of the units call their form; of others, nothing.
fn forms(document: &Document) -> Vec<&str> {
    let notes = document.segments.iter();
    let notes = notes.filter_map(|segment| segment.hints.note.as_deref());
    notes
        .filter_map(|note| note.split_once("plural form ")?.1.lines().next())
        .collect()
}

fn written<'t>(document: &Document, target: impl Fn(usize) -> Option<&'t str>) -> String {
    String::from_utf8(render_target(document, target).unwrap()).unwrap()
}

/// Proves that a file keeps its bytes while no form is added, and returns it with all of them.
fn completed(format: Format, text: &str, target: &str) -> String {
    prove(&parse(format, text));
    let document = parse_for(format, text, target);
    assert!(
        document
            .segments
            .is_sorted_by(|one, next| one.span.end <= next.span.start)
    );
    assert_eq!(written(&document, |_| None), text);
    let is_own = |n: usize| {
        let span = document.segments[n].span;
        span.start < span.end
    };
    let source = |n: usize| Some(document.segments[n].source.as_str());
    assert_eq!(
        written(&document, |n| source(n).filter(|_| is_own(n))),
        text
    );
    let target = |n: usize| (!is_own(n)).then_some("Tá & <b>'x'</b>");
    written(&document, target)
}

/// Proves that the parts of a file follow each other with exactly so many insertions between them.
fn assert_inserted(text: &str, output: &str, insertions: &[(&str, &str)]) {
    let mut expected = text.to_owned();
    for (before, inserted) in insertions {
        assert_eq!(text.matches(before).count(), 1, "{before}");
        expected = expected.replace(before, &format!("{inserted}{before}"));
    }
    assert_eq!(output, expected);
}

#[test]
fn android_gets_the_items_that_the_language_needs() {
    let item = |name: &str| {
        format!(
            "<item quantity='{name}'>\r\n            <![CDATA[Tá & <b>\\'x\\'</b>]]> </item>\r\n        "
        )
    };
    let one = "<item quantity=\"one\">";
    let other = "<item quantity='other'>";
    for (target, before_one, before_other) in [
        ("pl", &[][..], &["few", "many"][..]),
        ("ar", &["zero"], &["two", "few", "many"]),
        ("pt-BR", &[], &["many"]),
        ("de", &[], &[]),
        ("ja", &[], &[]),
        // Of a language that is not known nothing is said.
        ("tlh", &[], &[]),
    ] {
        let items = |names: &[&str]| names.iter().map(|name| item(name)).collect::<String>();
        assert_inserted(
            ANDROID,
            &completed(Format::AndroidStrings, ANDROID, target),
            &[(one, &items(before_one)), (other, &items(before_other))],
        );
    }
}

#[test]
fn notes_say_the_numbers_and_what_nobody_sees_is_no_unit() {
    for (target, expected) in [
        (
            "pl",
            &[
                "one: 1: In the list",
                "few: 2–4, 22–24, 32–34 …: In the list",
                "many: 0, 5–21, 25–31 …: In the list",
                "other: fractions: In the list",
            ][..],
        ),
        (
            "de",
            &[
                "one: 1: In the list",
                "other: all other numbers: In the list",
            ],
        ),
        ("ja", &["other: all numbers: In the list"]),
        ("tlh", &[]),
    ] {
        let document = parse_for(Format::AndroidStrings, ANDROID, target);
        assert_eq!(forms(&document), expected, "{target}");
    }
    let document = parse_for(Format::AndroidStrings, ANDROID, "pl");
    let few = &document.segments[1];
    assert_eq!(few.source, "%d <b>files</b>");
    let note = few.hints.note.as_deref().unwrap();
    assert!(note.starts_with("files / few · plural form few"), "{note}");
    assert_eq!(
        parse_for(Format::AndroidStrings, ANDROID, "ja")
            .segments
            .len(),
        1
    );
    assert_eq!(
        parse_for(Format::AndroidStrings, ANDROID, "tlh")
            .segments
            .len(),
        2
    );
}

#[test]
fn items_that_are_there_or_no_forms_add_nothing() {
    for (text, n_units) in [
        (
            "<plurals name=\"a\"><item quantity=\"few\"/><item quantity=\"other\">Some text</item></plurals>",
            3,
        ),
        (
            "<plurals name=\"a\"><item quantity=\"other\">Some text</item></plurals>",
            4,
        ),
        (
            "<plurals name=\"a\"><item quantity=\"one\">Some text</item></plurals>",
            1,
        ),
        (
            "<plurals name=\"a\"><item quantity=\"other\">Some text</item><item quantity=\"other\">Some text</item></plurals>",
            2,
        ),
        (
            "<plurals name=\"a\" translatable=\"false\"><item quantity=\"other\">Some text</item></plurals>",
            0,
        ),
        (
            "<string-array name=\"a\"><item>Some text</item></string-array>",
            1,
        ),
    ] {
        let text = format!("<resources>{text}</resources>");
        let document = parse_for(Format::AndroidStrings, &text, "pl");
        assert_eq!(document.segments.len(), n_units, "{text}");
    }
}

#[test]
fn a_stringsdict_gets_keys_and_strings() {
    let entry = |name: &str| {
        format!("<key>{name}</key>\n\t\t\t<string>Tá &amp; &lt;b&gt;'x'&lt;/b&gt;</string>\n\t\t\t")
    };
    for (target, before_one, before_other) in [
        ("pl", &[][..], &["few", "many"][..]),
        ("ar", &["zero"], &["two", "few", "many"]),
        ("pt-BR", &[], &["many"]),
        ("de", &[], &[]),
        ("ja", &[], &[]),
    ] {
        let entries = |names: &[&str]| names.iter().map(|name| entry(name)).collect::<String>();
        assert_inserted(
            APPLE,
            &completed(Format::AppleStringsDict, APPLE, target),
            &[
                ("<key>one</key>", &entries(before_one)),
                ("<key>other</key>", &entries(before_other)),
            ],
        );
    }
    let document = parse_for(Format::AppleStringsDict, APPLE, "ja");
    assert_eq!(forms(&document), ["other: all numbers"]);
    assert_eq!(document.segments.len(), 2);
}

const I18NEXT: &str = "{\n  \"files\": {\n    // Counted.\n    \"list_one\": \"One \\\"file\\\"\",\n    \"list_other\" : \" {{count}} files\",\n    \"end\": 1\n  },\n  \"place_ordinal_other\": \"place {{ count }}\",\"bare_other\": \"{{count}} bare things\" }\n";

#[test]
fn i18next_gets_keys() {
    for (target, before_one, before_other, bare) in [
        (
            "pl",
            &[][..],
            &["few", "many"][..],
            &["one", "few", "many"][..],
        ),
        (
            "ar",
            &["zero"],
            &["two", "few", "many"],
            &["zero", "one", "two", "few", "many"],
        ),
        ("pt-BR", &[], &["many"], &["one", "many"]),
        ("de", &[], &[], &["one"]),
        ("ja", &[], &[], &[]),
    ] {
        let entries = |names: &[&str]| {
            let entry = |name: &&str| format!("\"list_{name}\" : \" Tá & <b>'x'</b>\",\n    ");
            names.iter().map(entry).collect::<String>()
        };
        let bare: Vec<String> = bare
            .iter()
            .map(|name| format!("\"bare_{name}\": \"Tá & <b>'x'</b>\","))
            .collect();
        let output = completed(Format::Json, I18NEXT, target);
        assert_inserted(
            I18NEXT,
            &output,
            &[
                ("\"list_one\"", &entries(before_one)),
                ("\"list_other\"", &entries(before_other)),
                ("\"bare_other\"", &bare.concat()),
            ],
        );
        // A reader of all YAML reads all JSON.
        assert_eq!(
            Parser::new_from_str(&output.replace("// Counted.", "")).find(Result::is_err),
            None
        );
    }
    let document = parse_for(Format::Json, I18NEXT, "ja");
    assert_eq!(forms(&document), ["other: all numbers"; 3]);
    let document = parse_for(Format::Json, I18NEXT, "pl");
    let note = document.segments[1].hints.note.as_deref();
    assert_eq!(
        note,
        Some("files.list_few · plural form few: 2–4, 22–24, 32–34 …")
    );
}

#[test]
fn ordinal_numbers_have_their_own_forms() {
    let text = "{\"a_ordinal_one\":\"{{count}}st place\",\"a_ordinal_two\":\"{{count}}nd place\",\"a_ordinal_few\":\"{{count}}rd place\",\"a_ordinal_other\":\"{{count}}th place\"}";
    for (target, expected) in [
        ("pl", &["other"][..]),
        ("it", &["many", "other"]),
        ("cy", &["zero", "one", "two", "few", "many", "other"]),
    ] {
        let document = parse_for(Format::Json, text, target);
        let mut names: Vec<_> = forms(&document)
            .iter()
            .map(|form| form.split(':').next().unwrap())
            .collect();
        names.sort_by_key(|name| crate::format::plural::Category::of(name));
        assert_eq!(names, expected);
    }
}

#[test]
fn only_plural_forms_are_completed() {
    for (text, n_units) in [
        (
            "{\"reason_spam\": \"It is spam\", \"reason_other\": \"Another reason\"}",
            2,
        ),
        ("{\"a_one\": \"Some text\", \"a_other\": \"More texts\"}", 4),
        (
            "{\"a\": {\"one\": \"Some text\", \"other\": \"More texts\"}}",
            4,
        ),
        (
            "{\"a\": {\"one\": \"Some text\", \"other\": \"More texts\", \"new\": \"New texts\"}}",
            3,
        ),
        (
            "{\"a_one\": \"Some text\", \"a_few\": 3, \"a_many\": [\"A text\"], \"a_other\": \"More texts\"}",
            3,
        ),
        (
            "{\"a_one\": \"Some text\", \"b\": {\"a_other\": \"More texts\"}}",
            2,
        ),
        ("{a_one: 'Some text', a_other: 'More texts'}", 4),
    ] {
        let document = parse_for(Format::Json, text, "pl");
        assert_eq!(document.segments.len(), n_units, "{text}");
        completed(Format::Json, text, "pl");
    }
}

const RAILS: &str = "app:\r\n  files:\r\n    one: One file\r\n    other: \"%{count} files\" # counted\r\n  notes: {one: a note, 'other':  '%{count} notes'}\r\n  lines:\r\n    zero: No line\r\n    other: |-\r\n      %{count} lines\r\n      of text\r\n\r\n  home:\r\n    other: Home page\r\n  list:\r\n    - other: '%{count} things'\r\n    - one: Some text\r\n      other: More texts\r\n      title: A title\r\n";

#[test]
fn rails_gets_keys() {
    let value = "Tá & <b>''x''</b>";
    let lines = "    other: |-\r\n      %";
    for (target, early, late) in [
        ("pl", &["one"][..], &["few", "many"][..]),
        ("ar", &["zero", "one"], &["two", "few", "many"]),
        ("pt-BR", &["one"], &["many"]),
        ("de", &["one"], &[]),
        ("ja", &[], &[]),
    ] {
        let zero: &[&str] = if early.len() > 1 { &["zero"] } else { &[] };
        let all = [early, late].concat();
        let list = |names: &[&str], entry: &dyn Fn(&str) -> String| {
            names.iter().map(|name| entry(name)).collect::<String>()
        };
        let double = |name: &str| format!("{name}: \"{}\"\r\n    ", value.replace("''", "'"));
        let flow = |name: &str| format!("'{name}':  '{value}', ");
        let block =
            |name: &str| format!("    {name}: |-\r\n      {}\r\n", value.replace("''", "'"));
        let item = |name: &str| format!("{name}: '{value}'\r\n      ");
        let output = completed(Format::Yaml, RAILS, target);
        assert_inserted(
            RAILS,
            &output,
            &[
                ("one: One", &list(zero, &double)),
                ("other: \"", &list(late, &double)),
                ("one: a note", &list(zero, &flow)),
                ("'other'", &list(late, &flow)),
                (lines, &list(all.strip_prefix(zero).unwrap(), &block)),
                ("other: '%{count} things'", &list(&all, &item)),
            ],
        );
        assert_eq!(Parser::new_from_str(&output).find(Result::is_err), None);
        // What is complete stays so.
        let again = parse_for(Format::Yaml, &output, target);
        assert_eq!(
            again.segments.len(),
            parse_for(Format::Yaml, RAILS, target).segments.len()
        );
    }
    let document = parse_for(Format::Yaml, RAILS, "pl");
    let few = document.segments[1].hints.note.as_deref();
    assert_eq!(
        few,
        Some("app.files.few · plural form few: 2–4, 22–24, 32–34 …")
    );
    // Rails takes these in any language.
    assert_eq!(forms(&parse_for(Format::Yaml, RAILS, "ja")).len(), 4);
}

#[test]
fn keys_of_yaml_that_name_no_form_add_nothing() {
    for (text, n_units) in [
        (
            "a:\n  one: &x Some text\n  other: &y More texts\nb: *x\n",
            2,
        ),
        ("a:\n  ? one\n  : Some text\n  ? other\n  : More texts\n", 2),
        ("a:\n  one: Some text\n  other: [More texts]\n", 2),
        (
            "a:\n  one: Some text\n  other: More texts\n  other: Even more\n",
            3,
        ),
        ("one: Some text\nother: More texts\n", 4),
    ] {
        let document = parse_for(Format::Yaml, text, "pl");
        assert_eq!(document.segments.len(), n_units, "{text}");
        completed(Format::Yaml, text, "pl");
    }
}

proptest! {
    #[test]
    fn any_text_keeps_its_bytes(
        json in "(\"(a_)?(one|two|other)\" ?: ?|\"[a-zé]{1,4} [a-z]{1,4}\",?|[{}\\[\n ]){0,40}",
        yaml in "( {0,4}(- )?(one|'other'|two|a): ?|[a-zé]{1,4} [a-z]{1,4}\n|\"[a-z]{1,4} b\"|[|>{},\n]){0,40}",
        android in "(<plurals name=\"a\">|</plurals>|<item quantity=\"(one|other|two)\">|</item>|[a-zé]{1,4} [a-z]{1,4}|[<>&\n]){0,40}",
        apple in "(<dict>|</dict>|<key>(one|other|two|NSStringFormatSpecTypeKey)</key>|<string>[a-zé]{1,4} b</string>|[<>&\n]){0,40}",
    ) {
        for (format, text) in [
            (Format::Json, json),
            (Format::Yaml, yaml),
            (Format::AndroidStrings, android),
            (Format::AppleStringsDict, apple),
        ] {
            completed(format, &text, "ar");
        }
    }
}
