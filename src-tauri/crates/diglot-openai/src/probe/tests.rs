//! What the connection test says about servers of every kind.

use diglot_testkit::{FakeServer, Recorded, Reply};

use super::*;
use crate::key::ApiKey;

fn call() -> Reply {
    Reply::call("Confirm", &json!({"word": "ready"}))
}

fn action() -> Reply {
    Reply::words("{\"name\": \"Confirm\", \"arguments\": {\"word\": \"ready\"}}")
}

/// Serves one list of models, and answers of a model by whether tools were sent.
fn server(native: Reply, schema: Reply) -> FakeServer {
    FakeServer::start(move |request| match request {
        request if !request.is_chat() => Reply::json(200, &json!({"data": [{"id": "m"}]})),
        request if has_tools(request) => native.clone(),
        _ => schema.clone(),
    })
    .unwrap()
}

fn has_tools(request: &Recorded) -> bool {
    request.body.get("tools").is_some()
}

async fn report(server: &FakeServer) -> CheckReport {
    check(OpenAiConfig::new(server.base_url(), "m"))
        .await
        .unwrap()
}

#[tokio::test]
async fn the_protocol_is_found_out() {
    let no_tools = json!({"error": {"message": "m does not support tools"}});
    for (native, schema, protocol) in [
        (call(), action(), Some(Protocol::Tools)),
        (action(), action(), Some(Protocol::JsonSchema)),
        (action(), Reply::words("Ready."), Some(Protocol::Tools)),
        (Reply::words("Ready."), action(), Some(Protocol::JsonSchema)),
        (Reply::words(""), action(), Some(Protocol::JsonSchema)),
        (
            Reply::json(400, &no_tools),
            action(),
            Some(Protocol::JsonSchema),
        ),
        (Reply::words("Ready."), Reply::words("Ready."), None),
    ] {
        let server = server(native, schema);
        let report = report(&server).await;
        assert_eq!(report.models, ["m"]);
        assert_eq!(
            (report.protocol, report.problem.is_none()),
            (protocol, protocol.is_some())
        );
    }
}

#[tokio::test]
async fn a_wrong_key_ends_the_test_at_once() {
    let server = FakeServer::start(|_| Reply::raw(401, "text/plain", "no")).unwrap();
    let mut config = OpenAiConfig::new(server.base_url(), "m");
    config.key = Some(ApiKey::new("sk-1").unwrap());
    let report = check(config).await.unwrap();
    let is_right = matches!(
        report.problem,
        Some(ModelError::NeedsPerson {
            cause: PersonCause::Unauthorized,
            ..
        })
    );
    assert!(is_right, "{report:?}");
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn an_address_without_its_path_is_mended() {
    let server = FakeServer::start(|request| match request.path.as_str() {
        "/v1/models" => Reply::json(200, &json!({"data": [{"id": "m"}]})),
        "/v1/chat/completions" => call(),
        _ => Reply::raw(404, "text/plain", "404 page not found"),
    })
    .unwrap();
    let bare = server.base_url().trim_end_matches("/v1").to_owned();
    let report = check(OpenAiConfig::new(bare, "m")).await.unwrap();
    assert_eq!(report.base_url, Some(server.base_url()));
    assert_eq!(report.protocol, Some(Protocol::Tools));
}

#[tokio::test]
async fn an_endpoint_that_lists_no_models_can_still_be_used() {
    let server = FakeServer::start(|request| {
        if request.is_chat() {
            call()
        } else {
            Reply::raw(405, "text/plain", "")
        }
    })
    .unwrap();
    let report = report(&server).await;
    assert_eq!(
        (report.models.len(), report.protocol),
        (0, Some(Protocol::Tools))
    );
    assert_eq!(report.problem, None);
}

#[tokio::test]
async fn an_unknown_model_is_told() {
    let error =
        json!({"error": {"message": "The model `m` does not exist", "code": "model_not_found"}});
    let server = server(Reply::json(404, &error), action());
    let report = report(&server).await;
    let is_right = matches!(
        report.problem,
        Some(ModelError::NeedsPerson {
            cause: PersonCause::UnknownModel,
            ..
        })
    );
    assert!(is_right, "{report:?}");
}
