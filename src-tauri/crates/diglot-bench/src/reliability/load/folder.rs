//! P34: a folder of many files, one half in one folder, the other in folders of a hundred.

use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use diglot_testkit::{Cooperation, FakeServer, Promise, Recorded};
use serde_json::{Value, json};

use super::serve::Serve;
use super::{Scale, milliseconds, quantile};
use crate::reliability::Bench;

/// Files of a small folder.
const FEW: usize = 100;
/// What a model may be shown of a listing: lines, bytes (SPEC 10.12).
const LINES: usize = 500;
const BYTES: usize = 20_000;

/// Measures the promise.
pub(in crate::reliability) fn run(bench: &Bench) -> Result<Vec<Promise>> {
    let scale = Scale::of_build();
    let n_files = bench.depth.pick(10_000, 100_000);
    let place = tempfile::tempdir()?;
    let folder = place.path().join("in");
    fill(&folder, n_files)?;
    let mut serve = Serve::start(&bench.cli, &place.path().join("data"))?;
    let path = folder.to_str().context("a name that is text")?;
    let (view, first) = serve.timed("project_open", &json!({"path": path}))?;
    ensure!(n_shown(&view) == 200, "{} files are shown", n_shown(&view));
    let id = view.get("id").cloned().unwrap_or_default();
    let n_found = whole(&mut serve, &id)?;
    ensure!(
        n_found == n_files as u64,
        "{n_found} files are found, not {n_files}"
    );
    let mut pages = Vec::new();
    for place in 0..20 {
        let offset = n_files / 20 * place;
        let (view, time) =
            serve.timed("project_view", &json!({"projectId": id, "offset": offset}))?;
        ensure!(n_shown(&view) == 200, "the page at {offset} is short");
        pages.push(time);
    }
    let (n_lines, n_bytes) = listing(&mut serve, &id)?;
    serve.close()?;
    let left = leave(bench, place.path(), path)?;
    let page = quantile(&pages, 95);
    let is_held = first <= scale.time(300)
        && page <= scale.time(100)
        && n_lines <= LINES
        && n_bytes <= BYTES
        && left <= scale.time(1_000);
    let figure = format!(
        "{n_files} files: first page in {}, another in {} (p95), LS {n_lines} lines of {n_bytes} bytes, left in {}",
        milliseconds(first),
        milliseconds(page),
        milliseconds(left),
    );
    let goal = "first page <= 300 ms, another <= 100 ms, LS <= 500 lines, left within 1 s";
    Ok(vec![Promise::new(34, is_held, figure, &scale.told(goal))])
}

/// Leaves while the folder is still gone through.
fn leave(bench: &Bench, place: &Path, folder: &str) -> Result<Duration> {
    let mut serve = Serve::start(&bench.cli, &place.join("data"))?;
    serve.send("project_open", &json!({"path": folder}))?;
    serve.call("app_view", &json!({}))?;
    serve.close()
}

fn fill(folder: &Path, n_files: usize) -> Result<()> {
    let text = |number: usize| format!("Open the valve number {number} and wait for the pump.\n");
    fs::create_dir_all(folder)?;
    for number in 0..n_files / 2 {
        fs::write(folder.join(format!("note {number}.txt")), text(number))?;
        let below = folder.join(format!("part {}", number / FEW));
        if number % FEW == 0 {
            fs::create_dir(&below)?;
        }
        fs::write(below.join(format!("page {number}.md")), text(number))?;
    }
    Ok(())
}

fn n_shown(view: &Value) -> usize {
    view.get("files")
        .and_then(Value::as_array)
        .map_or(0, Vec::len)
}

/// Waits until all files are found, and counts them.
fn whole(serve: &mut Serve, id: &Value) -> Result<u64> {
    loop {
        let view = serve.call("project_view", &json!({"projectId": id, "limit": 1}))?;
        if view.get("isWhole").and_then(Value::as_bool) != Some(false) {
            return view
                .get("nFiles")
                .and_then(Value::as_u64)
                .context("no count");
        }
        serve.event("projectChanged")?;
    }
}

/// Lets a model list the folder; returns the lines and bytes that it is shown.
fn listing(serve: &mut Serve, id: &Value) -> Result<(usize, usize)> {
    let model = FakeServer::cooperative(Cooperation::default())?;
    let provider = json!({"id": "scripted", "name": "Scripted", "baseUrl": model.base_url(), "model": "test-model",
        "protocol": "tools", "temperature": null, "maxOutputTokens": null});
    let mut settings = serve.call("settings_view", &json!({}))?;
    let known = settings.get_mut("settings").map(Value::take);
    let mut settings = known.unwrap_or(settings);
    let fields = settings.as_object_mut().context("no settings")?;
    fields.insert("translator".to_owned(), json!("scripted"));
    fields.insert("providers".to_owned(), json!([provider]));
    serve.call("settings_update", &json!({"settings": settings}))?;
    let wanted = json!({"projectId": id, "sourceLanguage": "en", "targetLanguage": "de"});
    let session = serve.call("session_create", &wanted)?;
    let session = session.pointer("/session/id").cloned().unwrap_or_default();
    serve.call("session_run", &json!({"sessionId": session}))?;
    let chats = model.chats();
    let shown = chats.iter().flat_map(Recorded::messages).filter_map(told);
    let longest = shown
        .max_by_key(|text| text.len())
        .context("nothing was listed")?;
    Ok((longest.lines().count(), longest.len()))
}

fn told(message: &Value) -> Option<&str> {
    let is_result = message.get("role").and_then(Value::as_str) == Some("tool");
    is_result
        .then(|| message.get("content")?.as_str())
        .flatten()
}
