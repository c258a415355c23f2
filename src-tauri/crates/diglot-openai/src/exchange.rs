//! One HTTP exchange below async-openai: timeouts, caps, and answers decoded far enough that nothing is lost
//! and nothing is logged. Must not know what a request or an answer means.

use std::future::Future;
use std::time::{Duration, SystemTime};

use async_openai::Client;
use async_openai::error::OpenAIError;
use async_openai::middleware::HttpRequestFactory;
use reqwest::header::{CONTENT_LENGTH, CONTENT_TYPE, HeaderMap, LOCATION, TRANSFER_ENCODING};
use reqwest::{Response, Url, Version};
use serde_json::Value;
use tokio::time::{Instant, timeout_at};

use crate::config::{ConfigError, Endpoint, Timeouts};
use crate::error::{Failure, HttpFail};
use crate::sse::End;
use crate::words::{self, Words};
use crate::{json, retry_after, sse};

/// Longest answer that is read, in bytes.
const BODY_CAP: usize = 32 << 20;
/// Longest error answer that is read, in bytes; what is beyond is cut off.
const ERROR_CAP: usize = 64 << 10;

/// Builds the client of an endpoint.
pub(crate) fn client(
    endpoint: Endpoint,
    timeouts: Timeouts,
) -> Result<Client<Endpoint>, ConfigError> {
    let http = http_client(endpoint.is_loopback(), timeouts).map_err(ConfigError::Client)?;
    let service = {
        let http = http.clone();
        tower::service_fn(move |factory: HttpRequestFactory| {
            let http = http.clone();
            async move { attempt(http, factory, timeouts).await }
        })
    };
    Ok(Client::build(http, endpoint).with_http_service(service))
}

/// Turns the client's error back into ours.
pub(crate) fn failure(error: OpenAIError) -> Failure {
    match error {
        OpenAIError::Boxed(inner) => match inner.downcast::<Failure>() {
            Ok(failure) => *failure,
            Err(other) => Failure::Broken(other.to_string()),
        },
        OpenAIError::Reqwest(error) => Failure::from_transport(&error),
        // The exchange hands over nothing but decoded successes, so what is left is a fault of the request.
        OpenAIError::ApiError(_)
        | OpenAIError::JSONDeserialize(..)
        | OpenAIError::FileSaveError(_)
        | OpenAIError::FileReadError(_)
        | OpenAIError::StreamError(_)
        | OpenAIError::InvalidArgument(_) => {
            Failure::Unreadable("the exchange with the server failed".to_owned())
        }
    }
}

/// Builds the HTTP client; a server on this machine is not looked for behind a proxy.
pub(crate) fn http_client(
    is_loopback: bool,
    timeouts: Timeouts,
) -> Result<reqwest::Client, reqwest::Error> {
    // An error means that the process has a provider already, which serves as well.
    drop(rustls::crypto::ring::default_provider().install_default());
    let builder = reqwest::Client::builder()
        // A key must not follow a redirect.
        .redirect(reqwest::redirect::Policy::none())
        .connect_timeout(timeouts.connect)
        .user_agent(concat!("diglot/", env!("CARGO_PKG_VERSION")));
    if is_loopback {
        builder.no_proxy()
    } else {
        builder
    }
    .build()
}

async fn attempt(
    http: reqwest::Client,
    factory: HttpRequestFactory,
    timeouts: Timeouts,
) -> Result<Response, OpenAIError> {
    let request = factory.build().await?;
    let started = Instant::now();
    let outcome = answer(&http, request, Waiting::from(started, timeouts)).await;
    tracing::debug!(
        elapsed_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX),
        n_bytes = outcome.as_ref().map(Vec::len).unwrap_or_default(),
        is_ok = outcome.is_ok(),
        "model request"
    );
    match outcome {
        Ok(body) => Ok(Response::from(http::Response::new(body))),
        Err(failure) => Err(OpenAIError::Boxed(Box::new(failure))),
    }
}

/// Says how long to wait for the first piece of an answer, for each further one, and for the last.
#[derive(Clone, Copy)]
struct Waiting {
    first: Option<Instant>,
    idle: Duration,
    last: Option<Instant>,
}

impl Waiting {
    fn from(started: Instant, timeouts: Timeouts) -> Self {
        let last = timeouts.whole.map(|whole| started + whole);
        let first = timeouts.first_byte.map(|first| started + first);
        Self {
            first: first.into_iter().chain(last).min(),
            idle: timeouts.idle,
            last,
        }
    }

