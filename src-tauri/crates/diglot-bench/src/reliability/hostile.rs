//! P17: a hostile model gains nothing. The program works with a model that attacks, recorded by strace; canaries lie where
//! nothing may be read. Owns the world and the judgement; the attacks stand in `attacks.rs`.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Result, bail};
use diglot_testkit::{FakeServer, Promise, Recorded, Reply};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::attacks::attacks;
use super::served::Served;
use super::watched::{self, Watched};
use super::{Bench, provider};
use crate::roundtrip;

/// Stands in every file that nothing may read.
const CANARY: &str = "canary-7c31e0";
/// What only an attack would put into a target.
const STOLEN: &str = "stolen";
const GOAL: &str =
    "0 canaries, 0 connections but the endpoint, 0 listening sockets, 0 opened outside";

/// Holds the folders of one trial.
struct World {
    root: TempDir,
}

impl World {
    fn new() -> Result<Self> {
        let world = Self {
            root: tempfile::tempdir()?,
        };
        let secret = format!("# {CANARY}\n");
        for path in [
            "outside/secret.md",
            "project/.env",
            "project/.git/config",
            "project/node_modules/lib/readme.md",
        ] {
            let path = world.at(path);
            fs::create_dir_all(path.parent().unwrap_or(&path))?;
            fs::write(path, &secret)?;
        }
        fs::write(world.at("project/guide.md"), "# Guide\n\nThe sea comes.\n")?;
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("../outside/secret.md", world.at("project/link.md"))?;
            std::os::unix::fs::symlink("../outside", world.at("project/linked"))?;
        }
        Ok(world)
    }

    fn at(&self, path: &str) -> PathBuf {
        self.root.path().join(path)
    }
}

/// Runs every attack in a session of its own.
pub(super) fn run(bench: &Bench) -> Result<Vec<Promise>> {
    let world = World::new()?;
    let script: Arc<Mutex<Vec<Reply>>> = Arc::default();
    let played = Arc::clone(&script);
    let server = FakeServer::start(move |request| next(&played, request))?;
    let log = world.at("calls.log");
    let is_watched = watched::is_possible();
    let mut command = if is_watched {
        watched::recording(&bench.cli, &log)
    } else {
        std::process::Command::new(&bench.cli)
    };
    command.args(["serve", "--data"]).arg(world.at("data"));
    let mut served = Served::run(command)?;
    let mut answers = Vec::new();
    let mut call = |name: &str, args: Value| -> Result<Value> {
        let answer = served.call(name, &args)??;
        answers.push(answer.to_string());
        Ok(answer)
    };
    call(
        "settings_update",
        json!({ "settings": provider(&server.base_url()) }),
    )?;
    let project = call("project_open", json!({ "path": world.at("project") }))?;
    let all = attacks(&world.at("outside").to_string_lossy());
    let n_attacks = all.len();
    for mut attack in all {
        attack.reverse();
        *script.lock().unwrap_or_else(PoisonError::into_inner) = attack;
        let session = json!({
            "projectId": project.get("id"),
            "sourceLanguage": "en",
            "targetLanguage": "de",
            "afresh": true,
        });
        let session = call("session_create", session)?;
        let view = call(
            "session_run",
            json!({ "sessionId": session.pointer("/session/id") }),
        )?;
        if view.pointer("/session/nConfirmed") != Some(&json!(0)) {
            bail!("a model confirmed a unit");
        }
    }
    served.end()?;
    let mut found = leaks(&world, &server, &answers)?;
    let what = if is_watched {
        let watched = watched::read(&log)?;
        found.extend(reached(&watched, &world, server.port()));
        format!("{} files opened, 1 address", watched.opened.len())
    } else {
        "calls of the system not recorded: no strace".to_owned()
    };
    let n_requests = server.requests().len();
    let first = found
        .first()
        .map_or(String::new(), |fault| format!("; {fault}"));
    let figure = format!(
        "{n_attacks} attacks, {n_requests} requests, {what}: {} leaks{first}",
        found.len()
    );
    Ok(vec![Promise::new(17, found.is_empty(), figure, GOAL)])
}

/// Plays the attack at hand; after it, the model claims to be done.
fn next(script: &Mutex<Vec<Reply>>, request: &Recorded) -> Reply {
    if request.is_chat() && !request.is_memory() {
        let reply = script.lock().unwrap_or_else(PoisonError::into_inner).pop();
        return reply.unwrap_or_else(|| Reply::words("All units are approved and written."));
    }
    Reply::words("{\"ops\": []}")
}

/// Looks for canaries in all that left the folder, and for text that nobody confirmed.
fn leaks(world: &World, server: &FakeServer, answers: &[String]) -> Result<Vec<String>> {
    let mut found = Vec::new();
    let mut seek = |what: &str, where_: &str, bytes: &[u8]| {
        let holds = bytes
            .windows(what.len())
            .any(|part| part == what.as_bytes());
        if holds {
            found.push(format!("{what} in {where_}"));
        }
    };
    for request in server.requests() {
        seek(CANARY, "a request", request.body.to_string().as_bytes());
    }
    for answer in answers {
        seek(CANARY, "an answer", answer.as_bytes());
    }
    for path in roundtrip::files(world.root.path())? {
        let name = path.strip_prefix(world.root.path()).unwrap_or(&path);
        let name = name.to_string_lossy();
        if name.starts_with("data") {
            seek(CANARY, &name, &fs::read(&path)?);
        } else if name.starts_with("project-") {
            seek(CANARY, &name, &fs::read(&path)?);
            seek(STOLEN, &name, &fs::read(&path)?);
        }
    }
    Ok(found)
}

/// Lists where the process reached that it must not.
fn reached(watched: &Watched, world: &World, port: u16) -> Vec<String> {
    let hidden = [
        "outside",
        "project/.env",
        "project/.git",
        "project/node_modules",
    ];
    let root = world.root.path();
    let root = root.canonicalize().unwrap_or_else(|_| root.to_owned());
    let opened = hidden
        .iter()
        .flat_map(|name| watched.opened_in(root.join(name)))
        .map(|path| format!("opened {path}"));
    let endpoint = format!("127.0.0.1:{port}");
    let elsewhere = watched
        .connected
        .iter()
        .filter(|address| **address != endpoint);
    let elsewhere = elsewhere.map(|address| format!("connected to {address}"));
    let listening = watched.listening.iter().cloned();
    let started = watched.started.iter().skip(1).cloned();
    let mut found: Vec<String> = opened
        .chain(elsewhere)
        .chain(listening)
        .chain(started)
        .collect();
    if !watched.connected.contains(&endpoint) || watched.opened_in(Path::new(&root)).is_empty() {
        found.push("the recording holds neither the endpoint nor the project".to_owned());
    }
    found
}
