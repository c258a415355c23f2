//! The bodies that servers send, regenerated: each is read, or refused with a reason.

use diglot_agent::ToolSpec;
use diglot_agent::model::ModelMessage;

use super::*;
use crate::config::OpenAiConfig;
use crate::learned::Learned;

fn tools() -> [ToolSpec; 2] {
    ["Read", "Translate"].map(|name| ToolSpec {
        name,
        description: String::new(),
        parameters: json!({}),
    })
}

fn read_as(protocol: Protocol, answer: &Value) -> Result<ModelResponse, Failure> {
    let config = OpenAiConfig {
        protocol,
        ..OpenAiConfig::new("https://x.com/v1", "m")
    };
    let shape = Shape {
        provider: "p",
        config: &config,
        learned: &Learned::default(),
    };
    let messages = [ModelMessage::User("u".into())];
    let ask = Ask {
        system: "s",
        messages: &messages,
        tools: &tools(),
        answer_schema: None,
    };
    read(answer, ask, shape)
}

/// Writes an answer as `text|reasoning|Name{arguments}..`, or why there is none.
fn told(answer: &Value) -> String {
    match read_as(Protocol::Tools, answer) {
        Ok(response) => {
            let call = |call: &ProposedCall| {
                format!("{}{}", call.name, arguments::object(&call.arguments))
            };
            let calls: String = response.tool_calls.iter().map(call).collect();
            format!(
                "{}|{}|{calls}",
                response.text,
                response.reasoning.unwrap_or_default()
            )
        }
        Err(Failure::Refused(fail)) => format!("refused {}: {}", fail.status, fail.words.message),
        Err(other) => other.to_string(),
    }
}

fn complete(message: &Value) -> Value {
    json!({
        "id": "x", "object": "chat.completion", "created": 1, "model": "m",
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 3, "completion_tokens": 2, "total_tokens": 5}
    })
}

fn with_call(call: &Value) -> Value {
    complete(&json!({"role": "assistant", "content": null, "tool_calls": [call]}))
}

#[test]
fn frames_of_every_kind_are_read() {
    let plain = complete(&json!({"role": "assistant", "content": "Hi"}));
    let without = |field: &str| {
        let mut answer = plain.clone();
        answer.as_object_mut().unwrap().remove(field);
        answer
    };
    let with = |field: &str, value: Value| {
        let mut answer = plain.clone();
        answer[field] = value;
        answer
    };
    let choice = |field: &str, value: Value| {
        let mut answer = plain.clone();
        answer["choices"][0][field] = value;
        answer
    };
    for answer in [
        plain.clone(),
        without("id"),
        without("object"),
        without("created"),
        without("model"),
        without("usage"),
        with("id", json!(null)),
        with("model", json!(null)),
        with("created", json!(1.5)),
        with("created", json!("now")),
        with("created", json!(-1)),
        with("created", json!(1_760_000_000_000_i64)),
        with("service_tier", json!("on_demand")),
        with("usage", json!(null)),
        with("usage", json!({})),
        with("usage", json!({"prompt_tokens": -1})),
        with("error", json!(null)),
        with("x_groq", json!({"id": 1})),
        choice("finish_reason", json!(null)),
        choice("finish_reason", json!("eos")),
        choice("finish_reason", json!("STOP")),
        choice("finish_reason", json!("error")),
        choice("finish_reason", json!("")),
        choice("index", json!(null)),
        choice("logprobs", json!({})),
    ] {
        assert_eq!(told(&answer), "Hi||", "{answer}");
    }
}

