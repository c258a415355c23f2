//! What is doubtful about a draft: worked out when somebody asks for it, from what was known when the draft was made. In
//! reading a long log nobody asks, and nothing else takes as long.

use std::collections::HashSet;
use std::sync::{Arc, OnceLock};

use diglot_document::{
    CheckContext, CheckedTerm, Format, Issue, IssueKind, LanguagePair, Severity, check,
};

use super::{Context, Draft};
use crate::entry::Entry;
use crate::memory::Term;
use crate::message::CallId;
use crate::terms::TermEntry;

/// Holds the findings on a draft.
#[derive(Debug, Clone)]
pub(super) struct Findings {
    found: OnceLock<Vec<Issue>>,
    against: Against,
}

/// Holds what a draft is checked against.
#[derive(Debug, Clone)]
pub(super) struct Against {
    pub(super) format: Format,
    pub(super) max_length: Option<usize>,
    /// The terms that the model was told; what it was not told it cannot have missed.
    pub(super) terms: Arc<KnownTerms>,
    /// Whether an earlier unit was passed over.
    pub(super) has_gap: bool,
}

/// Holds the terms that the model was told.
#[derive(Debug, Default)]
pub(super) struct KnownTerms {
    /// Chunks before format 3 have terms among their memory.
    pub(super) memory: Vec<Term>,
    pub(super) terms: Vec<TermEntry>,
}

impl KnownTerms {
    pub(super) fn checked(&self) -> Vec<CheckedTerm<'_>> {
        let memory = self.memory.iter().map(Term::checked);
        memory
            .chain(self.terms.iter().map(TermEntry::checked))
            .collect()
    }
}

impl Findings {
    /// Makes the findings on a draft that nobody has looked at.
    pub(super) fn open(against: Against) -> Self {
        Self {
            found: OnceLock::new(),
            against,
        }
    }

    /// Returns the findings on a target.
    pub(super) fn of(&self, source: &str, target: &str, languages: &LanguagePair) -> &[Issue] {
        let find = || self.against.check(source, target, languages);
        self.found.get_or_init(find)
    }
}

impl Against {
    fn check(&self, source: &str, target: &str, languages: &LanguagePair) -> Vec<Issue> {
        let mut issues = if target.is_empty() {
            vec![flag(IssueKind::NoDraft, Severity::Warning)]
        } else {
            let terms = self.terms.checked();
            let context = CheckContext {
                terms: &terms,
                max_length: self.max_length,
                ..CheckContext::new(self.format, languages)
            };
            check(source, target, &context)
        };
        if self.has_gap {
            issues.push(flag(IssueKind::Gap, Severity::Warning));
        }
        issues
    }
}

/// Makes a finding without texts.
pub(super) fn flag(kind: IssueKind, severity: Severity) -> Issue {
    Issue {
        kind,
        severity,
        missing: Vec::new(),
        extra: Vec::new(),
        suggestion: None,
    }
}

impl Context {
    /// Returns the findings on a draft.
    pub fn issues<'d>(&self, draft: &'d Draft) -> &'d [Issue] {
        let languages = &self.settings.languages;
        draft.findings.of(&draft.source, &draft.target, languages)
    }

    /// Learns from entries that are about to be appended which drafts the person decided on: those were shown, so they
    /// need not be checked for faults that would have sent them back.
    pub fn foretell<'e>(&mut self, entries: impl IntoIterator<Item = &'e Entry>) {
        let decided = entries.into_iter().filter_map(|entry| {
            if let Entry::Response(response) = entry {
                Some(response.call_id.clone())
            } else {
                None
            }
        });
        self.foretold = decided.collect::<HashSet<CallId>>();
    }
}
