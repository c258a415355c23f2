//! The log of one session, folded: documents, units, calls, limits and the window of the conversation.
//! Everything here is a pure function of the entries; appending one costs what that entry touches, never
//! what the session holds.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::sync::Arc;

use diglot_document::{
    IssueKind, LanguagePair, Origin, ParseOptions, Rules, Segment, Severity, WhenMissing,
};

use crate::copilot::{AskRequest, CopilotRequest, CopilotResponse, TranslateRequest};
use crate::entry::{Chunk, Entry, Seq, SessionId, UnitRef};
use crate::guide::Guide;
use crate::limits;
use crate::memory::{CheckedRule, MemoryItem, Term};
use crate::message::{Asked, CallId, RefusedReason, ToolCall, Usage};
use crate::terms::{TermEntry, Waiver};
use crate::workspace::{ProjectPath, SourceHash, SourceText};

mod append;
mod document;
mod findings;
mod listed;
mod past;
mod plan;
mod receipt;
mod resolve;
mod rows;
mod tail;
mod terms;
mod undo;
mod view;
mod window;

pub use document::{DocumentState, Former, Parsed, Rejected, Unit};
use findings::{Findings, KnownTerms, flag};
use listed::Listed;
use past::Past;
pub use past::PastDraft;
pub use plan::Plan;
pub use receipt::{Given, GivenTerm, Receipt, Share, ShareKind};
use tail::Tail;
pub use undo::{Action, ActionKind};
use undo::{Doings, Standing};

/// Holds what a session is set to; it is not part of the log and may change between steps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionSettings {
    /// The session.
    pub session: SessionId,
    /// Languages.
    pub languages: LanguagePair,
    /// The person's standing instructions, may be empty.
    pub instructions: String,
    /// Units that a turn proposes.
    pub look_ahead: usize,
    /// Confirmed units after which a chunk ends; the source block has as many and the look-ahead more.
    pub chunk_units: usize,
    /// Soft limit of a unit, in grapheme clusters.
    pub soft_limit: usize,
    /// What the person set for the formats of the project.
    pub rules: Rules,
    /// What becomes of characters that the encoding of a document cannot hold; refused where nothing is said.
    pub when_missing: BTreeMap<ProjectPath, WhenMissing>,
    /// Tokens that the session may spend.
    pub token_cap: Option<u64>,
    /// The guides that the person attached to the project, in order of their titles.
    pub guides: Arc<[Guide]>,
}

impl SessionSettings {
    /// Returns how a document is read in this session, in an encoding that a person chose for it.
    pub fn parse_options(&self, encoding: Option<&str>) -> ParseOptions {
        ParseOptions {
            encoding: encoding.map(str::to_owned),
            soft_limit: Some(self.soft_limit),
            rules: self.rules.clone(),
            source: Some(self.languages.source.clone()),
            target: Some(self.languages.target.clone()),
        }
    }
}

/// Reports an entry that the log cannot take; nothing was changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ContextError {
    /// A result or response names no open call.
    #[error("no open call has the id {0}")]
    NoOpenCall(CallId),
    /// An entry names a source text that was not given.
    #[error("the text of {path} with hash {hash} is missing", hash = hash.0)]
    SourceMissing {
        /// The document.
        path: ProjectPath,
        /// Its hash.
        hash: SourceHash,
    },
    /// A source text that was read before is not readable as a document.
    #[error("{0} cannot be read as a document")]
    NotADocument(ProjectPath),
    /// An entry names a unit that is not there.
    #[error("{path} has no unit {unit}", path = .0.path, unit = .0.unit)]
    NoSuchUnit(UnitRef),
    /// A document is read anew, or a unit set aside or changed, while a draft for it waits.
    #[error("drafts for {0} still wait")]
    DraftsWait(ProjectPath),
    /// A message of the person or the model, or a chunk, comes while calls have no result.
    #[error("calls still have no result")]
    CallsOpen,
    /// An action is taken back or done again out of its order.
    #[error("the action at {seq} is not the next to be taken back or done again", seq = .0.0)]
    OutOfTurn(Seq),
}

/// Holds what the log says of one call.
#[derive(Debug, Clone)]
pub struct CallState {
    /// The call.
    pub call: ToolCall,
    /// Sequence number of its assistant message.
    pub seq: Seq,
    /// What a `Translate` call means.
    pub resolution: Option<Resolution>,
    /// The person's decision.
    pub response: Option<CopilotResponse>,
    /// Whether it has its result.
    pub done: bool,
    /// Rules that the model had been told of when it made the call, as far as texts tell whether they are kept.
    rules: Arc<[CheckedRule]>,
    standing: Standing,
    /// Whether the decision on it can be taken back or done again.
    is_undoable: bool,
}

