//! The log: what happened in a session, in order, append-only.

use std::fmt;

use diglot_document::{Rules, UnitState};
use serde::{Deserialize, Serialize};

use crate::copilot::CopilotResponse;
use crate::guide::GuideNote;
use crate::matches::TmMatch;
use crate::memory::{MemoryItem, MemoryOp};
use crate::message::{CallId, Message, Replayed};
use crate::terms::{TermEntry, Waiver};
use crate::workspace::{ProjectPath, SourceHash};

/// Version of the stored form of [`Entry`]; older ones stay readable.
pub const ENTRY_FORMAT: u32 = 3;

/// Counts the entries of a session; the first has number 1.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
pub struct Seq(pub u64);

/// Identifies a session: the row of the store that made it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SessionId(pub i64);

impl fmt::Display for SessionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Holds one thing that happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", content = "value", rename_all = "camelCase")]
pub enum Entry {
    /// A message of the conversation.
    Message(Message),
    /// A document's text as it was when the session first read it, or read it anew.
    SourceRead(SourceRead),
    /// A person's decision on one copilot request.
    Response(CopilotResponse),
    /// A person changed a confirmed unit later.
    Revision(Revision),
    /// A person passes over a unit for now; it stays open.
    Skip(UnitRef),
    /// What memory learnt from one decision, or why it learnt nothing.
    Extraction(Extraction),
    /// What the model is told beside the conversation: memory that changed since the chunk began, and what is
    /// to be done next.
    Lesson(Lesson),
    /// A new window of the conversation for the model begins here.
    Chunk(Chunk),
    /// A person takes their last action on units back; since format 2.
    Undo(Reversal),
    /// A person does again what they took back last; since format 2.
    Redo(Reversal),
}

impl Entry {
    /// Reads the stored form of a message without what only the window of the conversation needs of it.
    ///
    /// # Errors
    /// When it is no message.
    pub fn replayed(stored: &str) -> serde_json::Result<Self> {
        #[derive(Deserialize)]
        struct Tagged {
            value: Replayed,
        }
        let message: Tagged = serde_json::from_str(stored)?;
        Ok(Self::Message(message.value.0))
    }
}

/// Records that a document was read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SourceRead {
    /// The document.
    pub path: ProjectPath,
    /// Hash of its bytes; the store keeps them once per hash.
    pub hash: SourceHash,
    /// Encoding that the person chose, as a WHATWG label.
    pub encoding: Option<String>,
    /// What the person had set for the formats of the project; it decides what the units are.
    #[serde(default, skip_serializing_if = "is_default")]
    pub rules: Rules,
}

fn is_default(rules: &Rules) -> bool {
    *rules == Rules::default()
}

/// Names one unit.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct UnitRef {
    /// The document.
    pub path: ProjectPath,
    /// The unit, from 1.
    pub unit: usize,
}

/// Records a later change of a confirmed unit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Revision {
    /// The unit.
    pub unit: UnitRef,
    /// Its new target; never empty.
    pub target: String,
    /// When, in Unix milliseconds.
    pub at: i64,
}

/// Names an action of a person that is taken back or done again: always the last one that can be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Reversal {
    /// Sequence number of its entry; of the first one for a bulk approval.
    pub of: Seq,
    /// When, in Unix milliseconds.
    pub at: i64,
}

/// Records what became of one memory job.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Extraction {
    /// The decision that it learnt from.
    pub call_id: CallId,
    /// What was taken over, may be empty.
    pub ops: Vec<MemoryOp>,
    /// What was refused or went wrong, in plain words.
    pub failure: Option<String>,
    /// Whether it is tried again beside a later decision, since the model could not be asked just then.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub again: bool,
}

/// Records what the model is told inside a chunk; stands where it is told.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Lesson {
    /// Items that hold from here on, new or changed, without their evidence.
    pub items: Vec<MemoryItem>,
    /// Texts of items that hold no longer.
    pub withdrawn: Vec<String>,
    /// What is to be done next, where the person lets the model go on after it ended its turn.
    #[serde(default)]
    pub next: Option<String>,
    /// How units stand now of which the model was told another decision before.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub units: Vec<UnitNote>,
    /// Terms of the units at hand that the model was not told yet, or otherwise.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub terms: Vec<TermEntry>,
    /// Terms that it was told and that hold no longer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ended_terms: Vec<TermEntry>,
    /// Findings on terms that the person waived since, not told.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub waived: Vec<Waiver>,
}

/// Tells a model how a unit stands after the person thought again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct UnitNote {
    /// The unit.
    pub unit: UnitRef,
    /// Its state.
    pub state: UnitState,
    /// The confirmed target, or the reason of a rejection.
    pub text: Option<String>,
}

/// Opens a window: what the model is sent starts with this and goes on with the turns after it. It keeps
/// what was true then, so the same log always gives the same request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Chunk {
    /// The document at hand; `None` before the first is read.
    pub path: Option<ProjectPath>,
    /// First unit of the source block, from 1.
    pub from_unit: usize,
    /// Last unit of the source block; `from_unit - 1` when there is none.
    pub to_unit: usize,
    /// The active memory but its terms, without its evidence.
    pub memory: Vec<MemoryItem>,
    /// The confirmed pairs just before the block, oldest first.
    #[serde(default)]
    pub pairs: Vec<(String, String)>,
    /// Units of the block that were confirmed already, ascending.
    #[serde(default)]
    pub confirmed: Vec<usize>,
    /// Translation memory matches for open units of the block.
    pub matches: Vec<ChunkMatch>,
    /// Terms of open units of the block, in order of their units.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub terms: Vec<TermEntry>,
    /// Findings on terms that the person waived for open units of the block, not told.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub waived: Vec<Waiver>,
    /// What is to be done next, for the model; ends the head of the chunk.
    #[serde(default)]
    pub next: String,
    /// The guides of the project, which the model may load.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub guides: Vec<GuideNote>,
}

/// Holds one match that a chunk shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ChunkMatch {
    /// The unit, from 1.
    pub unit: usize,
    /// What the translation memory holds.
    pub found: TmMatch,
}
