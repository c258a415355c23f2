//! Learning from one decision: the request to the memory model, the reader of its answer, and what the
//! change alone suggests when there is no such model.

use std::fmt::Write as _;

use diglot_document::{DiffKind, LanguagePair, TargetDiff};
use serde_json::{Value, json};

use super::form::UNSPACED;
use super::{
    Evidence, Memory, MemoryId, MemoryItem, MemoryKind, MemoryOp, MemoryState, Term, Wording,
};
use crate::model::{ModelMessage, ModelRequest, ModelRole, Outlook};
use crate::prompt::{cut, language_name};

/// For the model that learns: what one decision may teach, and the form of its answer.
const MEMORY: &str = include_str!("../prompts/memory.md");

/// Items of memory shown to the memory model, newest last; the rest cannot be updated by this decision.
const ITEMS_SHOWN: usize = 60;
/// Longest part of a decision that is shown to the memory model, in bytes: a draft that ran away teaches nothing more.
const PART_BYTES: usize = 8_000;
/// Operations taken from one decision; more is talk.
const OPS_TAKEN: usize = 4;
/// Longest replaced piece that is taken for a wording, in words, where words are written apart.
const WORDING_WORDS: usize = 3;
/// The same where they are not, in characters.
const WORDING_CHARACTERS: usize = 8;

/// Builds the request for one decision.
pub fn request(
    evidence: &Evidence,
    neighbours: &[(&str, &str)],
    memory: &Memory,
    languages: &LanguagePair,
) -> ModelRequest {
    ModelRequest {
        role: ModelRole::Memory,
        system: MEMORY
            .replace("{source}", &language_name(&languages.source))
            .replace("{target}", &language_name(&languages.target)),
        messages: vec![ModelMessage::User(decision_text(
            evidence, neighbours, memory,
        ))],
        tools: Vec::new(),
        answer_schema: Some(answer_schema()),
        outlook: Outlook {
            languages: languages.clone(),
            unlisted: Vec::new(),
            unread: Vec::new(),
            unfinished: Vec::new(),
            next_units: Vec::new(),
            terms: Vec::new(),
        },
    }
}

fn decision_text(evidence: &Evidence, neighbours: &[(&str, &str)], memory: &Memory) -> String {
    let part = |text: &str| cut(text, PART_BYTES);
    let draft = part(&evidence.draft);
    let mut text = format!("Source:\n{}\n\nDraft:\n{draft}\n", part(&evidence.source));
    match (&evidence.target, &evidence.reason) {
        (Some(target), _) => {
            let target = part(target);
            let diff = TargetDiff::between(&draft, &target).to_marked_text();
            let _ = write!(
                text,
                "\nFinal text by the person:\n{target}\n\nChange:\n{diff}\n"
            );
        }
        (None, reason) => {
            let fault = evidence
                .fault
                .map(|fault| format!("Fault: {}.", fault.words()));
            let marked = evidence.marked.as_ref();
            let marked = marked.map(|marked| format!("Marked as wrong:\n{}", part(marked)));
            let reason = reason.as_ref().map(|reason| format!("Reason:\n{reason}"));
            let said: Vec<String> = [fault, marked, reason].into_iter().flatten().collect();
            let _ = write!(
                text,
                "\nThe person rejected the draft. {}\n",
                said.join("\n")
            );
        }
    }
    if !neighbours.is_empty() {
        text.push_str("\nConfirmed just before:\n");
        for (source, target) in neighbours {
            let _ = writeln!(text, "- {source}\n  => {target}");
        }
    }
    text.push_str("\nMemory:\n");
    let n_left_out = memory.items.len().saturating_sub(ITEMS_SHOWN);
    if n_left_out > 0 {
        let _ = writeln!(text, "({n_left_out} older items are not shown)");
    }
    for item in memory
        .items
        .iter()
        .skip(n_left_out)
        .filter(|item| item.state != MemoryState::Off)
    {
        let _ = writeln!(text, "- id {}: {}", item.id.0, item.text);
    }
    if memory.items.is_empty() {
        text.push_str("(empty)\n");
    }
    text
}

fn answer_schema() -> Value {
    let pair = |first: &str, second: &str| {
        json!({
            "type": "object",
            "properties": {first: {"type": "string"}, second: {"type": "string"}},
            "required": [first, second],
            "additionalProperties": false
        })
    };
    let op = json!({
        "type": "object",
        "properties": {
            "action": {"type": "string", "enum": ["add", "update", "delete"]},
            "id": {"type": "integer"},
            "kind": {"type": "string", "enum": ["terminology", "style", "preference"]},
            "text": {"type": "string"},
            "term": pair("source", "target"),
            "wording": pair("write", "insteadOf")
        },
        "required": ["action"]
    });
    json!({
        "type": "object",
        "properties": {"ops": {"type": "array", "items": op}},
        "required": ["ops"],
        "additionalProperties": false
    })
}

