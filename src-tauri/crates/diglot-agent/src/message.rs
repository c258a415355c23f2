//! The conversation as a model knows it: messages, tool calls and their results.

use std::fmt;

use diglot_document::{Origin, UnitState};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::entry::Seq;
use crate::workspace::{DirEntry, ProjectPath};

mod stored;

pub(crate) use stored::Replayed;

/// Ids that a message has for its calls.
const CALLS_IN_MESSAGE: u64 = 36 * 36;

/// Identifies a tool call: nine base-36 characters made from the sequence number of its message and
/// its place in it (SPEC 10.4), so that it is unique in a session without randomness. Some providers
/// take exactly this form and no other.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct CallId(String);

impl CallId {
    /// Makes the id of call `place` (from 0) in the assistant message at `seq`.
    pub fn new(seq: Seq, place: usize) -> Self {
        const DIGITS: &[u8; 36] = b"0123456789abcdefghijklmnopqrstuvwxyz";
        // 36^7 messages and 36^2 calls in each: more than a session can hold.
        let mut rest = seq.0 * CALLS_IN_MESSAGE + (place as u64 % CALLS_IN_MESSAGE);
        let mut id = ['0'; 9];
        for slot in id.iter_mut().rev() {
            *slot = DIGITS
                .get((rest % 36) as usize)
                .map_or('0', |digit| char::from(*digit));
            rest /= 36;
        }
        Self(id.iter().collect())
    }

    /// Takes an id that came from outside, unchecked; it names a call only if a log holds it.
    pub fn from_text(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// Makes the id that stands for a number.
    pub(crate) fn of_number(number: u64) -> Self {
        let place = usize::try_from(number % CALLS_IN_MESSAGE).unwrap_or_default();
        Self::new(Seq(number / CALLS_IN_MESSAGE), place)
    }

    /// Returns the number that the id stands for, if it was made here.
    pub(crate) fn number(&self) -> Option<u64> {
        let is_digit = |c: char| c.is_ascii_digit() || c.is_ascii_lowercase();
        let is_ours = self.0.len() == 9 && self.0.chars().all(is_digit);
        is_ours.then(|| u64::from_str_radix(&self.0, 36).ok())?
    }

    /// Returns the sequence number of its message, if the id was made here.
    pub fn seq(&self) -> Option<Seq> {
        self.number().map(|number| Seq(number / CALLS_IN_MESSAGE))
    }

    /// Returns the id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for CallId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Holds the arguments of a call as the model sent them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ToolArguments {
    /// A JSON object, or what stands in for one; the tool judges its fields.
    Parsed(Value),
    /// Text that is no JSON object even after one decoding.
    Malformed(String),
}

impl ToolArguments {
    /// Returns the arguments as text.
    pub fn to_text(&self) -> String {
        match self {
            Self::Parsed(value) => value.to_string(),
            Self::Malformed(text) => text.clone(),
        }
    }
}

/// Asks for a tool to be run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolCall {
    /// Our own id.
    pub id: CallId,
    /// Name as the model wrote it.
    pub name: String,
    /// Its arguments.
    pub arguments: ToolArguments,
    /// Where a draft in it came from; never sent.
    pub origin: Origin,
}

/// Answers one tool call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolResult {
    /// The call that it answers.
    pub call_id: CallId,
    /// What the model sees.
    pub content: String,
    /// What the application keeps beside it; never sent.
    pub detail: ToolDetail,
}

