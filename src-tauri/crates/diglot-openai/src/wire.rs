//! The JSON on the wire: requests built strictly, answers read tolerantly (MODELS of the design: minimum
//! fields out, anything plausible in). Pure; must not know HTTP.

mod action;
mod answer;
mod arguments;
mod request;
mod text_calls;

use diglot_agent::message::Usage;
use diglot_agent::model::{Finish, ModelMessage};
use diglot_agent::{ModelRequest, ModelResponse, ToolSpec};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::config::OpenAiConfig;
use crate::error::Failure;
use crate::json;
use crate::learned::Learned;

pub(crate) use answer::{read, usage};
pub(crate) use request::request;

/// Names the two ways in which a model calls tools.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Protocol {
    /// By the `tools` field and `tool_calls`.
    #[default]
    Tools,
    /// One JSON action per answer under `response_format: json_schema`; for small local models.
    JsonSchema,
}

/// Holds what decides the form of a request, beside its content.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shape<'a> {
    /// The model's name, by which raw messages are recognised.
    pub(crate) provider: &'a str,
    /// The person's settings.
    pub(crate) config: &'a OpenAiConfig,
    /// What the endpoint does not take.
    pub(crate) learned: &'a Learned,
}

/// Holds what of a request goes on the wire.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ask<'a> {
    /// The system prompt.
    pub(crate) system: &'a str,
    /// The conversation.
    pub(crate) messages: &'a [ModelMessage],
    /// Tools that may be called.
    pub(crate) tools: &'a [ToolSpec],
    /// Schema that the answer's text must fit.
    pub(crate) answer_schema: Option<&'a Value>,
}

impl<'a> From<&'a ModelRequest> for Ask<'a> {
    fn from(request: &'a ModelRequest) -> Self {
        Self {
            system: &request.system,
            messages: &request.messages,
            tools: &request.tools,
            answer_schema: request.answer_schema.as_ref(),
        }
    }
}

/// Makes an answer of a call that the provider wrote down and could not read itself.
pub(crate) fn rescue(failure: &Failure, ask: Ask<'_>) -> Option<ModelResponse> {
    let Failure::Refused(fail) = failure else {
        return None;
    };
    let (text, tool_calls) = text_calls::find(fail.words.failed_generation.as_deref()?, ask.tools)?;
    Some(ModelResponse {
        text,
        reasoning: None,
        tool_calls,
        raw: None,
        finish: Finish::Stop,
        usage: Usage::default(),
    })
}

/// Reads a list of models: `{"data": [..]}`, `{"models": [..]}` or a bare list, each with an `id` or name.
pub(crate) fn model_ids(answer: &Value) -> Option<Vec<String>> {
    let list = answer
        .get("data")
        .or_else(|| answer.get("models"))
        .unwrap_or(answer)
        .as_array()?;
    let id = |model: &Value| {
        let id = ["id", "name", "model"]
            .iter()
            .find_map(|field| json::text(model, field));
        id.or_else(|| model.as_str()).map(str::to_owned)
    };
    Some(list.iter().filter_map(id).collect())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn lists_of_models_are_read_in_every_shape() {
        let ids = Some(vec!["a".to_owned(), "b".to_owned()]);
        for (answer, expected) in [
            (
                json!({"object": "list", "data": [{"id": "a", "created": 1.5}, {"id": "b"}]}),
                ids.clone(),
            ),
            (json!({"data": [{"id": "a"}, {}, {"id": "b"}]}), ids.clone()),
            (json!([{"id": "a"}, {"id": "b"}]), ids.clone()),
            (json!(["a", "b"]), ids.clone()),
            (json!({"models": [{"name": "a"}, {"model": "b"}]}), ids),
            (json!({"data": []}), Some(Vec::new())),
            (json!({"data": null}), None),
            (json!({"status": "ok"}), None),
            (json!("a"), None),
        ] {
            assert_eq!(model_ids(&answer), expected, "{answer}");
        }
    }
}
