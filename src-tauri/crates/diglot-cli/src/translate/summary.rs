//! What a translation came to, as one JSON line. Owns the names in it and the exit code that follows from it.

use std::sync::Arc;

use diglot_api::Workbench;
use diglot_api::error::ApiError;
use diglot_api::schema::DocumentViewRequest;
use diglot_api::view::document::{DocumentView, UnitStateView, UnitView};
use diglot_api::view::project::{ProjectView, ReasonView};
use serde::Serialize;

use super::Ended;
use super::review::Review;
use crate::exit::Exit;

/// Units that are asked for at once.
const PAGE: usize = 500;

/// Holds what a translation came to.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Summary {
    /// Documents in the folder.
    files: usize,
    /// Units in them.
    units: usize,
    /// Units that are confirmed, of this run or an earlier one.
    confirmed: usize,
    /// Units that are not, in document order.
    open: Vec<OpenUnit>,
    /// Files that cannot be translated.
    refused: Vec<RefusedFile>,
    /// Target files that were not written.
    problems: Vec<Problem>,
    target_folder: String,
    tokens: u64,
    pub(crate) seconds: f64,
    /// Why the work ended before every unit was confirmed.
    stopped: Option<Stopped>,
    pub(crate) error: Option<ApiError>,
}

/// Names an open unit.
#[derive(Debug, Serialize)]
struct OpenUnit {
    path: String,
    unit: usize,
    /// Findings on its draft by name, or how far it is.
    reasons: Vec<String>,
}

/// Names a file that cannot be translated.
#[derive(Debug, Serialize)]
struct RefusedFile {
    path: String,
    reason: ReasonView,
}

/// Names a target or source file that something is wrong with.
#[derive(Debug, Serialize)]
struct Problem {
    path: String,
    error: ApiError,
}

/// Names why the work ended before every unit was confirmed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Stopped {
    /// Drafts wait for a person.
    Waiting,
    /// The agent has no more drafts to offer.
    TurnEnded,
    /// The session's token cap is reached.
    TokenCap,
    /// The person or the system ended the program.
    Interrupted,
    /// Something went wrong.
    Error,
}

impl Summary {
    /// Returns how the program ends.
    pub(crate) fn exit(&self) -> Exit {
        match (&self.error, self.problems.is_empty(), self.open.is_empty()) {
            (Some(error), ..) => Exit::of(error),
            (None, false, _) => Exit::Failure,
            (None, true, false) => Exit::Open,
            (None, true, true) => Exit::Done,
        }
    }
}

/// Counts the units of all documents; those that cannot be read count as none.
pub(crate) async fn count_units(
    workbench: &Arc<Workbench>,
    session_id: i64,
    project: &ProjectView,
) -> u64 {
    let mut n_units = 0;
    for path in documents(project) {
        let page = page(workbench, session_id, path, 1, 1).await;
        n_units += page.map_or(0, |page| page.n_units as u64);
    }
    n_units
}

/// Collects what the translation came to.
pub(crate) async fn make(
    workbench: &Arc<Workbench>,
    project: &ProjectView,
    ended: &Ended,
    review: &Review,
) -> Result<Summary, ApiError> {
    let session = &ended.view.session;
    let problem = |path: &str, error: &ApiError| Problem {
        path: path.to_owned(),
        error: error.clone(),
    };
    let targets = ended.view.target_problems.iter();
    let mut summary = Summary {
        files: project.n_documents,
        units: 0,
        confirmed: 0,
        open: Vec::new(),
        refused: refused(project),
        problems: targets
            .map(|target| problem(&target.path, &target.error))
            .collect(),
        target_folder: session.target_folder.clone(),
        tokens: session.n_tokens,
        seconds: 0.0,
        stopped: ended.stopped,
        error: ended.error.clone(),
    };
    for path in documents(project) {
        let mut from_unit = 1;
        loop {
            let page = match page(workbench, session.id, path, from_unit, PAGE).await {
                Ok(page) => page,
                Err(error) => {
                    summary.problems.push(problem(path, &error));
                    break;
                }
            };
            if from_unit == 1 {
                summary.units += page.n_units;
                summary.confirmed += page.n_confirmed;
            }
            summary.open.extend(
                page.units
                    .iter()
                    .filter_map(|unit| open(path, unit, review)),
            );
            from_unit += page.units.len();
            if page.units.is_empty() || from_unit > page.n_units {
                break;
            }
        }
    }
    if summary.open.is_empty() && summary.stopped == Some(Stopped::TurnEnded) {
        summary.stopped = None;
    }
    Ok(summary)
}

async fn page(
    workbench: &Arc<Workbench>,
    session_id: i64,
    path: &str,
    from_unit: usize,
    limit: usize,
) -> Result<DocumentView, ApiError> {
    let request = DocumentViewRequest {
        session_id,
        path: path.to_owned(),
        from_unit: Some(from_unit),
        limit: Some(limit),
    };
    workbench.document_view(request).await
}

fn documents(project: &ProjectView) -> impl Iterator<Item = &str> {
    let files = project.files.iter().filter(|file| file.format.is_some());
    files.map(|file| file.path.as_str())
}

fn refused(project: &ProjectView) -> Vec<RefusedFile> {
    let refused = project.files.iter().filter(|file| file.format.is_none());
    refused
        .filter_map(|file| {
            Some(RefusedFile {
                path: file.path.clone(),
                reason: file.reason?,
            })
        })
        .collect()
}

fn open(path: &str, unit: &UnitView, review: &Review) -> Option<OpenUnit> {
    let waiting = match unit.state {
        UnitStateView::Approved | UnitStateView::Refined => return None,
        UnitStateView::Proposed => "waitingForReview",
        UnitStateView::Rejected => "rejected",
        UnitStateView::Open => "notDrafted",
    };
    let shown = unit.issues.iter().map(|issue| issue.kind);
    let kinds = match review.set_aside.get(&(path.to_owned(), unit.unit)) {
        Some(kinds) => kinds.clone(),
        None => shown.collect(),
    };
    let mut reasons: Vec<String> = kinds
        .iter()
        .filter_map(|kind| Some(serde_json::to_value(kind).ok()?.as_str()?.to_owned()))
        .collect();
    reasons.dedup();
    if reasons.is_empty() || unit.state == UnitStateView::Proposed {
        reasons.push(waiting.to_owned());
    }
    Some(OpenUnit {
        path: path.to_owned(),
        unit: unit.unit,
        reasons,
    })
}
