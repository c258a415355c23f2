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
}

/// Remembers which fields an endpoint refused for a model; kept with the settings and shown there.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Learned {
    /// The name of the output limit that is tried in place of the profile's.
    pub limit_key: Option<LimitKey>,
    /// Fields that are not sent any more.
    pub dropped: BTreeSet<Parameter>,
}

impl Learned {
    /// Tells whether a field is still sent.
    pub fn sends(&self, parameter: Parameter) -> bool {
        !self.dropped.contains(&parameter)
    }

    /// Returns the name of the output limit to send.
    pub fn limit_key(&self, profile: Profile) -> LimitKey {
        self.limit_key.unwrap_or(profile.limit_key)
    }

    /// Learns from a refusal (400 or 422) of `sent`; true when another try would differ.
    pub(crate) fn adapt(&mut self, words: &Words, sent: &Value, profile: Profile) -> bool {
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
        format && self.dropped.insert(Parameter::ResponseFormat)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn learn(learned: &mut Learned, body: &Value, sent: &Value) -> bool {
        learned.adapt(&Words::read(&body.to_string()), sent, Profile::CUSTOM)
    }

    #[test]
    fn the_output_limit_is_renamed_once_and_then_left_out() {
        let mut learned = Learned::default();
        let body = json!({"error": {"message": "Unsupported parameter: 'max_tokens' is not supported \
            with this model. Use 'max_completion_tokens' instead.", "code": "unsupported_parameter"}});
        assert!(learn(&mut learned, &body, &json!({"max_tokens": 9})));
        assert_eq!(
            learned.limit_key(Profile::CUSTOM),
            LimitKey::MaxCompletionTokens
        );
        assert!(learn(
            &mut learned,
            &body,
            &json!({"max_completion_tokens": 9})
        ));
        assert!(!learned.sends(Parameter::OutputLimit));
    }

    #[test]
    fn only_a_field_that_was_sent_and_named_is_dropped() {
        let sent = json!({"model": "m", "temperature": 0.2, "response_format": {}});
        for (body, dropped) in [
            (
                json!({"error": {"param": "temperature", "message": "no"}}),
                Some(Parameter::Temperature),
            ),
            (
                json!({"detail": [{"type": "extra_forbidden", "loc": ["body", "response_format"]}]}),
                Some(Parameter::ResponseFormat),
            ),
            (json!({"error": {"param": "top_p", "message": "no"}}), None),
            (
                json!({"error": {"message": "max_tokens is too large"}}),
                None,
            ),
            (
                json!({"error": {"message": "the temperatures differ"}}),
                None,
            ),
        ] {
            let mut learned = Learned::default();
            assert_eq!(
                learn(&mut learned, &body, &sent),
                dropped.is_some(),
                "{body}"
            );
            assert_eq!(learned.dropped.first().copied(), dropped, "{body}");
        }
    }
}
