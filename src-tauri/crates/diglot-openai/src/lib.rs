//! Models behind any OpenAI-compatible endpoint. Owns the request JSON, the tolerant reader of answers,
//! the HTTP exchange and its error classes. Must not know the store, the folder, or where a key is
//! kept; makes one attempt a call and never waits between attempts (SPEC 10.9).
//!
//! Answers are asked for whole, not streamed: a step is stored whole in any case. A server that streams
//! all the same is understood.
//!
//! Bodies never reach the log from here. async-openai logs a body that it cannot decode at error level
//! under the target `async_openai`; the exchange decodes first, so that never happens, and a host may
//! still switch the target off (`async_openai=off`) to be sure.

mod client;
mod config;
mod error;
mod exchange;
mod json;
mod key;
mod learned;
mod local;
mod manner;
mod probe;
mod profile;
#[cfg(test)]
mod promises;
mod retry_after;
mod sse;
mod wire;
mod words;

pub use client::OpenAiModel;
pub use config::{ConfigError, OpenAiConfig, Timeouts};
pub use key::ApiKey;
pub use learned::{Learned, Parameter};
pub use local::{LOCAL_PORTS, LocalPort, LocalServer, find_local, find_local_on};
pub use manner::Manner;
pub use probe::{CheckReport, check};
pub use profile::{LimitKey, Profile, Replay, Structured, Temperature};
pub use wire::Protocol;
