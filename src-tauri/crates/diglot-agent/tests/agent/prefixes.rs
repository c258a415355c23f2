//! What holds at every point of every history: the next step is always defined, a wait is a wait, a restart
//! changes nothing, and a crash loses nothing.

use diglot_agent::agent_loop::RespondError;
use diglot_agent::context::Plan;
use diglot_agent::{Actor, Begun, Context, Decision, DecisionMode, FinishReason};
use diglot_testkit::words;

use crate::journeys;
use crate::session::{Session, assert_complete};

/// Holds a session's log, entry by entry, against what must be true of it.
pub(crate) fn check_history(session: &Session) {
    let mut kept = Context::new(session.context.settings().clone());
    for n in 0..=session.entries.len() {
        if let Some(last) = n.checked_sub(1) {
            session.append_to(&mut kept, &session.entries[last]);
        }
        let facts = session.facts(&kept);
        assert_eq!(facts, session.facts(&session.fold(n)), "after {n} entries");
        assert_eq!(facts.begun, session.facts(&kept).begun, "after {n} entries");
        check_step(session, &kept);
        let mut crashed = session.crashed_after(n);
        crashed.settle();
    }
}

/// Holds that a session goes on from the end of its log, whoever must act: each request can be decided, a message of
/// the person is taken, and the model is asked.
pub(crate) fn accepts_more(session: &Session) {
    let mut session = session.crashed_after(session.entries.len());
    session.settle();
    if session.context.actor() == Actor::Agent {
        assert_eq!(session.context.plan(), Plan::AskModel);
    }
    for request in session.context.requests() {
        let id = request.call_id().clone();
        if session.context.is_waiting(&id) {
            let taken = session.respond(id, Decision::Cancel, DecisionMode::Single, false);
            let is_taken = matches!(taken, Ok(()) | Err(RespondError::SourceChanged(_)));
            assert!(is_taken, "{taken:?}");
        }
    }
    session.say("Go on.");
    assert_eq!(session.agent(words("I do.")), Ok(true));
}

fn check_step(session: &Session, context: &Context) {
    match (session.agent_loop().begin(context), context.plan()) {
        (Begun::Done(step), Plan::AwaitUser(reason)) => {
            assert!(step.entries.is_empty() && step.sources.is_empty());
            assert_eq!(
                reason == FinishReason::Waiting,
                !context.requests().is_empty()
            );
            if reason == FinishReason::Complete {
                let counts = context.counts();
                assert_eq!(counts.n_confirmed, counts.n_units);
                assert!(context.is_complete());
            }
        }
        (Begun::Done(step), Plan::RunTools(calls)) => {
            assert!(step.entries.len() >= calls.len(), "a call has no result");
        }
        (Begun::Ask(question), Plan::AskModel) => {
            assert!(!question.is_lesson());
            assert!(context.open_calls().is_empty());
            assert_complete(&question.request);
        }
        (Begun::Ask(question), Plan::ExtractMemory(_)) => assert!(question.is_lesson()),
        (Begun::Done(step), Plan::ExtractMemory(_)) => assert_eq!(step.entries.len(), 1),
        (begun, plan) => panic!("{plan:?} gave {begun:?}"),
    }
}

#[test]
fn every_prefix_of_every_journey_holds() {
    for journey in journeys::all() {
        let (session, _) = journey.run();
        check_history(&session);
    }
}
