//! Tests of the checks: good pairs raise nothing, each fault raises its own issue.

use super::*;
use crate::LanguageTag;
use crate::placeable::Markup;

fn run(languages: &str, source: &str, target: &str) -> Vec<Issue> {
    run_in(Format::Markdown, languages, source, target)
}

fn run_in(format: Format, languages: &str, source: &str, target: &str) -> Vec<Issue> {
    check(source, target, &CheckContext::new(format, &pair(languages)))
}

/// A string of a program.
const STRING: Syntaxes = Syntaxes {
    markup: Markup::Backticks,
    is_prose: false,
    has_entities: true,
    shows_tags: false,
};

fn pair(languages: &str) -> LanguagePair {
    let (from, into) = languages.split_once('>').unwrap();
    LanguagePair {
        source: LanguageTag::parse(from).unwrap(),
        target: LanguageTag::parse(into).unwrap(),
    }
}

#[track_caller]
fn good(languages: &str, source: &str, target: &str) {
    assert_eq!(
        run(languages, source, target),
        [],
        "{source:?} -> {target:?}"
    );
}

#[track_caller]
fn bad(source: &str, target: &str, expected: &[IssueKind]) {
    let kinds: Vec<_> = run("en>de", source, target)
        .iter()
        .map(|issue| issue.kind)
        .collect();
    assert_eq!(kinds, expected, "{source:?} -> {target:?}");
}

/// Checks the only issue of a pair, from English into German.
#[track_caller]
fn names(source: &str, target: &str, kind: IssueKind, missing: &[&str], extra: &[&str]) {
    let issues = run("en>de", source, target);
    assert_eq!(issues.len(), 1, "{issues:?}");
    assert_eq!(
        (issues[0].kind, &issues[0].missing[..], &issues[0].extra[..]),
        (kind, &owned(missing)[..], &owned(extra)[..])
    );
}

fn owned(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

mod changed;
mod content;
mod drafts;
mod pairs;
mod plural;
mod project;
mod speed;
mod structure;
mod wording;
