//! The port to a model: one request, one answer or one classed error.

use std::future::Future;
use std::pin::Pin;

use diglot_document::{LanguagePair, Origin};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::message::{RawMessage, ToolArguments, ToolCall, Usage};
use crate::tool::ToolSpec;
use crate::workspace::ProjectPath;

/// Stands for a future that may cross threads; written by hand so that the core needs no macro.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Names what a model is asked to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ModelRole {
    /// Lists, reads and drafts.
    Translator,
    /// Learns from one decision.
    Memory,
}

/// Asks a model for one answer.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelRequest {
    /// What it is asked to do.
    pub role: ModelRole,
    /// The system prompt.
    pub system: String,
    /// The conversation so far; every call in it has exactly one result; never empty.
    pub messages: Vec<ModelMessage>,
    /// Tools that may be called, may be empty.
    pub tools: Vec<ToolSpec>,
    /// JSON schema that the answer's text must fit, where it is no conversation.
    pub answer_schema: Option<Value>,
    /// What stands open, for a model that works without language.
    pub outlook: Outlook,
}

/// Holds one message as a model gets it.
#[derive(Debug, Clone, PartialEq)]
pub enum ModelMessage {
    /// From the person or the application.
    User(String),
    /// An earlier answer.
    Assistant {
        /// Its text, may be empty.
        text: String,
        /// Its calls, may be empty.
        tool_calls: Vec<ToolCall>,
        /// What the provider sent.
        raw: Option<RawMessage>,
    },
    /// The result of a call.
    Tool {
        /// The call's id.
        call_id: String,
        /// What the model sees.
        content: String,
    },
}

/// Tells what is left to do, worked out from the log. The embedded model drafts from it.
#[derive(Debug, Clone, PartialEq)]
pub struct Outlook {
    /// Languages of the session.
    pub languages: LanguagePair,
    /// Folders seen in listings, and the project folder, that were not listed yet; in order, the first few.
    pub unlisted: Vec<ProjectPath>,
    /// Documents seen in listings that were not read yet; in order, the first few.
    pub unread: Vec<ProjectPath>,
    /// Documents read that have open units; in order, the first few.
    pub unfinished: Vec<ProjectPath>,
    /// The next units to propose, in order, of one document; as many as the look-ahead.
    pub next_units: Vec<OpenUnit>,
    /// Terms of these units with their preferred translations.
    pub terms: Vec<(String, String)>,
}

/// Describes one unit to propose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenUnit {
    /// The document.
    pub path: ProjectPath,
    /// The unit, from 1.
    pub unit: usize,
    /// Its source text.
    pub source: String,
    /// The target of the last earlier confirmed unit of this session with the same source.
    pub repeat: Option<String>,
    /// The last draft that the person rejected, so that it is not proposed again.
    pub rejected: Option<String>,
}

/// Holds a model's answer.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelResponse {
    /// What it said, may be empty.
    pub text: String,
    /// Its reasoning where it is shown.
    pub reasoning: Option<String>,
    /// Calls in order, without ids: the core gives its own.
    pub tool_calls: Vec<ProposedCall>,
    /// The provider's message, for replay.
    pub raw: Option<RawMessage>,
    /// Why it ended.
    pub finish: Finish,
    /// Tokens.
    pub usage: Usage,
}

/// Holds a call before it has an id.
#[derive(Debug, Clone, PartialEq)]
pub struct ProposedCall {
    /// Name as written.
    pub name: String,
    /// Its arguments.
    pub arguments: ToolArguments,
    /// Where a draft in it came from; a language model's is `Model`.
    pub origin: Origin,
}

/// Tells why an answer ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Finish {
    /// It was complete; a missing or unknown reason in a complete body counts as this (SPEC 2).
    Stop,
    /// The output limit cut it.
    Length,
    /// The provider held it back.
    Filtered,
}

/// Reports why there is no answer, by what can be done about it (SPEC 6).
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    /// Passes by itself: busy, overloaded, connection lost, stream cut.
    #[error("the model is not available just now: {detail}")]
    Transient {
        /// How long the provider asks to wait, in milliseconds.
        retry_after_ms: Option<u64>,
        /// HTTP status, where there was one.
        status: Option<u16>,
        /// What happened, without document text or key.
        detail: String,
    },
    /// A person has to do something.
    #[error("the model refuses to work: {detail}")]
    NeedsPerson {
        /// What is wrong.
        cause: PersonCause,
        /// HTTP status, where there was one.
        status: Option<u16>,
        /// The provider's words, bounded, without document text or key.
        detail: String,
    },
    /// This answer is of no use, another try may be: empty, cut by length, not decodable.
    #[error("the model's answer cannot be used: {detail}")]
    Unusable {
        /// What is wrong with it.
        detail: String,
        /// What it cost all the same, as far as that is known.
        usage: Usage,
    },
    /// The request is longer than the model takes.
    #[error("the request is too long for the model: {detail}")]
    TooLarge {
        /// The provider's words, bounded.
        detail: String,
    },
}

impl ModelError {
    /// Returns the tokens that were spent on nothing.
    pub fn usage(&self) -> Usage {
        match self {
            Self::Unusable { usage, .. } => *usage,
            Self::Transient { .. } | Self::NeedsPerson { .. } | Self::TooLarge { .. } => {
                Usage::default()
            }
        }
    }

    /// Adds tokens that were spent on nothing.
    #[must_use]
    pub fn costing(self, spent: Usage) -> Self {
        match self {
            Self::Unusable { detail, usage } => Self::Unusable {
                detail,
                usage: usage.plus(spent),
            },
            other @ (Self::Transient { .. } | Self::NeedsPerson { .. } | Self::TooLarge { .. }) => {
                other
            }
        }
    }
}

/// Names what a person has to do about a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum PersonCause {
    /// No key is set and the endpoint wants one.
    NoKey,
    /// The key was refused.
    Unauthorized,
    /// The account has no credit left.
    Billing,
    /// The model's name is unknown there.
    UnknownModel,
    /// The address is wrong or nobody answers there.
    Unreachable,
    /// The server cannot do what is asked of it, for instance tool calls.
    Unsupported,
    /// Anything else that trying again will not mend.
    Refused,
}

/// Answers requests. One call is one attempt: who waits and tries again is the application.
pub trait Model: Send + Sync {
    /// Names provider and model, for instance `openai-compatible:gpt-x`; keys the replay of raw messages.
    fn name(&self) -> &str;

    /// Tells what of its settings decides what goes on the wire, for the record; holds no key and no address.
    fn manner(&self) -> Value {
        Value::Null
    }

    /// Answers one request. Dropping the future cancels it.
    fn complete<'a>(
        &'a self,
        request: &'a ModelRequest,
    ) -> BoxFuture<'a, Result<ModelResponse, ModelError>>;
}
