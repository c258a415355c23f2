//! What goes out: the minimum, strict, the same bytes for the same conversation.

use diglot_agent::{CallId, ToolArguments};
use diglot_document::Origin;

use super::*;
use crate::config::OpenAiConfig;
use crate::learned::Learned;
use crate::profile::{LimitKey, Profile};

fn config() -> OpenAiConfig {
    OpenAiConfig::new("https://x.com/v1", "m")
}

fn call(id: &str, name: &str, arguments: ToolArguments) -> ToolCall {
    ToolCall {
        id: CallId::from_text(id),
        name: name.into(),
        arguments,
        origin: Origin::Model,
    }
}

fn parsed(value: Value) -> ToolArguments {
    ToolArguments::Parsed(value)
}

fn read_tool() -> ToolSpec {
    ToolSpec {
        name: "Read",
        description: "Reads.".into(),
        parameters: json!({"type": "object"}),
    }
}

fn build(config: &OpenAiConfig, learned: &Learned, ask: Ask<'_>) -> Value {
    request(
        ask,
        Shape {
            provider: "p",
            config,
            learned,
        },
    )
}

fn ask<'a>(messages: &'a [ModelMessage], tools: &'a [ToolSpec]) -> Ask<'a> {
    Ask {
        system: "s",
        messages,
        tools,
        answer_schema: None,
    }
}

#[test]
fn a_request_holds_the_minimum() {
    let messages = [
        ModelMessage::User("u".into()),
        ModelMessage::Assistant {
            text: String::new(),
            tool_calls: vec![
                call("000000001", "Read", parsed(json!({"a": "\u{fc}\n"}))),
                call(
                    "000000002",
                    "no such\ttool",
                    ToolArguments::Malformed("{'a'".into()),
                ),
                call("000000003", "", parsed(json!({}))),
            ],
            raw: None,
        },
        ModelMessage::Tool {
            call_id: "000000001".into(),
            content: "r".into(),
        },
        ModelMessage::Tool {
            call_id: "000000002".into(),
            content: "r".into(),
        },
        ModelMessage::Tool {
            call_id: "000000003".into(),
            content: "r".into(),
        },
        ModelMessage::Assistant {
            text: "t".into(),
            tool_calls: Vec::new(),
            raw: None,
        },
    ];
    let function = |id: &str, name: &str, arguments: &str| json!({"id": id, "type": "function", "function": {"name": name, "arguments": arguments}});
    let result = |id: &str| json!({"role": "tool", "tool_call_id": id, "content": "r"});
    let expected = json!({
        "model": "m",
        "messages": [
            {"role": "system", "content": "s"},
            {"role": "user", "content": "u"},
            {"role": "assistant", "content": "", "tool_calls": [
                function("000000001", "Read", "{\"a\":\"\u{fc}\\n\"}"),
                function("000000002", "no_such_tool", "{}"),
                function("000000003", "unnamed", "{}")
            ]},
            result("000000001"),
            result("000000002"),
            result("000000003"),
            {"role": "assistant", "content": "t"}
        ],
        "tools": [{"type": "function", "function":
            {"name": "Read", "description": "Reads.", "parameters": {"type": "object"}}}]
    });
    let tools = [read_tool()];
    let body = build(&config(), &Learned::default(), ask(&messages, &tools));
    assert_eq!(body.to_string(), expected.to_string());
}

#[test]
fn limits_go_out_only_when_set_and_not_refused() {
    let messages = [ModelMessage::User("u".into())];
    let mut config = config();
    config.temperature = Some(0.3);
    config.max_output_tokens = Some(500);
    let mut learned = Learned::default();
    let body = build(&config, &learned, ask(&messages, &[]));
    assert_eq!(
        (&body["temperature"], &body["max_tokens"]),
        (&json!(0.3), &json!(500))
    );
    assert!(body.get("tools").is_none());
    learned.limit_key = Some(LimitKey::MaxCompletionTokens);
    learned.dropped.insert(Parameter::Temperature);
    let body = build(&config, &learned, ask(&messages, &[]));
    assert_eq!(body["max_completion_tokens"], json!(500));
    assert!(body.get("max_tokens").is_none() && body.get("temperature").is_none());
    learned.dropped.insert(Parameter::OutputLimit);
    let body = build(&config, &learned, ask(&messages, &[]));
    assert_eq!(body.as_object().unwrap().len(), 2);
}

/// Renders one assistant message that provider `from` sent, for provider `p`.
fn replayed(from: &str, message: Value, text: &str, tool_calls: Vec<ToolCall>) -> Value {
    let raw = Some(RawMessage {
        provider: from.into(),
        message,
    });
    let messages = [ModelMessage::Assistant {
        text: text.into(),
        tool_calls,
        raw,
    }];
    build(&config(), &Learned::default(), ask(&messages, &[]))["messages"][1].clone()
}

