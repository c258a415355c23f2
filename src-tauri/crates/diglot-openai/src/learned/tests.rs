//! What is learnt from refusals, and what is not.

use serde_json::json;

use super::*;

fn learn(learned: &mut Learned, body: &Value, sent: &Value) -> bool {
    learned.adapt(&Words::read(&body.to_string()), sent, &Profile::CUSTOM)
}

#[test]
fn the_output_limit_is_renamed_once_and_then_left_out() {
    let mut learned = Learned::default();
    let body = json!({"error": {"message": "Unsupported parameter: 'max_tokens' is not supported \
        with this model. Use 'max_completion_tokens' instead.", "code": "unsupported_parameter"}});
    assert!(learn(&mut learned, &body, &json!({"max_tokens": 9})));
    assert_eq!(
        learned.limit_key(&Profile::CUSTOM),
        LimitKey::MaxCompletionTokens
    );
    let sent = json!({"max_completion_tokens": 9});
    assert!(learn(&mut learned, &body, &sent));
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

#[test]
fn fields_of_messages_are_dropped_or_added_as_the_words_say() {
    let sent = json!({"messages": [
        {"role": "user", "content": "u"},
        {"role": "assistant", "content": "", "reasoning_content": "Hm", "tool_calls": []}
    ]});
    let plain = json!({"messages": [{"role": "assistant", "content": "", "tool_calls": []}]});
    let forbidden = json!({"detail": [{"type": "extra_forbidden", "msg": "Extra inputs are not permitted",
        "loc": ["body", "messages", 1, "assistant", "reasoning_content"]}]});
    let unsupported = json!({"error": {"message":
        "'messages.1' : for 'role:assistant' the following must be satisfied[('messages.1' : property 'reasoning_content' is unsupported)]"}});
    let wanted = json!({"error": {"message":
        "Missing `reasoning_content` field in the assistant message at message index 1."}});
    let thinking = json!({"error": {"message":
        "thinking is enabled but reasoning_content is missing in assistant tool call message"}});
    let other = json!({"error": {"message": "messages: unknown role"}});
    for (body, sent, dropped, wants) in [
        (&forbidden, &sent, true, false),
        (&unsupported, &sent, true, false),
        (&forbidden, &plain, false, false),
        (&wanted, &plain, false, true),
        (&thinking, &sent, false, true),
        (&other, &sent, false, false),
    ] {
        let mut learned = Learned::default();
        assert_eq!(learn(&mut learned, body, sent), dropped || wants, "{body}");
        assert_eq!(
            (
                !learned.sends(Parameter::OwnFields),
                learned.wants_reasoning
            ),
            (dropped, wants),
            "{body}"
        );
        assert!(!learn(&mut learned, body, sent), "twice: {body}");
    }
}
