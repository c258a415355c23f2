//! P35: one large document, and the decisions that a person makes in it.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use diglot_testkit::{FolderFixture, Promise};
use serde_json::{Value, json};

use super::serve::Serve;
use super::{Scale, memory_of, milliseconds, quantile};
use crate::reliability::Bench;
use crate::samples::prose::paragraphs;

/// Words of a paragraph, and bytes of one with them.
const WORDS: usize = 60;
const BYTES: usize = 360;

/// Measures the promise.
pub(in crate::reliability) fn run(bench: &Bench) -> Result<Vec<Promise>> {
    let scale = Scale::of_build();
    let n_bytes = bench.depth.pick(5_000_000, 50_000_000);
    let n_decisions = bench.depth.pick(40, 200);
    let text = paragraphs(n_bytes / BYTES, WORDS);
    let n_bytes = text.len() as u64;
    let folder = FolderFixture::new(&[("in/book.md", text)])?;
    let mut serve = Serve::start(&bench.cli, &folder.at("data"))?;
    let resident = serve.resident();
    let (session, opened) = open(&mut serve, &folder)?;
    let mut decided = Vec::new();
    for unit in 1..=n_decisions {
        let target = format!("Absatz {unit}");
        let change =
            json!({"sessionId": session, "path": "book.md", "unit": unit, "target": target});
        let time = serve.timed("unit_revise", &change)?.1;
        // The first one reads the document for the session, which opening counts.
        if unit > 1 {
            decided.push(time);
        }
    }
    let grown = serve
        .resident()
        .zip(resident)
        .map(|(now, then)| now.saturating_sub(then));
    serve.close()?;
    let target = folder.read("in-de/book.md").context("no target")?;
    ensure!(
        target.starts_with(b"Absatz 1\n\nAbsatz 2\n"),
        "the target is another text"
    );
    let confirmed = quantile(&decided, 95);
    // What a large one may take is there for a small one too.
    let memory = (4 * n_bytes).max(200_000_000);
    let is_held = opened <= scale.time(1_500)
        && confirmed <= scale.time(50)
        && grown.unwrap_or_default() <= memory;
    let figure = format!(
        "{} MB: first unit in {}, a confirmation in {} (p95), {} more memory",
        n_bytes / 1_000_000,
        milliseconds(opened),
        milliseconds(confirmed),
        memory_of(grown),
    );
    let goal = "first unit <= 1500 ms, confirmation <= 50 ms, memory <= 4 x 50 MB";
    Ok(vec![Promise::new(35, is_held, figure, &scale.told(goal))])
}

/// Opens the folder, a session and the first page; returns the session and the time of all.
fn open(serve: &mut Serve, folder: &FolderFixture) -> Result<(Value, Duration)> {
    let path = folder.at("in");
    let (project, opened) = serve.timed("project_open", &json!({"path": path}))?;
    let id = project.get("id").cloned().unwrap_or_default();
    let wanted = json!({"projectId": id, "sourceLanguage": "en", "targetLanguage": "de"});
    let (view, created) = serve.timed("session_create", &wanted)?;
    let session = view.pointer("/session/id").cloned().context("no session")?;
    let page = json!({"sessionId": session, "path": "book.md"});
    let (page, shown) = serve.timed("document_view", &page)?;
    ensure!(
        page.pointer("/units/0/source").is_some(),
        "no unit is shown"
    );
    Ok((session, opened + created + shown))
}
