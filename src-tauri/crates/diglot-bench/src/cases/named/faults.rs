//! Named checks of what follows a request that failed: waits, words, sizes, and what is kept of a broken answer.

use serde_json::Value;

use super::super::history;
use super::super::play::Played;
use super::super::played::tells;
use super::{Line, unless};

/// A wait that nobody sits through, in milliseconds.
const LONG_WAIT: i64 = 60_000;
/// Statements of a scenario about another program that reads the database.
pub(crate) const OUTSIDE_READER: &str = "outside reader";

fn played<'a>(line: &'a Line<'_>) -> Option<&'a Played> {
    line.evidence.played.as_ref()
}

/// `time between request 2 and 3 is at least 2 s, between 3 and 4 at least 0.4 s`.
pub(super) fn waits(line: &Line<'_>) -> Option<Vec<String>> {
    let (_, text) = line.text.split_once("time between request ")?;
    let played = played(line)?;
    let number = |word: &str| word.parse::<f64>().ok();
    let mut faults = Vec::new();
    for part in text.split("between ") {
        let numbers: Vec<f64> = part.split_whitespace().filter_map(number).collect();
        let [_, to, seconds, ..] = numbers.as_slice() else {
            continue;
        };
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "small"
        )]
        let to = *to as usize;
        let at = |place: usize| played.requests.get(place).map(|request| request.at);
        let waited = match (
            to.checked_sub(2).and_then(at),
            to.checked_sub(1).and_then(at),
        ) {
            (Some(before), Some(after)) => after.duration_since(before).as_secs_f64(),
            _ => 0.0,
        };
        if waited < *seconds {
            faults.push(format!("request {to} came after {waited:.2} s"));
        }
    }
    Some(faults)
}

/// `the product stops and asks instead of sleeping`.
pub(super) fn stops_and_asks(line: &Line<'_>) -> Option<Vec<String>> {
    if !line.says(&["stops and asks instead of sleeping"]) {
        return None;
    }
    let attempts = &played(line)?.attempts;
    let is_far = attempts.iter().any(|(attempt, seen_at)| {
        let wait = attempt.try_again_at.map(|at| at - seen_at);
        wait.is_some_and(|wait| wait > LONG_WAIT)
    });
    Some(unless(is_far, "no run stopped with a time far ahead"))
}

/// Words of a server that refused are told to the person, not to the model.
pub(super) fn error_texts(line: &Line<'_>) -> Option<Vec<String>> {
    const WORDS: &[&[&str]] = &[
        &["error texts"],
        &["no message is added to the history by the failed attempts"],
    ];
    if !WORDS.iter().any(|words| line.says(words)) {
        return None;
    }
    let played = played(line)?;
    let script = line.case.script.as_ref()?;
    let failed = script.turns.iter().filter(|turn| turn.status >= 400);
    let said = failed.filter_map(|turn| {
        let message = turn.json.as_ref()?.pointer("/error/message")?;
        message.as_str()
    });
    let turns = serde_json::to_string(&played.view.turns).unwrap_or_default();
    let is_told = |text: &&str| {
        turns.contains(text) || played.requests.iter().any(|request| tells(request, text))
    };
    Some(
        said.filter(is_told)
            .map(|text| format!("{text:?} is in the conversation"))
            .collect(),
    )
}

/// `exactly one request per user action for these replies`: the refusals that the script begins with.
pub(super) fn one_request_each(line: &Line<'_>) -> Option<Vec<String>> {
    if !line.says(&["exactly one request per user action"]) {
        return None;
    }
    let script = line.case.script.as_ref()?;
    let n_refusals = script.turns.iter().take_while(|turn| turn.status >= 400);
    let n_refusals = n_refusals.count();
    let runs = played(line)?.runs.iter().take(n_refusals);
    let several = runs.enumerate().filter(|(_, n_requests)| **n_requests != 1);
    Some(
        several
            .map(|(place, n)| format!("run {} made {n} requests", place + 1))
            .collect(),
    )
}

/// `no request exceeds the configured context size (measure bytes/4)`.
pub(super) fn context_size(line: &Line<'_>) -> Option<Vec<String>> {
    if !line.says(&["no request exceeds the configured context size"]) {
        return None;
    }
    let n_tokens = line.case.script.as_ref()?.context_tokens?;
    let requests = &played(line)?.requests;
    let largest = requests.iter().map(|request| request.n_bytes / 4).max();
    let largest = largest.unwrap_or_default() as u64;
    Some(unless(
        largest <= n_tokens,
        format!("a request has {largest} tokens"),
    ))
}

/// `every stored text is valid UTF-8 without NUL`: no view shows one, and requests can be read.
pub(super) fn stored_texts(line: &Line<'_>) -> Option<Vec<String>> {
    if !line.says(&["stored text", "without nul"]) {
        return None;
    }
    let played = played(line)?;
    let views = [
        serde_json::to_value(&played.view).unwrap_or_default(),
        serde_json::to_value(&played.documents).unwrap_or_default(),
    ];
    let mut faults = unless(!views.iter().any(has_nul), "a text holds U+0000");
    let unreadable = played.requests.iter().any(|request| request.body.is_null());
    faults.extend(unless(!unreadable, "a request is no JSON"));
    Some(faults)
}

fn has_nul(value: &Value) -> bool {
    match value {
        Value::String(text) => text.contains('\0'),
        Value::Array(items) => items.iter().any(has_nul),
        Value::Object(fields) => fields.values().any(has_nul),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

/// `memory contains only entries from valid ops`: each was said by the script, and by no prompt of ours.
pub(super) fn memory_from_ops(line: &Line<'_>) -> Option<Vec<String>> {
    if !line.says(&["memory contains only entries from valid ops"]) {
        return None;
    }
    let turns = &line.case.script.as_ref()?.memory_turns;
    let said = |text: &str| {
        let answers = turns.iter().filter_map(|turn| turn.json.as_ref());
        let mut contents =
            answers.filter_map(|json| json.pointer("/choices/0/message/content")?.as_str());
        contents.any(|content| content.contains(text))
    };
    let items = &played(line)?.memory_items;
    let invented = items.iter().filter(|text| !said(text));
    Some(
        invented
            .map(|text| format!("memory holds {text:?}"))
            .collect(),
    )
}

/// `import history.json; force shortening to every length`, and what must not change by it.
pub(super) fn shortening(line: &Line<'_>) -> Option<Vec<String>> {
    let is_meant = line.says(&["force shortening"]) || line.says(&["through shortening"]);
    statement(line, is_meant, history::SHORTENED)
}

/// `with an outside reader …` and the state of the database afterwards.
pub(super) fn outside_reader(line: &Line<'_>) -> Option<Vec<String>> {
    let is_meant = line.says(&["outside reader"]) || line.says(&["integrity_check"]);
    statement(line, is_meant, OUTSIDE_READER)
}

/// Takes over what was found while the case was played.
fn statement(line: &Line<'_>, is_meant: bool, name: &str) -> Option<Vec<String>> {
    let statements = &played(line).filter(|_| is_meant)?.statements;
    statements.iter().find(|(text, _)| text == name)?.1.clone()
}
