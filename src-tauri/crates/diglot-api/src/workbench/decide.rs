//! What a person decides and says: written before it is answered.

use std::sync::Arc;

use diglot_agent::agent_loop::RespondError;
use diglot_agent::context::Draft;
use diglot_agent::entry::{Revision, UnitRef};
use diglot_agent::{
    AgentLoop, CallId, Context, CopilotResponse, Decision, DecisionMode, Entry, Marked, Message,
    ProjectPath, Rejection, Seq, Step,
};

use super::present::Part;
use super::sessions::Session;
use super::{Workbench, blocking, lock, now};
use crate::error::{ApiError, ErrorCode};
use crate::schema::{
    DecisionRequest, RejectRequest, SessionInputRequest, SessionRespondRequest, UnitRequest,
    UnitReviseRequest,
};
use crate::view::session::SessionView;

impl Workbench {
    /// Gives a decision on one request. Works while a run is under way; answers when it is written.
    pub async fn session_respond(
        self: &Arc<Self>,
        request: SessionRespondRequest,
    ) -> Result<SessionView, ApiError> {
        let session = self.session(request.session_id).await?;
        let (decision, mode, despite_issues) = decision(request.decision);
        let call_id = CallId::from_text(request.call_id);
        let response = CopilotResponse {
            call_id,
            decision,
            mode,
            at: now(),
        };
        self.change(session, move |workbench, session, agent_loop, context| {
            workbench.take(session, agent_loop, context, response, despite_issues)
        })
        .await
    }

    /// Says something to the agent. A run is stopped first, and open requests are set aside.
    pub async fn session_input(
        self: &Arc<Self>,
        request: SessionInputRequest,
    ) -> Result<SessionView, ApiError> {
        let text = request.text.trim().to_owned();
        if text.is_empty() {
            return Err(ApiError::new(
                ErrorCode::DecisionIncomplete,
                "the message is empty",
            ));
        }
        let session = self.session(request.session_id).await?;
        session.run.end().await;
        self.change(session, move |workbench, session, agent_loop, context| {
            let mut entries = agent_loop.set_aside(context);
            entries.push(Entry::Message(Message::User { text }));
            workbench.commit(session, context, Step::of(entries))
        })
        .await
    }

    /// Gives a unit a target: decides its open request, changes a confirmed one, or confirms an open one that the
    /// person translated by hand.
    pub async fn unit_revise(
        self: &Arc<Self>,
        request: UnitReviseRequest,
    ) -> Result<SessionView, ApiError> {
        if request.target.trim().is_empty() {
            return Err(ApiError::new(
                ErrorCode::DecisionIncomplete,
                "the translation is empty",
            ));
        }
        let unit = unit_ref(&request.path, request.unit)?;
        let session = self.session(request.session_id).await?;
        self.change(session, move |workbench, session, agent_loop, context| {
            if let Some(call_id) = open_call(context, &unit) {
                let target = request.target;
                let response = single(call_id, Decision::Refine { target });
                return workbench.take(session, agent_loop, context, response, true);
            }
            workbench.read_first(session, agent_loop, context, &unit.path)?;
            workbench.is_as_shown(session, agent_loop, context, &unit.path)?;
            let known = context
                .document(&unit.path)
                .and_then(|document| document.units().get(unit.unit - 1)?.target.clone());
            if known.as_deref() == Some(request.target.as_str()) {
                return Ok(());
            }
            if let Some(lost) = context.unencodable(&unit, &request.target) {
                return Err(refusal(&RespondError::Unencodable(lost)));
            }
            let revision = Revision {
                unit: unit.clone(),
                target: request.target.clone(),
                at: now(),
            };
            let entries = vec![Entry::Revision(revision)];
            workbench.commit(session, context, Step::of(entries))?;
            workbench.note_waivers(session, context, &unit, &request.target);
            Ok(())
        })
        .await
    }

    /// Sets a unit aside: its open request is closed, and the agent passes over it until it is told to go on.
    pub async fn unit_skip(
        self: &Arc<Self>,
        request: UnitRequest,
    ) -> Result<SessionView, ApiError> {
        let unit = unit_ref(&request.path, request.unit)?;
        let session = self.session(request.session_id).await?;
        self.change(session, move |workbench, session, agent_loop, context| {
            if let Some(call_id) = open_call(context, &unit) {
                let response = single(call_id, Decision::Cancel);
                return workbench.take(session, agent_loop, context, response, false);
            }
            workbench.read_first(session, agent_loop, context, &unit.path)?;
            workbench.is_as_shown(session, agent_loop, context, &unit.path)?;
            let entries = vec![Entry::Skip(unit)];
            workbench.commit(session, context, Step::of(entries))
        })
        .await
    }

