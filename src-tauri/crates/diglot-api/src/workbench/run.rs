//! Steps in a row: who waits, who tries again, and how it is stopped.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use diglot_agent::agent_loop::Question;
use diglot_agent::{Actor, Begun, Context, Model, ModelError, ModelResponse, StepError};
use diglot_store::Attempt;
use tokio::sync::{Mutex as AsyncMutex, watch};

use super::sessions::Session;
use super::{Workbench, blocking, lock, now};
use crate::error::{ApiError, ErrorCode};
use crate::event::ApiEvent;
use crate::schema::SessionRequest;
use crate::view::session::SessionView;

pub(super) mod attempts;

use attempts::{After, Attempts};

/// Holds whether a session is at work, and the way to stop it.
#[derive(Debug)]
pub(super) struct Run {
    running: AtomicBool,
    /// Counts the stops; a run ends when it changes.
    stops: watch::Sender<u64>,
    /// Tells when a run has ended.
    ended: watch::Sender<bool>,
    /// Held by whoever learns from decisions, so that each is learnt from once.
    pub(super) learning: AsyncMutex<()>,
}

impl Default for Run {
    fn default() -> Self {
        Self {
            running: AtomicBool::new(false),
            stops: watch::channel(0).0,
            ended: watch::channel(true).0,
            learning: AsyncMutex::default(),
        }
    }
}

/// Ends a run when it is dropped, also in the middle.
struct Running<'a>(&'a Run);

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.0.running.store(false, Ordering::SeqCst);
        self.0.ended.send_replace(true);
    }
}

impl Run {
    pub(super) fn is_running(&self) -> bool {
        self.running.load(Ordering::SeqCst)
    }

    /// Asks a run to end; nothing happens where none runs.
    pub(super) fn stop(&self) {
        self.stops.send_modify(|n| *n += 1);
    }

    /// Ends the run that is under way or begins meanwhile, and waits until it has ended.
    pub(super) async fn end(&self) {
        let mut ended = self.ended.subscribe();
        self.stop();
        while !*ended.borrow_and_update() {
            self.stop();
            if ended.changed().await.is_err() {
                tracing::debug!("the session was dropped");
                return;
            }
        }
    }

    /// Tells of stops from here on.
    pub(super) fn stops(&self) -> watch::Receiver<u64> {
        self.stops.subscribe()
    }

    fn begin(&self) -> Result<(Running<'_>, watch::Receiver<u64>), ApiError> {
        if self.running.swap(true, Ordering::SeqCst) {
            return Err(ApiError::new(
                ErrorCode::SessionBusy,
                "the agent is at work already",
            ));
        }
        // Who is told of the run can stop it.
        let stops = self.stops();
        self.ended.send_replace(false);
        Ok((Running(self), stops))
    }
}

/// Says what became of a step.
enum Next {
    Go,
    End,
}

/// Bounds a run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    OneStep,
    UntilUser,
}

impl Workbench {
    /// Runs one step.
    pub async fn session_next(
        self: &Arc<Self>,
        request: SessionRequest,
    ) -> Result<SessionView, ApiError> {
        self.run(request.session_id, Extent::OneStep).await
    }

    /// Runs steps until the person must act, the run is stopped, or an error needs a person.
    pub async fn session_run(
        self: &Arc<Self>,
        request: SessionRequest,
    ) -> Result<SessionView, ApiError> {
        self.run(request.session_id, Extent::UntilUser).await
    }

    /// Stops the run of a session and waits until it has ended; nothing partial is kept.
    pub async fn session_stop(
        self: &Arc<Self>,
        request: SessionRequest,
    ) -> Result<SessionView, ApiError> {
        let session = self.session(request.session_id).await?;
        let was_running = session.run.is_running();
        session.run.end().await;
        if was_running {
            self.forget_wait(&session).await?;
        }
        self.view(&session, None)
    }

    async fn run(self: &Arc<Self>, id: i64, extent: Extent) -> Result<SessionView, ApiError> {
        self.writable()?;
        let session = self.session(id).await?;
        session.sound()?;
        let since = lock(&session.context).seq();
        let result = {
            let (_running, mut stops) = session.run.begin()?;
            self.emit_run(&session, true, None);
            self.steps(&session, &mut stops, extent).await
        };
        self.emit_run(&session, false, None);
        self.write_targets_soon(&session);
        result?;
        self.view(&session, Some(since))
    }

