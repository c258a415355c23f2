//! Every word the model sees that is not a message: the system prompt, the head of a chunk, and how the
//! window of the log becomes messages. Nothing volatile stands ahead of the append point, so that requests
//! of one chunk share a byte-exact prefix (SPEC 5).

use std::fmt::Write as _;
use std::sync::Arc;

use diglot_document::{LanguagePair, UnitState};

use crate::context::Context;
use crate::entry::{Chunk, Entry, Lesson, Seq, UnitNote};
use crate::guide::GuideNote;
use crate::limits;
use crate::memory::{Memory, MemoryItem};
use crate::message::{Asked, Message, ToolCall};
use crate::model::{ModelMessage, ModelRequest, ModelRole};
use crate::terms::{Glossary, NoTerms, term_lines};
use crate::tool::{Tool, ToolSpec};
use crate::tools::ToolName;
use crate::tools::read::unit_line;
use crate::workspace::ProjectPath;

mod names;

/// For the model that drafts: what it is, how the tools go together, what a translation must be.
const TRANSLATOR: &str = include_str!("prompts/translator.md");
/// The same for a model that found a request too long, in the fewest words that hold it to its work.
const BRIEF: &str = include_str!("prompts/brief.md");

/// Version of the program whose words requests are made of.
pub const PROGRAM: &str = env!("CARGO_PKG_VERSION");

/// Builds the request of a step: from the window of the log, or from a chunk that the step opens.
pub fn translator_request(
    context: &Context,
    glossary: &Glossary<'_>,
    tools: &[Box<dyn Tool>],
    opened: Option<&Chunk>,
    lesson: Option<&Lesson>,
) -> ModelRequest {
    let chunk = opened.or_else(|| context.chunk().map(Arc::as_ref));
    let items = chunk.map_or(&[][..], |chunk| chunk.memory.as_slice());
    let turns = if opened.is_some() {
        &[]
    } else {
        context.turns()
    };
    let mut messages = Vec::new();
    if let Some(chunk) = chunk {
        let before = if opened.is_some() {
            usize::MAX
        } else {
            context.window_start()
        };
        let said = context.earlier_messages(before);
        messages.push(ModelMessage::User(head(context, chunk, &said)));
    }
    messages.extend(window(turns));
    let tools = specs(context, chunk, tools);
    let languages = &context.settings().languages;
    let head_of_system = system_head(languages, &asked(context, &tools));
    let told = lesson.map(lesson_text).filter(|text| !text.is_empty());
    messages.extend(told.map(ModelMessage::User));
    ModelRequest {
        role: ModelRole::Translator,
        system: system(head_of_system, items),
        messages,
        tools,
        answer_schema: None,
        outlook: context.outlook(glossary),
    }
}

/// Describes the tools.
fn specs(context: &Context, chunk: Option<&Chunk>, tools: &[Box<dyn Tool>]) -> Vec<ToolSpec> {
    let offered = tools
        .iter()
        .filter(|tool| offers(context, chunk, tool.name()));
    offered.map(|tool| tool.spec()).collect()
}

/// Tells whether a model may call a tool: guides only where the chunk tells of some, and in brief requests nothing that
/// only asks back.
pub(crate) fn offers(context: &Context, chunk: Option<&Chunk>, name: ToolName) -> bool {
    match name {
        ToolName::Guide => chunk.is_some_and(|chunk| !chunk.guides.is_empty()),
        ToolName::Ask => !context.is_brief(),
        ToolName::Ls | ToolName::Read | ToolName::Translate => true,
    }
}

/// Writes the system prompt but for what was learnt.
fn system_head(languages: &LanguagePair, asked: &Asked) -> String {
    let words = if asked.n_halvings > 0 {
        BRIEF
    } else {
        TRANSLATOR
    };
    let mut text = words
        .replace("{source}", &names::language_name(&languages.source))
        .replace("{target}", &names::language_name(&languages.target))
        .replace("{look_ahead}", &asked.look_ahead.to_string());
    if !asked.instructions.trim().is_empty() {
        let _ = write!(
            text,
            "\n# The person's instructions\n{}\n",
            asked.instructions.trim()
        );
    }
    text
}

