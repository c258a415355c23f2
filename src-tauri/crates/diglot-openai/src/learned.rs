//! What a model at an endpoint does not take, learned from its refusals. Holds no text of a request.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::profile::{LimitKey, Profile};
use crate::words::Words;

/// Names a field that a request can do without.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Parameter {
    /// `temperature`.
    Temperature,
    /// The bound on an answer's tokens, by either name.
    OutputLimit,
    /// `response_format`; the shape is then asked for by words.
    ResponseFormat,
    /// Fields of the provider's own earlier messages beside text and calls.
    OwnFields,
}

/// Fields of a message that every server takes.
const CORE: &[&str] = &["role", "content", "tool_calls", "tool_call_id"];
/// Words of a refusal that is about a field that is there.
const TOO_MUCH: &[&str] = &[
    "extra",
    "unsupported",
    "not support",
    "not permitted",
    "not allowed",
    "unexpected",
    "unknown",
    "unrecognized",
    "forbidden",
];
/// Words of a refusal that is about a field that is not there.
const TOO_LITTLE: &[&str] = &["must be", "missing", "required", "thinking is enabled"];

/// Remembers which fields an endpoint refused for a model; kept with the settings and shown there.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Learned {
    /// The name of the output limit that is tried in place of the profile's.
    pub limit_key: Option<LimitKey>,
    /// Fields that are not sent any more.
    pub dropped: BTreeSet<Parameter>,
    /// Assistant messages with calls need `reasoning_content`, also those of other models.
    pub wants_reasoning: bool,
}

impl Learned {
    /// Tells whether a field is still sent.
    pub fn sends(&self, parameter: Parameter) -> bool {
        !self.dropped.contains(&parameter)
    }

    /// Returns the name of the output limit to send.
    pub fn limit_key(&self, profile: &Profile) -> LimitKey {
        self.limit_key.unwrap_or(profile.limit_key)
    }

    /// Names the fields that are not sent any more, as they stand on the wire.
    pub fn omitted(&self) -> Vec<&'static str> {
        let name = |parameter: &Parameter| match parameter {
            Parameter::Temperature => "temperature",
            Parameter::OutputLimit => "max_tokens",
            Parameter::ResponseFormat => "response_format",
            Parameter::OwnFields => "reasoning",
        };
        self.dropped.iter().map(name).collect()
    }

    /// Tells whether `reasoning_content` stands in every assistant message with calls.
    pub fn wants_reasoning(&self, profile: &Profile) -> bool {
        self.sends(Parameter::OwnFields) && (self.wants_reasoning || profile.wants_reasoning)
    }

    /// Learns from a refusal (400 or 422) of `sent`; true when another try would differ.
    pub(crate) fn adapt(&mut self, words: &Words, sent: &Value, profile: &Profile) -> bool {
        let refused = |field: &str| sent.get(field).is_some() && words.names(field);
        let limit = self.limit_key(profile);
        if refused(limit.as_str()) {
            if self.limit_key.is_none() {
                self.limit_key = Some(limit.other());
                return true;
            }
            return self.dropped.insert(Parameter::OutputLimit);
        }
        if refused("temperature") {
            return self.dropped.insert(Parameter::Temperature);
        }
        let format = refused("response_format")
            || sent.get("response_format").is_some() && words.names("json_schema");
        if format {
            return self.dropped.insert(Parameter::ResponseFormat);
        }
        self.adapt_messages(words, sent, profile)
    }

    /// Learns about fields of messages: too many for a closed schema, or one too few for a model that thinks.
    fn adapt_messages(&mut self, words: &Words, sent: &Value, profile: &Profile) -> bool {
        let reasoning = "reasoning_content";
        let is_too_much =
            words.says(TOO_MUCH) || words.codes.iter().any(|code| code.contains("extra"));
        if !is_too_much && words.says(TOO_LITTLE) && words.mentions(reasoning) {
            let is_new = !self.wants_reasoning && !profile.wants_reasoning;
            self.wants_reasoning = true;
            return is_new;
        }
        let messages = sent.get("messages").and_then(Value::as_array);
        let fields = messages.into_iter().flatten().filter_map(Value::as_object);
        let mut own = fields
            .flat_map(|message| message.keys())
            .filter(|field| !CORE.contains(&field.as_str()));
        let is_refused = is_too_much && own.any(|field| words.mentions(field));
        is_refused && self.dropped.insert(Parameter::OwnFields)
    }
}

#[cfg(test)]
mod tests;
