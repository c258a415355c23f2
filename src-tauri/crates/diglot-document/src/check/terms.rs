//! Terms: what the source has, the target must meet, and what must not be used it must not have. Owns when that is a finding:
//! not where the source only has a word of the same stem.

use super::{CheckedTerm, Issue, IssueKind, Text};
use crate::LanguagePair;
use crate::term::{FoundTerm, TermForm, TermState, TermStatus, review_texts};

/// Reports each term of the source that the target does not meet, and each translation that must not be used.
pub(super) fn check(
    source: &Text<'_>,
    target: &Text<'_>,
    terms: &[CheckedTerm<'_>],
    languages: &LanguagePair,
) -> Vec<Issue> {
    if terms.is_empty() {
        return Vec::new();
    }
    let found = review_texts(source, target, terms, languages);
    let sure = found
        .into_iter()
        .filter(|found| found.form() != TermForm::Related);
    sure.filter_map(|found| found.issue(terms)).collect()
}

impl FoundTerm {
    /// Returns what there is to say of how the target deals with the term, whatever its form; `None` when it meets it. The
    /// terms are those that it was found among.
    pub fn issue(&self, terms: &[CheckedTerm<'_>]) -> Option<Issue> {
        let text = |entry: &usize| terms.get(*entry).map(|term| term.target.to_owned());
        let of = |status: TermStatus| {
            let is = |entry: &&usize| terms.get(**entry).is_some_and(|term| term.status == status);
            self.entries.iter().find(is).and_then(text)
        };
        let wanted = of(TermStatus::Preferred).or_else(|| of(TermStatus::Admitted));
        let kind = match self.state {
            TermState::Met => return None,
            TermState::Unmet => IssueKind::Term,
            TermState::Forbidden => IssueKind::ForbiddenTerm,
        };
        let bad = self.forbidden.as_ref().and_then(text);
        Some(Issue {
            missing: wanted.into_iter().collect(),
            extra: bad.into_iter().collect(),
            ..Issue::warning(kind)
        })
    }
}
