//! Tests of numbers and of the doubts about content.

use super::super::IssueKind::{
    Commentary, Echo, Language, Length, NoDraft, Number, Refusal, Repetition, Truncated,
};
use super::*;

#[test]
fn numbers_are_compared_by_value() {
    let tank = "The tank holds 3,407,218 litres.";
    good("en>de", tank, "Der Tank fasst 3.407.218 Liter.");
    names(
        tank,
        "Der Tank fasst 3.407,18 Liter.",
        Number,
        &["3,407,218"],
        &["3.407,18"],
    );
    good(
        "en>de",
        "Tolerance is 0.5 mm.",
        "Die Toleranz beträgt 0,5 mm.",
    );
    names(
        "Tolerance is 0.5 mm.",
        "Die Toleranz beträgt 5 mm.",
        Number,
        &["0.5"],
        &["5"],
    );
    let count = "On 2024-05-01 at 10:30 we counted 518370 units.";
    names(
        count,
        "Am 2024-05-01 um 10:30 zählten wir 51870 Einheiten.",
        Number,
        &["518370"],
        &["51870"],
    );
    good(
        "en>de",
        count,
        "Am 01.05.2024 um 10:30 Uhr zählten wir 518 370 Einheiten.",
    );
}

#[test]
fn numbers_follow_the_language() {
    good(
        "en>de",
        "It costs 1,234.5 euros.",
        "Es kostet 1.234,5 Euro.",
    );
    good(
        "en>fr",
        "It costs 1,234.5 euros.",
        "Cela coûte 1 234,5 euros.",
    );
    good(
        "en>hi",
        "The tank holds 250 litres.",
        "टंकी में २५० लीटर आता है।",
    );
    good(
        "en>ar",
        "The tank holds 1,234.5 litres.",
        "يتسع الخزان لمقدار ١٬٢٣٤٫٥ لتر.",
    );
    good(
        "en>ja",
        "Press button 3 on May 1, 2024.",
        "2024年5月1日にボタン３を押してください。",
    );
    good(
        "en>zh",
        "More than 1.5 million people came.",
        "超过150万人来了。",
    );
    good(
        "en>de",
        "Open three files at 2:30 pm.",
        "Öffnen Sie um 14.30 Uhr 3 Dateien.",
    );
    good(
        "en>de",
        "Replace both seals after 2 years.",
        "Ersetzen Sie beide Dichtungen nach zwei Jahren.",
    );
    good("en>de", "Due on May 1, 2024.", "Fällig am 01.05.2024.");
    names(
        "Wait 3 minutes.",
        "Warten Sie 4 Minuten.",
        Number,
        &["3"],
        &["4"],
    );
    names(
        "Press button 3 now.",
        "Drücken Sie jetzt den Knopf.",
        Number,
        &["3"],
        &[],
    );
    names(
        "Use version 1.2.3 here.",
        "Verwenden Sie hier Version 1.2.4.",
        Number,
        &["1.2.3"],
        &["1.2.4"],
    );
}

#[test]
fn commentary_is_flagged_with_the_cleaned_text() {
    let clean = "Füllen Sie den Tank vor dem ersten Start.";
    for target in [
        "Gerne! Hier ist die deutsche Übersetzung:\n\nFüllen Sie den Tank vor dem ersten Start.",
        "Here is the translation:\nFüllen Sie den Tank vor dem ersten Start.",
        "Translation: Füllen Sie den Tank vor dem ersten Start.",
        "Sure!\n\nFüllen Sie den Tank vor dem ersten Start.",
        "Füllen Sie den Tank vor dem ersten Start.\n\n(Anmerkung: „Start“ ist hier üblich.)",
        "Füllen Sie den Tank vor dem ersten Start. [Note: formal address]",
        "Füllen Sie den Tank vor dem ersten Start.\n\nTranslator's note: formal address.",
        "„Füllen Sie den Tank vor dem ersten Start.“",
        "\"Füllen Sie den Tank vor dem ersten Start.\"",
    ] {
        let issues = run("en>de", "Fill the tank before the first run.", target);
        assert_eq!(issues.len(), 1, "{target:?} {issues:?}");
        assert_eq!(issues[0].kind, Commentary);
        assert_eq!(issues[0].severity, Severity::Warning);
        assert_eq!(issues[0].suggestion.as_deref(), Some(clean));
    }
    good("en>de", "Note: wear gloves.", "Hinweis: Handschuhe tragen.");
}