/// Says what a result means for the application.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(
    tag = "kind",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub enum ToolDetail {
    /// Folders were listed.
    Listing {
        /// The folder asked for, and those below it that the answer had room for.
        folders: Vec<ProjectPath>,
        /// Their entries, in order, without what was left out.
        entries: Vec<DirEntry>,
    },
    /// Units of a document were given.
    Page {
        /// The document.
        path: ProjectPath,
        /// First unit given, from 1; equal to `to_unit + 1` when none was.
        from_unit: usize,
        /// Last unit given.
        to_unit: usize,
    },
    /// A page of a guide was given, or stands above already; since format 3.
    Guide {
        /// Title of the guide.
        title: String,
        /// Hash of its text.
        hash: String,
        /// The page, from 1.
        page: usize,
    },
    /// A person decided on a draft.
    Decided {
        /// The document.
        path: ProjectPath,
        /// The unit, from 1.
        unit: usize,
        /// What became of it.
        state: UnitState,
    },
    /// A person answered a question.
    Answered,
    /// The person set the call aside: wrote a message instead, cancelled, or skipped the unit.
    SetAside,
    /// The file changed on disk, so the draft was withdrawn.
    SourceChanged {
        /// The document.
        path: ProjectPath,
    },
    /// The tool itself refused; never shown as a decision, never learnt from.
    Refused {
        /// Why, in one word.
        reason: RefusedReason,
    },
}

/// Names why a tool refused a call without asking a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum RefusedReason {
    /// No tool has this name.
    UnknownTool,
    /// The arguments do not fit.
    Arguments,
    /// The path is outside the project or does not exist.
    Path,
    /// The document was not read in this session, or changed since.
    NotRead,
    /// No unit fits.
    NotFound,
    /// An earlier unit was passed over.
    Skip,
    /// The unit is confirmed already or waits for a person.
    AlreadyDone,
    /// Part of a unit, or several in one.
    Extent,
    /// No text.
    Empty,
    /// Placeables or structure lost.
    Structure,
    /// A term is not met, or translated as it must not be; since format 3.
    Terms,
}

/// Holds one message of the conversation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(
    tag = "role",
    rename_all = "camelCase",
    rename_all_fields = "camelCase",
    try_from = "stored::Stored<RawMessage>"
)]
pub enum Message {
    /// The person wrote.
    User {
        /// What.
        text: String,
    },
    /// The model answered; it has a text, a call, or both.
    Assistant {
        /// What it said; may be empty beside calls.
        text: String,
        /// Its reasoning where the provider shows it; never part of a target.
        reasoning: Option<String>,
        /// The calls, in order, may be empty.
        tool_calls: Vec<ToolCall>,
        /// What the provider sent, for replaying to that provider only.
        raw: Option<RawMessage>,
        /// Tokens of this call.
        usage: Usage,
        /// How it was asked, where that is other than for the answer before.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        asked: Option<Box<Asked>>,
    },
    /// A tool answered.
    Tool(ToolResult),
}

/// Keeps a provider's own message: some providers refuse a tool loop whose opaque fields were dropped,
/// others refuse those fields, so it goes back to where it came from and nowhere else.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RawMessage {
    /// Provider and model that sent it, as `Model::name` gives it.
    pub provider: String,
    /// The message object as received; its call ids are replaced by ours on replay.
    pub message: Value,
}

/// Records how a model is asked from one answer on: with the log, all that it takes to make its requests again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Asked {
    /// Provider and model, as `Model::name` gives it.
    pub model: String,
    /// What of the model's settings decides what goes on the wire, as `Model::manner` gives it.
    #[serde(default)]
    pub manner: Value,
    /// The person's standing instructions.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub instructions: String,
    /// Units that a turn proposes.
    pub look_ahead: usize,
    /// Names of the tools that may be called, in order.
    pub tools: Vec<String>,
    /// How often requests were halved for a model that takes little.
    pub n_halvings: u32,
    /// Version of the program, whose words the rest of a request is made of.
    pub program: String,
}

/// Counts the tokens of one model call, as far as the provider tells.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Usage {
    /// Tokens of the prompt.
    pub n_input: u64,
    /// Those of them that came from the provider's cache.
    pub n_cached: u64,
    /// Tokens of the answer.
    pub n_output: u64,
}

impl Usage {
    /// Adds another call's tokens.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            n_input: self.n_input.saturating_add(other.n_input),
            n_cached: self.n_cached.saturating_add(other.n_cached),
            n_output: self.n_output.saturating_add(other.n_output),
        }
    }

    /// Returns prompt and answer together.
    pub fn total(self) -> u64 {
        self.n_input.saturating_add(self.n_output)
    }
}