/// Says what a `Translate` call means; worked out once, when its message is appended.
#[derive(Debug, Clone)]
pub enum Resolution {
    /// A draft for a unit.
    Draft(Draft),
    /// The call cannot be shown; the text tells the model how to mend it.
    Refused {
        /// Why, in one word.
        reason: RefusedReason,
        /// What the model is told.
        text: String,
    },
}

/// Holds a draft that a person may decide on.
#[derive(Debug, Clone)]
pub struct Draft {
    /// The document.
    pub path: ProjectPath,
    /// The unit, from 0.
    pub ordinal: usize,
    /// Its source text as it was when the draft was made.
    pub source: String,
    /// The text; empty when there is none.
    pub target: String,
    /// Where it came from.
    pub origin: Origin,
    findings: Findings,
}

/// Counts what the limits of a run look at; a decision or a message of the person sets it back.
#[derive(Debug, Clone, Default)]
struct Guard {
    n_steps: u32,
    n_refused_turns: u32,
    calls: HashMap<String, u32>,
    most_repeated: u32,
}

/// Holds the window that the model is sent.
#[derive(Debug, Clone)]
struct Window {
    /// The entry that opened it.
    chunk: Arc<Chunk>,
    /// Position in the log right after that entry.
    start: usize,
    /// Bytes of the messages since.
    n_bytes: usize,
    /// Units confirmed since.
    n_confirmed: usize,
    /// Memory that the model was told, by id.
    told: BTreeMap<i64, Told>,
    /// Pages of guides that were given since, by the hash of the guide.
    guides: Vec<(String, usize)>,
    /// Terms that it was told, in order.
    terms: Vec<TermEntry>,
    /// Findings on terms that do not send a draft back.
    waived: HashSet<Waiver>,
    /// Those of memory and terms that texts can be checked for.
    rules: Arc<[CheckedRule]>,
    /// The terms that drafts are checked for.
    known: Arc<KnownTerms>,
}

/// Holds what the model was told of one memory item.
#[derive(Debug, Clone)]
struct Told {
    text: String,
    term: Option<Term>,
    rule: Option<CheckedRule>,
}

impl From<&MemoryItem> for Told {
    fn from(item: &MemoryItem) -> Self {
        Self {
            text: item.text.clone(),
            term: item.term.clone(),
            rule: item.form().map(|form| CheckedRule {
                id: Some(item.id),
                form,
            }),
        }
    }
}

/// Holds the folded log of one session.
#[derive(Debug, Clone)]
pub struct Context {
    settings: SessionSettings,
    log: Tail,
    sources: HashMap<SourceHash, SourceText>,
    parsed: Option<Parsed>,
    documents: BTreeMap<ProjectPath, DocumentState>,
    /// Documents in the order in which they were first read.
    read_order: Vec<ProjectPath>,
    listed: Listed,
    /// Places in `read_order` of documents with open units.
    unfinished: BTreeSet<usize>,
    calls: HashMap<CallId, CallState>,
    /// Drafts whose calls are over, by the number of their call.
    past: HashMap<u64, Past>,
    /// Calls without a result, in order.
    open_calls: Vec<CallId>,
    extractions: VecDeque<CallId>,
    /// Decisions whose lesson is tried again, and how often it was tried.
    postponed: VecDeque<(CallId, u32)>,
    window: Option<Window>,
    /// The document whose page was given last and opens the next chunk.
    wanted: Option<ProjectPath>,
    /// Whether the next request opens a chunk, since the last one was too long.
    reopens: bool,
    /// How often requests were halved; not part of the log, as the settings are not.
    n_halvings: u32,
    guard: Guard,
    skips_refused: HashSet<(ProjectPath, usize, String)>,
    repeats: HashMap<Arc<str>, Arc<str>>,
    /// What the person said, messages and answers to questions, each with its place in the log; of what was said before
    /// the window the latest.
    said: Vec<(usize, String)>,
    /// Whether the last message is one that the model answers.
    model_has_turn: bool,
    last_correction: Seq,
    /// Entries that read a document again.
    rereads: HashSet<Seq>,
    usage: Usage,
    /// How the model was asked, each with the first answer that it holds for.
    asked: Vec<(Seq, Arc<Asked>)>,
    /// Tokens that no entry tells of.
    n_tokens_beside: u64,
    n_units: u64,
    n_confirmed: u64,
    /// Calls on which the person decided, as far as entries that follow tell.
    foretold: HashSet<CallId>,
    touched: BTreeSet<(ProjectPath, usize)>,
    confirmed_now: BTreeSet<(ProjectPath, usize)>,
    doings: Doings,
}

