//! P29: a run that is stopped at any moment ends at once, lets go of its connection, and leaves nothing half done.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use diglot_testkit::{Act, Depth, Promise, WireServer};

use super::*;

/// Pieces of a slow answer; it takes two seconds.
const PIECES: usize = 1_000;
const PAUSE: Duration = Duration::from_millis(2);
/// Goals, times three, since tests share the machine.
const IDLE: Duration = Duration::from_millis(3 * 100);
const CLOSED: Duration = Duration::from_millis(3 * 500);

fn event(delta: &str, finish: &str) -> Vec<u8> {
    format!("data: {{\"choices\": [{{\"delta\": {{{delta}}}, \"finish_reason\": {finish}}}]}}\n\n")
        .into_bytes()
}

fn slow() -> Vec<Act> {
    let bytes = event("\"content\": \"word \"", "null");
    let again = Act::Repeat {
        bytes,
        n: PIECES,
        pause: PAUSE,
    };
    vec![Act::Read, Act::unbounded("text/event-stream", b""), again]
}

fn quick() -> Vec<Act> {
    let body = [
        event("\"content\": \"Done.\"", "null"),
        event("", "\"stop\""),
    ]
    .concat();
    vec![Act::Read, Act::unbounded("text/event-stream", &body)]
}

/// Draws points with a fixed seed.
fn points(n: usize) -> impl Iterator<Item = usize> {
    let mut state = 29_u64;
    (0..n).map(move |_| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        usize::try_from(state >> 33).unwrap_or_default()
    })
}

/// Waits on a thread of its own, since the runtime has to go on.
async fn on_a_thread<T: Send + 'static>(wait: impl FnOnce() -> T + Send + 'static) -> T {
    tokio::task::spawn_blocking(wait).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn p29_stop_is_instant() {
    let is_slow = Arc::new(AtomicBool::new(false));
    let seen = Arc::clone(&is_slow);
    let server = WireServer::each(move |_| {
        if seen.load(Ordering::SeqCst) {
            slow()
        } else {
            quick()
        }
    });
    let server = Arc::new(server.unwrap());
    let bench = Bench::new(&[("notes.txt", NOTES)]);
    bench
        .use_address(server.base_url(), Settings::default())
        .await;
    let id = bench.start("de").await;
    let (mut idle, mut closed, mut wrong) = (Vec::new(), Vec::new(), Vec::new());
    let n_points = Depth::of_run().pick(50, 1_000);
    for (number, point) in points(n_points).enumerate() {
        let text = "Go on.".to_owned();
        let said = SessionInputRequest {
            session_id: id,
            text,
        };
        let seq = bench.wb().session_input(said).await.unwrap().seq;
        is_slow.store(true, Ordering::SeqCst);
        let (n_connections, n_sent) = (server.n_connections(), server.n_sent());
        let workbench = Arc::clone(bench.wb());
        let run = tokio::spawn(async move {
            workbench
                .session_run(SessionRequest { session_id: id })
                .await
        });
        // One in ten is stopped as soon as it has begun, the others after so many bytes of the answer.
        if number % 10 == 0 {
            while !bench.view(id).await.running {
                tokio::task::yield_now().await;
            }
        } else {
            let (server, n) = (Arc::clone(&server), n_sent + 1 + point % 4_000);
            assert!(on_a_thread(move || server.wait_for_sent(n)).await);
        }
        let stopped = Instant::now();
        let view = bench
            .wb()
            .session_stop(SessionRequest { session_id: id })
            .await
            .unwrap();
        idle.push(stopped.elapsed());
        let ended = run.await.unwrap().unwrap();
        is_slow.store(false, Ordering::SeqCst);
        if server.n_connections() > n_connections && number % 10 > 0 {
            let (server, n) = (Arc::clone(&server), closed.len() + 1);
            let left = on_a_thread(move || server.wait_for_leaving(n)).await;
            closed.push(left.map_or(Duration::MAX, |left| left.duration_since(stopped)));
        }
        if view.seq != seq || view.running || view.attempt.is_some() || ended.seq != seq {
            wrong.push(format!("point {number}: something was kept"));
        }
        let next = bench.run(id).await;
        if next.attempt.is_some() || next.seq <= seq {
            wrong.push(format!("point {number}: the next request fails"));
        }
    }
    idle.sort_unstable();
    closed.sort_unstable();
    let most = |times: &[Duration]| times[times.len() * 9 / 10];
    let (n_stops, n_closed) = (idle.len(), closed.len());
    Promise::new(
        29,
        wrong.is_empty() && most(&idle) <= IDLE && most(&closed) <= CLOSED,
        format!(
            "{n_stops} stops, idle after {:?} (nine in ten), {n_closed} sockets closed after {:?} {wrong:?}",
            most(&idle),
            most(&closed)
        ),
        "idle within 100 ms, closed within 500 ms, nothing partial kept, the next request works",
    )
    .tell();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lesson_that_is_being_drawn_holds_up_no_stop() {
    let drafting = FakeServer::cooperative(Cooperation::default()).unwrap();
    let bench = Bench::new(&[("a.txt", "One door.\n")]);
    bench.use_server(&drafting).await;
    let id = bench.start("de").await;
    let draft = proposals(&bench.run(id).await)[0].clone();
    let server = Arc::new(WireServer::start(vec![Act::Read, Act::Stall]).unwrap());
    let settings = Settings {
        memory: "fake".to_owned(),
        ..Settings::default()
    };
    bench.use_address(server.base_url(), settings).await;
    let reject = DecisionRequest::reject("Say it otherwise.");
    bench.respond(id, &draft.call_id, reject).await.unwrap();
    let workbench = Arc::clone(bench.wb());
    let run = tokio::spawn(async move {
        workbench
            .session_run(SessionRequest { session_id: id })
            .await
    });
    let asked = Arc::clone(&server);
    assert!(on_a_thread(move || asked.wait_for_requests(1)).await);
    let stopped = Instant::now();
    bench
        .wb()
        .session_stop(SessionRequest { session_id: id })
        .await
        .unwrap();
    assert!(stopped.elapsed() < 10 * IDLE, "{:?}", stopped.elapsed());
    run.await.unwrap().unwrap();
    assert!(
        on_a_thread(move || server.wait_for_leaving(1))
            .await
            .is_some()
    );
}
