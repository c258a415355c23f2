//! What a provider says when it refuses: the many shapes of error bodies brought into one. Judges nothing.

use serde_json::Value;

use crate::json;

/// Holds the parts of an error body. Texts are the provider's, unbounded.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Words {
    /// The sentence for people; for an HTML page its title; may be empty.
    pub(crate) message: String,
    /// `code` and `type`, lower case, also where `code` is a number.
    pub(crate) codes: Vec<String>,
    /// The HTTP status that stands in the body, where there is one.
    pub(crate) status: Option<u16>,
    /// Fields that are named as the cause.
    pub(crate) fields: Vec<String>,
    /// A call that the provider could not read itself (Groq).
    pub(crate) failed_generation: Option<String>,
    /// How long it asks to wait, in milliseconds (Gemini).
    pub(crate) retry_after_ms: Option<u64>,
    /// The body was a web page.
    pub(crate) is_page: bool,
}

impl Words {
    /// Reads an error body of any kind.
    pub(crate) fn read(body: &str) -> Self {
        match json::parse(body) {
            Some(value) => Self::from_value(&value),
            None if is_page(body) => Self {
                message: title(body).unwrap_or_default(),
                is_page: true,
                ..Self::default()
            },
            None => Self {
                message: body.trim().to_owned(),
                ..Self::default()
            },
        }
    }

