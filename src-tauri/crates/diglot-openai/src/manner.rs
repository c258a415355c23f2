//! What of an endpoint's settings decides the bytes of a request: kept with the log, so that a request can be shown
//! again as it was sent. Holds no key and no address; must not send anything.

use diglot_agent::ModelRequest;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::config::OpenAiConfig;
use crate::learned::Learned;
use crate::profile::Profile;
use crate::wire::{self, Ask, Protocol, Shape};

/// Holds what decides the form of a request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Manner {
    /// The model's name there.
    pub model: String,
    /// Short name of the provider's profile.
    pub profile: String,
    /// How tools are called.
    pub protocol: Protocol,
    /// Temperature, where one is sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f32>,
    /// Most tokens of one answer, where it is sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_output_tokens: Option<u32>,
    /// What the endpoint does not take.
    #[serde(default)]
    pub learned: Learned,
}

impl Manner {
    /// Reads what a log keeps; `None` for a model that sends nothing.
    pub fn read(value: &Value) -> Option<Self> {
        serde_json::from_value(value.clone()).ok()
    }

    /// Takes it from settings, and from what was learnt beside.
    pub(crate) fn of(config: &OpenAiConfig, learned: Learned) -> Self {
        Self {
            model: config.model.trim().to_owned(),
            profile: config.profile.name.to_string(),
            protocol: config.protocol,
            temperature: config.temperature,
            max_output_tokens: config.max_output_tokens,
            learned,
        }
    }

    /// Writes the body of a request as it goes on the wire. `name` is the model's, by which its own messages are
    /// recognised.
    pub fn body(&self, request: &ModelRequest, name: &str) -> String {
        let config = OpenAiConfig {
            profile: Profile::by_name(&self.profile),
            protocol: self.protocol,
            temperature: self.temperature,
            max_output_tokens: self.max_output_tokens,
            ..OpenAiConfig::new("", self.model.as_str())
        };
        let shape = Shape {
            provider: name,
            config: &config,
            learned: &self.learned,
        };
        wire::request(Ask::from(request), shape).to_string()
    }
}
