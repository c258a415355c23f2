//! The second tool protocol: one JSON action per answer. Owns its schema, the words that explain it, and the
//! conversation written as plain texts.

use std::fmt::Write as _;

use diglot_agent::model::{ModelMessage, ProposedCall};
use diglot_agent::{ToolCall, ToolSpec};
use diglot_document::Origin;
use serde_json::{Value, json};

use super::{arguments, text_calls};
use crate::json;

/// Returns the schema of an action: a call of one of the tools, or an answer in words.
pub(super) fn schema(tools: &[ToolSpec]) -> Value {
    let call = |tool: &ToolSpec| {
        json!({
            "type": "object",
            "properties": {"name": {"const": tool.name}, "arguments": tool.parameters},
            "required": ["name", "arguments"],
            "additionalProperties": false
        })
    };
    let answer = json!({
        "type": "object",
        "properties": {"answer": {"type": "string"}},
        "required": ["answer"],
        "additionalProperties": false
    });
    let actions: Vec<Value> = tools.iter().map(call).chain([answer]).collect();
    json!({"anyOf": actions})
}

/// Explains the tools to the model; stands at the end of the system prompt.
pub(super) fn explain(tools: &[ToolSpec]) -> String {
    let mut text = String::from(
        "# Tools\n\nAnswer with exactly one JSON object and nothing else: either a call, \
         {\"name\": TOOL, \"arguments\": {...}}, or, when no tool is needed, {\"answer\": TEXT}. \
         The result of a call follows in the next message.\n",
    );
    for tool in tools {
        // Writing to a String cannot fail.
        let _ = write!(
            text,
            "\n## {}\n\n{}\n\nArguments (JSON schema): {}\n",
            tool.name, tool.description, tool.parameters
        );
    }
    text
}

/// Writes the conversation as texts of user and assistant in turn.
pub(super) fn messages(messages: &[ModelMessage]) -> Vec<Value> {
    let mut turns: Vec<(&str, String)> = Vec::new();
    for (place, message) in messages.iter().enumerate() {
        let (role, text) = match message {
            ModelMessage::User(text) => ("user", text.clone()),
            ModelMessage::Assistant {
                text, tool_calls, ..
            } => ("assistant", actions(text, tool_calls)),
            ModelMessage::Tool { call_id, content } => {
                let name = name_of(messages.get(..place).unwrap_or_default(), call_id);
                ("user", format!("Result of {name}:\n{content}"))
            }
        };
        // Many chat templates want the roles to alternate.
        match turns.last_mut().filter(|(last, _)| *last == role) {
            Some((_, turn)) => {
                turn.push_str("\n\n");
                turn.push_str(&text);
            }
            None => turns.push((role, text)),
        }
    }
    turns
        .into_iter()
        .map(|(role, text)| json!({"role": role, "content": text}))
        .collect()
}

fn actions(text: &str, calls: &[ToolCall]) -> String {
    if calls.is_empty() {
        return json!({"answer": text}).to_string();
    }
    let call = |call: &ToolCall| {
        json!({"name": call.name, "arguments": arguments::object(&call.arguments)}).to_string()
    };
    calls.iter().map(call).collect::<Vec<_>>().join("\n")
}

fn name_of<'a>(earlier: &'a [ModelMessage], id: &str) -> &'a str {
    let calls = earlier.iter().rev().filter_map(|message| match message {
        ModelMessage::Assistant { tool_calls, .. } => Some(tool_calls),
        ModelMessage::User(_) | ModelMessage::Tool { .. } => None,
    });
    calls
        .flatten()
        .find(|call| call.id.as_str() == id)
        .map_or("a tool", |call| &call.name)
}

/// Reads an action; text that is none is an answer in words, and half an action is nothing.
pub(super) fn read(text: &str) -> Option<(String, Vec<ProposedCall>)> {
    let inner = text_calls::unfenced(text);
    let Some(action) = json::parse(inner) else {
        let fenced = text
            .strip_prefix("```")
            .and_then(|text| text.split_once('\n'));
        let is_half = fenced.map_or(inner, |(_, text)| text).starts_with('{');
        return (!is_half).then(|| (text.to_owned(), Vec::new()));
    };
    let arguments = action.get("arguments").or_else(|| action.get("parameters"));
    if let (Some(name), Some(value)) = (json::text(&action, "name"), arguments) {
        let call = ProposedCall {
            name: name.to_owned(),
            arguments: arguments::read(Some(value)),
            origin: Origin::Model,
        };
        return Some((String::new(), vec![call]));
    }
    let answer = action.get("answer").and_then(Value::as_str);
    Some((answer.unwrap_or(text).to_owned(), Vec::new()))
}

#[cfg(test)]
mod tests {
    use diglot_agent::{CallId, ToolArguments};

    use super::*;

    fn call(id: &str, name: &str, arguments: Value) -> ToolCall {
        ToolCall {
            id: CallId::from_text(id),
            name: name.to_owned(),
            arguments: ToolArguments::Parsed(arguments),
            origin: Origin::Model,
        }
    }

    #[test]
    fn the_conversation_becomes_texts_in_turn() {
        let history = [
            ModelMessage::User("Start.".into()),
            ModelMessage::Assistant {
                text: String::new(),
                tool_calls: vec![
                    call("1", "LS", json!({"path": "."})),
                    call("2", "Read", json!({})),
                ],
                raw: None,
            },
            ModelMessage::Tool {
                call_id: "1".into(),
                content: "a.md".into(),
            },
            ModelMessage::Tool {
                call_id: "2".into(),
                content: "[1] One".into(),
            },
            ModelMessage::User("Go on.".into()),
            ModelMessage::Assistant {
                text: "Done.".into(),
                tool_calls: Vec::new(),
                raw: None,
            },
        ];
        let expected = [
            ("user", "Start."),
            ("assistant", "{\"name\":\"LS\",\"arguments\":{\"path\":\".\"}}\n{\"name\":\"Read\",\"arguments\":{}}"),
            ("user", "Result of LS:\na.md\n\nResult of Read:\n[1] One\n\nGo on."),
            ("assistant", "{\"answer\":\"Done.\"}"),
        ]
        .map(|(role, content)| json!({"role": role, "content": content}));
        assert_eq!(messages(&history), expected);
    }

    #[test]
    fn actions_are_read() {
        for (text, answer, name) in [
            (r#"{"name": "Read", "arguments": {}}"#, "", Some("Read")),
            (
                r#"{"name": "Unknown", "arguments": {}}"#,
                "",
                Some("Unknown"),
            ),
            (r#"{"answer": "Done."}"#, "Done.", None),
            ("Done.", "Done.", None),
            ("17", "17", None),
        ] {
            let (read_text, calls) = read(text).unwrap();
            let read_name = calls.first().map(|call| call.name.as_str());
            assert_eq!((read_text.as_str(), read_name), (answer, name), "{text}");
        }
        for half in [r#"{"name": "Read""#, "```json\n{\"name\": \"Read\"", "{\"a"] {
            assert_eq!(read(half), None, "{half}");
        }
    }
}
