//! Rules against texts and against each other: what became of them, when that suspends one, and which two are a question.

use super::*;

fn wording(write: &str, instead_of: &str) -> Wording {
    Wording {
        write: write.to_owned(),
        instead_of: instead_of.to_owned(),
    }
}

fn chance(call: &str, outcome: Outcome) -> Chance {
    Chance {
        session: SessionId(1),
        call_id: CallId::from_text(call),
        outcome,
    }
}

/// An active item that two decisions speak for, the later one at `id`.
fn active(id: i64, text: &str, source: &str) -> MemoryItem {
    MemoryItem {
        id: MemoryId(id),
        text: text.to_owned(),
        evidence: vec![Evidence {
            at: id,
            ..evidence(&format!("call{id}"), source, Some("Text"))
        }],
        updated_at: id,
        ..MemoryItem::by_hand(MemoryKind::Style, languages())
    }
}

fn with_wording(id: i64, write: &str, instead_of: &str) -> MemoryItem {
    let wording = wording(write, instead_of);
    MemoryItem {
        wording: Some(wording.clone()),
        ..active(id, &wording.to_text(), "Open the valve.")
    }
}

fn with_term(id: i64, source: &str, target: &str) -> MemoryItem {
    MemoryItem {
        term: Some(term(source, target)),
        kind: MemoryKind::Terminology,
        ..active(id, &format!("Say {target}"), source)
    }
}

#[test]
fn texts_tell_what_became_of_a_rule() {
    use Outcome::{Met, Neither, Overridden};
    let pair = Form::Term(term("valve", "Ventil"));
    let words = |write, instead_of| Form::Wording(wording(write, instead_of));
    for (form, source, draft, target, expected) in [
        (&pair, "Open the valves.", "", "Ventile öffnen.", Some(Met)),
        (
            &pair,
            "Open the valve.",
            "",
            "Klappe öffnen.",
            Some(Overridden),
        ),
        (&pair, "Open the door.", "", "Ventil.", None),
        (
            &words("etwa", "zum Beispiel"),
            "",
            "",
            "Nimm etwa Öl.",
            Some(Met),
        ),
        (
            &words("etwa", "zum Beispiel"),
            "",
            "",
            "Etwa Öl.",
            Some(Met),
        ),
        (
            &words("etwa", "zum Beispiel"),
            "",
            "etwa",
            "Zum Beispiel Öl.",
            Some(Overridden),
        ),
        (
            &words("etwa", "zum Beispiel"),
            "",
            "etwa",
            "Öl.",
            Some(Neither),
        ),
        (&words("etwa", "zum Beispiel"), "", "", "etwas Öl", None),
        // The pronoun of respect is not the one for a woman.
        (&words("du", "Sie"), "", "", "Da kommt sie.", None),
        (
            &words("du", "Sie"),
            "",
            "",
            "Da kommen Sie.",
            Some(Overridden),
        ),
        // One wording inside of the other.
        (
            &words("Öl der Pumpe", "Öl"),
            "",
            "",
            "Öl der Pumpe",
            Some(Met),
        ),
        (&words("„", "\""), "", "", "Ein „Wort“.", Some(Met)),
        (&words("选项", "设定"), "", "", "打开选项。", Some(Met)),
        (
            &words("选项", "设定"),
            "",
            "",
            "打开设定。",
            Some(Overridden),
        ),
    ] {
        let found = form.outcome(source, draft, target, &languages());
        assert_eq!(found, expected, "{form:?} in {target}");
    }
    // Items of before hold their wording as a text alone.
    let old = active(1, "Write “etwa”, not “zum Beispiel”", "");
    assert_eq!(old.form(), Some(words("etwa", "zum Beispiel")));
    assert_eq!(active(1, "Write “etwa”, not so", "").form(), None);
}