#[test]
fn a_refusal_is_no_translation_unless_the_source_refuses() {
    bad(
        "The guard struck him with a stick.",
        "Ich kann diesen Inhalt leider nicht übersetzen.",
        &[Refusal],
    );
    bad(
        "The guard struck him with a stick.",
        "I'm sorry, but I can't assist with that request.",
        &[Refusal],
    );
    good(
        "en>de",
        "“I cannot help you,” she said.",
        "„Ich kann dir nicht helfen“, sagte sie.",
    );
    good(
        "en>de",
        "I'm sorry, but I cannot help you.",
        "Es tut mir leid, aber ich kann Ihnen nicht helfen.",
    );
}

#[test]
fn an_echo_is_prose_left_as_it_was() {
    bad(
        "Call the service line if the red lamp stays on.",
        "Call the service line if the red lamp stays on.",
        &[Echo],
    );
    good("en>de", "Visual Studio Code", "Visual Studio Code");
    good(
        "en>de",
        "`cargo test --all` and `go`",
        "`cargo test --all` and `go`",
    );
    good(
        "en>en-GB",
        "Call the service line if it stays on.",
        "Call the service line if it stays on.",
    );
    let issues = run(
        "ja>en",
        "赤いランプが点灯したままの場合",
        "赤いランプが点灯したままの場合",
    );
    assert_eq!(issues[0].kind, Echo);
}

#[test]
fn another_language_is_noticed() {
    let source = "Call the service line if the red lamp stays on after you have filled the tank and closed the cover.";
    bad(
        source,
        "Please ring up the customer hotline whenever that crimson light remains lit following your refill of this container.",
        &[Language],
    );
    bad(
        source,
        "Appelez le service après-vente si le voyant rouge reste allumé après que vous avez rempli le réservoir et fermé le couvercle de la pompe.",
        &[Language],
    );
    let issues = run(
        "en>ru",
        "Open the cover and wait.",
        "Öffnen Sie den Deckel und warten.",
    );
    assert_eq!(issues[0].kind, Language);
    let issues = run(
        "en>ja",
        source,
        "如果加满水箱并关闭盖子后红灯仍然亮着，请拨打服务热线联系我们的客户服务人员。",
    );
    assert_eq!(issues[0].kind, Language);
}

#[test]
fn a_cut_text_is_noticed() {
    let source = "Call the service line if the red lamp stays on.";
    bad(
        source,
        "Rufen Sie den Kundendienst, wenn die ro",
        &[Truncated],
    );
    bad(source, "Rufen Sie den Kundendienst,", &[Truncated]);
    bad(source, "Rufen Sie den Kundendienst …", &[Truncated]);
    good(
        "en>de",
        source,
        "Rufen Sie den Kundendienst, wenn die rote Lampe anbleibt.",
    );
    good("en>de", "See [the page](p.md).", "Siehe [die Seite](p.md).");
}

#[test]
fn a_loop_is_noticed() {
    let target = format!(
        "Lassen Sie die Pumpe nicht trocken laufen,{} nicht ",
        " nicht trocken laufen,".repeat(60)
    );
    let issues = run("en>de", "Do not run the pump dry.", &target);
    assert_eq!(issues.len(), 1, "{issues:?}");
    assert_eq!(
        (issues[0].kind, &issues[0].extra[..]),
        (Repetition, &owned(&["nicht trocken laufen"])[..])
    );
    bad(
        "Fill the tank. Close the lid. Start the pump.",
        "Füllen Sie den Tank. Gut. Füllen Sie den Tank. Ja. Füllen Sie den Tank.",
        &[Repetition],
    );
}

#[test]
fn an_odd_length_is_noticed() {
    bad(
        "Fill the tank before the first run, then close the lid and wait until the lamp is green.",
        "Füllen Sie den Tank.",
        &[Length],
    );
}

#[test]
fn no_text_is_no_draft_and_nothing_else() {
    bad("Fill the **tank** with 5 litres.", " \n", &[NoDraft]);
}
