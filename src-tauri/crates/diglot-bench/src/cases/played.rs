//! What must hold of every script that was played, and the keys that are about it: FLAG, FINAL.

use diglot_api::view::document::{DocumentView, IssueKindView, UnitStateView};
use diglot_api::view::session::ProposalView;
use diglot_document::{Document, Format, ParseOptions, render_target};
use diglot_testkit::{After, Recorded, Script, Turn};
use serde_json::Value;

use super::case::Case;
use super::evidence::Evidence;
use super::folder::Files;
use super::keys;
use super::play::{Played, Shown};
use super::report::Report;

/// Judges what was played.
pub(crate) fn judge(case: &Case, evidence: &Evidence, report: &mut Report) {
    let expect = &case.expect;
    if !expect.finals.is_empty() {
        report.note("FINAL", finals(case, evidence.outputs()));
    }
    let Some(played) = &evidence.played else {
        return;
    };
    report.trace = trace(played);
    report.note("pairing", played.violations.clone());
    report.note("render", renders(played));
    report.note("inside", leaks(evidence, played));
    if case.scenario.is_empty() {
        report.note("sources", keys::sources(evidence, &[&played.written]));
    }
    let Some(script) = &case.script else { return };
    report.note("script", plays_out(script, played));
    if let Some(flags) = &expect.flag {
        if flags.is_empty() || has_whole_drafts(script) {
            report.note("FLAG", shows(flags, played));
        } else {
            let note = "FLAG: every draft was cut by length, and is a failed step";
            report.unchecked.push(note.to_owned());
        }
    }
}

/// Tells the conversation: what each request adds to the one before.
fn trace(played: &Played) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut before: &[Value] = &[];
    for (place, request) in played.requests.iter().enumerate() {
        let memory = if request.is_memory() { ", memory" } else { "" };
        lines.push(format!(
            "request {}{memory}, {} bytes",
            place + 1,
            request.n_bytes
        ));
        let messages = request.messages();
        let n_shared = messages
            .iter()
            .zip(before)
            .take_while(|(new, old)| new == old)
            .count();
        let added = messages.iter().skip(n_shared);
        lines.extend(added.map(|message| format!("  {message}")));
        before = messages;
    }
    lines.push(format!(
        "stopped for {:?}, {} decisions refused",
        played.stops, played.n_refused
    ));
    lines.push(format!("ended with {:?}", played.view.finish));
    lines
}

fn finals(case: &Case, outputs: &Files) -> Vec<String> {
    let expected = |path: &String| std::fs::read(case.folder.join("out").join(path));
    let judge = |path: &String| match (expected(path), outputs.get(path)) {
        (Err(error), _) => Some(format!("out/{path}: {error}")),
        (Ok(_), None) => Some(format!("{path} was not written")),
        (Ok(wanted), Some(found)) if wanted == *found => None,
        (Ok(wanted), Some(found)) => Some(keys::difference(path, found, &wanted)),
    };
    case.expect.finals.iter().filter_map(judge).collect()
}

/// What is written is the source with the confirmed units in their places, and nothing else lies there.
pub(crate) fn renders(played: &Played) -> Vec<String> {
    let mut faults = Vec::new();
    for (path, found) in &played.written.targets {
        let (Some(view), Some(source)) =
            (played.documents.get(path), played.written.sources.get(path))
        else {
            // The target of a document that was deleted stays; anything else is left over from writing.
            if Format::from_path(path).is_err() {
                faults.push(format!("{path} is none of the documents"));
            }
            continue;
        };
        match render(path, view, source) {
            Some(wanted) if wanted == *found => {}
            Some(wanted) => faults.push(keys::difference(path, found, &wanted)),
            None => faults.push(format!("{path} cannot be rendered")),
        }
    }
    for (path, view) in &played.documents {
        if view.n_confirmed > 0 && !played.written.targets.contains_key(path) {
            faults.push(format!("{path} was not written"));
        }
    }
    faults
}

fn render(path: &str, view: &DocumentView, source: &[u8]) -> Option<Vec<u8>> {
    let options = ParseOptions {
        encoding: Some(view.encoding.clone()),
        ..ParseOptions::default()
    };
    let document = Document::parse(Format::from_path(path).ok()?, source, &options).ok()?;
    let target = |ordinal: usize| {
        let unit = view.units.get(ordinal)?;
        let is_confirmed = matches!(unit.state, UnitStateView::Approved | UnitStateView::Refined);
        unit.target.as_deref().filter(|_| is_confirmed)
    };
    render_target(&document, target).ok()
}

/// What lies beside the project never reaches the model. The model's own words, sent back to it, do not count.
fn leaks(evidence: &Evidence, played: &Played) -> Vec<String> {
    let texts = evidence.input.around.iter().filter_map(|(path, bytes)| {
        let text = std::str::from_utf8(bytes).ok()?.trim();
        (text.len() >= 4).then_some((path, text))
    });
    let is_told = |text: &str| played.requests.iter().any(|request| tells(request, text));
    let leaked = texts.filter(|(_, text)| is_told(text));
    leaked
        .map(|(path, _)| format!("the text of {path} was sent to the model"))
        .collect()
}

