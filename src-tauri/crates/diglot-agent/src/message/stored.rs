//! How a message is read back: field by field, without a copy in between, since a long log is read whole. Owns the form in
//! which all roles are read alike.

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::{Asked, CallId, Message, RawMessage, ToolCall, ToolDetail, ToolResult, Usage};

/// Holds the fields of every kind of message. `R` is what is read of the provider's own message.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Stored<R> {
    role: Role,
    text: Option<String>,
    reasoning: Option<String>,
    tool_calls: Option<Vec<ToolCall>>,
    raw: Option<R>,
    usage: Option<Usage>,
    asked: Option<Box<Asked>>,
    call_id: Option<CallId>,
    content: Option<String>,
    detail: Option<ToolDetail>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Role {
    User,
    Assistant,
    Tool,
}

/// Reports a message without a field that its role has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a message has no `{0}`")]
pub(super) struct MissingField(&'static str);

impl<R> Stored<R> {
    fn message(self, raw: impl FnOnce(R) -> Option<RawMessage>) -> Result<Message, MissingField> {
        Ok(match self.role {
            Role::User => Message::User {
                text: self.text.ok_or(MissingField("text"))?,
            },
            Role::Assistant => Message::Assistant {
                text: self.text.ok_or(MissingField("text"))?,
                reasoning: self.reasoning,
                tool_calls: self.tool_calls.ok_or(MissingField("toolCalls"))?,
                raw: self.raw.and_then(raw),
                usage: self.usage.ok_or(MissingField("usage"))?,
                asked: self.asked,
            },
            Role::Tool => Message::Tool(ToolResult {
                call_id: self.call_id.ok_or(MissingField("callId"))?,
                content: self.content.ok_or(MissingField("content"))?,
                detail: self.detail.ok_or(MissingField("detail"))?,
            }),
        })
    }
}

impl TryFrom<Stored<RawMessage>> for Message {
    type Error = MissingField;

    fn try_from(stored: Stored<RawMessage>) -> Result<Self, MissingField> {
        stored.message(Some)
    }
}

/// Reads a message of a window that is over: the provider's own message is skipped.
#[derive(Debug, Deserialize)]
#[serde(try_from = "Stored<IgnoredAny>")]
pub(crate) struct Replayed(pub(crate) Message);

impl TryFrom<Stored<IgnoredAny>> for Replayed {
    type Error = MissingField;

    fn try_from(stored: Stored<IgnoredAny>) -> Result<Self, MissingField> {
        stored.message(|_| None).map(Self)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::entry::Entry;

    #[test]
    fn a_message_comes_back_as_it_was_stored() {
        let raw = RawMessage {
            provider: "a b".to_owned(),
            message: json!({"role": "assistant", "content": null, "x": [1, {"y": 2}]}),
        };
        let assistant = |raw| Message::Assistant {
            text: "Ich \"übersetze\".".to_owned(),
            reasoning: Some("Hm.".to_owned()),
            tool_calls: Vec::new(),
            raw,
            usage: Usage::default(),
            asked: Some(Box::new(Asked {
                model: "a b".to_owned(),
                manner: json!({"model": "b"}),
                instructions: "Be brief.".to_owned(),
                look_ahead: 4,
                tools: vec!["LS".to_owned()],
                n_halvings: 1,
                program: "1".to_owned(),
            })),
        };
        let result = ToolResult {
            call_id: CallId::from_text("000000001"),
            content: "Gone.".to_owned(),
            detail: ToolDetail::SetAside,
        };
        let text = "Go on.".to_owned();
        for message in [
            Message::User { text },
            assistant(Some(raw.clone())),
            assistant(None),
            Message::Tool(result),
        ] {
            let stored = serde_json::to_string(&message).unwrap();
            assert_eq!(serde_json::from_str::<Message>(&stored).unwrap(), message);
        }
        let entry = Entry::Message(assistant(Some(raw)));
        let stored = serde_json::to_string(&entry).unwrap();
        let replayed = Entry::replayed(&stored).unwrap();
        assert_eq!(replayed, Entry::Message(assistant(None)));
    }

    #[test]
    fn a_message_that_lacks_a_field_is_refused() {
        for text in [
            r#"{"role":"user"}"#,
            r#"{"role":"assistant","text":"","toolCalls":[]}"#,
            r#"{"role":"tool","content":"","callId":"a"}"#,
            r#"{"role":"system","text":""}"#,
            r#"{"text":""}"#,
        ] {
            assert!(serde_json::from_str::<Message>(text).is_err(), "{text}");
        }
    }
}
