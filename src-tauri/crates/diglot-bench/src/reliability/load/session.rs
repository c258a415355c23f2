//! P33: a session with a long log. Writes the log as the product does, through its fold and store, and opens it.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use diglot_agent::copilot::DecisionMode;
use diglot_agent::entry::SourceRead;
use diglot_agent::matches::NoMatches;
use diglot_agent::message::{RawMessage, ToolDetail, Usage};
use diglot_agent::store::Commit;
use diglot_agent::terms::{Glossary, NoTerms};
use diglot_agent::{
    CallId, Context, CopilotResponse, Decision, Entry, Memory, Message, ProjectPath, Seq,
    SessionId, SessionSettings, SourceText, ToolArguments, ToolCall, ToolResult,
};
use diglot_api::view::settings::Settings;
use diglot_document::{LanguagePair, LanguageTag, Origin, Rules, UnitState};
use diglot_store::{NewSession, Store};
use diglot_testkit::{FolderFixture, Promise};
use serde_json::{Value, json};

use super::serve::Serve;
use super::{Scale, memory_of, milliseconds, quantile};
use crate::reliability::Bench;
use crate::samples::prose::paragraphs;

/// Units of one document, and words of a unit.
const UNITS: usize = 1_000;
const WORDS: usize = 15;
/// Units of the last document that stay open.
const OPEN: usize = 8;
/// Messages of a confirmed unit: the call and its result.
const MESSAGES: usize = 2;
/// Starts that are measured; the middle one counts.
const STARTS: usize = 3;
/// Pages that are scrolled to.
const PAGES: usize = 60;
/// Rows of a page: more than a window shows.
const ROWS: usize = 50;
/// Pages of one document before the next.
const PAGES_EACH: usize = 20;

/// Measures the promise.
pub(in crate::reliability) fn run(bench: &Bench) -> Result<Vec<Promise>> {
    let scale = Scale::of_build();
    let n_messages = bench.depth.pick(10_000, 100_000);
    let n_documents = n_messages / MESSAGES / UNITS;
    let text = paragraphs(UNITS, WORDS);
    let names: Vec<String> = (1..=n_documents).map(|n| format!("in/{n:03}.md")).collect();
    let files: Vec<(&str, &str)> = names
        .iter()
        .map(|name| (name.as_str(), text.as_str()))
        .collect();
    let folder = FolderFixture::new(&files)?;
    let session = write(&folder.at("data"), &folder.at("in"), n_documents)?;
    let last = format!("{n_documents:03}.md");
    let open = json!({"sessionId": session});
    let unprepared = unprepared(bench, &folder, session, n_documents)?;
    let mut opened = Vec::new();
    let (mut serve, resident) = loop {
        let mut serve = Serve::start(&bench.cli, &folder.at("data"))?;
        let resident = serve.resident();
        let (view, shown) = serve.timed("session_view", &open)?;
        let (page, paged) =
            serve.timed("document_view", &page(session, &last, UNITS - 2 * OPEN))?;
        judge(&view, &page, n_documents)?;
        opened.push(shown + paged);
        if opened.len() == STARTS {
            break (serve, resident);
        }
        serve.close()?;
    };
    let mut pages = Vec::new();
    for place in 0..PAGES {
        let path = format!("{:03}.md", place / PAGES_EACH % n_documents + 1);
        let from = place * 37 % UNITS + 1;
        pages.push(serve.timed("document_view", &page(session, &path, from))?.1);
    }
    let unit = UNITS - OPEN + 1;
    let change = json!({"sessionId": session, "path": last, "unit": unit, "target": "Ein Satz"});
    let (_, decided) = serve.timed("unit_revise", &change)?;
    let grown = serve
        .resident()
        .zip(resident)
        .map(|(now, then)| now.saturating_sub(then));
    serve.close()?;
    Ok(lines(
        scale,
        n_messages,
        &Seen {
            opened,
            unprepared,
            decided,
            pages,
            grown,
        },
    ))
}

/// Opens the session as after a kill, when nothing was kept of what it shows, and waits for all of it.
fn unprepared(
    bench: &Bench,
    folder: &FolderFixture,
    session: i64,
    n_documents: usize,
) -> Result<Duration> {
    let mut serve = Serve::start(&bench.cli, &folder.at("data"))?;
    let open = json!({"sessionId": session});
    let last = page(session, &format!("{n_documents:03}.md"), UNITS - 2 * OPEN);
    let (view, shown) = serve.timed("session_view", &open)?;
    let (page, paged) = serve.timed("document_view", &last)?;
    let is_opening = view.get("isOpening").and_then(Value::as_bool);
    ensure!(is_opening == Some(true), "the log was read first");
    judge_page(&page)?;
    serve.event("sessionChanged")?;
    judge(&serve.call("session_view", &open)?, &page, n_documents)?;
    serve.close()?;
    Ok(shown + paged)
}

