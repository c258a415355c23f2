//! Pairs with a verdict: what the checks of the text model say of a source and a translation.

use diglot_document::{CheckContext, CheckedTerm, Format, Issue, IssueKind, check};

use super::case::{Case, Judgment, Pair};
use super::evidence::Evidence;
use super::report::Report;

/// Judges the pairs that have a verdict.
pub(crate) fn judge(case: &Case, evidence: &Evidence, report: &mut Report) {
    let flags = case.expect.flag.as_deref().unwrap_or_default();
    let judged: Vec<(&Pair, Judgment)> = case
        .pairs
        .iter()
        .filter_map(|pair| Some((pair, pair.verdict?)))
        .collect();
    let Some(languages) = evidence.languages() else {
        return;
    };
    let document = evidence.documents.first().map(|seen| seen.document.format);
    let format = document.unwrap_or(Format::PlainText);
    let terms = case
        .terms
        .iter()
        .map(|term| CheckedTerm::preferred(&term.source, &term.target));
    let terms: Vec<CheckedTerm<'_>> = terms.collect();
    let context = CheckContext {
        terms: &terms,
        ..CheckContext::new(format, &languages)
    };
    for (pair, verdict) in judged {
        let issues = check(&pair.source, &pair.translation, &context);
        report.note(
            "FLAG",
            fault(pair, verdict, flags, &issues).into_iter().collect(),
        );
    }
}

fn fault(pair: &Pair, verdict: Judgment, flags: &[String], issues: &[Issue]) -> Option<String> {
    let is_meant =
        |issue: &&Issue| flags.is_empty() || flags.iter().any(|flag| flag == name(issue.kind));
    let found = issues.iter().find(is_meant);
    let kinds: Vec<&str> = issues.iter().map(|issue| name(issue.kind)).collect();
    match (verdict, found) {
        (Judgment::Bad, None) => Some(format!(
            "{:?} is not flagged, but for {kinds:?}",
            pair.translation
        )),
        (Judgment::Good, Some(issue)) => {
            let (kind, missing, extra) = (name(issue.kind), &issue.missing, &issue.extra);
            let text = &pair.translation;
            Some(format!(
                "{text:?} is flagged: {kind}, missing {missing:?}, extra {extra:?}"
            ))
        }
        (Judgment::Bad, Some(_)) | (Judgment::Good, None) => None,
    }
}

/// Names a kind of issue as cases do.
pub(crate) fn name(kind: IssueKind) -> &'static str {
    match kind {
        IssueKind::Placeholder => "placeholder",
        IssueKind::Protected => "protected",
        IssueKind::Markup => "markup",
        IssueKind::Number => "number",
        IssueKind::Echo => "echo",
        IssueKind::Language => "language",
        IssueKind::Commentary => "commentary",
        IssueKind::Reasoning => "reasoning",
        IssueKind::Refusal => "refusal",
        IssueKind::Truncated => "truncated",
        IssueKind::Repetition => "repetition",
        IssueKind::Length => "length",
        IssueKind::Term | IssueKind::ForbiddenTerm => "glossary",
        IssueKind::Brackets => "brackets",
        IssueKind::Ending => "ending",
        IssueKind::Spacing => "spacing",
        IssueKind::DoubledWord => "doubled word",
        IssueKind::TooLong => "too long",
        IssueKind::SourceScript => "source script",
        IssueKind::PluralForms => "plural forms",
        IssueKind::Accelerator => "accelerator",
        IssueKind::NoDraft => "no draft",
        IssueKind::Gap => "gap",
        IssueKind::Outdated => "outdated",
    }
}
