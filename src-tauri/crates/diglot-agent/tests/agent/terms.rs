//! Terms on their way: to the model with the units that have them, and back once with a draft that misses one.

use diglot_agent::memory::{MemoryKind, Term};
use diglot_agent::message::{RefusedReason, ToolDetail};
use diglot_agent::model::ModelMessage;
use diglot_agent::{Begun, CopilotRequest, Entry, Message, ModelRequest, ModelResponse};
use diglot_document::{IssueKind, Origin, TermStatus};
use diglot_testkit::calls;
use serde_json::Value;

use crate::acts::{Act, agent, approve, read, unit};
use crate::folder::Folder;
use crate::session::{Session, settings};

const TEXT: &str = "The seal is dry.|Two seals of the pump.|A `seal` in code.|Turn the wheel.";

fn session() -> Session {
    let text = TEXT.replace('|', "\n\n");
    let mut session = Session::new(Folder::of(&[("a.txt", &text)]), settings());
    session.terms.add("seal", "Dichtung", TermStatus::Preferred);
    session.terms.add("seal", "Dichtring", TermStatus::Admitted);
    session.terms.add("seal", "Gummi", TermStatus::Forbidden);
    session.terms.add("valve", "Ventil", TermStatus::Preferred);
    session
}

fn begun(session: &mut Session) {
    Act::Say("Translate this into German.").run(session);
    agent(&[read("a.txt")]).run(session);
}

fn request(session: &Session) -> ModelRequest {
    match session.agent_loop().begin(&session.context) {
        Begun::Ask(question) => question.request,
        Begun::Done(step) => panic!("{step:?}"),
    }
}

fn users(request: &ModelRequest) -> String {
    let texts = request.messages.iter().filter_map(|message| match message {
        ModelMessage::User(text) => Some(text.as_str()),
        _ => None,
    });
    texts.collect::<Vec<_>>().join("\n---\n")
}

/// Returns what the last refused call was told.
fn refusals(session: &Session) -> Vec<(RefusedReason, String)> {
    let refused = session.entries.iter().filter_map(|entry| match entry {
        Entry::Message(Message::Tool(result)) => match &result.detail {
            ToolDetail::Refused { reason } => Some((*reason, result.content.clone())),
            _ => None,
        },
        _ => None,
    });
    refused.collect()
}

/// Returns the findings on the draft of the first request.
fn kinds(session: &Session) -> Vec<IssueKind> {
    let requests = session.context.requests();
    let Some(CopilotRequest::Translate(request)) = requests.first() else {
        panic!("nothing waits");
    };
    request.issues.iter().map(|issue| issue.kind).collect()
}

fn draft(number: usize, text: &str) -> (&'static str, Value) {
    unit("a.txt", number, text)
}

#[test]
fn terms_go_with_the_units_that_have_them() {
    let mut session = session();
    session.remember("Say du");
    session.remember("Translate wheel as Rad");
    let learnt = session.memory.items.last_mut().unwrap();
    learnt.kind = MemoryKind::Terminology;
    learnt.term = Some(Term {
        source: "wheel".into(),
        target: "Rad".into(),
    });
    begun(&mut session);
    let first = request(&session);
    assert!(first.system.contains("Say du"));
    assert!(!first.system.contains("Rad"));
    let head = users(&first);
    assert!(!head.contains("Ventil"), "{head}");
    insta::assert_snapshot!("chunk_terms", head);
    agent(&[draft(1, "Die Dichtung ist trocken.")]).run(&mut session);
    approve("a.txt", 1).run(&mut session);
    session.terms.entries.remove(1);
    session.terms.add("pump", "Pumpe", TermStatus::Preferred);
    session.terms.add("axle", "Achse", TermStatus::Preferred);
    let told = users(&request(&session));
    let told = told.rsplit("---\n").next().unwrap().to_owned();
    insta::assert_snapshot!("terms_told", told);
    agent(&[draft(2, "Zwei Dichtungen der Pumpe.")]).run(&mut session);
    session.restart();
    approve("a.txt", 2).run(&mut session);
    let again = users(&request(&session));
    assert_eq!(again.matches("- pump => Pumpe").count(), 1, "{again}");
}

#[test]
fn a_draft_that_misses_a_term_goes_back_once_and_names_it() {
    for (target, kind, named) in [
        (
            "Die Robbe ist trocken.",
            IssueKind::Term,
            "The term \"seal\" is translated as \"Dichtung\" or \"Dichtring\" here.",
        ),
        (
            "Das Gummi ist trocken.",
            IssueKind::ForbiddenTerm,
            "\"seal\" is not translated as \"Gummi\" here, but as \"Dichtung\" or \"Dichtring\".",
        ),
    ] {
        let mut session = session();
        begun(&mut session);
        agent(&[draft(1, target)]).run(&mut session);
        let refused = refusals(&session);
        assert_eq!(refused.len(), 1);
        assert_eq!(refused[0].0, RefusedReason::Terms);
        assert!(refused[0].1.contains(named), "{}", refused[0].1);
        assert!(session.context.requests().is_empty());
        agent(&[draft(1, target)]).run(&mut session);
        assert_eq!(refusals(&session).len(), 1);
        assert_eq!(kinds(&session), [kind]);
        session.restart();
        assert_eq!(kinds(&session), [kind]);
    }
}

#[test]
fn what_is_lost_and_what_is_missed_are_named_together() {
    let mut session = Session::new(Folder::of(&[("a.md", "The seal of `make`.")]), settings());
    session.terms.add("seal", "Dichtung", TermStatus::Preferred);
    Act::Say("Translate this into German.").run(&mut session);
    agent(&[read("a.md")]).run(&mut session);
    agent(&[unit("a.md", 1, "Die Robbe von make.")]).run(&mut session);
    let refused = refusals(&session);
    assert_eq!(refused[0].0, RefusedReason::Structure);
    assert!(refused[0].1.contains("`make`") && refused[0].1.contains("Dichtung"));
}

#[test]
fn what_is_uncertain_waived_or_no_model_s_draft_does_not_go_back() {
    let mut session = session();
    session.terms.waived.insert("The seal is dry.".into());
    begun(&mut session);
    agent(&[draft(1, "Die Robbe ist trocken.")]).run(&mut session);
    assert!(refusals(&session).is_empty());
    approve("a.txt", 1).run(&mut session);
    agent(&[draft(2, "Zwei Robben der Pumpe.")]).run(&mut session);
    assert!(refusals(&session).is_empty());
    assert_eq!(kinds(&session), [IssueKind::Term]);

    let mut session = self::session();
    begun(&mut session);
    let mut answer: ModelResponse = calls([draft(1, "Die Robbe ist trocken.")]);
    answer.tool_calls[0].origin = Origin::Engine;
    Act::Agent(answer).run(&mut session);
    assert!(refusals(&session).is_empty());
    assert_eq!(kinds(&session), [IssueKind::Term]);
}
