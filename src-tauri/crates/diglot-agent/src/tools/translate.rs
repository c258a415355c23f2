//! `Translate`: proposes the translation of one unit, and ends it with the person's decision. What a call
//! means is worked out in the context, once; here it is turned into a request or a result.

use diglot_document::UnitState;
use serde_json::json;

use super::{FILE_ID, Fields, ToolName, named_unit, next_text_with};
use crate::context::{Context, DocumentState, Draft, Resolution};
use crate::copilot::{CopilotResponse, Decision};
use crate::message::{RefusedReason, ToolCall, ToolDetail};
use crate::tool::{Tool, ToolError, ToolOutcome, ToolSpec};
use crate::workspace::Workspace;

/// Proposes the translation of one unit.
#[derive(Debug, Clone, Copy)]
pub struct Translate;

/// Holds the arguments of a call, as far as they fit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TranslateArguments {
    /// The document as the model wrote it.
    pub path: String,
    /// The unit, from 1.
    pub unit: Option<usize>,
    /// Quoted source text.
    pub quote: Option<String>,
    /// The translation.
    pub target: String,
    /// Whether the unit is left to the person (SPEC 10.8).
    pub no_draft: bool,
}

/// Reads the arguments of a call.
///
/// # Errors
/// A sentence for the model that names the fields.
pub fn read(call: &ToolCall) -> Result<TranslateArguments, String> {
    let fields = Fields::of(call)?;
    let unit = fields.number(&["unit", "unit_id", "unitId", "unit_number"])?;
    let quote = fields.text(&["src_string", "srcString", "source", "source_text"])?;
    let quote = quote
        .filter(|quote| !quote.trim().is_empty())
        .map(str::to_owned);
    if unit.is_none() && quote.is_none() {
        return Err("The field unit is missing: give the number of the unit.".to_owned());
    }
    Ok(TranslateArguments {
        path: fields.need(&FILE_ID)?.to_owned(),
        unit,
        quote,
        target: fields
            .need(&[
                "translate_string",
                "translateString",
                "translated_string",
                "translation",
                "target",
            ])?
            .to_owned(),
        no_draft: fields.is_true("no_draft"),
    })
}

impl Tool for Translate {
    fn name(&self) -> ToolName {
        ToolName::Translate
    }

    fn spec(&self) -> ToolSpec {
        ToolSpec {
            name: "Translate",
            description:
                "Proposes the translation of one unit to the person, who approves, refines or \
                          rejects it. Only the translation itself goes into translate_string."
                    .to_owned(),
            parameters: json!({
                "type": "object",
                "properties": {
                    "file_id": {"type": "string", "description": "Path of the document as LS prints it."},
                    "unit": {"type": "integer", "description": "Number of the unit."},
                    "translate_string": {"type": "string", "description": "The translation of the whole unit, and nothing else."}
                },
                "required": ["file_id", "unit", "translate_string"]
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
        match context
            .call(&call.id)
            .and_then(|state| state.resolution.as_ref())
        {
            Some(Resolution::Draft(draft)) => match response {
                None => context
                    .request_of(&call.id)
                    .map(ToolOutcome::NeedsCopilot)
                    .ok_or_else(|| set_aside("The call is done already.")),
                Some(response) => Ok(decided(context, draft, &response.decision)),
            },
            Some(Resolution::Refused { reason, text }) => {
                Err(ToolError::refuse(*reason, text.clone()))
            }
            None => Err(set_aside("The call is not known.")),
        }
    }
}

fn set_aside(text: &str) -> ToolError {
    ToolError::refuse(RefusedReason::AlreadyDone, text)
}

/// Writes the result of a decision; the context is that before the decision.
fn decided(context: &Context, draft: &Draft, decision: &Decision) -> ToolOutcome {
    let (path, unit) = (&draft.path, draft.ordinal + 1);
    let n_confirming = usize::from(matches!(
        decision,
        Decision::Approve | Decision::Refine { .. }
    ));
    let next = next_text_with(context, path, n_confirming);
    let (state, head) = match decision {
        Decision::Approve => (
            UnitState::Approved,
            json!({"unit": unit, "status": "approved"}),
        ),
        Decision::Refine { target } => (
            UnitState::Refined,
            json!({"unit": unit, "status": "refined", "translated_string": target}),
        ),
        Decision::Reject(rejection) => (
            UnitState::Rejected,
            json!({"unit": unit, "status": "rejected", "reason": rejection.words(&draft.target)}),
        ),
        Decision::Answer { .. } | Decision::Cancel => {
            let head = json!({"unit": unit, "status": "set aside by the person"});
            let content = format!("{head}\n{next}");
            return ToolOutcome::Result {
                content,
                detail: ToolDetail::SetAside,
                sources: Vec::new(),
            };
        }
    };
    // A rejected unit is open again, and may stand before what the context calls the next one.
    let first_open = context.document(path).and_then(DocumentState::next_open);
    let next = if state == UnitState::Rejected && first_open.is_none_or(|open| draft.ordinal < open)
    {
        named_unit(context, path, draft.ordinal)
    } else {
        next
    };
    ToolOutcome::Result {
        content: format!("{head}\n{next}"),
        detail: ToolDetail::Decided {
            path: path.clone(),
            unit,
            state,
        },
        sources: Vec::new(),
    }
}
