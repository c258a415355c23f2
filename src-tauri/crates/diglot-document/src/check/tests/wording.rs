//! Tests of terms, endings, pairs of marks, blanks, doubled words, scripts, limits and keys.

use super::super::IssueKind::{
    Accelerator, Brackets, DoubledWord, Ending, SourceScript, Spacing, Term, TooLong,
};
use super::*;

fn kinds(languages: &str, source: &str, target: &str) -> Vec<IssueKind> {
    let issues = run(languages, source, target);
    issues.iter().map(|issue| issue.kind).collect()
}

fn with_terms(languages: &str, terms: &[(&str, &str)], source: &str, target: &str) -> Vec<String> {
    let languages = pair(languages);
    let terms: Vec<CheckedTerm<'_>> = terms
        .iter()
        .map(|&(source, target)| CheckedTerm::preferred(source, target))
        .collect();
    let context = CheckContext {
        terms: &terms,
        ..CheckContext::new(Format::Markdown, &languages)
    };
    let issues = check(source, target, &context).into_iter();
    let unmet = issues.filter(|issue| issue.kind == Term);
    unmet.flat_map(|issue| issue.missing).collect()
}

#[test]
fn a_term_of_the_source_must_be_met() {
    let seal = [("seal", "Dichtung")];
    for (source, target, is_good) in [
        ("The seal is dry.", "Die Dichtung ist trocken.", true),
        ("The seal is dry.", "Die Robbe ist trocken.", false),
        (
            "Sealing wax is not used here.",
            "Siegellack wird hier nicht verwendet.",
            true,
        ),
        (
            "Replace both seals.",
            "Ersetzen Sie beide Dichtungen.",
            true,
        ),
        ("Replace both seals.", "Ersetzen Sie beide Robben.", false),
        ("Run `seal` now.", "Rufen Sie jetzt `seal` auf.", true),
        (
            "Check the pump seal.",
            "Prüfen Sie die Pumpendichtung.",
            true,
        ),
    ] {
        let unmet = with_terms("en>de", &seal, source, target);
        let expected: &[&str] = if is_good { &[] } else { &["Dichtung"] };
        assert_eq!(unmet, expected, "{source} -> {target}");
    }
}

#[test]
fn a_longer_term_stands_before_its_parts() {
    let terms = [
        ("seal", "Dichtung"),
        ("seal ring", "Simmerring"),
        ("seal", "Siegel"),
    ];
    let unmet = |source, target| with_terms("en>de", &terms, source, target);
    assert!(unmet("Oil the seal ring.", "Ölen Sie den Simmerring.").is_empty());
    assert_eq!(
        unmet("Oil the seal rings.", "Ölen Sie die Dichtungen."),
        ["Simmerring"]
    );
    assert_eq!(
        unmet(
            "Oil the seal ring and the seal.",
            "Ölen Sie den Simmerring."
        ),
        ["Dichtung"]
    );
    assert!(unmet("Break the seal.", "Brechen Sie das Siegel.").is_empty());
}

#[test]
fn terms_follow_the_language() {
    assert!(
        with_terms(
            "en>zh",
            &[("pump", "水泵")],
            "The pumps stop.",
            "水泵停止。"
        )
        .is_empty()
    );
    assert_eq!(
        with_terms("en>zh", &[("pump", "水泵")], "The pumps stop.", "泵停止。"),
        ["水泵"]
    );
    assert_eq!(
        with_terms(
            "ja>en",
            &[("ポンプ", "pump")],
            "ポンプが停止する。",
            "It stops."
        ),
        ["pump"]
    );
    assert!(with_terms("en>de", &[("house", "Haus")], "Two houses.", "Zwei Häuser.").is_empty());
    assert!(with_terms("de>en", &[("Haus", "house")], "Zwei Häuser.", "Two houses.").is_empty());
    assert!(
        with_terms(
            "en>fi",
            &[("pump", "pumppu")],
            "The pump stops.",
            "Pumpun käynti lakkaa."
        )
        .is_empty()
    );
    assert!(with_terms("en>de", &[("IT", "EDV")], "Is it dry?", "Ist sie trocken?").is_empty());
    assert_eq!(
        with_terms(
            "en>de",
            &[("IT", "EDV")],
            "Ask IT for help.",
            "Fragen Sie die Technik."
        ),
        ["EDV"]
    );
}

