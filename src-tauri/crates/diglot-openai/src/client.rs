//! The model port over one endpoint: one request, one attempt. Must not wait between attempts.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use async_openai::Client;
use diglot_agent::message::{ToolArguments, Usage};
use diglot_agent::model::{BoxFuture, ModelMessage};
use diglot_agent::{Model, ModelError, ModelRequest, ModelResponse};
use serde_json::Value;
use tokio::time::timeout;

use crate::config::{ConfigError, Endpoint, OpenAiConfig};
use crate::error::{Failure, Surroundings};
use crate::exchange;
use crate::learned::Learned;
use crate::manner::Manner;
use crate::wire::{self, Ask, Shape};

/// Limit on listing models, also on this machine: no model has to be loaded for it.
const LIST_LIMIT: Duration = Duration::from_secs(30);

/// Talks to a model behind an OpenAI-compatible endpoint. Dropping a call's future closes its connection.
#[derive(Debug)]
pub struct OpenAiModel {
    name: String,
    client: Client<Endpoint>,
    config: OpenAiConfig,
    learned: Mutex<Learned>,
}

impl OpenAiModel {
    /// Checks the settings and builds the client; sends nothing.
    ///
    /// # Errors
    /// When no request can be made from the settings.
    pub fn new(config: OpenAiConfig) -> Result<Self, ConfigError> {
        if config.model.trim().is_empty() {
            return Err(ConfigError::NoModel);
        }
        let endpoint = Endpoint::new(&config)?;
        Ok(Self {
            name: format!(
                "openai-compatible:{}@{}",
                config.model.trim(),
                endpoint.host()
            ),
            client: exchange::client(endpoint, config.timeouts)?,
            learned: Mutex::new(config.learned.clone()),
            config,
        })
    }

    /// Returns what is known by now about this endpoint and model; worth keeping with the settings.
    pub fn learned(&self) -> Learned {
        self.learned
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    pub(crate) async fn answer(&self, ask: Ask<'_>) -> Result<ModelResponse, ModelError> {
        // Answers that cannot be used are paid for like others.
        let mut spent = Usage::default();
        loop {
            let learned = self.learned();
            let shape = Shape {
                provider: &self.name,
                config: &self.config,
                learned: &learned,
            };
            let body = wire::request(ask, shape);
            let sent: Result<Value, _> = self.client.chat().create_byot(&body).await;
            let failure = match sent {
                Ok(answer) => match wire::read(&answer, ask, shape) {
                    Ok(response) => {
                        self.note_cut_context(response.usage.total());
                        let usage = response.usage.plus(spent);
                        return Ok(ModelResponse { usage, ..response });
                    }
                    Err(failure) => {
                        spent = spent.plus(wire::usage(&answer));
                        failure
                    }
                },
                Err(error) => exchange::failure(error),
            };
            // Each round drops a field that was sent, so this ends.
            if !self.adapt(&failure, &body) {
                return match wire::rescue(&failure, ask) {
                    Some(response) => Ok(response),
                    None => Err(failure.class(self.surroundings()).costing(spent)),
                };
            }
        }
    }

    /// Learns from a refusal; true when another try would differ.
    fn adapt(&self, failure: &Failure, sent: &Value) -> bool {
        let Failure::Refused(fail) = failure else {
            return false;
        };
        if !matches!(fail.status, 400 | 422) || fail.is_too_large() {
            return false;
        }
        let mut learned = self.learned.lock().unwrap_or_else(PoisonError::into_inner);
        let adapted = learned.adapt(&fail.words, sent, &self.config.profile);
        if adapted {
            tracing::info!(model = self.name, ?learned, "request adapted");
        }
        adapted
    }

    /// Ollama cuts a long prompt without a word; a total that is exactly its context size gives it away.
    fn note_cut_context(&self, n_tokens: u64) {
        let cuts = self.config.profile.cuts_silently;
        if cuts && n_tokens >= 2048 && n_tokens.is_power_of_two() {
            tracing::warn!(
                n_tokens,
                "the prompt was probably cut: raise OLLAMA_CONTEXT_LENGTH"
            );
        }
    }

    fn surroundings(&self) -> Surroundings<'_> {
        Surroundings {
            key: self.config.key.as_ref(),
            is_loopback: self.client.config().is_loopback(),
        }
    }

