//! Which servers count and what they are called, on ports of the test's own.

use std::net::{Ipv4Addr, TcpListener};
use std::time::Instant;

use diglot_testkit::{FakeServer, Fault, Reply};
use serde_json::json;

use super::*;

fn list(owner: &str) -> Value {
    json!({"object": "list", "data": [{"id": "qwen", "owned_by": owner}, {"id": "gemma"}]})
}

/// Serves a list of models, and one more address.
fn serve(models: Reply, sign: Option<(&'static str, Value)>) -> FakeServer {
    FakeServer::start(move |request| match &sign {
        _ if request.path == "/v1/models" => models.clone(),
        Some((path, answer)) if request.path == *path => Reply::json(200, answer),
        _ => Reply::raw(404, "text/plain", "404 page not found"),
    })
    .unwrap()
}

fn spot(server: &FakeServer, program: &'static str, is_shared: bool) -> LocalPort {
    LocalPort::new(server.port(), program, is_shared)
}

async fn name(server: &FakeServer, program: &'static str, is_shared: bool) -> Option<String> {
    let found = find_local_on(&[spot(server, program, is_shared)]).await;
    found.into_iter().next().map(|server| server.name)
}

#[tokio::test]
async fn programs_are_told_by_their_own_signs() {
    let version = json!({"version": "0.9.1"});
    for (path, answer, owner, program) in [
        ("/api/version", version.clone(), "library", "Ollama"),
        ("/api/version", version.clone(), "me", "Ollama"),
        ("/version", version, "vllm", "vLLM"),
        (
            "/props",
            json!({"default_generation_settings": {}, "total_slots": 1}),
            "llamacpp",
            "llama.cpp",
        ),
        (
            "/api/v0/models",
            json!({"data": [{"id": "qwen", "compatibility_type": "gguf"}]}),
            "organization_owner",
            "LM Studio",
        ),
        (
            "/api/extra/version",
            json!({"result": "KoboldCpp", "version": "1.9"}),
            "koboldcpp",
            "KoboldCpp",
        ),
    ] {
        let server = serve(Reply::json(200, &list(owner)), Some((path, answer)));
        // On a port that is another's, and on one that many like.
        assert_eq!(
            name(&server, "Other", false).await.as_deref(),
            Some(program)
        );
        let bare = serve(Reply::json(200, &list(owner)), None);
        let by_owner = name(&bare, "Other", true).await;
        if owner != "me" {
            assert_eq!(by_owner.as_deref(), Some(program));
        }
    }
}

#[tokio::test]
async fn without_a_sign_the_port_tells_unless_many_like_it() {
    let server = serve(Reply::json(200, &list("me")), None);
    assert_eq!(
        name(&server, "LM Studio", false).await.unwrap(),
        "LM Studio"
    );
    let address = format!("localhost:{}", server.port());
    assert_eq!(name(&server, "vLLM", true).await, Some(address));
    // What runs inside Jan says that it is llama.cpp.
    let jan = serve(Reply::json(200, &list("llamacpp")), None);
    assert_eq!(name(&jan, JAN, false).await.as_deref(), Some(JAN));
}

#[tokio::test]
async fn only_what_lists_models_counts() {
    let ollama = serve(Reply::json(200, &list("library")), None);
    let empty = serve(Reply::json(200, &json!({"data": []})), None);
    let key = json!({"error": "key"});
    let jan = serve(Reply::json(401, &key), None);
    let others = [
        serve(Reply::raw(200, "text/html", "<html>hello</html>"), None),
        serve(Reply::json(200, &json!({"status": "ok"})), None),
        serve(Reply::json(401, &key), None),
        serve(Reply::json(500, &list("library")), None),
        serve(
            Reply::raw(302, "text/plain", "").header("location", "/login"),
            None,
        ),
        serve(
            Reply::raw(200, "application/json", " ".repeat(CAP + 1)),
            None,
        ),
        serve(Reply::words("").fault(Fault::Hang), None),
        serve(
            Reply::json(200, &list("library")).fault(Fault::CutAt(9)),
            None,
        ),
    ];
    let mut ports = vec![spot(&ollama, "LM Studio", false)];
    ports.extend(others.iter().map(|server| spot(server, "other", false)));
    ports.push(spot(&empty, "LM Studio", false));
    ports.push(spot(&jan, JAN, false));
    let server = |name: &str, server: &FakeServer, models: &[&str], wants_key| LocalServer {
        name: name.to_owned(),
        base_url: server.base_url(),
        models: models.iter().map(|&model| model.to_owned()).collect(),
        wants_key,
    };
    let expected = [
        server("Ollama", &ollama, &["qwen", "gemma"], false),
        server("LM Studio", &empty, &[], false),
        server(JAN, &jan, &[], true),
    ];
    assert_eq!(find_local_on(&ports).await, expected);
    let knock = &ollama.requests()[0];
    assert_eq!(
        (knock.method.as_str(), knock.path.as_str()),
        ("GET", "/v1/models")
    );
    assert_eq!(knock.header("authorization"), None);
    assert!(others.iter().all(|server| server.requests().len() == 1));
}

/// Three times the second that a knock may take, since machines that run tests are shared.
const PATIENCE: Duration = Duration::from_secs(3);

#[tokio::test]
async fn nobody_and_a_port_that_never_answers_are_given_up_at_once() {
    // Nobody accepts there, but the system takes the connection.
    let silent = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let port = silent.local_addr().unwrap().port();
    let gone = FakeServer::replies([]).unwrap().port();
    let server = serve(Reply::json(200, &list("library")), None);
    let ports = [
        LocalPort::new(port, "Ollama", false),
        LocalPort::new(gone, "Jan", false),
        spot(&server, "LM Studio", false),
    ];
    let start = Instant::now();
    assert_eq!(find_local_on(&ports).await.len(), 1);
    assert!(start.elapsed() < PATIENCE, "{:?}", start.elapsed());
    let start = Instant::now();
    let nobody = [LocalPort::new(gone, "Jan", false); 6];
    assert_eq!(find_local_on(&nobody).await, []);
    assert!(start.elapsed() < CONNECT * 3, "{:?}", start.elapsed());
}

#[test]
fn every_local_provider_of_the_list_is_looked_for() {
    let ports = LOCAL_PORTS.map(|spot| format!("http://127.0.0.1:{}/v1", spot.port));
    let listed = crate::profile::Profile::all().iter();
    let local: Vec<&str> = listed
        .filter(|profile| !profile.wants_key)
        .map(|profile| profile.base_url.as_ref())
        .collect();
    assert_eq!(local, ports);
}
