//! What can go wrong with one attempt, and which of the four classes it belongs to (SPEC 6). Details are
//! bounded and hold no key.

use std::error::Error;
use std::io::{self, ErrorKind};

use diglot_agent::ModelError;
use diglot_agent::message::Usage;
use diglot_agent::model::PersonCause;

use crate::key::ApiKey;
use crate::words::Words;

/// Longest detail, in characters.
const DETAIL_CHARS: usize = 300;

/// Reports an attempt that brought no answer to read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// The server refused, by status or by an error object in a 200.
    #[error("status {}", .0.status)]
    Refused(Box<HttpFail>),
    /// Nobody can be reached at the address.
    #[error("{0}")]
    Unreachable(String),
    /// The connection was refused; on this machine that means that no server runs.
    #[error("the connection was refused")]
    ConnectionRefused,
    /// The connection broke or was too slow.
    #[error("{0}")]
    Broken(String),
    /// The body is not what it should be.
    #[error("{0}")]
    Unreadable(String),
}

/// Holds an answer that is no success.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct HttpFail {
    /// HTTP status; that of the body when it came inside a 200.
    pub(crate) status: u16,
    /// How long the server asks to wait, in milliseconds.
    pub(crate) retry_after_ms: Option<u64>,
    /// Host that a redirect points to.
    pub(crate) moved_to: Option<String>,
    /// What it says.
    pub(crate) words: Words,
}

/// Knows what of an attempt's surroundings decides its class.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Surroundings<'a> {
    /// The key in use.
    pub(crate) key: Option<&'a ApiKey>,
    /// The server is on this machine.
    pub(crate) is_loopback: bool,
}

impl Failure {
    /// Reads a transport error. Its own text may hold the address with a query, so it is not used.
    pub(crate) fn from_transport(error: &reqwest::Error) -> Self {
        if error.is_builder() {
            return Self::Unreachable("the request cannot be built from the address".to_owned());
        }
        let chain = Chain::of(error);
        let innermost = &chain.innermost;
        if chain.is_dns {
            return Self::Unreachable("the host's name is not known to the network".to_owned());
        }
        if chain.is_tls {
            return Self::Unreachable(format!("no safe connection: {innermost}"));
        }
        match chain.kind {
            Some(ErrorKind::ConnectionRefused) => return Self::ConnectionRefused,
            Some(
                ErrorKind::NetworkUnreachable
                | ErrorKind::HostUnreachable
                | ErrorKind::NetworkDown
                | ErrorKind::AddrNotAvailable,
            ) => {
                let detail = "there is no way to the server: is this computer connected?";
                return Self::Unreachable(detail.to_owned());
            }
            Some(_) | None => {}
        }
        if error.is_timeout() && error.is_connect() {
            return Self::Broken("the server cannot be reached".to_owned());
        }
        if error.is_timeout() {
            return Self::Broken("the server took too long to answer".to_owned());
        }
        if NO_HTTP.iter().any(|words| innermost.starts_with(words)) {
            let detail = "what answers at the address does not speak HTTP as it should";
            return Self::Unreachable(detail.to_owned());
        }
        Self::Broken(format!("the connection broke: {innermost}"))
    }

    /// Puts the failure into its class.
    pub(crate) fn class(self, around: Surroundings<'_>) -> ModelError {
        match self {
            Self::Refused(fail) => fail.class(around),
            Self::ConnectionRefused if around.is_loopback => person(
                PersonCause::Unreachable,
                None,
                "no server runs at this address".to_owned(),
            ),
            Self::ConnectionRefused => ModelError::Transient {
                retry_after_ms: None,
                status: None,
                detail: "the server refused the connection".to_owned(),
            },
            Self::Unreachable(detail) => {
                person(PersonCause::Unreachable, None, bounded(&detail, around.key))
            }
            Self::Broken(detail) => ModelError::Transient {
                retry_after_ms: None,
                status: None,
                detail: bounded(&detail, around.key),
            },
            Self::Unreadable(detail) => ModelError::Unusable {
                detail: bounded(&detail, around.key),
                usage: Usage::default(),
            },
        }
    }
}

