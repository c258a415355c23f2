//! A session as the screen shows it.

use diglot_agent::Fault;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::action::ActionView;
use super::document::{DiffPieceView, IssueView, OriginView, PartView, UnitKindView};
use crate::error::ApiError;

/// Shows a session in a list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct SessionSummary {
    /// Its id.
    #[ts(type = "number")]
    pub id: i64,
    /// Its title.
    pub title: String,
    /// The project.
    pub project_id: String,
    /// Absolute path of the folder.
    pub folder: String,
    /// Absolute path of the target folder.
    pub target_folder: String,
    /// BCP 47 tag.
    pub source_language: String,
    /// BCP 47 tag.
    pub target_language: String,
    /// Units of the project, as far as they were counted.
    #[ts(type = "number")]
    pub n_units: u64,
    /// Units that a person confirmed.
    #[ts(type = "number")]
    pub n_confirmed: u64,
    /// Requests that wait for a person.
    #[ts(type = "number")]
    pub n_waiting: u64,
    /// Tokens spent.
    #[ts(type = "number")]
    pub n_tokens: u64,
    /// When it was made, in Unix milliseconds.
    #[ts(type = "number")]
    pub created_at: i64,
    /// When it last changed, in Unix milliseconds.
    #[ts(type = "number")]
    pub updated_at: i64,
    /// Whether a part of it cannot be read, so that it is only shown.
    pub is_damaged: bool,
}

/// Shows a page of the history.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct SessionPage {
    /// Sessions, newest first.
    pub sessions: Vec<SessionSummary>,
    /// Position of the first, from 0.
    pub offset: usize,
    /// Sessions in all that fit the query.
    pub n_total: usize,
    /// Sessions of this page that cannot be read at all; they stay stored.
    pub n_unreadable: usize,
}

/// Shows an open session.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a fact of its own that the screen shows"
)]
pub struct SessionView {
    /// Its summary.
    pub session: SessionSummary,
    /// Sequence number of its last entry.
    #[ts(type = "number")]
    pub seq: u64,
    /// Who must act next.
    pub actor: ActorView,
    /// Whether the agent is at work now.
    pub running: bool,
    /// Why the agent does not go on by itself, where a limit or an end is the reason.
    pub finish: Option<FinishView>,
    /// The last failed attempt that nothing followed yet.
    pub attempt: Option<AttemptView>,
    /// Requests that wait for a person, in document order.
    pub requests: Vec<RequestView>,
    /// The conversation after `sinceSeq`, oldest first; the last 200 turns without it.
    pub turns: Vec<TurnView>,
    /// Whether earlier turns were left out.
    pub has_earlier: bool,
    /// Progress of each document that was listed, in order.
    pub files: Vec<ProgressView>,
    /// Target files that need a decision or could not be written.
    pub target_problems: Vec<TargetProblemView>,
    /// Whether the project's folder is there.
    pub folder_present: bool,
    /// Instructions that the person gave at the start.
    pub instructions: String,
    /// The person's name for the model that drafts.
    pub provider: String,
    /// Decisions whose lesson is not drawn yet.
    pub n_learning: usize,
    /// What can be taken back next.
    pub undo: Option<ActionView>,
    /// What can be done again next.
    pub redo: Option<ActionView>,
    /// Whether the log is still being read: progress and texts are there, while the conversation and what waits for the
    /// person are missing until `sessionChanged` tells that they are there, too.
    #[serde(default)]
    pub is_opening: bool,
}

/// Names who must act next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub enum ActorView {
    /// The agent.
    Agent,
    /// The person.
    User,
}

/// Names why the agent has stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub enum FinishView {
    /// Every unit of every document is confirmed.
    Complete,
    /// The agent ended its turn and units are open.
    TurnEnded,
    /// Too many steps without a decision.
    StepLimit,
    /// The same call again and again.
    RepeatedCall,
    /// Faulty drafts again and again.
    RefusedCalls,
    /// The session's token cap is reached.
    TokenCap,
}

/// Shows a failed attempt.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct AttemptView {
    /// What went wrong.
    pub error: ApiError,
    /// When it is tried again, in Unix milliseconds; `None` when it is not.
    #[ts(type = "number | null")]
    pub try_again_at: Option<i64>,
    /// Tries so far.
    pub n_tries: u32,
}

/// Shows a request that waits for a person.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "camelCase")]
#[ts(export)]
pub enum RequestView {
    /// A draft.
    Translate(ProposalView),
    /// A question.
    Ask(QuestionView),
}

/// Shows a draft under review.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct ProposalView {
    /// The request.
    pub call_id: String,
    /// The document.
    pub path: String,
    /// The unit, from 1.
    pub unit: usize,
    /// What kind of text.
    pub unit_kind: UnitKindView,
    /// Source text.
    pub source: String,
    /// Source text in pieces, placeables marked.
    pub source_parts: Vec<PartView>,
    /// The draft; empty when there is none.
    pub target: String,
    /// The draft that the person refused before, where there is no other: a text to begin from.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub rejected: Option<String>,
    /// Where it came from.
    pub origin: OriginView,
    /// Findings.
    pub issues: Vec<IssueView>,
    /// What the draft is in the place of, where the person refused another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub redraft: Option<RedraftView>,
}

