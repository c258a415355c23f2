//! P30: an answer that is cut anywhere is the whole answer or none.

use diglot_agent::message::ToolArguments;
use diglot_agent::{ModelError, ModelResponse};
use diglot_testkit::{Act, Depth, Promise, WireServer};
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderValue};
use serde_json::{Value, json};

use super::{Came, ask, model, tools};
use crate::config::OpenAiConfig;
use crate::error::Surroundings;
use crate::exchange;
use crate::learned::Learned;
use crate::sse::End;
use crate::wire::{self, Ask, Shape};

/// Every so many bytes an answer is also cut on a real connection.
const STRIDE: usize = 7;

struct Recording {
    name: &'static str,
    kind: &'static str,
    text: String,
}

fn chunk(delta: &Value, finish: &Value) -> String {
    let choice = json!({"index": 0, "delta": delta, "finish_reason": finish});
    let chunk = json!({"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]});
    format!("data: {chunk}\n\n")
}

fn call(index: u64, id: Option<&str>, name: Option<&str>, arguments: &str) -> Value {
    json!({"tool_calls": [{"index": index, "id": id, "type": "function", "function": {"name": name, "arguments": arguments}}]})
}

fn stream(name: &'static str, chunks: &[String]) -> Recording {
    Recording {
        name,
        kind: "text/event-stream",
        text: chunks.concat(),
    }
}

#[expect(clippy::too_many_lines, reason = "a table")]
fn recordings() -> Vec<Recording> {
    let none = Value::Null;
    let done = "data: [DONE]\n\n".to_owned();
    let role = chunk(&json!({"role": "assistant", "content": ""}), &none);
    let ends = |reason: &str| chunk(&json!({}), &json!(reason));
    let text = |piece: &str| chunk(&json!({"content": piece}), &none);
    let usage = format!(
        "data: {}\n\n",
        json!({"choices": [], "usage": {"prompt_tokens": 30, "completion_tokens": 7}})
    );
    let read = [
        chunk(&call(0, Some("a"), Some("Read"), ""), &none),
        chunk(&call(0, None, None, "{\"file_id\": \"guide"), &none),
        chunk(&call(0, None, None, ".md\"}"), &none),
    ]
    .concat();
    let translate = chunk(
        &call(
            1,
            Some("b"),
            Some("Translate"),
            "{\"unit\": 1, \"translate_string\": \"\u{dc}ber \u{1f30d}\"}",
        ),
        &none,
    );
    let crlf = [
        ": PROCESSING\n\n",
        &text("Die T\u{fc}r"),
        ": PROCESSING\n\nevent: message\nid: 3\n",
        &text(" ist offen."),
        &ends("stop"),
        &done,
    ]
    .concat();
    let message = json!({"role": "assistant", "content": null, "tool_calls": [
        {"id": "a", "type": "function", "function": {"name": "Translate", "arguments": "{\"unit\": 1, \"translate_string\": \"\u{dc}ber\"}"}},
    ]});
    let body = json!({"id": "c", "choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}]});
    vec![
        stream(
            "one call",
            &[role.clone(), read.clone(), ends("tool_calls"), done.clone()],
        ),
        stream(
            "text",
            &[
                role.clone(),
                text("Die T\u{fc}r "),
                text("ist \u{4e2d}\u{6587}."),
                ends("stop"),
                done.clone(),
            ],
        ),
        stream(
            "several calls",
            &[
                role.clone(),
                text("Now."),
                read.clone(),
                translate.clone(),
                ends("tool_calls"),
                done.clone(),
            ],
        ),
        stream(
            "usage at the end",
            &[role.clone(), read, ends("tool_calls"), usage, done.clone()],
        ),
        stream("CRLF and comments", &[crlf.replace('\n', "\r\n")]),
        stream(
            "a reason with each chunk",
            &[
                chunk(
                    &call(0, Some("a"), Some("Read"), "{\"file_id\": \"a.md\"}"),
                    &json!("tool_calls"),
                ),
                chunk(
                    &call(1, Some("b"), Some("Read"), "{\"file_id\": \"b.md\"}"),
                    &none,
                ),
                ends("tool_calls"),
                done,
            ],
        ),
        Recording {
            name: "a body of JSON",
            kind: "application/json",
            text: body.to_string(),
        },
    ]
}

/// What of an answer must be whole.
fn said(answer: &ModelResponse) -> (String, Vec<(String, ToolArguments)>) {
    let calls = answer.tool_calls.iter();
    let calls = calls.map(|call| (call.name.clone(), call.arguments.clone()));
    (answer.text.clone(), calls.collect())
}

/// Reads an answer as the exchange does once its bytes are here.
fn read(kind: &str, bytes: &[u8]) -> Result<ModelResponse, ModelError> {
    let headers = HeaderMap::from_iter([(CONTENT_TYPE, HeaderValue::from_str(kind).unwrap())]);
    let (config, learned, tools) = (
        OpenAiConfig::new("http://localhost/v1", "m"),
        Learned::default(),
        tools(),
    );
    let shape = Shape {
        provider: "m",
        config: &config,
        learned: &learned,
    };
    let ask = Ask {
        system: "s",
        messages: &[],
        tools: &tools,
        answer_schema: None,
    };
    let around = Surroundings {
        key: None,
        is_loopback: true,
    };
    exchange::decode(&headers, End::Closed, bytes)
        .and_then(|value| wire::read(&value, ask, shape))
        .map_err(|failure| failure.class(around))
}

/// Answers with each of these beginnings in turn, whose end is told by nothing but the connection's.
fn server(kind: &'static str, text: &str, ends: Vec<usize>) -> WireServer {
    let bytes = text.as_bytes().to_vec();
    let acts = move |n: usize| {
        let end = ends.get(n).copied().unwrap_or_default();
        vec![Act::Read, Act::unbounded(kind, &bytes[..end])]
    };
    WireServer::each(acts).unwrap()
}

/// Tells whether an answer was taken, or what is wrong with how it was.
fn judged(
    outcome: &Result<ModelResponse, ModelError>,
    whole: &(String, Vec<(String, ToolArguments)>),
) -> Result<bool, String> {
    match outcome {
        Ok(answer) if said(answer) == *whole => Ok(true),
        Ok(answer) => Err(format!("taken for {:?}", said(answer))),
        Err(ModelError::Transient { .. } | ModelError::Unusable { .. }) => Ok(false),
        Err(_) => Err(format!("is {:?}", Came::of(outcome))),
    }
}

#[tokio::test]
async fn p30_half_an_answer_is_no_answer() {
    let (mut n_cuts, mut n_whole, mut wrong) = (0_usize, 0_usize, Vec::new());
    let stride = Depth::of_run().pick(STRIDE, 1);
    for recording in recordings() {
        let bytes = recording.text.as_bytes();
        let whole = said(&read(recording.kind, bytes).unwrap());
        let mut outcomes: Vec<_> = (0..bytes.len())
            .map(|at| (at, read(recording.kind, &bytes[..at])))
            .collect();
        let ends: Vec<usize> = (0..bytes.len()).step_by(stride).collect();
        let server = server(recording.kind, &recording.text, ends.clone());
        let model = model(&server.base_url());
        for at in ends {
            outcomes.push((at, ask(&model).await));
        }
        n_cuts += outcomes.len();
        for (at, outcome) in outcomes {
            match judged(&outcome, &whole) {
                Ok(is_whole) => n_whole += usize::from(is_whole),
                Err(what) => wrong.push(format!("{} at {at}: {what}", recording.name)),
            }
        }
    }
    wrong.truncate(3);
    Promise::new(
        30,
        wrong.is_empty(),
        format!("{n_cuts} cuts, {n_whole} after the last word, the rest refused {wrong:?}"),
        "whole or refused, never a part",
    )
    .tell();
}
