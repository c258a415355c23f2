//! The connection test of the settings page: what is wrong, and which tool protocol a model speaks. Sends two
//! or three tiny requests, none with a document's text.

use diglot_agent::model::{ModelMessage, PersonCause};
use diglot_agent::{ModelError, ModelResponse, ToolSpec};
use serde_json::{Value, json};

use crate::client::OpenAiModel;
use crate::config::{ConfigError, OpenAiConfig};
use crate::learned::Learned;
use crate::wire::{Ask, Protocol};

/// Tells what a connection test found.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckReport {
    /// Models that the endpoint lists, in its order; empty when it lists none.
    pub models: Vec<String>,
    /// The protocol by which the model called a tool; `None` when it did by neither.
    pub protocol: Option<Protocol>,
    /// What the endpoint does not take.
    pub learned: Learned,
    /// The address that answers, where the given one lacked `/v1`.
    pub base_url: Option<String>,
    /// What is wrong; `None` when the model can be used.
    pub problem: Option<ModelError>,
}

/// Tests an endpoint and a model. `config.protocol` is not looked at: the test finds it out.
///
/// # Errors
/// When no request can be made from the settings.
pub async fn check(config: OpenAiConfig) -> Result<CheckReport, ConfigError> {
    let mut report = CheckReport {
        models: Vec::new(),
        protocol: None,
        learned: config.learned.clone(),
        base_url: None,
        problem: None,
    };
    let mut config = config;
    let mut listed = OpenAiModel::new(config.clone())?.models().await;
    if is_nothing_there(&listed) {
        let base_url = format!("{}/v1", config.base_url.trim().trim_end_matches('/'));
        let with_path = OpenAiConfig {
            base_url: base_url.clone(),
            ..config.clone()
        };
        let again = OpenAiModel::new(with_path.clone())?.models().await;
        if again.is_ok() {
            (config, listed) = (with_path, again);
            report.base_url = Some(base_url);
        }
    }
    match listed {
        Ok(models) => report.models = models,
        // Not every endpoint lists its models, so only what would also stop the next request ends the test.
        Err(problem) if is_final(&problem) => {
            report.problem = Some(problem);
            return Ok(report);
        }
        Err(_) => {}
    }
    try_protocols(&config, &mut report).await?;
    Ok(report)
}

async fn try_protocols(config: &OpenAiConfig, report: &mut CheckReport) -> Result<(), ConfigError> {
    let tools = [confirm_tool()];
    let messages = [ModelMessage::User(
        "Call the tool Confirm with the word `ready`.".to_owned(),
    )];
    let ask = Ask {
        system: "You test a connection. Call the tool that you are asked to call.",
        messages: &messages,
        tools: &tools,
        answer_schema: None,
    };
    let mut by_text = false;
    for protocol in [Protocol::Tools, Protocol::JsonSchema] {
        let learned = report.learned.clone();
        let model = OpenAiModel::new(OpenAiConfig {
            protocol,
            learned,
            ..config.clone()
        })?;
        let outcome = model.answer(ask).await;
        report.learned = model.learned();
        match outcome {
            Ok(response) if response.tool_calls.is_empty() => {}
            // A call that stood in the text works too, but the schema holds such a model better.
            Ok(response) if protocol == Protocol::Tools && !is_native(&response) => by_text = true,
            Ok(_) => {
                report.protocol = Some(protocol);
                return Ok(());
            }
            Err(problem) if protocol == Protocol::Tools && !is_about_tools(&problem) => {
                report.problem = Some(problem);
                return Ok(());
            }
            Err(_) => {}
        }
    }
    report.protocol = by_text.then_some(Protocol::Tools);
    if report.protocol.is_none() {
        report.problem = Some(ModelError::NeedsPerson {
            cause: PersonCause::Unsupported,
            status: None,
            detail: "the model answers, but it calls no tools".to_owned(),
        });
    }
    Ok(())
}

fn is_nothing_there(listed: &Result<Vec<String>, ModelError>) -> bool {
    matches!(
        listed,
        Err(ModelError::NeedsPerson {
            cause: PersonCause::Unreachable,
            status: Some(404),
            ..
        })
    )
}

fn is_final(problem: &ModelError) -> bool {
    match problem {
        ModelError::NeedsPerson { cause, status, .. } => match cause {
            PersonCause::NoKey | PersonCause::Unauthorized | PersonCause::Billing => true,
            PersonCause::Unreachable => status.is_none(),
            PersonCause::UnknownModel | PersonCause::Unsupported | PersonCause::Refused => false,
        },
        ModelError::Transient { status, .. } => status.is_none(),
        ModelError::Unusable { .. } | ModelError::TooLarge { .. } => false,
    }
}

/// Tells whether the other protocol may do better.
fn is_about_tools(problem: &ModelError) -> bool {
    matches!(
        problem,
        ModelError::Unusable { .. }
            | ModelError::NeedsPerson {
                cause: PersonCause::Unsupported,
                ..
            }
    )
}

fn is_native(response: &ModelResponse) -> bool {
    let calls = response
        .raw
        .as_ref()
        .and_then(|raw| raw.message.get("tool_calls"));
    calls
        .and_then(Value::as_array)
        .is_some_and(|calls| !calls.is_empty())
}

fn confirm_tool() -> ToolSpec {
    ToolSpec {
        name: "Confirm",
        description: "Confirms that tools can be called.".to_owned(),
        parameters: json!({
            "type": "object",
            "properties": {"word": {"type": "string", "description": "The word `ready`."}},
            "required": ["word"]
        }),
    }
}

#[cfg(test)]
mod tests;
