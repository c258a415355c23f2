//! A model that answers from a list, for tests of the core.

use std::collections::VecDeque;
use std::sync::Mutex;

use diglot_agent::message::Usage;
use diglot_agent::model::{BoxFuture, Finish, PersonCause, ProposedCall};
use diglot_agent::{Model, ModelError, ModelRequest, ModelResponse, ToolArguments};
use diglot_document::Origin;
use serde_json::Value;

use crate::gate::lock;

/// Answers from a list, in order, and keeps what it was asked. With the list used up, it refuses.
#[derive(Debug)]
pub struct ScriptedModel {
    name: String,
    answers: Mutex<VecDeque<Result<ModelResponse, ModelError>>>,
    requests: Mutex<Vec<ModelRequest>>,
}

impl ScriptedModel {
    /// Makes a model with the name `scripted`.
    pub fn new(answers: impl IntoIterator<Item = Result<ModelResponse, ModelError>>) -> Self {
        Self::named("scripted", answers)
    }

    /// Makes a model with a name.
    pub fn named(
        name: &str,
        answers: impl IntoIterator<Item = Result<ModelResponse, ModelError>>,
    ) -> Self {
        Self {
            name: name.to_owned(),
            answers: Mutex::new(answers.into_iter().collect()),
            requests: Mutex::default(),
        }
    }

    /// Adds an answer at the end.
    pub fn push(&self, answer: Result<ModelResponse, ModelError>) {
        lock(&self.answers).push_back(answer);
    }

    /// Returns what it was asked, in order.
    pub fn requests(&self) -> Vec<ModelRequest> {
        lock(&self.requests).clone()
    }
}

impl Model for ScriptedModel {
    fn name(&self) -> &str {
        &self.name
    }

    fn complete<'a>(
        &'a self,
        request: &'a ModelRequest,
    ) -> BoxFuture<'a, Result<ModelResponse, ModelError>> {
        Box::pin(async move {
            lock(&self.requests).push(request.clone());
            lock(&self.answers).pop_front().unwrap_or_else(|| {
                Err(ModelError::NeedsPerson {
                    cause: PersonCause::Refused,
                    status: None,
                    detail: "the script has no further answer".to_owned(),
                })
            })
        })
    }
}

/// Answers in words.
pub fn words(text: &str) -> ModelResponse {
    ModelResponse {
        text: text.to_owned(),
        reasoning: None,
        tool_calls: Vec::new(),
        raw: None,
        finish: Finish::Stop,
        usage: Usage::default(),
    }
}

/// Answers with one call.
pub fn call(name: &str, arguments: Value) -> ModelResponse {
    calls([(name, arguments)])
}

/// Answers with several calls.
pub fn calls<'a>(calls: impl IntoIterator<Item = (&'a str, Value)>) -> ModelResponse {
    let call = |(name, arguments): (&str, Value)| ProposedCall {
        name: name.to_owned(),
        arguments: ToolArguments::Parsed(arguments),
        origin: Origin::Model,
    };
    ModelResponse {
        tool_calls: calls.into_iter().map(call).collect(),
        ..words("")
    }
}
