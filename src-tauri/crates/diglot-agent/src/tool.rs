//! What a tool is: a name, a schema, and one way to run.

use serde_json::Value;

use crate::context::Context;
use crate::copilot::{CopilotRequest, CopilotResponse};
use crate::entry::SourceRead;
use crate::message::{RefusedReason, ToolCall, ToolDetail};
use crate::tools::ToolName;
use crate::workspace::{SourceText, Workspace};

/// Describes a tool to a model.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolSpec {
    /// Its name on the wire.
    pub name: &'static str,
    /// What it does, for the model.
    pub description: String,
    /// JSON schema of its arguments: an object.
    pub parameters: Value,
}

/// Holds what became of a call.
#[derive(Debug, Clone, PartialEq)]
pub enum ToolOutcome {
    /// The call is done.
    Result {
        /// What the model sees.
        content: String,
        /// What the application keeps.
        detail: ToolDetail,
        /// Documents that this call read first, or anew.
        sources: Vec<(SourceRead, SourceText)>,
    },
    /// A person must decide first.
    NeedsCopilot(CopilotRequest),
}

/// Reports a call that cannot be done.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ToolError {
    /// Becomes the call's result: tells the model how to mend it.
    #[error("{text}")]
    RespondToModel {
        /// One instruction a sentence.
        text: String,
        /// Why, in one word.
        reason: RefusedReason,
    },
}

impl ToolError {
    /// Refuses a call with a sentence for the model.
    pub fn refuse(reason: RefusedReason, text: impl Into<String>) -> Self {
        Self::RespondToModel {
            text: text.into(),
            reason,
        }
    }
}

/// Runs calls of one name. Repeatable: without a response it has no effect (SPEC 2).
pub trait Tool: Send + Sync {
    /// Names the tool, without building what a model is told of it.
    fn name(&self) -> ToolName;

    /// Describes the tool.
    fn spec(&self) -> ToolSpec;

    /// Runs a call, with the person's response where there is one.
    ///
    /// # Errors
    /// What the model must be told instead of a result.
    fn run(
        &self,
        call: &ToolCall,
        context: &Context,
        workspace: &dyn Workspace,
        response: Option<&CopilotResponse>,
    ) -> Result<ToolOutcome, ToolError>;
}
