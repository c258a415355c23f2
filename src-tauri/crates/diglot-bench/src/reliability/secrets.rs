//! P24, P25, P26: where a key and the text of a document end up, with a keychain and without. Owns the canaries and the
//! places that are searched.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Context, Result};
use base64::Engine as _;
use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE};
use diglot_testkit::{Cooperation, FakeServer, Fault, Promise, Recorded, Reply};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::served::Served;
use super::{Bench, provider};
use crate::roundtrip;

/// A key as providers give them, with characters that look other in an address.
const KEY: &str = "sk-canary/9f+30c1d7==x";
/// A sentence that stands in no other file of the world.
const SENTENCE: &str = "Seven herons canary wade at dusk";
const SOURCE: &str = "The second sentence is plain.";
const DOCUMENT: &str = "guide.md";

/// Which keychain the program finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Keychain {
    /// No bus at all.
    NoBus,
    /// A bus on which no keychain answers.
    NoService,
    /// One that is open.
    Open,
}

/// Holds what a job left behind.
struct Job {
    root: TempDir,
    answers: Vec<String>,
    n_with_key: usize,
    state: Value,
    after_restart: Value,
}

/// Runs the same job at several levels of logging and with several keychains.
pub(super) fn run(bench: &Bench) -> Result<Vec<Promise>> {
    let mut key_hits = Vec::new();
    let mut n_searched = 0;
    let mut text_hits = Vec::new();
    for level in ["", "debug", "trace"] {
        let job = Job::run(bench, Keychain::NoBus, level)?;
        let places = job.places()?;
        n_searched += places.len();
        for (place, bytes) in &places {
            for form in disguises(KEY) {
                if holds(bytes, &form) {
                    key_hits.push(format!("`{form}` in {place} at level `{level}`"));
                }
            }
            let is_log = place.starts_with("log");
            if is_log && level != "trace" && (holds(bytes, SENTENCE) || holds(bytes, SOURCE)) {
                text_hits.push(format!("a sentence in {place} at level `{level}`"));
            }
        }
        if job.n_with_key == 0 {
            key_hits.push("no request carried the key, so nothing was tried".to_owned());
        }
    }
    let first = |hits: &[String]| hits.first().map_or(String::new(), |hit| format!("; {hit}"));
    let in_places = format!("{n_searched} places, {} forms", disguises(KEY).len());
    Ok(vec![
        Promise::new(
            24,
            key_hits.is_empty(),
            format!("{in_places}: {} hits{}", key_hits.len(), first(&key_hits)),
            "0 hits",
        ),
        Promise::new(
            25,
            text_hits.is_empty(),
            format!(
                "usual and debug level: {} hits{}",
                text_hits.len(),
                first(&text_hits)
            ),
            "0 hits",
        ),
        keychains(bench)?,
    ])
}

/// Tells what became of the key with each keychain.
fn keychains(bench: &Bench) -> Result<Promise> {
    let mut seen = Vec::new();
    let mut is_held = true;
    for (keychain, name, kept, later) in [
        (Keychain::NoBus, "no bus", "session", "none"),
        (Keychain::NoService, "no service", "session", "none"),
        (Keychain::Open, "open", "keychain", "keychain"),
    ] {
        if !keychain.is_here() {
            seen.push(format!("{name}: passed over"));
            continue;
        }
        let job = Job::run(bench, keychain, "")?;
        let (state, after) = (text(&job.state), text(&job.after_restart));
        let works = job.n_with_key > 0 && state == kept && after == later;
        is_held &= works;
        seen.push(format!("{name}: kept in {state}, after a restart {after}"));
    }
    Ok(Promise::new(
        26,
        is_held,
        seen.join("; "),
        "works for the session at least",
    ))
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or("nothing")
}

impl Keychain {
    fn is_here(self) -> bool {
        let has = |program: &str| {
            let found = Command::new(program)
                .arg("--version")
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .status();
            found.is_ok_and(|status| status.success())
        };
        match self {
            Self::NoBus => true,
            Self::NoService => has("dbus-run-session"),
            Self::Open => has("dbus-run-session") && has("gnome-keyring-daemon"),
        }
    }