#[test]
fn a_text_ends_as_its_source() {
    names("Ready?", "Fertig.", Ending, &["?"], &["."]);
    assert_eq!(
        kinds("en>de", "Open the door.", "⟦Öffnen Sie die Tür.⟧"),
        []
    );
    names(
        "Save the file",
        "Speichern Sie die Datei.",
        Ending,
        &[],
        &["."],
    );
    names("The pump stops.", "Die Pumpe hält an", Ending, &["."], &[]);
    names("These files:", "Diese Dateien.", Ending, &[":"], &["."]);
    for (languages, source, target) in [
        ("en>zh", "Is the pump ready?", "水泵准备好了吗？"),
        ("en>el", "Is the pump ready?", "Είναι έτοιμη η αντλία;"),
        ("en>ar", "Is the pump ready?", "هل المضخة جاهزة؟"),
        ("en>hi", "The pump is dry.", "पंप सूखा है।"),
        ("en>th", "The pump is dry.", "ปั๊มแห้ง"),
        ("en>es", "Stop the pump!", "¡Pare la bomba!"),
        ("en>de", "Wait... (“now”).", "Warten Sie … („jetzt“)."),
        ("en>de", "Seals, rings, etc.", "Dichtungen, Ringe usw."),
        ("en>ja", "Made by ACME Inc.", "ACME社製"),
        ("en>de", "What?!", "Was!?"),
        ("en>de", "on May 3", "am 3."),
        ("en>zh", "Wait…", "请稍候……"),
        ("ar>en", "هل المضخة جاهزة؟", "Is the pump ready?"),
    ] {
        assert_eq!(kinds(languages, source, target), [], "{target}");
    }
}

#[test]
fn brackets_and_quotes_come_in_pairs() {
    names(
        "Close the lid (see below).",
        "Schließen Sie den Deckel (siehe unten.",
        Brackets,
        &[],
        &["("],
    );
    names(
        "He said “no” twice.",
        "Er sagte zweimal „nein.",
        Brackets,
        &[],
        &["„"],
    );
    assert_eq!(
        kinds("en>fr", "Say “no” now.", "Dites « non maintenant."),
        [Brackets]
    );
    assert_eq!(
        kinds("en>ja", "Say “no” now.", "今「いいえと言う。"),
        [Brackets]
    );
    for (languages, source, target) in [
        ("en>de", "a) Fill the tank", "b) Tank füllen"),
        ("en>zh", "Close it (now).", "关上（现在)。"),
        ("en>de", "A 5-inch screen", "Ein Bildschirm mit 5\""),
        (
            "en>de",
            "See [the (new) page](p.md).",
            "Siehe [die (neue) Seite](p.md).",
        ),
        ("en>sv", "Say “no” now.", "Säg ”nej” nu."),
        ("en>da", "Say “no” now.", "Sig »nej« nu."),
        ("en>fr", "“The quote goes on", "« La citation continue"),
        ("en>he", "The company said “no”.", "חברה בע\"מ אמרה „לא”."),
    ] {
        assert_eq!(kinds(languages, source, target), [], "{target}");
    }
}

#[test]
fn doubled_blanks_and_words_are_noticed() {
    let issues = run(
        "en>de",
        "Fill the tank now.",
        "Füllen  Sie den   Tank jetzt.",
    );
    assert_eq!(issues.len(), 1, "{issues:?}");
    assert_eq!(issues[0].kind, Spacing);
    assert_eq!(
        issues[0].suggestion.as_deref(),
        Some("Füllen Sie den Tank jetzt.")
    );
    good("en>de", "One.  Two.", "Eins.  Zwei.");
    good("en>de", "Run `a  b` now.", "Rufen Sie `a  b` jetzt auf.");
    names(
        "Fill the tank.",
        "Füllen Sie den Tank Tank.",
        DoubledWord,
        &[],
        &["Tank Tank"],
    );
}

#[test]
fn words_may_stand_twice_where_the_language_or_the_source_does_so() {
    names(
        "The end of the day",
        "Das Ende des des Tages",
        DoubledWord,
        &[],
        &["des des"],
    );
    for (languages, source, target) in [
        ("en>fr", "We get up.", "Nous nous levons."),
        (
            "en>de",
            "The ones that the man sees",
            "Die, die die Frau sieht",
        ),
        ("en>id", "Small things", "Hal hal kecil"),
        ("fr>en", "Duran Duran chante", "Duran Duran sings"),
        (
            "de>en",
            "Er sagte, dass das gut war",
            "He said that that was good",
        ),
    ] {
        assert_eq!(kinds(languages, source, target), [], "{target}");
    }
}

