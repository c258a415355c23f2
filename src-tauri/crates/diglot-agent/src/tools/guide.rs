//! `Guide`: a page of a guide that the person attached to the project.

use serde_json::json;

use super::{Fields, ToolName};
use crate::context::Context;
use crate::copilot::CopilotResponse;
use crate::guide::{self, Guide};
use crate::limits;
use crate::message::{CallId, RefusedReason, ToolCall, ToolDetail};
use crate::tool::{Tool, ToolError, ToolOutcome, ToolSpec};
use crate::workspace::Workspace;

/// Gives a guide, a page at a time.
#[derive(Debug, Clone, Copy)]
pub struct LoadGuide;

impl Tool for LoadGuide {
    fn name(&self) -> ToolName {
        ToolName::Guide
    }

    fn spec(&self) -> ToolSpec {
        ToolSpec {
            name: "Guide",
            description: "Gives a guide of the person: instructions to keep to. Call it before you translate what \
                          the guide is about."
                .to_owned(),
            parameters: json!({
                "type": "object",
                "properties": {
                    "name": {"type": "string", "description": "Title of the guide, as it was listed."},
                    "page": {"type": "integer", "description": "Page wanted; the first by default."}
                },
                "required": ["name"]
            }),
        }
    }

    fn run(
        &self,
        call: &ToolCall,
        context: &Context,
        _workspace: &dyn Workspace,
        _response: Option<&CopilotResponse>,
    ) -> Result<ToolOutcome, ToolError> {
        let guides = &context.settings().guides;
        let (guide, page) = wanted(call, guides).map_err(arguments)?;
        let text = guide.page(page).ok_or_else(|| {
            let (title, n_pages) = (&guide.note.title, guide.n_pages());
            arguments(format!(
                "The guide \"{title}\" has no page {page}; its last is {n_pages}."
            ))
        })?;
        let next = context.next_text(None);
        let title = &guide.note.title;
        let given = given(context, guides, &call.id);
        if given
            .iter()
            .any(|(known, at)| known.note == guide.note && *at == page)
        {
            let text = format!("Page {page} of the guide \"{title}\" was given above.\n{next}");
            return Ok(outcome(text, guide, page));
        }
        let n_bytes = given.iter().filter_map(|(guide, page)| guide.page(*page));
        if n_bytes.map(str::len).sum::<usize>() + text.len() > limits::GUIDES_GIVEN {
            let text = format!(
                "There is no room for more of the guides. Go on by those given above.\n{next}"
            );
            return Err(ToolError::refuse(RefusedReason::AlreadyDone, text));
        }
        let n_pages = guide.n_pages();
        let head = if n_pages == 1 {
            format!("The guide \"{title}\", by the person:")
        } else {
            format!("The guide \"{title}\", by the person, page {page} of {n_pages}:")
        };
        let more = if page < n_pages {
            format!(
                "More follows: call Guide with name \"{title}\" and page {}.\n",
                page + 1
            )
        } else {
            String::new()
        };
        let text = format!("{head}\n{}\n{more}{next}", super::fenced(text.trim_end()));
        Ok(outcome(text, guide, page))
    }
}

fn arguments(text: String) -> ToolError {
    ToolError::refuse(RefusedReason::Arguments, text)
}

/// Reads which page of which guide a call asks for.
fn wanted<'a>(call: &ToolCall, guides: &'a [Guide]) -> Result<(&'a Guide, usize), String> {
    let fields = Fields::of(call)?;
    let name = fields.need(&["name", "title", "guide"])?;
    let page = fields.count(&["page"])?.unwrap_or(1);
    let unknown = || {
        if guides.is_empty() {
            return "The project has no guides.".to_owned();
        }
        let titles: Vec<&str> = guides
            .iter()
            .map(|guide| guide.note.title.as_str())
            .collect();
        format!(
            "There is no such guide. The guides are: {}.",
            titles.join("; ")
        )
    };
    Ok((guide::find(guides, name).ok_or_else(unknown)?, page))
}

/// Returns the pages that stand above the result of a call: those of the chunk, and those of calls before it in its
/// turn.
fn given<'a>(context: &Context, guides: &'a [Guide], id: &CallId) -> Vec<(&'a Guide, usize)> {
    let known = |(hash, page): &(String, usize)| {
        let guide = guides.iter().find(|guide| guide.note.hash == *hash)?;
        Some((guide, *page))
    };
    let before = context.open_calls().iter().take_while(|other| *other != id);
    let before = before.filter_map(|id| {
        let call = &context.call(id)?.call;
        (ToolName::of(&call.name) == Some(ToolName::Guide)).then(|| wanted(call, guides).ok())?
    });
    context
        .given_guides()
        .iter()
        .filter_map(known)
        .chain(before)
        .collect()
}

fn outcome(content: String, guide: &Guide, page: usize) -> ToolOutcome {
    ToolOutcome::Result {
        content,
        detail: ToolDetail::Guide {
            title: guide.note.title.clone(),
            hash: guide.note.hash.clone(),
            page,
        },
        sources: Vec::new(),
    }
}
