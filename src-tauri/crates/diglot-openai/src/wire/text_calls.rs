//! Calls that a model wrote as text, as small models do: bare JSON, fenced, or between tags. Accepted only
//! when the whole of it is calls and each names a tool that was offered, so that nothing quoted is run.

use diglot_agent::ToolSpec;
use diglot_agent::model::ProposedCall;
use diglot_document::Origin;
use serde_json::{Map, Value};

use super::arguments;
use crate::json;

const TAGS: [(&str, &str); 2] = [("<tool_call>", "</tool_call>"), ("<tools>", "</tools>")];

/// Finds calls in an answer's text, with the prose before a tag; `None` when the text is only text.
pub(super) fn find(text: &str, tools: &[ToolSpec]) -> Option<(String, Vec<ProposedCall>)> {
    let text = text.trim();
    let (prose, calls) = function_tags(text, tools)
        .map(|calls| (String::new(), calls))
        .or_else(|| tagged(text, tools))
        .or_else(|| Some((String::new(), json_calls(unmarked(unfenced(text)), tools)?)))?;
    (!calls.is_empty()).then_some((prose, calls))
}

/// Reads `<tool_call>..</tool_call>` blocks that end the text, each tag at the start of a line. The last end
/// tag may be missing: some servers cut it off as a stop word.
fn tagged(text: &str, tools: &[ToolSpec]) -> Option<(String, Vec<ProposedCall>)> {
    let (open, close) = TAGS.into_iter().find(|(open, _)| text.contains(open))?;
    let (prose, mut rest) = text.split_once(open)?;
    if !prose.is_empty() && !prose.trim_end_matches([' ', '\t']).ends_with('\n') {
        return None;
    }
    let mut calls = Vec::new();
    loop {
        let (block, after) = rest.split_once(close).unwrap_or((rest, ""));
        calls.extend(json_calls(unfenced(block.trim()), tools)?);
        let after = after.trim_start();
        if after.is_empty() {
            return Some((prose.trim().to_owned(), calls));
        }
        rest = after.strip_prefix(open)?;
    }
}

/// Takes the token off with which some models begin a call.
fn unmarked(text: &str) -> &str {
    let marks = ["<|python_tag|>", "[TOOL_CALLS]"];
    let rest = marks.iter().find_map(|mark| text.strip_prefix(mark));
    rest.map_or(text, str::trim_start)
}

/// Reads `<function=Name>{..}</function>` blocks that are the whole text, each perhaps in a tag of its own.
fn function_tags(text: &str, tools: &[ToolSpec]) -> Option<Vec<ProposedCall>> {
    let mut calls = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        rest = rest
            .strip_prefix("<tool_call>")
            .unwrap_or(rest)
            .trim_start();
        let (name, after) = rest.strip_prefix("<function=")?.split_once('>')?;
        let (body, after) = after.split_once("</function>")?;
        let arguments = json::parse(body).filter(Value::is_object);
        let arguments = arguments.or_else(|| parameter_tags(body))?;
        calls.push(call(name.trim(), Some(&arguments), tools)?);
        let after = after.trim_start();
        rest = after
            .strip_prefix("</tool_call>")
            .unwrap_or(after)
            .trim_start();
    }
    Some(calls)
}

/// Reads `<parameter=name>` blocks, each with a text on lines of its own; a whole number is one.
fn parameter_tags(body: &str) -> Option<Value> {
    let mut arguments = Map::new();
    let mut rest = body.trim();
    while !rest.is_empty() {
        let (name, after) = rest.strip_prefix("<parameter=")?.split_once('>')?;
        let (value, after) = after.split_once("</parameter>")?;
        let value = value.strip_prefix('\n').unwrap_or(value);
        let value = value.strip_suffix('\n').unwrap_or(value);
        let number = value.parse::<u64>().map(Value::from);
        arguments.insert(
            name.trim().to_owned(),
            number.unwrap_or_else(|_| Value::from(value)),
        );
        rest = after.trim_start();
    }
    Some(Value::Object(arguments))
}

/// Takes the inside of a code fence that is the whole text.
pub(super) fn unfenced(text: &str) -> &str {
    let inside = text.strip_prefix("```").and_then(|rest| {
        let (info, body) = rest.split_once('\n')?;
        let body = body.strip_suffix("```")?;
        (!info.contains(['`', '{']) && !body.contains("```")).then_some(body.trim())
    });
    inside.unwrap_or(text)
}

/// Reads JSON values that are the whole text and all calls.
fn json_calls(text: &str, tools: &[ToolSpec]) -> Option<Vec<ProposedCall>> {
    if !text.starts_with(['{', '[']) {
        return None;
    }
    let mut calls = Vec::new();
    for value in json::values(text)? {
        read_value(&value, tools, &mut calls)?;
    }
    Some(calls)
}

