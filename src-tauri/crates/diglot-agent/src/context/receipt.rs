//! What a draft was made from, read back from the log: the rules, pairs and matches that its model was shown, and how
//! the tokens of the request are shared among them. Nothing here is stored.

use std::collections::BTreeMap;
use std::sync::Arc;

use diglot_document::{Origin, review_terms};

use super::{Context, Resolution};
use crate::entry::{Chunk, Entry, Lesson, Seq};
use crate::matches::TmMatch;
use crate::memory::{MemoryItem, MemoryKind};
use crate::message::{Asked, CallId, Message, Usage};
use crate::model::{ModelMessage, ModelRequest};
use crate::prompt;
use crate::terms::{TermEntry, term_lines};
use crate::tokens::estimate;
use crate::workspace::ProjectPath;

/// Says what one draft was made from.
#[derive(Debug, Clone, PartialEq)]
pub struct Receipt {
    /// The call that proposed it.
    pub call_id: CallId,
    /// The answer that the call stood in.
    pub answer: Seq,
    /// Where the text came from.
    pub origin: Origin,
    /// How the model was asked; `None` in a log of a version that did not keep it.
    pub asked: Option<Arc<Asked>>,
    /// Tokens of the answer and its request, of all drafts in it together.
    pub usage: Usage,
    /// Drafts of the answer.
    pub n_drafts: usize,
    /// The rules that held then, in the order in which the model was told.
    pub given: Vec<Given>,
    /// The terms that it was told for the units at hand.
    pub terms: Vec<GivenTerm>,
    /// Names rules and terms: the same words have the same name.
    pub memory_version: String,
    /// Confirmed pairs that were shown, oldest first.
    pub pairs: Vec<(String, String)>,
    /// Translation memory matches that were shown for this unit.
    pub matches: Vec<TmMatch>,
    /// The units whose source was shown: the document, the first and the last.
    pub block: Option<(ProjectPath, usize, usize)>,
}

/// Holds one item of memory that a draft was given.
#[derive(Debug, Clone, PartialEq)]
pub struct Given {
    /// Its id.
    pub id: i64,
    /// What it is about.
    pub kind: MemoryKind,
    /// Its words as they were then.
    pub text: String,
    /// Whether it was told after the chunk had begun.
    pub is_late: bool,
}

/// Holds one term that a draft was given.
#[derive(Debug, Clone, PartialEq)]
pub struct GivenTerm {
    /// The term as it was then.
    pub entry: TermEntry,
    /// Whether it was told after the chunk had begun.
    pub is_late: bool,
    /// Whether it stands in the unit's source.
    pub concerns: bool,
}

/// Tells how many tokens of a request are due to one source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share {
    /// The source.
    pub kind: ShareKind,
    /// Its tokens; 0 where the provider counted far fewer than its length lets expect.
    pub n_tokens: u64,
}

/// Names what a request is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShareKind {
    /// Role, workflow, languages, instructions.
    System,
    /// Descriptions of the tools.
    Tools,
    /// Rules that were learnt.
    Memory,
    /// Terms.
    Terms,
    /// What the person said, as the head of the chunk repeats it.
    Messages,
    /// Confirmed pairs.
    Examples,
    /// Matches of the translation memory.
    Matches,
    /// The source text of the chunk.
    Source,
    /// Drafts, decisions and messages since the chunk began.
    Turns,
}

impl Context {
    /// Returns how the model was asked for the answer at a sequence number.
    pub fn asked_at(&self, answer: Seq) -> Option<&Arc<Asked>> {
        let n_before = self.asked.partition_point(|(since, _)| *since <= answer);
        self.asked
            .get(n_before.checked_sub(1)?)
            .map(|(_, asked)| asked)
    }

    /// Returns every way in which the model was asked, each with the first answer that it holds for.
    pub fn all_asked(&self) -> &[(Seq, Arc<Asked>)] {
        &self.asked
    }

    /// Tells whether a model is asked in another way than for the last answer.
    pub(crate) fn is_asked_anew(&self, asked: &Asked) -> bool {
        self.asked.last().is_none_or(|(_, last)| **last != *asked)
    }

    /// Returns the turns of the window before an answer in it.
    pub(crate) fn turns_before(&self, answer: Seq) -> &[Arc<Entry>] {
        let before = usize::try_from(answer.0).unwrap_or_default();
        let n_turns = before.saturating_sub(self.window_start() + 1);
        self.turns().get(..n_turns).unwrap_or_default()
    }

    /// Tells whether the request of an answer can be made again from this context: its window is the one at hand, and
    /// its document was not read anew since. Else it takes the fold of the log up to the answer.
    pub fn holds_request(&self, answer: Seq) -> bool {
        let path = self.chunk().and_then(|chunk| chunk.path.as_ref());
        let is_reread = |(_, entry): (Seq, &Arc<Entry>)| matches!(entry.as_ref(), Entry::SourceRead(read) if Some(&read.path) == path);
        answer.0 as usize > self.window_start() && !self.entries_since(answer).any(is_reread)
    }

