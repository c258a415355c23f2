//! `Ask`: a question to the person, in the conversation.

use serde_json::json;

use super::{Fields, ToolName};
use crate::context::Context;
use crate::copilot::{CopilotResponse, Decision};
use crate::message::{RefusedReason, ToolCall, ToolDetail};
use crate::tool::{Tool, ToolError, ToolOutcome, ToolSpec};
use crate::workspace::Workspace;

/// Asks the person.
#[derive(Debug, Clone, Copy)]
pub struct Ask;

/// Most answers that a card offers.
const MOST_OPTIONS: usize = 8;

/// Holds the arguments of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskArguments {
    /// The question; never empty.
    pub question: String,
    /// Answers to choose from, each once, at most eight.
    pub options: Vec<String>,
    /// What it is about, as the model put it.
    pub kind: String,
}

/// Reads the arguments of a call.
///
/// # Errors
/// A sentence for the model that names the fields.
pub fn read(call: &ToolCall) -> Result<AskArguments, String> {
    let fields = Fields::of(call)?;
    let question = fields.need(&["question", "text"])?.trim().to_owned();
    if question.is_empty() {
        return Err("The field question is empty.".to_owned());
    }
    let mut options: Vec<String> = Vec::new();
    for option in fields.texts(&["options", "choices"])? {
        let option = option.trim().to_owned();
        if !option.is_empty() && !options.contains(&option) && options.len() < MOST_OPTIONS {
            options.push(option);
        }
    }
    let kind = fields.text(&["kind"])?.unwrap_or("other").to_owned();
    Ok(AskArguments {
        question,
        options,
        kind,
    })
}

impl Tool for Ask {
    fn name(&self) -> ToolName {
        ToolName::Ask
    }

    fn spec(&self) -> ToolSpec {
        ToolSpec {
            name: "Ask",
            description:
                "Asks the person one question that the translation depends on: tone, form of \
                          address, an ambiguous term. Use it rarely."
                    .to_owned(),
            parameters: json!({
                "type": "object",
                "properties": {
                    "question": {"type": "string"},
                    "options": {"type": "array", "items": {"type": "string"}, "description": "Answers to choose from."},
                    "kind": {"type": "string", "enum": ["language", "tone", "term", "other"]}
                },
                "required": ["question", "kind"]
            }),
        }
    }

    fn run(
        &self,
        call: &ToolCall,
        context: &Context,
        _workspace: &dyn Workspace,
        response: Option<&CopilotResponse>,
    ) -> Result<ToolOutcome, ToolError> {
        read(call).map_err(|text| ToolError::refuse(RefusedReason::Arguments, text))?;
        let Some(response) = response else {
            return context
                .request_of(&call.id)
                .map(ToolOutcome::NeedsCopilot)
                .ok_or_else(|| {
                    ToolError::refuse(
                        RefusedReason::AlreadyDone,
                        "The question was answered already.",
                    )
                });
        };
        let (content, detail) = match &response.decision {
            Decision::Answer { choice, text } => {
                let answer = json!({"status": "answered", "choice": choice, "text": text});
                (answer.to_string(), ToolDetail::Answered)
            }
            Decision::Approve
            | Decision::Refine { .. }
            | Decision::Reject(_)
            | Decision::Cancel => (
                json!({"status": "cancelled", "reason": "The person closed the question without an answer. Go on with what you know."})
                    .to_string(),
                ToolDetail::SetAside,
            ),
        };
        Ok(ToolOutcome::Result {
            content,
            detail,
            sources: Vec::new(),
        })
    }
}
