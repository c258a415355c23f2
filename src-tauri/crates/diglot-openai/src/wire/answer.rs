//! Reads an answer, whatever its shape. What cannot be used is a failure that says why.

use std::borrow::Cow;

use diglot_agent::message::{RawMessage, Usage};
use diglot_agent::model::{Finish, ProposedCall};
use diglot_agent::{ModelResponse, ToolSpec};
use diglot_document::Origin;
use serde_json::{Value, json};

use super::{Ask, Protocol, Shape, action, arguments, text_calls};
use crate::error::{Failure, HttpFail};
use crate::json;
use crate::words::Words;

/// Reads the answer to a request.
///
/// # Errors
/// When it holds an error, nothing at all, or calls that the output limit cut.
pub(crate) fn read(
    answer: &Value,
    ask: Ask<'_>,
    shape: Shape<'_>,
) -> Result<ModelResponse, Failure> {
    let choices = answer.get("choices").and_then(Value::as_array);
    let mut found = choices
        .into_iter()
        .flatten()
        .filter_map(|choice| Some((choice, message_of(choice)?)));
    let found = found.next();
    refuse_error(answer, found.as_ref().map(|(choice, _)| *choice))?;
    let (choice, message) = found.ok_or_else(|| unreadable("the answer holds no message"))?;
    let message = message.as_ref();
    let mut spoken = Spoken::read(message);
    let mut tool_calls = native_calls(message, ask.tools);
    let is_action = shape.config.protocol == Protocol::JsonSchema && !ask.tools.is_empty();
    if tool_calls.is_empty() && !ask.tools.is_empty() {
        if let Some((text, calls)) = text_calls::find(&spoken.text, ask.tools) {
            (spoken.text, tool_calls) = (text, calls);
        } else if is_action {
            (spoken.text, tool_calls) =
                action::read(&spoken.text).ok_or_else(|| unreadable("the action is not whole"))?;
        }
    }
    let finish = finish(choice);
    let is_silent = spoken.text.trim().is_empty() && tool_calls.is_empty();
    match finish {
        Finish::Length if !tool_calls.is_empty() => {
            return Err(unreadable(
                "the output limit cut the answer inside its tool calls",
            ));
        }
        Finish::Length if is_silent => {
            return Err(unreadable(
                "the output limit was reached before the answer began",
            ));
        }
        Finish::Filtered if is_silent => {
            return Err(unreadable("the provider's filter held the answer back"));
        }
        Finish::Stop if is_silent => return Err(unreadable("the answer is empty")),
        Finish::Stop | Finish::Length | Finish::Filtered => {}
    }
    let raw = message.is_object().then(|| RawMessage {
        provider: shape.provider.to_owned(),
        message: message.clone(),
    });
    Ok(ModelResponse {
        text: spoken.text,
        reasoning: spoken.reasoning,
        tool_calls,
        raw,
        finish,
        usage: usage(answer),
    })
}

/// Returns the message of a choice, also where a server calls it a delta or sends nothing but its text.
fn message_of(choice: &Value) -> Option<Cow<'_, Value>> {
    let message = choice.get("message").or_else(|| choice.get("delta"));
    message.map(Cow::Borrowed).or_else(|| {
        let text = choice.get("text").filter(|text| text.is_string())?;
        Some(Cow::Owned(json!({"role": "assistant", "content": text})))
    })
}

fn unreadable(text: &str) -> Failure {
    Failure::Unreadable(text.to_owned())
}

/// Finds an error inside a 200: beside the choices, in a choice, or as the whole answer.
fn refuse_error(answer: &Value, choice: Option<&Value>) -> Result<(), Failure> {
    let is_set = |error: &&Value| !error.is_null();
    let in_choice = choice.and_then(|choice| choice.get("error")).filter(is_set);
    let bare = (answer.get("object") == Some(&json!("error"))).then_some(answer);
    let error = answer
        .get("error")
        .filter(is_set)
        .map(|_| answer)
        .or(in_choice)
        .or(bare);
    let Some(error) = error else { return Ok(()) };
    let words = Words::from_value(error);
    let status = words.status.unwrap_or(200);
    let fail = HttpFail {
        status,
        retry_after_ms: None,
        moved_to: None,
        words,
    };
    Err(Failure::Refused(Box::new(fail)))
}