/// Puts what was learnt behind the rest of the system prompt.
fn system(mut text: String, memory: &[MemoryItem]) -> String {
    if !memory.is_empty() {
        text.push_str("\n# Learnt from the person's corrections\n");
        for item in memory {
            let _ = writeln!(text, "{}", item_line(item));
        }
    }
    text
}

/// Writes one item of memory as a model is told of it.
pub(crate) fn item_line(item: &MemoryItem) -> String {
    format!("- {}", item_text(item))
}

/// Says how a context asks a model now; which model it is stands there once that has answered.
pub(crate) fn asked(context: &Context, tools: &[ToolSpec]) -> Asked {
    Asked {
        model: String::new(),
        manner: serde_json::Value::Null,
        instructions: context.settings().instructions.clone(),
        look_ahead: context.look_ahead(),
        tools: tools.iter().map(|tool| tool.name.to_owned()).collect(),
        n_halvings: context.n_halvings(),
        program: PROGRAM.to_owned(),
    }
}

/// Returns how long the person's latest message may be in requests that were halved so often, in bytes.
pub(crate) fn latest_bytes(n_halvings: u32) -> usize {
    limits::LATEST_BYTES >> n_halvings
}

/// Makes the request anew that an answer of the log was given to, from a context that holds it
/// ([`Context::holds_request`]) or from the fold of the log before the answer. Where the log does not say how the model
/// was asked, it is the request as it would be now.
pub fn past_request(
    context: &Context,
    answer: Seq,
    asked: Option<&Asked>,
    tools: &[Box<dyn Tool>],
) -> ModelRequest {
    let now = || {
        self::asked(
            context,
            &specs(context, context.chunk().map(Arc::as_ref), tools),
        )
    };
    let asked = asked.cloned().unwrap_or_else(now);
    let chunk = context.chunk();
    let items = chunk.map_or(&[][..], |chunk| chunk.memory.as_slice());
    // A tool that there is no longer is left out.
    let spec_of = |name: &String| {
        let tool = tools.iter().find(|tool| tool.spec().name == name);
        Some(tool?.spec())
    };
    // What is for models without language is not sent, and not made again.
    let memory = Memory::default();
    let languages = &context.settings().languages;
    let nothing = Glossary::new(&NoTerms, &memory, languages);
    let mut messages = Vec::new();
    if let Some(chunk) = chunk {
        let said = context.messages_before(context.window_start(), latest_bytes(asked.n_halvings));
        messages.push(ModelMessage::User(head(context, chunk, &said)));
    }
    messages.extend(window(context.turns_before(answer)));
    ModelRequest {
        role: ModelRole::Translator,
        system: system(system_head(languages, &asked), items),
        messages,
        tools: asked.tools.iter().filter_map(spec_of).collect(),
        answer_schema: None,
        outlook: context.outlook(&nothing),
    }
}

/// Names a language for a model: the tag says it exactly, the English name makes it plain.
pub(crate) fn language_name(tag: &diglot_document::LanguageTag) -> String {
    names::language_name(tag)
}

/// Cuts a text to at most so many bytes and an ellipsis.
pub(crate) fn cut(text: &str, n_bytes: usize) -> String {
    if text.len() <= n_bytes {
        return text.to_owned();
    }
    let ends = text.char_indices().map(|(start, _)| start);
    let end = ends.take_while(|end| *end <= n_bytes).last().unwrap_or(0);
    format!("{}…", text.get(..end).unwrap_or_default())
}

fn item_text(item: &MemoryItem) -> String {
    match &item.term {
        Some(term) => format!("{} (\"{}\" is \"{}\")", item.text, term.source, term.target),
        None => item.text.clone(),
    }
}

