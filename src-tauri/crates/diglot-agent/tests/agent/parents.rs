//! What the two programs that Diglot comes from leave open, each as a test of its own: a decision that is lost, asked for again or
//! taken twice, a session that no step moves any more, a conversation that no provider takes.

use diglot_agent::context::Plan;
use diglot_agent::message::ToolDetail;
use diglot_agent::model::PersonCause;
use diglot_agent::{
    Actor, CopilotRequest, Decision, DecisionMode, Entry, FinishReason, Message, ModelError,
    Rejection,
};
use diglot_document::UnitState;
use diglot_testkit::{calls, words};
use serde_json::json;

use crate::acts::{Act, agent, approve, garbled, ls, read, refine, reject, unit};
use crate::folder::Folder;
use crate::prefixes::{accepts_more, check_history};
use crate::session::{Session, path, settings};

const TEXT: &str = "One file.\n\nTwo files.\n\nThree files.\n";

/// A session with three drafts that wait.
fn session() -> Session {
    let mut session = Session::new(Folder::of(&[("a.txt", TEXT)]), settings());
    session.say("Translate this.");
    for act in [
        agent(&[read("a.txt")]),
        agent(&[
            unit("a.txt", 1, "Eine Akte."),
            unit("a.txt", 2, "Zwei Akten."),
            unit("a.txt", 3, "Drei Akten."),
        ]),
    ] {
        assert_eq!(act.run(&mut session), None);
    }
    session
}

fn states(session: &Session) -> Vec<UnitState> {
    let document = session.context.document(&path("a.txt")).unwrap();
    document.units().iter().map(|unit| unit.state).collect()
}

fn failure() -> ModelError {
    ModelError::NeedsPerson {
        cause: PersonCause::Refused,
        status: Some(500),
        detail: "no answer".to_owned(),
    }
}

fn n_results(session: &Session, detail: impl Fn(&ToolDetail) -> bool) -> usize {
    let is_one = |entry: &&Entry| matches!(entry, Entry::Message(Message::Tool(result)) if detail(&result.detail));
    session.entries.iter().filter(is_one).count()
}

#[test]
fn a_decision_is_kept_when_the_step_after_it_fails() {
    let mut session = session();
    for unit in 1..=3 {
        assert_eq!(approve("a.txt", unit).run(&mut session), None);
    }
    session.agent_while(|_| {}, Err(failure()));
    session.restart();
    assert_eq!(states(&session), [UnitState::Approved; 3]);
    assert!(session.context.requests().is_empty(), "asked for again");
    accepts_more(&session);
}

#[test]
fn a_decision_is_kept_when_nothing_can_be_learnt_from_it() {
    let mut session = session();
    let unusable = || words("I learnt a lot.");
    session.lessons = Some([unusable(), unusable()].into());
    assert_eq!(refine("a.txt", 1, "Eine Datei.").run(&mut session), None);
    assert_eq!(reject("a.txt", 2, "wrong word").run(&mut session), None);
    assert_eq!(
        states(&session)[..2],
        [UnitState::Refined, UnitState::Rejected]
    );
    let failed = |entry: &&Entry| matches!(entry, Entry::Extraction(found) if found.failure.is_some() && found.ops.is_empty());
    assert_eq!(session.entries.iter().filter(failed).count(), 2);
    accepts_more(&session);
    check_history(&session);
}

#[test]
fn an_answered_call_is_final_while_its_neighbours_wait_and_teaches_once() {
    let mut session = session();
    assert_eq!(refine("a.txt", 2, "Zwei Dateien.").run(&mut session), None);
    session.settle();
    session.restart();
    session.settle();
    let decided = |detail: &ToolDetail| matches!(detail, ToolDetail::Decided { unit: 2, .. });
    assert_eq!(n_results(&session, decided), 1);
    let lessons = session.entries.iter();
    let lessons = lessons.filter(|entry| matches!(entry, Entry::Extraction(_)));
    assert_eq!(lessons.count(), 1);
    let waiting: Vec<usize> = session
        .context
        .requests()
        .iter()
        .filter_map(|request| match request {
            CopilotRequest::Translate(request) => Some(request.unit),
            CopilotRequest::Ask(_) => None,
        })
        .collect();
    assert_eq!(waiting, [1, 3]);
}

#[test]
fn no_two_memory_items_share_an_id() {
    let mut session = session();
    session.remember("Rule one");
    session.remember("Rule two");
    let last = session.memory.items.last().unwrap().id;
    assert_eq!(Act::Forget("Rule one").run(&mut session), None);
    assert_eq!(Act::Forget("Rule two").run(&mut session), None);
    session.remember("Rule three");
    assert!(session.memory.items[0].id > last);
}

#[test]
fn a_tool_that_fails_or_is_unknown_ends_its_call_and_the_others_run() {
    let mut session = Session::new(Folder::of(&[("a.txt", TEXT)]), settings());
    session.say("Translate this.");
    let act = agent(&[
        ls("gone"),
        ("Delete", json!({"path": "a.txt"})),
        read("gone.txt"),
        read("a.txt"),
    ]);
    assert_eq!(act.run(&mut session), None);
    let refused = |detail: &ToolDetail| matches!(detail, ToolDetail::Refused { .. });
    assert_eq!(n_results(&session, refused), 3);
    let given = |detail: &ToolDetail| matches!(detail, ToolDetail::Page { .. });
    assert_eq!(n_results(&session, given), 1);
    assert_eq!(session.context.plan(), Plan::AskModel);
    assert_eq!(garbled("Read", "{\"file_id\": ").run(&mut session), None);
    assert_eq!(session.context.plan(), Plan::AskModel);
    accepts_more(&session);
}

