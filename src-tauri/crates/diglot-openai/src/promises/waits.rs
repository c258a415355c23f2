//! P28, as far as one attempt goes: what may pass is told from what will not, with the wait that the server asks for.

use std::sync::{Arc, Mutex};

use diglot_agent::ModelError;
use diglot_agent::model::PersonCause;
use diglot_testkit::{FakeServer, Promise, Reply};
use serde_json::{Value, json};

use super::{Came, ask, model};
use crate::client::OpenAiModel;

/// A year, in milliseconds.
const YEAR: u64 = 365 * 24 * 3_600_000;

/// Forms in which a server asks to wait, and the wait.
const WAITS: [(&str, &str, Option<u64>); 12] = [
    ("retry-after", "2", Some(2_000)),
    ("retry-after", "1.5", Some(1_500)),
    ("retry-after", "0", Some(0)),
    ("retry-after", "60", Some(60_000)),
    ("retry-after", "3600", Some(3_600_000)),
    ("retry-after", "99999999999999999999", Some(YEAR)),
    ("retry-after", "-5", None),
    ("retry-after", "soon", None),
    ("retry-after", "Thu, 09 Oct 2025 08:53:27 GMT", Some(7_000)),
    ("retry-after", "Sun, 09 Oct 2005 08:53:27 GMT", Some(0)),
    ("retry-after-ms", "400", Some(400)),
    ("x-other", "9", None),
];

fn refusals(code: &str) -> [Reply; 4] {
    let error = json!({"error": {"message": "No.", "code": code, "type": code}});
    [
        Reply::json(0, &error),
        Reply::json(0, &json!({"detail": "No."})),
        Reply::raw(0, "text/html", "<html><title>No</title></html>"),
        Reply::raw(0, "text/plain", ""),
    ]
}

/// One server and one model for all, since making either takes longer than the request.
struct Asked {
    server: FakeServer,
    next: Arc<Mutex<Option<Reply>>>,
    model: OpenAiModel,
}

impl Asked {
    fn new() -> Self {
        let next = Arc::new(Mutex::new(None));
        let replies = Arc::clone(&next);
        let server = FakeServer::start(move |_| {
            let reply: Option<Reply> = replies.lock().unwrap().take();
            reply.unwrap_or_else(|| Reply::words("A request too many."))
        })
        .unwrap();
        let model = model(&server.base_url());
        Self {
            server,
            next,
            model,
        }
    }

    /// Answers a request so; returns what it came to, the wait, and how many requests there were.
    async fn outcome(&self, reply: Reply) -> (Came, Option<u64>, usize) {
        let n_before = self.server.chats().len();
        *self.next.lock().unwrap() = Some(reply);
        let outcome = ask(&self.model).await;
        let wait = match &outcome {
            Err(ModelError::Transient { retry_after_ms, .. }) => *retry_after_ms,
            _ => None,
        };
        (
            Came::of(&outcome),
            wait,
            self.server.chats().len() - n_before,
        )
    }
}

fn bare(error: &Value) -> Reply {
    Reply::json(0, &json!({"error": error}))
}

#[tokio::test]
async fn p28_what_passes_is_told_from_what_does_not() {
    let asked = Asked::new();
    let (mut n_seen, mut wrong) = (0_usize, Vec::new());
    let mut check =
        |what: String, seen: (Came, Option<u64>, usize), expected: (Came, Option<u64>)| {
            n_seen += 1;
            if seen != (expected.0, expected.1, 1) {
                wrong.push(format!("{what}: {seen:?}"));
            }
        };
    for status in [408, 409, 425, 429, 500, 502, 503, 504, 520, 529] {
        for reply in refusals("busy") {
            let seen = asked.outcome(Reply { status, ..reply }).await;
            check(format!("{status}"), seen, (Came::Transient, None));
        }
    }
    for (name, value, wait) in WAITS {
        for reply in refusals("rate_limit_exceeded") {
            let reply = Reply {
                status: 429,
                ..reply
            }
            .header("date", "Thu, 09 Oct 2025 08:53:20 GMT")
            .header(name, value);
            let seen = asked.outcome(reply).await;
            check(format!("{name}: {value}"), seen, (Came::Transient, wait));
        }
    }
    let person = Came::Person;
    for (status, cause) in [
        (400, PersonCause::Refused),
        (401, PersonCause::NoKey),
        (402, PersonCause::Billing),
        (403, PersonCause::Refused),
        (404, PersonCause::Unreachable),
        (422, PersonCause::Refused),
    ] {
        for reply in refusals("no") {
            let reply = Reply { status, ..reply }.header("retry-after", "1");
            let seen = asked.outcome(reply).await;
            check(format!("{status}"), seen, (person(cause), None));
        }
    }
    for (status, error) in [
        (429, json!({"message": "No.", "type": "insufficient_quota"})),
        (429, json!({"message": "No.", "code": "insufficient_quota"})),
        (403, json!({"message": "You exceeded your current quota."})),
    ] {
        let seen = asked
            .outcome(Reply {
                status,
                ..bare(&error)
            })
            .await;
        check(
            error.to_string(),
            seen,
            (person(PersonCause::Billing), None),
        );
    }
    Promise::new(
        28,
        wrong.is_empty(),
        format!(
            "{n_seen} refusals, {} taken for another {wrong:?}",
            wrong.len()
        ),
        "each in its class with its wait, one request each",
    )
    .tell();
}
