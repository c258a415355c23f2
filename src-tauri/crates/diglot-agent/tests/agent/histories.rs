//! Random histories: whatever models answer and persons do in whatever order, what must hold holds at every
//! point of it.

use std::cell::Cell;

use diglot_agent::agent_loop::RespondError;
use diglot_agent::context::Plan;
use diglot_agent::message::Usage;
use diglot_agent::model::{Finish, PersonCause};
use diglot_agent::{Decision, DecisionMode, Entry, ModelError, ModelResponse};
use diglot_testkit::{Depth, Promise, calls, words};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};

use crate::acts::{ask, ls, page, quote, read, refinement, unit};
use crate::folder::Folder;
use crate::prefixes::{accepts_more, check_history};
use crate::session::{Session, path, settings};

const FILES: [&str; 2] = ["a.txt", "b/c.txt"];

/// Versions of the documents: pieces come, go, move and repeat.
const TEXTS: [&str; 4] = [
    "One `a`.\n\nTwo.\n\nNote.\n\nThree.\n\nNote.\n\nFour %s.\n\nFive.\n",
    "Two.\n\nNote.\n\nNew.\n\nThree.\n\nNote.\n",
    "Note.\n\nNote.\n\nNote.\n\nOne `a`.\n",
    "\n",
];

/// Names a call of a model, good or bad, by what it is about.
#[derive(Debug, Clone)]
enum Call {
    Ls,
    Read(usize),
    Page(usize, usize),
    /// The open unit that many places after the next.
    Draft(usize, usize),
    /// Any unit, there or not, without what it must keep.
    Blind(usize, usize),
    Quote(usize),
    Empty(usize),
    Ask,
    Unknown,
    Odd,
}

/// Names what happens next.
#[derive(Debug, Clone)]
enum Event {
    Answer(Vec<Call>),
    Talk,
    Say,
    /// On the open request at a place.
    Decide(usize, u8, DecisionMode),
    /// On the call decided last.
    Again(u8),
    Skip(usize, usize),
    Revise(usize, usize),
    Write(usize, usize),
    Notice(usize),
    Remember(u8),
    Forget,
    Restart,
    Undo,
    Redo,
    /// All drafts are approved at once.
    Bulk,
    /// The model's answer comes after something else.
    Late(Vec<Call>, Box<Event>),
    /// The model gives no answer.
    Fail(u8),
}

fn call() -> impl Strategy<Value = Call> {
    let file = 0..FILES.len();
    prop_oneof![
        1 => Just(Call::Ls),
        2 => file.clone().prop_map(Call::Read),
        1 => (file.clone(), 1..9_usize).prop_map(|(file, from)| Call::Page(file, from)),
        8 => (file.clone(), 0..4_usize).prop_map(|(file, ahead)| Call::Draft(file, ahead)),
        2 => (file.clone(), 1..9_usize).prop_map(|(file, unit)| Call::Blind(file, unit)),
        1 => file.clone().prop_map(Call::Quote),
        1 => file.prop_map(Call::Empty),
        1 => Just(Call::Ask),
        1 => Just(Call::Unknown),
        1 => Just(Call::Odd),
    ]
}

/// Names what may happen while a model is asked: all but messages, which stop it first.
fn meanwhile() -> impl Strategy<Value = Event> {
    let file = 0..FILES.len();
    prop_oneof![
        3 => Just(Event::Undo),
        2 => Just(Event::Redo),
        1 => (file.clone(), 1..9_usize).prop_map(|(file, unit)| Event::Skip(file, unit)),
        2 => (file.clone(), 1..9_usize).prop_map(|(file, unit)| Event::Revise(file, unit)),
        1 => (file.clone(), 0..TEXTS.len()).prop_map(|(file, text)| Event::Write(file, text)),
        1 => file.prop_map(Event::Notice),
        1 => (0..3_u8).prop_map(Event::Remember),
    ]
}