/// Fields of a message that hold the model's reasoning, by provider.
const REASONING: [&str; 4] = [
    "reasoning_content",
    "reasoning",
    "thinking",
    "reasoning_text",
];

/// Tags between which models reason at the start of their text.
const THOUGHT_TAGS: [(&str, &str); 7] = [
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<thought>", "</thought>"),
    ("<reasoning>", "</reasoning>"),
    ("<seed:think>", "</seed:think>"),
    ("[THINK]", "[/THINK]"),
    ("\u{25c1}think\u{25b7}", "\u{25c1}/think\u{25b7}"),
];

/// Tokens with which models end their turn.
const END_TOKENS: [&str; 6] = [
    "<|im_end|>",
    "<|eot_id|>",
    "<|endoftext|>",
    "<|end|>",
    "<end_of_turn>",
    "</s>",
];

struct Spoken {
    text: String,
    reasoning: Option<String>,
}

impl Spoken {
    fn read(message: &Value) -> Self {
        // Some servers send the same reasoning under two names.
        let thought = REASONING
            .iter()
            .find_map(|field| json::text(message, field));
        let mut thoughts: Vec<String> = thought.map(str::to_owned).into_iter().collect();
        if thoughts.is_empty() {
            thoughts.extend(details(message));
        }
        let mut text = match message.get("content") {
            Some(Value::String(text)) => text.clone(),
            Some(Value::Array(parts)) => join_parts(parts, &mut thoughts),
            Some(part @ Value::Object(_)) => join_parts(std::slice::from_ref(part), &mut thoughts),
            _ => String::new(),
        };
        if let Some((thought, rest)) = split_thought(&text) {
            thoughts.push(thought);
            text = rest;
        }
        if text.trim().is_empty() {
            // A refusal is an answer: the person reads it.
            text = json::text(message, "refusal")
                .map(str::to_owned)
                .unwrap_or_default();
        }
        let text = without_end(&text);
        let thoughts: Vec<String> = thoughts
            .into_iter()
            .filter(|thought| !thought.trim().is_empty())
            .collect();
        let reasoning = (!thoughts.is_empty()).then(|| thoughts.join("\n\n"));
        Self {
            text: text.to_owned(),
            reasoning,
        }
    }
}

/// Reads the texts and summaries of `reasoning_details`; what is encrypted is not for people.
fn details(message: &Value) -> Option<String> {
    let parts = message.get("reasoning_details")?.as_array()?.iter();
    let texts = parts.filter_map(|part| json::text(part, "text").or(json::text(part, "summary")));
    Some(texts.collect::<Vec<_>>().join("\n\n"))
}

