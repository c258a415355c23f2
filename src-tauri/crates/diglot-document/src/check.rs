//! Checks of one source and target pair before it reaches a person. Owns what counts as a fault and
//! what as a doubt; must not know who answers them. A false alarm costs a person more than a doubt
//! left out, so each rule speaks only when it is sure.

use serde::{Deserialize, Serialize};

use crate::placeable::Syntaxes;
use crate::term::CheckedTerm;
use crate::{Format, LanguagePair};

mod accelerator;
mod brackets;
mod characters;
mod consistency;
mod content;
mod doubled;
mod endings;
mod facts;
mod fingerprint;
mod han;
mod language;
mod limit;
mod loops;
mod nesting;
mod numbers;
mod phrases;
mod plural;
mod script;
mod size;
mod spacing;
mod structure;
mod terms;
pub(crate) mod text;
mod words;
mod wrapper;

pub use consistency::{Inconsistency, consistency};
use text::{STAND_IN, Text};

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
    /// lost, but for a host or an account number that no markup shows. For a shortcut reference whose text was translated the suggestion names its key again. Where
    /// markup of reStructuredText is none since it touches letters, here and below, the suggestion parts them.
    Protected,
    /// A tag, an emphasis mark, a hard break or block structure is missing or invented. Blocking where one
    /// is lost, or a tag invented. Also a character that no text holds. For a code fence around the whole target the suggestion is the target without it.
    Markup,
    /// A number is missing or invented.
    Number,
    /// The target equals the source, and the source is prose. Where it stands beside its translation, the suggestion is
    /// the translation alone.
    Echo,
    /// The target is in another language than asked for, or in Chinese for other readers.
    Language,
    /// The target talks about the translation, or wraps it. The suggestion is the translation alone.
    Commentary,
    /// The target holds what the model thought before it translated. The suggestion is what follows, if anything does.
    Reasoning,
    /// The target refuses to translate.
    Refusal,
    /// The target ends before the source does, or lacks its last sentences.
    Truncated,
    /// The target repeats itself. Where it gives the whole several times, the suggestion is to give it once.
    Repetition,
    /// The target is far longer or shorter than the source.
    Length,
    /// A term of the source is not met; `missing` is its translation.
    Term,
    /// A term is translated as it must not be: `extra` is what stands there, `missing` what should.
    ForbiddenTerm,
    /// A bracket or a quote stands alone.
    Brackets,
    /// The target ends in another kind of punctuation mark.
    Ending,
    /// Blanks are doubled, or those at the edges differ. The suggestion has them as the source does.
    Spacing,
    /// A word stands twice in a row.
    DoubledWord,
    /// The target is longer than its format allows; `extra` is what is too much.
    TooLong,
    /// Letters of the source's script were left in the target.
    SourceScript,
    /// A plural message lacks a branch that the target's language needs, or has one of another.
    PluralForms,
    /// The key of a menu or button is missing, or there are several.
    Accelerator,
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
    /// Terms and their translations.
    pub terms: &'a [CheckedTerm<'a>],
    /// Most grapheme clusters that the format allows, where it has a limit.
    pub max_length: Option<usize>,
}

impl<'a> CheckContext<'a> {
    /// Makes a context without terms and without a limit.
    pub const fn new(format: Format, languages: &'a LanguagePair) -> Self {
        Self {
            format,
            languages,
            terms: &[],
            max_length: None,
        }
    }
}

/// Checks a target against its source; an empty list is a clean draft. Structure comes first, then
/// the doubts about content. What can be peeled off with certainty, such as a preamble, is reported
/// with the rest as its suggestion, and the other checks look at that rest.
pub fn check(source: &str, target: &str, context: &CheckContext<'_>) -> Vec<Issue> {
    inspect(Syntaxes::of(context.format), source, target, context)
}

fn inspect(
    syntaxes: Syntaxes,
    source: &str,
    target: &str,
    context: &CheckContext<'_>,
) -> Vec<Issue> {
    if target.trim().is_empty() {
        return vec![Issue::warning(IssueKind::NoDraft)];
    }
    let peeled = wrapper::peel(source, target, context.languages);
    if peeled.body.is_empty() {
        return peeled.issues();
    }
    let source = Text::read(syntaxes, source);
    let target = Text::read(syntaxes, peeled.body);
    let mut issues = structure::check(syntaxes, &source, &target);
    issues.extend(peeled.issues());
    issues.extend(facts::check(&source, &target));
    issues.extend(numbers::check(&source, &target, context.languages));
    issues.extend(limit::check(target.raw, context.max_length));
    issues.extend(characters::check(source.raw, target.raw));
    let doubts = content::check(&source, &target, context.languages);
    // A text that is no translation has no wording to look at.
    if doubts.iter().all(|doubt| doubt.kind == IssueKind::Length) {
        issues.extend(wording(syntaxes, &source, &target, context));
    }
    issues.extend(doubts);
    issues
}

/// Looks at how a translation is worded and set.
fn wording(
    syntaxes: Syntaxes,
    source: &Text<'_>,
    target: &Text<'_>,
    context: &CheckContext<'_>,
) -> Vec<Issue> {
    let languages = context.languages;
    let mut issues = terms::check(source, target, context.terms, languages);
    let rest = [
        plural::check(source, target, languages),
        script::check(target, languages),
        endings::check(source, target, languages),
        brackets::check(source, target),
        doubled::check(source, target, languages),
        spacing::check(syntaxes, source, target),
        accelerator::check(syntaxes, source.raw, target.raw),
    ];
    issues.extend(rest.into_iter().flatten());
    issues
}

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
