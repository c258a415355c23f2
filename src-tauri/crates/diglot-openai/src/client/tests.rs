//! The model over real connections on loopback: what is sent, what is learned, what becomes of refusals.

use std::time::Duration;

use diglot_agent::model::{ModelMessage, ModelRole, Outlook, PersonCause};
use diglot_agent::{ToolSpec, model};
use diglot_document::{LanguagePair, LanguageTag};
use diglot_testkit::{FakeServer, Fault, Reply};
use serde_json::json;

use super::*;
use crate::key::ApiKey;
use crate::learned::Parameter;
use crate::profile::{LimitKey, Profile};
use crate::wire::Protocol;

fn request() -> ModelRequest {
    let language = |tag: &str| LanguageTag::parse(tag).unwrap();
    ModelRequest {
        role: ModelRole::Translator,
        system: "s".into(),
        messages: vec![ModelMessage::User("u".into())],
        tools: vec![ToolSpec {
            name: "Read",
            description: "Reads.".into(),
            parameters: json!({"type": "object"}),
        }],
        answer_schema: None,
        outlook: Outlook {
            languages: LanguagePair {
                source: language("en"),
                target: language("de"),
            },
            unlisted: Vec::new(),
            unread: Vec::new(),
            unfinished: Vec::new(),
            next_units: Vec::new(),
            terms: Vec::new(),
        },
    }
}

fn config(server: &FakeServer) -> OpenAiConfig {
    OpenAiConfig::new(server.base_url(), "m")
}

async fn ask(config: OpenAiConfig) -> Result<ModelResponse, ModelError> {
    OpenAiModel::new(config).unwrap().complete(&request()).await
}

async fn answer_to(reply: Reply) -> Result<ModelResponse, ModelError> {
    let server = FakeServer::replies([reply]).unwrap();
    ask(config(&server)).await
}

fn object_error(code: &str, message: &str) -> serde_json::Value {
    json!({"error": {"message": message, "code": code, "type": "invalid_request_error", "param": null}})
}

#[tokio::test]
async fn a_call_comes_back_and_the_request_was_proper() {
    let server = FakeServer::replies([Reply::call("Read", &json!({"a": 1}))]).unwrap();
    let mut config = config(&server);
    config.key = Some(ApiKey::new(" sk-1\n").unwrap());
    config.extra_headers = vec![("X-Title".into(), "Diglot".into())];
    let response = ask(config).await.unwrap();
    assert_eq!(response.tool_calls[0].name, "Read");
    assert_eq!(response.usage.total(), 15);
    let sent = &server.requests()[0];
    assert_eq!(sent.path, "/v1/chat/completions");
    assert_eq!(sent.header("authorization"), Some("Bearer sk-1"));
    assert_eq!(sent.header("x-title"), Some("Diglot"));
    assert_eq!(sent.header("content-type"), Some("application/json"));
    let fields: Vec<&str> = sent
        .body
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    assert_eq!(fields, ["model", "messages", "tools"]);
    assert!(server.violations().is_empty());
}

#[tokio::test]
async fn without_a_key_no_header_is_sent() {
    let server = FakeServer::replies([Reply::words("Hi")]).unwrap();
    assert_eq!(ask(config(&server)).await.unwrap().text, "Hi");
    assert_eq!(server.requests()[0].header("authorization"), None);
}

#[tokio::test]
async fn the_name_tells_model_and_host() {
    let model = OpenAiModel::new(OpenAiConfig::new("https://api.x.com/v1", " m ")).unwrap();
    assert_eq!(model::Model::name(&model), "openai-compatible:m@api.x.com");
    let nameless = OpenAiModel::new(OpenAiConfig::new("https://api.x.com/v1", " "));
    assert!(matches!(nameless, Err(ConfigError::NoModel)));
}

#[tokio::test]
async fn an_https_client_can_be_built_and_reports_what_it_meets() {
    // Nothing speaks TLS on the fake server's port, so this gets as far as the handshake.
    let server = FakeServer::replies([]).unwrap();
    let address = format!("https://127.0.0.1:{}/v1", server.port());
    let mut config = OpenAiConfig::new(address, "m");
    config.timeouts.connect = Duration::from_millis(100);
    let error = ask(config).await.unwrap_err();
    assert!(
        matches!(error, ModelError::Transient { status: None, .. }),
        "{error:?}"
    );
}

