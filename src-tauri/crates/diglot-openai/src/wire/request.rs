//! Builds the request JSON: the minimum, the same bytes for the same conversation, nothing a strict server
//! refuses.

use diglot_agent::message::RawMessage;
use diglot_agent::model::ModelMessage;
use diglot_agent::{ToolCall, ToolSpec};
use serde_json::{Map, Value, json};

use super::{Ask, Protocol, Shape, action, arguments};
use crate::learned::Parameter;
use crate::profile::{Replay, Structured};

/// Builds a request.
pub(crate) fn request(ask: Ask<'_>, shape: Shape<'_>) -> Value {
    let config = shape.config;
    let by_action = config.protocol == Protocol::JsonSchema && !ask.tools.is_empty();
    let mut system = ask.system.to_owned();
    let mut body = Map::new();
    body.insert("model".to_owned(), json!(config.model.trim()));
    let mut format = None;
    if by_action {
        append(&mut system, &action::explain(ask.tools));
        format = Some(match config.profile.structured {
            Structured::Object => json!({"type": "json_object"}),
            Structured::Schema | Structured::Words => {
                response_format("action", &action::schema(ask.tools))
            }
        });
    } else if let Some(schema) = ask.answer_schema {
        let words = format!("Answer with JSON alone, fitting this JSON schema:\n{schema}");
        append(&mut system, &words);
        format = match config.profile.structured {
            Structured::Words => None,
            Structured::Object => Some(json!({"type": "json_object"})),
            Structured::Schema => Some(response_format("answer", schema)),
        };
    }
    let mut messages = vec![json!({"role": "system", "content": system})];
    if by_action || config.protocol == Protocol::JsonSchema {
        messages.extend(action::messages(ask.messages));
    } else {
        messages.extend(ask.messages.iter().map(|message| render(message, shape)));
    }
    body.insert("messages".to_owned(), Value::Array(messages));
    if !by_action && !ask.tools.is_empty() {
        body.insert("tools".to_owned(), ask.tools.iter().map(tool).collect());
    }
    if let Some(format) = format.filter(|_| shape.learned.sends(Parameter::ResponseFormat)) {
        body.insert("response_format".to_owned(), format);
    }
    add_limits(&mut body, shape);
    Value::Object(body)
}

fn append(system: &mut String, words: &str) {
    if !system.is_empty() {
        system.push_str("\n\n");
    }
    system.push_str(words);
}

fn response_format(name: &str, schema: &Value) -> Value {
    json!({"type": "json_schema", "json_schema": {"name": name, "schema": schema}})
}

fn add_limits(body: &mut Map<String, Value>, shape: Shape<'_>) {
    let (config, learned) = (shape.config, shape.learned);
    if let Some(temperature) = config
        .temperature
        .filter(|_| learned.sends(Parameter::Temperature))
        .and_then(|set| config.profile.temperature(set))
    {
        // By way of its shortest text, so that 0.3 does not become 0.30000001192092896.
        let short = temperature
            .to_string()
            .parse::<f64>()
            .unwrap_or_else(|_| f64::from(temperature));
        body.insert("temperature".to_owned(), json!(short));
    }
    if let Some(limit) = config
        .max_output_tokens
        .filter(|_| learned.sends(Parameter::OutputLimit))
    {
        body.insert(
            learned.limit_key(&config.profile).as_str().to_owned(),
            json!(limit),
        );
    }
}

fn tool(tool: &ToolSpec) -> Value {
    json!({
        "type": "function",
        "function": {
            "name": tool.name,
            "description": tool.description,
            "parameters": tool.parameters
        }
    })
}

fn render(message: &ModelMessage, shape: Shape<'_>) -> Value {
    match message {
        ModelMessage::User(text) => json!({"role": "user", "content": text}),
        ModelMessage::Tool { call_id, content } => {
            json!({"role": "tool", "tool_call_id": call_id, "content": content})
        }
        ModelMessage::Assistant {
            text,
            tool_calls,
            raw,
        } => {
            let is_whole = shape.config.profile.replay == Replay::Whole
                && shape.learned.sends(Parameter::OwnFields);
            let own = raw
                .as_ref()
                .filter(|raw| is_whole && raw.provider == shape.provider);
            own.and_then(|raw| replay(raw, text, tool_calls, shape))
                .unwrap_or_else(|| plain(text, tool_calls, shape))
        }
    }
}

