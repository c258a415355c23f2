//! Which class every known refusal belongs to.

use super::*;

fn fail(status: u16, body: &str) -> HttpFail {
    HttpFail {
        status,
        retry_after_ms: None,
        moved_to: None,
        words: Words::read(body),
    }
}

fn class(status: u16, body: &str) -> &'static str {
    let key = ApiKey::new("sk-1").unwrap();
    let around = Surroundings {
        key: Some(&key),
        is_loopback: false,
    };
    name(&Failure::Refused(Box::new(fail(status, body))).class(around))
}

fn name(error: &ModelError) -> &'static str {
    match error {
        ModelError::Transient { .. } => "transient",
        ModelError::Unusable { .. } => "unusable",
        ModelError::TooLarge { .. } => "too large",
        ModelError::NeedsPerson { cause, .. } => match cause {
            PersonCause::NoKey => "no key",
            PersonCause::Unauthorized => "unauthorized",
            PersonCause::Billing => "billing",
            PersonCause::UnknownModel => "unknown model",
            PersonCause::Unreachable => "unreachable",
            PersonCause::Unsupported => "unsupported",
            PersonCause::Refused => "refused",
        },
    }
}

/// Status, body and class.
const REFUSALS: &[(u16, &str, &str)] = &[
    (
        429,
        r#"{"error": {"message": "Slow down.", "code": "rate_limit_exceeded"}}"#,
        "transient",
    ),
    (
        429,
        r#"{"error": {"message": "Slow", "code": 429}}"#,
        "transient",
    ),
    (429, "<html><title>Too many</title></html>", "transient"),
    (
        429,
        r#"{"error": {"message": "too many tokens per minute"}}"#,
        "transient",
    ),
    (
        429,
        r#"{"error": {"code": "insufficient_quota", "message": "Used up."}}"#,
        "billing",
    ),
    (
        429,
        r#"{"error": {"message": "You exceeded your current quota"}}"#,
        "billing",
    ),
    (
        429,
        r#"[{"error": {"code": 429, "message": "You exceeded your current quota",
            "status": "RESOURCE_EXHAUSTED", "details": [{"retryDelay": "34s"}]}}]"#,
        "transient",
    ),
    (
        401,
        r#"{"error": {"message": "Incorrect key.", "code": "invalid_api_key"}}"#,
        "unauthorized",
    ),
    (401, "<html>login</html>", "unauthorized"),
    (
        401,
        r#"{"error": {"message": "Balance is empty.", "type": "billing_error"}}"#,
        "billing",
    ),
    (
        402,
        r#"{"error": {"message": "Payment required."}}"#,
        "billing",
    ),
    (
        403,
        r#"{"error": {"message": "Model not allowed.", "type": "permission_error"}}"#,
        "refused",
    ),
    (
        400,
        r#"[{"error": {"code": 400, "message": "API key not valid."}}]"#,
        "unauthorized",
    ),
    (
        404,
        r#"{"error": {"message": "The model `x` does not exist"}}"#,
        "unknown model",
    ),
    (404, r#"{"error": "model 'x' not found"}"#, "unknown model"),
    (
        400,
        r#"{"error": {"message": "x is not a valid model ID", "code": 400}}"#,
        "unknown model",
    ),
    (404, "404 page not found", "unreachable"),
    (404, r#"{"detail": "Not Found"}"#, "unreachable"),
    (404, "", "unreachable"),
    (405, "", "unreachable"),
    (308, "", "unreachable"),
    (
        400,
        r#"{"error": {"message": "long", "code": "context_length_exceeded"}}"#,
        "too large",
    ),
    (
        400,
        r#"{"message": "This model's maximum context length is 8192 tokens, max_tokens is too large"}"#,
        "too large",
    ),
    (
        500,
        r#"{"error": {"message": "the request exceeds the available context size"}}"#,
        "too large",
    ),
    (413, "", "too large"),
    (
        400,
        r#"{"error": {"message": "m:2b does not support tools"}}"#,
        "unsupported",
    ),
    (
        400,
        r#"{"message": "\"auto\" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set"}"#,
        "unsupported",
    ),
    (
        500,
        r#"{"error": {"message": "tools param requires --jinja flag"}}"#,
        "unsupported",
    ),
    (
        404,
        r#"{"error": {"message": "No endpoints found that support tool use."}}"#,
        "unsupported",
    ),
    (
        400,
        r#"{"error": {"code": "tool_use_failed", "message": "m", "failed_generation": "x"}}"#,
        "unusable",
    ),
    (
        400,
        r#"{"error": {"code": "content_filter", "message": "m"}}"#,
        "unusable",
    ),
    (
        400,
        r#"{"error": {"message": "messages: bad role"}}"#,
        "refused",
    ),
    (
        422,
        r#"{"detail": [{"loc": ["body", "x"], "msg": "extra", "type": "extra_forbidden"}]}"#,
        "refused",
    ),
    (408, "", "transient"),
    (409, "", "transient"),
    (425, "", "transient"),
    (500, "internal", "transient"),
    (502, "<html><title>Bad Gateway</title></html>", "transient"),
    (503, r#"{"error": "model is loading"}"#, "transient"),
    (
        529,
        r#"{"type": "error", "error": {"type": "overloaded_error"}}"#,
        "transient",
    ),
    (501, "", "refused"),
    (
        200,
        r#"{"error": {"message": "upstream went away", "code": "server_error"}}"#,
        "transient",
    ),
    (
        200,
        r#"{"error": {"message": "bad", "type": "invalid_request_error"}}"#,
        "refused",
    ),
];

#[test]
fn refusals_fall_into_their_classes() {
    for &(status, body, expected) in REFUSALS {
        assert_eq!(class(status, body), expected, "{status} {body}");
    }
}

#[test]
fn without_a_key_an_unauthorized_answer_asks_for_one() {
    let around = Surroundings {
        key: None,
        is_loopback: false,
    };
    assert_eq!(
        name(&Failure::Refused(Box::new(fail(401, ""))).class(around)),
        "no key"
    );
}

#[test]
fn a_refused_connection_depends_on_where_the_server_is() {
    let class = |is_loopback| {
        name(&Failure::ConnectionRefused.class(Surroundings {
            key: None,
            is_loopback,
        }))
    };
    assert_eq!((class(true), class(false)), ("unreachable", "transient"));
}

#[test]
fn a_wait_is_passed_on() {
    let mut fail = fail(429, "");
    fail.retry_after_ms = Some(2000);
    let error = Failure::Refused(Box::new(fail)).class(Surroundings {
        key: None,
        is_loopback: false,
    });
    assert_eq!(
        error,
        ModelError::Transient {
            retry_after_ms: Some(2000),
            status: Some(429),
            detail: "status 429 without a word".into()
        }
    );
}

#[test]
fn details_are_one_bounded_line_without_the_key() {
    let key = ApiKey::new("sk-secret").unwrap();
    let long = format!("Incorrect key\n\tsk-secret: {}", "ü".repeat(1000));
    let detail = bounded(&long, Some(&key));
    assert!(detail.starts_with("Incorrect key [key]: üü"), "{detail}");
    assert_eq!(detail.chars().count(), DETAIL_CHARS + 1);
    assert!(!detail.contains("secret"));
}
