//! Scripts played request by request.

use serde_json::json;

use super::*;

fn request(tools: bool) -> Recorded {
    let mut body = json!({"messages": [{"role": "user", "content": "u"}]});
    if tools {
        body["tools"] = json!([{}]);
    }
    Recorded {
        method: "POST".into(),
        path: "/v1/chat/completions".into(),
        headers: Vec::new(),
        body,
        text: String::new(),
        n_bytes: 0,
        at: std::time::Instant::now(),
    }
}

fn script(after: &str) -> Script {
    let text = json!({
        "schema": "diglot-model-script/1",
        "target_language": "de",
        "document": "doc.md",
        "turns": [
            {"status": 429, "headers": {"retry-after": "2"}, "json": {"path": "{{ROOT}}/a"}},
            {"status": 200, "headers": {"content-type": "text/event-stream"}, "sse": ["a", "b"]},
            {"status": 502, "raw": "<html>"}
        ],
        "memory_turns": [{"status": 200, "json": 7}],
        "human": [{"decision": "approve"}, {"decision": "refine", "text": "t"},
                  {"decision": "reject", "reason": "r"}, {"decision": "restart_then_approve"}],
        "after": after
    });
    Script::read(&text.to_string()).unwrap()
}

fn body(reply: &Reply) -> String {
    String::from_utf8(reply.body.clone()).unwrap()
}

#[test]
fn turns_and_memory_turns_are_told_apart() {
    let mut player = Player::new(script("stop"));
    let first = player.reply(&request(true));
    assert_eq!(
        (first.status, body(&first)),
        (429, r#"{"path":"a"}"#.to_owned())
    );
    assert!(first.headers.contains(&("retry-after".into(), "2".into())));
    assert_eq!(body(&player.reply(&request(false))), "7");
    assert_eq!(body(&player.reply(&request(true))), "a\n\nb\n\n");
    assert_eq!(body(&player.reply(&request(true))), "<html>");
    assert!(body(&player.reply(&request(true))).contains("That is all."));
    assert!(body(&player.reply(&request(false))).contains("ops"));
}

#[test]
fn afterwards_the_model_cooperates() {
    let mut player = Player::new(script("cooperate"));
    for _ in 0..3 {
        player.reply(&request(true));
    }
    let reply = body(&player.reply(&request(true)));
    assert!(
        reply.contains("\"name\":\"Read\"") && reply.contains("doc.md"),
        "{reply}"
    );
}

#[test]
fn decisions_are_read_and_other_versions_refused() {
    assert_eq!(script("stop").human[1], Human::Refine { text: "t".into() });
    let other = r#"{"schema": "diglot-model-script/2", "target_language": "de"}"#;
    assert!(matches!(Script::read(other), Err(ScriptError::Schema(_))));
}
