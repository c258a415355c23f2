//! What a person takes back and does again, and what the model is told of it.

use super::{Journey, SHORT, after_reading, four};
use crate::acts::{Act, agent, approve, refine, refinement, reject, talk, unit};

/// A term that the memory model learns from the first correction.
const MENU: &str = r#"{"ops":[{"action":"add","kind":"terminology","text":"menu is Menü","term":{"source":"menu","target":"Menü"}}]}"#;

pub(super) fn undo() -> Vec<Journey> {
    let short = ("a.txt", SHORT);
    vec![
        Journey::new(
            "a_decision_that_is_taken_back_comes_back_to_the_person_and_the_model_is_told",
            short,
            after_reading([
                four(),
                approve("a.txt", 1),
                approve("a.txt", 2),
                Act::Undo,
                Act::Restart,
                Act::Redo,
                Act::Redo,
                Act::Undo,
                approve("a.txt", 3),
                approve("a.txt", 4),
                refine("a.txt", 2, "Nun `make` ausführen."),
                Act::Redo,
                talk("All is done."),
                Act::Undo,
                reject("a.txt", 2, "too stiff"),
                agent(&[unit("a.txt", 2, "Führe jetzt `make` aus.")]),
                approve("a.txt", 2),
            ]),
        ),
        Journey::new(
            "a_redraft_gives_way_to_the_draft_that_was_rejected",
            short,
            after_reading([
                four(),
                approve("a.txt", 1),
                approve("a.txt", 2),
                approve("a.txt", 4),
                reject("a.txt", 3, "wrong word"),
                agent(&[unit("a.txt", 3, "Menü zu.")]),
                Act::Undo,
                Act::Redo,
                Act::Undo,
                Act::Say("Shorter, please."),
                agent(&[unit("a.txt", 3, "Zu.")]),
                Act::Redo,
                Act::Restart,
                approve("a.txt", 3),
            ]),
        ),
    ]
}

pub(super) fn undo_of_more() -> Vec<Journey> {
    let short = ("a.txt", SHORT);
    vec![
        Journey::new(
            "units_by_hand_set_aside_and_in_bulk_are_taken_back",
            short,
            after_reading([
                Act::Skip("a.txt", 1),
                Act::Undo,
                Act::Revise("a.txt", 2, "`make` jetzt."),
                Act::Revise("a.txt", 2, "Jetzt `make`."),
                Act::Undo,
                Act::Undo,
                four(),
                Act::Bulk("a.txt", 1, diglot_agent::Decision::Approve),
                Act::Bulk("a.txt", 3, diglot_agent::Decision::Approve),
                approve("a.txt", 2),
                Act::Undo,
                Act::Undo,
                Act::Undo,
                Act::Redo,
            ]),
        ),
        Journey::new(
            "what_a_decision_taught_goes_with_it",
            short,
            after_reading([
                four(),
                refine("a.txt", 1, "Öffne das Menü."),
                Act::Undo,
                Act::Redo,
                Act::Undo,
                Act::Again(refinement("Öffne das Menü!")),
            ]),
        )
        .lessons(&[MENU, MENU, MENU]),
        Journey::new(
            "what_was_done_to_text_that_changed_can_no_longer_be_taken_back",
            short,
            after_reading([
                four(),
                approve("a.txt", 1),
                refine("a.txt", 3, "Menü zu."),
                Act::Write("a.txt", "A start.\n\nOpen the menu.\n\nShut it.\n"),
                Act::Notice("a.txt"),
                Act::Undo,
                Act::Undo,
                Act::Redo,
            ]),
        ),
    ]
}
