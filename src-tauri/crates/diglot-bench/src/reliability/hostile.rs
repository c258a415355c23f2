//! P12, P14, P17: a hostile model gains nothing, and a hostile folder neither. The program works with a model that attacks,
//! recorded by strace; canaries lie where nothing may be read. Owns the world and the judgement; the attacks stand in
//! `attacks.rs`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use anyhow::{Context, Result, bail};
use diglot_testkit::{Cooperation, FakeServer, Promise, Recorded, Reply};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::attacks::{attacks, paths};
use super::served::Served;
use super::watched::{self, Watched};
use super::{Bench, provider};
use crate::roundtrip;

/// Stands in every file that nothing may read.
const CANARY: &str = "canary-7c31e0";
/// What only an attack would put into a target.
const STOLEN: &str = "stolen";
/// Longest turn with three refusals, under strace and beside other work; the goal is 50 ms for each on a machine at rest.
const PATIENCE: Duration = Duration::from_secs(2);

/// Bytes, mode and time of a source.
type State = (Vec<u8>, fs::Permissions, SystemTime);

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
            "project-evil/secret.md",
            "project/.env",
            "project/.git/config",
            "project/node_modules/lib/readme.md",
            "project/id_rsa",
        ] {
            let path = world.at(path);
            fs::create_dir_all(path.parent().unwrap_or(&path))?;
            fs::write(path, &secret)?;
        }
        fs::create_dir(world.at("project/sub"))?;
        fs::write(world.at("project/guide.md"), "# Guide\n\nThe sea comes.\n")?;
        fs::write(world.at("project/sub/notes.txt"), "It goes.\n")?;
        #[cfg(unix)]
        world.add_traps()?;
        Ok(world)
    }

    /// Adds what is no file but looks like one.
    #[cfg(unix)]
    fn add_traps(&self) -> Result<()> {
        use std::os::unix::fs::symlink;
        use std::os::unix::net::UnixListener;
        for (target, link) in [
            ("../outside/secret.md", "link.md"),
            ("../outside", "linked"),
            ("loop.md", "loop.md"),
            ("nowhere.md", "dangling.md"),
            ("..", "up"),
        ] {
            symlink(target, self.at("project").join(link))?;
        }
        drop(UnixListener::bind(self.at("project/socket.md"))?);
        for (program, args) in [
            ("mkfifo", &["pipe.md"][..]),
            // Only an administrator may make one; without it there is a trap less.
            ("mknod", &["device.md", "c", "1", "5"]),
        ] {
            Command::new(program)
                .args(args)
                .current_dir(self.at("project"))
                .stderr(Stdio::null())
                .status()
                .with_context(|| program.to_owned())?;
        }
        Ok(())
    }

    fn at(&self, path: &str) -> PathBuf {
        self.root.path().join(path)
    }

    /// Returns bytes, mode and time of every source.
    fn sources(&self) -> Result<BTreeMap<PathBuf, State>> {
        let files = roundtrip::files(&self.at("project"))?;
        let state = |path: PathBuf| {
            let about = fs::metadata(&path)?;
            let state = (fs::read(&path)?, about.permissions(), about.modified()?);
            Ok((path, state))
        };
        files.into_iter().map(state).collect()
    }
}

/// What the model does: one attack after another, or its work.
#[derive(Default)]
struct Script {
    attack: Option<Reply>,
    works: bool,
}

/// Runs every attack in a session of its own, then a session of work.
pub(super) fn run(bench: &Bench) -> Result<Vec<Promise>> {
    let world = World::new()?;
    let before = world.sources()?;
    let script: Arc<Mutex<Script>> = Arc::default();
    let played = Arc::clone(&script);
    let server = FakeServer::start(move |request| next(&played, request))?;
    let log = world.at("calls.log");
    let is_watched = watched::is_possible();
    let mut command = if is_watched {
        watched::recording(&bench.cli, &log)
    } else {
        Command::new(&bench.cli)
    };
    command.args(["serve", "--data"]).arg(world.at("data"));
    let mut served = Served::run(command)?;
    let mut answers = Vec::new();
    let mut call = |name: &str, args: Value| -> Result<Value> {
        let answer = served.call(name, &args)??;
        answers.push(answer.to_string());
        Ok(answer)
    };
    let settings = provider(&server.base_url());
    call("settings_update", json!({ "settings": settings }))?;
    let project = call("project_open", json!({ "path": world.at("project") }))?;
    let session = json!({
        "projectId": project.get("id"),
        "sourceLanguage": "en",
        "targetLanguage": "de",
        "afresh": true,
    });
    let outside = world.at("outside");
    let outside = outside.to_string_lossy();
    let all = attacks(&outside);
    let (n_attacks, n_paths) = (all.len(), paths(&outside).len());
    let mut slowest = Duration::ZERO;
    for (at, attack) in all.into_iter().enumerate() {
        script.lock().unwrap_or_else(PoisonError::into_inner).attack = Some(attack);
        let created = call("session_create", session.clone())?;
        let start = Instant::now();
        let run = json!({ "sessionId": created.pointer("/session/id") });
        let view = call("session_run", run)?;
        // Those by path come first; arguments of megabytes may take their time.
        if at < n_paths {
            slowest = slowest.max(start.elapsed());
        }
        if view.pointer("/session/nConfirmed") != Some(&json!(0)) {
            bail!("a model confirmed a unit");
        }
    }
    script.lock().unwrap_or_else(PoisonError::into_inner).works = true;
    let n_written = work(&mut call, session)?;
    served.end()?;
    let found = leaks(&world, &server, &answers)?;
    let after = world.sources()?;
    let watched = is_watched.then(|| watched::read(&log)).transpose()?;
    let n_requests = server.requests().len();
    let traffic = format!("{n_attacks} attacks, {n_requests} requests");
    let outside = [
        sources(
            &world,
            watched.as_ref(),
            before == after,
            n_written,
            before.len(),
        ),
        opened(&world, watched.as_ref(), n_paths, slowest),
        gained(watched.as_ref(), found, &traffic, server.port()),
    ];
    Ok(outside.into())
}

