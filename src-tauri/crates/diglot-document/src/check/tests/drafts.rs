//! How many bad drafts the detectors find, and how many good ones they flag (issue 4): drafts in eight languages, made
//! of the hand-written texts of `tests/fixtures/drafts`.

mod corpus;
mod faults;
mod table;

use std::time::{Duration, Instant};

use diglot_testkit::Depth;

use super::*;
use corpus::{Row, TARGETS};
use faults::Draft;
use table::Table;

/// Of a hundred bad drafts, so many are found; of a hundred good ones, so many may be flagged.
const GOALS: (usize, usize) = (98, 1);

/// Of a hundred bad drafts of one kind, so many are found.
const FEWEST_OF_A_KIND: usize = 95;

/// Fewest drafts that the figures stand for (issue 4), bad and good.
const FEWEST: (usize, usize) = (200, 2000);

/// Longest time for one draft on average; the law is for a build with optimisation, which this one is without.
const LONGEST_CHECK: Duration = Duration::from_millis(50);

/// What speaks of a draft that is no translation, or not only one.
const DETECTORS: [IssueKind; 8] = [
    IssueKind::Echo,
    IssueKind::Language,
    IssueKind::Commentary,
    IssueKind::Reasoning,
    IssueKind::Refusal,
    IssueKind::Truncated,
    IssueKind::Repetition,
    IssueKind::Length,
];

/// Tells whether an issue is one of the detectors'; a fence around the whole is markup that can be taken off.
fn is_detected(issue: &Issue) -> bool {
    let is_fence = issue.kind == IssueKind::Markup
        && issue.suggestion.is_some()
        && issue.severity == Severity::Warning;
    DETECTORS.contains(&issue.kind) || is_fence
}

#[test]
fn bad_drafts_are_flagged_for_what_they_are() {
    let mut table = Table::default();
    for draft in faults::all().into_iter().step_by(step()) {
        let issues = check_draft(&draft);
        let found = issues
            .iter()
            .find(|issue| draft.wanted.contains(&issue.kind));
        let is_clean = match (found, &draft.body) {
            (Some(found), Some(body)) => found.suggestion.as_ref() == Some(body),
            (Some(_), None) => true,
            (None, _) => false,
        };
        table.add(draft.fault, draft.target_language, is_clean, || {
            let kinds: Vec<_> = issues.iter().map(|issue| issue.kind).collect();
            let suggestion = found.and_then(|found| found.suggestion.as_ref());
            let text = &draft.target;
            format!(
                "{kinds:?} {suggestion:?} for {:?} -> {text:?}",
                draft.source
            )
        });
    }
    assert!(table.total() >= FEWEST.0);
    table.show("bad drafts that were found");
    table.assert_all(|right, total| right * 100 >= total * GOALS.0);
    table.assert_each(|right, total| right * 100 >= total * FEWEST_OF_A_KIND);
}

#[test]
fn good_drafts_are_left_alone() {
    let mut table = Table::default();
    for (draft, genre) in translations().into_iter().step_by(step()) {
        let issues = check_draft(&draft);
        let is_flagged = issues.iter().any(is_detected);
        table.add(genre, draft.target_language, !is_flagged, || {
            let kinds: Vec<_> = issues.iter().map(|issue| issue.kind).collect();
            format!("{kinds:?} for {:?} -> {:?}", draft.source, draft.target)
        });
    }
    assert!(table.total() >= FEWEST.1);
    table.show("good drafts that were left alone");
    table.assert_all(|right, total| (total - right) * 100 <= total * GOALS.1);
}

#[test]
fn each_language_has_enough_texts_of_its_own() {
    let rows = corpus::good();
    for language in TARGETS {
        let own = rows.iter().filter(|row| row.genre != "same");
        let texts: std::collections::HashSet<_> =
            own.filter_map(|row| row.text(language)).collect();
        assert!(texts.len() >= 120, "{language}: {}", texts.len());
    }
}

#[test]
fn a_draft_is_judged_at_once() {
    let drafts = faults::all();
    let started = Instant::now();
    for draft in drafts.iter().step_by(40) {
        check_draft(draft);
    }
    let each = started.elapsed() * 40 / u32::try_from(drafts.len()).unwrap();
    assert!(each < LONGEST_CHECK, "{each:?}");
}

/// One draft of so many is looked at: there are more than 15,000 of each sort.
fn step() -> usize {
    Depth::of_run().pick(7, 1)
}

fn check_draft(draft: &Draft) -> Vec<Issue> {
    let languages = LanguagePair {
        source: LanguageTag::parse(draft.source_language).unwrap(),
        target: LanguageTag::parse(draft.target_language).unwrap(),
    };
    let context = CheckContext::new(draft.format, &languages);
    check(&draft.source, &draft.target, &context)
}

/// Makes every true translation, between all languages, one text at a time and two in a paragraph.
fn translations() -> Vec<(Draft, &'static str)> {
    let rows = corpus::good();
    let mut drafts = Vec::new();
    for row in &rows {
        drafts.extend(pairs(row).map(|draft| (draft, row.genre)));
    }
    for pair in rows
        .windows(2)
        .filter(|pair| pair[0].genre == pair[1].genre)
    {
        let row = joined(&pair[0], &pair[1]);
        drafts.extend(pairs(&row).map(|draft| (draft, row.genre)));
    }
    drafts
}

fn pairs(row: &Row) -> impl Iterator<Item = Draft> {
    TARGETS.into_iter().flat_map(move |target| {
        let sources = ["en"].into_iter().chain(TARGETS);
        sources
            .filter(move |source| *source != target)
            .map(move |source| Draft::true_one(row, source, target))
    })
}

/// Puts two texts into one paragraph.
fn joined(first: &Row, second: &Row) -> Row {
    let texts = first.texts.iter().filter_map(|(code, text)| {
        let blank = if matches!(*code, "zh" | "ja") {
            ""
        } else {
            " "
        };
        let other = second.text(code)?;
        Some((*code, format!("{text}{blank}{other}")))
    });
    Row {
        texts: texts.collect(),
        ..first.clone()
    }
}
