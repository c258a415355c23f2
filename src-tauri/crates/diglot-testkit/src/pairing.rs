//! What a strict server demands of a conversation: every call has exactly one result, in its place.

use std::collections::HashSet;

use diglot_agent::model::ModelMessage;
use diglot_agent::{ModelRequest, ToolArguments};
use serde_json::{Value, json};

/// Lists what a strict server would refuse of a request that was not sent yet; empty when nothing.
pub fn faults(request: &ModelRequest) -> Vec<String> {
    let system = json!({"role": "system", "content": request.system});
    let messages = request.messages.iter().map(|message| match message {
        ModelMessage::User(text) => json!({"role": "user", "content": text}),
        ModelMessage::Tool { call_id, content } => {
            json!({"role": "tool", "tool_call_id": call_id, "content": content})
        }
        ModelMessage::Assistant {
            text, tool_calls, ..
        } if tool_calls.is_empty() => json!({"role": "assistant", "content": text}),
        ModelMessage::Assistant {
            text, tool_calls, ..
        } => {
            let call = |call: &diglot_agent::ToolCall| {
                let arguments = match &call.arguments {
                    ToolArguments::Parsed(value @ Value::Object(_)) => value.to_string(),
                    // What is no object is sent as an empty one: servers refuse the rest.
                    ToolArguments::Parsed(_) | ToolArguments::Malformed(_) => "{}".to_owned(),
                };
                let function = json!({"name": call.name, "arguments": arguments});
                json!({"id": call.id.as_str(), "type": "function", "function": function})
            };
            let calls: Vec<Value> = tool_calls.iter().map(call).collect();
            json!({"role": "assistant", "content": text, "tool_calls": calls})
        }
    });
    let messages: Vec<Value> = std::iter::once(system).chain(messages).collect();
    violations(&json!({"messages": messages}))
}

/// Lists what is wrong with the messages of a request; empty when nothing is.
pub(crate) fn violations(body: &Value) -> Vec<String> {
    let Some(messages) = body.get("messages").and_then(Value::as_array) else {
        return vec!["the request has no messages".to_owned()];
    };
    let mut check = Check::default();
    for (place, message) in messages.iter().enumerate() {
        check.message(place, message);
    }
    check.close(messages.len());
    if !messages.iter().any(|message| role(message) != "system") {
        check
            .found
            .push("there is nothing but a system message".to_owned());
    }
    check.found
}

#[derive(Default)]
struct Check {
    seen: HashSet<String>,
    open: Vec<String>,
    found: Vec<String>,
}

fn role(message: &Value) -> &str {
    text(message, "role")
}

fn text<'a>(value: &'a Value, field: &str) -> &'a str {
    value.get(field).and_then(Value::as_str).unwrap_or_default()
}

impl Check {
    fn message(&mut self, place: usize, message: &Value) {
        match role(message) {
            "tool" => self.result(place, message),
            "assistant" => {
                self.close(place);
                self.assistant(place, message);
            }
            "system" | "developer" | "user" => {
                self.close(place);
                if text(message, "content").is_empty() {
                    self.found.push(format!("message {place}: no content"));
                }
            }
            other => self
                .found
                .push(format!("message {place}: unknown role `{other}`")),
        }
    }

    fn assistant(&mut self, place: usize, message: &Value) {
        let calls = message.get("tool_calls").and_then(Value::as_array);
        let has_content = match message.get("content") {
            Some(Value::String(text)) => !text.is_empty(),
            Some(Value::Array(parts)) => !parts.is_empty(),
            Some(_) | None => false,
        };
        if message.get("tool_calls").is_some() && calls.is_none_or(Vec::is_empty) {
            self.found
                .push(format!("message {place}: an empty list of calls"));
        }
        if !has_content && calls.is_none_or(Vec::is_empty) {
            self.found
                .push(format!("message {place}: neither content nor calls"));
        }
        for call in calls.into_iter().flatten() {
            let id = text(call, "id").to_owned();
            let function = call.get("function").unwrap_or(&Value::Null);
            if id.trim().is_empty() {
                self.found
                    .push(format!("message {place}: a call without an id"));
            }
            if text(function, "name").is_empty() {
                self.found
                    .push(format!("message {place}: a call without a name"));
            }
            let arguments = serde_json::from_str::<Value>(text(function, "arguments"));
            if !arguments.is_ok_and(|arguments| arguments.is_object()) {
                self.found.push(format!(
                    "message {place}: arguments of {id} are no JSON object"
                ));
            }
            if !self.seen.insert(id.clone()) {
                self.found
                    .push(format!("message {place}: the id {id} is used twice"));
            }
            self.open.push(id);
        }
    }

    fn result(&mut self, place: usize, message: &Value) {
        let id = text(message, "tool_call_id");
        match self.open.iter().position(|open| open == id) {
            Some(found) => {
                self.open.remove(found);
            }
            None => self
                .found
                .push(format!("message {place}: a result for no open call `{id}`")),
        }
    }

    fn close(&mut self, place: usize) {
        for id in self.open.drain(..) {
            self.found.push(format!(
                "before message {place}: the call {id} has no result"
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn call(id: &str, arguments: &str) -> Value {
        json!({"id": id, "type": "function", "function": {"name": "Read", "arguments": arguments}})
    }

    fn found(messages: &[Value]) -> usize {
        violations(&json!({"messages": messages})).len()
    }

    #[test]
    fn complete_exchanges_pass() {
        let user = json!({"role": "user", "content": "u"});
        let assistant = json!({"role": "assistant", "content": "",
            "tool_calls": [call("1", "{}"), call("2", "{}")]});
        let result = |id: &str| json!({"role": "tool", "tool_call_id": id, "content": ""});
        assert_eq!(
            found(&[
                user.clone(),
                assistant.clone(),
                result("2"),
                result("1"),
                user
            ]),
            0
        );
    }

    #[test]
    fn each_fault_is_found() {
        let user = json!({"role": "user", "content": "u"});
        let assistant =
            |calls: Value| json!({"role": "assistant", "content": "", "tool_calls": calls});
        let result = |id: &str| json!({"role": "tool", "tool_call_id": id, "content": "r"});
        for messages in [
            vec![],
            vec![json!({"role": "system", "content": "s"})],
            vec![user.clone(), json!({"role": "assistant", "content": null})],
            vec![
                user.clone(),
                json!({"role": "assistant", "content": "x", "tool_calls": []}),
            ],
            vec![user.clone(), assistant(json!([call("1", "{}")]))],
            vec![
                user.clone(),
                assistant(json!([call("1", "{}")])),
                user.clone(),
                result("1"),
            ],
            vec![
                user.clone(),
                assistant(json!([call("1", "{}")])),
                result("1"),
                result("1"),
            ],
            vec![user.clone(), result("1")],
            vec![user.clone(), assistant(json!([call("", "{}")])), result("")],
            vec![
                user.clone(),
                assistant(json!([call("1", "{")])),
                result("1"),
            ],
            vec![
                user.clone(),
                assistant(json!([call("1", "{}")])),
                result("1"),
                assistant(json!([call("1", "{}")])),
                result("1"),
            ],
        ] {
            assert_ne!(found(&messages), 0, "{messages:?}");
        }
    }
}