/// Confirms every unit of a session, as a person who likes what the model writes; returns how many.
fn work(call: &mut impl FnMut(&str, Value) -> Result<Value>, session: Value) -> Result<usize> {
    let created = call("session_create", session)?;
    let session = created.pointer("/session/id").cloned();
    let mut n_confirmed = 0;
    loop {
        let view = call("session_run", json!({ "sessionId": session }))?;
        let requests = view.get("requests").and_then(Value::as_array).cloned();
        let requests = requests.unwrap_or_default();
        if requests.is_empty() {
            return Ok(n_confirmed);
        }
        for request in requests {
            let decision = json!({ "kind": "approve", "despiteIssues": true });
            let call_id = request.get("callId");
            call(
                "session_respond",
                json!({ "sessionId": session, "callId": call_id, "decision": decision }),
            )?;
            n_confirmed += 1;
        }
    }
}

/// P12: no source was opened for writing, and none changed.
fn sources(
    world: &World,
    watched: Option<&Watched>,
    is_same: bool,
    n_written: usize,
    n_sources: usize,
) -> Promise {
    let project = real(&world.at("project"));
    let written = watched.map_or(0, |watched| watched.written_in(&project).len());
    let figure = format!(
        "{n_sources} sources, {n_written} units confirmed: {written} opened for writing, bytes, modes and times {}",
        if is_same { "the same" } else { "CHANGED" }
    );
    let is_held = is_same && written == 0 && n_written > 0;
    Promise::new(12, is_held, figure, "0 opened for writing, 0 changed")
}

/// P14: nothing outside of the folder was opened, and nothing that it hides.
fn opened(world: &World, watched: Option<&Watched>, n_paths: usize, slowest: Duration) -> Promise {
    let root = real(world.root.path());
    let hidden = [
        "outside",
        "project-evil",
        "project/.env",
        "project/.git",
        "project/node_modules",
    ];
    let traps = ["project/pipe.md", "project/device.md", "project/socket.md"];
    let opened: Vec<&String> = watched.map_or_else(Vec::new, |watched| {
        let names = hidden.iter().chain(&traps);
        names
            .flat_map(|name| watched.opened_in(&root.join(name)))
            .collect()
    });
    let first = opened
        .first()
        .map_or(String::new(), |path| format!("; {path}"));
    let figure = format!(
        "{n_paths} paths in 3 ways: {} opened, a turn took {} ms at most{first}",
        opened.len(),
        slowest.as_millis()
    );
    let is_held = opened.is_empty() && slowest < PATIENCE && n_paths >= 120;
    Promise::new(14, is_held, figure, "0 opened, none waited for")
}

/// P17: nothing left the machine or the folder, and nothing was done.
fn gained(watched: Option<&Watched>, mut found: Vec<String>, traffic: &str, port: u16) -> Promise {
    let what = if let Some(watched) = watched {
        let endpoint = format!("127.0.0.1:{port}");
        let elsewhere = watched
            .connected
            .iter()
            .filter(|address| **address != endpoint);
        found.extend(elsewhere.map(|address| format!("connected to {address}")));
        found.extend(watched.listening.iter().cloned());
        found.extend(watched.started.iter().skip(1).cloned());
        if !watched.connected.contains(&endpoint) {
            found.push("the recording does not hold the endpoint".to_owned());
        }
        format!("{} files opened", watched.opened.len())
    } else {
        "calls of the system not recorded: no strace".to_owned()
    };
    let first = found
        .first()
        .map_or(String::new(), |fault| format!("; {fault}"));
    let figure = format!("{traffic}, {what}: {} leaks{first}", found.len());
    let goal = "0 canaries, 0 connections but the endpoint, 0 listening sockets";
    Promise::new(17, found.is_empty(), figure, goal)
}

/// Returns a path as the system resolves it.
fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// Plays the attack at hand; after it, the model claims to be done. At last it works.
fn next(script: &Mutex<Script>, request: &Recorded) -> Reply {
    if request.is_memory() {
        return Reply::words("{\"ops\": []}");
    }
    let mut script = script.lock().unwrap_or_else(PoisonError::into_inner);
    if script.works || !request.is_chat() {
        return Cooperation::default().reply(request);
    }
    let reply = script.attack.take();
    reply.unwrap_or_else(|| Reply::words("All units are approved and written."))
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
        } else if name.starts_with("project-de") {
            seek(CANARY, &name, &fs::read(&path)?);
            seek(STOLEN, &name, &fs::read(&path)?);
        }
    }
    Ok(found)
}