/// Reads the memory model's answer: a JSON object with `ops`, a bare list, or either in a code fence.
///
/// # Errors
/// A plain sentence when there is no such JSON; single bad operations are returned beside the good ones.
pub fn read_answer(text: &str) -> Result<(Vec<MemoryOp>, Vec<String>), String> {
    let value = find_json(text).ok_or("The memory model did not answer with JSON.")?;
    let ops = if value.get("action").is_some() {
        std::slice::from_ref(&value)
    } else {
        let list = value
            .get("ops")
            .or_else(|| value.get("operations"))
            .unwrap_or(&value);
        let Value::Array(ops) = list else {
            return Err("The memory model's JSON holds no list of operations.".to_owned());
        };
        ops.as_slice()
    };
    let (mut good, mut bad) = (Vec::new(), Vec::new());
    for op in ops.iter().take(OPS_TAKEN) {
        match read_op(op) {
            Ok(op) => good.push(op),
            Err(reason) => bad.push(reason),
        }
    }
    if ops.len() > OPS_TAKEN {
        bad.push(format!(
            "more than {OPS_TAKEN} operations came from one decision"
        ));
    }
    Ok((good, bad))
}

/// Finds the JSON of an answer: all of it, what stands in a code fence, or what stands between words.
fn find_json(text: &str) -> Option<Value> {
    let fenced = text.split("```").nth(1).map(|inner| {
        let inner = inner.trim_start();
        inner.trim_start_matches(|c: char| c.is_ascii_alphabetic())
    });
    let between = |open: char, close: char| {
        let (start, end) = (text.find(open)?, text.rfind(close)?);
        text.get(start..=end)
    };
    let found = [Some(text), fenced, between('{', '}'), between('[', ']')];
    found
        .into_iter()
        .flatten()
        .find_map(|json| serde_json::from_str(json.trim()).ok())
        .filter(|value: &Value| value.is_object() || value.is_array())
}

fn read_op(op: &Value) -> Result<MemoryOp, String> {
    let text_of = |name: &str| op.get(name).and_then(Value::as_str).map(str::to_owned);
    let id = || {
        let id = op
            .get("id")
            .and_then(|id| id.as_i64().or_else(|| id.as_str()?.parse().ok()));
        id.map(MemoryId).ok_or("an operation lacks its id")
    };
    let text = || text_of("text").ok_or("an operation lacks its text");
    let part = |of: &str, name: &str| Some(op.get(of)?.get(name)?.as_str()?.trim().to_owned());
    let pair = |of: &str, first: &str, second: &str| Some((part(of, first)?, part(of, second)?));
    let term = pair("term", "source", "target").map(|(source, target)| Term { source, target });
    let wording = pair("wording", "write", "insteadOf")
        .map(|(write, instead_of)| Wording { write, instead_of });
    match text_of("action").as_deref() {
        Some("add") => {
            let first_tag = || {
                let tags = op.get("tags")?;
                let tag = tags.as_array().map_or(Some(tags), |tags| tags.first())?;
                tag.as_str().map(str::to_owned)
            };
            let kind = text_of("kind").or_else(first_tag);
            let kind = match kind.as_deref() {
                Some("terminology") => MemoryKind::Terminology,
                Some("style") => MemoryKind::Style,
                Some("preference") => MemoryKind::Preference,
                _ => return Err("an operation has no known kind".to_owned()),
            };
            Ok(MemoryOp::Add {
                kind,
                text: text()?,
                term,
                wording,
            })
        }
        Some("update") => Ok(MemoryOp::Update {
            id: id()?,
            text: text()?,
            term,
            wording,
        }),
        Some("delete") => Ok(MemoryOp::Delete { id: id()? }),
        _ => Err("an operation has no known action".to_owned()),
    }
}

