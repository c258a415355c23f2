//! What lands in the log while a model is asked: decisions, revisions and lessons move the step, and it is
//! not lost.

use diglot_agent::entry::{Revision, UnitRef};
use diglot_agent::{
    Begun, CallId, CopilotResponse, Decision, DecisionMode, Entry, Message, Seq, SourceText, Step,
};
use diglot_document::UnitState;
use diglot_testkit::{calls, words};

use crate::acts::{agent, approve, read, refinement, unit};
use crate::folder::Folder;
use crate::prefixes::check_history;
use crate::session::{Session, path, settings};

fn session(lessons: bool) -> Session {
    let folder = Folder::of(&[("a.txt", "One file.\n\nTwo files.\n\nThree files.\n")]);
    let mut session = Session::new(folder, settings());
    session.lessons = lessons.then(Default::default);
    session.say("Translate this.");
    for act in [
        agent(&[read("a.txt")]),
        agent(&[
            unit("a.txt", 1, "Eine Akte."),
            unit("a.txt", 2, "Zwei Akten."),
        ]),
    ] {
        assert_eq!(act.run(&mut session), None);
    }
    session
}

fn at(unit: usize) -> UnitRef {
    UnitRef {
        path: path("a.txt"),
        unit,
    }
}

fn begin(session: &Session) -> Box<diglot_agent::agent_loop::Question> {
    match session.agent_loop().begin(&session.context) {
        Begun::Ask(question) => question,
        Begun::Done(step) => panic!("{step:?}"),
    }
}

/// Takes a decision without what follows it.
fn decide(session: &mut Session, unit: usize, decision: Decision) -> CallId {
    let call_id = session.call_on(&at(unit)).unwrap();
    let response = CopilotResponse {
        call_id: call_id.clone(),
        decision,
        mode: DecisionMode::Single,
        at: 1,
    };
    let step = session
        .agent_loop()
        .respond(&session.context, response, false);
    session.commit(step.unwrap());
    call_id
}

#[test]
fn a_turn_is_rebased_on_what_landed_meanwhile() {
    let mut session = session(false);
    for unit in [1, 2] {
        assert_eq!(approve("a.txt", unit).run(&mut session), None);
    }
    let question = begin(&session);
    let revision = Entry::Revision(Revision {
        unit: at(1),
        target: "Eine Datei.".to_owned(),
        at: 1,
    });
    session.commit(Step {
        entries: vec![revision],
        ..Step::default()
    });
    let answer = Ok(calls([unit("a.txt", 3, "Drei Dateien.")]));
    let step = session
        .agent_loop()
        .finish(&session.context, *question, answer);
    session.commit(step.unwrap());
    let seq = Seq(session.entries.len() as u64);
    let expected = CallId::new(seq, 0);
    assert_eq!(
        session.context.open_calls(),
        std::slice::from_ref(&expected)
    );
    assert!(session.context.is_waiting(&expected));
    check_history(&session);
}

#[test]
fn a_lesson_ends_after_decisions_that_came_meanwhile() {
    let mut session = session(true);
    let id = decide(&mut session, 1, refinement("Eine Datei."));
    let question = begin(&session);
    assert!(question.is_lesson());
    decide(&mut session, 2, Decision::Approve);
    let answer = Ok(words(
        r#"{"ops":[{"action":"add","kind":"terminology","text":"file is Datei","term":{"source":"file","target":"Datei"}}]}"#,
    ));
    let step = session
        .agent_loop()
        .finish(&session.context, *question, answer)
        .unwrap();
    assert_eq!(step.memory.changed.len(), 1);
    session.commit(step);
    assert!(
        matches!(session.entries.last(), Some(Entry::Extraction(found)) if found.call_id == id)
    );
    assert_eq!(session.context.open_extractions().count(), 0);
    check_history(&session);
}

#[test]
fn a_lesson_is_drawn_from_the_source_that_was_decided_on() {
    let mut session = session(true);
    let id = decide(&mut session, 1, refinement("Eine Datei."));
    session
        .folder
        .write("a.txt", b"Something else.\n\nTwo files.\n");
    let step = session
        .agent_loop()
        .refresh(&session.context, &path("a.txt"));
    session.commit(step);
    let evidence = session.context.evidence(&id).unwrap();
    assert_eq!(evidence.source, "One file.");
    check_history(&session);
}

#[test]
fn a_changed_source_shows_what_it_was_and_a_moved_one_stays_confirmed() {
    let mut session = session(true);
    decide(&mut session, 1, refinement("Eine Datei."));
    let reread = |session: &mut Session, text: &[u8]| {
        session.folder.write("a.txt", text);
        session.refresh(&path("a.txt"));
    };
    reread(&mut session, b"Two files.\n\nOne file.\n");
    let units = session.context.document(&path("a.txt")).unwrap().units();
    assert_eq!(units[1].target.as_deref(), Some("Eine Datei."));
    reread(&mut session, b"Two files.\n\nOne good file.\n");
    let unit = &session.context.document(&path("a.txt")).unwrap().units()[1];
    let former = unit.former.as_deref().unwrap();
    assert_eq!(
        (unit.state, former.source.as_str(), &*former.target),
        (UnitState::Open, "One file.", "Eine Datei.")
    );
    reread(&mut session, b"Two files.\n\nOne very good file.\n");
    let unit = &session.context.document(&path("a.txt")).unwrap().units()[1];
    assert_eq!(&*unit.former.as_deref().unwrap().target, "Eine Datei.");
    check_history(&session);
}

#[test]
fn messages_and_chunks_wait_for_results() {
    let mut session = session(false);
    let before = session.context.seq();
    for text in ["Go on.", ""] {
        let text = text.to_owned();
        let entry = Entry::Message(Message::User { text });
        assert!(session.context.append(entry).is_err());
    }
    assert!(session.context.append(Entry::Skip(at(1))).is_err());
    assert!(session.context.append(Entry::Skip(at(9))).is_err());
    assert_eq!(session.context.seq(), before);
}

#[test]
fn a_source_that_nobody_gave_is_refused_and_changes_nothing() {
    let mut session = session(false);
    let step = session
        .agent_loop()
        .refresh(&session.context, &path("a.txt"));
    let facts = session.facts(&session.context);
    for entry in step.entries {
        if matches!(entry, Entry::SourceRead(_)) {
            assert!(session.context.append(entry).is_err());
        }
    }
    let other = SourceText::new(b"not asked for".to_vec());
    session.context.add_source(other);
    assert_eq!(session.facts(&session.context), facts);
}