    /// Returns a command that runs the program in this surrounding; `home` keeps its keys.
    fn around(self, cli: &Path, home: &Path) -> Command {
        const UNLOCK: &str = "printf x | gnome-keyring-daemon --unlock --components=secrets >/dev/null && exec \"$0\" \"$@\"";
        let mut command = match self {
            Self::NoBus => Command::new(cli),
            Self::NoService | Self::Open => Command::new("dbus-run-session"),
        };
        command
            .env_remove("DBUS_SESSION_BUS_ADDRESS")
            .env_remove("DIGLOT_API_KEY")
            .env("HOME", home)
            .env("XDG_DATA_HOME", home.join("share"))
            .env("XDG_RUNTIME_DIR", home);
        match self {
            Self::NoBus => {}
            Self::NoService => {
                command
                    .env("XDG_DATA_DIRS", home)
                    .args([Path::new("--"), cli]);
            }
            Self::Open => {
                command.args(["--", "sh", "-c", UNLOCK]).arg(cli);
            }
        }
        command
    }
}

impl Job {
    /// Meets every kind of refusal, drafts, decides, and starts once more.
    fn run(bench: &Bench, keychain: Keychain, level: &str) -> Result<Self> {
        let root = tempfile::tempdir()?;
        let project = root.path().join("project");
        fs::create_dir_all(&project)?;
        fs::create_dir_all(root.path().join("home"))?;
        fs::write(
            project.join(DOCUMENT),
            format!("# {SENTENCE}\n\n{SOURCE}\n\nThird.\n"),
        )?;
        let server = FakeServer::start(refusing())?;
        let mut job = Self {
            root,
            answers: Vec::new(),
            n_with_key: 0,
            state: Value::Null,
            after_restart: Value::Null,
        };
        let mut served = job.start(bench, keychain, level)?;
        job.call(
            &mut served,
            "settings_update",
            &json!({ "settings": provider(&server.base_url()) }),
        )?;
        let key = json!({ "providerId": "loopback", "key": KEY });
        served
            .call("provider_set_key", &key)?
            .context("provider_set_key")?;
        job.state = job.key_state(&mut served)?;
        let check = provider(&server.base_url())
            .pointer("/providers/0")
            .cloned();
        job.call(&mut served, "provider_check", &json!({ "provider": check }))?;
        let project = job.call(&mut served, "project_open", &json!({ "path": project }))?;
        let session = json!({ "projectId": project.get("id"), "sourceLanguage": "en", "targetLanguage": "de" });
        let session = job.call(&mut served, "session_create", &session)?;
        let session = json!({ "sessionId": session.pointer("/session/id") });
        for _ in 0..REFUSALS.len() + 2 {
            job.call(&mut served, "session_run", &session)?;
        }
        job.decide(&mut served, &session)?;
        served.end()?;
        let requests = server.requests();
        let with_key = |request: &&Recorded| {
            request
                .header("authorization")
                .is_some_and(|value| value.contains(KEY))
        };
        job.n_with_key = requests.iter().filter(with_key).count();
        job.answers
            .extend(requests.iter().map(|request| request.body.to_string()));
        let mut served = job.start(bench, keychain, level)?;
        job.after_restart = job.key_state(&mut served)?;
        served.end()?;
        Ok(job)
    }

    fn start(&self, bench: &Bench, keychain: Keychain, level: &str) -> Result<Served> {
        let log = fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(self.root.path().join("log"))?;
        let mut command = keychain.around(&bench.cli, &self.root.path().join("home"));
        command
            .args(["serve", "--data"])
            .arg(self.root.path().join("data"))
            .env("DIGLOT_LOG", level)
            .stderr(log);
        Served::run(command)
    }

    /// Calls a command; a refusal is an answer as good as any, and is searched as well.
    fn call(&mut self, served: &mut Served, command: &str, args: &Value) -> Result<Value> {
        let answer = served.call(command, args)?;
        self.answers.push(format!("{answer:?}"));
        Ok(answer.unwrap_or_default())
    }

    fn key_state(&mut self, served: &mut Served) -> Result<Value> {
        let view = self.call(served, "settings_view", &json!({}))?;
        Ok(view.pointer("/keys/0").cloned().unwrap_or_default())
    }

    fn decide(&mut self, served: &mut Served, session: &Value) -> Result<()> {
        let view = self.call(served, "session_view", session)?;
        let requests = view
            .get("requests")
            .and_then(Value::as_array)
            .context("no requests")?;
        let decisions = [
            json!({ "kind": "approve", "despiteIssues": true }),
            json!({ "kind": "refine", "target": "Zweiter Satz." }),
            json!({ "kind": "reject", "reason": "too literal" }),
        ];
        for (request, decision) in requests.iter().zip(decisions) {
            let args = json!({
                "sessionId": session.get("sessionId"),
                "callId": request.get("callId"),
                "decision": decision,
            });
            self.call(served, "session_respond", &args)?;
        }
        Ok(())
    }

