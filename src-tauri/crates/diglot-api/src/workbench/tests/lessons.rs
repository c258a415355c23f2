//! P8: one action of a person is one lasting fact, whatever the model that should learn from it does.

use std::time::{Duration, Instant};

use diglot_agent::{Entry, Seq, SessionId};
use diglot_testkit::{Depth, FakeServer, Promise, Recorded};

use super::*;

/// Longest that a person may wait for the answer to a decision.
const PATIENT: Duration = Duration::from_secs(1);
/// Units that a turn of the model proposes.
const TURN: usize = 40;

/// Reads, then proposes unit after unit; learns nothing, in every way there is.
fn server(n_units: usize) -> FakeServer {
    let (mut next, mut n_lessons, mut has_read) = (1, 0, false);
    let reply = move |request: &Recorded| {
        if request.is_memory() {
            n_lessons += 1;
            return match n_lessons % 4 {
                0 => Reply::json(500, &json!({"error": {"message": "overloaded"}})),
                1 => Reply::words("I learnt a lot from this."),
                2 => Reply::raw(200, "application/json", "{\"choices\": []}"),
                _ => Reply::words("{\"ops\": [{\"action\": \"delete\", \"id\": 99}]}"),
            };
        }
        if !has_read {
            has_read = true;
            return Reply::call("Read", &json!({"file_id": "long.txt"}));
        }
        let last = (next + TURN).min(n_units + 1);
        let drafts: Vec<_> = (next..last)
            .map(|unit| {
                let text = format!("Zeile {unit} steht hier.");
                let arguments =
                    json!({"file_id": "long.txt", "unit": unit, "translate_string": text});
                ("Translate", arguments)
            })
            .collect();
        next = last;
        if drafts.is_empty() {
            Reply::words("Done.")
        } else {
            Reply::calls(&drafts)
        }
    };
    FakeServer::start(reply).unwrap()
}

/// Counts the decisions that the log holds, the lessons that failed, and those that are not drawn yet.
fn counts(bench: &Bench, id: i64) -> (usize, usize, usize) {
    let entries = bench.wb().store().entries(SessionId(id), Seq(0)).unwrap();
    let n_decided = entries
        .iter()
        .filter(|(_, entry)| matches!(entry, Entry::Response(_)))
        .count();
    let n_failed = entries
        .iter()
        .filter(|(_, entry)| matches!(entry, Entry::Extraction(found) if found.failure.is_some()))
        .count();
    let n_drawn = entries
        .iter()
        .filter(|(_, entry)| matches!(entry, Entry::Extraction(_)))
        .count();
    (n_decided, n_failed, n_decided - n_drawn)
}

#[tokio::test(flavor = "multi_thread")]
async fn p8_no_decision_is_lost_when_nothing_can_be_learnt() {
    let n_units = Depth::of_run().pick(200, 1_000);
    let text: Vec<String> = (1..=n_units)
        .map(|unit| format!("Line {unit} stands here.\n"))
        .collect();
    let mut bench = Bench::in_memory(&[("long.txt", &text.join("\n"))]);
    let server = server(n_units);
    bench.use_server(&server).await;
    let view = bench.wb().settings_view(crate::schema::NoArgs {}).await;
    let settings = Settings {
        memory: "fake".to_owned(),
        ..view.unwrap().settings
    };
    let request = SettingsUpdateRequest { settings };
    bench.wb().settings_update(request).await.unwrap();
    let id = bench.start("de").await;
    let (mut n_decided, mut slowest) = (0, Duration::ZERO);
    loop {
        let drafts = proposals(&bench.run(id).await);
        if drafts.is_empty() {
            break;
        }
        for draft in drafts {
            let decision = refine(&draft.target.replace("steht hier", "ist da"));
            let started = Instant::now();
            let view = bench.respond(id, &draft.call_id, decision).await.unwrap();
            slowest = slowest.max(started.elapsed());
            n_decided += 1;
            assert_eq!(view.session.n_confirmed, n_decided);
        }
    }
    bench.reopen().await;
    let n_kept = bench.view(id).await.session.n_confirmed;
    let (n_logged, n_failed, n_open) = counts(&bench, id);
    let n_units = n_units as u64;
    let is_held = n_decided == n_units
        && n_kept == n_units
        && n_logged as u64 == n_units
        && n_failed + n_open == n_logged
        && slowest < PATIENT * 3;
    let figure = format!(
        "{n_decided} decisions, {} lost, {n_failed} lessons recorded as failed, {n_open} pending, slowest answer {} ms",
        n_decided - n_kept,
        slowest.as_millis()
    );
    let goal = "0 lost, every lesson recorded or pending, an answer within 1 s";
    Promise::new(8, is_held, figure, goal).tell();
}
