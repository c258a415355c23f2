//! P8: one action of a person is one lasting fact, whatever the model that should learn from it does.

use std::collections::HashSet;
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
    let (mut failed, mut drawn) = (HashSet::new(), HashSet::new());
    for (_, entry) in &entries {
        if let Entry::Extraction(found) = entry {
            drawn.insert(&found.call_id);
            failed.extend(found.failure.as_ref().map(|_| &found.call_id));
        }
    }
    (n_decided, failed.len(), n_decided - drawn.len())
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

/// Returns what became of the lessons, in order: whether each failed, and whether it is tried again.
fn lessons(bench: &Bench, id: i64) -> Vec<(bool, bool)> {
    // A commit under way may show in one half of what is read.
    let entries = bench.wb().store().entries(SessionId(id), Seq(0));
    let entries = entries.unwrap_or_default();
    let lesson = |(_, entry): (Seq, Entry)| {
        let Entry::Extraction(found) = entry else {
            return None;
        };
        Some((found.failure.is_some(), found.again))
    };
    entries.into_iter().filter_map(lesson).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lesson_that_fails_in_passing_is_drawn_beside_a_later_decision() {
    let mut n_lessons = 0;
    let server = FakeServer::start(move |request: &Recorded| {
        if !request.is_memory() {
            return diglot_testkit::Cooperation::default().reply(request);
        }
        n_lessons += 1;
        if n_lessons <= 2 {
            return Reply::json(503, &json!({"error": {"message": "overloaded"}}));
        }
        let op = json!({"action": "add", "kind": "style", "text": "Say Pforte, not door"});
        Reply::words(&json!({"ops": [op]}).to_string())
    })
    .unwrap();
    let text = "Open the red door.\n\nOpen the blue door.\n\nOpen the old door.\n\nShut it.\n";
    let mut bench = Bench::new(&[("doors.txt", text)]);
    bench.use_server(&server).await;
    let view = bench.wb().settings_view(crate::schema::NoArgs {}).await;
    let settings = Settings {
        memory: "fake".to_owned(),
        ..view.unwrap().settings
    };
    let request = SettingsUpdateRequest { settings };
    bench.wb().settings_update(request).await.unwrap();
    let id = bench.start("de").await;
    let expected = [(true, true), (true, true), (false, false)];
    for n in 1..=expected.len() {
        let draft = proposals(&bench.run(id).await)[0].clone();
        let decision = if n == 1 {
            refine(&draft.target.replace("door", "Pforte"))
        } else {
            approve()
        };
        bench.respond(id, &draft.call_id, decision).await.unwrap();
        while lessons(&bench, id).len() < n {
            tokio::task::yield_now().await;
        }
        assert_eq!(lessons(&bench, id), expected[..n]);
        if n == 2 {
            // What waits for another try waits over a restart.
            bench.reopen().await;
        }
    }
    let request = SessionRequest { session_id: id };
    let memory = bench.wb().memory_list(request).await.unwrap();
    assert_eq!(memory.items.len(), 1);
    assert_eq!(memory.items[0].evidence.len(), 1);
}