/// Shows a draft beside the one that the person refused before it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct RedraftView {
    /// What became of the refused draft, in reading order.
    pub pieces: Vec<DiffPieceView>,
    /// What was wrong with it.
    pub fault: Option<FaultView>,
    /// The piece that was wrong.
    pub marked: Option<String>,
    /// The person's own words; may be empty.
    pub reason: String,
}

/// Names what is wrong with a draft.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub enum FaultView {
    /// A term.
    Term,
    /// The meaning.
    Meaning,
    /// Something is missing.
    Omission,
    /// Something was added.
    Addition,
    /// The register or tone.
    Register,
    /// It follows the source too closely.
    TooLiteral,
    /// Numbers, punctuation or markup.
    Format,
}

impl From<FaultView> for Fault {
    fn from(fault: FaultView) -> Self {
        match fault {
            FaultView::Term => Self::Term,
            FaultView::Meaning => Self::Meaning,
            FaultView::Omission => Self::Omission,
            FaultView::Addition => Self::Addition,
            FaultView::Register => Self::Register,
            FaultView::TooLiteral => Self::TooLiteral,
            FaultView::Format => Self::Format,
        }
    }
}

impl From<Fault> for FaultView {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Term => Self::Term,
            Fault::Meaning => Self::Meaning,
            Fault::Omission => Self::Omission,
            Fault::Addition => Self::Addition,
            Fault::Register => Self::Register,
            Fault::TooLiteral => Self::TooLiteral,
            Fault::Format => Self::Format,
        }
    }
}

/// Shows a question of the agent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct QuestionView {
    /// The request.
    pub call_id: String,
    /// The question.
    pub question: String,
    /// Answers to choose from.
    pub options: Vec<String>,
}

/// Shows one turn of the conversation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct TurnView {
    /// Sequence number of the entry that it comes from.
    #[ts(type = "number")]
    pub seq: u64,
    /// What was said or done.
    pub turn: TurnKind,
}

/// Holds what was said or done in a turn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(
    tag = "kind",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
#[ts(export)]
pub enum TurnKind {
    /// The person wrote.
    User {
        /// What.
        text: String,
    },
    /// The agent wrote.
    Agent {
        /// What.
        text: String,
        /// Its reasoning, to be shown folded.
        reasoning: Option<String>,
    },
    /// The agent listed a folder.
    Listed {
        /// The folder; empty for the project.
        path: String,
        /// Entries found.
        n_entries: usize,
    },
    /// The agent read units.
    Read {
        /// The document.
        path: String,
        /// First unit.
        from_unit: usize,
        /// Last unit.
        to_unit: usize,
    },
    /// The agent looked up a guide.
    Guided {
        /// Its title.
        title: String,
    },
    /// The agent drafted a unit.
    Drafted {
        /// The document.
        path: String,
        /// The unit.
        unit: usize,
        /// Its request.
        call_id: String,
        /// What became of it.
        outcome: OutcomeView,
    },
    /// The agent asked.
    Asked {
        /// The request.
        call_id: String,
        /// The question.
        question: String,
        /// Answers to choose from.
        options: Vec<String>,
        /// The person's answer; `None` while it waits or when it was cancelled.
        answer: Option<String>,
        /// What became of it.
        outcome: OutcomeView,
    },
    /// A call that a tool refused.
    Refused {
        /// The tool's name as the model wrote it.
        tool: String,
        /// What the model was told.
        text: String,
    },
    /// The person changed a confirmed unit.
    Revised {
        /// The document.
        path: String,
        /// The unit.
        unit: usize,
    },
    /// The person set a unit aside.
    Skipped {
        /// The document.
        path: String,
        /// The unit.
        unit: usize,
    },
    /// The person took an action back.
    Undone {
        /// What.
        action: ActionView,
    },
    /// The person did again what they took back.
    Redone {
        /// What.
        action: ActionView,
    },
    /// Memory learnt from a decision, or says why not.
    Learnt {
        /// What was learnt, as sentences.
        items: Vec<String>,
        /// What went wrong.
        failure: Option<String>,
    },
    /// A document changed on disk and was read anew.
    SourceChanged {
        /// The document.
        path: String,
    },
}

/// Names what became of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub enum OutcomeView {
    /// Waits for the person.
    Waiting,
    /// Approved.
    Approved,
    /// Refined.
    Refined,
    /// Rejected.
    Rejected,
    /// Answered.
    Answered,
    /// Set aside or withdrawn.
    SetAside,
}

/// Shows the progress of a document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct ProgressView {
    /// The document.
    pub path: String,
    /// Units in it; `None` until they were counted.
    pub n_units: Option<usize>,
    /// Units that a person confirmed.
    pub n_confirmed: usize,
    /// The next open unit, from 1.
    pub next_open: Option<usize>,
}

/// Shows what is wrong with a target file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct TargetProblemView {
    /// The document.
    pub path: String,
    /// Absolute path of the target file.
    pub target: String,
    /// What is wrong.
    pub error: ApiError,
}