#[tokio::test]
async fn a_refused_parameter_is_dropped_and_the_request_repeated_at_once() {
    let unsupported = object_error(
        "unsupported_parameter",
        "'max_completion_tokens' is not supported, use 'max_tokens' instead.",
    );
    let temperature = json!({"error": {"message": "Only 1 is allowed.", "param": "temperature"}});
    let server = FakeServer::replies([
        Reply::json(400, &unsupported),
        Reply::json(400, &temperature),
        Reply::words("Hi"),
        Reply::words("Again"),
    ])
    .unwrap();
    let mut config = config(&server);
    config.profile = Profile::by_name("openai");
    config.temperature = Some(0.2);
    config.max_output_tokens = Some(100);
    let model = OpenAiModel::new(config).unwrap();
    assert_eq!(model.complete(&request()).await.unwrap().text, "Hi");
    assert_eq!(model.complete(&request()).await.unwrap().text, "Again");
    let learned = model.learned();
    assert_eq!(learned.limit_key, Some(LimitKey::MaxTokens));
    assert!(!learned.sends(Parameter::Temperature));
    let chats = server.chats();
    assert_eq!(chats.len(), 4);
    for chat in &chats[2..] {
        assert_eq!(chat.body["max_tokens"], json!(100));
        assert!(chat.body.get("temperature").is_none());
    }
}

#[tokio::test]
async fn a_context_that_is_too_small_teaches_nothing() {
    let body = object_error(
        "context_length_exceeded",
        "max_tokens and prompt are too long",
    );
    let server = FakeServer::replies([Reply::json(400, &body)]).unwrap();
    let mut config = config(&server);
    config.max_output_tokens = Some(100);
    let error = ask(config).await.unwrap_err();
    assert!(matches!(error, ModelError::TooLarge { .. }), "{error:?}");
    assert_eq!(server.chats().len(), 1);
}

#[tokio::test]
async fn one_refusal_is_one_request() {
    for (status, body) in [
        (
            401,
            object_error("invalid_api_key", "Incorrect key sk-secret."),
        ),
        (
            402,
            object_error("insufficient_credits", "Payment required."),
        ),
        (429, object_error("insufficient_quota", "Quota used up.")),
        (403, object_error("", "Model not allowed.")),
        (
            400,
            object_error("unsupported_parameter", "'top_p' is not supported"),
        ),
    ] {
        let server = FakeServer::replies([Reply::json(status, &body)]).unwrap();
        let mut config = config(&server);
        config.key = Some(ApiKey::new("sk-secret").unwrap());
        let error = ask(config).await.unwrap_err();
        let is_right =
            matches!(&error, ModelError::NeedsPerson { status: s, .. } if *s == Some(status));
        assert!(is_right, "{error:?}");
        assert!(!format!("{error:?}{error}").contains("secret"), "{error:?}");
        assert_eq!(server.chats().len(), 1);
    }
}

#[tokio::test]
async fn status_and_wait_survive_every_kind_of_body() {
    let google =
        json!([{"error": {"code": 429, "message": "Slow down.", "status": "UNAVAILABLE"}}]);
    for (reply, wait) in [
        (
            Reply::json(429, &object_error("rate_limit_exceeded", "Slow down."))
                .header("retry-after", "2"),
            Some(2000),
        ),
        (
            Reply::json(429, &json!({"error": {"code": 429, "message": "m"}}))
                .header("retry-after-ms", "400"),
            Some(400),
        ),
        (
            Reply::json(429, &google).header("retry-after", "1.5"),
            Some(1500),
        ),
        (
            Reply::json(429, &json!({"detail": "Slow down."}))
                .header("date", "Thu, 09 Oct 2025 08:53:20 GMT")
                .header("retry-after", "Thu, 09 Oct 2025 08:53:23 GMT"),
            Some(3000),
        ),
        (
            Reply::json(429, &json!({"error": "Slow down."})).header("retry-after", "3600"),
            Some(3_600_000),
        ),
        (
            Reply::raw(429, "text/html", "<html><title>Slow</title></html>")
                .header("retry-after", "7"),
            Some(7000),
        ),
        (Reply::raw(429, "text/plain", ""), None),
    ] {
        let error = answer_to(reply).await.unwrap_err();
        let ModelError::Transient {
            retry_after_ms,
            status,
            detail,
        } = &error
        else {
            panic!("{error:?}");
        };
        assert_eq!((*retry_after_ms, *status), (wait, Some(429)), "{detail}");
    }
}

