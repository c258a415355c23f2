//! Tests of placeholders, protected text and markup.

use super::super::IssueKind::{Markup, Placeholder, Protected};
use super::*;

#[test]
fn a_translated_placeholder_is_named() {
    let (source, target) = (
        "Moved {count} files to {folder}",
        "{Anzahl} Dateien nach {folder} verschoben",
    );
    names(source, target, Placeholder, &["{count}"], &["{Anzahl}"]);
    assert_eq!(run("en>de", source, target)[0].severity, Severity::Blocking);
    good("en>de", source, "{count} Dateien nach {folder} verschoben");
    bad(
        "Hi {{name}}, you have %(n)d new mails",
        "Hallo {{ Name }}, %(n)d neue Mails",
        &[Placeholder],
    );
    good(
        "en>de",
        "Hi {{name}}, you have %(n)d new mails",
        "Hallo {{ name }}, Sie haben %(n)d neue Mails",
    );
}

#[test]
fn the_forms_of_a_plural_are_for_the_translator() {
    let source = "{n, plural, one {# file} other {# files}}";
    good(
        "en>pl",
        source,
        "{n, plural, one {# plik} few {# pliki} many {# plików} other {# pliku}}",
    );
    bad(
        source,
        "{m, plural, one {# Datei} other {# Dateien}}",
        &[Placeholder],
    );
}

#[test]
fn format_arguments_keep_order_count_and_percent_sign() {
    let source = "Copied %d of %s (100%%)";
    good("en>de", source, "%d von %s kopiert (100%%)");
    good("en>de", source, "Von %2$s wurden %1$d kopiert (100%%)");
    names(
        source,
        "%s von %d kopiert (100%%)",
        Placeholder,
        &["%d", "%s"],
        &["%s", "%d"],
    );
    names(
        source,
        "%d von %s kopiert (100%)",
        Placeholder,
        &["%%"],
        &[],
    );
    names("%s has %d tanks", "%s hat Tanks", Placeholder, &["%d"], &[]);
}

#[test]
fn right_to_left_marks_do_not_hide_placeholders() {
    good(
        "en>ar",
        "Found {count} files (ready).",
        "تم العثور على {count} ملفات (جاهزة)\u{200F}.",
    );
    good(
        "en>he",
        "Start `pump run` now!",
        "התחל \u{200E}`pump run`\u{200E} עכשיו!",
    );
}

#[test]
fn links_emphasis_and_code_survive() {
    let source = "Read **this** [page](p.md) and run `go`.";
    good(
        "en>de",
        source,
        "Führen Sie `go` aus und lesen Sie **diese** [Seite](p.md).",
    );
    good(
        "en>de",
        source,
        "Lesen Sie __diese__ [Seite](p.md) und führen Sie `go` aus.",
    );
    names(
        source,
        "Lesen Sie **diese** Seite und führen Sie `go` aus.",
        Protected,
        &["](p.md)"],
        &[],
    );
    names(
        source,
        "Lesen Sie **diese [Seite](p.md) und führen Sie `go` aus.",
        Markup,
        &["**"],
        &[],
    );
    names(
        source,
        "Lesen Sie **diese** [Seite](seite.md) und führen Sie `go` aus.",
        Protected,
        &["](p.md)"],
        &["](seite.md)"],
    );
    names(
        source,
        "Lesen Sie **diese** [Seite](p.md) und führen Sie `los` aus.",
        Protected,
        &["`go`"],
        &["`los`"],
    );
    names(
        "First line  \nsecond line",
        "Erste Zeile zweite Zeile",
        Markup,
        &["  \n"],
        &[],
    );
    good(
        "en>de",
        "First line  \nsecond line",
        "Erste Zeile\\\nzweite Zeile",
    );
}

#[test]
fn emphasis_that_does_not_close_beside_chinese_is_lost() {
    let source = "**Important:** read first.";
    let kinds = |target: &str| {
        let issues = run("en>zh", source, target);
        issues
            .into_iter()
            .map(|issue| (issue.kind, issue.missing))
            .collect::<Vec<_>>()
    };
    assert_eq!(kinds("**重要**：请先阅读。"), []);
    assert_eq!(kinds("**重要：**请先阅读。"), [(Markup, owned(&["**"]))]);
}