    async fn steps(
        self: &Arc<Self>,
        session: &Arc<Session>,
        stops: &mut watch::Receiver<u64>,
        extent: Extent,
    ) -> Result<(), ApiError> {
        let kept = lock(&session.row).attempt.clone();
        let kept = kept.filter(|_| actor(session) == Actor::Agent);
        let mut attempts = Attempts::default();
        // A wait that the program's end cut short goes on; what the server asked for holds all the same.
        if let Some((before, wait)) = kept.and_then(|kept| Attempts::kept(&kept, now())) {
            attempts = before;
            if !self.wait(session, stops, wait).await {
                return Ok(());
            }
        }
        loop {
            match self.step(session, stops, &mut attempts).await? {
                Next::Go if extent == Extent::UntilUser => {}
                Next::Go | Next::End => return Ok(()),
            }
        }
    }

    fn emit_run(&self, session: &Session, running: bool, try_again_at: Option<i64>) {
        let session_id = session.id.0;
        self.emit(ApiEvent::RunChanged {
            session_id,
            running,
            try_again_at,
        });
    }

    async fn step(
        self: &Arc<Self>,
        session: &Arc<Session>,
        stops: &mut watch::Receiver<u64>,
        attempts: &mut Attempts,
    ) -> Result<Next, ApiError> {
        if stops.has_changed().unwrap_or(true) || actor(session) == Actor::User {
            return Ok(Next::End);
        }
        // A lesson that is being drawn beside the review comes first, so that the next draft knows it.
        let learning = tokio::select! {
            biased;
            _ = stops.changed() => return Ok(Next::End),
            learning = session.run.learning.lock() => learning,
        };
        let begun = self.begin(session).await?;
        let Some(question) = begun else {
            return Ok(Next::Go);
        };
        let model = self.model_for(session, question.is_lesson())?;
        if !question.is_lesson() {
            drop(learning);
        }
        let answer = tokio::select! {
            biased;
            _ = stops.changed() => return Ok(Next::End),
            answer = ask(model.as_ref(), &question) => answer,
        };
        self.keep_learned().await;
        let question = Box::new(question.put_to(model.as_ref()));
        let failure = match self.finish(session, question, answer).await? {
            Ok(()) => {
                self.clear_attempt(session, attempts).await?;
                return Ok(Next::Go);
            }
            Err(StepError::Model(failure)) => failure,
        };
        self.failed(session, stops, attempts, &failure).await
    }

    /// Begins a step; what needs no model is done and written at once.
    async fn begin(
        self: &Arc<Self>,
        session: &Arc<Session>,
    ) -> Result<Option<Box<Question>>, ApiError> {
        let (workbench, session) = (Arc::clone(self), Arc::clone(session));
        blocking(move || {
            let project = session.project()?;
            workbench.refresh_current(&session)?;
            workbench.with_loop(&session, &project, |agent_loop, context| {
                match agent_loop.begin(context) {
                    Begun::Done(step) => {
                        workbench.commit(&session, context, step)?;
                        Ok(None)
                    }
                    Begun::Ask(question) => Ok(Some(question)),
                }
            })
        })
        .await
    }

    /// Ends a step with the model's answer and writes it.
    pub(super) async fn finish(
        self: &Arc<Self>,
        session: &Arc<Session>,
        question: Box<Question>,
        answer: Result<ModelResponse, ModelError>,
    ) -> Result<Result<(), StepError>, ApiError> {
        let (workbench, session) = (Arc::clone(self), Arc::clone(session));
        blocking(move || {
            let project = session.project()?;
            let is_lesson = question.is_lesson();
            workbench.with_loop(&session, &project, |agent_loop, context| {
                match agent_loop.finish(context, *question, answer) {
                    Ok(step) => {
                        if is_lesson {
                            context.spend(step.usage.total());
                        }
                        workbench.commit(&session, context, step).map(Ok)
                    }
                    Err(StepError::Model(failure)) => {
                        let n_tokens = failure.usage().total();
                        if n_tokens > 0 {
                            context.spend(n_tokens);
                            workbench
                                .store()
                                .set_tokens(session.id, context.n_tokens())?;
                        }
                        Ok(Err(StepError::Model(failure)))
                    }
                }
            })
        })
        .await
    }

    /// Reads the document at hand anew when it changed on disk since.
    fn refresh_current(&self, session: &Session) -> Result<(), ApiError> {
        let project = session.project()?;
        let path = {
            let context = lock(&session.context);
            context.chunk().and_then(|chunk| chunk.path.clone())
        };
        if path.is_some_and(|path| session.is_stale(&project, &path)) {
            self.refresh_sources(session)
        } else {
            Ok(())
        }
    }

