//! A whole session of a given length, one unit a request, every draft approved. Owns what is counted at each step.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use diglot_api::view::session::RequestView;
use diglot_testkit::{Cooperation, FakeServer, FolderFixture, Recorded, Reply};
use serde_json::{Value, json};

use crate::host::Host;
use crate::samples::prose::paragraphs;

/// Name of the only document.
const DOCUMENT: &str = "doc.md";
/// Words of a unit.
const WORDS: usize = 30;
/// The only field of a request that grows.
const MESSAGES: &str = "messages";

/// Holds what was counted over a session.
#[derive(Debug)]
pub struct Walk {
    /// One for each unit, in order.
    pub steps: Vec<Step>,
    /// Requests to the model in all.
    pub n_requests: usize,
    /// Requests that do not begin with the whole request before: a chunk opens there.
    pub n_openings: usize,
    /// Bytes of the view that opens the finished session.
    pub opening_bytes: usize,
    /// Time until that view is there, after a restart.
    pub opening: Duration,
    /// How often target files were written.
    pub n_writes: usize,
    /// Time of the whole session.
    pub duration: Duration,
}

/// Holds what was counted at one unit.
#[derive(Debug, Clone, Copy)]
pub struct Step {
    /// Bytes of the last request.
    pub request_bytes: usize,
    /// Time from the wish to the draft, the model's own time taken off.
    pub overhead: Duration,
    /// Bytes of the answer to the decision.
    pub answer_bytes: usize,
    /// Time from the decision to its answer, which comes after COMMIT.
    pub confirmation: Duration,
}

/// Walks through a document of so many units.
///
/// # Errors
/// When the product refuses a step, or the drafts do not come one by one and in order.
pub async fn walk(n_units: usize) -> Result<Walk> {
    let folder = FolderFixture::new(&[(
        format!("in/{DOCUMENT}").as_str(),
        paragraphs(n_units, WORDS),
    )])?;
    let watch = Arc::new(Mutex::new(Watch::default()));
    let server = serve(&watch)?;
    let host = Host::open(
        &folder.at("data"),
        &folder.at("in"),
        Some(&server.base_url()),
    )
    .await?;
    let session = host.session("de").await?.session.id;
    let start = Instant::now();
    let mut steps = Vec::with_capacity(n_units);
    for unit in 1..=n_units {
        steps.push(
            step(&host, session, unit, &watch)
                .await
                .with_context(|| format!("unit {unit}"))?,
        );
    }
    let duration = start.elapsed();
    let n_writes = host.n_writes();
    let host = host.restart().await?;
    let start = Instant::now();
    let view = host.view(session).await?;
    let opening = start.elapsed();
    let opening_bytes = serde_json::to_vec(&view)?.len();
    host.close().await;
    let violations = server.violations();
    ensure!(
        violations.is_empty(),
        "requests break the rules: {violations:?}"
    );
    let seen = lock(&watch);
    Ok(Walk {
        steps,
        n_requests: seen.n_requests,
        n_openings: seen.n_openings,
        opening_bytes,
        opening,
        n_writes,
        duration,
    })
}

async fn step(host: &Host, session: i64, unit: usize, watch: &Mutex<Watch>) -> Result<Step> {
    lock(watch).model_time = Duration::ZERO;
    let start = Instant::now();
    let view = host.run(session).await?;
    let overhead = start.elapsed();
    let overhead = overhead.saturating_sub(lock(watch).model_time);
    let [RequestView::Translate(draft)] = view.requests.as_slice() else {
        anyhow::bail!("{} requests wait, not one draft", view.requests.len());
    };
    ensure!(draft.unit == unit, "unit {} is drafted", draft.unit);
    let start = Instant::now();
    let answer = host.approve(session, &draft.call_id).await?;
    let confirmation = start.elapsed();
    let answer_bytes = serde_json::to_vec(&answer)?.len();
    let request_bytes = lock(watch).request_bytes;
    Ok(Step {
        request_bytes,
        overhead,
        answer_bytes,
        confirmation,
    })
}

/// Remembers of the requests what is counted.
#[derive(Default)]
struct Watch {
    n_requests: usize,
    n_openings: usize,
    request_bytes: usize,
    model_time: Duration,
    before: Value,
}

fn lock(watch: &Mutex<Watch>) -> MutexGuard<'_, Watch> {
    watch.lock().unwrap_or_else(PoisonError::into_inner)
}

fn serve(watch: &Arc<Mutex<Watch>>) -> Result<FakeServer> {
    let watch = Arc::clone(watch);
    let model = Cooperation {
        document: Some(DOCUMENT.to_owned()),
    };
    Ok(FakeServer::start(move |request| {
        let start = Instant::now();
        let reply = if request.is_chat() {
            see(&mut lock(&watch), request);
            model.reply(request)
        } else {
            Reply::json(200, &json!({"object": "list", "data": []}))
        };
        lock(&watch).model_time += start.elapsed();
        reply
    })?)
}

fn see(watch: &mut Watch, request: &Recorded) {
    watch.n_requests += 1;
    watch.request_bytes = request.n_bytes;
    if !continues(&watch.before, &request.body) {
        watch.n_openings += 1;
    }
    watch.before = request.body.clone();
}

/// Tells whether a request is the one before with messages added at its end, and nothing else changed.
fn continues(before: &Value, now: &Value) -> bool {
    let (Some(old), Some(new)) = (before.as_object(), now.as_object()) else {
        return false;
    };
    let is_same = |(name, value): (&String, &Value)| match (value, new.get(name)) {
        (Value::Array(old), Some(Value::Array(new))) if name == MESSAGES => {
            new.len() > old.len() && new.starts_with(old)
        }
        (value, found) => found == Some(value),
    };
    // The order of the fields counts too: what is compared stands for bytes.
    old.keys().eq(new.keys()) && old.iter().all(is_same)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_continues_when_only_messages_are_added() {
        let body = |model: &str, messages: &[&str]| json!({"model": model, "messages": messages});
        let before = body("m", &["a", "b"]);
        assert!(continues(&before, &body("m", &["a", "b", "c"])));
        assert!(!continues(&before, &body("m", &["a", "b"])));
        assert!(!continues(&before, &body("m", &["a", "x", "c"])));
        assert!(!continues(&before, &body("n", &["a", "b", "c"])));
        assert!(!continues(&Value::Null, &before));
    }
}
