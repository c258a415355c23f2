//! What the fake server answers, and how it fails.

use serde_json::{Value, json};

use crate::gate::Gate;

/// Holds an answer of the fake server.
#[derive(Debug, Clone)]
pub struct Reply {
    /// HTTP status.
    pub status: u16,
    /// Headers, beside those that the server adds.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
    /// What goes wrong while it is sent.
    pub fault: Fault,
}

/// Names what goes wrong while an answer is sent.
#[derive(Debug, Clone, Default)]
pub enum Fault {
    /// Nothing.
    #[default]
    None,
    /// Nothing is sent before the gate is open.
    HoldUntil(Gate),
    /// Nothing is ever sent; the connection stays open until the client closes it.
    Hang,
    /// The connection is closed without a byte.
    Drop,
    /// The head promises the whole body, and so many bytes of it are sent before the connection is closed.
    CutAt(usize),
    /// So many bytes of the body are sent, then nothing until the client closes the connection.
    StallAt(usize),
    /// The body is sent in pieces of so many bytes.
    Pieces(usize),
}

impl Reply {
    /// Answers with a status and a JSON body.
    pub fn json(status: u16, body: &Value) -> Self {
        Self::raw(status, "application/json", body.to_string())
    }

    /// Answers with a status, a content type and any body.
    pub fn raw(status: u16, kind: &str, body: impl Into<Vec<u8>>) -> Self {
        Self {
            status,
            headers: vec![("content-type".to_owned(), kind.to_owned())],
            body: body.into(),
            fault: Fault::None,
        }
    }

    /// Answers 200 with an assistant message and the usual frame around it.
    pub fn message(message: &Value) -> Self {
        let has_calls = message.get("tool_calls").is_some();
        let finish = if has_calls { "tool_calls" } else { "stop" };
        Self::json(
            200,
            &json!({
                "id": "chatcmpl-test",
                "object": "chat.completion",
                "created": 1_760_000_000,
                "model": "test-model",
                "choices": [{"index": 0, "message": message, "finish_reason": finish}],
                "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
            }),
        )
    }

    /// Answers in words.
    pub fn words(text: &str) -> Self {
        Self::message(&json!({"role": "assistant", "content": text}))
    }

    /// Answers with one call.
    pub fn call(name: &str, arguments: &Value) -> Self {
        Self::calls(&[(name, arguments.clone())])
    }

    /// Answers with several calls.
    pub fn calls(calls: &[(&str, Value)]) -> Self {
        let call = |(place, (name, arguments)): (usize, &(&str, Value))| {
            json!({
                "id": format!("call_{place}"),
                "type": "function",
                "function": {"name": name, "arguments": arguments.to_string()}
            })
        };
        let calls: Vec<Value> = calls.iter().enumerate().map(call).collect();
        Self::message(&json!({"role": "assistant", "content": null, "tool_calls": calls}))
    }

    /// Adds a header.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Adds a fault.
    #[must_use]
    pub fn fault(mut self, fault: Fault) -> Self {
        self.fault = fault;
        self
    }
}
