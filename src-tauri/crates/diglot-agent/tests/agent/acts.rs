//! What can happen in a journey, one value each, and how it is done to a session.

use diglot_agent::entry::{Revision, UnitRef};
use diglot_agent::message::Usage;
use diglot_agent::model::{Finish, ProposedCall};
use diglot_agent::{
    CallId, CopilotRequest, Decision, DecisionMode, Entry, ModelResponse, Rejection, ToolArguments,
};
use diglot_document::Origin;
use diglot_testkit::{calls, words};
use serde_json::{Value, json};

use crate::session::{Session, path};

/// Names what happens next.
#[derive(Debug, Clone)]
pub(crate) enum Act {
    /// The person writes.
    Say(&'static str),
    /// The translator answers, if it is asked.
    Agent(ModelResponse),
    /// The person decides on the draft of a unit.
    Decide(&'static str, usize, Decision),
    /// The person approves with a known fault.
    ApproveAnyway(&'static str, usize),
    /// The person decides in bulk.
    Bulk(&'static str, usize, Decision),
    /// The person answers or closes the first open question.
    Reply(Decision),
    /// The last decided call is decided again.
    Again(Decision),
    /// A call that never was is decided.
    Stray,
    /// The person sets an open unit aside.
    Skip(&'static str, usize),
    /// The person gives a unit a target.
    Revise(&'static str, usize, &'static str),
    /// Somebody changes a file on disk.
    Write(&'static str, &'static str),
    /// The application sees that a file changed on disk.
    Notice(&'static str),
    /// The person reads a file in another encoding.
    Encoding(&'static str, &'static str),
    /// The person writes a memory item.
    Remember(&'static str),
    /// The person deletes the memory item with this text.
    Forget(&'static str),
    /// The application starts anew.
    Restart,
    /// The person takes their last action back.
    Undo,
    /// The person does again what they took back.
    Redo,
}

pub(crate) fn agent(list: &[(&str, Value)]) -> Act {
    Act::Agent(calls(list.iter().cloned()))
}

pub(crate) fn talk(text: &str) -> Act {
    Act::Agent(words(text))
}

pub(crate) fn ls(folder: &str) -> (&'static str, Value) {
    ("LS", json!({"path": folder}))
}

pub(crate) fn read(file: &str) -> (&'static str, Value) {
    ("Read", json!({"file_id": file}))
}

pub(crate) fn page(file: &str, from: usize) -> (&'static str, Value) {
    ("Read", json!({"file_id": file, "from_unit": from}))
}

pub(crate) fn unit(file: &str, unit: usize, target: &str) -> (&'static str, Value) {
    let arguments = json!({"file_id": file, "unit": unit, "translate_string": target});
    ("Translate", arguments)
}

pub(crate) fn quote(file: &str, source: &str, target: &str) -> (&'static str, Value) {
    let arguments = json!({"file_id": file, "src_string": source, "translate_string": target});
    ("Translate", arguments)
}

pub(crate) fn ask(question: &str, options: &[&str]) -> (&'static str, Value) {
    let arguments = json!({"question": question, "options": options, "kind": "tone"});
    ("Ask", arguments)
}

/// Answers with a call whose arguments are no JSON object.
pub(crate) fn garbled(name: &str, arguments: &str) -> Act {
    let call = ProposedCall {
        name: name.to_owned(),
        arguments: ToolArguments::Malformed(arguments.to_owned()),
        origin: Origin::Model,
    };
    Act::Agent(ModelResponse {
        tool_calls: vec![call],
        ..words("")
    })
}

/// Answers at a price.
pub(crate) fn costly(n_tokens: u64, list: &[(&str, Value)]) -> Act {
    let usage = Usage {
        n_input: n_tokens,
        ..Usage::default()
    };
    Act::Agent(ModelResponse {
        usage,
        ..calls(list.iter().cloned())
    })
}

/// Answers with a call that the output limit cut.
pub(crate) fn cut(list: &[(&str, Value)]) -> Act {
    Act::Agent(ModelResponse {
        finish: Finish::Length,
        ..calls(list.iter().cloned())
    })
}

pub(crate) fn approve(file: &'static str, unit: usize) -> Act {
    Act::Decide(file, unit, Decision::Approve)
}

pub(crate) fn refine(file: &'static str, unit: usize, target: &str) -> Act {
    Act::Decide(file, unit, refinement(target))
}

pub(crate) fn refinement(target: &str) -> Decision {
    Decision::Refine {
        target: target.to_owned(),
    }
}

pub(crate) fn reject(file: &'static str, unit: usize, reason: &str) -> Act {
    Act::Decide(file, unit, Decision::Reject(Rejection::because(reason)))
}

pub(crate) fn answer(choice: Option<&str>, text: Option<&str>) -> Act {
    Act::Reply(Decision::Answer {
        choice: choice.map(str::to_owned),
        text: text.map(str::to_owned),
    })
}

impl Act {
    /// Does it, and says in words what was refused.
    pub(crate) fn run(self, session: &mut Session) -> Option<String> {
        match self {
            Self::Say(text) => session.say(text),
            Self::Agent(answer) => match session.agent(answer) {
                Ok(true) => {}
                Ok(false) => return Some(format!("not asked: {:?}", session.context.plan())),
                Err(error) => return Some(error.to_string()),
            },
            Self::Decide(file, unit, decision) => {
                return decide(session, file, unit, decision, DecisionMode::Single, false);
            }
            Self::ApproveAnyway(file, unit) => {
                let decision = Decision::Approve;
                return decide(session, file, unit, decision, DecisionMode::Single, true);
            }
            Self::Bulk(file, unit, decision) => {
                return decide(session, file, unit, decision, DecisionMode::Bulk, false);
            }
            Self::Reply(decision) => {
                let requests = session.context.requests();
                let is_question =
                    |request: &&CopilotRequest| matches!(request, CopilotRequest::Ask(_));
                let question = requests.iter().find(is_question);
                let id = question.map_or_else(stray, |question| question.call_id().clone());
                return respond(session, id, decision, DecisionMode::Single, false);
            }
            Self::Again(decision) => {
                let id = session.decided.clone().unwrap_or_else(stray);
                return respond(session, id, decision, DecisionMode::Single, false);
            }
            Self::Stray => {
                return respond(
                    session,
                    stray(),
                    Decision::Approve,
                    DecisionMode::Single,
                    false,
                );
            }
            Self::Skip(file, unit) => session.commit_entries(vec![Entry::Skip(at(file, unit))]),
            Self::Revise(file, unit, target) => {
                let revision = Revision {
                    unit: at(file, unit),
                    target: target.to_owned(),
                    at: 0,
                };
                session.commit_entries(vec![Entry::Revision(revision)]);
            }
            Self::Write(file, text) => session.folder.write(file, text.as_bytes()),
            Self::Notice(file) => session.refresh(&path(file)),
            Self::Encoding(file, label) => {
                let encoding = Some(label.to_owned());
                let step = session
                    .agent_loop()
                    .reread(&session.context, &path(file), encoding);
                session.commit(step);
                session.settle();
            }
            Self::Remember(text) => session.remember(text),
            Self::Forget(text) => session.memory.items.retain(|item| item.text != text),
            Self::Restart => session.restart(),
            Self::Undo if session.undo() => {}
            Self::Redo if session.redo() => {}
            Self::Undo | Self::Redo => return Some("nothing".to_owned()),
        }
        None
    }
}

fn at(file: &str, unit: usize) -> UnitRef {
    UnitRef {
        path: path(file),
        unit,
    }
}

fn stray() -> CallId {
    CallId::from_text("nosuchid0")
}

fn decide(
    session: &mut Session,
    file: &str,
    unit: usize,
    decision: Decision,
    mode: DecisionMode,
    despite_issues: bool,
) -> Option<String> {
    let id = session.call_on(&at(file, unit)).unwrap_or_else(stray);
    respond(session, id, decision, mode, despite_issues)
}

fn respond(
    session: &mut Session,
    id: CallId,
    decision: Decision,
    mode: DecisionMode,
    despite_issues: bool,
) -> Option<String> {
    let taken = session.respond(id, decision, mode, despite_issues);
    taken.err().map(|error| error.to_string())
}