    /// Waits and lets the step be tried again, or ends the run with the reason kept beside the session.
    async fn failed(
        self: &Arc<Self>,
        session: &Arc<Session>,
        stops: &mut watch::Receiver<u64>,
        attempts: &mut Attempts,
        failure: &ModelError,
    ) -> Result<Next, ApiError> {
        let wait = match attempts.after(failure, attempts::chance()) {
            After::Wait(wait) => wait,
            After::Shrink if lock(&session.context).shrink() => return Ok(Next::Go),
            After::AtOnce => return Ok(Next::Go),
            After::Stop(try_again_at) => {
                self.keep_attempt(session, attempts, failure, try_again_at)
                    .await?;
                return Ok(Next::End);
            }
            After::Shrink => {
                self.keep_attempt(session, attempts, failure, None).await?;
                return Ok(Next::End);
            }
        };
        let at = now() + i64::try_from(wait).unwrap_or(i64::MAX);
        self.keep_attempt(session, attempts, failure, Some(at))
            .await?;
        let waited = self.wait(session, stops, wait).await;
        Ok(if waited { Next::Go } else { Next::End })
    }

    /// Waits so many milliseconds before the next try; false when the run is stopped meanwhile.
    async fn wait(&self, session: &Session, stops: &mut watch::Receiver<u64>, wait: u64) -> bool {
        let at = now() + i64::try_from(wait).unwrap_or(i64::MAX);
        self.emit_run(session, true, Some(at));
        tokio::select! {
            biased;
            _ = stops.changed() => false,
            () = tokio::time::sleep(Duration::from_millis(wait)) => {
                self.emit_run(session, true, None);
                true
            }
        }
    }

    /// Drops the wait of a run that a person stopped: what they start next begins at once.
    async fn forget_wait(self: &Arc<Self>, session: &Arc<Session>) -> Result<(), ApiError> {
        let kept = lock(&session.row).attempt.clone();
        match kept.filter(|kept| kept.try_again_at.is_some()) {
            Some(kept) => {
                let kept = Attempt {
                    try_again_at: None,
                    ..kept
                };
                self.store_attempt(session, Some(kept)).await
            }
            None => Ok(()),
        }
    }

    async fn keep_attempt(
        self: &Arc<Self>,
        session: &Arc<Session>,
        attempts: &Attempts,
        failure: &ModelError,
        try_again_at: Option<i64>,
    ) -> Result<(), ApiError> {
        let error = serde_json::to_value(ApiError::from(failure)).unwrap_or_default();
        let attempt = Attempt {
            error,
            try_again_at,
            n_tries: attempts.n_tries(),
            at: now(),
        };
        self.store_attempt(session, Some(attempt)).await
    }

    async fn clear_attempt(
        self: &Arc<Self>,
        session: &Arc<Session>,
        attempts: &mut Attempts,
    ) -> Result<(), ApiError> {
        *attempts = Attempts::default();
        if lock(&session.row).attempt.is_none() {
            return Ok(());
        }
        self.store_attempt(session, None).await
    }

    async fn store_attempt(
        self: &Arc<Self>,
        session: &Arc<Session>,
        attempt: Option<Attempt>,
    ) -> Result<(), ApiError> {
        let (workbench, session) = (Arc::clone(self), Arc::clone(session));
        blocking(move || {
            workbench
                .store()
                .set_attempt(session.id, attempt.as_ref())?;
            lock(&session.row).attempt = attempt;
            Ok(())
        })
        .await
    }
}

/// Asks a model; a lesson is not waited for without end (SPEC 2).
pub(super) async fn ask(
    model: &dyn Model,
    question: &Question,
) -> Result<ModelResponse, ModelError> {
    /// Longest that a lesson may take; the person's next draft waits for it.
    const LESSON: Duration = Duration::from_secs(60);
    if !question.is_lesson() {
        return model.complete(&question.request).await;
    }
    let answer = tokio::time::timeout(LESSON, model.complete(&question.request)).await;
    answer.unwrap_or_else(|_| {
        let detail = "the memory model took longer than a minute".to_owned();
        Err(ModelError::Transient {
            retry_after_ms: None,
            status: None,
            detail,
        })
    })
}

fn actor(session: &Session) -> Actor {
    Context::actor(&lock(&session.context))
}
