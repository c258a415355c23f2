//! A person's decision on one request: what it lacks, what it comes to, and the two entries that it becomes.

use diglot_document::Severity;

use super::{AgentLoop, Step, push_outcome};
use crate::context::Context;
use crate::copilot::{CopilotResponse, Decision};
use crate::entry::{Entry, UnitRef};
use crate::message::CallId;
use crate::workspace::WorkspaceError;

/// Reports a decision that was not taken.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum RespondError {
    /// No open request has this id.
    #[error("no open request has the id {0}")]
    NotPending(CallId),
    /// The request was decided in another way.
    #[error("the request {0} was decided already")]
    AlreadyDecided(CallId),
    /// The decision lacks its text or reason, or is none for this kind of request.
    #[error("{0}")]
    Incomplete(&'static str),
    /// The draft has a fault that must be confirmed.
    #[error("the draft has faults")]
    NeedsConfirmation,
    /// The document's encoding cannot hold these characters, which are never replaced (SPEC 8).
    #[error("the encoding of the file cannot hold: {0}")]
    Unencodable(String),
    /// The document changed on disk; the step withdraws its drafts and reads it anew.
    #[error("the document changed on disk")]
    SourceChanged(Box<Step>),
    /// The document cannot be looked at.
    #[error(transparent)]
    Unreadable(#[from] WorkspaceError),
}

impl AgentLoop<'_> {
    /// Takes a person's decision: the response and the result of its call, to be written together. An
    /// identical repeat of a decision gives an empty step.
    ///
    /// # Errors
    /// When the decision is not taken; only [`RespondError::SourceChanged`] has something to write.
    pub fn respond(
        &self,
        context: &Context,
        response: CopilotResponse,
        despite_issues: bool,
    ) -> Result<Step, RespondError> {
        let id = response.call_id.clone();
        let Some(state) = context.call(&id) else {
            return repeated(context, &response);
        };
        let draft = context.draft(&id);
        let decision = normalized(response.decision, draft.map(|draft| draft.target.as_str()))?;
        if let Some(earlier) = &state.response {
            let same = earlier.decision == decision;
            return if same {
                Ok(Step::default())
            } else {
                Err(RespondError::AlreadyDecided(id))
            };
        }
        if !state.waits() {
            return Err(RespondError::NotPending(id));
        }
        match draft {
            Some(draft) => {
                if matches!(decision, Decision::Answer { .. }) {
                    return Err(RespondError::Incomplete(
                        "a draft is approved, refined or rejected",
                    ));
                }
                let is_blocked = context
                    .issues(draft)
                    .iter()
                    .any(|issue| issue.severity == Severity::Blocking);
                if decision == Decision::Approve && is_blocked && !despite_issues {
                    return Err(RespondError::NeedsConfirmation);
                }
                let text = match &decision {
                    Decision::Approve => Some(draft.target.as_str()),
                    Decision::Refine { target } => Some(target.as_str()),
                    Decision::Reject(_) | Decision::Answer { .. } | Decision::Cancel => None,
                };
                let unit = UnitRef {
                    path: draft.path.clone(),
                    unit: draft.ordinal + 1,
                };
                if let Some(lost) = text.and_then(|text| context.unencodable(&unit, text)) {
                    return Err(RespondError::Unencodable(lost));
                }
                if self.has_changed(context, &draft.path)? {
                    let step = self.refresh(context, &draft.path);
                    return Err(RespondError::SourceChanged(Box::new(step)));
                }
            }
            None if matches!(decision, Decision::Answer { .. } | Decision::Cancel) => {}
            None => return Err(RespondError::Incomplete("a question is answered or closed")),
        }
        let response = CopilotResponse {
            decision,
            ..response
        };
        let outcome = self.run(&state.call, context, Some(&response));
        let mut step = Step {
            memory: self.counted(context, &response),
            ..Step::default()
        };
        step.entries.push(Entry::Response(response));
        // A call whose decision was taken back has its result, and a second one would break the conversation.
        if !state.done {
            push_outcome(&mut step, &state.call, outcome);
        }
        Ok(step)
    }
}

/// Answers a decision on a draft whose call is over for good: the same again changes nothing.
fn repeated(context: &Context, response: &CopilotResponse) -> Result<Step, RespondError> {
    let id = || response.call_id.clone();
    let past = context.past_draft(&response.call_id);
    let past = past.ok_or_else(|| RespondError::NotPending(id()))?;
    match past.decision {
        None => Err(RespondError::NotPending(id())),
        Some(decision) if *decision == response.decision => Ok(Step::default()),
        Some(_) => Err(RespondError::AlreadyDecided(id())),
    }
}

/// Works out by comparing texts whether a draft was approved or refined (SPEC 3), and what is lacking.
fn normalized(decision: Decision, draft: Option<&str>) -> Result<Decision, RespondError> {
    match &decision {
        Decision::Approve if draft == Some("") => Err(RespondError::Incomplete(
            "there is no draft to approve: type the translation",
        )),
        Decision::Refine { target } if target.trim().is_empty() => {
            Err(RespondError::Incomplete("the translation is empty"))
        }
        Decision::Refine { target } if Some(target.as_str()) == draft => Ok(Decision::Approve),
        Decision::Reject(rejection) => rejection
            .check(draft.unwrap_or_default())
            .map(|()| decision.clone())
            .map_err(RespondError::Incomplete),
        Decision::Answer { choice, text } => {
            let full = |text: &Option<String>| text.as_ref().is_some_and(|t| !t.trim().is_empty());
            if full(choice) || full(text) {
                Ok(decision)
            } else {
                Err(RespondError::Incomplete("the answer is empty"))
            }
        }
        Decision::Approve | Decision::Refine { .. } | Decision::Cancel => Ok(decision),
    }
}
