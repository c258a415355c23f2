//! Learning from decisions, in the background, beside the open review.

use std::sync::Arc;

use diglot_agent::Begun;

use super::sessions::Session;
use super::{Workbench, blocking, lock, run};
use crate::error::ApiError;

impl Workbench {
    /// Learns from what was decided, in the background; the person is never held up.
    pub(super) fn learn(self: &Arc<Self>, session: &Arc<Session>) {
        if lock(&session.context).open_extractions().next().is_none() {
            return;
        }
        let (workbench, session) = (Arc::clone(self), Arc::clone(session));
        tokio::spawn(async move {
            if let Err(error) = workbench.learn_all(&session).await {
                tracing::warn!(%error, "a lesson was not drawn");
            }
        });
    }

    async fn learn_all(self: &Arc<Self>, session: &Arc<Session>) -> Result<(), ApiError> {
        let mut stops = session.run.stops();
        let _learning = tokio::select! {
            biased;
            _ = stops.changed() => return Ok(()),
            learning = session.run.learning.lock() => learning,
        };
        loop {
            let (workbench, at) = (Arc::clone(self), Arc::clone(session));
            let begun = blocking(move || {
                let project = at.project()?;
                workbench.with_loop(&at, &project, |agent_loop, context| {
                    match agent_loop.begin_learning(context) {
                        None => Ok(Learning::Nothing),
                        Some(Begun::Done(step)) => {
                            workbench.commit(&at, context, step)?;
                            Ok(Learning::Done)
                        }
                        Some(Begun::Ask(question)) => Ok(Learning::Ask(question)),
                    }
                })
            });
            match begun.await? {
                Learning::Nothing => return Ok(()),
                Learning::Done => {}
                Learning::Ask(question) => {
                    let model = self.model_for(session, true)?;
                    // What was not learnt stays to be learnt, with the next decision or the next run.
                    let answer = tokio::select! {
                        biased;
                        _ = stops.changed() => return Ok(()),
                        answer = run::ask(model.as_ref(), &question) => answer,
                    };
                    self.keep_learned().await;
                    if self.finish(session, question, answer).await?.is_err() {
                        tracing::warn!("a lesson was not drawn");
                        return Ok(());
                    }
                }
            }
        }
    }
}

enum Learning {
    Nothing,
    Done,
    Ask(Box<diglot_agent::agent_loop::Question>),
}
