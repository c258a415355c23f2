//! P5: whatever happened in a session, a program that begins anew finds it in the same state.

use diglot_agent::SessionId;
use diglot_testkit::{Cooperation, Depth, FakeServer, Promise, Recorded};
use serde_json::Value;

use super::*;
use crate::schema::NoArgs;

const FILES: [(&str, &str); 2] = [
    (
        "a.txt",
        "Open `it`.\n\nShut it.\n\nNote.\n\nPaint it.\n\nNote.\n\nSell it.\n",
    ),
    ("b.md", "# Doors\n\nOpen the %s.\n\nNote.\n"),
];
const CHANGED: &str = "Open `it`.\n\nNote.\n\nA new part.\n\nPaint it.\n\nNote.\n";
/// One session each of the same folder, so that many histories share the cost of a start.
const LANGUAGES: [&str; 10] = ["de", "fr", "es", "it", "pt", "nl", "sv", "pl", "cs", "da"];

/// Gives numbers that look random, the same for the same seed.
#[derive(Clone)]
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % sides
    }
}

/// A model that mostly works, and now and then talks nonsense or fails.
fn server(seed: u64) -> FakeServer {
    let mut dice = Dice(seed | 1);
    let reply = move |request: &Recorded| {
        if request.is_memory() {
            return Reply::words("{\"ops\": []}");
        }
        let unit = dice.roll(8) + 1;
        let draft = |unit: u64| {
            let text = "Etwas `it` %s.";
            json!({"file_id": "a.txt", "unit": unit, "translate_string": text})
        };
        match dice.roll(14) {
            0 => Reply::words("I think about it."),
            1 => Reply::call("Write", &json!({"file_id": "a.txt"})),
            2 => Reply::call(
                "Ask",
                &json!({"question": "Du or Sie?", "options": ["du", "Sie"]}),
            ),
            3 => Reply::calls(&[("Translate", draft(unit)), ("Translate", draft(unit + 1))]),
            4 => Reply::calls(&[("LS", json!({})), ("Read", json!({"file_id": "b.md"}))]),
            5 => Reply::call("Read", &json!({"file_id": "/etc/passwd"})),
            6 => Reply::json(400, &json!({"error": {"message": "no"}})),
            _ => Cooperation::default().reply(request),
        }
    };
    FakeServer::start(reply).unwrap()
}

/// Does one thing that a person may do; refusals are as good.
async fn act(bench: &Bench, id: i64, dice: &mut Dice) {
    let wb = bench.wb();
    let session_id = id;
    let unit = usize::try_from(dice.roll(6)).unwrap() + 1;
    let path = FILES[usize::try_from(dice.roll(2)).unwrap()].0.to_owned();
    match dice.roll(16) {
        0..=3 => drop(wb.session_run(SessionRequest { session_id }).await),
        4..=9 => {
            let view = bench.view(id).await;
            let n = view.requests.len() as u64;
            if n == 0 {
                drop(wb.session_run(SessionRequest { session_id }).await);
                return;
            }
            let request = &view.requests[usize::try_from(dice.roll(n)).unwrap()];
            let (call_id, decision) = match request {
                RequestView::Ask(ask) => {
                    let choice = Some("du".to_owned());
                    (&ask.call_id, DecisionRequest::Answer { choice, text: None })
                }
                RequestView::Translate(draft) => (&draft.call_id, decision(dice)),
            };
            drop(bench.respond(id, call_id, decision).await);
        }
        10 => {
            let target = "Von `Hand` %s.".to_owned();
            let request = UnitReviseRequest {
                session_id,
                path,
                unit,
                target,
            };
            drop(wb.unit_revise(request).await);
        }
        11 => drop(
            wb.unit_skip(UnitRequest {
                session_id,
                path,
                unit,
            })
            .await,
        ),
        12 => {
            let text = "Go on.".to_owned();
            drop(
                wb.session_input(SessionInputRequest { session_id, text })
                    .await,
            );
        }
        13 | 14 => drop(wb.session_undo(SessionRequest { session_id }).await),
        _ => drop(wb.session_redo(SessionRequest { session_id }).await),
    }
}

fn decision(dice: &mut Dice) -> DecisionRequest {
    match dice.roll(5) {
        0 => refine("Ganz `it` anders %s."),
        1 => DecisionRequest::reject("wrong word"),
        2 => DecisionRequest::Cancel,
        3 => DecisionRequest::Approve {
            despite_issues: Some(true),
            bulk: Some(true),
        },
        _ => approve(),
    }
}

