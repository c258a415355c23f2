//! What a person decides, what changes on disk meanwhile, and what is learnt.

use diglot_agent::Decision;
use serde_json::json;

use super::{Journey, SHORT, after_reading, four};
use crate::acts::{Act, agent, answer, approve, ask, read, refine, refinement, reject, talk, unit};

pub(super) fn decisions() -> Vec<Journey> {
    let short = ("a.txt", SHORT);
    vec![Journey::new(
        "decisions_are_taken_once_and_by_comparing_texts",
        short,
        after_reading([
            four(),
            Act::Stray,
            refine("a.txt", 1, "Das Menü öffnen."),
            Act::Again(Decision::Approve),
            Act::Again(refinement("Das Menü öffnen.")),
            Act::Again(refinement("Anders.")),
            reject("a.txt", 2, " "),
            refine("a.txt", 2, " "),
            Act::Decide(
                "a.txt",
                2,
                Decision::Answer {
                    choice: None,
                    text: Some("x".into()),
                },
            ),
            Act::Restart,
            Act::Again(Decision::Approve),
            refine("a.txt", 2, "Nun `make` ausführen."),
            Act::Again(refinement("Nun `make` ausführen.")),
            Act::Say("Stop."),
            approve("a.txt", 3),
        ]),
    )]
}

pub(super) fn set_aside() -> Vec<Journey> {
    let short = ("a.txt", SHORT);
    vec![
        Journey::new(
            "units_set_aside_are_taken_up_again_with_the_next_message",
            short,
            after_reading([
                four(),
                Act::Decide("a.txt", 1, Decision::Cancel),
                approve("a.txt", 2),
                approve("a.txt", 3),
                approve("a.txt", 4),
                talk("The rest is with you."),
                Act::Say("Go on."),
                agent(&[unit("a.txt", 1, "Öffne das Menü.")]),
            ]),
        ),
        Journey::new(
            "an_open_unit_can_be_skipped_and_typed_by_hand",
            short,
            after_reading([
                Act::Skip("a.txt", 1),
                agent(&[unit("a.txt", 2, "Jetzt `make`.")]),
                Act::Revise("a.txt", 1, "Menü auf."),
                Act::Revise("a.txt", 1, "Menü öffnen."),
                Act::Skip("a.txt", 1),
                approve("a.txt", 2),
                Act::Skip("a.txt", 3),
                Act::Skip("a.txt", 4),
                talk("Nothing is left for me."),
            ]),
        ),
        Journey::new(
            "questions_are_answered_or_closed_one_by_one",
            short,
            after_reading([
                agent(&[ask("Du or Sie?", &["du", "Sie"]), ask("Which tone?", &[])]),
                Act::Reply(Decision::Approve),
                answer(None, Some(" ")),
                answer(Some("du"), None),
                Act::Restart,
                Act::Again(Decision::Cancel),
                Act::Reply(Decision::Cancel),
                agent(&[unit("a.txt", 1, "Öffne das Menü.")]),
            ]),
        ),
        Journey::new(
            "a_unit_left_to_the_person_cannot_be_approved_empty",
            short,
            after_reading([
                agent(&[(
                    "Translate",
                    json!({"file_id": "a.txt", "unit": 1, "translate_string": "", "no_draft": true}),
                )]),
                approve("a.txt", 1),
                refine("a.txt", 1, "Öffne das Menü."),
            ]),
        ),
    ]
}

