//! How work goes on: listing, reading, drafting, from file to file.

use serde_json::json;

use super::{Journey, SHORT, after_reading, four};
use crate::acts::{Act, agent, approve, ls, page, read, refine, reject, talk, unit};

pub(super) fn work() -> Vec<Journey> {
    let short = ("a.txt", SHORT);
    vec![
        Journey::new(
            "list_read_draft_decide_in_any_order",
            short,
            vec![
                Act::Say("Translate this into German."),
                agent(&[ls(".")]),
                agent(&[read("a.txt")]),
                four(),
                approve("a.txt", 3),
                refine("a.txt", 1, "Öffnen Sie das Menü."),
                Act::Restart,
                reject("a.txt", 2, "make stands first"),
                approve("a.txt", 4),
                agent(&[unit("a.txt", 2, "`make` jetzt ausführen.")]),
                approve("a.txt", 2),
                talk("All units are confirmed."),
            ],
        ),
        Journey::new(
            "a_rejected_unit_is_drafted_next_and_makes_no_later_one_a_skip",
            short,
            after_reading([
                agent(&[unit("a.txt", 1, "Eins."), unit("a.txt", 2, "Jetzt `make`.")]),
                reject("a.txt", 1, "too short"),
                approve("a.txt", 2),
                agent(&[
                    unit("a.txt", 3, "Drei."),
                    unit("a.txt", 1, "Öffne das Menü."),
                ]),
            ]),
        ),
        Journey::new(
            "a_message_sets_open_drafts_aside",
            short,
            after_reading([
                four(),
                approve("a.txt", 1),
                Act::Say("Say du."),
                agent(&[unit("a.txt", 2, "Führ jetzt `make` aus.")]),
            ]),
        ),
        Journey::new(
            "the_model_cannot_declare_it_finished",
            short,
            vec![
                Act::Say("Translate this."),
                agent(&[ls("."), read("a.txt")]),
                talk("Everything is translated."),
                Act::Say("It is not."),
                four(),
                approve("a.txt", 1),
                approve("a.txt", 2),
                approve("a.txt", 3),
                approve("a.txt", 4),
                talk("Done."),
            ],
        ),
        Journey::new(
            "a_new_chunk_after_so_many_confirmed_units",
            ("a.txt", "One.|Two.|Three.|Four.|Five.|Six."),
            after_reading([
                agent(&[unit("a.txt", 1, "Eins."), unit("a.txt", 2, "Zwei.")]),
                approve("a.txt", 1),
                approve("a.txt", 2),
                agent(&[unit("a.txt", 3, "Drei."), unit("a.txt", 4, "Vier.")]),
                approve("a.txt", 3),
                reject("a.txt", 4, "no"),
                agent(&[unit("a.txt", 4, "Vier!"), unit("a.txt", 5, "Fünf.")]),
                approve("a.txt", 5),
                approve("a.txt", 4),
                agent(&[unit("a.txt", 6, "Sechs.")]),
            ]),
        )
        .set(|settings| settings.chunk_units = 2),
    ]
}

pub(super) fn folders() -> Vec<Journey> {
    vec![
        Journey::new(
            "several_files_one_after_the_other",
            ("a.txt", "One."),
            vec![
                Act::Say("Translate all."),
                agent(&[ls(".")]),
                agent(&[read("a.txt"), read("b/c.txt")]),
                agent(&[unit("a.txt", 1, "Eins.")]),
                approve("a.txt", 1),
                agent(&[unit("b/c.txt", 1, "Zwei."), unit("b/c.txt", 2, "Drei.")]),
                approve("b/c.txt", 1),
                agent(&[read("b/c.txt")]),
                approve("b/c.txt", 2),
                agent(&[read("b/c.txt"), page("b/c.txt", 2)]),
                agent(&[read("d.txt")]),
                agent(&[unit("d.txt", 1, "Vier.")]),
                approve("d.txt", 1),
                talk("Done."),
            ],
        )
        .file("b/c.txt", "Two.|Three.")
        .file("d.txt", "Four."),
        Journey::new(
            "two_files_with_the_same_bytes",
            ("a.txt", "Same."),
            vec![
                Act::Say("Translate all."),
                agent(&[read("a.txt"), read("b.txt")]),
                Act::Restart,
                agent(&[unit("a.txt", 1, "Gleich."), unit("b.txt", 1, "Gleich.")]),
            ],
        )
        .file("b.txt", "Same."),
        Journey::new(
            "ignored_names_are_no_less_to_be_done",
            ("a.txt", "One."),
            vec![
                Act::Say("Translate all."),
                agent(&[("LS", json!({"path": ".", "ignore": ["b.txt", "c"]}))]),
                agent(&[read("a.txt")]),
                agent(&[unit("a.txt", 1, "Eins.")]),
                approve("a.txt", 1),
                talk("Done."),
            ],
        )
        .file("b.txt", "Two.")
        .file("c/d.txt", "Three."),
        Journey::new(
            "names_with_odd_characters_are_found_as_listed",
            ("a:b.txt", "One."),
            vec![
                Act::Say("Translate all."),
                agent(&[ls(".")]),
                agent(&[
                    read("a:b.txt"),
                    read("~c\\d.txt"),
                    read("e\u{301}.txt"),
                    read("nothing.txt"),
                ]),
            ],
        )
        .file("~c\\d.txt", "Two.")
        .file("\u{e9}.txt", "Three."),
        Journey::new(
            "an_empty_document_is_read_and_done",
            ("a.txt", ""),
            vec![
                Act::Say("Translate all."),
                agent(&[ls(".")]),
                agent(&[read("a.txt")]),
                talk("Nothing to translate."),
            ],
        ),
    ]
}
