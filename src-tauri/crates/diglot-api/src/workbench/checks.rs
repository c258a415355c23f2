//! Findings: on one text, over all that was confirmed, and those that a person set aside.

use std::collections::HashSet;
use std::sync::Arc;

use diglot_agent::{Context, Glossary, ProjectPath, TermEntry};
use diglot_document::check::{Inconsistency, consistency};
use diglot_document::{CheckContext, CheckedTerm, Document, Issue, LanguagePair, check};

use super::decide::unit_ref;
use super::sessions::Session;
use super::terms::waiver_key;
use super::{Workbench, blocking, lock};
use crate::error::{ApiError, ErrorCode};
use crate::schema::{IssueDismissRequest, NoArgs, SessionRequest};
use crate::view::checks::{
    ChecksView, FindingView, InconsistencyView, PlaceView, TargetPlacesView,
};
use crate::view::document::IssueView;

/// Findings of one kind that are shown at most; the count is of all.
const MOST_SHOWN: usize = 500;
/// Places of one target that are shown.
const MOST_PLACES: usize = 20;

/// Holds what was set aside in a session.
#[derive(Debug, Default)]
pub(super) struct Dismissed(pub(super) HashSet<String>);

impl Dismissed {
    /// Tells whether a finding was set aside: on this text, or, for one on a term, on any of its source.
    fn has(&self, source: &str, target: &str, fingerprint: &str) -> bool {
        let keys = [
            key(source, target, fingerprint),
            waiver_key(source, fingerprint),
        ];
        keys.iter().any(|key| self.0.contains(key))
    }

    /// Shows findings on a text, those that were set aside marked.
    pub(super) fn views(&self, issues: &[Issue], source: &str, target: &str) -> Vec<IssueView> {
        let view = |issue: &Issue| IssueView {
            dismissed: self.has(source, target, &issue.fingerprint()),
            ..IssueView::from(issue)
        };
        issues.iter().map(view).collect()
    }
}

