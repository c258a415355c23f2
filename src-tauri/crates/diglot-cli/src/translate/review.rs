//! The decisions of `--approve all`: drafts without a warning are confirmed, the others are set aside. Owns which
//! units were set aside and why.

use std::collections::BTreeMap;
use std::sync::Arc;

use diglot_api::Workbench;
use diglot_api::error::{ApiError, ErrorCode};
use diglot_api::schema::{DecisionRequest, SessionRespondRequest};
use diglot_api::view::document::IssueKindView;
use diglot_api::view::session::{ProposalView, RequestView, SessionView};

use crate::args::Approve;
use crate::progress::Progress;

/// Names a unit: the document and the number from 1.
pub(crate) type Unit = (String, usize);

/// Decides in the place of a person, and only what a person allowed with `--approve all`.
pub(crate) struct Review {
    workbench: Arc<Workbench>,
    pub(crate) session_id: i64,
    pub(crate) approve: Option<Approve>,
    /// How often the model may be told to go on without a unit confirmed between.
    pub(crate) n_nudges: usize,
    n_confirmed: u64,
    /// Units that were not confirmed because of their findings.
    pub(crate) set_aside: BTreeMap<Unit, Vec<IssueKindView>>,
}

impl Review {
    pub(crate) fn new(
        workbench: Arc<Workbench>,
        session_id: i64,
        approve: Option<Approve>,
        n_nudges: usize,
    ) -> Self {
        Self {
            workbench,
            session_id,
            approve,
            n_nudges,
            n_confirmed: 0,
            set_aside: BTreeMap::new(),
        }
    }

    /// Tells whether each of so many units was confirmed or set aside.
    pub(crate) fn is_through(&self, n_units: u64) -> bool {
        self.n_confirmed.saturating_add(self.set_aside.len() as u64) >= n_units
    }

    /// Decides every open request and returns how many units were dealt with for the first time.
    pub(crate) async fn decide(
        &mut self,
        view: &SessionView,
        progress: &Progress,
        n_units: u64,
    ) -> Result<usize, ApiError> {
        self.n_confirmed = view.session.n_confirmed;
        let mut n_new = 0;
        for request in &view.requests {
            match request {
                RequestView::Ask(question) => {
                    self.respond(&question.call_id, DecisionRequest::Cancel)
                        .await?;
                }
                RequestView::Translate(draft) if self.confirm(draft).await? => {
                    self.n_confirmed += 1;
                    n_new += 1;
                    self.set_aside.remove(&(draft.path.clone(), draft.unit));
                    progress.show(self.n_confirmed, n_units);
                }
                RequestView::Translate(draft) => {
                    self.respond(&draft.call_id, DecisionRequest::Cancel)
                        .await?;
                    let kinds = draft.issues.iter().map(|issue| issue.kind).collect();
                    let unit = (draft.path.clone(), draft.unit);
                    n_new += usize::from(self.set_aside.insert(unit, kinds).is_none());
                }
            }
        }
        Ok(n_new)
    }

    /// Confirms a draft that carries no finding; returns whether it did.
    async fn confirm(&self, draft: &ProposalView) -> Result<bool, ApiError> {
        if !draft.issues.is_empty() || draft.target.trim().is_empty() {
            return Ok(false);
        }
        let approve = DecisionRequest::Approve {
            despite_issues: None,
            bulk: Some(true),
        };
        match self.respond(&draft.call_id, approve).await {
            Ok(()) => Ok(true),
            Err(error) if error.code == ErrorCode::NeedsConfirmation => Ok(false),
            Err(error) => Err(error),
        }
    }

    async fn respond(&self, call_id: &str, decision: DecisionRequest) -> Result<(), ApiError> {
        let request = SessionRespondRequest {
            session_id: self.session_id,
            call_id: call_id.to_owned(),
            decision,
        };
        match self.workbench.session_respond(request).await {
            Ok(_) => Ok(()),
            // A draft that was withdrawn meanwhile, because its file changed, needs no decision.
            Err(error) if error.code == ErrorCode::NotPending => Ok(()),
            Err(error) => Err(error),
        }
    }
}