#[test]
fn a_message_goes_back_to_its_provider_as_it_came() {
    let message = |id: &str| {
        json!({
            "role": "assistant",
            "content": "",
            "reasoning_content": "Hm",
            "tool_calls": [{
                "id": id,
                "type": "function",
                "function": {"name": "Read", "arguments": "{ \"a\" : 1 }"},
                "extra_content": {"google": {"thought_signature": "s"}}
            }]
        })
    };
    let ours = || vec![call("000000001", "Read", parsed(json!({"a": 1})))];
    assert_eq!(
        replayed("p", message("x"), "", ours()),
        message("000000001")
    );
    let stripped = json!({"role": "assistant", "content": "", "tool_calls": [
        {"id": "000000001", "type": "function", "function": {"name": "Read", "arguments": "{\"a\":1}"}}
    ]});
    assert_eq!(replayed("another", message("x"), "", ours()), stripped);
}

#[test]
fn what_a_provider_would_refuse_is_mended_on_the_way_back() {
    let rendered = |id: &str, arguments: &str| json!({"id": id, "type": "function", "function": {"name": "Read", "arguments": arguments}});
    for (message, text, calls, expected) in [
        // Nulls and an empty list.
        (
            json!({"role": "assistant", "content": "t", "tool_calls": [], "refusal": null}),
            "t",
            vec![],
            json!({"role": "assistant", "content": "t"}),
        ),
        // Arguments that are no JSON, a missing id and type.
        (
            json!({"content": null, "tool_calls": [{"function": {"name": "Read", "arguments": "{'a'"}}]}),
            "",
            vec![call(
                "000000001",
                "Read",
                ToolArguments::Malformed("{'a'".into()),
            )],
            json!({"content": "", "role": "assistant", "tool_calls": [
                {"function": {"name": "Read", "arguments": "{}"}, "id": "000000001", "type": "function"}
            ]}),
        ),
        // Arguments encoded twice do not gain a level.
        (
            json!({"content": "", "tool_calls": [{"id": "x", "type": "function",
                "function": {"name": "Read", "arguments": "\"{\\\"a\\\":1}\""}}]}),
            "",
            vec![call("000000001", "Read", parsed(json!({"a": 1})))],
            json!({"content": "", "role": "assistant", "tool_calls": [rendered("000000001", "{\"a\":1}")]}),
        ),
        // A call that stood in the text.
        (
            json!({"role": "assistant", "content": "{\"name\": \"Read\", \"arguments\": {}}"}),
            "",
            vec![call("000000001", "Read", parsed(json!({})))],
            json!({"role": "assistant", "content": "", "tool_calls": [rendered("000000001", "{}")]}),
        ),
        // The same id twice, and a hole in the list.
        (
            json!({"role": "assistant", "content": "", "tool_calls": [null,
                {"id": "x", "function": {"name": "Read"}}, {"id": "x", "function": {"name": "Read"}}]}),
            "",
            vec![
                call("000000001", "Read", parsed(json!({}))),
                call("000000002", "Read", parsed(json!({}))),
            ],
            json!({"role": "assistant", "content": "", "tool_calls":
                [rendered("000000001", "{}"), rendered("000000002", "{}")]}),
        ),
        // The old way to call.
        (
            json!({"role": "assistant", "content": null, "function_call": {"name": "Read", "arguments": "{}"}}),
            "",
            vec![call("000000001", "Read", parsed(json!({})))],
            json!({"role": "assistant", "content": "", "tool_calls": [rendered("000000001", "{}")]}),
        ),
        // A refusal that stood beside the content.
        (
            json!({"role": "assistant", "content": null}),
            "I cannot.",
            vec![],
            json!({"role": "assistant", "content": "I cannot."}),
        ),
    ] {
        assert_eq!(
            replayed("p", message.clone(), text, calls),
            expected,
            "{message}"
        );
    }
}

/// Renders the assistant message of a history for a provider.
fn rendered(profile: &str, learned: &Learned, raw: Option<RawMessage>) -> Value {
    let config = OpenAiConfig {
        profile: Profile::by_name(profile),
        ..config()
    };
    let messages = [ModelMessage::Assistant {
        text: "t".into(),
        tool_calls: vec![call("000000001", "Read", parsed(json!({})))],
        raw,
    }];
    build(&config, learned, ask(&messages, &[]))["messages"][1].clone()
}

fn own(fields: &Value) -> RawMessage {
    let mut message = json!({"role": "assistant", "content": [{"type": "text", "text": "t"}],
        "tool_calls": [{"function": {"name": "Read", "arguments": "{}"}}]});
    for (field, value) in fields.as_object().unwrap() {
        message[field] = value.clone();
    }
    let provider = "p".into();
    RawMessage { provider, message }
}