/// Names a finding on a text. It is stored, so that its making must stay as it is.
pub(super) fn key(source: &str, target: &str, fingerprint: &str) -> String {
    let mut hasher = blake3::Hasher::new();
    for part in [source, target, fingerprint] {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    hasher.finalize().to_hex().chars().take(32).collect()
}

impl Workbench {
    /// Sets a finding on a text aside, or takes it up again.
    pub async fn issue_dismiss(
        self: &Arc<Self>,
        request: IssueDismissRequest,
    ) -> Result<NoArgs, ApiError> {
        let unit = unit_ref(&request.path, request.unit)?;
        let session = self.session(request.session_id).await?;
        let workbench = Arc::clone(self);
        blocking(move || {
            let missing = || ApiError::new(ErrorCode::BadRequest, "there is no such unit");
            let (source, format, languages) = {
                let context = lock(&session.context);
                let document = context.document(&unit.path).ok_or_else(missing)?;
                let segment = document.segments().get(unit.unit - 1);
                let source = segment.ok_or_else(missing)?.source.clone();
                let languages = context.settings().languages.clone();
                (source, document.document.format, languages)
            };
            let fingerprint = &request.fingerprint;
            let of_terms =
                workbench.term_findings(&session, &languages, format, &source, &request.target)?;
            if of_terms.contains(fingerprint) || !request.dismissed {
                workbench.waive(&session, &source, fingerprint, request.dismissed)?;
            }
            let key = key(&source, &request.target, &request.fingerprint);
            let mut dismissed = lock(&session.dismissed);
            if request.dismissed {
                workbench.store().dismiss(session.id, &key)?;
                dismissed.0.insert(key);
            } else {
                workbench.store().take_up(session.id, &key)?;
                dismissed.0.remove(&key);
            }
            Ok(NoArgs {})
        })
        .await
    }

    /// Checks all that was confirmed in a session.
    pub async fn session_check(
        self: &Arc<Self>,
        request: SessionRequest,
    ) -> Result<ChecksView, ApiError> {
        let session = self.session(request.session_id).await?;
        let workbench = Arc::clone(self);
        blocking(move || {
            let (confirmed, languages) = {
                let context = lock(&session.context);
                let languages = context.settings().languages.clone();
                (Confirmed::of(&context), languages)
            };
            let memory = workbench.memory_of(&session)?;
            let glossary = Glossary::new(session.terms.as_ref(), &memory, &languages);
            Ok(checks(&session, &confirmed, &languages, &glossary))
        })
        .await
    }
}

/// Confirmed units of a document, with their targets; taken out of the context, which is needed elsewhere.
struct Confirmed {
    path: ProjectPath,
    document: Arc<Document>,
    targets: Vec<(usize, Arc<str>)>,
}

impl Confirmed {
    fn of(context: &Context) -> Vec<Self> {
        let documents = context.documents().map(|(path, state)| {
            let units = state.units().iter().enumerate();
            let target = |(ordinal, unit): (usize, &diglot_agent::context::Unit)| {
                unit.target.clone().map(|target| (ordinal, target))
            };
            Self {
                path: path.clone(),
                document: Arc::clone(&state.document),
                targets: units.filter_map(target).collect(),
            }
        });
        documents.collect()
    }

    /// Returns ordinal, source and target of each unit.
    fn pairs(&self) -> impl Iterator<Item = (usize, &str, &str)> {
        self.targets.iter().filter_map(|(ordinal, target)| {
            let segment = self.document.segments.get(*ordinal)?;
            Some((*ordinal, segment.source.as_str(), &**target))
        })
    }
}

fn checks(
    session: &Session,
    confirmed: &[Confirmed],
    languages: &LanguagePair,
    glossary: &Glossary<'_>,
) -> ChecksView {
    let dismissed = lock(&session.dismissed);
    let mut view = ChecksView::default();
    for document in confirmed {
        let format = document.document.format;
        for (ordinal, source, target) in document.pairs() {
            view.n_checked += 1;
            let segment = document.document.segments.get(ordinal);
            let entries = glossary.find(format, source).entries;
            let terms: Vec<CheckedTerm<'_>> = entries.iter().map(TermEntry::checked).collect();
            let context = CheckContext {
                terms: &terms,
                max_length: segment.and_then(|segment| segment.hints.max_length),
                ..CheckContext::new(format, languages)
            };
            for issue in dismissed.views(&check(source, target, &context), source, target) {
                view.n_findings += usize::from(!issue.dismissed);
                if view.findings.len() < MOST_SHOWN {
                    view.findings.push(FindingView {
                        path: document.path.as_str().to_owned(),
                        unit: ordinal + 1,
                        target: target.to_owned(),
                        issue,
                    });
                }
            }
        }
    }
    let pairs = confirmed.iter().flat_map(|document| {
        let place = |ordinal: usize| (&document.path, ordinal + 1);
        let pairs = document.pairs();
        pairs.map(move |(ordinal, source, target)| (place(ordinal), source, target))
    });
    let found = consistency(pairs);
    view.n_inconsistencies = found.len();
    view.inconsistencies = found
        .into_iter()
        .take(MOST_SHOWN)
        .map(inconsistency)
        .collect();
    view
}

fn inconsistency(found: Inconsistency<(&ProjectPath, usize)>) -> InconsistencyView {
    let place = |(path, unit): (&ProjectPath, usize)| PlaceView {
        path: path.as_str().to_owned(),
        unit,
    };
    let target = |(target, places): (String, Vec<(&ProjectPath, usize)>)| TargetPlacesView {
        target,
        n_places: places.len(),
        places: places.into_iter().take(MOST_PLACES).map(place).collect(),
    };
    InconsistencyView {
        source: found.source,
        targets: found.targets.into_iter().map(target).collect(),
    }
}
