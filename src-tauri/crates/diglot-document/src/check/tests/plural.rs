//! Tests of plural messages and of the order of tags.

use super::super::IssueKind::{Markup, Placeholder, PluralForms};
use super::*;

fn issues(languages: &str, source: &str, target: &str) -> Vec<(IssueKind, String, String)> {
    let issues = run_in(Format::PlainText, languages, source, target).into_iter();
    issues
        .map(|issue| (issue.kind, issue.missing.join(" "), issue.extra.join(" ")))
        .collect()
}

const FILES: &str = "You have {n, plural, one {# file} other {# files}}.";

#[test]
fn each_language_has_its_plural_forms() {
    for (languages, target) in [
        (
            "en>de",
            "Sie haben {n, plural, one {# Datei} other {# Dateien}}.",
        ),
        (
            "en>de",
            "Sie haben {n, plural, =1 {eine Datei} other {# Dateien}}.",
        ),
        ("en>zh", "你有{n, plural, other {# 个文件}}。"),
        (
            "en>fr",
            "Vous avez {n, plural, one {# fichier} many {# de fichiers} other {# fichiers}}.",
        ),
        (
            "en>ru",
            "У вас {n, plural, one {# файл} few {# файла} many {# файлов} other {# файла}}.",
        ),
        (
            "en>ar",
            "لديك {n, plural, zero {لا ملفات} one {ملف} two {ملفان} few {# ملفات} many {# ملفا} other {# ملف}}.",
        ),
        (
            "en>xh",
            "Une {n, plural, one {# ifayile} few {# x} other {# iifayile}}.",
        ),
    ] {
        assert_eq!(issues(languages, FILES, target), [], "{target}");
    }
    let lacking = |languages, target| issues(languages, FILES, target);
    let forms =
        |missing: &str, extra: &str| vec![(PluralForms, missing.to_owned(), extra.to_owned())];
    assert_eq!(
        lacking("en>pl", "Masz {n, plural, one {# plik} other {# plików}}."),
        forms("few many", "")
    );
    assert_eq!(
        lacking(
            "en>de",
            "Sie haben {n, plural, few {# Dateien} one {# Datei} other {# Dateien}}."
        ),
        forms("", "few")
    );
}

#[test]
fn the_frame_of_a_message_stays() {
    let lost = |target: &str| {
        let issues = run("en>de", FILES, target);
        assert_eq!(issues[0].severity, Severity::Blocking, "{issues:?}");
        issues[0].missing.join(" ")
    };
    assert_eq!(lost("Sie haben # Dateien."), "{n, plural, other { #");
    assert_eq!(lost("Sie haben {n, plural, one {# Datei}}."), "other { #");
    assert_eq!(
        lost("Sie haben {n, plural, one {# Datei} other {Dateien}}."),
        "#"
    );
    assert_eq!(
        lost("Sie haben {n, Plural, one {# Datei} other {# Dateien}}."),
        "{n, plural, other { #"
    );
    let zero = "{n, plural, =0 {No files} one {# file} other {# files}}";
    assert_eq!(
        issues(
            "en>de",
            zero,
            "{n, plural, one {# Datei} other {# Dateien}}"
        ),
        [(PluralForms, "=0".to_owned(), String::new())]
    );
    assert_eq!(
        issues(
            "en>de",
            FILES,
            "Sie haben {n, plural, one {{m} Datei} other {# Dateien}}."
        ),
        [(Placeholder, String::new(), "{m}".to_owned())]
    );
}

#[test]
fn choices_among_words_are_kept_and_nested_messages_too() {
    let source =
        "{who, select, her {She has {n, plural, one {# cat} other {# cats}}} other {They left}}";
    good(
        "en>de",
        source,
        "{who, select, her {Sie hat {n, plural, one {# Katze} other {# Katzen}}} other {Sie gingen}}",
    );
    assert_eq!(
        issues(
            "en>de",
            source,
            "{who, select, sie {Sie hat {n, plural, one {# Katze} other {# Katzen}}} other {Sie gingen}}"
        ),
        [(Placeholder, "her {".to_owned(), "sie {".to_owned())]
    );
}

#[test]
fn an_apostrophe_before_a_brace_quotes_it() {
    let source = "{n, plural, one {The page of {x}} other {The pages of {x}}}";
    assert_eq!(
        issues(
            "en>fr",
            source,
            "{n, plural, one {La page d''{x}} other {Les pages d''{x}}}"
        ),
        []
    );
    assert_eq!(
        issues(
            "en>fr",
            source,
            "{n, plural, one {La page de {x}} other {Les pages d'{x}' ici}}"
        ),
        [(Placeholder, "{x}".to_owned(), String::new())]
    );
}

#[test]
fn tags_do_not_cross() {
    let source = "Read <1>the <2>long</2> page</1> now<3/>.";
    good(
        "en>de",
        source,
        "Lesen Sie jetzt<3/> <1>die <2>lange</2> Seite</1>.",
    );
    good(
        "en>de",
        source,
        "Lesen Sie <2>jetzt</2> <1>die Seite</1><3/>.",
    );
    let issues = run(
        "en>de",
        source,
        "Lesen Sie <1>die <2>lange</1> Seite</2> jetzt<3/>.",
    );
    assert_eq!(issues.len(), 1, "{issues:?}");
    assert_eq!(
        (issues[0].kind, issues[0].severity, &issues[0].extra),
        (Placeholder, Severity::Blocking, &owned(&["</1>"]))
    );
    names(
        "Read <b>the</b> page<br>.",
        "Lesen Sie</b> die<br> <b>Seite.",
        Markup,
        &["</b>"],
        &["</b>"],
    );
}

#[test]
fn what_only_looks_like_code_is_for_the_translator() {
    for (source, target) in [
        ("Use <file> here.", "Verwenden Sie hier <Datei>."),
        ("%Y-%m-%d %H:%M", "%d.%m.%Y %H:%M"),
        ("`file' and `folder'", "`Datei' und `Ordner'"),
        ("Set `width` first.", "Setzen Sie zuerst „width“."),
        ("%sKey file", "%sSchlüsseldatei"),
    ] {
        assert_eq!(issues("en>de", source, target), [], "{target}");
    }
    assert_eq!(issues("tr>en", "%5 indirim", "5% off"), []);
}
