//! Named checks of what the product sends to the model and does with its calls.

use diglot_api::view::document::UnitStateView;
use diglot_api::view::session::FinishView;
use diglot_testkit::Recorded;
use serde_json::Value;

use super::super::play::Played;
use super::super::played::tells;
use super::{Line, unless};

fn played<'a>(line: &'a Line<'_>) -> Option<&'a Played> {
    line.evidence.played.as_ref()
}

/// Returns the texts of all tool messages of the longest conversations.
fn results(played: &Played) -> Vec<&str> {
    let messages = played.requests.iter().flat_map(Recorded::messages);
    let results = messages.filter(|message| message.get("role") == Some(&"tool".into()));
    results
        .filter_map(|message| message.get("content").and_then(Value::as_str))
        .collect()
}

/// One result per call, unique ids, valid arguments: the fake server judges each request by them.
pub(super) fn pairing(line: &Line<'_>) -> Option<Vec<String>> {
    const WORDS: &[&[&str]] = &[
        &["exactly one tool message"],
        &["answered exactly once"],
        &["unique"],
        &["strict server"],
        &["tool messages follow"],
    ];
    if !WORDS.iter().any(|words| line.says(words)) {
        return None;
    }
    Some(played(line)?.violations.clone())
}

/// `no request body contains 'x'`, `no request body … contains U+FEFF`.
pub(super) fn no_request_contains(line: &Line<'_>) -> Option<Vec<String>> {
    if !line.says(&["no request body", "contains"]) {
        return None;
    }
    let played = played(line)?;
    let words = line.quoted();
    if words.is_empty() {
        return None;
    }
    let told = |word: &&String| played.requests.iter().any(|request| tells(request, word));
    Some(
        words
            .iter()
            .filter(told)
            .map(|word| format!("{word:?} was sent"))
            .collect(),
    )
}

/// A call that leaves the project is answered so.
pub(super) fn outside_project(line: &Line<'_>) -> Option<Vec<String>> {
    if !line.says(&["outside the project"]) {
        return None;
    }
    let told = results(played(line)?)
        .into_iter()
        .any(|text| text.contains("outside"));
    Some(unless(
        told,
        "no result says that the path is outside the project",
    ))
}

/// An empty translation is answered so.
pub(super) fn empty_translation(line: &Line<'_>) -> Option<Vec<String>> {
    if !line.says(&["translation is empty"]) {
        return None;
    }
    let told = results(played(line)?)
        .into_iter()
        .any(|text| text.contains("empty"));
    Some(unless(told, "no result says that the translation is empty"))
}

/// `contains the names LS, Read and Translate`.
pub(super) fn names_of_tools(line: &Line<'_>) -> Option<Vec<String>> {
    let (_, names) = line.text.split_once("contains the names ")?;
    let names: Vec<&str> = names
        .split(|c: char| !c.is_alphanumeric())
        .filter(|name| !name.is_empty() && *name != "and")
        .collect();
    let results = results(played(line)?);
    let told = results
        .iter()
        .any(|text| names.iter().all(|name| text.contains(name)));
    Some(unless(told, format!("no result names {names:?}")))
}

/// A refused call is told the exact text of the next open unit.
pub(super) fn exact_text(line: &Line<'_>) -> Option<Vec<String>> {
    if !line.says(&["next open unit's exact text"]) {
        return None;
    }
    let played = played(line)?;
    let mut units = played
        .documents
        .values()
        .flat_map(|document| &document.units);
    let results = results(played);
    let is_told = |source: &str| {
        results
            .iter()
            .any(|text| text.contains("Next open unit") && text.contains(source))
    };
    let told = units.any(|unit| is_told(&unit.source));
    Some(unless(told, "no result quotes the next open unit"))
}

