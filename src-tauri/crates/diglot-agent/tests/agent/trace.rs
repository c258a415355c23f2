//! A journey in short lines: what happened, what was written, what is open after it. Says nothing of the
//! wording, so that a changed sentence changes no journey.

use std::fmt::Write as _;

use diglot_agent::message::{ToolDetail, ToolResult};
use diglot_agent::{CopilotRequest, Entry, Message, ToolArguments, ToolCall};

use crate::acts::Act;
use crate::session::Session;

/// Does acts to a session and tells what happened.
pub(crate) fn trace(session: &mut Session, acts: Vec<Act>) -> String {
    let mut text = String::new();
    for act in acts {
        let _ = writeln!(text, "{}", heading(&act));
        let before = session.entries.len();
        if let Some(refused) = act.run(session) {
            let _ = writeln!(text, "    refused: {refused}");
        }
        for entry in &session.entries[before..] {
            if let Some(line) = line(session, entry) {
                let _ = writeln!(text, "    {line}");
            }
        }
        let _ = writeln!(text, "  = {}", standing(session));
    }
    text
}

fn heading(act: &Act) -> String {
    match act {
        Act::Agent(answer) => {
            let calls = answer.tool_calls.iter();
            let calls = calls.map(|call| format!("{} {}", call.name, arguments(&call.arguments)));
            let parts: Vec<String> = std::iter::once(answer.text.clone()).chain(calls).collect();
            format!("agent {}", parts.join("\n      ").trim())
        }
        other => format!("{other:?}"),
    }
}

fn arguments(arguments: &ToolArguments) -> String {
    match arguments {
        ToolArguments::Parsed(value) => value.to_string(),
        ToolArguments::Malformed(text) => text.clone(),
    }
}

fn line(session: &Session, entry: &Entry) -> Option<String> {
    Some(match entry {
        Entry::Message(Message::User { .. } | Message::Assistant { .. }) => return None,
        Entry::Message(Message::Tool(result)) => result_line(session, result),
        Entry::SourceRead(read) => format!("read {} {:?}", read.path, read.encoding),
        Entry::Response(response) => {
            format!("response {:?} {:?}", response.decision, response.mode)
        }
        Entry::Revision(_) => "revision".to_owned(),
        Entry::Skip(_) => "skip".to_owned(),
        Entry::Undo(reversal) => format!("undo {}", reversal.of.0),
        Entry::Redo(reversal) => format!("redo {}", reversal.of.0),
        Entry::Extraction(found) => format!("learnt {:?} {:?}", found.ops, found.failure),
        Entry::Lesson(lesson) => {
            let items: Vec<&str> = lesson.items.iter().map(|item| item.text.as_str()).collect();
            let next = lesson.next.is_some();
            let units = lesson.units.iter();
            let units: Vec<String> = units
                .map(|note| format!(" unit {} {:?} {:?}", note.unit.unit, note.state, note.text))
                .collect();
            let units = units.concat();
            format!(
                "told {items:?} withdrawn {:?} next {next}{units}",
                lesson.withdrawn
            )
        }
        Entry::Chunk(chunk) => {
            let path = chunk.path.as_ref().map_or("nothing", |path| path.as_str());
            let (from, to) = (chunk.from_unit, chunk.to_unit);
            format!(
                "chunk of {path} {from}..{to} confirmed {:?}",
                chunk.confirmed
            )
        }
    })
}

fn result_line(session: &Session, result: &ToolResult) -> String {
    let call: &ToolCall = &session.context.call(&result.call_id).unwrap().call;
    let detail = match &result.detail {
        ToolDetail::Listing { folders, entries } => {
            let folders: Vec<String> = folders.iter().map(ToString::to_string).collect();
            let entries: Vec<&str> = entries.iter().map(|entry| entry.path.as_str()).collect();
            format!("listed {folders:?}: {entries:?}")
        }
        ToolDetail::Page {
            path,
            from_unit,
            to_unit,
        } => format!("page of {path} {from_unit}..{to_unit}"),
        ToolDetail::Guide { title, page, .. } => format!("guide {title} {page}"),
        ToolDetail::Decided { path, unit, state } => format!("{path} {unit} {state:?}"),
        ToolDetail::Answered => "answered".to_owned(),
        ToolDetail::SetAside => "set aside".to_owned(),
        ToolDetail::SourceChanged { path } => format!("withdrawn, {path} changed"),
        ToolDetail::Refused { reason } => format!("refused {reason:?}"),
    };
    format!("{} -> {detail}", call.name)
}

/// Says what is open and who must act.
fn standing(session: &Session) -> String {
    let context = &session.context;
    let requests = context.requests().into_iter().map(|request| match request {
        CopilotRequest::Translate(request) => {
            let issues: Vec<String> = request
                .issues
                .iter()
                .map(|issue| format!("{:?}", issue.kind))
                .collect();
            let (path, unit, target) = (request.path, request.unit, request.target);
            format!("{path} {unit} {target:?} {}", issues.join(" "))
                .trim_end()
                .to_owned()
        }
        CopilotRequest::Ask(request) => format!("{:?} {:?}", request.question, request.options),
    });
    let requests: Vec<String> = requests.collect();
    let counts = context.counts();
    let acts = match context.finish() {
        None => format!("{:?} acts", context.actor()),
        Some(reason) => format!("{reason:?}"),
    };
    let open = if requests.is_empty() {
        String::new()
    } else {
        format!("; {}", requests.join("; "))
    };
    let next = context.documents().find_map(|(path, document)| {
        let next = document.next_open()? + 1;
        Some(format!(", next {path} {next}"))
    });
    let next = next.unwrap_or_default();
    format!(
        "{}/{} {acts}{next}{open}",
        counts.n_confirmed, counts.n_units
    )
}