/// Tells whether a request holds a text elsewhere than in the model's own messages.
pub(crate) fn tells(request: &Recorded, text: &str) -> bool {
    let own = |message: &&Value| message.get("role").is_none_or(|role| role != "assistant");
    let mut contents = request.messages().iter().filter(own);
    contents.any(|message| {
        message
            .get("content")
            .is_some_and(|content| holds(content, text))
    })
}

fn holds(content: &Value, text: &str) -> bool {
    match content {
        Value::String(content) => content.contains(text),
        Value::Array(parts) => parts.iter().any(|part| holds(part, text)),
        Value::Object(fields) => fields.values().any(|field| holds(field, text)),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

/// Every turn was asked for, and a model that behaves well in the end brings the document to its end.
fn plays_out(script: &Script, played: &Played) -> Vec<String> {
    let mut faults = Vec::new();
    let n_asked = played
        .requests
        .iter()
        .filter(|request| !request.is_memory())
        .count();
    if n_asked < script.turns.len() {
        faults.push(format!(
            "only {n_asked} of {} turns were asked for",
            script.turns.len()
        ));
    }
    if script.after == After::Cooperate && !played.is_cut {
        let is_meant = |path: &str| script.document.as_deref().is_none_or(|meant| meant == path);
        for (path, view) in played.documents.iter().filter(|(path, _)| is_meant(path)) {
            if view.n_confirmed < view.n_units {
                let (n, all) = (view.n_confirmed, view.n_units);
                faults.push(format!("{path} ends with {n} of {all} units confirmed"));
            }
        }
    }
    faults
}

/// Each flag is seen with a draft of the script; with none given, no draft of the script is seen.
fn shows(flags: &[String], played: &Played) -> Vec<String> {
    let scripted = || played.shown.iter().filter(|shown| shown.is_scripted);
    if flags.is_empty() {
        let unwanted =
            |shown: &Shown| format!("the reviewer was asked about {:?}", shown.draft.target);
        return scripted().map(unwanted).collect();
    }
    missing(flags, scripted().map(|shown| &shown.draft))
}

/// Lists the flags that no draft carries.
pub(crate) fn missing<'a>(
    flags: &[String],
    drafts: impl Iterator<Item = &'a ProposalView>,
) -> Vec<String> {
    let issues = drafts.flat_map(|draft| &draft.issues);
    let seen: Vec<&str> = issues.map(|issue| name(issue.kind)).collect();
    let missing = flags.iter().filter(|flag| !seen.contains(&flag.as_str()));
    missing
        .map(|flag| format!("no draft carries the flag {flag}, only {seen:?}"))
        .collect()
}

/// Tells whether a draft of the script is not cut by length; those that are never reach the reviewer (SPEC 2).
fn has_whole_drafts(script: &Script) -> bool {
    let is_cut = |turn: &Turn| {
        let choice = turn
            .json
            .as_ref()
            .and_then(|json| json.pointer("/choices/0"));
        choice.and_then(|choice| choice.get("finish_reason")) == Some(&"length".into())
    };
    let has_draft = |turn: &Turn| {
        let text = turn.json.as_ref().map(ToString::to_string);
        let texts = [
            text,
            turn.raw.clone(),
            turn.sse.as_ref().map(|lines| lines.concat()),
        ];
        texts
            .iter()
            .flatten()
            .any(|text| text.contains("Translate"))
    };
    script
        .turns
        .iter()
        .any(|turn| has_draft(turn) && !is_cut(turn))
}

/// Names a kind of issue as cases do.
pub(crate) fn name(kind: IssueKindView) -> &'static str {
    match kind {
        IssueKindView::Placeholder => "placeholder",
        IssueKindView::Protected => "protected",
        IssueKindView::Markup => "markup",
        IssueKindView::Number => "number",
        IssueKindView::Echo => "echo",
        IssueKindView::Language => "language",
        IssueKindView::Commentary => "commentary",
        IssueKindView::Reasoning => "reasoning",
        IssueKindView::Refusal => "refusal",
        IssueKindView::Truncated => "truncated",
        IssueKindView::Repetition => "repetition",
        IssueKindView::Length => "length",
        IssueKindView::Term | IssueKindView::ForbiddenTerm => "glossary",
        IssueKindView::Brackets => "brackets",
        IssueKindView::Ending => "ending",
        IssueKindView::Spacing => "spacing",
        IssueKindView::DoubledWord => "doubled word",
        IssueKindView::TooLong => "too long",
        IssueKindView::SourceScript => "source script",
        IssueKindView::PluralForms => "plural forms",
        IssueKindView::Accelerator => "accelerator",
        IssueKindView::NoDraft => "no draft",
        IssueKindView::Gap => "gap",
        IssueKindView::Outdated => "outdated",
    }
}