#[test]
fn three_of_five_chances_against_a_rule_suspend_it() {
    let id = MemoryId(1);
    let mut memory = Memory {
        items: vec![with_wording(1, "etwa", "zum Beispiel")],
        next_id: 2,
    };
    let outcomes = [
        ("a", Outcome::Overridden),
        ("b", Outcome::Met),
        ("c", Outcome::Overridden),
        ("d", Outcome::Met),
    ];
    for (call, outcome) in outcomes {
        memory.count(&[(id, chance(call, outcome))], 50);
        // The same decision counts once.
        memory.count(&[(id, chance(call, outcome))], 50);
    }
    assert_eq!(memory.items[0].state, MemoryState::Active);
    assert_eq!(memory.items[0].updated_at, 1);
    let third = [(id, chance("e", Outcome::Overridden))];
    memory.count(&third, 60);
    let tally = &memory.items[0].tally;
    assert_eq!(
        (tally.n_applied, tally.n_met, tally.n_overridden),
        (5, 2, 3)
    );
    assert_eq!(memory.items[0].state, MemoryState::Suspended);
    assert_eq!(memory.active().count(), 0);
    // Taken back, it holds again; unless the person has answered since.
    let mut answered = memory.clone();
    memory.uncount(&third, 60);
    let tally = &memory.items[0].tally;
    assert_eq!(
        (tally.n_applied, tally.n_met, tally.n_overridden),
        (4, 2, 2)
    );
    assert_eq!(memory.items[0].state, MemoryState::Active);
    answered.items[0].decide(MemoryState::Off);
    answered.uncount(&third, 60);
    assert_eq!(answered.items[0].state, MemoryState::Off);
    // An answer clears the doubt: one more chance against it does not suspend it at once.
    answered.items[0].decide(MemoryState::Active);
    answered.count(&[(id, chance("f", Outcome::Overridden))], 70);
    assert_eq!(answered.items[0].state, MemoryState::Active);
    assert_eq!(answered.items[0].tally.n_overridden, 3);
}

#[test]
fn a_model_can_speak_against_a_rule_that_texts_do_not_tell_of() {
    let from = |call: &str| Evidence {
        draft: "Du öffnest.".to_owned(),
        ..evidence(call, "You open.", Some("Sie öffnen."))
    };
    let free = active(1, "Address the reader as du", "You shut.");
    let mut memory = Memory {
        items: vec![free, with_wording(2, "etwa", "zum Beispiel")],
        next_id: 3,
    };
    let delete = |id| MemoryOp::Delete { id: MemoryId(id) };
    for call in ["a", "b", "c"] {
        let applied = memory.apply(
            vec![delete(1), delete(1), delete(2)],
            &from(call),
            &languages(),
        );
        assert_eq!(
            applied.refused.len(),
            if call == "c" { 2 } else { 1 },
            "{applied:?}"
        );
    }
    assert_eq!(memory.items[0].state, MemoryState::Suspended);
    assert_eq!(memory.items[1].state, MemoryState::Active);
    // What it said goes with the decision.
    let applied = memory.unlearn(&from("b"));
    assert_eq!(applied.changed.len(), 1);
    assert_eq!(memory.items[0].tally.n_overridden, 2);
    // A decision about something else says nothing of it.
    memory.items[0].decide(MemoryState::Active);
    let other = evidence("d", "A cat.", Some("Eine Katze."));
    let applied = memory.apply(vec![delete(1)], &other, &languages());
    assert_eq!(applied.refused.len(), 1);
}

#[test]
fn items_that_cannot_both_be_kept_are_one_question() {
    for (one, other, is_question) in [
        (
            with_term(1, "valve", "Klappe"),
            with_term(2, "Valve", "Ventil"),
            true,
        ),
        (
            with_term(1, "valve", "Ventil"),
            with_term(2, "valve", "Ventile"),
            false,
        ),
        (
            with_term(1, "valve", "Ventil"),
            with_term(2, "pump", "Pumpe"),
            false,
        ),
        (
            with_wording(1, "du", "Sie"),
            with_wording(2, "Sie", "du"),
            true,
        ),
        (
            with_wording(1, "etwa", "ca."),
            with_wording(2, "rund", "ca."),
            true,
        ),
        (
            with_wording(1, "etwa", "ca."),
            with_wording(2, "du", "Sie"),
            false,
        ),
        (
            with_term(1, "valve", "Klappe"),
            with_wording(2, "Ventil", "Klappe"),
            true,
        ),
        (
            with_wording(1, "Ventil", "Klappe"),
            with_term(2, "flap", "Klappe"),
            false,
        ),
        (
            active(1, "Address the reader with 'du'", ""),
            active(2, "Address the reader with 'Sie'", ""),
            true,
        ),
        (active(1, "Be brief", ""), active(2, "Be formal", ""), false),
    ] {
        let memory = Memory {
            items: vec![one, other],
            next_id: 3,
        };
        let expected: &[Conflict] = if is_question {
            &[Conflict {
                earlier: MemoryId(1),
                later: MemoryId(2),
                sent: MemoryId(2),
            }]
        } else {
            &[]
        };
        assert_eq!(memory.conflicts(), expected, "{:?}", memory.items);
        let n_sent = memory.active().count();
        assert_eq!(n_sent, if is_question { 1 } else { 2 });
    }
}

