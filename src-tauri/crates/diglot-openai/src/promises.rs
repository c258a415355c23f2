//! The promises P27, P28 and P30 of SECURITY.md, measured on loopback: requests end, refusals are told apart, half an
//! answer is no answer.

mod cuts;
mod faults;
mod waits;

use diglot_agent::model::{ModelMessage, PersonCause};
use diglot_agent::{ModelError, ModelResponse, ToolSpec};
use serde_json::json;

use crate::client::OpenAiModel;
use crate::config::OpenAiConfig;
use crate::wire::Ask;

/// Stands in requests and answers, and nowhere else may be found.
const CANARY: &str = "canary-3f9a";

/// Names what an attempt came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Came {
    Answer,
    Transient,
    Person(PersonCause),
    Unusable,
    TooLarge,
}

impl Came {
    fn of(outcome: &Result<ModelResponse, ModelError>) -> Self {
        match outcome {
            Ok(_) => Self::Answer,
            Err(ModelError::Transient { .. }) => Self::Transient,
            Err(ModelError::NeedsPerson { cause, .. }) => Self::Person(*cause),
            Err(ModelError::Unusable { .. }) => Self::Unusable,
            Err(ModelError::TooLarge { .. }) => Self::TooLarge,
        }
    }
}

fn tools() -> Vec<ToolSpec> {
    let tool = |name| ToolSpec {
        name,
        description: String::new(),
        parameters: json!({"type": "object"}),
    };
    vec![tool("Read"), tool("Translate")]
}

async fn ask(model: &OpenAiModel) -> Result<ModelResponse, ModelError> {
    let messages = [ModelMessage::User(CANARY.to_owned())];
    let tools = tools();
    let ask = Ask {
        system: "s",
        messages: &messages,
        tools: &tools,
        answer_schema: None,
    };
    model.answer(ask).await
}

fn model(base_url: &str) -> OpenAiModel {
    OpenAiModel::new(OpenAiConfig::new(base_url, "m")).unwrap()
}