    /// Returns all that a key must not be in, each with its name. The keychain's own file is no such place.
    fn places(&self) -> Result<Vec<(String, Vec<u8>)>> {
        let answers = self
            .answers
            .iter()
            .map(|answer| ("an answer".to_owned(), answer.clone().into_bytes()));
        let mut places: Vec<(String, Vec<u8>)> = answers.collect();
        for path in roundtrip::files(self.root.path())? {
            let name = path.strip_prefix(self.root.path()).map(PathBuf::from)?;
            if !name.starts_with("home") && !name.starts_with("project") {
                places.push((name.display().to_string(), fs::read(&path)?));
            }
        }
        Ok(places)
    }
}

/// Status and body of services that refuse, some of which say the key.
const REFUSALS: [(u16, &str); 6] = [
    (
        401,
        r#"{"error":{"message":"Incorrect API key provided: {key}.","code":"invalid_api_key"}}"#,
    ),
    (403, "<html><body>Key {key} is blocked</body></html>"),
    (
        400,
        r#"{"error":{"message":"bad header Authorization: Bearer {key}","type":"invalid_request_error"}}"#,
    ),
    (404, r#"{"detail":"no model for {key}"}"#),
    (200, "{\"choices\": \"{key}\""),
    (402, r#"{"error":"{key} has no credit"}"#),
];

/// Plays a service that refuses a while, then works well.
fn refusing() -> impl FnMut(&Recorded) -> Reply {
    let n_chats = AtomicUsize::new(0);
    move |request| {
        if !request.is_chat() {
            let models = json!({ "object": "list", "data": [{ "id": "test-model" }] });
            return Reply::json(200, &models);
        }
        let n = n_chats.fetch_add(1, Ordering::SeqCst);
        if let Some((status, body)) = REFUSALS.get(n) {
            return Reply::raw(*status, "application/json", body.replace("{key}", KEY));
        }
        if n == REFUSALS.len() {
            return Cooperation::default()
                .reply(request)
                .fault(Fault::CutAt(20));
        }
        if request.is_memory() {
            return Reply::words("{\"ops\": []}");
        }
        Cooperation::default().reply(request)
    }
}

/// Returns the key as it could stand somewhere: as it is, in base 64 at each offset, in an address, in JSON.
fn disguises(key: &str) -> Vec<String> {
    let mut forms = vec![key.to_owned(), key.replace('/', "\\/")];
    for shift in 0..3 {
        // What stands before the key moves it by a part of a letter; the ends depend on neighbours.
        let shifted = format!("{}{key}", "x".repeat(shift));
        for code in [
            BASE64_STANDARD.encode(&shifted),
            BASE64_URL_SAFE.encode(&shifted),
        ] {
            let whole: String = code
                .chars()
                .skip(4)
                .take(code.len().saturating_sub(8))
                .collect();
            forms.push(whole);
        }
    }
    let escaped: String = key
        .bytes()
        .map(|byte| match byte {
            byte if byte.is_ascii_alphanumeric() || byte == b'-' => char::from(byte).to_string(),
            byte => format!("%{byte:02X}"),
        })
        .collect();
    forms.push(escaped);
    forms.sort();
    forms.dedup();
    forms
}

fn holds(bytes: &[u8], text: &str) -> bool {
    bytes
        .windows(text.len())
        .any(|part| part == text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_found_in_every_disguise() {
        for hidden in [
            format!("key={KEY}&"),
            BASE64_STANDARD.encode(format!("user:{KEY}")),
            BASE64_STANDARD.encode(format!("Bearer {KEY} ")),
            BASE64_URL_SAFE.encode(format!("a{KEY}")),
            "?k=sk-canary%2F9f%2B30c1d7%3D%3Dx".to_owned(),
        ] {
            let found = disguises(KEY)
                .iter()
                .any(|form| holds(hidden.as_bytes(), form));
            assert!(found, "{hidden}");
        }
        assert!(!disguises(KEY).iter().any(|form| holds(b"sk-canary", form)));
    }
}
