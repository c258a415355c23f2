//! Connections that fail: cut, hung, moved, endless. All on loopback.

use std::sync::Arc;
use std::time::Duration;

use diglot_agent::model::{ModelMessage, PersonCause};
use diglot_agent::{ModelError, ModelResponse};
use diglot_testkit::{FakeServer, Fault, Reply};

use super::*;
use crate::client::OpenAiModel;
use crate::config::OpenAiConfig;
use crate::wire::Ask;

async fn ask(config: OpenAiConfig) -> Result<ModelResponse, ModelError> {
    let messages = [ModelMessage::User("u".into())];
    let ask = Ask {
        system: "s",
        messages: &messages,
        tools: &[],
        answer_schema: None,
    };
    OpenAiModel::new(config).unwrap().answer(ask).await
}

async fn outcome(reply: Reply) -> Result<ModelResponse, ModelError> {
    let server = FakeServer::replies([reply]).unwrap();
    ask(OpenAiConfig::new(server.base_url(), "m")).await
}

fn is_transient(outcome: &Result<ModelResponse, ModelError>) -> bool {
    matches!(outcome, Err(ModelError::Transient { status: None, .. }))
}

#[tokio::test]
async fn a_connection_that_breaks_is_transient() {
    for fault in [Fault::Drop, Fault::CutAt(0), Fault::CutAt(20)] {
        let outcome = outcome(Reply::words("Hi").fault(fault)).await;
        assert!(is_transient(&outcome), "{outcome:?}");
    }
}

#[tokio::test]
async fn a_refusal_whose_words_are_lost_is_still_that_refusal() {
    let reply = Reply::raw(401, "text/plain", "Incorrect key").fault(Fault::CutAt(3));
    let error = outcome(reply).await.unwrap_err();
    let is_right = matches!(
        error,
        ModelError::NeedsPerson {
            cause: PersonCause::NoKey,
            ..
        }
    );
    assert!(is_right, "{error:?}");
}

#[tokio::test]
async fn bodies_that_are_no_answer_are_told_apart() {
    for (reply, expected) in [
        (
            Reply::raw(200, "application/json", "{\"choices\": [{\"mess"),
            "not JSON",
        ),
        (Reply::raw(200, "application/json", ""), "empty"),
        (Reply::raw(200, "application/json", "[]"), "no message"),
    ] {
        let error = outcome(reply).await.unwrap_err();
        let is_right =
            matches!(&error, ModelError::Unusable { detail, .. } if detail.contains(expected));
        assert!(is_right, "{error:?}");
    }
    let page = Reply::raw(200, "text/html", "<!doctype html><title>Sign in</title>");
    let error = outcome(page).await.unwrap_err();
    let is_right = matches!(
        error,
        ModelError::NeedsPerson {
            cause: PersonCause::Unreachable,
            ..
        }
    );
    assert!(is_right, "{error:?}");
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let elsewhere = FakeServer::replies([Reply::words("Hi")]).unwrap();
    let target = format!("{}/chat/completions", elsewhere.base_url());
    for status in [301, 302, 307, 308] {
        let reply = Reply::raw(status, "text/plain", "").header("location", &target);
        let error = outcome(reply).await.unwrap_err();
        let is_right = matches!(
            &error,
            ModelError::NeedsPerson { cause: PersonCause::Unreachable, detail, .. }
                if detail.contains("127.0.0.1")
        );
        assert!(is_right, "{error:?}");
    }
    assert!(elsewhere.requests().is_empty());
}

#[tokio::test]
async fn nobody_at_the_address_is_told() {
    let port = FakeServer::replies([]).unwrap().port();
    let error = ask(OpenAiConfig::new(
        format!("http://127.0.0.1:{port}/v1"),
        "m",
    ))
    .await
    .unwrap_err();
    let is_right = matches!(
        error,
        ModelError::NeedsPerson {
            cause: PersonCause::Unreachable,
            ..
        }
    );
    assert!(is_right, "{error:?}");
}

#[tokio::test]
async fn an_endless_error_is_cut_and_bounded() {
    let reply = Reply::raw(500, "text/plain", "x".repeat(1 << 20));
    let error = outcome(reply).await.unwrap_err();
    let ModelError::Transient {
        status: Some(500),
        detail,
        ..
    } = error
    else {
        panic!("{error:?}");
    };
    assert_eq!(detail.chars().count(), 301);
}

#[tokio::test]
async fn an_answer_beyond_the_cap_is_refused() {
    let body = format!("{{\"a\": \"{}\"}}", "x".repeat(BODY_CAP));
    let error = outcome(Reply::raw(200, "application/json", body))
        .await
        .unwrap_err();
    let is_right =
        matches!(&error, ModelError::Unusable { detail, .. } if detail.contains("32 MB"));
    assert!(is_right, "{error:?}");
}

#[tokio::test]
async fn a_body_that_stalls_is_given_up() {
    let server = FakeServer::replies([Reply::words("Hi").fault(Fault::StallAt(20))]).unwrap();
    let mut config = OpenAiConfig::new(server.base_url(), "m");
    config.timeouts.idle = Duration::from_millis(50);
    let outcome = ask(config).await;
    assert!(is_transient(&outcome), "{outcome:?}");
    assert!(on_a_thread(move || server.wait_for_disconnect()).await);
}

#[tokio::test]
async fn a_first_byte_that_does_not_come_is_given_up() {
    let server = FakeServer::start(|_| Reply::words("").fault(Fault::Hang)).unwrap();
    let mut config = OpenAiConfig::new(server.base_url(), "m");
    config.timeouts.first_byte = Some(Duration::from_millis(50));
    let outcome = ask(config).await;
    assert!(is_transient(&outcome), "{outcome:?}");
}

#[test]
fn a_server_on_this_machine_may_think_as_long_as_it_likes() {
    let here = Timeouts::for_address("http://localhost:11434/v1");
    assert_eq!((here.first_byte, here.whole), (None, None));
    let there = Timeouts::for_address("https://api.openai.com/v1");
    let seconds = Duration::from_secs;
    assert_eq!(
        (there.first_byte, there.whole),
        (Some(seconds(300)), Some(seconds(1_800)))
    );
    assert_eq!((there.connect, there.idle), (seconds(10), seconds(120)));
}

#[tokio::test]
async fn dropping_the_call_closes_the_connection() {
    let server = FakeServer::replies([Reply::words("Hi").fault(Fault::Hang)]).unwrap();
    let call = tokio::spawn(ask(OpenAiConfig::new(server.base_url(), "m")));
    let server = Arc::new(server);
    let arrived = Arc::clone(&server);
    assert!(on_a_thread(move || arrived.wait_for_requests(1)).await);
    call.abort();
    assert!(call.await.unwrap_err().is_cancelled());
    assert!(on_a_thread(move || server.wait_for_disconnect()).await);
}

/// Waits on a thread of its own, since the runtime has to go on closing connections meanwhile.
async fn on_a_thread(wait: impl FnOnce() -> bool + Send + 'static) -> bool {
    tokio::task::spawn_blocking(wait).await.unwrap()
}