    /// Reads a decoded error body: `{"error": {..}}`, `{"error": ".."}`, `{"detail": ..}`,
    /// `{"message": ..}`, or a list of one of these.
    pub(crate) fn from_value(value: &Value) -> Self {
        match value {
            Value::Array(items) => items.first().map(Self::from_value).unwrap_or_default(),
            Value::String(text) => Self {
                message: text.clone(),
                ..Self::default()
            },
            Value::Object(object) => {
                for field in ["error", "detail", "errors"] {
                    match object.get(field) {
                        Some(inner @ Value::Object(_)) => {
                            let mut words = Self::from_value(inner);
                            words.take_codes(value);
                            return words;
                        }
                        Some(Value::Array(items)) if !items.is_empty() => {
                            return Self::from_list(value, items);
                        }
                        Some(Value::String(text)) => {
                            let mut words = Self {
                                message: text.clone(),
                                ..Self::default()
                            };
                            words.take_codes(value);
                            return words;
                        }
                        _ => {}
                    }
                }
                Self::from_error(value)
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => Self::default(),
        }
    }

    /// Reads the error object itself.
    fn from_error(error: &Value) -> Self {
        let message = ["message", "msg", "title"]
            .iter()
            .find_map(|key| json::text(error, key));
        // OpenRouter wraps the words of the provider behind it.
        let inner = error.pointer("/metadata/raw").and_then(Value::as_str);
        let mut words = Self {
            message: [message, inner]
                .into_iter()
                .flatten()
                .collect::<Vec<_>>()
                .join(": "),
            failed_generation: json::text(error, "failed_generation").map(str::to_owned),
            retry_after_ms: error.get("details").and_then(retry_delay),
            ..Self::default()
        };
        words.take_codes(error);
        words
    }

    /// Reads a list of faults (FastAPI, pydantic).
    fn from_list(whole: &Value, items: &[Value]) -> Self {
        let mut words = Self::default();
        words.take_codes(whole);
        let mut messages = Vec::new();
        for item in items {
            let one = Self::from_value(item);
            messages.push(one.message);
            words.codes.extend(one.codes);
            words.fields.extend(one.fields);
        }
        words.message = messages.join("; ");
        words
    }

    fn take_codes(&mut self, error: &Value) {
        for field in ["code", "type", "status"] {
            match error.get(field) {
                Some(Value::String(code)) => self.codes.push(code.to_lowercase()),
                Some(Value::Number(code)) => {
                    let status = code.as_u64().and_then(|code| u16::try_from(code).ok());
                    self.status = status
                        .filter(|code| (400..600).contains(code))
                        .or(self.status);
                }
                _ => {}
            }
        }
        if let Some(field) = json::text(error, "param") {
            self.fields.push(field.to_owned());
        }
        let place = error
            .get("loc")
            .and_then(Value::as_array)
            .into_iter()
            .flatten();
        self.fields
            .extend(place.filter_map(Value::as_str).map(str::to_owned));
    }

    /// Tells whether a request field is named, as the cause or within the message.
    pub(crate) fn names(&self, field: &str) -> bool {
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        self.fields
            .iter()
            .any(|named| named.split(['.', '[']).next() == Some(field))
            || self
                .message
                .split(|c| !is_part(c))
                .any(|word| word == field)
    }

    /// Tells whether a field of a message is named, at the end of a path or within the message.
    pub(crate) fn mentions(&self, field: &str) -> bool {
        let is_last = |named: &String| named.rsplit(['.', ']']).next() == Some(field);
        self.names(field) || self.fields.iter().any(is_last)
    }

    /// Tells whether one of the codes is given.
    pub(crate) fn has_code(&self, codes: &[&str]) -> bool {
        self.codes.iter().any(|code| codes.contains(&code.as_str()))
    }

    /// Tells whether the message holds one of the phrases, which are in lower case.
    pub(crate) fn says(&self, phrases: &[&str]) -> bool {
        let message = self.message.to_lowercase();
        phrases.iter().any(|phrase| message.contains(phrase))
    }
}

/// Tells whether a body is a web page.
pub(crate) fn is_page(body: &str) -> bool {
    let start: String = body
        .trim_start()
        .chars()
        .take(15)
        .collect::<String>()
        .to_lowercase();
    start.starts_with("<!doctype") || start.starts_with("<html") || start.starts_with("<head")
}

fn title(page: &str) -> Option<String> {
    let (_, rest) = page.split_once("<title>")?;
    rest.split_once("</title>")
        .map(|(title, _)| title.trim().to_owned())
}

/// Reads `"retryDelay": "34.5s"` in a list of details.
fn retry_delay(details: &Value) -> Option<u64> {
    let delay = details
        .as_array()?
        .iter()
        .find_map(|detail| json::text(detail, "retryDelay"))?;
    crate::retry_after::seconds(delay.strip_suffix('s')?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shape_of_error_gives_its_words() {
        let page = "<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head></html>";
        for (body, message, codes) in [
            (
                r#"{"error": {"message": "m", "type": "T", "code": "c"}}"#,
                "m",
                vec!["c", "t"],
            ),
            (r#"{"error": {"message": "m", "code": 429}}"#, "m", vec![]),
            (
                r#"[{"error": {"message": "m", "code": 400, "status": "INVALID"}}]"#,
                "m",
                vec!["invalid"],
            ),
            (r#"{"error": "m"}"#, "m", vec![]),
            (r#"{"error": "m", "code": "c"}"#, "m", vec!["c"]),
            (r#"{"detail": "m"}"#, "m", vec![]),
            (
                r#"{"detail": [{"msg": "m", "type": "t"}, {"msg": "n"}]}"#,
                "m; n",
                vec!["t"],
            ),
            (
                r#"{"object": "error", "message": "m", "code": "c"}"#,
                "m",
                vec!["c"],
            ),
            (
                r#"{"type": "error", "error": {"message": "m"}}"#,
                "m",
                vec!["error"],
            ),
            (
                r#"{"error": {"message": "m", "metadata": {"raw": "n"}}}"#,
                "m: n",
                vec![],
            ),
            (r#"{"error": null}"#, "", vec![]),
            ("plain words\n", "plain words", vec![]),
            (page, "502 Bad Gateway", vec![]),
            ("", "", vec![]),
            ("[]", "", vec![]),
            ("17", "", vec![]),
        ] {
            let words = Words::read(body);
            assert_eq!(
                (words.message.as_str(), words.codes),
                (message, codes.iter().map(|&c| c.to_owned()).collect()),
                "{body}"
            );
        }
    }

    #[test]
    fn a_status_in_the_body_is_read() {
        assert_eq!(Words::read(r#"{"error": {"code": 429}}"#).status, Some(429));
        assert_eq!(Words::read(r#"{"error": {"code": 7}}"#).status, None);
    }

    #[test]
    fn a_delay_in_the_details_is_read() {
        let body = r#"{"error": {"details": [{}, {"retryDelay": "34.5s"}]}}"#;
        assert_eq!(Words::read(body).retry_after_ms, Some(34_500));
    }
}
