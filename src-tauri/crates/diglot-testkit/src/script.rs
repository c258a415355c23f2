//! Scripts of the field cases (`diglot-model-script/1`): replies in order, then good behaviour or an end.

mod substitute;

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use crate::cooperate::Cooperation;
use crate::reply::Reply;
use crate::server::Recorded;

/// Holds a script.
#[derive(Debug, Clone, Deserialize)]
pub struct Script {
    /// Name and version of the format.
    pub schema: String,
    /// Language to translate into.
    pub target_language: String,
    /// The document that the script is about, relative to the dropped folder.
    pub document: Option<String>,
    /// The dropped folder, `in` unless said.
    pub root: Option<String>,
    /// The model's context, in tokens, where it matters.
    pub context_tokens: Option<u64>,
    /// Replies to the agent, in order.
    #[serde(default)]
    pub turns: Vec<Turn>,
    /// Replies to the memory step, in order.
    #[serde(default)]
    pub memory_turns: Vec<Turn>,
    /// The reviewer's decisions, one for each request that really reaches the reviewer.
    #[serde(default)]
    pub human: Vec<Human>,
    /// What the model does after its turns.
    #[serde(default)]
    pub after: After,
}

/// Holds one reply of a script: a JSON value, raw text, or lines of an event stream.
#[derive(Debug, Clone, Deserialize)]
pub struct Turn {
    /// HTTP status.
    pub status: u16,
    /// Headers.
    #[serde(default)]
    pub headers: BTreeMap<String, String>,
    /// A JSON body.
    pub json: Option<Value>,
    /// A body as it is.
    pub raw: Option<String>,
    /// Lines of an event stream, each followed by a blank line.
    pub sse: Option<Vec<String>>,
}

/// Holds one decision of the reviewer.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(tag = "decision", rename_all = "snake_case")]
pub enum Human {
    /// Approves.
    Approve,
    /// Writes another text.
    Refine {
        /// The text.
        text: String,
    },
    /// Rejects.
    Reject {
        /// Why.
        #[serde(default)]
        reason: String,
    },
    /// Starts the application anew and approves then.
    RestartThenApprove,
}

/// Names what the model does after its turns.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum After {
    /// Proposes each open unit, well.
    Cooperate,
    /// Answers with a short text.
    #[default]
    Stop,
}

/// Reports text that is no script.
#[derive(Debug, thiserror::Error)]
pub enum ScriptError {
    /// Not JSON of this shape.
    #[error("the script cannot be read")]
    Json(#[from] serde_json::Error),
    /// Another format or version.
    #[error("`{0}` is not diglot-model-script/1")]
    Schema(String),
}

impl Script {
    /// Reads a script.
    ///
    /// # Errors
    /// When it is none of this version.
    pub fn read(text: &str) -> Result<Self, ScriptError> {
        let script: Self = serde_json::from_str(text)?;
        if script.schema != "diglot-model-script/1" {
            return Err(ScriptError::Schema(script.schema));
        }
        Ok(script)
    }
}

impl Turn {
    fn reply(&self) -> Reply {
        let kind = |name: &str| self.headers.get(name).cloned();
        let (body, usual) = if let Some(json) = &self.json {
            (substitute::value(json).to_string(), "application/json")
        } else if let Some(lines) = &self.sse {
            let lines = substitute::lines(lines)
                .into_iter()
                .map(|line| format!("{line}\n\n"));
            (lines.collect(), "text/event-stream")
        } else {
            (
                substitute::text(self.raw.as_deref().unwrap_or_default()),
                "text/plain",
            )
        };
        let kind = kind("content-type").unwrap_or_else(|| usual.to_owned());
        let mut reply = Reply::raw(self.status, &kind, body);
        for (name, value) in self
            .headers
            .iter()
            .filter(|(name, _)| *name != "content-type")
        {
            reply = reply.header(name, &substitute::text(value));
        }
        reply
    }
}

/// Plays a script, request by request.
pub(crate) struct Player {
    script: Script,
    n_turns: usize,
    n_memory_turns: usize,
}

impl Player {
    pub(crate) fn new(script: Script) -> Self {
        Self {
            script,
            n_turns: 0,
            n_memory_turns: 0,
        }
    }

    pub(crate) fn reply(&mut self, request: &Recorded) -> Reply {
        let (turns, place) = if request.is_memory() {
            (&self.script.memory_turns, &mut self.n_memory_turns)
        } else {
            (&self.script.turns, &mut self.n_turns)
        };
        let turn = turns.get(*place);
        *place += 1;
        if let Some(turn) = turn {
            return turn.reply();
        }
        match (request.is_memory(), self.script.after) {
            (true, _) => Reply::words("{\"ops\": []}"),
            (false, After::Stop) => Reply::words("That is all."),
            (false, After::Cooperate) => Cooperation {
                document: self.script.document.clone(),
            }
            .reply(request),
        }
    }
}

#[cfg(test)]
mod tests;
