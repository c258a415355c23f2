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
    for data in events(stream) {
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

/// Lists the data of the events. Where a server leaves out the blank line between two, each line is one.
fn events(stream: &str) -> Vec<String> {
    let text = stream.replace("\r\n", "\n").replace('\r', "\n");
    let mut events = Vec::new();
    for event in text.split("\n\n") {
        let lines = event.lines().filter_map(|line| line.strip_prefix("data:"));
        let lines: Vec<&str> = lines.collect();
        let data = lines.join("\n");
        if lines.len() > 1 && json::parse(&data).is_none() {
            events.extend(lines.into_iter().map(str::to_owned));
        } else {
            events.push(data);
        }
    }
    events
}

/// Fields of a delta whose pieces make one text.
const TEXTS: [&str; 6] = [
    "content",
    "reasoning_content",
    "reasoning",
    "thinking",
    "reasoning_text",
    "refusal",
];

fn list<'a>(value: &'a Value, field: &str) -> &'a [Value] {
    value
        .get(field)
        .and_then(Value::as_array)
        .map_or(&[], Vec::as_slice)
}

#[derive(Default)]
struct Answer {
    texts: Map<String, Value>,
    details: Vec<Value>,
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
    /// Fields that are not ours to understand, sent back as they came.
    own: Map<String, Value>,
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
        for field in TEXTS {
            if let Some(piece) = delta.get(field).and_then(Value::as_str) {
                self.is_ended &= is_finished || piece.is_empty();
                self.add_text(field, piece);
            }
        }
        for part in list(delta, "content") {
            self.is_ended &= is_finished;
            self.add_part(part);
        }
        self.details
            .extend(list(delta, "reasoning_details").iter().cloned());
        let old = delta.get("function_call").filter(|call| call.is_object());
        let old = old.map(|function| json!({"index": 0, "function": function}));
        for piece in list(delta, "tool_calls").iter().chain(&old) {
            self.is_ended &= is_finished;
            self.is_ended_with_call = is_finished;
            self.add_call(piece);
        }
    }

    fn add_text(&mut self, field: &str, piece: &str) {
        let text = self.texts.entry(field).or_insert_with(|| json!(""));
        *text = Value::String(format!("{}{piece}", text.as_str().unwrap_or_default()));
    }

    /// Adds a part of a content list: a text, or reasoning with texts of its own.
    fn add_part(&mut self, part: &Value) {
        if let Some(text) = part.get("text").and_then(Value::as_str) {
            self.add_text("content", text);
        }
        for thought in list(part, "thinking") {
            let text = thought.get("text").and_then(Value::as_str);
            self.add_text("reasoning_content", text.unwrap_or_default());
        }
    }

    /// Finds the call that a piece belongs to: a new id starts one, then the index decides, then order.
    fn add_call(&mut self, piece: &Value) {
        let function = piece.get("function").unwrap_or(&Value::Null);
        let index = piece.get("index").and_then(Value::as_u64);
        let id = json::text(piece, "id");
        let name = json::text(function, "name");
        let arguments = match function.get("arguments") {
            Some(Value::String(text)) => text.clone(),
            Some(object @ Value::Object(_)) => object.to_string(),
            _ => String::new(),
        };
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
        call.arguments.push_str(&arguments);
        for (field, value) in piece.as_object().into_iter().flatten() {
            if !["index", "id", "type", "function"].contains(&field.as_str()) {
                call.own.insert(field.clone(), value.clone());
            }
        }
    }

    fn into_value(self) -> Value {
        let mut message = self.texts;
        message.insert("role".to_owned(), json!("assistant"));
        if !self.details.is_empty() {
            message.insert("reasoning_details".to_owned(), Value::Array(self.details));
        }
        if !self.calls.is_empty() {
            let calls = self.calls.into_iter().map(|call| {
                let function = json!({"name": call.name, "arguments": call.arguments});
                let mut message = call.own;
                message.insert("id".to_owned(), json!(call.id));
                message.insert("type".to_owned(), json!("function"));
                message.insert("function".to_owned(), function);
                Value::Object(message)
            });
            message.insert("tool_calls".to_owned(), calls.collect());
        }
        let choice = json!({"index": 0, "message": message, "finish_reason": self.finish});
        json!({"choices": [choice], "usage": self.usage})
    }
}

#[cfg(test)]
mod tests;