#[test]
fn messages_of_every_kind_are_read() {
    for (message, expected) in [
        (
            json!({"role": "assistant", "content": "Hi", "extra": 1}),
            "Hi||",
        ),
        (json!({"content": "Hi"}), "Hi||"),
        (json!({"role": "", "content": " Hi\n"}), "Hi||"),
        (
            json!({"role": "model", "content": "Hi", "tool_calls": null}),
            "Hi||",
        ),
        (
            json!({"role": "assistant", "content": "Hi", "tool_calls": []}),
            "Hi||",
        ),
        (
            json!({"content": "Hi", "annotations": [{"type": "new"}]}),
            "Hi||",
        ),
        (
            json!({"content": [{"type": "text", "text": "H"}, {"type": "text", "text": "i"}]}),
            "Hi||",
        ),
        (json!({"content": ["H", "i", null]}), "Hi||"),
        (
            json!({"content": [
                {"type": "thinking", "thinking": [{"type": "text", "text": "Hm"}]},
                {"type": "text", "text": "Hi"}
            ]}),
            "Hi|Hm|",
        ),
        (
            json!({"content": "Hi", "reasoning_content": "Hm"}),
            "Hi|Hm|",
        ),
        (
            json!({"content": "Hi", "reasoning": "Hm", "reasoning_details": [{}]}),
            "Hi|Hm|",
        ),
        (
            json!({"content": "Hi", "reasoning_content": "Hm", "reasoning": "Hm"}),
            "Hi|Hm|",
        ),
        (json!({"content": "<think>\nHm\n</think>\n\nHi"}), "Hi|Hm|"),
        (json!({"content": "<thinking>Hm</thinking>Hi"}), "Hi|Hm|"),
        (json!({"content": "Hm\n</think>\n\nHi"}), "Hi|Hm|"),
        (
            json!({"content": "The tag </think> ends it."}),
            "The tag </think> ends it.||",
        ),
        (json!({"content": "<think>Hm"}), "the answer is empty"),
        (
            json!({"content": null, "refusal": "I cannot."}),
            "I cannot.||",
        ),
        (json!({"content": ""}), "the answer is empty"),
        (json!({"content": " \n"}), "the answer is empty"),
        (json!({"content": null}), "the answer is empty"),
        (json!({"role": "assistant"}), "the answer is empty"),
        (
            json!({"content": null, "reasoning_content": "Hm"}),
            "the answer is empty",
        ),
        (json!(null), "the answer is empty"),
    ] {
        assert_eq!(told(&complete(&message)), expected, "{message}");
    }
}

#[test]
fn calls_of_every_kind_are_read() {
    let function = json!({"name": "Read", "arguments": "{\"a\":1}"});
    for (call, expected) in [
        (
            json!({"id": "1", "type": "function", "function": function}),
            "||Read{\"a\":1}",
        ),
        (
            json!({"type": "function", "function": function}),
            "||Read{\"a\":1}",
        ),
        (json!({"id": null, "function": function}), "||Read{\"a\":1}"),
        (
            json!({"id": "", "type": "", "function": function}),
            "||Read{\"a\":1}",
        ),
        (
            json!({"id": "1", "function": {"name": "Read", "arguments": {"a": 1}}}),
            "||Read{\"a\":1}",
        ),
        (
            json!({"id": "1", "function": {"name": "Read", "arguments": ""}}),
            "||Read{}",
        ),
        (json!({"id": "1", "function": {"name": "Read"}}), "||Read{}"),
        (
            json!({"id": "1", "function": {"name": "Nope", "arguments": "{}"}}),
            "||Nope{}",
        ),
        (json!({"id": "1", "function": {"arguments": "{}"}}), "||{}"),
        (
            json!({"id": "1", "name": "Read", "arguments": {"a": 1}}),
            "||Read{\"a\":1}",
        ),
        (
            json!({"id": "1", "function": function, "extra_content": {"google": {}}}),
            "||Read{\"a\":1}",
        ),
        (json!({"id": "1", "function": null}), "the answer is empty"),
        (json!(null), "the answer is empty"),
    ] {
        assert_eq!(told(&with_call(&call)), expected, "{call}");
    }
}

#[test]
fn several_calls_keep_their_order_beside_text() {
    let call = |name: &str| json!({"id": "same", "function": {"name": name, "arguments": "{}"}});
    let message =
        json!({"content": "Hi", "tool_calls": [call("Read"), call("Translate"), call("Read")]});
    assert_eq!(told(&complete(&message)), "Hi||Read{}Translate{}Read{}");
    let old = json!({"content": null, "function_call": {"name": "Read", "arguments": "{}"}});
    assert_eq!(told(&complete(&old)), "||Read{}");
}

#[test]
fn calls_in_text_are_run_and_quoted_ones_are_not() {
    let text = |content: &str| told(&complete(&json!({"role": "assistant", "content": content})));
    let call = r#"{"name": "Read", "arguments": {"a": 1}}"#;
    assert_eq!(text(call), "||Read{\"a\":1}");
    assert_eq!(
        text(&format!(
            "<think>Hm</think>\n<tool_call>\n{call}\n</tool_call>"
        )),
        "|Hm|Read{\"a\":1}"
    );
    let quoted = "Ich w\u{fc}rde jetzt {\"name\": \"Translate\"} aufrufen.";
    assert_eq!(text(quoted), format!("{quoted}||"));
}