struct Seen {
    opened: Vec<Duration>,
    unprepared: Duration,
    decided: Duration,
    pages: Vec<Duration>,
    grown: Option<u64>,
}

fn lines(scale: Scale, n_messages: usize, seen: &Seen) -> Vec<Promise> {
    let opened = quantile(&seen.opened, 50);
    let scrolled = quantile(&seen.pages, 95);
    let grown = seen.grown.unwrap_or_default();
    let is_held = opened <= scale.time(300)
        && seen.unprepared <= scale.time(300)
        && seen.decided <= scale.time(3_000)
        && scrolled <= scale.time(50)
        && grown <= 60_000_000;
    let figure = format!(
        "{n_messages} messages: open in {}, first decision in {}, page in {} (p95), {} more memory; after a kill open in {}",
        milliseconds(opened),
        milliseconds(seen.decided),
        milliseconds(scrolled),
        memory_of(seen.grown),
        milliseconds(seen.unprepared),
    );
    let goal = scale.told("open <= 300 ms, first decision <= 3 s, page <= 50 ms, memory <= 60 MB");
    vec![Promise::new(33, is_held, figure, &goal)]
}

fn page(session: i64, path: &str, from: usize) -> Value {
    json!({"sessionId": session, "path": path, "fromUnit": from, "limit": ROWS})
}

/// Sees to it that what was opened is the session that was written.
fn judge(view: &Value, page: &Value, n_documents: usize) -> Result<()> {
    let n_confirmed = n_documents * UNITS - OPEN;
    let told = view.pointer("/session/nConfirmed").and_then(Value::as_u64);
    ensure!(
        told == Some(n_confirmed as u64),
        "{told:?} units are confirmed, not {n_confirmed}"
    );
    ensure!(is_full(view, "turns", 100), "the conversation is short");
    judge_page(page)
}

fn is_full(view: &Value, name: &str, n: usize) -> bool {
    let found = view.get(name).and_then(Value::as_array);
    found.is_some_and(|found| found.len() >= n)
}

/// Sees to it that a page shows what was confirmed.
fn judge_page(page: &Value) -> Result<()> {
    ensure!(is_full(page, "units", OPEN), "the page is short");
    let first = page.pointer("/units/0/target").and_then(Value::as_str);
    ensure!(
        first.is_some_and(|text| !text.is_empty()),
        "the page shows no target"
    );
    Ok(())
}

/// Writes the session: all units confirmed one by one, but for the last ones.
fn write(data: &Path, folder: &Path, n_documents: usize) -> Result<i64> {
    let store = Store::open(&data.join("diglot.db"), 1)?.store;
    let tag = |text| LanguageTag::parse(text);
    let languages = LanguagePair {
        source: tag("en")?,
        target: tag("de")?,
    };
    let text = folder.canonicalize()?.display().to_string();
    let session = store.create_session(&NewSession {
        title: "long".to_owned(),
        target_folder: format!("{text}-de"),
        folder: text,
        languages: languages.clone(),
        instructions: String::new(),
        settings: json!({}),
        at: 1,
    })?;
    let mut writer = Writer {
        store: &store,
        context: Context::new(settings(session, languages)),
        entries: Vec::new(),
        sources: Vec::new(),
        written: Seq(0),
    };
    let opening = "Translate this project.".to_owned();
    writer.take(Entry::Message(Message::User { text: opening }))?;
    for number in 1..=n_documents {
        let name = format!("{number:03}.md");
        let n_open = if number == n_documents { OPEN } else { 0 };
        writer.document(&name, std::fs::read(folder.join(&name))?, n_open)?;
    }
    Ok(session.0)
}

fn settings(session: SessionId, languages: LanguagePair) -> SessionSettings {
    let standard = Settings::default();
    SessionSettings {
        session,
        languages,
        instructions: String::new(),
        look_ahead: standard.look_ahead,
        chunk_units: standard.chunk_units,
        soft_limit: standard.soft_limit,
        rules: Rules::default(),
        when_missing: std::collections::BTreeMap::new(),
        token_cap: standard.token_cap,
        guides: [].into(),
    }
}

