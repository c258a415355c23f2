//! P31: in a network namespace without a way out, everything works but asking a remote model, and that says so. Owns the
//! course of the work; Linux only, where `unshare` may make such a namespace.

use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use diglot_testkit::Promise;
use serde_json::{Value, json};

use super::Bench;
use super::place::Place;
use super::served::{NoAnswer, Served};

const GOAL: &str = "all of it but drafting by a remote model, which says so within 10 s";
/// Limit on connecting (SPEC 10.9).
const CONNECT: Duration = Duration::from_secs(10);
/// Documents in the order in which they are read; the second repeats what the first says, so that the embedded model
/// has something to draft it from.
const DOCUMENTS: [(&str, &str); 2] = [
    (
        "doors.txt",
        "Open the door.\n\nClose the window.\n\nWait.\n",
    ),
    ("more.txt", "Open the door.\n"),
];
/// Addresses that only a network leads to: a name, and a number that is kept for documentation.
const REMOTE: [&str; 2] = ["https://api.example.com/v1", "https://192.0.2.1/v1"];

/// Works through a session without a network, and through another one after a restart.
pub(super) fn run(bench: &Bench) -> Result<Vec<Promise>> {
    let Some(options) = ["-n", "-rn"]
        .into_iter()
        .find(|options| can_unshare(options))
    else {
        let figure = "passed over: no unshare";
        return Ok(vec![Promise::new(31, true, figure, GOAL)]);
    };
    let place = Place::new()?;
    for (name, text) in DOCUMENTS {
        fs::write(place.project().join(name), text)?;
    }
    let start = || {
        let mut command = Command::new("unshare");
        command.arg(options).arg(&bench.cli);
        command.args(["serve", "--data"]).arg(place.data());
        command.stderr(Stdio::null());
        Served::run(command)
    };
    let mut work = Work {
        served: start()?,
        n_done: 0,
        faults: Vec::new(),
    };
    let project = work.call("project_open", &json!({"path": place.project()}))?;
    let german = work.review(&project, &place)?;
    let french = work.begin(&project, "fr")?;
    work.looks(&[german, french])?;
    work.refusals(french)?;
    work.served.end()?;
    work.served = start()?;
    work.looks(&[french, german])?;
    let drafted = work.call("session_run", &json!({"sessionId": french}))?;
    work.check("drafts again", proposal(&drafted).is_some());
    work.served.end()?;
    Ok(vec![Promise::new(
        31,
        work.faults.is_empty(),
        format!(
            "{} things done without a network, {} failed {:?}",
            work.n_done,
            work.faults.len(),
            work.faults
        ),
        GOAL,
    )])
}

