//! Which servers count, on ports of the test's own.

use diglot_testkit::{FakeServer, Fault, Reply};
use serde_json::json;

use super::*;

#[tokio::test]
async fn only_what_lists_models_counts() {
    let serve = |reply: Reply| FakeServer::start(move |_| reply.clone()).unwrap();
    let ollama = serve(Reply::json(
        200,
        &json!({"object": "list", "data": [{"id": "qwen", "owned_by": "library"}, {"id": "gemma"}]}),
    ));
    let empty = serve(Reply::json(200, &json!({"data": []})));
    let others = [
        serve(Reply::raw(200, "text/html", "<html>hello</html>")),
        serve(Reply::json(200, &json!({"status": "ok"}))),
        serve(Reply::json(401, &json!({"error": "key"}))),
        serve(Reply::words("").fault(Fault::Hang)),
    ];
    let gone = FakeServer::replies([]).unwrap().port();
    let mut ports = vec![(ollama.port(), "LM Studio"), (gone, "Jan")];
    ports.extend(others.iter().map(|server| (server.port(), "other")));
    ports.push((empty.port(), "LM Studio"));
    let found = find_local_on(&ports).await;
    let expected = [
        LocalServer {
            name: "Ollama".into(),
            base_url: ollama.base_url(),
            models: vec!["qwen".into(), "gemma".into()],
        },
        LocalServer {
            name: "LM Studio".into(),
            base_url: empty.base_url(),
            models: Vec::new(),
        },
    ];
    assert_eq!(found, expected);
    let knock = &ollama.requests()[0];
    assert_eq!(
        (knock.method.as_str(), knock.path.as_str()),
        ("GET", "/v1/models")
    );
    assert_eq!(knock.header("authorization"), None);
}