/// The library's words for a head that it cannot read; it has no other sign of it that is public.
const NO_HTTP: [&str; 4] = [
    "invalid HTTP",
    "invalid content-length",
    "message head is too large",
    "received unexpected message",
];

/// Tells whether encryption failed; what an I/O error wraps is none of its sources.
fn is_tls(error: &(dyn Error + 'static)) -> bool {
    let wrapped = error
        .downcast_ref::<io::Error>()
        .and_then(io::Error::get_ref);
    error.is::<rustls::Error>() || wrapped.is_some_and(|inner| is_tls(inner))
}

/// Holds what the causes of a transport error tell together.
struct Chain {
    kind: Option<ErrorKind>,
    innermost: String,
    is_dns: bool,
    is_tls: bool,
}

impl Chain {
    fn of(error: &reqwest::Error) -> Self {
        let mut chain = Self {
            kind: None,
            innermost: String::new(),
            is_dns: false,
            is_tls: false,
        };
        let mut source: Option<&(dyn Error + 'static)> = Some(error);
        while let Some(current) = source {
            if let Some(fault) = current.downcast_ref::<io::Error>() {
                chain.kind = Some(fault.kind());
            }
            chain.is_tls |= is_tls(current);
            let text = current.to_string();
            chain.is_dns |= text.contains("dns error");
            chain.innermost = text;
            source = current.source();
        }
        chain
    }
}

/// Codes and phrases that tell a fault apart where the status alone does not.
mod signs {
    pub(super) const LONG_CODES: &[&str] = &[
        "context_length_exceeded",
        "exceed_context_size_error",
        "request_too_large",
    ];
    pub(super) const LONG: &[&str] = &[
        "context length",
        "context_length",
        "context window",
        "context size",
        "maximum context",
        "too many tokens",
        "prompt is too long",
        "input is too long",
        "prompt too long",
        "reduce the length",
        "maximum number of tokens",
        "exceeds the available context",
    ];
    pub(super) const MONEY_CODES: &[&str] = &[
        "insufficient_quota",
        "billing_error",
        "insufficient_credits",
        "billing_hard_limit_reached",
    ];
    pub(super) const MONEY: &[&str] = &[
        "insufficient balance",
        "insufficient credit",
        "credit balance",
        "exceeded your current quota",
        "billing",
    ];
    pub(super) const KEY_CODES: &[&str] = &[
        "invalid_api_key",
        "authentication_error",
        "unauthenticated",
        "invalid_authentication",
    ];
    pub(super) const KEY: &[&str] = &["api key not valid", "invalid api key", "incorrect api key"];
    pub(super) const TOOLS: &[&str] = &[
        "does not support tools",
        "support tool use",
        "enable-auto-tool-choice",
        "requires --jinja",
        "tools param",
        "tool calling is not supported",
        "does not support function calling",
        "tools is not supported",
        "tools are not supported",
    ];
    pub(super) const MODEL_CODES: &[&str] = &["model_not_found", "model_not_available"];
    pub(super) const MODEL: &[&str] = &[
        "not a valid model",
        "model does not exist",
        "model not found",
        "unknown model",
        "invalid model",
    ];
    pub(super) const FILTER_CODES: &[&str] = &["content_filter", "content_policy_violation"];
    pub(super) const BUSY_CODES: &[&str] = &[
        "rate_limit_exceeded",
        "overloaded_error",
        "server_error",
        "api_error",
        "rate_limit_error",
    ];
}

impl HttpFail {
    fn class(self, around: Surroundings<'_>) -> ModelError {
        let detail = bounded(&self.sentence(), around.key);
        let status = Some(self.status);
        match self.cause(around) {
            Class::TooLarge => ModelError::TooLarge { detail },
            Class::Unusable => ModelError::Unusable {
                detail,
                usage: Usage::default(),
            },
            Class::Person(cause) => ModelError::NeedsPerson {
                cause,
                status,
                detail,
            },
            Class::Transient => ModelError::Transient {
                retry_after_ms: self.retry_after_ms.or(self.words.retry_after_ms),
                status,
                detail,
            },
        }
    }

    /// Tells whether the request was too long, whatever field the words name beside.
    pub(crate) fn is_too_large(&self) -> bool {
        let words = &self.words;
        self.status == 413
            || words.has_code(signs::LONG_CODES)
            || self.status != 429 && words.says(signs::LONG)
    }

    /// Decides the class. The order matters: what the words say goes before what the status says.
    fn cause(&self, around: Surroundings<'_>) -> Class {
        use PersonCause::{Billing, NoKey, Refused, Unauthorized, UnknownModel, Unreachable};
        let words = &self.words;
        let is_rate = self.status == 429;
        let has_wait = self.retry_after_ms.or(words.retry_after_ms).is_some();
        if self.is_too_large() {
            return Class::TooLarge;
        }
        // A quota that names a time to wait is a rate limit (Gemini); one by its code is not.
        let says_money = self.status < 500 && words.says(signs::MONEY) && !(is_rate && has_wait);
        if self.status == 402 || words.has_code(signs::MONEY_CODES) || says_money {
            return Class::Person(Billing);
        }
        if self.status == 401
            || !is_rate && (words.has_code(signs::KEY_CODES) || words.says(signs::KEY))
        {
            return Class::Person(if around.key.is_some() {
                Unauthorized
            } else {
                NoKey
            });
        }
        if words.says(signs::TOOLS) {
            return Class::Person(PersonCause::Unsupported);
        }
        if words.has_code(signs::MODEL_CODES) || self.status < 500 && words.says(signs::MODEL) {
            return Class::Person(UnknownModel);
        }
        if words.failed_generation.is_some() || words.has_code(signs::FILTER_CODES) {
            return Class::Unusable;
        }
        match self.status {
            404 if !words.is_page && words.says(&["model"]) => Class::Person(UnknownModel),
            300..400 | 404 | 405 | 410 => Class::Person(Unreachable),
            501 | 505 => Class::Person(Refused),
            408 | 409 | 425 | 429 | 500.. => Class::Transient,
            // An error in a 200 that names no status: passing, if its code is one of those that pass.
            200 if words.has_code(signs::BUSY_CODES) || words.codes.is_empty() => Class::Transient,
            _ => Class::Person(Refused),
        }
    }

    fn sentence(&self) -> String {
        if let Some(host) = &self.moved_to {
            return format!("the address is not there any more, it points to {host}");
        }
        let message = self.words.message.trim();
        match (self.words.is_page, message.is_empty()) {
            (true, true) => format!("a web page with status {}", self.status),
            (true, false) => format!("a web page with status {}: {message}", self.status),
            (false, true) => format!("status {} without a word", self.status),
            (false, false) => message.to_owned(),
        }
    }
}

enum Class {
    Transient,
    Person(PersonCause),
    Unusable,
    TooLarge,
}

fn person(cause: PersonCause, status: Option<u16>, detail: String) -> ModelError {
    ModelError::NeedsPerson {
        cause,
        status,
        detail,
    }
}

/// Brings words into one line, without the key, of bounded length.
pub(crate) fn bounded(text: &str, key: Option<&ApiKey>) -> String {
    let text = key.map_or_else(
        || text.to_owned(),
        |key| text.replace(key.expose(), "[key]"),
    );
    let clean = |c: char| if c.is_control() { ' ' } else { c };
    let line: String = text.chars().map(clean).collect();
    let mut words = line.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some((end, _)) = words.char_indices().nth(DETAIL_CHARS) {
        words.truncate(end);
        words.push('…');
    }
    words
}

#[cfg(test)]
mod tests;
