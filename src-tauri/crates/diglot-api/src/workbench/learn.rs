//! Learning from decisions, in the background, beside the open review.

use std::sync::Arc;

use diglot_agent::Begun;

use super::sessions::Session;
use super::{Workbench, blocking, lock, run};
use crate::error::ApiError;

impl Workbench {
    /// Learns from what was decided, in the background; the person is never held up.
    pub(super) fn learn(self: &Arc<Self>, session: &Arc<Session>) {
        let has_lesson = {
            let context = lock(&session.context);
            context.open_extractions().next().is_some()
                || context.postponed_extractions().next().is_some()
        };
        if !has_lesson {
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
        // What could not be learnt before is tried again once, after what is new.
        let mut n_again = lock(&session.context).postponed_extractions().count();
        loop {
            let may_try_again = n_again > 0;
            let (workbench, at) = (Arc::clone(self), Arc::clone(session));
            let begun = blocking(move || {
                let project = at.project()?;
                workbench.with_loop(&at, &project, |agent_loop, context| {
                    let begun = agent_loop.begin_learning(context);
                    let is_again = begun.is_none() && may_try_again;
                    let begun = if is_again {
                        agent_loop.begin_learning_again(context)
                    } else {
                        begun
                    };
                    let learning = match begun {
                        None => Learning::Nothing,
                        Some(Begun::Done(step)) => {
                            workbench.commit(&at, context, step)?;
                            Learning::Done
                        }
                        Some(Begun::Ask(question)) => Learning::Ask(question),
                    };
                    Ok((learning, is_again))
                })
            });
            let (learning, is_again) = begun.await?;
            n_again -= usize::from(is_again);
            match learning {
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
