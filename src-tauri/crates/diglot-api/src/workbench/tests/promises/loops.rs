//! P32: a model that goes round in circles is stopped, soon, for a reason that is told, and for good.

use diglot_testkit::{Promise, Recorded};
use serde_json::Value;

use super::*;

/// Most requests of a run: a step is a request or a round of tools.
const REQUESTS: usize = 25;
/// What a loop may cost before the cap, and each of its answers.
const CAP: u64 = 2_000;
const COST: u64 = 300;

struct Loop {
    name: &'static str,
    /// The answer to the request of this number.
    answer: fn(usize) -> Reply,
    /// Most requests.
    n_requests: usize,
    /// Why it ends; without one an attempt is kept that says so.
    finish: Option<FinishView>,
}

fn raw_call(name: &str, arguments: &str) -> Value {
    json!({"id": "a", "type": "function", "function": {"name": name, "arguments": arguments}})
}

fn said(message: &Value, finish: &str) -> Reply {
    let choice = json!({"index": 0, "message": message, "finish_reason": finish});
    let usage = json!({"prompt_tokens": COST - 100, "completion_tokens": 100});
    Reply::json(200, &json!({"choices": [choice], "usage": usage}))
}

fn calls(calls: &[Value]) -> Reply {
    said(
        &json!({"role": "assistant", "content": null, "tool_calls": calls}),
        "tool_calls",
    )
}

fn same(_: usize) -> Reply {
    calls(&[raw_call("LS", "{\"path\": \".\"}")])
}

fn pair(n: usize) -> Reply {
    if n.is_multiple_of(2) {
        return same(n);
    }
    calls(&[raw_call("Read", "{\"file_id\": \"notes.txt\"}")])
}

fn spacing(n: usize) -> Reply {
    let forms = [
        "{\"file_id\":\"notes.txt\",\"limit\":1}",
        "{ \"limit\" : \"1\",\n \"file_id\" : \" notes.txt\" }",
        "{\"limit\": 1, \"file_id\": \"notes.txt \"}",
    ];
    let names = ["Read", "read", "READ"];
    calls(&[raw_call(names[n % 3], forms[n % 3])])
}

fn errors(n: usize) -> Reply {
    calls(&[raw_call(&format!("Tool{n}"), &format!("{{\"n\": {n}}}"))])
}

fn text(_: usize) -> Reply {
    let text = "and so on ".repeat(20_000);
    said(&json!({"role": "assistant", "content": text}), "length")
}

fn thinking(_: usize) -> Reply {
    let thought = "Wait, let me think again. ".repeat(10_000);
    said(
        &json!({"role": "assistant", "content": null, "reasoning_content": thought}),
        "length",
    )
}

fn thousand(_: usize) -> Reply {
    let call = |n| {
        raw_call(
            "Read",
            &format!("{{\"file_id\": \"notes.txt\", \"limit\": {n}}}"),
        )
    };
    calls(&(0..1_000).map(call).collect::<Vec<_>>())
}

fn reads(n: usize) -> Reply {
    let limit = n + 1;
    calls(&[raw_call(
        "Read",
        &format!("{{\"file_id\": \"notes.txt\", \"limit\": {limit}}}"),
    )])
}

const LOOPS: [Loop; 8] = [
    Loop {
        name: "the same call",
        answer: same,
        n_requests: 3,
        finish: Some(FinishView::RepeatedCall),
    },
    Loop {
        name: "two calls in turn",
        answer: pair,
        n_requests: 5,
        finish: Some(FinishView::RepeatedCall),
    },
    Loop {
        name: "the same call in other words",
        answer: spacing,
        n_requests: 3,
        finish: Some(FinishView::RepeatedCall),
    },
    Loop {
        name: "nothing but errors",
        answer: errors,
        n_requests: REQUESTS,
        finish: Some(FinishView::StepLimit),
    },
    Loop {
        name: "text without end",
        answer: text,
        n_requests: 1,
        finish: Some(FinishView::TurnEnded),
    },
    Loop {
        name: "thought without end",
        answer: thinking,
        n_requests: 3,
        finish: None,
    },
    Loop {
        name: "1,000 calls at once",
        answer: thousand,
        n_requests: 3,
        finish: None,
    },
    Loop {
        name: "reads that grow",
        answer: reads,
        n_requests: REQUESTS,
        finish: Some(FinishView::StepLimit),
    },
];

fn looping(answer: fn(usize) -> Reply) -> FakeServer {
    let mut n = 0;
    FakeServer::start(move |_: &Recorded| {
        n += 1;
        answer(n - 1)
    })
    .unwrap()
}

/// Lets a model loop; returns what is wrong with how it was stopped.
async fn stopped(looped: &Loop, token_cap: Option<u64>) -> Option<String> {
    let server = looping(looped.answer);
    let mut bench = Bench::new(&[("notes.txt", NOTES)]);
    let settings = Settings {
        token_cap,
        ..Settings::default()
    };
    bench.use_address(server.base_url(), settings).await;
    let id = bench.start("de").await;
    let view = bench.run(id).await;
    let n_requests = server.chats().len();
    let is_capped = view.finish == Some(FinishView::TokenCap);
    if n_requests > looped.n_requests || !server.violations().is_empty() {
        return Some(format!("{n_requests} requests, {:?}", server.violations()));
    }
    if view.running || !is_capped && view.finish != looped.finish {
        return Some(format!("ends as {:?}", view.finish));
    }
    if view.finish.is_none() && view.attempt.is_none() {
        return Some("does not say why".to_owned());
    }
    let n_tokens = view.session.n_tokens;
    if n_tokens != COST * n_requests as u64 {
        return Some(format!("{n_tokens} tokens told of {n_requests} requests"));
    }
    if token_cap.is_some_and(|cap| n_tokens > cap + COST) {
        return Some(format!("{n_tokens} tokens"));
    }
    bench.reopen().await;
    let again = bench.view(id).await;
    let is_same = (again.finish, &again.attempt, again.session.n_tokens)
        == (view.finish, &view.attempt, n_tokens);
    if !is_same || again.running {
        return Some(format!("another after a restart: {:?}", again.finish));
    }
    // Where a limit is the reason, it also holds against a host that asks.
    if view.finish.is_some() {
        bench.run(id).await;
    }
    let n_after = server.chats().len();
    (n_after != n_requests).then(|| "goes on after a restart".to_owned())
}

#[tokio::test(flavor = "multi_thread")]
async fn p32_a_loop_cannot_burn_money() {
    let (mut n_runs, mut wrong) = (0_usize, Vec::new());
    for looped in &LOOPS {
        for cap in [None, Some(CAP), Some(COST * 2)] {
            n_runs += 1;
            let found = stopped(looped, cap).await;
            wrong.extend(found.map(|what| format!("{} under {cap:?}: {what}", looped.name)));
        }
    }
    Promise::new(
        32,
        wrong.is_empty(),
        format!(
            "8 loops in {n_runs} runs, {} not stopped {wrong:?}",
            wrong.len()
        ),
        "after 3 equal calls, 25 steps or the cap and one request, also across a restart",
    )
    .tell();
}