#[test]
fn a_provider_that_wants_reasoning_gets_a_place_for_it() {
    let taught = Learned {
        wants_reasoning: true,
        ..Learned::default()
    };
    let plain = Learned::default();
    for (profile, learned, raw, expected) in [
        ("deepseek", &plain, None, json!(" ")),
        ("deepseek", &plain, Some(own(&json!({}))), json!(" ")),
        (
            "deepseek",
            &plain,
            Some(own(&json!({"reasoning_content": "Hm"}))),
            json!("Hm"),
        ),
        ("custom", &plain, None, Value::Null),
        ("custom", &taught, None, json!(" ")),
        ("custom", &taught, Some(own(&json!({}))), json!(" ")),
    ] {
        let message = rendered(profile, learned, raw);
        assert_eq!(message["reasoning_content"], expected, "{profile}");
    }
}

#[test]
fn a_closed_schema_gets_the_core_of_its_own_messages() {
    let core = json!({"role": "assistant", "content": "t", "tool_calls": [
        {"id": "000000001", "type": "function", "function": {"name": "Read", "arguments": "{}"}}
    ]});
    let mut taught = Learned::default();
    taught.dropped.insert(Parameter::OwnFields);
    let own = || Some(own(&json!({"reasoning_content": "Hm", "prefix": false})));
    for (profile, learned) in [
        ("mistral", &Learned::default()),
        ("groq", &Learned::default()),
        ("custom", &taught),
        ("deepseek", &taught),
    ] {
        assert_eq!(rendered(profile, learned, own()), core, "{profile}");
    }
    let whole = rendered("openrouter", &Learned::default(), own());
    assert_eq!(whole["reasoning_content"], json!("Hm"));
}

#[test]
fn a_shape_is_asked_for_by_schema_where_that_is_known_to_work() {
    let messages = [ModelMessage::User("u".into())];
    let schema = json!({"type": "object"});
    let wanted = Ask {
        answer_schema: Some(&schema),
        ..ask(&messages, &[])
    };
    let words = "s\n\nAnswer with JSON alone, fitting this JSON schema:\n{\"type\":\"object\"}";
    let format =
        json!({"type": "json_schema", "json_schema": {"name": "answer", "schema": schema}});
    let known = OpenAiConfig {
        profile: Profile::by_name("openai"),
        ..config()
    };
    let mut learned = Learned::default();
    let body = build(&known, &learned, wanted);
    assert_eq!(
        (&body["messages"][0]["content"], &body["response_format"]),
        (&json!(words), &format)
    );
    assert!(
        build(&config(), &learned, wanted)
            .get("response_format")
            .is_none()
    );
    let object = OpenAiConfig {
        profile: Profile::by_name("zhipu"),
        ..config()
    };
    let body = build(&object, &learned, wanted);
    assert_eq!(body["response_format"], json!({"type": "json_object"}));
    learned.dropped.insert(Parameter::ResponseFormat);
    assert!(
        build(&known, &learned, wanted)
            .get("response_format")
            .is_none()
    );
}

#[test]
fn the_other_protocol_sends_texts_and_a_schema() {
    let config = OpenAiConfig {
        protocol: Protocol::JsonSchema,
        ..config()
    };
    let messages = [
        ModelMessage::User("u".into()),
        ModelMessage::Assistant {
            text: String::new(),
            tool_calls: vec![call("000000001", "Read", parsed(json!({"a": 1})))],
            raw: Some(RawMessage {
                provider: "p".into(),
                message: json!({"content": "raw"}),
            }),
        },
        ModelMessage::Tool {
            call_id: "000000001".into(),
            content: "r".into(),
        },
    ];
    let tools = [read_tool()];
    let body = build(&config, &Learned::default(), ask(&messages, &tools));
    assert!(body.get("tools").is_none());
    let system = body["messages"][0]["content"].as_str().unwrap();
    assert!(
        system.starts_with("s\n\n# Tools\n") && system.contains("## Read\n\nReads."),
        "{system}"
    );
    let rest = json!([
        {"role": "user", "content": "u"},
        {"role": "assistant", "content": "{\"name\":\"Read\",\"arguments\":{\"a\":1}}"},
        {"role": "user", "content": "Result of Read:\nr"}
    ]);
    assert_eq!(
        &body["messages"].as_array().unwrap()[1..],
        rest.as_array().unwrap().as_slice()
    );
    let schema = &body["response_format"]["json_schema"]["schema"];
    let call = &schema["anyOf"][0]["properties"];
    assert_eq!(
        call,
        &json!({"name": {"const": "Read"}, "arguments": {"type": "object"}})
    );
    assert_eq!(schema["anyOf"][1]["required"], json!(["answer"]));
}

#[test]
fn a_longer_conversation_starts_with_the_bytes_of_the_shorter_one() {
    let messages = [
        ModelMessage::User("u".into()),
        ModelMessage::Assistant {
            text: "t".into(),
            tool_calls: Vec::new(),
            raw: None,
        },
        ModelMessage::User("v".into()),
    ];
    let body = |n: usize| {
        build(&config(), &Learned::default(), ask(&messages[..n], &[]))["messages"].to_string()
    };
    let short = body(1);
    assert!(body(3).starts_with(short.trim_end_matches(']')));
}