/// Writes the first message of a chunk: what was said, the material, and what is to be done next.
fn head(context: &Context, chunk: &Chunk, said: &[String]) -> String {
    let mut parts = Vec::new();
    if !said.is_empty() {
        let lines = said
            .iter()
            .map(|message| format!("- {}", message.replace('\n', "\n  ")));
        let lines: Vec<String> = lines.collect();
        parts.push(format!(
            "From the person, the latest last:\n{}",
            lines.join("\n")
        ));
    }
    if !chunk.guides.is_empty() {
        parts.push(guides(&chunk.guides));
    }
    if let Some(path) = &chunk.path {
        parts.push(block(context, path, chunk).trim().to_owned());
        parts.push(format!("The files are listed and {path} is read."));
    }
    parts.push(chunk.next.clone());
    parts.join("\n\n")
}

/// Tells of the person's guides, so that the model loads what it needs.
fn guides(notes: &[GuideNote]) -> String {
    let mut text = "Guides of the person, binding for what they are about. Load one with Guide before you translate what it \
                    is about, unless it was given above:"
        .to_owned();
    for note in notes {
        let _ = write!(text, "\n- \"{}\"", note.title);
        if !note.opening.is_empty() {
            let _ = write!(text, ": {}", note.opening);
        }
    }
    text
}

fn block(context: &Context, path: &ProjectPath, chunk: &Chunk) -> String {
    let mut text = String::new();
    let Some(document) = context.document(path) else {
        return text;
    };
    let n_units = document.units().len();
    if chunk.from_unit > 1 {
        let _ = writeln!(
            text,
            "The units of {path} before {} are confirmed or set aside by the person.",
            chunk.from_unit
        );
    }
    if !chunk.pairs.is_empty() {
        text.push_str("\nConfirmed just before:\n");
        for (source, target) in &chunk.pairs {
            let _ = writeln!(text, "- {source}\n  => {target}");
        }
    }
    if !chunk.matches.is_empty() {
        text.push_str("\nFrom the translation memory:\n");
        for found in &chunk.matches {
            let _ = writeln!(
                text,
                "- unit {} ({} %): {}\n  => {}",
                found.unit, found.found.percent, found.found.source, found.found.target
            );
        }
    }
    if !chunk.terms.is_empty() {
        text.push_str("\nTerms in these units, inflected as the sentence needs:\n");
        for line in term_lines(&chunk.terms) {
            let _ = writeln!(text, "{line}");
        }
    }
    let (from, to) = (chunk.from_unit, chunk.to_unit);
    let _ = writeln!(
        text,
        "\nUnits {from} to {to} of {n_units} of {path}, material to translate:"
    );
    for segment in document
        .segments()
        .iter()
        .skip(from.saturating_sub(1))
        .take(to + 1 - from)
    {
        // Later states are volatile: the turns tell them.
        let was_confirmed = chunk
            .confirmed
            .binary_search(&(segment.ordinal + 1))
            .is_ok();
        let state = was_confirmed.then_some(UnitState::Approved);
        let unit = document.units().get(segment.ordinal);
        let former = unit.and_then(|unit| unit.former.as_deref());
        let _ = writeln!(text, "{}", unit_line(segment, state, former));
    }
    text
}