#[test]
fn letters_of_the_source_are_left_over() {
    assert_eq!(
        kinds(
            "zh>en",
            "他打开水泵的盖子。",
            "He opens the 盖子 of the pump."
        ),
        [SourceScript]
    );
    assert_eq!(
        kinds("ja>zh", "ポンプを止めてください", "请停止ポンプ"),
        [SourceScript]
    );
    assert_eq!(
        kinds(
            "ru>de",
            "Остановите насос сейчас.",
            "Stoppen Sie den насос jetzt."
        ),
        [SourceScript]
    );
    for (languages, source, target) in [
        ("ja>en", "京都へようこそ", "Welcome to Kyoto (京都)"),
        ("el>en", "Η γωνία α είναι μικρή.", "The angle α is small."),
        ("zh>ja", "水泵停止。", "水ポンプが停止する。"),
        ("en>ru", "Open GitHub", "Откройте GitHub"),
        ("ru>uk", "Насос стоит", "Насос стоїть"),
    ] {
        assert_eq!(kinds(languages, source, target), [], "{target}");
    }
}

#[test]
fn what_is_too_long_is_shown() {
    let languages = pair("en>de");
    let limited = |limit: usize, target: &str| {
        let context = CheckContext {
            max_length: Some(limit),
            ..CheckContext::new(Format::PlainText, &languages)
        };
        let issues = check("Fill", target, &context).into_iter();
        issues
            .filter(|issue| issue.kind == TooLong)
            .flat_map(|issue| issue.extra)
            .collect::<Vec<_>>()
    };
    assert_eq!(limited(3, "Füllen"), ["len"]);
    assert!(limited(6, "Füllen").is_empty());
    assert!(limited(6, "Fu\u{308}llen").is_empty());
}

/// Checks a string of a program.
fn label(source: &str, target: &str) -> Vec<Issue> {
    let languages = pair("en>de");
    let context = CheckContext::new(Format::PlainText, &languages);
    inspect(STRING, source, target, &context)
}

#[test]
fn the_key_of_a_label_is_kept() {
    for (source, target) in [
        ("&File", "&Datei"),
        ("E&xit", "B&eenden"),
        ("&File", "文件(&F)"),
        ("_Save As…", "Speichern _unter …"),
        ("_Paste", "E_infügen"),
        ("Save\tCtrl+S", "Speichern\tStrg+S"),
        ("R&D report", "Bericht der Forschung"),
        ("Bed & breakfast", "Zimmer mit Frühstück"),
        ("snake_case", "Wort"),
        ("&copy; ACME", "© ACME"),
        ("a=1&b=2", "a=1 und b=2"),
    ] {
        assert_eq!(label(source, target), [], "{source} -> {target}");
    }
    for (source, target, missing, extra) in [
        ("&File", "Datei", &["&F"][..], &[][..]),
        ("&File", "&Da&tei", &[], &["&t"]),
        ("_Open", "Öffnen", &["_O"], &[]),
        ("Save\tCtrl+S", "Speichern", &["\tCtrl+S"], &[]),
    ] {
        let issues = label(source, target);
        assert_eq!(issues.len(), 1, "{issues:?}");
        assert_eq!(
            (issues[0].kind, &issues[0].missing, &issues[0].extra),
            (Accelerator, &owned(missing), &owned(extra))
        );
    }
}

#[test]
fn each_blank_at_an_edge_of_a_string_counts() {
    for (source, target, fixed) in [
        ("Name: ", "Name:", "Name: "),
        ("Name", " Name\n", "Name"),
        ("One\n  two", "Eins\nzwei", "Eins\n  zwei"),
        ("One\ntwo\n", "Eins zwei", "Eins zwei\n"),
    ] {
        let issues = label(source, target);
        assert_eq!(issues.len(), 1, "{issues:?}");
        assert_eq!(issues[0].kind, Spacing);
        assert_eq!(issues[0].suggestion.as_deref(), Some(fixed));
    }
    assert_eq!(label(" One\n", " Eins\n"), []);
    assert_eq!(label("   -v  version", "     -v  Version"), []);
}