#[test]
fn roles_and_emphasis_keep_what_makes_them_markup() {
    let faults = |source: &str, target: &str| {
        let issues = run_in(Format::ReStructuredText, "en>zh-Hans", source, target);
        let blocking = issues
            .into_iter()
            .filter(|issue| issue.severity == Severity::Blocking);
        let told = blocking.map(|issue| (issue.kind, issue.suggestion));
        told.collect::<Vec<_>>()
    };
    let source = "Read the :ref:`first chapter <ch1>` before.";
    assert_eq!(faults(source, "请先阅读 :ref:`第一章 <ch1>`。"), []);
    for target in [
        "先读 :ref:` 第一章 <ch1>` 。",
        "先读 :ref:`第一章 <ch1> ` 。",
    ] {
        assert_eq!(faults(source, target), [(Protected, None)], "{target}");
    }
    let parted = "请先阅读\\ :ref:`第一章 <ch1>`\\ 再继续。";
    let suggestion = Some(parted.to_owned());
    assert_eq!(
        faults(source, "请先阅读:ref:`第一章 <ch1>`再继续。"),
        [(Protected, suggestion)]
    );
    assert_eq!(faults(source, parted), []);
    let source = "Run ``go`` *now*, and wait.";
    let suggestion = Some("*现在*\\ 运行\\ ``go``\\ 并等待。".to_owned());
    assert_eq!(
        faults(source, "*现在*运行``go``并等待。"),
        [(Protected, suggestion.clone()), (Markup, suggestion)]
    );
}

#[test]
fn references_resolve_after_translation() {
    let source = "See [the guide][g], [g][] or [g]. A badge: [![build state][b]][ci].";
    good(
        "en>de",
        source,
        "Siehe [den Leitfaden][g], [hier][g] oder [g]. Ein Abzeichen: [![Baustand][b]][ci].",
    );
    names(
        "Read the [Guide] first.",
        "Lesen Sie zuerst die [Anleitung].",
        Protected,
        &["[Guide]"],
        &["[Anleitung]"],
    );
    good(
        "en>de",
        "Read the [Guide] first.",
        "Lesen Sie zuerst die [Anleitung][Guide].",
    );
    good(
        "en>de",
        "Press the key [as the table shows].",
        "Drücken Sie die Taste [wie die Tabelle zeigt].",
    );
    good(
        "en>de",
        "![Pump diagram](img/pump_1.png \"Side view\") and <https://example.org/a_b?x=1&y=2>.",
        "![Pumpenzeichnung](img/pump_1.png \"Seitenansicht\") und <https://example.org/a_b?x=1&y=2>.",
    );
    good(
        "en>de",
        "See [below](#next-steps).",
        "Siehe [unten](#next-steps).",
    );
}

#[test]
fn a_translated_shortcut_gets_its_key_back() {
    let suggestion =
        |source: &str, target: &str| run("en>de", source, target)[0].suggestion.clone();
    for (source, target, expected) in [
        (
            "Read [Guide] now.",
            "Jetzt [Anleitung] lesen.",
            Some("Jetzt [Anleitung][Guide] lesen."),
        ),
        (
            "Read [Guide][] now.",
            "Jetzt [Anleitung][] lesen.",
            Some("Jetzt [Anleitung][Guide] lesen."),
        ),
        (
            "Read ![Guide] now.",
            "Jetzt ![Anleitung] lesen.",
            Some("Jetzt ![Anleitung][Guide] lesen."),
        ),
        (
            "Read [Guide] now.",
            "Jetzt [Anleitung](guide.md) lesen.",
            None,
        ),
        ("Read [Guide] now.", "Jetzt Anleitung lesen.", None),
        (
            "Read [Guide] and [Plan].",
            "[Anleitung] und [Entwurf] lesen.",
            None,
        ),
        ("Read [the guide][g].", "[Anleitung][h] lesen.", None),
        ("Read this.[^a]", "Dies lesen.[^b]", None),
    ] {
        assert_eq!(suggestion(source, target).as_deref(), expected, "{target}");
    }
}

#[test]
fn attributes_and_formulas_are_kept_as_they_are() {
    names(
        "Install the tool {#install}",
        "Werkzeug installieren {#installieren}",
        Protected,
        &["{#install}"],
        &["{#installieren}"],
    );
    names(
        "The energy is $E = m_i c^2$ and costs $5 to $6 per day.",
        "Die Energie ist $E = m\\_i c^2$ und kostet 5 bis 6 $ am Tag.",
        Protected,
        &["$E = m_i c^2$"],
        &["$E = m\\_i c^2$"],
    );
    good(
        "en>de",
        "The energy is $E = m_i c^2$ and costs $5 to $6 per day.",
        "Die Energie ist $E = m_i c^2$ und kostet 5 bis 6 $ am Tag.",
    );
    good(
        "en>de",
        "Inline \\(a_1 * b_1\\) stays.",
        "Im Text bleibt \\(a_1 * b_1\\) stehen.",
    );
}