impl Context {
    /// Makes the context of an empty log.
    pub fn new(settings: SessionSettings) -> Self {
        Self {
            settings,
            log: Tail::default(),
            sources: HashMap::new(),
            parsed: None,
            documents: BTreeMap::new(),
            read_order: Vec::new(),
            listed: Listed::default(),
            unfinished: BTreeSet::new(),
            calls: HashMap::new(),
            past: HashMap::new(),
            open_calls: Vec::new(),
            extractions: VecDeque::new(),
            postponed: VecDeque::new(),
            window: None,
            wanted: None,
            reopens: false,
            n_halvings: 0,
            guard: Guard::default(),
            skips_refused: HashSet::new(),
            repeats: HashMap::new(),
            said: Vec::new(),
            model_has_turn: false,
            last_correction: Seq(0),
            rereads: HashSet::new(),
            usage: Usage::default(),
            asked: Vec::new(),
            n_tokens_beside: 0,
            n_units: 0,
            n_confirmed: 0,
            foretold: HashSet::new(),
            touched: BTreeSet::new(),
            confirmed_now: BTreeSet::new(),
            doings: Doings::default(),
        }
    }

    /// Returns the settings.
    pub fn settings(&self) -> &SessionSettings {
        &self.settings
    }

    /// Takes other settings from here on; requests are as long again as they may be, since another model may
    /// be among them. Other instructions hold from the next request on, which opens a chunk.
    pub fn set_settings(&mut self, settings: SessionSettings) {
        self.reopens |= self.settings.instructions != settings.instructions;
        self.settings = settings;
        self.n_halvings = 0;
    }

    /// Counts tokens that no entry tells of: those of lessons, and of answers that could not be used.
    pub fn spend(&mut self, n_tokens: u64) {
        self.n_tokens_beside += n_tokens;
    }

    /// Returns the tokens of the session.
    pub fn n_tokens(&self) -> u64 {
        self.usage.total() + self.n_tokens_beside
    }

    /// Tells whether the session's tokens are spent.
    pub fn is_spent(&self) -> bool {
        let cap = self.settings.token_cap;
        cap.is_some_and(|cap| self.n_tokens() >= cap)
    }

    /// Halves what a request holds, says the rest in fewer words and opens a new chunk with the next request, for
    /// a model that takes less at once. Answers whether that was still possible.
    pub fn shrink(&mut self) -> bool {
        if self.n_halvings >= limits::HALVINGS {
            return false;
        }
        self.n_halvings += 1;
        self.reopens = true;
        true
    }

    /// Tells whether requests are kept short for a model that takes little.
    pub fn is_brief(&self) -> bool {
        self.n_halvings > 0
    }

    /// Returns how often requests were halved for a model that takes little.
    pub(crate) fn n_halvings(&self) -> u32 {
        self.n_halvings
    }

    /// Returns how many units a turn proposes.
    pub fn look_ahead(&self) -> usize {
        let most = if self.is_brief() {
            limits::SHORT_LOOK_AHEAD
        } else {
            usize::MAX
        };
        self.settings.look_ahead.min(most)
    }

    /// Returns the confirmed units after which a chunk ends.
    fn chunk_units(&self) -> usize {
        let units = self.settings.chunk_units;
        self.halved(units)
            .max(limits::FEWEST_CHUNK_UNITS.min(units))
    }

    /// Halves a bound as often as the model found requests too long.
    fn halved(&self, bound: usize) -> usize {
        bound >> self.n_halvings
    }

    /// Returns the sequence number of the last entry, 0 for an empty log.
    pub fn seq(&self) -> Seq {
        Seq(self.log.len() as u64)
    }

    /// Returns the entries after a sequence number, in order, as far as they are held.
    pub fn entries_since(&self, seq: Seq) -> impl DoubleEndedIterator<Item = (Seq, &Arc<Entry>)> {
        let first = seq.max(self.held_since());
        let entries = self.log.since(first.0 as usize).iter().enumerate();
        entries.map(move |(place, entry)| (Seq(first.0 + place as u64 + 1), entry))
    }

    /// Returns the sequence number after which entries are held; those up to it are in the store alone.
    pub fn held_since(&self) -> Seq {
        self.log.held_since()
    }

    /// Gives a source text that the next entries name.
    pub fn add_source(&mut self, source: SourceText) {
        self.sources.insert(source.hash.clone(), source);
    }

    /// Returns a document that was read.
    pub fn document(&self, path: &ProjectPath) -> Option<&DocumentState> {
        self.documents.get(path)
    }