fn event() -> impl Strategy<Value = Event> {
    let file = 0..FILES.len();
    let late = (prop::collection::vec(call(), 1..5), meanwhile());
    let mode = prop_oneof![Just(DecisionMode::Single), Just(DecisionMode::Bulk)];
    prop_oneof![
        10 => prop::collection::vec(call(), 1..5).prop_map(Event::Answer),
        1 => Just(Event::Talk),
        2 => Just(Event::Say),
        14 => (0..4_usize, 0..6_u8, mode).prop_map(|(at, kind, mode)| Event::Decide(at, kind, mode)),
        1 => (0..6_u8).prop_map(Event::Again),
        1 => (file.clone(), 1..9_usize).prop_map(|(file, unit)| Event::Skip(file, unit)),
        1 => (file.clone(), 1..9_usize).prop_map(|(file, unit)| Event::Revise(file, unit)),
        1 => (file.clone(), 0..TEXTS.len()).prop_map(|(file, text)| Event::Write(file, text)),
        1 => file.prop_map(Event::Notice),
        1 => (0..3_u8).prop_map(Event::Remember),
        1 => Just(Event::Forget),
        1 => Just(Event::Restart),
        3 => Just(Event::Undo),
        2 => Just(Event::Redo),
        1 => Just(Event::Bulk),
        2 => late.prop_map(|(calls, event)| Event::Late(calls, Box::new(event))),
        1 => (0..5_u8).prop_map(Event::Fail),
    ]
}

/// Writes a translation that keeps what must be kept.
fn translated(source: &str) -> String {
    format!("Über {source}")
}

fn written(session: &Session, call: &Call) -> (&'static str, Value) {
    match call {
        Call::Ls => ls("."),
        Call::Read(file) => read(FILES[*file]),
        Call::Page(file, from) => page(FILES[*file], *from),
        Call::Draft(file, ahead) => {
            let document = session.context.document(&path(FILES[*file]));
            let found = document.and_then(|document| {
                let ordinal = document.open_from(0).nth(*ahead)?;
                Some((ordinal, document.segments()[ordinal].source.clone()))
            });
            let (ordinal, source) = found.unwrap_or((0, "One".to_owned()));
            unit(FILES[*file], ordinal + 1, &translated(&source))
        }
        Call::Blind(file, number) => unit(FILES[*file], *number, "Etwas."),
        Call::Quote(file) => quote(FILES[*file], "Note.", "Hinweis."),
        Call::Empty(file) => unit(FILES[*file], 1, ""),
        Call::Ask => ask("Du or Sie?", &["du", "Sie"]),
        Call::Unknown => ("Write", json!({"file_id": "a.txt"})),
        Call::Odd => ("Translate", json!("a.txt")),
    }
}

fn decision(kind: u8) -> Decision {
    match kind {
        0 | 1 => Decision::Approve,
        2 => refinement("Ganz anders `a` %s."),
        3 => Decision::Reject(diglot_agent::Rejection::because("wrong word")),
        4 => Decision::Answer {
            choice: Some("du".to_owned()),
            text: None,
        },
        _ => Decision::Cancel,
    }
}

fn happen(session: &mut Session, event: Event) {
    match event {
        Event::Answer(list) => {
            let list: Vec<(&str, Value)> = list.iter().map(|call| written(session, call)).collect();
            answer(session, calls(list));
        }
        Event::Talk => answer(session, words("Done.")),
        Event::Say => session.say("Go on."),
        Event::Decide(place, kind, mode) => {
            let requests = session.context.requests();
            if let Some(request) = requests.get(place) {
                let id = request.call_id().clone();
                let before = session.context.seq();
                let taken = session.respond(id, decision(kind), mode, kind == 1);
                let is_written = matches!(taken, Ok(()) | Err(RespondError::SourceChanged(_)));
                assert_eq!(session.context.seq() != before, is_written, "{taken:?}");
            }
        }
        Event::Again(kind) => {
            if let Some(id) = session.decided.clone() {
                let open = session.context.is_waiting(&id);
                let before = session.entries.len();
                let taken = session.respond(id, decision(kind), DecisionMode::Single, true);
                let unchanged = session.entries.len() == before;
                assert!(open || unchanged, "{taken:?}");
            }
        }
        Event::Skip(file, number) => {
            if let Some(at) = free_unit(session, file, number) {
                session.commit_entries(vec![Entry::Skip(at)]);
            }
        }
        Event::Revise(file, number) => {
            if let Some(unit) = free_unit(session, file, number) {
                let target = "Von Hand.".to_owned();
                let revision = diglot_agent::entry::Revision {
                    unit,
                    target,
                    at: 0,
                };
                session.commit_entries(vec![Entry::Revision(revision)]);
            }
        }
        Event::Write(file, text) => session.folder.write(FILES[file], TEXTS[text].as_bytes()),
        Event::Notice(file) => session.refresh(&path(FILES[file])),
        Event::Remember(which) => session.remember(&format!("Rule {which}")),
        Event::Forget => {
            session.memory.items.pop();
        }
        Event::Restart => session.restart(),
        Event::Undo => {
            let is_there = session.context.undoable().is_some();
            assert_eq!(session.undo(), is_there);
        }
        Event::Redo => {
            let is_there = session.context.redoable().is_some();
            assert_eq!(session.redo(), is_there);
        }
        Event::Bulk => {
            for request in session.context.requests() {
                let id = request.call_id().clone();
                // A question, a draft with a fault and a changed file refuse it.
                drop(session.respond(id, Decision::Approve, DecisionMode::Bulk, false));
            }
        }
        Event::Late(list, event) => {
            let list: Vec<(&str, Value)> = list.iter().map(|call| written(session, call)).collect();
            session.agent_while(|session| happen(session, *event), Ok(calls(list)));
        }
        Event::Fail(kind) => {
            if let Some(failure) = failure(kind) {
                session.agent_while(|_| {}, Err(failure));
                return;
            }
            let cut = ModelResponse {
                finish: Finish::Length,
                ..calls([ls(".")])
            };
            let asked = session.context.plan() == Plan::AskModel;
            assert_eq!(session.agent(cut).is_err(), asked);
        }
    }
}