    /// Says what a draft of the window at hand was made from; `None` for a call that proposed none.
    pub fn receipt(&self, id: &CallId) -> Option<Receipt> {
        let state = self.calls.get(id)?;
        let Some(Resolution::Draft(draft)) = &state.resolution else {
            return None;
        };
        let (usage, n_drafts) = self.answer_of(state.seq)?;
        let chunk = self.chunk().map(Arc::as_ref);
        let turns = self.turns_before(state.seq);
        let given = given(chunk, turns);
        let document = self.documents.get(&draft.path)?;
        let (format, languages) = (document.document.format, &self.settings.languages);
        let concerns = |entry: &TermEntry| {
            !review_terms(format, &draft.source, "", &[entry.checked()], languages).is_empty()
        };
        let terms = given_terms(chunk, turns, concerns);
        let unit = draft.ordinal + 1;
        let matches = chunk.map_or(&[][..], |chunk| &chunk.matches);
        let mine = matches.iter().filter(|found| found.unit == unit);
        let block = chunk.and_then(|chunk| {
            let path = chunk
                .path
                .clone()
                .filter(|_| chunk.from_unit <= chunk.to_unit)?;
            Some((path, chunk.from_unit, chunk.to_unit))
        });
        Some(Receipt {
            call_id: id.clone(),
            answer: state.seq,
            origin: draft.origin,
            asked: self.asked_at(state.seq).cloned(),
            usage,
            n_drafts,
            memory_version: version(&given, &terms),
            given,
            terms,
            pairs: chunk.map_or_else(Vec::new, |chunk| chunk.pairs.clone()),
            matches: mine.map(|found| found.found.clone()).collect(),
            block,
        })
    }

    /// Returns the tokens of an answer, and how many drafts stand in it.
    fn answer_of(&self, answer: Seq) -> Option<(Usage, usize)> {
        let before = Seq(answer.0.checked_sub(1)?);
        let Entry::Message(Message::Assistant {
            usage, tool_calls, ..
        }) = self.entries_since(before).next()?.1.as_ref()
        else {
            return None;
        };
        let drafts = tool_calls
            .iter()
            .filter(|call| self.draft(&call.id).is_some());
        Some((*usage, drafts.count()))
    }
}

/// Gathers the rules that held at the end of some turns.
fn given(chunk: Option<&Chunk>, turns: &[Arc<Entry>]) -> Vec<Given> {
    let view = |item: &MemoryItem, is_late| Given {
        id: item.id.0,
        kind: item.kind,
        text: item.text.clone(),
        is_late,
    };
    let first = chunk.map_or(&[][..], |chunk| &chunk.memory);
    let mut given: Vec<Given> = first.iter().map(|item| view(item, false)).collect();
    for lesson in lessons(turns) {
        given.retain(|item| !lesson.withdrawn.contains(&item.text));
        for item in &lesson.items {
            given.retain(|old| old.id != item.id.0);
            given.push(view(item, true));
        }
    }
    given
}

/// Gathers the terms that held at the end of some turns.
fn given_terms(
    chunk: Option<&Chunk>,
    turns: &[Arc<Entry>],
    concerns: impl Fn(&TermEntry) -> bool,
) -> Vec<GivenTerm> {
    let view = |entry: &TermEntry, is_late| GivenTerm {
        entry: entry.clone(),
        is_late,
        concerns: concerns(entry),
    };
    let first = chunk.map_or(&[][..], |chunk| &chunk.terms);
    let mut given: Vec<GivenTerm> = first.iter().map(|entry| view(entry, false)).collect();
    for lesson in lessons(turns) {
        given.retain(|term| !lesson.ended_terms.contains(&term.entry));
        for entry in &lesson.terms {
            given.retain(|old| !old.entry.is_same_pair(entry));
            given.push(view(entry, true));
        }
    }
    given
}

fn lessons(turns: &[Arc<Entry>]) -> impl Iterator<Item = &Lesson> {
    turns.iter().filter_map(|entry| {
        if let Entry::Lesson(lesson) = entry.as_ref() {
            Some(lesson)
        } else {
            None
        }
    })
}

/// Names a state of memory by its words: eight hexadecimal digits, or nothing for an empty one.
fn version(given: &[Given], terms: &[GivenTerm]) -> String {
    if given.is_empty() && terms.is_empty() {
        return String::new();
    }
    let mut words: Vec<&str> = given.iter().map(|item| item.text.as_str()).collect();
    words.sort_unstable();
    let mut pairs: Vec<[&str; 2]> = terms
        .iter()
        .map(|term| [term.entry.source.as_str(), term.entry.target.as_str()])
        .collect();
    pairs.sort_unstable();
    let mut hasher = blake3::Hasher::new();
    for text in words.into_iter().chain(pairs.into_iter().flatten()) {
        hasher.update(text.as_bytes());
        hasher.update(&[0]);
    }
    hasher.finalize().to_hex().chars().take(8).collect()
}