/// Renders an assistant message with the common fields alone. `content` is never null: some servers want
/// a text.
fn plain(text: &str, calls: &[ToolCall], shape: Shape<'_>) -> Value {
    let mut message = Map::new();
    message.insert("role".to_owned(), json!("assistant"));
    message.insert("content".to_owned(), json!(text));
    if !calls.is_empty() {
        add_reasoning(&mut message, shape);
        message.insert("tool_calls".to_owned(), calls.iter().map(call).collect());
    }
    Value::Object(message)
}

/// Gives a message with calls the place for reasoning that some providers insist on; an empty text is none.
fn add_reasoning(message: &mut Map<String, Value>, shape: Shape<'_>) {
    let field = "reasoning_content";
    if shape.learned.wants_reasoning(&shape.config.profile) && !message.contains_key(field) {
        message.insert(field.to_owned(), json!(" "));
    }
}

fn call(call: &ToolCall) -> Value {
    json!({
        "id": call.id.as_str(),
        "type": "function",
        "function": {
            "name": wire_name(&call.name),
            "arguments": arguments::object(&call.arguments).to_string()
        }
    })
}

/// Brings a name into the form that servers take: a model may have written anything.
fn wire_name(name: &str) -> String {
    let keep = |c: char| {
        if c.is_ascii_alphanumeric() || c == '-' {
            c
        } else {
            '_'
        }
    };
    let name: String = name.chars().take(64).map(keep).collect();
    if name.is_empty() {
        "unnamed".to_owned()
    } else {
        name
    }
}

/// Sends a provider's own message back as it came, opaque fields and all; only what the provider would
/// refuse is changed: ids, arguments that are no JSON, null fields, an empty list of calls.
fn replay(raw: &RawMessage, text: &str, calls: &[ToolCall], shape: Shape<'_>) -> Option<Value> {
    let mut message = raw.message.as_object()?.clone();
    message.retain(|field, value| field == "content" || !value.is_null());
    message.insert("role".to_owned(), json!("assistant"));
    let sent = match message.remove("tool_calls") {
        Some(Value::Array(sent)) => sent,
        _ => Vec::new(),
    };
    message.remove("function_call");
    let is_blank = match message.get("content") {
        Some(Value::String(_) | Value::Array(_)) => false,
        Some(_) | None => true,
    };
    // A call that stood in the text is sent as a call, not as that text.
    if is_blank || sent.is_empty() && !calls.is_empty() {
        message.insert("content".to_owned(), json!(text));
    }
    if calls.is_empty() {
        let is_empty = message
            .get("content")
            .and_then(Value::as_str)
            .is_some_and(str::is_empty);
        return (!is_empty).then_some(Value::Object(message));
    }
    add_reasoning(&mut message, shape);
    let rendered: Value = if sent.len() == calls.len() {
        sent.iter()
            .zip(calls)
            .map(|(sent, ours)| replay_call(sent, ours))
            .collect()
    } else {
        calls.iter().map(call).collect()
    };
    message.insert("tool_calls".to_owned(), rendered);
    Some(Value::Object(message))
}

fn replay_call(sent: &Value, ours: &ToolCall) -> Value {
    let mut message = sent.as_object().cloned().unwrap_or_default();
    let arguments = sent.pointer("/function/arguments").and_then(Value::as_str);
    // Strictly: what our own reader forgives, half a surrogate for instance, a server may not.
    let is_valid =
        |text: &&str| serde_json::from_str::<Value>(text).is_ok_and(|value| value.is_object());
    let arguments = arguments.filter(is_valid).map_or_else(
        || arguments::object(&ours.arguments).to_string(),
        str::to_owned,
    );
    let mut function = match message.remove("function") {
        Some(Value::Object(function)) => function,
        _ => Map::new(),
    };
    function.insert("name".to_owned(), json!(wire_name(&ours.name)));
    function.insert("arguments".to_owned(), json!(arguments));
    message.insert("id".to_owned(), json!(ours.id.as_str()));
    message.insert("type".to_owned(), json!("function"));
    message.insert("function".to_owned(), Value::Object(function));
    Value::Object(message)
}

#[cfg(test)]
mod tests;