/// Turns entries of the window into messages. What was learnt while calls were open follows their results,
/// so that each call is followed by its own.
fn window(turns: &[Arc<Entry>]) -> Vec<ModelMessage> {
    let mut messages = Vec::new();
    let mut held = Vec::new();
    let mut n_open = 0_usize;
    for entry in turns {
        match entry.as_ref() {
            Entry::Message(Message::User { text }) => {
                messages.push(ModelMessage::User(text.clone()));
            }
            Entry::Message(Message::Assistant {
                text,
                tool_calls,
                raw,
                ..
            }) => {
                n_open = tool_calls.len();
                messages.push(ModelMessage::Assistant {
                    text: text.clone(),
                    tool_calls: tool_calls.clone(),
                    raw: raw.clone(),
                });
            }
            Entry::Message(Message::Tool(result)) => {
                n_open = n_open.saturating_sub(1);
                messages.push(ModelMessage::Tool {
                    call_id: result.call_id.to_string(),
                    content: result.content.clone(),
                });
                if n_open == 0 {
                    messages.append(&mut held);
                }
            }
            Entry::Lesson(lesson) => {
                let text = lesson_text(lesson);
                // What the person waived is for our own checks alone.
                if text.is_empty() {
                    continue;
                }
                let message = ModelMessage::User(text);
                if n_open == 0 {
                    messages.push(message);
                } else {
                    held.push(message);
                }
            }
            Entry::SourceRead(_)
            | Entry::Response(_)
            | Entry::Revision(_)
            | Entry::Skip(_)
            | Entry::Extraction(_)
            | Entry::Chunk(_)
            | Entry::Undo(_)
            | Entry::Redo(_) => {}
        }
    }
    order_results(messages)
}

/// Puts the results of a turn into the order of its calls, as strict providers want them; the person decides
/// in any order.
fn order_results(messages: Vec<ModelMessage>) -> Vec<ModelMessage> {
    let mut ordered: Vec<ModelMessage> = Vec::with_capacity(messages.len());
    let mut calls: Vec<ToolCall> = Vec::new();
    let mut run_start = 0;
    for message in messages {
        match &message {
            ModelMessage::Tool { call_id, .. } => {
                let rank = |id: &str| calls.iter().position(|call| call.id.as_str() == id);
                let mine = rank(call_id);
                let place = ordered.get(run_start..).unwrap_or_default().iter().position(|other| {
                    matches!(other, ModelMessage::Tool { call_id, .. } if rank(call_id) > mine)
                });
                match place {
                    Some(place) => ordered.insert(run_start + place, message),
                    None => ordered.push(message),
                }
            }
            ModelMessage::Assistant { tool_calls, .. } => {
                calls.clone_from(tool_calls);
                ordered.push(message);
                run_start = ordered.len();
            }
            ModelMessage::User(_) => ordered.push(message),
        }
    }
    ordered
}

fn lesson_text(lesson: &Lesson) -> String {
    let mut lines = Vec::new();
    if !lesson.items.is_empty() || !lesson.withdrawn.is_empty() {
        lines.push("Learnt from the person's corrections, from here on:".to_owned());
    }
    lines.extend(lesson.items.iter().map(item_line));
    lines.extend(
        lesson
            .withdrawn
            .iter()
            .map(|text| format!("- no longer holds: {text}")),
    );
    if !lesson.terms.is_empty() || !lesson.ended_terms.is_empty() {
        lines.push("Terms, from here on:".to_owned());
    }
    lines.extend(term_lines(&lesson.terms));
    let ended = lesson.ended_terms.iter();
    lines.extend(ended.map(|term| format!("- no longer: {} => {}", term.source, term.target)));
    if !lesson.units.is_empty() {
        lines.push("The person thought again about units, which stand so now:".to_owned());
    }
    lines.extend(lesson.units.iter().map(unit_note));
    lines.extend(lesson.next.clone());
    lines.join("\n")
}

fn unit_note(note: &UnitNote) -> String {
    let text = note.text.as_deref().unwrap_or_default();
    let stands = match note.state {
        UnitState::Open => "open".to_owned(),
        UnitState::Proposed => "with the person".to_owned(),
        UnitState::Approved => format!("approved: {text}"),
        UnitState::Refined => format!("refined: {text}"),
        UnitState::Rejected => format!("rejected: {text}"),
    };
    format!("- unit {} of {}: {stands}", note.unit.unit, note.unit.path)
}