impl Receipt {
    /// Shares the tokens of the request among what it is made of: estimated by length, and brought to the sum that the
    /// provider counted where it told one.
    pub fn shares(&self, context: &Context, request: &ModelRequest) -> Vec<Share> {
        let (chunk, start) = (context.chunk(), context.window_start());
        let turns = context.turns_before(self.answer);
        let halvings = self.asked.as_ref().map_or(0, |asked| asked.n_halvings);
        let said = context.messages_before(start, prompt::latest_bytes(halvings));
        let mut sizes = Sizes::default();
        let tools = request.tools.iter();
        sizes.add(
            ShareKind::Tools,
            tools
                .map(|tool| estimate(&tool.description) + estimate(&tool.parameters.to_string()))
                .sum(),
        );
        sizes.add(ShareKind::System, estimate(&request.system));
        for item in chunk.map_or(&[][..], |chunk| &chunk.memory) {
            sizes.carve(
                ShareKind::System,
                ShareKind::Memory,
                &prompt::item_line(item),
            );
        }
        let mut messages = request.messages.iter();
        if let Some(chunk) = chunk {
            let head = messages.next().map_or(0, n_tokens);
            sizes.add(ShareKind::Source, head);
            for line in term_lines(&chunk.terms) {
                sizes.carve(ShareKind::Source, ShareKind::Terms, &line);
            }
            for text in &said {
                sizes.carve(ShareKind::Source, ShareKind::Messages, text);
            }
            for (source, target) in &chunk.pairs {
                sizes.carve(
                    ShareKind::Source,
                    ShareKind::Examples,
                    &format!("- {source}\n  => {target}\n"),
                );
            }
            for found in &chunk.matches {
                let text = format!(
                    "- unit (100 %): {}\n  => {}\n",
                    found.found.source, found.found.target
                );
                sizes.carve(ShareKind::Source, ShareKind::Matches, &text);
            }
        }
        sizes.add(ShareKind::Turns, messages.map(n_tokens).sum());
        for lesson in lessons(turns) {
            for item in &lesson.items {
                sizes.carve(
                    ShareKind::Turns,
                    ShareKind::Memory,
                    &prompt::item_line(item),
                );
            }
            for line in term_lines(&lesson.terms) {
                sizes.carve(ShareKind::Turns, ShareKind::Terms, &line);
            }
        }
        sizes.shared(self.usage.n_input)
    }
}

fn n_tokens(message: &ModelMessage) -> usize {
    match message {
        ModelMessage::User(text) => estimate(text),
        ModelMessage::Tool { content, .. } => estimate(content),
        ModelMessage::Assistant {
            text, tool_calls, ..
        } => {
            let calls = tool_calls.iter();
            let arguments = calls.map(|call| estimate(&call.arguments.to_text()));
            estimate(text) + arguments.sum::<usize>()
        }
    }
}

/// Holds estimated tokens by source, in the order in which they stand in a request.
#[derive(Default)]
struct Sizes(BTreeMap<usize, usize>);

/// The sources in the order in which they are shown.
const ORDER: [ShareKind; 9] = [
    ShareKind::System,
    ShareKind::Tools,
    ShareKind::Memory,
    ShareKind::Terms,
    ShareKind::Messages,
    ShareKind::Examples,
    ShareKind::Matches,
    ShareKind::Source,
    ShareKind::Turns,
];

impl Sizes {
    fn add(&mut self, kind: ShareKind, n_tokens: usize) {
        let place = ORDER.iter().position(|other| *other == kind);
        *self.0.entry(place.unwrap_or_default()).or_default() += n_tokens;
    }

    /// Gives a part of one source to another.
    fn carve(&mut self, from: ShareKind, to: ShareKind, text: &str) {
        let place = ORDER.iter().position(|other| *other == from);
        let whole = self.0.entry(place.unwrap_or_default()).or_default();
        let part = estimate(text).min(*whole);
        *whole -= part;
        self.add(to, part);
    }

    /// Brings the sizes to a sum, 0 for their own; the last part takes what rounding leaves.
    fn shared(self, sum: u64) -> Vec<Share> {
        let total = self.0.values().sum::<usize>() as u64;
        let sum = if sum == 0 { total } else { sum };
        let (mut n_before, mut given) = (0_u64, 0_u64);
        let mut shares = Vec::new();
        for (place, size) in self.0 {
            n_before += size as u64;
            // Of the running sum, so that the parts add up exactly.
            let until = (u128::from(n_before) * u128::from(sum)) / u128::from(total.max(1));
            let until = u64::try_from(until).unwrap_or(u64::MAX);
            let n_tokens = until - given;
            given = until;
            if let Some(kind) = ORDER.get(place).filter(|_| size > 0) {
                shares.push(Share {
                    kind: *kind,
                    n_tokens,
                });
            }
        }
        shares
    }
}