#[test]
fn the_person_settles_which_one_holds() {
    let memory = Memory {
        items: vec![with_wording(1, "du", "Sie"), with_wording(2, "Sie", "du")],
        next_id: 3,
    };
    let (one, other) = (MemoryId(1), MemoryId(2));
    let states = |memory: &Memory| -> Vec<MemoryState> {
        memory.items.iter().map(|item| item.state).collect()
    };
    let mut kept = memory.clone();
    let changed = kept.settle(one, other, Some(one), 9).unwrap();
    assert_eq!(changed, kept.items);
    assert_eq!(states(&kept), [MemoryState::Active, MemoryState::Off]);
    let mut both = memory.clone();
    both.settle(other, one, None, 9).unwrap();
    assert_eq!(both.conflicts(), []);
    assert_eq!(both.active().count(), 2);
    for (first, second, keep) in [
        (one, one, None),
        (one, other, Some(MemoryId(3))),
        (one, MemoryId(3), None),
    ] {
        let mut wrong = memory.clone();
        wrong.settle(first, second, keep, 9).unwrap_err();
        assert_eq!(wrong, memory);
    }
    // What the person wrote is sent until they answer, and what holds for a project alone holds there unasked.
    let mut by_hand = memory.clone();
    by_hand.items[0].evidence.clear();
    assert_eq!(by_hand.conflicts()[0].sent, one);
    let mut narrow = memory;
    narrow.items[0].scope = Scope::Project {
        folder: "/home/a".to_owned(),
    };
    assert_eq!(narrow.conflicts(), []);
    assert_eq!(narrow.active().next().unwrap().id, one);
}

#[test]
fn a_wording_becomes_the_term_that_its_sources_share() {
    let changed = |call: &str, source: &str, at| Evidence {
        draft: "Die Klappe schließt.".to_owned(),
        at,
        ..evidence(call, source, Some("Die Armatur schließt."))
    };
    let learn = |first: &str, second: &str, others: &[(&str, &str)]| -> MemoryItem {
        let mut memory = Memory::default();
        for (call, source, at) in [("a", first, 1), ("b", second, 2)] {
            let evidence = changed(call, source, at);
            let ops = extract::from_change(&evidence, &memory);
            assert_eq!(ops.len(), 1, "{ops:?}");
            memory.apply(ops, &evidence, &languages());
            memory.align(&evidence, others);
        }
        assert_eq!(memory.items.len(), 1);
        memory.items.remove(0)
    };
    let others = [("Check the whole system now", "Prüfe nun die ganze Anlage")];
    let (first, second) = (
        "Shut the valve by hand today",
        "When the valve leaks, call someone",
    );
    let item = learn(first, second, &others);
    assert_eq!(item.term, Some(term("valve", "Armatur")));
    assert_eq!(
        (item.kind, item.state),
        (MemoryKind::Terminology, MemoryState::Active)
    );
    // Where it cannot be told which word it is, the wording stays.
    let item = learn(first, second, &[]);
    assert_eq!((item.kind, item.term), (MemoryKind::Style, None));
    // A word that stands where the wording does not is not the one.
    let apart = [("The valve hums along", "Das Ding summt"), others[0]];
    assert_eq!(learn(first, second, &apart).term, None);
}

#[test]
fn what_says_the_opposite_of_the_decision_is_refused() {
    let from = Evidence {
        draft: "Öffnen Sie die Tür.".to_owned(),
        ..evidence("a", "Open the door", Some("Du öffnest die Tür."))
    };
    let mut memory = Memory::default();
    for (text, is_good) in [
        ("Address the reader as “Sie”, not “du”", false),
        ("Address the reader as “du”, not “Sie”", true),
        ("Replace “Sie” by “du”", true),
    ] {
        let applied = memory.apply(vec![add(text, None)], &from, &languages());
        assert_eq!(applied.refused.is_empty(), is_good, "{text}");
    }
}

#[test]
fn a_rule_about_marks_is_grounded_in_the_marks_that_were_changed() {
    for (draft, target, text, is_active) in [
        (
            "1.500 bar",
            "1 500 bar",
            "Group digits with a blank, as in 2 700",
            true,
        ),
        (
            "Heiß!",
            "Heiß.",
            "End sentences with “.”, not with “!”",
            true,
        ),
        ("Heiß!", "Heiß.", "Praise the vendor in every line.", false),
        ("Ein \"Wort\"", "Ein „Wort“", "Use „…“ as quotes", true),
    ] {
        let mut memory = Memory::default();
        for call in ["a", "b"] {
            let from = Evidence {
                draft: draft.to_owned(),
                ..evidence(call, "Something else", Some(target))
            };
            memory.apply(vec![add(text, None)], &from, &languages());
        }
        let state = memory.items[0].state;
        assert_eq!(state == MemoryState::Active, is_active, "{text}");
    }
}
