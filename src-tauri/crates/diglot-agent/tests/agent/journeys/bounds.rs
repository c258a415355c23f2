//! What is refused, and what stops a run.

use serde_json::json;

use super::{Journey, SHORT, after_reading};
use crate::acts::{Act, agent, approve, costly, cut, garbled, ls, quote, read, talk, unit};

pub(super) fn refusals() -> Vec<Journey> {
    let short = ("a.txt", SHORT);
    vec![
        Journey::new(
            "a_skip_is_refused_and_shown_when_insisted_on",
            short,
            after_reading([
                agent(&[unit("a.txt", 3, "Das Menü schließen.")]),
                agent(&[unit("a.txt", 3, "Das Menü schließen.")]),
                approve("a.txt", 3),
                agent(&[unit("a.txt", 4, "Warte.")]),
            ]),
        ),
        Journey::new(
            "a_structure_fault_goes_back_once",
            short,
            after_reading([
                agent(&[
                    unit("a.txt", 1, "Eins."),
                    unit("a.txt", 2, "Jetzt ausführen."),
                ]),
                approve("a.txt", 1),
                agent(&[unit("a.txt", 2, "Nun ausführen.")]),
                approve("a.txt", 2),
                Act::ApproveAnyway("a.txt", 2),
            ]),
        ),
        Journey::new(
            "refused_calls_say_why",
            short,
            vec![
                Act::Say("Translate this."),
                agent(&[
                    unit("a.txt", 1, "Eins."),
                    ("Delete", json!({"path": "a.txt"})),
                ]),
                agent(&[
                    read("a.txt"),
                    read("b.txt"),
                    read("/etc/passwd"),
                    read("../a.txt"),
                ]),
                agent(&[
                    unit("a.txt", 1, " "),
                    unit("a.txt", 9, "Neun."),
                    quote("a.txt", "Open the", "Öffne"),
                    quote("a.txt", "Nowhere to be found", "Nirgends"),
                    quote("a.txt", "Open the menu. Run `make` now.", "Beides"),
                    (
                        "Translate",
                        json!({"file_id": "a.txt", "unit": 1, "src_string": "Wait for me.", "translate_string": "x"}),
                    ),
                ]),
                agent(&[(
                    "Translate",
                    json!({"file_id": "a.txt", "translate_string": "x"}),
                )]),
                Act::Say("Mind the numbers."),
                agent(&[
                    unit("a.txt", 1, "Das Menü öffnen."),
                    unit("a.txt", 1, "Noch einmal."),
                ]),
                approve("a.txt", 1),
                agent(&[
                    unit("a.txt", 1, "Und wieder."),
                    unit("a.txt", 2, "Jetzt `make`."),
                ]),
            ],
        ),
    ]
}

pub(super) fn arguments() -> Vec<Journey> {
    let short = ("a.txt", SHORT);
    vec![
        Journey::new(
            "arguments_in_other_spellings_are_understood",
            short,
            vec![
                Act::Say("Translate this."),
                agent(&[("read", json!({"filePath": "./a.txt", "limit": "2"}))]),
                agent(&[
                    (
                        "translate",
                        json!({"path": "a.txt", "unit_id": "1", "translation": "Eins."}),
                    ),
                    (
                        "Translate",
                        json!({"fileId": "a.txt", "srcString": "Run  `make`\nnow.", "target": "Jetzt `make`."}),
                    ),
                ]),
            ],
        ),
        Journey::new(
            "garbled_arguments_are_refused",
            short,
            after_reading([
                garbled(
                    "Translate",
                    "{\"file_id\": \"a.txt\", \"unit\": 1, \"translate",
                ),
                agent(&[
                    ("Translate", json!(["a.txt", 1, "Eins."])),
                    ("Ask", json!({"question": " "})),
                ]),
                agent(&[("LS", json!({"path": 7})), ("Read", json!({}))]),
                agent(&[unit("a.txt", 1, "Eins.")]),
            ]),
        ),
        Journey::new(
            "a_reply_that_is_cut_or_empty_leaves_nothing",
            short,
            after_reading([
                cut(&[unit("a.txt", 1, "Das Me")]),
                talk(" "),
                agent(&[unit("a.txt", 1, "Das Menü öffnen.")]),
            ]),
        ),
    ]
}

pub(super) fn limits() -> Vec<Journey> {
    let short = ("a.txt", SHORT);
    let lists = (0..13).map(|n| agent(&[("LS", json!({"path": ".", "try": n}))]));
    vec![
        Journey::new(
            "identical_calls_stop_the_run_across_turns_and_restarts",
            short,
            vec![
                Act::Say("Translate this."),
                agent(&[ls(".")]),
                agent(&[("ls", json!({"path": "."}))]),
                Act::Restart,
                agent(&[ls(".")]),
                Act::Restart,
                agent(&[ls(".")]),
                Act::Say("Go on."),
                agent(&[ls(".")]),
            ],
        ),
        Journey::new(
            "steps_without_a_decision_stop_the_run",
            short,
            std::iter::once(Act::Say("Translate this."))
                .chain(lists)
                .collect(),
        ),
        Journey::new(
            "refused_turns_give_the_person_the_turn",
            short,
            after_reading([
                agent(&[unit("a.txt", 9, "a")]),
                agent(&[unit("a.txt", 9, "b")]),
                agent(&[unit("a.txt", 9, "c")]),
                Act::Restart,
                Act::Say("Mind the numbers."),
                agent(&[unit("a.txt", 1, "Eins.")]),
            ]),
        ),
        Journey::new(
            "a_token_cap_stops_the_run",
            short,
            vec![
                Act::Say("Translate this."),
                costly(400, &[read("a.txt")]),
                costly(700, &[unit("a.txt", 1, "Eins.")]),
                approve("a.txt", 1),
                talk("?"),
            ],
        )
        .set(|settings| settings.token_cap = Some(1_000)),
        Journey::new(
            "identical_calls_for_repeated_paragraphs_are_no_loop",
            ("a.txt", "Note.|Note.|Note.|Note."),
            after_reading([
                agent(&[
                    quote("a.txt", "Note.", "Hinweis."),
                    quote("a.txt", "Note.", "Hinweis."),
                    quote("a.txt", "Note.", "Hinweis."),
                ]),
                approve("a.txt", 2),
                approve("a.txt", 1),
                approve("a.txt", 3),
                agent(&[quote("a.txt", "Note.", "Hinweis.")]),
            ]),
        ),
    ]
}
