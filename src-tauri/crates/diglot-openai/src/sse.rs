//! Joins an event stream into the answer that it stands for, for servers that stream unasked. Must not judge
//! the answer; a stream that was cut is a failure.

use serde_json::{Map, Value, json};

use crate::error::Failure;
use crate::json;

/// Says how the end of a stream was told, beside its words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// By the length or the last chunk: nothing is missing.
    Marked,
    /// By the end of the connection: something may be.
    Closed,
}

/// Joins all events of a stream.
///
/// # Errors
/// When it ends without a finish reason: half an answer is none.
pub(crate) fn join(stream: &str, end: End) -> Result<Value, Failure> {
    let mut answer = Answer::default();
    let mut is_done = false;
    let text = stream.replace("\r\n", "\n");
    for event in text.split("\n\n") {
        let lines = event.lines().filter_map(|line| line.strip_prefix("data:"));
        let data = lines.collect::<Vec<_>>().join("\n");
        if data.trim() == "[DONE]" {
            answer.is_ended = answer.finish.is_some();
            is_done = true;
            break;
        }
        let Some(chunk) = json::parse(&data) else {
            // A chunk that lost a part would leave a gap that nobody sees; other words are the server's own.
            if data.trim_start().starts_with('{') {
                return Err(Failure::Broken("the answer was damaged".to_owned()));
            }
            continue;
        };
        if chunk.get("error").is_some_and(|error| !error.is_null()) {
            return Ok(chunk);
        }
        answer.add(&chunk);
    }
    // A reason that stands beside a call may stand beside each: more of them may have followed.
    let may_go_on = end == End::Closed && !is_done && answer.is_ended_with_call;
    if !answer.is_ended || may_go_on {
        return Err(Failure::Broken("the answer was interrupted".to_owned()));
    }
    Ok(answer.into_value())
}

#[derive(Default)]
struct Answer {
    texts: Map<String, Value>,
    calls: Vec<Call>,
    finish: Option<Value>,
    /// Nothing of the answer came after the last finish reason.
    is_ended: bool,
    /// The last finish reason stood beside a call.
    is_ended_with_call: bool,
    usage: Value,
}

#[derive(Default)]
struct Call {
    index: Option<u64>,
    id: Option<String>,
    name: String,
    arguments: String,
}

impl Answer {
    fn add(&mut self, chunk: &Value) {
        if let Some(usage) = chunk.get("usage").filter(|usage| usage.is_object()) {
            self.usage = usage.clone();
        }
        let Some(choice) = chunk.pointer("/choices/0") else {
            return;
        };
        let is_finished = json::text(choice, "finish_reason").is_some();
        if is_finished {
            self.finish = choice.get("finish_reason").cloned();
            self.is_ended = true;
            self.is_ended_with_call = false;
        }
        let Some(delta) = choice.get("delta").or_else(|| choice.get("message")) else {
            return;
        };
        for field in ["content", "reasoning_content", "reasoning"] {
            if let Some(piece) = delta.get(field).and_then(Value::as_str) {
                self.is_ended &= is_finished || piece.is_empty();
                let text = self.texts.entry(field).or_insert_with(|| json!(""));
                *text = Value::String(format!("{}{piece}", text.as_str().unwrap_or_default()));
            }
        }
        for piece in delta
            .get("tool_calls")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
        {
            self.is_ended &= is_finished;
            self.is_ended_with_call = is_finished;
            self.add_call(piece);
        }
    }

    /// Finds the call that a piece belongs to: a new id starts one, then the index decides, then order.
    fn add_call(&mut self, piece: &Value) {
        let function = piece.get("function").unwrap_or(&Value::Null);
        let index = piece.get("index").and_then(Value::as_u64);
        let id = json::text(piece, "id");
        let name = json::text(function, "name");
        let arguments = function
            .get("arguments")
            .and_then(Value::as_str)
            .unwrap_or_default();
        let by_index = self
            .calls
            .iter()
            .rposition(|call| index.is_some() && call.index == index);
        let last = self.calls.len().checked_sub(1);
        let place =
            match (id, name) {
                (Some(id), _) => self
                    .calls
                    .iter()
                    .position(|call| call.id.as_deref() == Some(id))
                    .or(by_index
                        .filter(|&at| self.calls.get(at).is_some_and(|call| call.id.is_none()))),
                (None, Some(_)) => by_index
                    .filter(|&at| self.calls.get(at).is_some_and(|call| call.name.is_empty())),
                (None, None) => by_index.or(last),
            };
        if place.is_none() && id.is_none() && name.is_none() && arguments.is_empty() {
            return;
        }
        let place = place.unwrap_or_else(|| {
            self.calls.push(Call {
                index,
                ..Call::default()
            });
            self.calls.len() - 1
        });
        let Some(call) = self.calls.get_mut(place) else {
            return;
        };
        if let Some(id) = id {
            call.id = Some(id.to_owned());
        }
        call.name.push_str(name.unwrap_or_default());
        call.arguments.push_str(arguments);
    }

    fn into_value(self) -> Value {
        let mut message = self.texts;
        message.insert("role".to_owned(), json!("assistant"));
        if !self.calls.is_empty() {
            let calls = self.calls.into_iter().map(|call| {
                let function = json!({"name": call.name, "arguments": call.arguments});
                json!({"id": call.id, "type": "function", "function": function})
            });
            message.insert("tool_calls".to_owned(), calls.collect());
        }
        let choice = json!({"index": 0, "message": message, "finish_reason": self.finish});
        json!({"choices": [choice], "usage": self.usage})
    }
}

#[cfg(test)]
mod tests;
