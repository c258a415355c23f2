//! What a draft was made from, as the screen shows it.

use serde::Serialize;
use ts_rs::TS;

use super::document::OriginView;
use super::settings::ProtocolChoice;

/// Shows what one draft was made from.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct ReceiptView {
    /// The request that the draft answered, or the one that it waits for.
    pub call_id: String,
    /// Where the text came from.
    pub origin: OriginView,
    /// The model's name; `None` where the log does not tell it.
    pub model: Option<String>,
    /// Host of the provider; `None` for what this program drafts itself.
    pub host: Option<String>,
    /// How tools were called.
    pub protocol: Option<ProtocolChoice>,
    /// Tokens of the request and its answer.
    pub usage: UsageView,
    /// Drafts that the answer held; they share its tokens.
    pub n_drafts: usize,
    /// Names the memory that held; empty when there was none.
    pub memory_version: String,
    /// Rules that were given, in the order in which the model was told.
    pub given: Vec<GivenView>,
    /// Terms that were given for the units at hand.
    pub terms: Vec<GivenTermView>,
    /// Confirmed pairs that were shown as examples, oldest first.
    pub pairs: Vec<PairView>,
    /// Matches of the translation memory that were shown for this unit.
    pub matches: Vec<GivenMatchView>,
    /// The source text that was shown around the unit.
    pub block: Option<BlockView>,
    /// How the tokens of the request are shared among what it is made of; empty when nothing was sent.
    pub shares: Vec<ShareView>,
    /// Whether a request left this program.
    pub was_sent: bool,
    /// Whether the request is known to be, byte for byte, the one that was sent.
    pub is_exact: bool,
    /// Body of the request, where it was asked for and something was sent.
    pub request: Option<String>,
}

/// Counts tokens of model calls.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct UsageView {
    /// Tokens of the prompts.
    #[ts(type = "number")]
    pub n_input: u64,
    /// Those of them that came from the provider's cache.
    #[ts(type = "number")]
    pub n_cached: u64,
    /// Tokens of the answers.
    #[ts(type = "number")]
    pub n_output: u64,
}

/// Shows a rule that a draft was given.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct GivenView {
    /// Its id.
    #[ts(type = "number")]
    pub id: i64,
    /// Its words as they were then.
    pub text: String,
    /// Whether it was told in the middle of the conversation.
    pub is_late: bool,
}

/// Shows a term that a draft was given.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct GivenTermView {
    /// In the source language.
    pub source: String,
    /// In the target language.
    pub target: String,
    /// Whether it must not stand in the translation.
    pub is_forbidden: bool,
    /// Whether it was told in the middle of the conversation.
    pub is_late: bool,
    /// Whether it stands in the unit's source.
    pub concerns: bool,
}

/// Shows a confirmed pair.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct PairView {
    /// Source text.
    pub source: String,
    /// Target text.
    pub target: String,
}

/// Shows a match that a draft was given.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct GivenMatchView {
    /// How alike the sources are, in percent.
    pub percent: u8,
    /// Its source.
    pub source: String,
    /// Its target.
    pub target: String,
}

/// Names units whose source was shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct BlockView {
    /// The document.
    pub path: String,
    /// First unit, from 1.
    pub from_unit: usize,
    /// Last unit.
    pub to_unit: usize,
}

/// Shows how many tokens of a request are due to one source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct ShareView {
    /// The source.
    pub kind: ShareKindView,
    /// Its tokens: by length, brought to the sum that the provider counted.
    #[ts(type = "number")]
    pub n_tokens: u64,
}

/// Names what a request is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub enum ShareKindView {
    /// Role, workflow, languages, instructions.
    System,
    /// Descriptions of the tools.
    Tools,
    /// Rules that were learnt.
    Memory,
    /// Terms.
    Terms,
    /// What the person said.
    Messages,
    /// Confirmed pairs.
    Examples,
    /// Matches of the translation memory.
    Matches,
    /// Source text.
    Source,
    /// Drafts, decisions and messages before.
    Turns,
}
