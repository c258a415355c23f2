//! P37: what is written to the disk while a person works, and while nobody does.

use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use diglot_testkit::{FolderFixture, Promise};
use serde_json::{Value, json};

use super::serve::Serve;
use crate::reliability::Bench;
use crate::samples::prose::paragraphs;

/// Words of a paragraph.
const WORDS: usize = 30;
/// Units of a document whose target is written after each decision, since it is small: nearly 64 kB.
const SMALL: usize = 340;
/// Units of one of nearly a megabyte.
const LARGE: usize = 5_200;

/// Watches an application in which nobody does anything.
struct Idle {
    serve: Serve,
    _folder: FolderFixture,
    begun: Instant,
    written: Option<u64>,
}

impl Idle {
    /// Opens a session, makes a decision and lets it rest.
    fn start(bench: &Bench) -> Result<Self> {
        let folder = FolderFixture::new(&[("in/a.md", paragraphs(SMALL, WORDS))])?;
        let (mut serve, session) = open(bench, &folder, "a.md")?;
        decide(&mut serve, &session, "a.md", 1)?;
        serve.event("targetsChanged")?;
        let written = serve.written();
        Ok(Self {
            serve,
            _folder: folder,
            begun: Instant::now(),
            written,
        })
    }

    /// Waits until it has rested so long, and says what was written.
    fn line(self, rest: Duration) -> Result<Promise> {
        std::thread::sleep(rest.saturating_sub(self.begun.elapsed()));
        let seconds = self.begun.elapsed().as_secs();
        let n_bytes = self
            .serve
            .written()
            .zip(self.written)
            .map(|(now, then)| now - then);
        self.serve.close()?;
        let figure = match n_bytes {
            Some(n_bytes) => format!("{n_bytes} bytes in {seconds} s without work"),
            None => "passed over: the system does not count".to_owned(),
        };
        let is_held = n_bytes.unwrap_or_default() == 0;
        Ok(Promise::new(37, is_held, figure, "0 bytes without work"))
    }
}

/// Measures the promise.
pub(in crate::reliability) fn run(bench: &Bench) -> Result<Vec<Promise>> {
    let idle = Idle::start(bench)?;
    let n_small = bench.depth.pick(20, 500);
    let n_large = bench.depth.pick(100, 500);
    let mut lines = Vec::new();
    for (name, n_units, n_decisions) in [("small", SMALL, n_small), ("large", LARGE, n_large)] {
        let text = paragraphs(n_units, WORDS);
        let n_bytes = text.len();
        let folder = FolderFixture::new(&[("in/a.md", text)])?;
        let (mut serve, session) = open(bench, &folder, "a.md")?;
        decide(&mut serve, &session, "a.md", 1)?;
        serve.event("targetsChanged")?;
        let before = serve.written();
        for unit in (1..=n_units).cycle().skip(1).take(n_decisions) {
            serve.forget_events();
            decide(&mut serve, &session, "a.md", unit)?;
            // The worst case of a small target: so slow a person that it is written after each decision.
            if name == "small" {
                serve.event("targetsChanged")?;
            }
        }
        let written = serve
            .written()
            .zip(before)
            .map(|(now, then)| (now - then) / n_decisions as u64);
        serve.close()?;
        let figure = match written {
            Some(written) => format!(
                "{} kB a unit over {n_decisions} units of a document of {} kB",
                written / 1000,
                n_bytes / 1000
            ),
            None => "passed over: the system does not count".to_owned(),
        };
        let is_held = written.unwrap_or_default() <= 256_000;
        lines.push(Promise::new(37, is_held, figure, "<= 256 kB a unit"));
    }
    let rest = Duration::from_secs(bench.depth.pick(8, 20));
    lines.push(idle.line(rest)?);
    Ok(lines)
}

/// Opens a session over a folder of one document.
fn open(bench: &Bench, folder: &FolderFixture, path: &str) -> Result<(Serve, Value)> {
    let mut serve = Serve::start(&bench.cli, &folder.at("data"))?;
    let project = serve.call("project_open", &json!({"path": folder.at("in")}))?;
    let id = project.get("id").cloned().unwrap_or_default();
    let wanted = json!({"projectId": id, "sourceLanguage": "en", "targetLanguage": "de"});
    let view = serve.call("session_create", &wanted)?;
    let session = view.pointer("/session/id").cloned().context("no session")?;
    serve.call(
        "document_view",
        &json!({"sessionId": session, "path": path}),
    )?;
    Ok((serve, session))
}

fn decide(serve: &mut Serve, session: &Value, path: &str, unit: usize) -> Result<()> {
    let target = format!(
        "Absatz {unit} mit einem Text, der etwa so lang ist wie sonst ein Absatz in einem Buch."
    );
    let change = json!({"sessionId": session, "path": path, "unit": unit, "target": target});
    serve.call("unit_revise", &change)?;
    Ok(())
}