/// Learns without a model. A short unit refined as a whole gives a term; each replaced wording gives a rule, which
/// [`Memory::align`] may make a term; a short reason for a rejection gives a preference. Everything is only suggested, so a
/// slip costs nothing.
pub fn from_change(evidence: &Evidence, memory: &Memory) -> Vec<MemoryOp> {
    let ops = match (&evidence.target, &evidence.reason) {
        (Some(target), _) => match short_unit(evidence, target) {
            Some(op) => vec![op],
            None => wordings(&evidence.draft, target),
        },
        (None, Some(reason)) if super::check_text(reason).is_ok() => vec![MemoryOp::Add {
            kind: MemoryKind::Preference,
            text: reason.trim().to_owned(),
            term: None,
            wording: None,
        }],
        (None, _) => Vec::new(),
    };
    ops.into_iter().map(|op| as_update(op, memory)).collect()
}

fn short_unit(evidence: &Evidence, target: &str) -> Option<MemoryOp> {
    let plain = |text: &str| !text.contains(['\n', '`', '[', '<', '{']);
    let short = |text: &str| is_short(text) && plain(text);
    if !short(&evidence.source) || !short(target) {
        return None;
    }
    let trim = |text: &str| {
        text.trim()
            .trim_end_matches(['.', ':', '!', '?', '。', '：'])
            .to_owned()
    };
    let term = Term {
        source: trim(&evidence.source),
        target: trim(target),
    };
    Some(MemoryOp::Add {
        kind: MemoryKind::Terminology,
        text: term.to_text(),
        term: Some(term),
        wording: None,
    })
}

/// Finds the wordings that the person put in others' places. A text that was mostly written anew has none.
fn wordings(draft: &str, target: &str) -> Vec<MemoryOp> {
    let diff = TargetDiff::between(draft, target);
    let kept = diff
        .pieces
        .iter()
        .filter(|piece| piece.kind == DiffKind::Equal);
    let n_words = |text: &str| text.split_whitespace().count();
    let n_kept: usize = kept.map(|piece| n_words(&piece.text)).sum();
    let changes = replaced(&diff);
    let is_spaced = target.chars().all(|c| (c as u32) < UNSPACED);
    if changes.len() > OPS_TAKEN || is_spaced && n_kept * 2 < n_words(target) {
        return Vec::new();
    }
    let is_wording = |text: &str| is_short(text) && text.chars().any(char::is_alphabetic);
    let op = |wording: Wording| MemoryOp::Add {
        kind: MemoryKind::Style,
        text: wording.to_text(),
        term: None,
        wording: Some(wording),
    };
    let whole = changes
        .into_iter()
        .filter(|change| is_wording(&change.write) && is_wording(&change.instead_of));
    whole.map(op).collect()
}

/// Lists what stands in the place of what. Changes with nothing but a blank between them are one.
fn replaced(diff: &TargetDiff) -> Vec<Wording> {
    let nothing = || Wording {
        write: String::new(),
        instead_of: String::new(),
    };
    let (mut changes, mut open) = (Vec::new(), nothing());
    for piece in &diff.pieces {
        match piece.kind {
            DiffKind::Removed => open.instead_of.push_str(&piece.text),
            DiffKind::Added => open.write.push_str(&piece.text),
            DiffKind::Equal if piece.text.trim().is_empty() => {
                open.write.push_str(&piece.text);
                open.instead_of.push_str(&piece.text);
            }
            DiffKind::Equal => changes.push(std::mem::replace(&mut open, nothing())),
        }
    }
    changes.push(open);
    let trimmed = changes.into_iter().map(|change| Wording {
        write: change.write.trim().to_owned(),
        instead_of: change.instead_of.trim().to_owned(),
    });
    trimmed
        .filter(|change| !(change.write.is_empty() && change.instead_of.is_empty()))
        .collect()
}

fn is_short(text: &str) -> bool {
    let n_words = text.split_whitespace().count();
    let spaced = text.is_ascii() || text.chars().all(|c| (c as u32) < 0x2E80);
    if spaced {
        (1..=WORDING_WORDS).contains(&n_words)
    } else {
        (2..=WORDING_CHARACTERS).contains(&text.chars().count())
    }
}

/// Gives an item that says the same its new evidence instead of a twin.
fn as_update(op: MemoryOp, memory: &Memory) -> MemoryOp {
    let twin = |item: &&MemoryItem| match &op {
        MemoryOp::Add { text, .. } => item.text == *text,
        MemoryOp::Update { .. } | MemoryOp::Delete { .. } => false,
    };
    match (memory.items.iter().find(twin), &op) {
        (
            Some(item),
            MemoryOp::Add {
                text,
                term,
                wording,
                ..
            },
        ) => MemoryOp::Update {
            id: item.id,
            text: text.clone(),
            term: term.clone(),
            wording: wording.clone(),
        },
        _ => op,
    }
}

#[cfg(test)]
mod tests;