#[tokio::test]
async fn an_error_inside_a_success_has_its_class() {
    let body = json!({"error": {"message": "Out of credits", "code": 402}});
    let error = answer_to(Reply::json(200, &body)).await.unwrap_err();
    let billing = ModelError::NeedsPerson {
        cause: PersonCause::Billing,
        status: Some(402),
        detail: "Out of credits".into(),
    };
    assert_eq!(error, billing);
}

#[tokio::test]
async fn a_call_that_the_provider_could_not_read_is_rescued() {
    let failed = |generation: &str| {
        let error =
            json!({"message": "m", "code": "tool_use_failed", "failed_generation": generation});
        Reply::json(400, &json!({"error": error}))
    };
    let response = answer_to(failed("<function=Read>{\"a\": 1}</function>"))
        .await
        .unwrap();
    assert_eq!(response.tool_calls[0].name, "Read");
    let error = answer_to(failed("<function=Read>{\"a\": "))
        .await
        .unwrap_err();
    assert!(matches!(error, ModelError::Unusable { .. }), "{error:?}");
}

#[tokio::test]
async fn an_event_stream_is_understood_byte_by_byte_too() {
    let chunk = |delta: &str, finish: &str| {
        format!(
            "data: {{\"choices\": [{{\"delta\": {{\"content\": \"{delta}\"}}, \"finish_reason\": {finish}}}]}}\n\n"
        )
    };
    let body = [
        ": ping\n\n".into(),
        chunk("F\u{fc}l", "null"),
        chunk("len", "\"stop\""),
    ]
    .concat();
    for size in [1, 4096] {
        let reply = Reply::raw(200, "text/event-stream", body.clone()).fault(Fault::Pieces(size));
        assert_eq!(answer_to(reply).await.unwrap().text, "F\u{fc}llen");
    }
    let half = Reply::raw(200, "text/event-stream", chunk("F\u{fc}l", "null"));
    let error = answer_to(half).await.unwrap_err();
    assert!(matches!(error, ModelError::Transient { .. }), "{error:?}");
}

#[tokio::test]
async fn the_other_protocol_works_over_the_wire() {
    let action = Reply::words("{\"name\": \"Read\", \"arguments\": {\"a\": 1}}");
    let server = FakeServer::replies([action]).unwrap();
    let config = OpenAiConfig {
        protocol: Protocol::JsonSchema,
        ..config(&server)
    };
    assert_eq!(ask(config).await.unwrap().tool_calls[0].name, "Read");
    let body = &server.requests()[0].body;
    assert!(body.get("tools").is_none() && body.get("response_format").is_some());
}

#[tokio::test]
async fn tokens_are_estimated_where_a_server_tells_none() {
    let body = json!({"choices": [{"message": {"content": "Eight by."}}]});
    let server = FakeServer::replies([
        Reply::json(200, &body),
        Reply::json(200, &json!({"choices": [{"message": {"content": ""}}]})),
        Reply::words("Told."),
    ])
    .unwrap();
    let model = OpenAiModel::new(config(&server)).unwrap();
    let usage = model.complete(&request()).await.unwrap().usage;
    assert_eq!((usage.n_input, usage.n_output), (7, 3));
    let failure = model.complete(&request()).await.unwrap_err();
    assert_eq!(failure.usage().total(), 7);
    assert_eq!(model.complete(&request()).await.unwrap().usage.total(), 15);
}
