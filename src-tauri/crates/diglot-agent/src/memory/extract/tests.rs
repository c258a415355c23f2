use diglot_document::LanguageTag;

use super::*;
use crate::entry::SessionId;
use crate::message::CallId;

fn evidence(source: &str, draft: &str, target: Option<&str>, reason: Option<&str>) -> Evidence {
    Evidence {
        session: SessionId(1),
        call_id: CallId::from_text("000000100"),
        source: source.to_owned(),
        draft: draft.to_owned(),
        target: target.map(str::to_owned),
        reason: reason.map(str::to_owned),
        at: 1,
        fault: None,
        marked: None,
    }
}

fn style(text: &str) -> MemoryOp {
    MemoryOp::Add {
        kind: MemoryKind::Style,
        text: text.to_owned(),
        term: None,
        wording: None,
    }
}

/// What is read of an answer, and how many of its operations are bad; `None` when nothing is.
fn check(answer: &str, expected: Option<(&[MemoryOp], usize)>) {
    let found = read_answer(answer).ok();
    let found = found.map(|(good, bad)| (good, bad.len()));
    let expected = expected.map(|(good, n_bad)| (good.to_vec(), n_bad));
    assert_eq!(found, expected, "{answer}");
}

#[test]
fn answers_are_read_in_every_form_that_models_give_them() {
    let good = [style("Be brief")];
    let op = r#"{"action":"add","kind":"style","text":"Be brief"}"#;
    for answer in [
        format!(r#"{{"ops":[{op}]}}"#),
        format!(r#" {{"operations": [{op}]}} "#),
        format!("[{op}]"),
        op.to_owned(),
        format!("```json\n{{\"ops\": [{op}]}}\n```"),
        format!("```\n[{op}]\n```"),
        format!("Here is what I learnt:\n\n```json\n{{\"ops\": [{op}]}}\n```\nGood luck!"),
        format!("The lesson is {{\"ops\": [{op}]}}, I think."),
        op.replace(r#""kind":"style""#, r#""tags":["style"]"#),
        op.replace(r#""kind":"style""#, r#""tags":"style""#),
    ] {
        check(&answer, Some((&good, 0)));
    }
    for answer in ["[]", r#"{"ops": []}"#, "Nothing to learn: []"] {
        check(answer, Some((&[], 0)));
    }
}

#[test]
fn useless_answers_give_nothing() {
    for answer in [
        "",
        "The user prefers the word Tank. I will remember that!",
        r#"{"ops": [{"action": "add", "text": "bad \ud83d escape", "tags": []"#,
        r#"{"ops": "none"}"#,
        r#""add""#,
        "null",
        "7",
        "```json\n```",
    ] {
        check(answer, None);
    }
}

#[test]
fn bad_operations_are_told_and_the_good_ones_stand() {
    let good = style("Be brief");
    let id = MemoryId(3);
    check(
        r#"[{"action":"add","kind":"style","text":"Be brief"}, {"action":"none"}, {"action":"delete"},
            {"action":"update","id":"3","text":"Be short","term":null}]"#,
        Some((
            &[
                good.clone(),
                MemoryOp::Update {
                    id,
                    text: "Be short".to_owned(),
                    term: None,
                    wording: None,
                },
            ],
            2,
        )),
    );
    check(
        r#"[{"action":"add","kind":"mood","text":"x"}, {"action":"add","kind":"style"}, 7, {"action":"delete","id":3}]"#,
        Some((&[MemoryOp::Delete { id }], 3)),
    );
    let many = format!("[{}]", [r#"{"action":"delete","id":3}"#; 9].join(","));
    let taken = vec![MemoryOp::Delete { id }; OPS_TAKEN];
    check(&many, Some((&taken, 1)));
}

/// What the change alone teaches.
fn learnt(evidence: &Evidence) -> Vec<String> {
    let languages = LanguagePair {
        source: LanguageTag::parse("en").unwrap(),
        target: LanguageTag::parse("de").unwrap(),
    };
    let mut memory = Memory::default();
    let ops = from_change(evidence, &memory);
    let applied = memory.apply(ops, evidence, &languages);
    assert_eq!(applied.refused, Vec::<String>::new());
    let texts = memory.items.iter().map(|item| item.text.clone());
    texts.collect()
}

#[test]
fn a_short_unit_gives_a_term_and_one_changed_wording_a_rule() {
    for (source, draft, target, expected) in [
        (
            "Settings",
            "Einstellungen",
            "Optionen",
            "Translate “Settings” as “Optionen”",
        ),
        (
            "Open the settings before you print a page.",
            "Öffne die Einstellungen, bevor du eine Seite druckst.",
            "Öffne die Optionen, bevor du eine Seite druckst.",
            "Write “Optionen”, not “Einstellungen”",
        ),
        (
            "设置：",
            "Einstellung:",
            "Einstellungen:",
            "Translate “设置” as “Einstellungen”",
        ),
        (
            "Open the settings before you print a page.",
            "在打印页面之前打开设定，然后再次检查所有内容。",
            "在打印页面之前打开选项，然后再次检查所有内容。",
            "Write “选项”, not “设定”",
        ),
    ] {
        let found = learnt(&evidence(source, draft, Some(target), None));
        assert_eq!(found, [expected], "{source}");
    }
}

#[test]
fn much_changed_texts_teach_nothing() {
    for (draft, target) in [
        (
            "Öffne die Einstellungen der Anwendung.",
            "Geh in die Optionen des Programms!",
        ),
        (
            "Eins, zwei und drei sind Zahlen.",
            "Eins, zwei und drei sind Zahlen!",
        ),
        // One sign of a word is no wording.
        (
            "在打印页面之前打开设定，然后再次检查。",
            "在打印页面之前打开设置，然后再次检查。",
        ),
    ] {
        let source = "Open the settings of the application now.";
        assert_eq!(
            learnt(&evidence(source, draft, Some(target), None)),
            Vec::<String>::new()
        );
    }
}

#[test]
fn a_reason_is_taken_word_for_word_where_it_can_be_an_item() {
    let reason = |reason: &str| evidence("One.", "Eins.", None, Some(reason));
    assert_eq!(learnt(&reason(" Say du. ")), ["Say du."]);
    for long in ["x".repeat(121), "see https://example.org".to_owned()] {
        assert_eq!(learnt(&reason(&long)), Vec::<String>::new());
    }
}

#[test]
fn a_draft_that_ran_away_is_shown_in_part() {
    let long = "la ".repeat(300_000);
    for (target, reason) in [(Some("Kurz."), None), (None, Some("too long"))] {
        let evidence = evidence("Short.", &long, target, reason);
        let text = decision_text(&evidence, &[], &Memory::default());
        assert!(text.len() < 3 * PART_BYTES, "{}", text.len());
        assert!(text.contains("la …") || text.contains("la…"), "no mark");
    }
}
