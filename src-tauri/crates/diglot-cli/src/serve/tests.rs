//! Lines in, lines out, over a real application in a temporary folder.

use std::io;
use std::sync::{Mutex, PoisonError};

use diglot_testkit::{FakeServer, Fault, FolderFixture, Gate, Reply};
use serde_json::json;
use tokio::io::AsyncWriteExt;

use super::*;

/// Keeps what is written.
#[derive(Clone, Default)]
struct Kept(Arc<Mutex<Vec<u8>>>);

impl Kept {
    fn lines(&self) -> Vec<Value> {
        let bytes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let text = std::str::from_utf8(&bytes).unwrap();
        assert!(text.is_empty() || text.ends_with('\n'), "{text}");
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }
}

impl io::Write for Kept {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Answers the lines of `input` and returns the answers.
async fn answers(input: &[u8]) -> Vec<Value> {
    let folder = tempfile::tempdir().unwrap();
    let workbench = host::open(Some(folder.path()), |_| {}).unwrap();
    let kept = Kept::default();
    let output = Output::to(kept.clone());
    let mut commands = JoinSet::new();
    read(input, &workbench, &output, &mut commands).await;
    while commands.join_next().await.is_some() {}
    output.finish().await;
    workbench.close().await;
    kept.lines()
}

#[tokio::test(flavor = "multi_thread")]
async fn each_line_is_answered_by_its_id() {
    let input = b"{\"id\": 1, \"command\": \"session_list\", \"args\": {}}\n\
        \r\n\
        {\"id\": \"two\", \"command\": \"settings_view\"}";
    let answers = answers(input).await;
    assert_eq!(answers.len(), 2);
    let find = |id: Value| answers.iter().find(|answer| answer["id"] == id).unwrap();
    assert_eq!(find(json!(1))["ok"]["nTotal"], json!(0));
    assert_eq!(
        find(json!("two"))["ok"]["settings"]["translator"],
        json!("offline")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bad_line_is_answered_and_the_next_one_works() {
    for (line, id) in [
        (&b"nonsense"[..], Value::Null),
        (b"\xff\xfe", Value::Null),
        (b"[1, 2]", Value::Null),
        (b"{\"id\": 7}", json!(7)),
        (b"{\"id\": 8, \"command\": \"no_such_command\"}", json!(8)),
        (
            b"{\"id\": 9, \"command\": \"project_open\", \"args\": {\"path\": 1}}",
            json!(9),
        ),
    ] {
        let input = [line, b"\n{\"id\": 99, \"command\": \"app_view\"}\n"].concat();
        let answers = answers(&input).await;
        let bad = answers
            .iter()
            .find(|answer| answer.get("error").is_some())
            .unwrap();
        assert_eq!(bad["error"]["code"], json!("badRequest"), "{bad}");
        assert_eq!(bad["id"], id);
        assert!(
            answers
                .iter()
                .any(|answer| answer["id"] == 99 && answer.get("ok").is_some())
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_in_flight_can_be_stopped() {
    let folder = FolderFixture::new(&[("guide/a.md", "Fill the tank first.\n")]).unwrap();
    let gate = Gate::default();
    let held = gate.clone();
    let server =
        FakeServer::start(move |_| Reply::words("Too late.").fault(Fault::HoldUntil(held.clone())))
            .unwrap();
    let workbench = host::open(Some(&folder.at("data")), |_| {}).unwrap();
    let session = session(&workbench, &folder, &server).await;
    let (kept, mut commands) = (Kept::default(), JoinSet::new());
    let output = Output::to(kept.clone());
    let (mut writer, reader) = tokio::io::duplex(1024);
    let reading = read(BufReader::new(reader), &workbench, &output, &mut commands);
    let writing = async {
        let run = json!({"id": 1, "command": "session_run", "args": {"sessionId": session}});
        writer
            .write_all(format!("{run}\n").as_bytes())
            .await
            .unwrap();
        let arrived = tokio::task::spawn_blocking(move || (server.wait_for_requests(1), server));
        let (arrived, server) = arrived.await.unwrap();
        assert!(arrived);
        let stop = json!({"id": 2, "command": "session_stop", "args": {"sessionId": session}});
        writer
            .write_all(format!("{stop}\n").as_bytes())
            .await
            .unwrap();
        drop(writer);
        server
    };
    let ((), server) = tokio::join!(reading, writing);
    while commands.join_next().await.is_some() {}
    output.finish().await;
    gate.open();
    workbench.close().await;
    drop(server);
    let lines = kept.lines();
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(
        lines.iter().all(|line| line["ok"]["running"] == false),
        "{lines:?}"
    );
}

/// Makes a session that a model server works on.
async fn session(workbench: &Arc<Workbench>, folder: &FolderFixture, server: &FakeServer) -> i64 {
    let call = async |command: &str, args: Value| workbench.call(command, args).await.unwrap();
    let mut settings = call("settings_view", json!({})).await["settings"].clone();
    let provider =
        json!({"id": "p", "name": "P", "baseUrl": server.base_url(), "model": "test-model"});
    settings["providers"] = json!([provider]);
    settings["translator"] = json!("p");
    call("settings_update", json!({"settings": settings})).await;
    let project = call("project_open", json!({"path": folder.at("guide")})).await;
    let args = json!({"projectId": project["id"], "sourceLanguage": "en", "targetLanguage": "de"});
    call("session_create", args).await["session"]["id"]
        .as_i64()
        .unwrap()
}