    async fn change(
        self: &Arc<Self>,
        session: Arc<Session>,
        work: impl FnOnce(&Self, &Session, &AgentLoop<'_>, &mut Context) -> Result<(), ApiError>
        + Send
        + 'static,
    ) -> Result<SessionView, ApiError> {
        let ((), view) = self.decide(session, work).await?;
        Ok(view)
    }

    /// Runs a change of the log under the session's lock, lets memory learn, and shows what is new beside
    /// what the work answers.
    pub(super) async fn decide<T: Send + 'static>(
        self: &Arc<Self>,
        session: Arc<Session>,
        work: impl FnOnce(&Self, &Session, &AgentLoop<'_>, &mut Context) -> Result<T, ApiError>
        + Send
        + 'static,
    ) -> Result<(T, SessionView), ApiError> {
        let (workbench, at) = (Arc::clone(self), Arc::clone(&session));
        let decided = blocking(move || {
            let project = at.project()?;
            workbench.with_loop(&at, &project, |agent_loop, context| {
                let since = context.seq();
                let answer = work(&workbench, &at, agent_loop, context)?;
                Ok((since, answer))
            })
        })
        .await;
        session.targets.mark_problems();
        // What was refused because a source changed has read it anew.
        self.write_targets_soon(&session);
        let (since, answer): (Seq, T) = decided?;
        self.learn(&session);
        Ok((answer, self.view(&session, Some(since))?))
    }

    /// Takes one decision and writes it.
    fn take(
        &self,
        session: &Session,
        agent_loop: &AgentLoop<'_>,
        context: &mut Context,
        response: CopilotResponse,
        despite_issues: bool,
    ) -> Result<(), ApiError> {
        let draft = context.draft(&response.call_id).cloned();
        let path = draft.as_ref().map(|draft| draft.path.clone());
        let confirmed = draft
            .filter(|_| response.mode == DecisionMode::Single)
            .and_then(|draft| confirmed(&draft, &response.decision));
        match agent_loop.respond(context, response, despite_issues) {
            Ok(step) => {
                self.commit(session, context, step)?;
                if let Some((unit, target)) = confirmed {
                    self.note_waivers(session, context, &unit, &target);
                }
                Ok(())
            }
            Err(RespondError::SourceChanged(step)) => {
                self.commit(session, context, *step)?;
                session.targets.mark(path);
                Err(source_changed())
            }
            Err(error) => Err(refusal(&error)),
        }
    }

    /// Remembers the terms that a person confirmed a unit without. The decision stands whatever becomes of it.
    fn note_waivers(&self, session: &Session, context: &Context, unit: &UnitRef, target: &str) {
        let Some(state) = context.document(&unit.path) else {
            return;
        };
        let segment = state.segments().get(unit.unit - 1);
        let source = segment.map_or("", |segment| &segment.source);
        if let Err(error) = self.waive_unmet(session, context, &state.document, source, target) {
            tracing::warn!(%error, "a waiver was not kept");
        }
    }

    /// Refuses what a person does with a document that changed on disk since they saw it, and reads it anew.
    fn is_as_shown(
        &self,
        session: &Session,
        agent_loop: &AgentLoop<'_>,
        context: &mut Context,
        path: &ProjectPath,
    ) -> Result<(), ApiError> {
        // A text that cannot be read now, or is no document any more, is not another: what is known is kept.
        if !agent_loop.has_changed(context, path).unwrap_or(false) {
            return Ok(());
        }
        let step = agent_loop.refresh(context, path);
        let is_unreadable = step.sources.is_empty();
        self.commit(session, context, step)?;
        if is_unreadable {
            return Ok(());
        }
        session.targets.mark([path.clone()]);
        Err(source_changed())
    }

    /// Reads a document that the person works on before the agent came to it.
    pub(super) fn read_first(
        &self,
        session: &Session,
        agent_loop: &AgentLoop<'_>,
        context: &mut Context,
        path: &ProjectPath,
    ) -> Result<(), ApiError> {
        if context.document(path).is_some() {
            return Ok(());
        }
        // What was shown of it was read from it already.
        let project = session.project().ok();
        if let Some(parsed) = project.and_then(|project| project.take_document(path)) {
            context.add_parsed(parsed);
        }
        let step = agent_loop.refresh(context, path);
        if step.sources.is_empty() {
            let text = format!("{path} cannot be read");
            return Err(ApiError::new(ErrorCode::SourceUnreadable, text));
        }
        self.commit(session, context, step)
    }
}

/// Returns the unit and the target that a decision on a draft confirms.
fn confirmed(draft: &Draft, decision: &Decision) -> Option<(UnitRef, String)> {
    let target = match decision {
        Decision::Approve => draft.target.clone(),
        Decision::Refine { target } => target.clone(),
        Decision::Reject { .. } | Decision::Answer { .. } | Decision::Cancel => return None,
    };
    let unit = UnitRef {
        path: draft.path.clone(),
        unit: draft.ordinal + 1,
    };
    Some((unit, target))
}

fn source_changed() -> ApiError {
    let text = "the file changed on disk, so its drafts were withdrawn";
    ApiError::new(ErrorCode::SourceChanged, text)
}

/// Makes the response to a draft that a person looked at.
fn single(call_id: CallId, decision: Decision) -> CopilotResponse {
    CopilotResponse {
        call_id,
        decision,
        mode: DecisionMode::Single,
        at: now(),
    }
}

/// Finds the open request on a unit.
fn open_call(context: &Context, unit: &UnitRef) -> Option<CallId> {
    let document = context.document(&unit.path)?;
    document
        .units()
        .get(unit.unit.checked_sub(1)?)?
        .proposal
        .clone()
}

/// Reads the name of a unit.
pub(super) fn unit_ref(path: &str, unit: usize) -> Result<UnitRef, ApiError> {
    if unit == 0 {
        return Err(ApiError::new(
            ErrorCode::BadRequest,
            "units are numbered from 1",
        ));
    }
    Ok(UnitRef {
        path: document_path(path)?,
        unit,
    })
}

/// Reads the path of a document.
pub(super) fn document_path(path: &str) -> Result<ProjectPath, ApiError> {
    ProjectPath::from_listing(path)
        .map_err(|error| ApiError::new(ErrorCode::BadRequest, error.to_string()))
}

fn decision(request: DecisionRequest) -> (Decision, DecisionMode, bool) {
    match request {
        DecisionRequest::Approve {
            despite_issues,
            bulk,
        } => {
            let mode = if bulk == Some(true) {
                DecisionMode::Bulk
            } else {
                DecisionMode::Single
            };
            (Decision::Approve, mode, despite_issues == Some(true))
        }
        DecisionRequest::Refine { target } => {
            (Decision::Refine { target }, DecisionMode::Single, false)
        }
        DecisionRequest::Reject(request) => {
            let decision = Decision::Reject(rejection(request));
            (decision, DecisionMode::Single, false)
        }
        DecisionRequest::Answer { choice, text } => (
            Decision::Answer { choice, text },
            DecisionMode::Single,
            false,
        ),
        DecisionRequest::Cancel => (Decision::Cancel, DecisionMode::Single, false),
    }
}

fn rejection(request: RejectRequest) -> Rejection {
    Rejection {
        reason: request.reason,
        fault: request.fault.map(Into::into),
        marked: request.marked.map(|marked| Marked {
            text: marked.text,
            occurrence: marked.occurrence,
        }),
    }
}

fn refusal(error: &RespondError) -> ApiError {
    let code = match error {
        RespondError::NotPending(_) => ErrorCode::NotPending,
        RespondError::AlreadyDecided(_) => ErrorCode::AlreadyDecided,
        RespondError::Incomplete(_) => ErrorCode::DecisionIncomplete,
        RespondError::NeedsConfirmation => ErrorCode::NeedsConfirmation,
        RespondError::Unencodable(_) => ErrorCode::TargetUnencodable,
        RespondError::SourceChanged(_) => ErrorCode::SourceChanged,
        RespondError::Unreadable(_) => ErrorCode::SourceUnreadable,
    };
    // The characters alone: the screen makes a sentence of them.
    let detail = match error {
        RespondError::Unencodable(lost) => lost.clone(),
        RespondError::NotPending(_)
        | RespondError::AlreadyDecided(_)
        | RespondError::Incomplete(_)
        | RespondError::NeedsConfirmation
        | RespondError::SourceChanged(_)
        | RespondError::Unreadable(_) => error.to_string(),
    };
    ApiError::new(code, detail)
}

impl Workbench {
    /// Shows a session; with `since` only the turns after it.
    pub(super) fn view(
        &self,
        session: &Session,
        since: Option<Seq>,
    ) -> Result<SessionView, ApiError> {
        let provider = self.translator_name();
        let mut context = lock(&session.context);
        self.catch_up(session, &mut context)?;
        let earlier = self.earlier(session, &context, since)?;
        super::present::session_view(session, &context, &Part { since, earlier }, provider)
    }

    /// Reads the entries after `since` that a context holds no longer.
    fn earlier(
        &self,
        session: &Session,
        context: &Context,
        since: Option<Seq>,
    ) -> Result<Vec<(Seq, Entry)>, ApiError> {
        let held_since = context.held_since();
        let Some(since) = since.filter(|since| *since < held_since) else {
            return Ok(Vec::new());
        };
        let n = held_since.0 - since.0;
        let log = self.store.log_part(session.id, since, n as usize)?;
        match log.fault {
            None => Ok(log.entries),
            Some(fault) => Err(fault.into()),
        }
    }
}