#[test]
fn errors_inside_a_success_are_refusals() {
    for (answer, expected) in [
        (
            json!({"error": {"message": "m", "code": 429}}),
            "refused 429: m",
        ),
        (json!({"error": "m"}), "refused 200: m"),
        (
            json!({"error": {"message": "m"}, "choices": []}),
            "refused 200: m",
        ),
        (
            json!({"choices": [{"message": {"content": ""}, "error": {"code": 502, "message": "m"}}]}),
            "refused 502: m",
        ),
        (
            json!({"object": "error", "message": "m", "code": 400}),
            "refused 400: m",
        ),
        (json!({"choices": []}), "the answer holds no message"),
        (json!({"choices": null}), "the answer holds no message"),
        (json!({"choices": [{}]}), "the answer holds no message"),
        (json!({}), "the answer holds no message"),
        (json!([]), "the answer holds no message"),
        (json!("Hi"), "the answer holds no message"),
    ] {
        assert_eq!(told(&answer), expected, "{answer}");
    }
}

#[test]
fn a_finish_by_length_or_filter_counts() {
    let finished = |message: &Value, reason: &str| {
        let mut answer = complete(message);
        answer["choices"][0]["finish_reason"] = json!(reason);
        answer
    };
    let call =
        json!({"content": null, "tool_calls": [{"function": {"name": "Read", "arguments": "{}"}}]});
    let cut = "the output limit cut the answer inside its tool calls";
    assert_eq!(told(&finished(&call, "length")), cut);
    assert_eq!(told(&finished(&call, "MAX_TOKENS")), cut);
    let silent = json!({"content": null, "reasoning_content": "Hm"});
    let early = "the output limit was reached before the answer began";
    assert_eq!(told(&finished(&silent, "length")), early);
    let filtered = "the provider's filter held the answer back";
    assert_eq!(
        told(&finished(&json!({"content": ""}), "content_filter")),
        filtered
    );
    let words = json!({"content": "Half a sen"});
    for (reason, finish) in [
        ("length", Finish::Length),
        ("content_filter", Finish::Filtered),
        ("tool_calls", Finish::Stop),
    ] {
        let response = read_as(Protocol::Tools, &finished(&words, reason)).unwrap();
        assert_eq!(
            (response.text.as_str(), response.finish),
            ("Half a sen", finish)
        );
    }
}

#[test]
fn tokens_are_counted_under_every_name() {
    let usage = |usage: Value| super::usage(&json!({"usage": usage}));
    let counted = |n_input, n_cached, n_output| Usage {
        n_input,
        n_cached,
        n_output,
    };
    for (given, expected) in [
        (
            json!({"prompt_tokens": 9, "completion_tokens": 4}),
            counted(9, 0, 4),
        ),
        (
            json!({"prompt_tokens": 9, "completion_tokens": 4, "prompt_tokens_details": {"cached_tokens": 7}}),
            counted(9, 7, 4),
        ),
        (
            json!({"prompt_tokens": 9, "prompt_cache_hit_tokens": 8}),
            counted(9, 8, 0),
        ),
        (
            json!({"prompt_tokens": 9, "cached_tokens": 80}),
            counted(9, 9, 0),
        ),
        (
            json!({"input_tokens": 9, "output_tokens": 4.0}),
            counted(9, 0, 4),
        ),
        (
            json!({"prompt_tokens": "9", "completion_tokens": -4}),
            counted(0, 0, 0),
        ),
        (json!({}), counted(0, 0, 0)),
        (json!(null), counted(0, 0, 0)),
    ] {
        assert_eq!(usage(given.clone()), expected, "{given}");
    }
}

#[test]
fn the_message_is_kept_as_received() {
    let message = json!({"role": "assistant", "content": null, "reasoning_content": "Hm",
        "tool_calls": [{"id": "x", "function": {"name": "Read", "arguments": "{}"},
            "extra_content": {"google": {"thought_signature": "s"}}}]});
    let response = read_as(Protocol::Tools, &complete(&message)).unwrap();
    assert_eq!(
        response.raw,
        Some(RawMessage {
            provider: "p".into(),
            message
        })
    );
}

#[test]
fn an_action_is_read_under_the_other_protocol() {
    let say = |text: &str| {
        let answer = complete(&json!({"role": "assistant", "content": text}));
        read_as(Protocol::JsonSchema, &answer).unwrap()
    };
    let call = say(r#"{"name": "Unknown", "arguments": {"a": 1}}"#);
    assert_eq!((call.text.as_str(), call.tool_calls.len()), ("", 1));
    assert_eq!(say(r#"{"answer": "Done."}"#).text, "Done.");
    assert_eq!(say("Done.").text, "Done.");
}