    /// Asks for the list of models.
    pub(crate) async fn list(&self) -> Result<Value, Failure> {
        self.client
            .models()
            .list_byot()
            .await
            .map_err(exchange::failure)
    }

    /// Lists the models that the endpoint offers.
    pub(crate) async fn models(&self) -> Result<Vec<String>, ModelError> {
        let listed = timeout(LIST_LIMIT, self.list()).await.unwrap_or_else(|_| {
            Err(Failure::Broken(
                "the server took too long to list its models".to_owned(),
            ))
        });
        let listed = listed.and_then(|answer| {
            let unreadable = || Failure::Unreadable("this is no list of models".to_owned());
            wire::model_ids(&answer).ok_or_else(unreadable)
        });
        listed.map_err(|failure| failure.class(self.surroundings()))
    }
}

/// Estimates the tokens of a request at four bytes each.
fn n_asked(request: &ModelRequest) -> usize {
    let said = request.messages.iter().map(|message| match message {
        ModelMessage::User(text) => text.len(),
        ModelMessage::Assistant {
            text, tool_calls, ..
        } => {
            text.len()
                + tool_calls
                    .iter()
                    .map(|call| n_bytes(&call.arguments))
                    .sum::<usize>()
        }
        ModelMessage::Tool { content, .. } => content.len(),
    });
    let tools = request.tools.iter();
    let tools = tools.map(|tool| tool.description.len() + tool.parameters.to_string().len());
    (request.system.len() + said.sum::<usize>() + tools.sum::<usize>()).div_ceil(4)
}

/// Estimates the tokens of an answer at four bytes each.
fn n_answered(response: &ModelResponse) -> usize {
    let calls = response.tool_calls.iter();
    let calls: usize = calls
        .map(|call| call.name.len() + n_bytes(&call.arguments))
        .sum();
    let thought = response.reasoning.as_ref().map_or(0, String::len);
    (response.text.len() + thought + calls).div_ceil(4)
}

fn n_bytes(arguments: &ToolArguments) -> usize {
    match arguments {
        ToolArguments::Parsed(value) => value.to_string().len(),
        ToolArguments::Malformed(text) => text.len(),
    }
}

/// Counts the tokens of an exchange whose server tells none, so that a cap holds there too.
fn counted(
    request: &ModelRequest,
    outcome: Result<ModelResponse, ModelError>,
) -> Result<ModelResponse, ModelError> {
    let estimate = |n_output: usize| Usage {
        n_input: n_asked(request) as u64,
        n_cached: 0,
        n_output: n_output as u64,
    };
    match outcome {
        Ok(response) if response.usage.total() == 0 => Ok(ModelResponse {
            usage: estimate(n_answered(&response)),
            ..response
        }),
        Err(failure @ ModelError::Unusable { .. }) if failure.usage().total() == 0 => {
            Err(failure.costing(estimate(0)))
        }
        outcome => outcome,
    }
}

impl Model for OpenAiModel {
    fn name(&self) -> &str {
        &self.name
    }

    fn manner(&self) -> Value {
        serde_json::to_value(Manner::of(&self.config, self.learned())).unwrap_or_default()
    }

    fn complete<'a>(
        &'a self,
        request: &'a ModelRequest,
    ) -> BoxFuture<'a, Result<ModelResponse, ModelError>> {
        Box::pin(async move { counted(request, self.answer(Ask::from(request)).await) })
    }
}

#[cfg(test)]
mod bodies;
#[cfg(test)]
mod tests;
