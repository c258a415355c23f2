//! `Read`: the units of a document, in pages.

use std::fmt::Write as _;

use diglot_document::{Document, Segment, SegmentKind, UnitState, shorten};
use serde_json::json;

use super::{FILE_ID, Fields, ToolName, next_open_text};
use crate::context::{Context, Former, Unit};
use crate::copilot::CopilotResponse;
use crate::entry::SourceRead;
use crate::limits;
use crate::message::{RefusedReason, ToolCall, ToolDetail};
use crate::tool::{Tool, ToolError, ToolOutcome, ToolSpec};
use crate::workspace::{ProjectPath, SourceText, Workspace, why};

/// Gives the units of a document.
#[derive(Debug, Clone, Copy)]
pub struct Read;

impl Tool for Read {
    fn name(&self) -> ToolName {
        ToolName::Read
    }

    fn spec(&self) -> ToolSpec {
        ToolSpec {
            name: "Read",
            description:
                "Gives the numbered units of a document with their states, a page at a time. \
                          A document must be read before it can be translated."
                    .to_owned(),
            parameters: json!({
                "type": "object",
                "properties": {
                    "file_id": {"type": "string", "description": "Path of the document as LS prints it."},
                    "from_unit": {"type": "integer", "description": "First unit wanted; the next open one by default."},
                    "limit": {"type": "integer", "description": "Units at most."}
                },
                "required": ["file_id"]
            }),
        }
    }

    fn run(
        &self,
        call: &ToolCall,
        context: &Context,
        workspace: &dyn Workspace,
        _response: Option<&CopilotResponse>,
    ) -> Result<ToolOutcome, ToolError> {
        let refuse = |text: String| ToolError::refuse(RefusedReason::Arguments, text);
        let fields = Fields::of(call).map_err(refuse)?;
        let path = fields.need(&FILE_ID).map_err(refuse)?;
        let from = fields
            .count(&["from_unit", "fromUnit", "offset"])
            .map_err(refuse)?;
        let limit = fields.count(&["limit"]).map_err(refuse)?;
        let path = context.path_of(path).map_err(|error| {
            let text =
                format!("The file_id is outside the project: {error}. Use a path as LS prints it.");
            ToolError::refuse(RefusedReason::Path, text)
        })?;
        let known = context.document(&path);
        if let Some(known) = known
            && workspace
                .hash(&path)
                .is_ok_and(|hash| hash == known.read.hash)
        {
            return Ok(page(context, &path, from, limit));
        }
        first_page(context, workspace, &path, from, limit)
    }
}

/// Answers from a document that was read before and did not change.
fn page(
    context: &Context,
    path: &ProjectPath,
    from: Option<usize>,
    limit: Option<usize>,
) -> ToolOutcome {
    let Some(document) = context.document(path) else {
        return outcome(String::new(), path, 1, 0, Vec::new());
    };
    let from = from.unwrap_or_else(|| document.next_open().map_or(1, |ordinal| ordinal + 1));
    let shown = context.chunk().filter(|chunk| {
        chunk.path.as_ref() == Some(path) && chunk.from_unit <= from && from <= chunk.to_unit
    });
    if let Some(chunk) = shown {
        let (first, last) = (chunk.from_unit, chunk.to_unit);
        let next = next_open_text(context, path);
        let text = format!("Units {first} to {last} of {path} were given above. {next}");
        return outcome(text, path, 1, 0, Vec::new());
    }
    let units = document.units();
    let (text, to) = render(document.segments(), units, path, from, limit);
    let text = format!("{text}\n{}", next_open_text(context, path));
    outcome(text, path, from, to, Vec::new())
}

/// Reads a document from the disk for the first time, or anew.
fn first_page(
    context: &Context,
    workspace: &dyn Workspace,
    path: &ProjectPath,
    from: Option<usize>,
    limit: Option<usize>,
) -> Result<ToolOutcome, ToolError> {
    let refuse = |text: String| ToolError::refuse(RefusedReason::Path, text);
    let source = workspace
        .read(path)
        .map_err(|error| refuse(format!("{error}. {}", known_documents(context))))?;
    let encoding = context
        .document(path)
        .and_then(|document| document.read.encoding.clone());
    let options = context.settings().parse_options(encoding.as_deref());
    let document = Document::open(path.as_str(), &source.bytes, &options)
        .map_err(|reason| refuse(format!("{path} cannot be translated: {}.", why(reason))))?;
    let read = SourceRead {
        path: path.clone(),
        hash: source.hash.clone(),
        encoding,
        rules: context.settings().rules.clone(),
    };
    let sources = vec![(read, source)];
    if document.segments.is_empty() {
        let text = format!("{path} holds nothing to translate.");
        return Ok(outcome(text, path, 1, 0, sources));
    }
    let from = from.unwrap_or(1);
    let (text, to) = render(&document.segments, &[], path, from, limit);
    Ok(outcome(text, path, from, to, sources))
}

