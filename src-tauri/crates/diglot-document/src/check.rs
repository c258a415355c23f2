//! Checks of one source and target pair before it reaches a person. Owns what counts as a fault and
//! what as a doubt; must not know who answers them. A false alarm costs a person more than a doubt
//! left out, so each rule speaks only when it is sure.

use serde::{Deserialize, Serialize};

use crate::placeable::{self, Found};
use crate::{Format, LanguagePair, PlaceableKind};

mod content;
mod language;
mod loops;
mod numbers;
mod phrases;
mod structure;
mod words;
mod wrapper;

/// Tells what an issue means for the draft.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Severity {
    /// Structure was lost: goes back to the model once before a person sees it (SPEC 3).
    Blocking,
    /// A doubt about content: shown to the person as a flag.
    Warning,
}

/// Names what was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum IssueKind {
    /// A placeholder is missing, changed or invented. Blocking where one is lost.
    Placeholder,
    /// Code, math, a link destination or an address is missing, changed or invented. Blocking where one is
    /// lost. For a shortcut reference whose text was translated the suggestion names its key again.
    Protected,
    /// A tag, an emphasis mark, a hard break or block structure is missing or invented. Blocking where one
    /// is lost, or a tag invented. For a code fence around the whole target the suggestion is the target without it.
    Markup,
    /// A number is missing or invented.
    Number,
    /// The target equals the source, and the source is prose.
    Echo,
    /// The target is in another language than asked for.
    Language,
    /// The target talks about the translation, or wraps it.
    Commentary,
    /// The target refuses to translate.
    Refusal,
    /// The target ends before the source does.
    Truncated,
    /// The target repeats itself.
    Repetition,
    /// The target is far longer or shorter than the source.
    Length,
    /// A term of the termbase is not met.
    Term,
    /// The draft has no text: the unit is left to the person.
    NoDraft,
    /// An earlier unit was passed over.
    Gap,
    /// Drafted before the person's last correction.
    Outdated,
}

/// Reports one finding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Issue {
    /// What was found.
    pub kind: IssueKind,
    /// What it means.
    pub severity: Severity,
    /// Texts that the source has and the target lacks; exact, may be empty.
    pub missing: Vec<String>,
    /// Texts that the target has and the source lacks; exact, may be empty.
    pub extra: Vec<String>,
    /// The target with the fault taken out, where that is certain, for instance without a wrapper.
    pub suggestion: Option<String>,
}

/// Holds what a check depends on besides the two texts.
#[derive(Debug, Clone)]
pub struct CheckContext<'a> {
    /// Format of the document.
    pub format: Format,
    /// Languages of the session.
    pub languages: &'a LanguagePair,
}

/// Checks a target against its source; an empty list is a clean draft. Structure comes first, then
/// the doubts about content. What can be peeled off with certainty, such as a preamble, is reported
/// with the rest as its suggestion, and the other checks look at that rest.
pub fn check(source: &str, target: &str, context: &CheckContext<'_>) -> Vec<Issue> {
    if target.trim().is_empty() {
        return vec![Issue::warning(IssueKind::NoDraft)];
    }
    let peeled = wrapper::peel(source, target);
    let source = Text::read(context.format, source);
    let target = Text::read(context.format, peeled.body);
    let mut issues = structure::check(context.format, &source, &target);
    issues.extend(peeled.issues());
    issues.extend(numbers::check(&source, &target, context.languages));
    issues.extend(content::check(&source, &target, context.languages));
    issues
}

/// A text with what was found in it.
struct Text<'a> {
    raw: &'a str,
    found: Vec<Found>,
    /// The words that a reader sees: without marks, tags and destinations, and with a blank in
    /// place of code and the like.
    prose: String,
}

impl<'a> Text<'a> {
    fn read(format: Format, raw: &'a str) -> Self {
        let found = placeable::find(format, raw);
        let mut prose = String::new();
        let mut at = 0;
        for placeable in &found {
            prose.push_str(raw.get(at..placeable.span.start).unwrap_or_default());
            at = placeable.span.end;
            match placeable.kind {
                PlaceableKind::Number => prose.push_str(placeable.text(raw)),
                PlaceableKind::Emphasis | PlaceableKind::Link | PlaceableKind::Attribute => {}
                PlaceableKind::Reference if placeable.text(raw).starts_with(']') => {}
                PlaceableKind::Tag | PlaceableKind::HardBreak => prose.push(' '),
                PlaceableKind::Code
                | PlaceableKind::Reference
                | PlaceableKind::Placeholder
                | PlaceableKind::Math
                | PlaceableKind::Address => prose.push_str(STAND_IN),
            }
        }
        prose.push_str(raw.get(at..).unwrap_or_default());
        Self { raw, found, prose }
    }
}

/// Stands in the prose for a thing that is no word: it ends a sentence as well as a word does, but
/// is no letter.
const STAND_IN: &str = " \u{FFFC} ";

impl Issue {
    fn warning(kind: IssueKind) -> Self {
        Self {
            kind,
            severity: Severity::Warning,
            missing: Vec::new(),
            extra: Vec::new(),
            suggestion: None,
        }
    }

    fn blocking(kind: IssueKind) -> Self {
        Self {
            severity: Severity::Blocking,
            ..Self::warning(kind)
        }
    }
}

#[cfg(test)]
mod tests;
