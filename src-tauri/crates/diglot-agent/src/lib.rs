//! The agent core: what happens in one step, worked out from a log. Owns entries, the context folded
//! from them, tools, prompts and memory. Must not know a screen, database, file system, clock,
//! environment, HTTP client or async runtime; what it needs of them arrives as arguments or by a port.

pub mod agent_loop;
pub mod context;
pub mod copilot;
pub mod entry;
pub mod guide;
pub mod limits;
pub mod matches;
pub mod memory;
pub mod message;
pub mod model;
pub mod prompt;
pub mod rejection;
pub mod store;
pub mod terms;
pub mod tokens;
pub mod tool;
pub mod tools;
pub mod workspace;

pub use agent_loop::{Actor, AgentLoop, Begun, FinishReason, Step, StepError};
pub use context::{Context, ContextError, SessionSettings};
pub use copilot::{CopilotRequest, CopilotResponse, Decision, DecisionMode};
pub use entry::{Entry, Seq, SessionId};
pub use guide::{Guide, GuideNote};
pub use matches::{Matches, TmMatch};
pub use memory::{Memory, MemoryItem, MemoryOp};
pub use message::{CallId, Message, ToolArguments, ToolCall, ToolResult};
pub use model::{Model, ModelError, ModelRequest, ModelResponse};
pub use rejection::{Fault, Marked, Rejection};
pub use terms::{Glossary, TermEntry, Terms};
pub use tool::{Tool, ToolError, ToolOutcome, ToolSpec};
pub use workspace::{ProjectPath, SourceHash, SourceText, Workspace, WorkspaceError};
