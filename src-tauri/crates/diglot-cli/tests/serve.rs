//! The program as another program uses it: lines in, lines out, killed in the middle of its work.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use diglot_testkit::FolderFixture;
use serde_json::{Value, json};

/// Holds a running `diglot-cli serve`; killed when dropped.
struct Served {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    n_sent: u64,
}

impl Served {
    fn start(data: &Path) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_diglot-cli"))
            .args(["serve", "--data"])
            .arg(data)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let input = child.stdin.take().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        Self {
            child,
            input,
            output,
            n_sent: 0,
        }
    }

    fn send(&mut self, command: &str, args: &Value) -> u64 {
        self.n_sent += 1;
        let line = json!({"id": self.n_sent, "command": command, "args": args});
        writeln!(self.input, "{line}").unwrap();
        self.n_sent
    }

    /// Sends a command and waits for its answer; events in between are passed over.
    fn call(&mut self, command: &str, args: &Value) -> Value {
        let id = self.send(command, args);
        let mut line = String::new();
        loop {
            line.clear();
            assert_ne!(
                self.output.read_line(&mut line).unwrap(),
                0,
                "the program ended"
            );
            let message: Value = serde_json::from_str(&line).unwrap();
            if message["id"] == id {
                assert!(message.get("error").is_none(), "{command}: {message}");
                return message["ok"].clone();
            }
        }
    }

    /// Opens the folder and its session.
    fn session(&mut self, folder: &Path) -> Value {
        let project = self.call("project_open", &json!({"path": folder}));
        let args =
            json!({"projectId": project["id"], "sourceLanguage": "en", "targetLanguage": "de"});
        self.call("session_create", &args)["session"]["id"].clone()
    }

    /// Returns the drafts that wait, after letting the agent go on where none does.
    fn drafts(&mut self, session: &Value) -> Vec<Value> {
        let args = json!({"sessionId": session});
        let mut view = self.call("session_view", &args);
        if view["requests"].as_array().unwrap().is_empty() {
            view = self.call("session_run", &args);
            view = if view["requests"].is_array() {
                view
            } else {
                self.call("session_view", &args)
            };
        }
        view["requests"].as_array().unwrap().clone()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // SIGKILL on Unix: nothing is closed in order.
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

fn refine(session: &Value, draft: &Value, target: &str) -> Value {
    let decision = json!({"kind": "refine", "target": target});
    json!({"sessionId": session, "callId": draft["callId"], "decision": decision})
}

/// Kills the program right after a decision was sent whose answer nobody waits for, again and again.
#[test]
fn what_was_acknowledged_survives_every_kill() {
    const KILLS: usize = 20;
    let paragraphs: Vec<String> = (0..60).map(|n| format!("Paragraph number {n}.")).collect();
    let project = FolderFixture::new(&[("text.txt", paragraphs.join("\n\n"))]).unwrap();
    let data = tempfile::tempdir().unwrap();
    let mut acknowledged: BTreeMap<u64, String> = BTreeMap::new();
    for round in 0..KILLS {
        let mut served = Served::start(data.path());
        let session = served.session(project.path());
        for draft in served.drafts(&session).iter().take(1 + round % 3) {
            let target = format!("Satz {} aus Runde {round}.", draft["unit"]);
            served.call("session_respond", &refine(&session, draft, &target));
            acknowledged.insert(draft["unit"].as_u64().unwrap(), target);
        }
        if let Some(draft) = served.drafts(&session).first() {
            served.send("session_respond", &refine(&session, draft, "Ungehört."));
        }
    }
    let mut served = Served::start(data.path());
    let session = served.session(project.path());
    let args = json!({"sessionId": session, "path": "text.txt", "limit": 1000});
    let document = served.call("document_view", &args);
    let kept: BTreeMap<u64, String> = document["units"]
        .as_array()
        .unwrap()
        .iter()
        .map(|unit| {
            (
                unit["unit"].as_u64().unwrap(),
                unit["target"].as_str().unwrap_or("").to_owned(),
            )
        })
        .filter(|(unit, _)| acknowledged.contains_key(unit))
        .collect();
    assert!(acknowledged.len() >= KILLS, "{acknowledged:?}");
    assert_eq!(kept, acknowledged);
}