pub(super) fn sources() -> Vec<Journey> {
    let short = ("a.txt", SHORT);
    vec![
        Journey::new(
            "a_changed_source_keeps_what_is_confirmed_and_ends_open_drafts",
            short,
            after_reading([
                four(),
                approve("a.txt", 1),
                refine("a.txt", 3, "Menü zu."),
                Act::Write(
                    "a.txt",
                    "A new start.\n\nOpen the menu.\n\nClose the menu.\n\nWait for me.\n",
                ),
                approve("a.txt", 4),
                agent(&[unit("a.txt", 1, "Ein Anfang.")]),
                Act::Restart,
            ]),
        ),
        Journey::new(
            "a_draft_for_a_changed_source_is_withdrawn_by_reading_it_anew",
            short,
            after_reading([
                agent(&[unit("a.txt", 1, "Eins.")]),
                approve("a.txt", 1),
                Act::Write("a.txt", "Open the menu.\n\nAnother one.\n"),
                agent(&[
                    unit("a.txt", 2, "Jetzt `make`."),
                    read("a.txt"),
                    read("a.txt"),
                ]),
                agent(&[unit("a.txt", 2, "Ein anderer.")]),
            ]),
        ),
        Journey::new(
            "a_source_that_changed_to_what_is_confirmed_leaves_nothing_to_do",
            short,
            after_reading([
                four(),
                approve("a.txt", 1),
                approve("a.txt", 3),
                Act::Write("a.txt", "Open the menu.\n\nClose the menu.\n"),
                Act::Notice("a.txt"),
                talk("Nothing is left."),
            ]),
        ),
        Journey::new(
            "a_source_that_grew_and_one_that_is_gone",
            short,
            after_reading([
                agent(&[unit("a.txt", 1, "Eins.")]),
                approve("a.txt", 1),
                Act::Write("a.txt", "\n"),
                Act::Notice("a.txt"),
                Act::Write("a.txt", "Open the menu.\n"),
                Act::Notice("a.txt"),
            ]),
        ),
        Journey::new(
            "another_encoding_is_another_text",
            ("a.txt", "Straße.|Plain."),
            after_reading([
                agent(&[unit("a.txt", 1, "Street."), unit("a.txt", 2, "Klar.")]),
                approve("a.txt", 2),
                Act::Encoding("a.txt", "windows-1252"),
                agent(&[unit("a.txt", 1, "Street.")]),
            ]),
        ),
    ]
}

pub(super) fn lessons() -> Vec<Journey> {
    let short = ("a.txt", SHORT);
    let add = r#"{"ops":[{"action":"add","kind":"style","text":"Use the imperative"}]}"#;
    vec![
        Journey::new(
            "single_decisions_teach_and_bulk_ones_do_not",
            short,
            after_reading([
                four(),
                Act::Bulk("a.txt", 1, Decision::Approve),
                Act::Bulk("a.txt", 2, refinement("Nun `make` ausführen.")),
                refine("a.txt", 3, "Schließe das Menü."),
                reject("a.txt", 4, "too stiff"),
            ]),
        )
        .lessons(&[add, add]),
        Journey::new(
            "the_change_alone_teaches_without_a_memory_model",
            short,
            after_reading([
                four(),
                refine("a.txt", 1, "Das Menü aufrufen."),
                refine("a.txt", 3, "Das Menü beenden."),
                reject("a.txt", 4, "say du"),
            ]),
        ),
        Journey::new(
            "useless_answers_of_the_memory_model_hold_nobody_up",
            short,
            after_reading([
                four(),
                refine("a.txt", 1, "Menü öffnen."),
                refine("a.txt", 3, "Menü schließen."),
                approve("a.txt", 2),
                approve("a.txt", 4),
                talk("Done."),
            ]),
        )
        .lessons(&["I will remember that!", r#"{"ops": [{"action": "add""#]),
        Journey::new(
            "memory_changes_inside_a_chunk_are_told_once",
            short,
            after_reading([
                agent(&[unit("a.txt", 1, "Eins.")]),
                approve("a.txt", 1),
                Act::Remember("Say du"),
                agent(&[unit("a.txt", 2, "Jetzt `make`.")]),
                approve("a.txt", 2),
                Act::Forget("Say du"),
                Act::Remember("Say du"),
                agent(&[unit("a.txt", 3, "Drei.")]),
                approve("a.txt", 3),
                Act::Forget("Say du"),
                agent(&[unit("a.txt", 4, "Vier.")]),
                Act::Restart,
                approve("a.txt", 4),
                talk("Done."),
            ]),
        ),
    ]
}