    /// Returns until when the next piece must be there.
    fn next(self) -> Instant {
        let next = Instant::now() + self.idle;
        self.last.map_or(next, |last| next.min(last))
    }
}

/// Sends a request and returns the answer as one JSON value, serialised.
async fn answer(
    http: &reqwest::Client,
    request: reqwest::Request,
    waiting: Waiting,
) -> Result<Vec<u8>, Failure> {
    let mut response = bounded_by(waiting.first, http.execute(request)).await?;
    let status = response.status().as_u16();
    let is_success = response.status().is_success();
    let cap = if is_success { BODY_CAP } else { ERROR_CAP };
    let read = body(&mut response, waiting, cap).await;
    if !is_success {
        // A refusal counts even where its words were lost on the way.
        let text = read.map(|read| read.bytes).unwrap_or_default();
        let fail = refusal(status, response.headers(), &text);
        return Err(Failure::Refused(Box::new(fail)));
    }
    let read = read?;
    if read.is_cut {
        return Err(Failure::Unreadable(
            "the answer is longer than 32 MB".to_owned(),
        ));
    }
    let value = decode(response.headers(), end_of(&response), &read.bytes)?;
    Ok(value.to_string().into_bytes())
}

struct Read {
    bytes: Vec<u8>,
    is_cut: bool,
}

async fn body(response: &mut Response, waiting: Waiting, cap: usize) -> Result<Read, Failure> {
    let mut bytes = Vec::new();
    let mut deadline = waiting.first;
    while let Some(piece) = bounded_by(deadline, response.chunk()).await? {
        let room = cap - bytes.len();
        bytes.extend_from_slice(piece.get(..room).unwrap_or(&piece));
        if piece.len() > room {
            return Ok(Read {
                bytes,
                is_cut: true,
            });
        }
        deadline = Some(waiting.next());
    }
    Ok(Read {
        bytes,
        is_cut: false,
    })
}

async fn bounded_by<T>(
    deadline: Option<Instant>,
    work: impl Future<Output = Result<T, reqwest::Error>>,
) -> Result<T, Failure> {
    let outcome = match deadline {
        Some(deadline) => timeout_at(deadline, work)
            .await
            .map_err(|_| Failure::Broken("the server took too long to answer".to_owned()))?,
        None => work.await,
    };
    outcome.map_err(|error| Failure::from_transport(&error))
}

fn refusal(status: u16, headers: &HeaderMap, body: &[u8]) -> HttpFail {
    let location = headers.get(LOCATION).and_then(|value| value.to_str().ok());
    let target = location.filter(|_| (300..400).contains(&status));
    HttpFail {
        status,
        retry_after_ms: retry_after::retry_after_ms(headers, SystemTime::now()),
        moved_to: target.map(|target| {
            let host = Url::parse(target)
                .ok()
                .and_then(|url| url.host_str().map(str::to_owned));
            host.unwrap_or_else(|| "another path".to_owned())
        }),
        words: Words::read(&String::from_utf8_lossy(body)),
    }
}

/// Tells how the end of a body was told.
fn end_of(response: &Response) -> End {
    let headers = response.headers();
    let is_marked = response.version() >= Version::HTTP_2
        || headers.contains_key(CONTENT_LENGTH)
        || headers.contains_key(TRANSFER_ENCODING);
    if is_marked { End::Marked } else { End::Closed }
}

/// Reads the body of a success as one JSON value.
pub(crate) fn decode(headers: &HeaderMap, end: End, body: &[u8]) -> Result<Value, Failure> {
    // A letter that is lost would be lost in a draft too, and nobody would see it.
    let text = str::from_utf8(body)
        .map_err(|_| Failure::Unreadable("the answer is not in UTF-8".to_owned()))?;
    let kind = headers
        .get(CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    if kind.starts_with("text/event-stream") {
        return sse::join(text, end);
    }
    if let Some(value) = json::parse(text) {
        return Ok(value);
    }
    if words::is_page(text) {
        let detail = "the address answers with a web page, not as a model's server";
        return Err(Failure::Unreachable(detail.to_owned()));
    }
    if text.trim_start().starts_with("data:") {
        return sse::join(text, end);
    }
    Err(Failure::Unreadable(match text.trim() {
        "" => "the answer is empty".to_owned(),
        _ => "the answer is not JSON, perhaps it was cut off".to_owned(),
    }))
}

#[cfg(test)]
mod tests;