/// Names documents that can be read, for a model that named one that is not there.
fn known_documents(context: &Context) -> String {
    /// Enough to mend a wrong name; a listing shows the rest.
    const SHOWN: usize = 8;
    let names: Vec<&str> = context
        .unread()
        .take(SHOWN)
        .map(ProjectPath::as_str)
        .collect();
    if names.is_empty() {
        return "Call LS to see the files of the project.".to_owned();
    }
    format!("Documents to read: {}.", names.join(", "))
}

fn outcome(
    content: String,
    path: &ProjectPath,
    from_unit: usize,
    to_unit: usize,
    sources: Vec<(SourceRead, SourceText)>,
) -> ToolOutcome {
    let detail = ToolDetail::Page {
        path: path.clone(),
        from_unit,
        to_unit,
    };
    ToolOutcome::Result {
        content,
        detail,
        sources,
    }
}

/// Writes a page of units and tells the last one's number.
fn render(
    segments: &[Segment],
    units: &[Unit],
    path: &ProjectPath,
    from: usize,
    limit: Option<usize>,
) -> (String, usize) {
    let total = segments.len();
    let limit = limit.unwrap_or(limits::PAGE_UNITS).min(limits::PAGE_UNITS);
    let mut text = format!("{path}: {total} units.");
    let mut to = from.saturating_sub(1);
    for segment in segments.iter().skip(from.saturating_sub(1)).take(limit) {
        let unit = units.get(segment.ordinal);
        let former = unit.and_then(|unit| unit.former.as_deref());
        let line = unit_line(segment, unit.map(|unit| unit.state), former);
        if to >= from && text.len() + line.len() > limits::CHUNK_BYTES {
            break;
        }
        text.push('\n');
        text.push_str(&line);
        to = segment.ordinal + 1;
    }
    if to < from {
        let _ = write!(text, "\nThere is no unit {from}.");
    } else if to < total {
        let _ = write!(
            text,
            "\nUnits {} to {total} follow: call Read with from_unit {}.",
            to + 1,
            to + 1
        );
    }
    (text, to)
}

/// Writes one unit with its number, kind and state, and under it what is known of it besides its text.
pub(crate) fn unit_line(
    segment: &Segment,
    state: Option<UnitState>,
    former: Option<&Former>,
) -> String {
    let kind = match segment.kind {
        SegmentKind::Heading(_) => " heading",
        SegmentKind::Paragraph => "",
        SegmentKind::ListItem => " list item",
        SegmentKind::TableCell => " table cell",
        SegmentKind::Quote => " quote",
        SegmentKind::Caption => " caption",
        SegmentKind::Value => " value",
        SegmentKind::Cue => " subtitle",
    };
    let state = match state {
        Some(UnitState::Approved | UnitState::Refined) => " (confirmed)",
        Some(UnitState::Proposed) => " (waits for the person)",
        Some(UnitState::Rejected) => " (rejected, to be translated anew)",
        Some(UnitState::Open) | None => "",
    };
    let mut text = format!("[{}{kind}]{state} {}", segment.ordinal + 1, segment.source);
    for note in notes(segment, former) {
        let _ = write!(text, "\n  | {}", shorten(&note, limits::NOTE_CLUSTERS));
    }
    text
}

/// Says what the file and the person's earlier work tell about a unit.
fn notes(segment: &Segment, former: Option<&Former>) -> Vec<String> {
    let hints = &segment.hints;
    let mut notes: Vec<String> = hints.note.iter().cloned().collect();
    notes.extend(
        hints
            .max_length
            .map(|most| format!("at most {most} characters")),
    );
    let to_check = |target: &String| format!("to be checked, the file already says: {target}");
    notes.extend(hints.suggestion.as_ref().map(to_check));
    let before = |former: &Former| {
        let Former { source, target } = former;
        format!("before the source changed, \"{source}\" was \"{target}\"")
    };
    notes.extend(former.map(before));
    notes
}
