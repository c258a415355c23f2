//! Blanks: doubled ones that the source does not have, and in strings of a program the blanks at
//! the edges of the text and of its lines.

use super::{Issue, IssueKind, Text};
use crate::PlaceableKind;
use crate::placeable::Syntaxes;

/// Reports blanks that the source has otherwise. The suggestion has them as the source does.
pub(super) fn check(syntaxes: Syntaxes, source: &Text<'_>, target: &Text<'_>) -> Option<Issue> {
    let mut suggestion = target.raw.to_owned();
    let mut issue = Issue::warning(IssueKind::Spacing);
    if doubled(source).is_empty() {
        let found = doubled(target);
        for (start, end) in found.iter().rev() {
            suggestion.replace_range(*start..*end, "");
        }
        issue
            .extra
            .extend((!found.is_empty()).then(|| "  ".to_owned()));
    }
    if !syntaxes.is_prose {
        suggestion = with_edges(source.raw, &suggestion, &mut issue);
    }
    (issue.extra.len() + issue.missing.len() > 0).then_some(Issue {
        suggestion: Some(suggestion),
        ..issue
    })
}

/// Lists the blanks after a first one between two visible characters, outside of placeables.
fn doubled(text: &Text<'_>) -> Vec<(usize, usize)> {
    let holds = |kind: PlaceableKind| kind != PlaceableKind::Number;
    let mut taken = text
        .found
        .iter()
        .filter(|found| holds(found.kind))
        .peekable();
    let mut runs = Vec::new();
    let mut run: Option<usize> = None;
    let mut in_line = false;
    for (at, c) in text.raw.char_indices() {
        while taken.next_if(|found| found.span.end <= at).is_some() {}
        if taken.peek().is_some_and(|found| found.span.start <= at) {
            (run, in_line) = (None, true);
        } else if c == ' ' {
            run = run.or(in_line.then_some(at));
        } else {
            if let Some(start) = run.filter(|start| at - start > 1 && !c.is_whitespace()) {
                runs.push((start + 1, at));
            }
            (run, in_line) = (None, !c.is_whitespace());
        }
    }
    runs
}

/// Gives each line the edges that the source's line has, where both have as many lines.
fn with_edges(source: &str, target: &str, issue: &mut Issue) -> String {
    let (wanted, given): (Vec<&str>, Vec<&str>) =
        (source.split('\n').collect(), target.split('\n').collect());
    if wanted.len() != given.len() {
        return with_outer_edges(source, target, issue);
    }
    let lines: Vec<String> = wanted
        .into_iter()
        .zip(given)
        .map(|(wanted, given)| with_outer_edges(wanted, given, issue))
        .collect();
    lines.join("\n")
}

fn with_outer_edges(source: &str, target: &str, issue: &mut Issue) -> String {
    let body = target.trim();
    let (wanted, given) = (edges(source), edges(target));
    let fits = |wanted: &str, given: &str| width(wanted) == width(given);
    let is_kept = fits(wanted.0, given.0) && fits(wanted.1, given.1);
    if source.trim().is_empty() || body.is_empty() || is_kept {
        return target.to_owned();
    }
    for (wanted, given) in [(wanted.0, given.0), (wanted.1, given.1)] {
        if !fits(wanted, given) {
            let shown = |edge: &str| (!edge.is_empty()).then(|| edge.to_owned());
            issue.missing.extend(shown(wanted));
            issue.extra.extend(shown(given));
        }
    }
    format!("{}{body}{}", wanted.0, wanted.1)
}

/// Returns an edge with columns taken alike: where several blanks align a text, their number follows
/// the length of the words.
fn width(edge: &str) -> &str {
    if edge.len() > 1 && edge.chars().all(|c| c == ' ') {
        "  "
    } else {
        edge
    }
}

/// Returns the blanks ahead of a text and behind it.
fn edges(text: &str) -> (&str, &str) {
    let head = text.len() - text.trim_start().len();
    (
        text.get(..head).unwrap_or_default(),
        text.get(text.trim_end().len()..).unwrap_or_default(),
    )
}