/// Tells all that can be seen of a session, and what is kept beside its log.
async fn state(bench: &Bench, id: i64) -> Value {
    while bench.view(id).await.n_learning > 0 {
        tokio::task::yield_now().await;
    }
    // The units of the whole project are counted in the background.
    let session = bench.wb().session(id).await.unwrap();
    let counted = tokio::task::spawn_blocking(move || session.count_units());
    counted.await.unwrap();
    let mut view = serde_json::to_value(bench.view(id).await).unwrap();
    // Target files are brought up to date in the background.
    view["targetProblems"] = Value::Null;
    let mut documents = Vec::new();
    for (path, _) in FILES {
        documents.push(serde_json::to_value(document(bench, id, path).await).unwrap());
    }
    let memory = bench.wb().memory_list(SessionRequest { session_id: id });
    let memory = serde_json::to_value(memory.await.unwrap()).unwrap();
    let rows = bench.wb().store().all_units(SessionId(id)).unwrap();
    let rows = format!("{rows:?}");
    json!({"view": view, "documents": documents, "memory": memory, "rows": rows})
}

/// Names the first value in which two differ.
fn difference(before: &Value, after: &Value) -> String {
    match (before, after) {
        (Value::Object(before), Value::Object(after)) => {
            let found = before
                .iter()
                .find(|(name, value)| after.get(*name) != Some(value));
            found.map_or_else(String::new, |(name, value)| {
                let other = after.get(name).unwrap_or(&Value::Null);
                format!("{name}.{}", difference(value, other))
            })
        }
        (Value::Array(before), Value::Array(after)) if before.len() == after.len() => {
            let mut pairs = before.iter().zip(after);
            let found = pairs.find(|(before, after)| before != after);
            found.map_or_else(String::new, |(before, after)| difference(before, after))
        }
        (before, after) => format!("{before} is {after}"),
    }
}

/// Sees what changed on disk, in every session.
async fn notice(bench: &Bench) {
    let workbench = Arc::clone(bench.wb());
    let noticed = tokio::task::spawn_blocking(move || {
        let sessions: Vec<_> = lock(&workbench.sessions).values().cloned().collect();
        for session in sessions {
            workbench.refresh_sources(&session).unwrap();
        }
    });
    noticed.await.unwrap();
}

/// Plays one history in each language; says in which a new program found another state.
async fn play(seed: u64) -> Vec<String> {
    let mut bench = Bench::in_memory(&FILES);
    let server = server(seed);
    bench.use_server(&server).await;
    bench.wb().app_view(NoArgs {}).await.unwrap();
    let mut dice = Dice(seed.wrapping_mul(0x9E37_79B9) | 1);
    let mut ids = Vec::new();
    for language in LANGUAGES {
        ids.push(bench.start(language).await);
    }
    for round in 0..12 {
        for id in &ids {
            act(&bench, *id, &mut dice).await;
        }
        if round == 7 && seed.is_multiple_of(3) {
            bench.project.write("a.txt", CHANGED).unwrap();
            notice(&bench).await;
        }
    }
    let mut before = Vec::new();
    for id in &ids {
        before.push(state(&bench, *id).await);
    }
    bench.reopen().await;
    let mut lost = Vec::new();
    for ((id, before), language) in ids.iter().zip(before).zip(LANGUAGES) {
        let after = state(&bench, *id).await;
        if after != before {
            let difference = difference(&before, &after);
            lost.push(format!("seed {seed}, {language}: {difference}"));
        }
    }
    bench.wb().close().await;
    assert_eq!(server.violations(), Vec::<String>::new());
    lost
}

#[tokio::test(flavor = "multi_thread")]
async fn p5_a_session_resumes_in_the_same_state() {
    let n_seeds = Depth::of_run().pick(15, 100);
    let mut lost = Vec::new();
    for seed in 1..=n_seeds {
        lost.extend(play(seed).await);
    }
    let n_histories = usize::try_from(n_seeds).unwrap() * LANGUAGES.len();
    let figure = match lost.first() {
        None => format!("{n_histories} of {n_histories} random histories equal after a new start"),
        Some(first) => format!("{} of {n_histories} differ; {first}", lost.len()),
    };
    Promise::new(5, lost.is_empty(), figure, "100 % equal").tell();
}