/// Appends to the log and writes it in parts.
struct Writer<'a> {
    store: &'a Store,
    context: Context,
    entries: Vec<Entry>,
    sources: Vec<SourceText>,
    written: Seq,
}

impl Writer<'_> {
    fn take(&mut self, entry: Entry) -> Result<()> {
        self.context.append(entry.clone())?;
        self.entries.push(entry);
        Ok(())
    }

    fn document(&mut self, name: &str, bytes: Vec<u8>, n_open: usize) -> Result<()> {
        let path = ProjectPath::parse(name)?;
        let source = SourceText::new(bytes);
        self.context.add_source(source.clone());
        self.sources.push(source.clone());
        let read = SourceRead {
            path: path.clone(),
            hash: source.hash,
            encoding: None,
            rules: Rules::default(),
        };
        self.take(Entry::SourceRead(read))?;
        let segments = self
            .context
            .document(&path)
            .context("no document")?
            .segments();
        let sources: Vec<String> = segments
            .iter()
            .map(|segment| segment.source.clone())
            .collect();
        ensure!(sources.len() == UNITS, "{name} has {} units", sources.len());
        for (place, source) in sources.iter().enumerate().take(UNITS - n_open) {
            if place % 32 == 0 {
                self.chunk(&path, place)?;
            }
            self.unit(name, place + 1, source)?;
        }
        self.flush()
    }

    /// Opens a window as the product does: with the units that follow.
    fn chunk(&mut self, path: &ProjectPath, place: usize) -> Result<()> {
        let empty = Context::new(self.context.settings().clone());
        let memory = Memory::default();
        let glossary = Glossary::new(&NoTerms, &memory, &empty.settings().languages);
        let opened = empty.next_chunk(&memory, &NoMatches, &glossary);
        let mut chunk = opened.context("no chunk")?;
        chunk.path = Some(path.clone());
        (chunk.from_unit, chunk.to_unit) = (place + 1, (place + 40).min(UNITS));
        self.take(Entry::Chunk(chunk))
    }

    /// Appends a draft, its approval and its result.
    fn unit(&mut self, name: &str, unit: usize, source: &str) -> Result<()> {
        let id = CallId::new(Seq(self.context.seq().0 + 1), 0);
        let target = source.replace("Unit", "Einheit");
        let arguments = json!({"file_id": name, "unit": unit, "translate_string": target});
        let raw = json!({"role": "assistant", "content": null, "tool_calls": [{"id": "call_1", "type": "function",
            "function": {"name": "Translate", "arguments": arguments.to_string()}}]});
        let call = ToolCall {
            id: id.clone(),
            name: "Translate".to_owned(),
            arguments: ToolArguments::Parsed(arguments),
            origin: Origin::Model,
        };
        self.take(Entry::Message(Message::Assistant {
            text: String::new(),
            reasoning: None,
            tool_calls: vec![call],
            raw: Some(RawMessage {
                provider: "scripted test-model".to_owned(),
                message: raw,
            }),
            usage: Usage {
                n_input: 2_000,
                n_cached: 1_500,
                n_output: 60,
            },
            asked: None,
        }))?;
        self.take(Entry::Response(CopilotResponse {
            call_id: id.clone(),
            decision: Decision::Approve,
            mode: DecisionMode::Single,
            at: 1,
        }))?;
        let path = ProjectPath::parse(name)?;
        let content = format!(
            "{{\"unit\": {unit}, \"status\": \"approved\"}}\nNext open unit: {} of {name}",
            unit + 1
        );
        self.take(Entry::Message(Message::Tool(ToolResult {
            call_id: id,
            content,
            detail: ToolDetail::Decided {
                path,
                unit,
                state: UnitState::Approved,
            },
        })))
    }

    fn flush(&mut self) -> Result<()> {
        let commit = Commit {
            session: self.context.settings().session,
            expected: self.written,
            entries: std::mem::take(&mut self.entries),
            sources: std::mem::take(&mut self.sources),
            units: self.context.take_touched(),
            counts: self.context.counts(),
            pairs: Vec::new(),
            withdrawn: Vec::new(),
            memory: Vec::new(),
            forgotten: Vec::new(),
            at: 1,
        };
        self.context.take_pairs();
        self.written = self.store.commit(&commit)?;
        Ok(())
    }
}
