//! Undo and redo over what a person did to units, across documents and restarts.

use std::sync::Arc;

use diglot_agent::context::{Action, ActionKind};
use diglot_agent::{AgentLoop, Context, Step};

use super::{Workbench, now};
use crate::error::ApiError;
use crate::schema::SessionRequest;
use crate::view::action::{ActionKindView, ActionView, ReversalView};

/// Says which way an action goes.
#[derive(Debug, Clone, Copy)]
enum Way {
    Back,
    Again,
}

impl Way {
    fn action(self, context: &Context) -> Option<Action> {
        match self {
            Self::Back => context.undoable(),
            Self::Again => context.redoable(),
        }
    }

    fn step(self, agent_loop: &AgentLoop<'_>, context: &Context) -> Option<Step> {
        match self {
            Self::Back => agent_loop.undo(context, now()),
            Self::Again => agent_loop.redo(context, now()),
        }
    }
}

impl Workbench {
    /// Takes back what the person did last to a unit. Works while a run is under way; answers when it is written.
    pub async fn session_undo(
        self: &Arc<Self>,
        request: SessionRequest,
    ) -> Result<ReversalView, ApiError> {
        self.reverse(request.session_id, Way::Back).await
    }

    /// Does again what was taken back last, unless something else was done since.
    pub async fn session_redo(
        self: &Arc<Self>,
        request: SessionRequest,
    ) -> Result<ReversalView, ApiError> {
        self.reverse(request.session_id, Way::Again).await
    }

    async fn reverse(self: &Arc<Self>, id: i64, way: Way) -> Result<ReversalView, ApiError> {
        let session = self.session(id).await?;
        let (action, session) = self
            .decide(session, move |workbench, session, agent_loop, context| {
                let action = way.action(context).as_ref().map(action_view);
                if let Some(step) = way.step(agent_loop, context) {
                    workbench.commit(session, context, step)?;
                }
                Ok(action)
            })
            .await?;
        Ok(ReversalView { action, session })
    }
}

/// Shows an action.
pub(super) fn action_view(action: &Action) -> ActionView {
    ActionView {
        kind: match action.kind {
            ActionKind::Approve => ActionKindView::Approve,
            ActionKind::BulkApprove => ActionKindView::BulkApprove,
            ActionKind::Refine => ActionKindView::Refine,
            ActionKind::Reject => ActionKindView::Reject,
            ActionKind::Skip => ActionKindView::Skip,
            ActionKind::Translate => ActionKindView::Translate,
            ActionKind::Revise => ActionKindView::Revise,
        },
        path: action.unit.path.as_str().to_owned(),
        unit: action.unit.unit,
        n_units: action.n_units,
        text: action.text.clone(),
    }
}
