//! P28: how often a call is tried, how long is waited between, and what becomes of a wait when the program ends.

use std::sync::Mutex;
use std::time::Instant;

use diglot_testkit::Promise;

use super::*;
use crate::workbench::run::attempts::tests::drawn;

/// Clients whose waits are drawn.
const CLIENTS: usize = 1_000;
/// Ceilings of the waits before the second to the fifth try, in milliseconds.
const CEILINGS: [u64; 4] = [2_000, 4_000, 8_000, 16_000];

/// A server that refuses in this way and keeps when it was asked.
fn refusing(
    status: u16,
    code: &str,
    wait: (&'static str, String),
) -> (FakeServer, Arc<Mutex<Vec<Instant>>>) {
    let asked = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&asked);
    let error = json!({"error": {"message": "No.", "code": code, "type": code}});
    let server = FakeServer::start(move |_| {
        seen.lock().unwrap().push(Instant::now());
        Reply::json(status, &error).header(wait.0, &wait.1)
    });
    (server.unwrap(), asked)
}

async fn refused(
    status: u16,
    code: &str,
    wait: (&'static str, &str),
) -> (usize, SessionView, Vec<Instant>) {
    let (server, asked) = refusing(status, code, (wait.0, wait.1.to_owned()));
    let bench = Bench::new(&[("notes.txt", NOTES)]);
    bench.use_server(&server).await;
    let id = bench.start("de").await;
    let view = bench.run(id).await;
    let asked = asked.lock().unwrap().clone();
    (asked.len(), view, asked)
}

#[test]
fn p28_waits_are_spread() {
    let mut wrong = Vec::new();
    for (waits, ceiling) in drawn(CLIENTS).iter().zip(CEILINGS) {
        let (first, last) = (waits[0], waits[CLIENTS - 1]);
        let middle = waits[CLIENTS / 2];
        let is_spread = (ceiling / 3..ceiling * 2 / 3 + 500).contains(&middle);
        if first < 500 || last > ceiling || !is_spread || last - first < ceiling / 2 {
            wrong.push(format!("{first} to {last} ms around {middle}"));
        }
    }
    Promise::new(
        28,
        wrong.is_empty(),
        format!("waits of {CLIENTS} clients {wrong:?}"),
        "5 tries, full jitter from 0.5 s to 30 s",
    )
    .tell();
}

#[tokio::test(flavor = "multi_thread")]
async fn p28_tries_are_few_and_waits_are_honoured() {
    let mut wrong = Vec::new();
    let (n_tries, view, asked) =
        refused(429, "rate_limit_exceeded", ("retry-after-ms", "600")).await;
    let shortest = asked.windows(2).map(|two| two[1] - two[0]).min();
    let is_told = shortest.is_some_and(|wait| wait.as_millis() >= 600);
    let code = view.attempt.map(|attempt| attempt.error.code);
    if n_tries != 5 || !is_told || code != Some(ErrorCode::ModelRateLimited) {
        wrong.push(format!("{n_tries} tries, {shortest:?} apart, {code:?}"));
    }
    for (status, code) in [
        (400, "invalid_request_error"),
        (401, "invalid_api_key"),
        (403, "forbidden"),
        (404, "not_found"),
        (429, "insufficient_quota"),
    ] {
        let (n_tries, view, _) = refused(status, code, ("retry-after", "1")).await;
        let is_told = view
            .attempt
            .is_some_and(|attempt| attempt.try_again_at.is_none());
        if n_tries != 1 || !is_told {
            wrong.push(format!("{n_tries} tries after {status} {code}"));
        }
    }
    let before = now();
    let (n_tries, view, _) = refused(429, "rate_limit_exceeded", ("retry-after", "3600")).await;
    let at = view.attempt.and_then(|attempt| attempt.try_again_at);
    let is_hour = at.is_some_and(|at| (3_590_000..3_700_000).contains(&(at - before)));
    if n_tries != 1 || !is_hour || view.running {
        wrong.push(format!("an hour: {n_tries} tries, then {at:?}"));
    }
    Promise::new(
        28,
        wrong.is_empty(),
        format!("7 refusals on whole sessions {wrong:?}"),
        "5 tries as told, none again where a person is needed, a time where the wait is long",
    )
    .tell();
}

/// Waits until a failed attempt is kept; the run waits then.
async fn kept_attempt(bench: &Bench, id: i64) -> crate::view::session::AttemptView {
    loop {
        if let Some(attempt) = bench.view(id).await.attempt {
            return attempt;
        }
        tokio::task::yield_now().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn p28_a_wait_survives_a_restart() {
    let asked = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&asked);
    let server = FakeServer::start(move |_| {
        let mut seen = seen.lock().unwrap();
        seen.push(now());
        if seen.len() == 1 {
            return Reply::raw(503, "text/plain", "").header("retry-after", "2");
        }
        Reply::words("Done.")
    })
    .unwrap();
    let mut bench = Bench::new(&[("notes.txt", NOTES)]);
    bench.use_server(&server).await;
    let id = bench.start("de").await;
    let workbench = Arc::clone(bench.wb());
    let run = tokio::spawn(async move {
        workbench
            .session_run(SessionRequest { session_id: id })
            .await
    });
    let before = kept_attempt(&bench, id).await;
    run.abort();
    assert!(run.await.unwrap_err().is_cancelled());
    bench.reopen().await;
    let view = bench.view(id).await;
    let is_shown = view.attempt == Some(before.clone()) && !view.running;
    let n_before = asked.lock().unwrap().len();
    let view = bench.run(id).await;
    let asked = asked.lock().unwrap().clone();
    let until = before.try_again_at.unwrap();
    let is_honoured = asked.len() == 2 && asked[1] >= until;
    Promise::new(
        28,
        is_shown && n_before == 1 && is_honoured && view.attempt.is_none(),
        format!(
            "shown again: {is_shown}, asked {} ms after the time",
            asked[1] - until
        ),
        "shown after a restart, nothing asked by itself, not asked before the time",
    )
    .tell();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_who_stops_a_wait_is_not_held_up_by_it() {
    let server = FakeServer::replies([
        Reply::raw(503, "text/plain", "").header("retry-after", "50"),
        Reply::words("Done."),
    ])
    .unwrap();
    let bench = Bench::new(&[("notes.txt", NOTES)]);
    bench.use_server(&server).await;
    let id = bench.start("de").await;
    let workbench = Arc::clone(bench.wb());
    let run = tokio::spawn(async move {
        workbench
            .session_run(SessionRequest { session_id: id })
            .await
    });
    kept_attempt(&bench, id).await;
    let request = SessionRequest { session_id: id };
    let view = bench.wb().session_stop(request).await.unwrap();
    assert_eq!(view.attempt.unwrap().try_again_at, None);
    run.await.unwrap().unwrap();
    assert_eq!(bench.run(id).await.attempt, None);
}