#[test]
fn a_step_that_was_dropped_is_begun_again() {
    let mut session = session();
    for unit in 1..=3 {
        assert_eq!(approve("a.txt", unit).run(&mut session), None);
    }
    let before = session.facts(&session.context);
    for _ in 0..3 {
        drop(session.agent_loop().begin(&session.context));
    }
    assert_eq!(session.facts(&session.context), before);
    assert_eq!(session.agent(words("Done.")), Ok(true));
}

#[test]
fn a_new_window_of_the_conversation_holds_no_result_without_its_call() {
    let parts: Vec<String> = (0..20).map(|n| format!("Part {n}.\n")).collect();
    let text = parts.join("\n");
    let mut settings = settings();
    settings.chunk_units = 4;
    let mut session = Session::new(Folder::of(&[("a.txt", &text)]), settings);
    session.say("Translate this.");
    session.agent(calls([read("a.txt")])).unwrap();
    for first in (1..=20).step_by(2) {
        let drafts = [first, first + 1].map(|n| unit("a.txt", n, &format!("Teil {n}.")));
        // Each request is held to the rules of a strict provider.
        session.agent(calls(drafts)).unwrap();
        for n in [first + 1, first] {
            assert_eq!(approve("a.txt", n).run(&mut session), None);
        }
    }
    let chunks = session.entries.iter();
    let chunks = chunks.filter(|entry| matches!(entry, Entry::Chunk(_)));
    assert!(chunks.count() > 4);
    check_history(&session);
}

#[test]
fn what_is_not_in_the_project_or_the_document_is_refused() {
    let mut session = Session::new(Folder::of(&[("a.txt", TEXT)]), settings());
    session.say("Translate this.");
    for call in [
        read("/etc/passwd"),
        read("../secret.txt"),
        ls("/"),
        ("LS", json!({"path": "../.."})),
    ] {
        session.say("Go on.");
        assert_eq!(session.agent(calls([call])), Ok(true));
    }
    session.say("Go on.");
    session.agent(calls([read("a.txt")])).unwrap();
    let quote =
        json!({"file_id": "a.txt", "src_string": "Not there.", "translate_string": "Nicht."});
    let act = agent(&[unit("a.txt", 9, "Neun."), ("Translate", quote)]);
    assert_eq!(act.run(&mut session), None);
    assert!(session.context.requests().is_empty());
    let refused = |detail: &ToolDetail| matches!(detail, ToolDetail::Refused { .. });
    assert_eq!(n_results(&session, refused), 6);
}

#[test]
fn a_run_without_a_person_has_an_end() {
    let mut session = Session::new(Folder::of(&[("a.txt", TEXT)]), settings());
    session.say("Translate this.");
    for n in 0..100 {
        let folder = format!("folder {n}");
        if !session.agent(calls([ls(&folder)])).unwrap() {
            break;
        }
    }
    assert_eq!(session.context.finish(), Some(FinishReason::StepLimit));
    session.restart();
    assert_eq!(session.context.actor(), Actor::User, "also after a restart");
    accepts_more(&session);
}

#[test]
fn what_comes_while_a_model_is_asked_is_not_written_over() {
    let mut session = session();
    for unit in 1..=3 {
        assert_eq!(approve("a.txt", unit).run(&mut session), None);
    }
    let change = |session: &mut Session| {
        assert_eq!(Act::Revise("a.txt", 1, "Eine Datei.").run(session), None);
        assert!(session.undo() && session.undo());
    };
    session.agent_while(change, Ok(words("All is done.")));
    assert_eq!(
        states(&session),
        [
            UnitState::Approved,
            UnitState::Approved,
            UnitState::Proposed
        ]
    );
    let said = session.entries.last();
    assert!(
        matches!(said, Some(Entry::Message(Message::Assistant { text, .. })) if text == "All is done.")
    );
    check_history(&session);
}

#[test]
fn a_person_who_writes_instead_of_deciding_closes_the_calls_first() {
    let mut session = session();
    session.say("Be brief.");
    let aside = |detail: &ToolDetail| matches!(detail, ToolDetail::SetAside);
    assert_eq!(n_results(&session, aside), 3);
    assert_eq!(session.context.plan(), Plan::AskModel);
    let late = session.decided.clone();
    assert_eq!(late, None);
    accepts_more(&session);
}

#[test]
fn the_same_decision_twice_changes_nothing_and_another_one_is_refused() {
    let mut session = session();
    assert_eq!(approve("a.txt", 1).run(&mut session), None);
    let before = session.entries.len();
    let id = session.decided.clone().unwrap();
    let again = |session: &mut Session, decision| {
        session.respond(id.clone(), decision, DecisionMode::Single, false)
    };
    assert_eq!(again(&mut session, Decision::Approve), Ok(()));
    let reject = Decision::Reject(Rejection::because("no"));
    assert!(again(&mut session, reject).is_err());
    assert_eq!(session.entries.len(), before);
}
