//! P27: whatever a server does, a request ends, within its limit, in its class, with a sentence, and without a word of
//! what was sent or received.

mod table;

use std::io;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use diglot_testkit::{Promise, WireServer};
use tokio::time::timeout;

use super::{CANARY, Came, ask};
use crate::client::OpenAiModel;
use crate::config::OpenAiConfig;

use table::{Fault, Place, UNREACHABLE, bodies, body, connections, fault, good, places, says};

/// Limit in tests of what is longer in life.
const SHORT: Duration = Duration::from_millis(150);
/// How long after its limit an attempt may end on a busy machine.
const GRACE: Duration = Duration::from_secs(10);
/// After this an attempt counts as hung.
const HUNG: Duration = Duration::from_secs(20);

/// Meets one fault; returns what is wrong with how it ended.
async fn meet(fault: &Fault) -> Option<String> {
    let (server, address) = match &fault.place {
        Place::Acts(acts) => {
            let server = WireServer::start(acts.clone()).unwrap();
            let address = server.base_url();
            (Some(server), address)
        }
        Place::Https(acts) => {
            let server = WireServer::start(acts.clone()).unwrap();
            let address = format!("https://127.0.0.1:{}/v1", server.port());
            (Some(server), address)
        }
        Place::Address(address) => (None, address.clone()),
    };
    let mut config = OpenAiConfig::new(address, "m");
    config.allow_http = true;
    if let Some(limit) = fault.limit {
        limit(&mut config);
    }
    let model = OpenAiModel::new(config).unwrap();
    let started = Instant::now();
    let Ok(outcome) = timeout(HUNG, ask(&model)).await else {
        return Some("hangs".to_owned());
    };
    let elapsed = started.elapsed();
    let (came, words) = (Came::of(&outcome), sentence(&outcome));
    let n_sent = server.as_ref().map_or(0, WireServer::n_sent);
    let debug = format!("{outcome:?}");
    if came != fault.came {
        return Some(format!("is {came:?}: {words}"));
    }
    if !words.contains(fault.says) {
        return Some(format!("says: {words}"));
    }
    if words.contains(CANARY) || debug.contains(CANARY) {
        return Some("tells of what was sent or received".to_owned());
    }
    if elapsed > SHORT + GRACE {
        return Some(format!("took {elapsed:?}"));
    }
    (n_sent > 64 << 20).then(|| format!("took {n_sent} bytes"))
}

fn sentence(outcome: &Result<diglot_agent::ModelResponse, diglot_agent::ModelError>) -> String {
    outcome
        .as_ref()
        .err()
        .map_or(String::new(), ToString::to_string)
}

/// Keeps what is logged.
#[derive(Clone, Default)]
struct Kept(Arc<Mutex<Vec<u8>>>);

impl io::Write for Kept {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn p27_requests_end() {
    let kept = Kept::default();
    let writer = kept.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing::Level::TRACE)
        .with_writer(move || writer.clone())
        .finish();
    // For all threads: one of its own is not told of what another thread met first.
    tracing::subscriber::set_global_default(subscriber).unwrap();
    let closed = WireServer::start(Vec::new()).unwrap().port();
    let mut all = connections();
    all.extend(bodies());
    all.extend(places(closed));
    #[cfg(target_os = "linux")]
    let port = diglot_testkit::FullPort::open().unwrap();
    #[cfg(target_os = "linux")]
    all.push(table::full(&port));
    let mut wrong = Vec::new();
    for fault in &all {
        let found = meet(fault).await;
        wrong.extend(found.map(|what| format!("{}: {what}", fault.name)));
    }
    let log = String::from_utf8(kept.0.lock().unwrap().clone()).unwrap();
    assert!(log.contains("model request"), "{log}");
    if log.contains(CANARY) {
        wrong.push("the log tells of what was sent or received".to_owned());
    }
    wrong.extend(moved().await);
    wrong.extend(kept_alive().await);
    let n_faults = all.len() + 5;
    Promise::new(
        27,
        wrong.is_empty(),
        format!(
            "{n_faults} faults, {} ended otherwise {wrong:?}",
            wrong.len()
        ),
        "0 hang, each in its class, no text in errors or logs",
    )
    .tell();
}

/// An address that points elsewhere is told; neither key nor text goes there.
async fn moved() -> Vec<String> {
    let elsewhere = WireServer::start(body("application/json", &good())).unwrap();
    let target = format!("http://localhost:{}/v1", elsewhere.port());
    let mut wrong = Vec::new();
    for status in [301, 302, 307, 308] {
        let head =
            format!("HTTP/1.1 {status} Moved\r\nlocation: {target}\r\ncontent-length: 0\r\n\r\n");
        wrong.extend(
            meet(&fault(
                "moved",
                says(head),
                UNREACHABLE,
                "points to localhost",
            ))
            .await,
        );
    }
    if elsewhere.n_connections() > 0 {
        wrong.push("a redirect was followed".to_owned());
    }
    wrong
}

/// A connection that was kept and that the server closed meanwhile is no fault.
async fn kept_alive() -> Option<String> {
    let server = WireServer::start(body("application/json", &good())).unwrap();
    let model = super::model(&server.base_url());
    for n_before in 0..5 {
        assert!(server.wait_for_ends(n_before));
        // The runtime looks at its sockets now and then while there is work.
        for _ in 0..200 {
            tokio::task::yield_now().await;
        }
        let outcome = ask(&model).await;
        if outcome.is_err() {
            return Some(format!(
                "a closed connection was used: {}",
                sentence(&outcome)
            ));
        }
    }
    None
}
