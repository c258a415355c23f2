//! The server itself, talked to by plain sockets.

use std::io::{Read, Write};

use super::*;
use crate::reply::Fault;

fn post(server: &FakeServer, body: &Value) -> String {
    let mut stream = TcpStream::connect(server.port.address).unwrap();
    let body = body.to_string();
    let head = "POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nX-Test: Yes\r\n";
    write!(stream, "{head}Content-Length: {}\r\n\r\n{body}", body.len()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

fn question() -> Value {
    json!({"messages": [{"role": "user", "content": "u"}], "tools": []})
}

#[test]
fn replies_come_in_order_and_requests_are_kept() {
    let server = FakeServer::replies([
        Reply::words("one"),
        Reply::raw(429, "text/html", "<html>").header("retry-after", "2"),
    ])
    .unwrap();
    assert!(post(&server, &question()).contains("\"content\":\"one\""));
    let second = post(&server, &question());
    assert!(
        second.starts_with("HTTP/1.1 429") && second.contains("retry-after: 2\r\n"),
        "{second}"
    );
    assert!(post(&server, &question()).starts_with("HTTP/1.1 500"));
    let requests = server.chats();
    assert_eq!(requests.len(), 3);
    assert_eq!(requests[0].header("x-test"), Some("Yes"));
    assert_eq!(requests[0].body, question());
}

#[test]
fn a_torn_conversation_is_refused_and_kept() {
    let server = FakeServer::replies([Reply::words("never")]).unwrap();
    let torn = json!({"messages": [{"role": "assistant", "content": "", "tool_calls": [
        {"id": "1", "type": "function", "function": {"name": "LS", "arguments": "{}"}}]}]});
    assert!(post(&server, &torn).starts_with("HTTP/1.1 400"));
    assert_eq!(server.violations().len(), 1);
}

#[test]
fn a_held_reply_waits_for_its_gate() {
    let gate = crate::Gate::new();
    let reply = Reply::words("held").fault(Fault::HoldUntil(gate.clone()));
    let server = FakeServer::replies([reply]).unwrap();
    thread::scope(|scope| {
        let answer = scope.spawn(|| post(&server, &question()));
        assert!(server.wait_for_requests(1));
        assert!(!answer.is_finished());
        gate.open();
        assert!(answer.join().unwrap().contains("held"));
    });
}

#[test]
fn a_client_that_leaves_is_noticed() {
    let server = FakeServer::replies([Reply::words("").fault(Fault::Hang)]).unwrap();
    let mut stream = TcpStream::connect(server.port.address).unwrap();
    let body = question().to_string();
    write!(
        stream,
        "POST /v1/chat/completions HTTP/1.1\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .unwrap();
    assert!(server.wait_for_requests(1));
    drop(stream);
    assert!(server.wait_for_disconnect());
}