/// `unit 1 is still open at the end of the scripted turns`: no draft of it was confirmed from them.
pub(super) fn still_open(line: &Line<'_>) -> Option<Vec<String>> {
    if !line.says(&["is still open at the end of the scripted turns"]) {
        return None;
    }
    let digits = line
        .text
        .split_whitespace()
        .skip_while(|word| *word != "unit")
        .nth(1)?;
    let unit: usize = digits.parse().ok()?;
    let played = played(line)?;
    let early = played
        .shown
        .iter()
        .any(|shown| shown.is_scripted && shown.draft.unit == unit);
    Some(unless(
        !early,
        format!("unit {unit} was drafted by the script"),
    ))
}

/// `memory is unchanged after the script`: nothing was in it.
pub(super) fn memory_unchanged(line: &Line<'_>) -> Option<Vec<String>> {
    if !line.says(&["memory is unchanged"]) {
        return None;
    }
    let n = played(line)?.memory_items.len();
    Some(unless(n == 0, format!("memory holds {n} items")))
}

/// Three identical calls stop the run. Where fewer come in a row, the run may go on.
pub(super) fn repeated_calls_stop(line: &Line<'_>) -> Option<Vec<String>> {
    if !line.says(&["after three identical failing calls the loop stops"]) {
        return None;
    }
    let stops = &played(line)?.stops;
    let stopped = stops
        .iter()
        .any(|stop| matches!(stop, FinishView::RepeatedCall | FinishView::RefusedCalls));
    Some(unless(
        stopped,
        format!("the run stopped for {stops:?} only"),
    ))
}

/// `request 2 is shorter than request 1`.
pub(super) fn shorter_request(line: &Line<'_>) -> Option<Vec<String>> {
    if !line.says(&["request 2 is shorter than request 1"]) {
        return None;
    }
    let lengths: Vec<usize> = played(line)?
        .requests
        .iter()
        .map(|request| request.n_bytes)
        .take(2)
        .collect();
    let shorter = matches!(lengths.as_slice(), [first, second] if second < first);
    Some(unless(
        shorter,
        format!("the requests have {lengths:?} bytes"),
    ))
}

/// A listing for the model is bounded. Without a script the product's own bound is the text model's affair.
pub(super) fn bounded_listing(line: &Line<'_>) -> Option<Vec<String>> {
    if !line.says(&["result sent to the model is below 20 kb"]) {
        return None;
    }
    let results = results(played(line)?);
    let long = results.iter().find(|text| text.len() > 20_000);
    Some(unless(long.is_none(), "a result is longer than 20 kB"))
}

/// A unit that is done stays so, and the model is told.
pub(super) fn done_and_next(line: &Line<'_>) -> Option<Vec<String>> {
    if !line.says(&["keeps the approved text", "next open unit"]) {
        return None;
    }
    let played = played(line)?;
    let told = results(played)
        .into_iter()
        .any(|text| text.contains("confirmed already") && text.contains("Next open unit"));
    let first = played
        .documents
        .values()
        .find_map(|document| document.units.first());
    let is_kept = first.is_some_and(|unit| unit.state == UnitStateView::Approved);
    let mut faults = unless(
        told,
        "no result says that the unit is confirmed and names the next",
    );
    faults.extend(unless(is_kept, "unit 1 is not approved as it was"));
    Some(faults)
}

/// Begins a line that wants no draft to be asked for.
pub(super) const SILENCE: &str = "0 translation requests";

/// `0 translation requests`: a model that behaves well is given no unit, and no draft is seen.
pub(super) fn silence(line: &Line<'_>) -> Option<Vec<String>> {
    if !line.text.starts_with(SILENCE) {
        return None;
    }
    let played = played(line)?;
    let n_asked = played
        .requests
        .iter()
        .filter(|request| tells(request, "Next open unit"))
        .count();
    let mut faults = unless(
        n_asked == 0,
        format!("{n_asked} requests name an open unit"),
    );
    faults.extend(unless(
        played.shown.is_empty(),
        "a draft reached the reviewer",
    ));
    Some(faults)
}