/// Joins the text parts of a content list; reasoning parts go to `thoughts`.
fn join_parts(parts: &[Value], thoughts: &mut Vec<String>) -> String {
    let mut text = String::new();
    for part in parts {
        match part {
            Value::String(piece) => text.push_str(piece),
            Value::Object(_) => {
                let inner = ["text", "thinking", "reasoning", "content"]
                    .iter()
                    .find_map(|field| part.get(field));
                let piece = match inner {
                    Some(Value::String(piece)) => piece.clone(),
                    Some(Value::Array(inner)) => join_parts(inner, &mut Vec::new()),
                    _ => continue,
                };
                match part.get("type").and_then(Value::as_str) {
                    Some("thinking" | "reasoning") => thoughts.push(piece),
                    _ => text.push_str(&piece),
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => {}
        }
    }
    text
}

/// Takes off the token with which a model ends its turn, where a server lets it through.
fn without_end(text: &str) -> &str {
    let text = text.trim();
    let ended = END_TOKENS.iter().find_map(|token| text.strip_suffix(token));
    ended.map_or(text, str::trim_end)
}

/// Parts `<think>` from the answer after it. The opening tag may be missing (it stood in the prompt), and so
/// may the closing one (the answer was cut); tags elsewhere in the text are the text's own.
fn split_thought(text: &str) -> Option<(String, String)> {
    let start = text.trim_start();
    for (open, close) in THOUGHT_TAGS {
        if let Some(rest) = start.strip_prefix(open) {
            let (thought, rest) = rest.split_once(close).unwrap_or((rest, ""));
            return Some((thought.trim().to_owned(), rest.to_owned()));
        }
    }
    if start.starts_with(['{', '[', '`', '<']) {
        return None;
    }
    let (thought, rest) = start.split_once("</think>")?;
    let is_alone = thought.ends_with('\n') || rest.starts_with('\n');
    (is_alone && !thought.contains("<think>")).then(|| (thought.trim().to_owned(), rest.to_owned()))
}

fn native_calls(message: &Value, tools: &[ToolSpec]) -> Vec<ProposedCall> {
    let listed = match message.get("tool_calls") {
        Some(Value::Array(calls)) => calls.as_slice(),
        Some(call @ Value::Object(_)) => std::slice::from_ref(call),
        _ => &[],
    };
    let old = message
        .get("function_call")
        .filter(|call| listed.is_empty() && call.is_object());
    listed
        .iter()
        .chain(old)
        .filter_map(|call| native_call(call, tools))
        .collect()
}

fn native_call(call: &Value, tools: &[ToolSpec]) -> Option<ProposedCall> {
    let function = call
        .get("function")
        .filter(|inner| inner.is_object())
        .unwrap_or(call);
    let name = function.get("name").and_then(Value::as_str);
    let arguments = function
        .get("arguments")
        .or_else(|| function.get("parameters"));
    // A call without a name is still answered, so that the model learns of it.
    (name.is_some() || arguments.is_some()).then(|| ProposedCall {
        name: plain_name(name.unwrap_or_default().trim(), tools).to_owned(),
        arguments: arguments::read(arguments),
        origin: Origin::Model,
    })
}

/// Takes what a chat template left around the name of a tool off it; any other name stays, so that the model is
/// told of it.
fn plain_name<'a>(name: &'a str, tools: &[ToolSpec]) -> &'a str {
    let bare = name.strip_prefix("functions.").unwrap_or(name);
    let bare = bare.split_once("<|").map_or(bare, |(bare, _)| bare);
    let is_offered = tools.iter().any(|tool| tool.name == bare);
    if is_offered { bare } else { name }
}

fn finish(choice: &Value) -> Finish {
    let reason = choice
        .get("finish_reason")
        .and_then(Value::as_str)
        .unwrap_or_default();
    match reason.to_lowercase().as_str() {
        "length" | "max_tokens" | "max_output_tokens" | "model_length" => Finish::Length,
        "content_filter" | "content-filter" | "safety" | "recitation" | "prohibited_content"
        | "blocklist" | "sensitive" => Finish::Filtered,
        _ => Finish::Stop,
    }
}

/// Counts the tokens that an answer tells of; what is missing, negative or no number counts as none.
pub(crate) fn usage(answer: &Value) -> Usage {
    let usage = answer.get("usage");
    let count = |paths: &[&str]| {
        let found = paths.iter().find_map(|path| usage?.pointer(path)?.as_f64());
        #[expect(clippy::cast_sign_loss, reason = "made not negative just before")]
        found.map_or(0, |number| number.max(0.0) as u64)
    };
    let n_input = count(&["/prompt_tokens", "/input_tokens"]);
    let n_cached = count(&[
        "/prompt_tokens_details/cached_tokens",
        "/input_tokens_details/cached_tokens",
        "/prompt_cache_hit_tokens",
        "/cached_tokens",
    ]);
    Usage {
        n_input,
        n_cached: n_cached.min(n_input),
        n_output: count(&["/completion_tokens", "/output_tokens"]),
    }
}

#[cfg(test)]
mod tests;
