//! Streams of every kind, joined.

use super::*;

fn join(stream: &str) -> Result<Value, Failure> {
    super::join(stream, End::Closed)
}

fn stream(deltas: &[Value], finish: &str) -> String {
    let mut lines: Vec<String> = deltas
        .iter()
        .map(|delta| json!({"choices": [{"delta": delta, "finish_reason": null}]}))
        .map(|chunk| format!("data: {chunk}\n\n"))
        .collect();
    let end = json!({"choices": [{"delta": {}, "finish_reason": finish}]});
    lines.push(format!("data: {end}\n\ndata: [DONE] \n\n"));
    lines.concat()
}

fn piece(index: Option<u64>, id: Option<&str>, name: Option<&str>, arguments: &str) -> Value {
    let mut call = json!({"function": {"arguments": arguments}});
    if let Some(index) = index {
        call["index"] = json!(index);
    }
    if let Some(id) = id {
        call["id"] = json!(id);
    }
    if let Some(name) = name {
        call["function"]["name"] = json!(name);
    }
    json!({"tool_calls": [call]})
}

fn calls(deltas: &[Value]) -> Vec<(String, String)> {
    let value = join(&stream(deltas, "tool_calls")).unwrap();
    let calls = value
        .pointer("/choices/0/message/tool_calls")
        .unwrap()
        .as_array()
        .unwrap();
    let text = |call: &Value, at: &str| call.pointer(at).unwrap().as_str().unwrap().to_owned();
    calls
        .iter()
        .map(|call| {
            (
                text(call, "/function/name"),
                text(call, "/function/arguments"),
            )
        })
        .collect()
}

#[test]
fn calls_are_put_together_from_any_pieces() {
    let one = vec![("A".to_owned(), "{\"x\":1}".to_owned())];
    let two = vec![
        ("A".to_owned(), "{}".to_owned()),
        ("B".to_owned(), "{\"y\":2}".to_owned()),
    ];
    for (deltas, expected) in [
        // Without any index.
        (
            vec![
                piece(None, Some("c1"), Some("A"), ""),
                piece(None, None, None, "{\"x\":"),
                piece(None, None, None, "1}"),
            ],
            &one,
        ),
        // Arguments before id and name.
        (
            vec![
                piece(Some(0), None, None, "{\"x\""),
                piece(Some(0), Some("c1"), Some("A"), ":1}"),
            ],
            &one,
        ),
        // Two ids under one index, the second one's rest under another, and a function that is null.
        (
            vec![
                piece(Some(0), Some("c1"), Some("A"), "{}"),
                piece(Some(0), Some("c2"), Some("B"), "{\"y\""),
                piece(Some(1), None, None, ":2}"),
                json!({"tool_calls": [{"index": 1, "function": null}]}),
            ],
            &two,
        ),
        // As it should be.
        (
            vec![
                piece(Some(0), Some("c1"), Some("A"), "{}"),
                piece(Some(1), Some("c2"), Some("B"), "{\"y\":2}"),
            ],
            &two,
        ),
    ] {
        assert_eq!(&calls(&deltas), expected, "{deltas:?}");
    }
}

#[test]
fn odd_chunks_do_no_harm() {
    let text = ": waiting\n\nevent: ping\ndata: {}\n\n\
        data: {\"choices\": [{\"delta\": {\"content\": \"F\u{fc}l\"}, \"finish_reason\": \"\"}]}\r\n\r\n\
        data: {\"choices\": [], \"usage\": {}}\n\n\
        data: {\"choices\": [{\"delta\": {\"content\": \"len\"}, \"finish_reason\": \"stop\"}]}\n\n\
        data: {\"choices\": [], \"usage\": {\"prompt_tokens\": 3}}\n\n";
    let expected = json!({
        "choices": [{
            "index": 0,
            "message": {"content": "Füllen", "role": "assistant"},
            "finish_reason": "stop"
        }],
        "usage": {"prompt_tokens": 3}
    });
    assert_eq!(join(text).unwrap(), expected);
}

#[test]
fn a_reason_beside_a_call_ends_a_stream_whose_end_is_marked() {
    let delta = piece(Some(0), Some("c1"), Some("A"), "{}");
    let chunk = json!({"choices": [{"delta": delta, "finish_reason": "tool_calls"}]});
    let text = format!("data: {chunk}\n\n");
    assert!(super::join(&text, End::Marked).is_ok());
    assert!(matches!(join(&text), Err(Failure::Broken(_))));
    assert!(join(&format!("{text}data: [DONE]\n\n")).is_ok());
}

#[test]
fn a_damaged_chunk_is_a_failure_and_other_words_are_not() {
    let end = "data: {\"choices\": [{\"delta\": {}, \"finish_reason\": \"stop\"}]}\n\n";
    assert!(join(&format!("data: waiting\n\n{end}")).is_ok());
    let damaged = join(&format!("data: {{\"choices\": [\n\n{end}"));
    assert!(matches!(damaged, Err(Failure::Broken(_))));
}

#[test]
fn half_a_stream_is_a_failure_and_an_error_in_it_comes_through() {
    let half = "data: {\"choices\": [{\"delta\": {\"content\": \"Half\"}}]}\n\n";
    assert!(matches!(join(half), Err(Failure::Broken(_))));
    let error = format!("{half}data: {{\"error\": {{\"message\": \"m\"}}}}\n\n");
    assert_eq!(join(&error).unwrap(), json!({"error": {"message": "m"}}));
}