    /// Returns the documents that were read, in that order.
    pub fn documents(&self) -> impl Iterator<Item = (&ProjectPath, &DocumentState)> {
        self.read_order
            .iter()
            .filter_map(|path| Some((path, self.documents.get(path)?)))
    }

    /// Returns the documents that were read and have open units, in that order.
    pub(crate) fn unfinished(&self) -> impl Iterator<Item = &ProjectPath> {
        self.unfinished
            .iter()
            .filter_map(|place| self.read_order.get(*place))
    }

    /// Tells whether an entry reads a document that was read before.
    pub fn is_reread(&self, seq: Seq) -> bool {
        self.rereads.contains(&seq)
    }

    /// Returns what the log says of a call; of a draft whose call is over only what [`Context::past_draft`] tells.
    pub fn call(&self, id: &CallId) -> Option<&CallState> {
        self.calls.get(id)
    }

    /// Returns the calls without a result, in order.
    pub fn open_calls(&self) -> &[CallId] {
        &self.open_calls
    }

    /// Returns the decisions that memory has not learnt from yet, oldest first.
    pub fn open_extractions(&self) -> impl Iterator<Item = &CallId> {
        self.extractions.iter()
    }

    /// Returns the decisions that memory could not learn from yet and tries again, with the number of tries so far. Nothing
    /// waits for them.
    pub fn postponed_extractions(&self) -> impl Iterator<Item = (&CallId, u32)> {
        self.postponed.iter().map(|(id, n_tries)| (id, *n_tries))
    }

    /// Tells whether memory can still learn from a decision.
    pub(crate) fn is_to_be_learnt(&self, id: &CallId) -> bool {
        self.extractions.contains(id) || self.n_tries(id) > 0
    }

    /// Returns how often the lesson of a decision was tried in vain.
    pub(crate) fn n_tries(&self, id: &CallId) -> u32 {
        let mut postponed = self.postponed_extractions();
        postponed
            .find(|(open, _)| *open == id)
            .map_or(0, |(_, n_tries)| n_tries)
    }

    fn forget_lesson(&mut self, id: &CallId) {
        self.extractions.retain(|open| open != id);
        self.postponed.retain(|(open, _)| open != id);
    }

    /// Returns the tokens spent.
    pub fn usage(&self) -> Usage {
        self.usage
    }

    /// Tells whether a call waits for a person.
    pub fn is_waiting(&self, id: &CallId) -> bool {
        self.calls.get(id).is_some_and(CallState::waits)
    }

    /// Returns the calls that may wait for a person: those without a result, then those whose decision was taken
    /// back.
    fn pending(&self) -> impl Iterator<Item = &CallId> {
        self.open_calls.iter().chain(&self.doings.reopened)
    }

    /// Returns what waits for a person, in order.
    pub fn requests(&self) -> Vec<CopilotRequest> {
        self.pending()
            .filter_map(|id| self.request_of(id))
            .collect()
    }

    /// Returns what a call waits for, if it waits.
    pub fn request_of(&self, id: &CallId) -> Option<CopilotRequest> {
        let state = self.calls.get(id).filter(|state| state.waits())?;
        match &state.resolution {
            Some(Resolution::Draft(draft)) => {
                let mut issues = self.issues(draft).to_vec();
                if state.seq < self.last_correction && !draft.target.is_empty() {
                    issues.push(flag(IssueKind::Outdated, Severity::Warning));
                }
                Some(CopilotRequest::Translate(TranslateRequest {
                    call_id: id.clone(),
                    path: draft.path.clone(),
                    unit: draft.ordinal + 1,
                    source: draft.source.clone(),
                    target: draft.target.clone(),
                    origin: draft.origin,
                    issues,
                }))
            }
            Some(Resolution::Refused { .. }) => None,
            None => {
                let ask = crate::tools::ask::read(&state.call).ok()?;
                Some(CopilotRequest::Ask(AskRequest {
                    call_id: id.clone(),
                    question: ask.question,
                    options: ask.options,
                    kind: ask.kind,
                }))
            }
        }
    }

    /// Returns a segment of a document that was read.
    pub fn segment(&self, path: &ProjectPath, ordinal: usize) -> Option<&Segment> {
        self.documents.get(path)?.segments().get(ordinal)
    }

    /// Returns the draft of a call that proposes one.
    pub fn draft(&self, id: &CallId) -> Option<&Draft> {
        match self.calls.get(id)?.resolution.as_ref()? {
            Resolution::Draft(draft) => Some(draft),
            Resolution::Refused { .. } => None,
        }
    }
}

#[cfg(test)]
mod tests;