fn read_value(value: &Value, tools: &[ToolSpec], calls: &mut Vec<ProposedCall>) -> Option<()> {
    if let Some(items) = value
        .as_array()
        .or_else(|| value.get("tool_calls")?.as_array())
    {
        return items
            .iter()
            .try_for_each(|item| read_value(item, tools, calls));
    }
    let function = value
        .get("function")
        .filter(|inner| inner.is_object())
        .unwrap_or(value);
    let fields = ["arguments", "parameters"];
    let arguments = fields.iter().find_map(|field| function.get(field))?;
    calls.push(call(json::text(function, "name")?, Some(arguments), tools)?);
    Some(())
}

fn call(name: &str, value: Option<&Value>, tools: &[ToolSpec]) -> Option<ProposedCall> {
    tools
        .iter()
        .any(|tool| tool.name == name)
        .then(|| ProposedCall {
            name: name.to_owned(),
            arguments: arguments::read(value),
            origin: Origin::Model,
        })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn tools() -> Vec<ToolSpec> {
        ["Read", "Translate"]
            .map(|name| ToolSpec {
                name,
                description: String::new(),
                parameters: json!({}),
            })
            .into()
    }

    /// Writes what is found as `prose|Name{arguments}..`.
    fn found(text: &str) -> Option<String> {
        let (prose, calls) = find(text, &tools())?;
        let calls = calls
            .iter()
            .map(|call| format!("{}{}", call.name, arguments::object(&call.arguments)));
        Some(format!("{prose}|{}", calls.collect::<String>()))
    }

    #[test]
    fn calls_are_found_in_every_known_form() {
        let call = r#"{"name": "Read", "arguments": {"file_id": "a"}}"#;
        for (text, expected) in [
            (call.to_owned(), r#"|Read{"file_id":"a"}"#),
            (format!("\n {call} \n"), r#"|Read{"file_id":"a"}"#),
            (format!("```json\n{call}\n```"), r#"|Read{"file_id":"a"}"#),
            (format!("```\n{call}\n```"), r#"|Read{"file_id":"a"}"#),
            (
                format!("{call}\n{call}"),
                r#"|Read{"file_id":"a"}Read{"file_id":"a"}"#,
            ),
            (format!("[{call}]"), r#"|Read{"file_id":"a"}"#),
            (
                format!("{{\"tool_calls\": [{call}]}}"),
                r#"|Read{"file_id":"a"}"#,
            ),
            (
                format!("{{\"type\": \"function\", \"function\": {call}}}"),
                r#"|Read{"file_id":"a"}"#,
            ),
            (
                r#"{"name": "Read", "parameters": {"a": 1}}"#.to_owned(),
                r#"|Read{"a":1}"#,
            ),
            (
                r#"{"name": "Read", "arguments": "{\"a\": 1}"}"#.to_owned(),
                r#"|Read{"a":1}"#,
            ),
            (
                format!("<tool_call>\n{call}\n</tool_call>"),
                r#"|Read{"file_id":"a"}"#,
            ),
            (format!("<tool_call>\n{call}"), r#"|Read{"file_id":"a"}"#),
            (
                format!("I read it.\n<tool_call>{call}</tool_call>\n<tool_call>{call}</tool_call>"),
                r#"I read it.|Read{"file_id":"a"}Read{"file_id":"a"}"#,
            ),
            (format!("<tools>{call}</tools>"), r#"|Read{"file_id":"a"}"#),
            (
                r#"<function=Read>{"a": 1}</function>"#.to_owned(),
                r#"|Read{"a":1}"#,
            ),
            (
                format!(r#"{{"name": "Read", "arguments": {{"a": "\ud83d"}}}} {call}"#),
                "|Read{\"a\":\"\u{fffd}\"}Read{\"file_id\":\"a\"}",
            ),
        ] {
            assert_eq!(found(&text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn what_is_quoted_or_not_ours_stays_text() {
        let call = r#"{"name": "Read", "arguments": {}}"#;
        for text in [
            String::new(),
            "Done.".to_owned(),
            format!("I would now call {call}."),
            format!("{call} is what I would call."),
            format!("Like this:\n```json\n{call}\n```\nShall I?"),
            format!("See:\n```json\n{call}\n```"),
            format!("The tag <tool_call>{call}</tool_call> starts a call."),
            format!("<tool_call>{call}</tool_call> is a tag."),
            r#"{"name": "Delete", "arguments": {}}"#.to_owned(),
            format!("[{call}, {{\"name\": \"Delete\", \"arguments\": {{}}}}]"),
            r#"{"name": "Read"}"#.to_owned(),
            r#"{"name": "Read", "arguments": {"#.to_owned(),
            "[]".to_owned(),
            "{}".to_owned(),
            "<tool_call></tool_call>".to_owned(),
            "<function=Delete>{}</function>".to_owned(),
        ] {
            assert_eq!(found(&text), None, "{text}");
        }
    }
}