#[test]
fn tags_are_counted_but_their_texts_may_be_translated() {
    good(
        "en>de",
        "Press <kbd>Q</kbd><br/>now.",
        "Drücken Sie jetzt<br> <kbd>Q</kbd>.",
    );
    good(
        "en>de",
        "<img src=\"a.png\" alt=\"Side view\"> shown here",
        "<img src=\"a.png\" alt=\"Seitenansicht\"> hier gezeigt",
    );
    let source = "See <a href=\"b\" title=\"The guide\">the <b>guide</b></a> now.";
    good(
        "en>de",
        source,
        "Lesen Sie jetzt <a href=\"b\" title=\"Das Handbuch\">das <b>Handbuch</b></a>.",
    );
    bad(
        source,
        "Lesen Sie jetzt <a href=\"b\" title=\"Das Handbuch\">das <b>Handbuch</a></b>.",
        &[Markup],
    );
    bad(
        source,
        "Lesen Sie jetzt <a href=\"b\" title=\"Das \"Handbuch\"\">das <b>Handbuch</b></a>.",
        &[Markup],
    );
    names(
        "Press <kbd>Q</kbd> now.",
        "Drücken Sie jetzt Q.",
        Markup,
        &["<kbd>", "</kbd>"],
        &[],
    );
    good(
        "en>de",
        "Terms &amp; Conditions",
        "Allgemeine Geschäftsbedingungen",
    );
}

#[test]
fn a_fence_around_the_whole_is_a_warning_with_the_text_inside() {
    let issues = run(
        "en>de",
        "Fill the tank before the first run.",
        "```markdown\nFüllen Sie den Tank vor dem ersten Start.\n```",
    );
    assert_eq!(
        issues,
        [Issue {
            kind: Markup,
            severity: Severity::Warning,
            missing: Vec::new(),
            extra: owned(&["```markdown", "```"]),
            suggestion: Some("Füllen Sie den Tank vor dem ersten Start.".to_owned()),
        }]
    );
    good(
        "en>de",
        "Type three backticks (` ``` `) to open a block.",
        "Drei Backticks (` ``` `) öffnen einen Block.",
    );
}

#[test]
fn invented_blocks_are_faults() {
    let source = "Fill the tank before the first run.";
    names(
        source,
        "# Füllen Sie den Tank vor dem ersten Start.",
        Markup,
        &[],
        &["#"],
    );
    names(
        source,
        "- Füllen Sie den Tank vor dem ersten Start.",
        Markup,
        &[],
        &["-"],
    );
    names(
        source,
        "Füllen Sie den Tank\n\nvor dem ersten Start.",
        Markup,
        &[],
        &["\n\n"],
    );
    names(
        source,
        "Füllen Sie den Tank\n- vor dem ersten Start.",
        Markup,
        &[],
        &[],
    );
    let suggestion = &run("en>de", source, "## Füllen Sie den Tank vorher auf.")[0].suggestion;
    assert_eq!(
        suggestion.as_deref(),
        Some("Füllen Sie den Tank vorher auf.")
    );
    good("en>de", "1. Introduction", "1. Einleitung");
    good("en>de", "Step 3: Fill the tank", "3. Schritt: Tank füllen");
    good("fr>en", "— Bonjour, dit-il.", "“Hello,” he said.");
}

#[test]
fn additions_are_doubts_and_losses_go_back() {
    const DOUBT: &[Severity] = &[Severity::Warning];
    const FAULT: &[Severity] = &[Severity::Blocking];
    let severities = |source: &str, target: &str| -> Vec<Severity> {
        let structural = |issue: &Issue| matches!(issue.kind, Placeholder | Protected | Markup);
        let issues = run("en>de", source, target).into_iter();
        issues
            .filter(structural)
            .map(|issue| issue.severity)
            .collect()
    };
    for (source, target, expected) in [
        ("Price list", "Preisliste {0}", DOUBT),
        ("Price list", "Preisliste $&", &[]),
        ("Price list", "Preisliste <0>", DOUBT),
        ("Price list", "Preisliste `x`", DOUBT),
        ("Price list", "Preisliste **neu**", DOUBT),
        ("Price list", "Preisliste <https://x.org/a>", DOUBT),
        ("Price list", "Preis\n\nListe", DOUBT),
        (
            "Price list",
            "Preis: $& und $1, $$5, $'y' {0} \\1 \\g<0>",
            DOUBT,
        ),
        ("Price list", "<li>Preisliste", FAULT),
        ("Price list", "Preisliste</li>", FAULT),
        (
            "Price list",
            "Preisliste <https://x.org/a> <b>",
            &[Severity::Warning, Severity::Blocking],
        ),
        ("{count} files", "Dateien", FAULT),
        ("{count} files", "{anzahl} Dateien", FAULT),
        ("Press <kbd>Q</kbd>", "Drücken Sie Q", FAULT),
    ] {
        assert_eq!(severities(source, target), expected, "{target}");
    }
}

#[test]
fn addresses_may_change_their_dress_only() {
    good("en>de", "See <https://x.org/a>.", "Siehe https://x.org/a.");
    names(
        "See https://x.org/a.",
        "Siehe https://x.org/b.",
        Protected,
        &["https://x.org/a"],
        &["https://x.org/b"],
    );
}

#[test]
fn plain_text_has_placeholders_but_no_markup() {
    let issues = run_in(
        Format::PlainText,
        "en>de",
        "*Note* {x} [a](b)",
        "Hinweis {y} [c](d)",
    );
    assert_eq!(issues.len(), 1, "{issues:?}");
    assert_eq!(issues[0].kind, Placeholder);
}
