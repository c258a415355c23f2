//! Arguments of a call, in and out. Decodes, never repairs: a draft must not gain or lose a character.

use diglot_agent::ToolArguments;
use serde_json::{Map, Value};

use crate::json;

/// Reads arguments: an object, its text, or its text encoded once more; nothing at all is no arguments.
pub(super) fn read(value: Option<&Value>) -> ToolArguments {
    match value {
        None | Some(Value::Null) => empty(),
        Some(object @ Value::Object(_)) => ToolArguments::Parsed(object.clone()),
        Some(Value::String(text)) => read_text(text),
        Some(other @ (Value::Array(_) | Value::Bool(_) | Value::Number(_))) => {
            ToolArguments::Malformed(other.to_string())
        }
    }
}

fn read_text(text: &str) -> ToolArguments {
    if text.trim().is_empty() {
        return empty();
    }
    let value = match json::parse(text) {
        Some(Value::String(inner)) => json::parse(&inner),
        value => value,
    };
    match value {
        Some(object @ Value::Object(_)) => ToolArguments::Parsed(object),
        Some(Value::Null) => empty(),
        _ => ToolArguments::Malformed(text.to_owned()),
    }
}

fn empty() -> ToolArguments {
    ToolArguments::Parsed(Value::Object(Map::new()))
}

/// Returns the object of arguments; a strict server takes nothing else back.
pub(super) fn object(arguments: &ToolArguments) -> Value {
    match arguments {
        ToolArguments::Parsed(object @ Value::Object(_)) => object.clone(),
        ToolArguments::Parsed(_) | ToolArguments::Malformed(_) => Value::Object(Map::new()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn arguments_are_decoded_and_never_repaired() {
        let parsed = |value| ToolArguments::Parsed(value);
        let malformed = |text: &str| ToolArguments::Malformed(text.to_owned());
        for (value, expected) in [
            (None, parsed(json!({}))),
            (Some(json!(null)), parsed(json!({}))),
            (Some(json!("")), parsed(json!({}))),
            (Some(json!(" \n")), parsed(json!({}))),
            (Some(json!("null")), parsed(json!({}))),
            (Some(json!({"a": 1})), parsed(json!({"a": 1}))),
            (Some(json!("{\"a\": 1}")), parsed(json!({"a": 1}))),
            (Some(json!(" {\"a\": 1}\n")), parsed(json!({"a": 1}))),
            // Encoded twice; a text that looks like JSON inside stays text.
            (
                Some(json!("\"{\\\"a\\\": \\\"{1}\\\"}\"")),
                parsed(json!({"a": "{1}"})),
            ),
            (
                Some(json!("{\"a\": \"{\\\"b\\\": 1}\"}")),
                parsed(json!({"a": "{\"b\": 1}"})),
            ),
            (
                Some(json!("{\"a\": \"\\ud83d\"}")),
                parsed(json!({"a": "\u{fffd}"})),
            ),
            (Some(json!("{'a': 1}")), malformed("{'a': 1}")),
            (Some(json!("{\"a\": 1")), malformed("{\"a\": 1")),
            (
                Some(json!("{\"a\": \"x\ny\",}")),
                malformed("{\"a\": \"x\ny\",}"),
            ),
            (Some(json!("Translate: x")), malformed("Translate: x")),
            (Some(json!("\"x\"")), malformed("\"x\"")),
            (Some(json!("[1]")), malformed("[1]")),
            (Some(json!([1])), malformed("[1]")),
            (Some(json!(7)), malformed("7")),
        ] {
            assert_eq!(read(value.as_ref()), expected, "{value:?}");
        }
    }
}
