//! What a tool needs a person for, and what the person said.

use diglot_document::{Issue, Origin};
use serde::{Deserialize, Serialize};

use crate::message::CallId;
use crate::rejection::Rejection;
use crate::workspace::ProjectPath;

/// Asks a person; derived from an unanswered tool call, never stored.
#[derive(Debug, Clone, PartialEq)]
pub enum CopilotRequest {
    /// A draft to decide on.
    Translate(TranslateRequest),
    /// A question of the agent.
    Ask(AskRequest),
}

impl CopilotRequest {
    /// Returns the call that waits.
    pub fn call_id(&self) -> &CallId {
        match self {
            Self::Translate(request) => &request.call_id,
            Self::Ask(request) => &request.call_id,
        }
    }
}

/// Holds one draft under review.
#[derive(Debug, Clone, PartialEq)]
pub struct TranslateRequest {
    /// The call that waits.
    pub call_id: CallId,
    /// The document.
    pub path: ProjectPath,
    /// The unit, from 1.
    pub unit: usize,
    /// The source text, from the document and not from the model.
    pub source: String,
    /// The draft; empty when there is none.
    pub target: String,
    /// Where the draft came from.
    pub origin: Origin,
    /// Findings, may be empty.
    pub issues: Vec<Issue>,
}

/// Holds one question.
#[derive(Debug, Clone, PartialEq)]
pub struct AskRequest {
    /// The call that waits.
    pub call_id: CallId,
    /// The question.
    pub question: String,
    /// Answers to choose from, may be empty; free text is always possible.
    pub options: Vec<String>,
    /// What the question is about, as the model put it.
    pub kind: String,
}

/// Stores a person's decision on one request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CopilotResponse {
    /// The call that it decides.
    pub call_id: CallId,
    /// The decision.
    pub decision: Decision,
    /// How it was given.
    pub mode: DecisionMode,
    /// When, in Unix milliseconds.
    pub at: i64,
}

/// Tells a decision on one draft from one on many; the label stays for good.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum DecisionMode {
    /// A person looked at this draft.
    Single,
    /// A person confirmed many at once.
    Bulk,
}

/// Holds what a person decided.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum Decision {
    /// The draft is right as it is.
    Approve,
    /// The draft is right with this text.
    Refine {
        /// The final text; never empty, differs from the draft.
        target: String,
    },
    /// The draft is wrong.
    Reject(Rejection),
    /// The answer to a question.
    Answer {
        /// The option taken, word for word.
        choice: Option<String>,
        /// Free text.
        text: Option<String>,
    },
    /// The request is set aside.
    Cancel,
}

impl Decision {
    /// Tells whether memory can learn from it: a single refinement or rejection.
    pub fn teaches(&self) -> bool {
        matches!(self, Self::Refine { .. } | Self::Reject(_))
    }
}
