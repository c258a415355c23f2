//! Plural messages: the branches that a target must have, and those that its language knows.

use super::{Issue, IssueKind, Text};
use crate::LanguagePair;
use crate::placeable::message::{Choice, Message};

/// Plural forms of languages besides `other` (CLDR, cardinals): those that each whole number up to a
/// million needs, and those that only fractions or millions need.
const FORMS: &[(&str, &[&str], &[&str])] = &[
    (
        "bo dz id ig ja jv km ko lo ms my su th to vi wuu yo yue zh",
        &[],
        &[],
    ),
    (
        "af am az bg bn da de el en eo et eu fa fi fil gl gu hi hu hy is ka kk kn ky lb mk ml mn mr \
         nb ne nl nn no or pa ps sq sv sw ta te tk tr ug ur uz zu",
        &["one"],
        &[],
    ),
    ("ca es fr it pt", &["one"], &["many"]),
    ("bs hr ro sr", &["one", "few"], &[]),
    ("cs lt sk", &["one", "few"], &["many"]),
    ("be pl ru uk", &["one", "few", "many"], &[]),
    ("sl", &["one", "two", "few"], &[]),
    ("gd", &["one", "two", "few"], &[]),
    ("he", &["one", "two"], &["many"]),
    ("lv", &["zero", "one"], &[]),
    ("mt", &["one", "few", "many"], &["two"]),
    ("ga", &["one", "two", "few", "many"], &[]),
    ("ar cy", &["zero", "one", "two", "few", "many"], &[]),
];

/// The word for exactly one number, and its selector.
const EXACT: [(&str, &str); 3] = [("zero", "=0"), ("one", "=1"), ("two", "=2")];

/// Lists what of a text's messages must stay, as meanings with texts: their arguments, the branches
/// of a choice among words, and `other`.
pub(super) fn items<'a>(text: &Text<'a>) -> Vec<(String, &'a str)> {
    let mut items = Vec::new();
    for message in firm(text) {
        let Message {
            argument,
            choice,
            branches,
            ..
        } = message;
        let raw = message.span.of(text.raw);
        let head = raw
            .match_indices(',')
            .nth(1)
            .and_then(|(end, _)| raw.get(..=end));
        items.push((format!("{choice:?} {argument}"), head.unwrap_or(raw)));
        let mut at = message.span.start;
        for (selector, span) in branches {
            let before = text.raw.get(at..span.start).unwrap_or_default();
            let written = before
                .rfind(selector.as_str())
                .and_then(|from| before.get(from..));
            if *choice == Choice::Select || selector == "other" {
                let key = format!("{choice:?} {argument} {selector}");
                items.push((key, written.unwrap_or(before)));
            }
            at = span.end;
        }
    }
    items
}

/// Reports branches of counts that the target's language needs and the target lacks, and those that
/// are not of its language.
pub(super) fn check(
    source: &Text<'_>,
    target: &Text<'_>,
    languages: &LanguagePair,
) -> Option<Issue> {
    let primary = languages.target.primary();
    let (_, needed, known) = FORMS
        .iter()
        .find(|(codes, ..)| codes.split_whitespace().any(|code| code == primary))?;
    let mut issue = Issue::warning(IssueKind::PluralForms);
    let counts = |message: &&Message| message.choice == Choice::Plural;
    for message in firm(target).filter(counts) {
        let same =
            |other: &&Message| other.choice == Choice::Plural && other.argument == message.argument;
        let Some(model) = firm(source).find(same) else {
            continue;
        };
        let exact = model
            .selectors()
            .filter(|selector| selector.starts_with('='));
        let wanted = needed.iter().copied().chain(exact);
        let missing = wanted
            .filter(|selector| !has(message, selector))
            .map(str::to_owned);
        issue.missing.extend(missing);
        let is_foreign = |selector: &&str| {
            !selector.starts_with('=')
                && *selector != "other"
                && !needed.contains(selector)
                && !known.contains(selector)
        };
        let foreign = message.selectors().filter(is_foreign).map(str::to_owned);
        issue.extra.extend(foreign);
    }
    (!issue.missing.is_empty() || !issue.extra.is_empty()).then_some(issue)
}

/// Lists the messages that stand in no plural branch, and so in each language once.
fn firm<'t>(text: &'t Text<'_>) -> impl Iterator<Item = &'t Message> {
    text.messages
        .iter()
        .filter(|message| !text.is_form(message.span))
}

/// Tells whether a message has a branch, or one for the same number.
fn has(message: &Message, wanted: &str) -> bool {
    let twin = EXACT.iter().find_map(|(word, exact)| match wanted {
        _ if wanted == *word => Some(*exact),
        _ if wanted == *exact => Some(*word),
        _ => None,
    });
    message
        .selectors()
        .any(|selector| selector == wanted || Some(selector) == twin)
}

impl Message {
    fn selectors(&self) -> impl Iterator<Item = &str> {
        self.branches.iter().map(|(selector, _)| selector.as_str())
    }
}