/// Names a way in which a model gives no answer; none is an answer that cannot be used.
fn failure(kind: u8) -> Option<ModelError> {
    let detail = "no answer".to_owned();
    match kind {
        0 => Some(ModelError::Transient {
            retry_after_ms: None,
            status: Some(503),
            detail,
        }),
        1 => Some(ModelError::NeedsPerson {
            cause: PersonCause::Refused,
            status: Some(401),
            detail,
        }),
        2 => Some(ModelError::Unusable {
            detail,
            usage: Usage::default(),
        }),
        3 => Some(ModelError::TooLarge { detail }),
        _ => None,
    }
}

fn answer(session: &mut Session, answer: ModelResponse) {
    session.agent(answer).unwrap();
}

/// Names a unit that is there and waits for nobody.
fn free_unit(session: &Session, file: usize, unit: usize) -> Option<diglot_agent::entry::UnitRef> {
    let path = path(FILES[file]);
    let document = session.context.document(&path)?;
    let state = document.units().get(unit - 1)?;
    state
        .proposal
        .is_none()
        .then_some(diglot_agent::entry::UnitRef { path, unit })
}

fn history() -> impl Strategy<Value = (Vec<Event>, bool)> {
    (prop::collection::vec(event(), 1..48), any::<bool>())
}

/// Plays a history to its end.
fn play(events: Vec<Event>, learns: bool) -> Session {
    let folder = Folder::of(&[(FILES[0], TEXTS[0]), (FILES[1], TEXTS[1])]);
    let mut settings = settings();
    settings.chunk_units = 3;
    settings.look_ahead = 2;
    let mut session = Session::new(folder, settings);
    session.lessons = learns.then(Default::default);
    session.say("Translate all.");
    for event in events {
        happen(&mut session, event);
    }
    session
}

/// Some histories are looked at after each entry, which costs the square of their length.
#[test]
fn p7_no_history_is_invalid_or_stuck() {
    let (n_histories, one_of) = Depth::of_run().pick((256, 6), (20_000, 64));
    let mut runner = TestRunner::new(Config {
        cases: n_histories,
        failure_persistence: None,
        ..Config::default()
    });
    let (n_played, n_entries) = (Cell::new(0_usize), Cell::new(0_usize));
    let told = runner.run(&history(), |(events, learns)| {
        let mut session = play(events, learns);
        session.restart();
        accepts_more(&session);
        if n_played.get() % one_of == 0 {
            check_history(&session);
        }
        n_played.set(n_played.get() + 1);
        n_entries.set(n_entries.get() + session.entries.len());
        Ok(())
    });
    let figure = match &told {
        Ok(()) => format!(
            "{} histories of {} entries: 0 invalid, 0 stuck",
            n_played.get(),
            n_entries.get()
        ),
        Err(error) => {
            format!(
                "{error}; again: cargo test -p diglot-agent --test agent p7_ (seed of .cargo/config.toml)"
            )
        }
    };
    let goal = "0 invalid, 0 stuck in 256 / 20,000 histories";
    Promise::new(7, told.is_ok(), figure, goal).tell();
}