fn can_unshare(options: &str) -> bool {
    let tried = Command::new("unshare")
        .args([options, "true"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    tried.is_ok_and(|status| status.success())
}

struct Work {
    served: Served,
    n_done: usize,
    faults: Vec<String>,
}

impl Work {
    /// Gives a command that must work.
    fn call(&mut self, command: &str, args: &Value) -> Result<Value> {
        self.n_done += 1;
        match self.served.call(command, args)? {
            Ok(answer) => Ok(answer),
            Err(NoAnswer::Refused { code, detail }) => {
                self.faults.push(format!("{command}: {code}, {detail}"));
                Ok(Value::Null)
            }
            Err(gone @ NoAnswer::Gone) => Err(gone.into()),
        }
    }

    fn check(&mut self, what: &str, is_right: bool) {
        self.n_done += 1;
        if !is_right {
            self.faults.push(what.to_owned());
        }
    }

    fn begin(&mut self, project: &Value, language: &str) -> Result<i64> {
        let args = json!({
            "projectId": project.get("id"),
            "sourceLanguage": "en",
            "targetLanguage": language,
        });
        let view = self.call("session_create", &args)?;
        let id = view.pointer("/session/id").and_then(Value::as_i64);
        id.context("a session without an id")
    }

    /// Confirms the documents, by hand and from a draft, changes a unit, and sees the target written.
    fn review(&mut self, project: &Value, place: &Place) -> Result<i64> {
        let session = self.begin(project, "de")?;
        let run = json!({"sessionId": session});
        let mut view = self.call("session_run", &run)?;
        let mut n_drafts = 0;
        while let Some((call_id, target)) = proposal(&view) {
            let decision = if target.is_empty() {
                json!({"kind": "refine", "target": "Öffne die Tür."})
            } else {
                n_drafts += 1;
                json!({"kind": "approve", "despiteIssues": true})
            };
            let args = json!({"sessionId": session, "callId": call_id, "decision": decision});
            view = self.call("session_respond", &args)?;
            if proposal(&view).is_none() {
                view = self.call("session_run", &run)?;
            }
        }
        self.check("the embedded model drafts a repeat", n_drafts > 0);
        self.served.wait_for_targets(0)?;
        let revised = json!({"sessionId": session, "path": "doors.txt", "unit": 2, "target": "Schließe das Fenster."});
        self.call("unit_revise", &revised)?;
        let is_written = |work: &mut Self| -> Result<bool> {
            let mut n_written = 1;
            loop {
                let target = place.target("doors.txt").unwrap_or_default();
                if String::from_utf8_lossy(&target).contains("Fenster") {
                    return Ok(true);
                }
                if !work.served.wait_for_targets(n_written)? {
                    return Ok(false);
                }
                n_written += 1;
            }
        };
        let is_written = is_written(self)?;
        self.check("the target is written", is_written);
        Ok(session)
    }

    /// Looks at everything that there is, and searches.
    fn looks(&mut self, sessions: &[i64]) -> Result<()> {
        for command in [
            "app_view",
            "settings_view",
            "pack_list",
            "provider_find_local",
        ] {
            self.call(command, &json!({}))?;
        }
        let listed = self.call("session_list", &json!({"query": "door"}))?;
        let n_found = listed.get("nTotal").and_then(Value::as_u64);
        self.check("a search finds the sessions", n_found >= Some(1));
        for session in sessions {
            let args = json!({"sessionId": session});
            for command in ["session_view", "session_check", "memory_list"] {
                self.call(command, &args)?;
            }
            let args = json!({"sessionId": session, "path": "doors.txt"});
            let document = self.call("document_view", &args)?;
            let n_units = document.get("nUnits").and_then(Value::as_u64);
            self.check("a document is shown", n_units == Some(3));
        }
        Ok(())
    }

    /// Asks models that cannot be reached, then the embedded one.
    fn refusals(&mut self, session: i64) -> Result<()> {
        for address in REMOTE {
            self.use_model(address, "far")?;
            let started = Instant::now();
            let view = self.call("session_run", &json!({"sessionId": session}))?;
            let error = view.pointer("/attempt/error");
            let is_told =
                error.and_then(|error| error.get("code")) == Some(&json!("modelUnreachable"));
            let elapsed = started.elapsed();
            self.check(&format!("{address} says: {error:?}"), is_told);
            self.check(&format!("{address} took {elapsed:?}"), elapsed < CONNECT);
        }
        self.use_model("https://api.example.com/v1", "offline")?;
        let view = self.call("session_run", &json!({"sessionId": session}))?;
        self.check("the embedded model takes over", proposal(&view).is_some());
        Ok(())
    }

    fn use_model(&mut self, address: &str, translator: &str) -> Result<()> {
        let provider = json!({"id": "far", "name": "Far", "baseUrl": address, "model": "m"});
        let settings = json!({"providers": [provider], "translator": translator});
        self.call("settings_update", &json!({"settings": settings}))?;
        Ok(())
    }
}

/// Returns the first draft that waits, with its text.
fn proposal(view: &Value) -> Option<(String, String)> {
    let requests = view.get("requests")?.as_array()?;
    let draft = requests
        .iter()
        .find(|request| request.get("kind") == Some(&json!("translate")))?;
    let text = |name| draft.get(name).and_then(Value::as_str).map(str::to_owned);
    Some((text("callId")?, text("target")?))
}
