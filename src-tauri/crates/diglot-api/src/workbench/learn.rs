//! Learning from decisions beside the open review, and what a person does with what was learnt.

use std::sync::Arc;

use diglot_agent::memory::{
    self, Evidence, Memory, MemoryId, MemoryItem, MemoryKind, MemoryState, Term,
};
use diglot_agent::{Begun, Context};

use super::sessions::Session;
use super::{Workbench, blocking, lock, now, run};
use crate::error::{ApiError, ErrorCode};
use crate::event::ApiEvent;
use crate::schema::{MemoryDeleteRequest, MemoryUpdateRequest, NoArgs, SessionRequest};
use crate::view::memory::{
    EvidenceView, MemoryItemView, MemoryKindView, MemoryStateView, MemoryView,
};

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

    /// Shows what was learnt for a session's languages.
    pub async fn memory_list(
        self: &Arc<Self>,
        request: SessionRequest,
    ) -> Result<MemoryView, ApiError> {
        let session = self.session(request.session_id).await?;
        let memory = self.memory_of(&lock(&session.context))?;
        let items: Vec<MemoryItemView> = memory.items.iter().map(item_view).collect();
        let active = items
            .iter()
            .filter(|item| item.state == MemoryStateView::Active);
        let n_tokens = active.map(|item| item.n_tokens).sum();
        Ok(MemoryView { items, n_tokens })
    }

    /// Changes an item, or adds one that the person writes; such a one is active at once.
    pub async fn memory_update(
        self: &Arc<Self>,
        request: MemoryUpdateRequest,
    ) -> Result<MemoryItemView, ApiError> {
        let session = self.session(request.session_id).await?;
        let workbench = Arc::clone(self);
        let item = blocking(move || {
            let context = lock(&session.context);
            let item = workbench.changed_item(&context, request)?;
            let seq = context.seq().0;
            workbench.emit(ApiEvent::SessionChanged {
                session_id: session.id.0,
                seq,
            });
            Ok(item)
        });
        Ok(item_view(&item.await?))
    }

    fn changed_item(
        &self,
        context: &Context,
        request: MemoryUpdateRequest,
    ) -> Result<MemoryItem, ApiError> {
        let memory = self.memory_of(context)?;
        let old = match request.id {
            Some(id) => Some(find(&memory, id)?.clone()),
            None => None,
        };
        let is_new = old.is_none();
        let mut item = old.unwrap_or_else(|| MemoryItem {
            id: MemoryId(0),
            kind: MemoryKind::Preference,
            text: String::new(),
            term: None,
            state: MemoryState::Active,
            languages: context.settings().languages.clone(),
            evidence: Vec::new(),
            updated_at: 0,
        });
        if let Some(kind) = request.kind {
            item.kind = kind.into();
        }
        let names_term = request.term_source.is_some() || request.term_target.is_some();
        let has_text = request.text.is_some();
        if let Some(text) = request.text {
            text.trim().clone_into(&mut item.text);
        }
        if let Some(state) = request.state {
            item.state = state.into();
        }
        item.term = changed_term(item.term, request.term_source, request.term_target);
        if let Some(term) = item.term.as_ref().filter(|_| names_term && !has_text) {
            item.text = format!("Translate “{}” as “{}”", term.source, term.target);
        }
        item.updated_at = now();
        let refuse = |text: String| ApiError::new(ErrorCode::MemoryRefused, text);
        memory::check_text(&item.text).map_err(refuse)?;
        if item.kind == MemoryKind::Terminology && item.term.is_none() {
            return Err(refuse("a term needs its source and target".to_owned()));
        }
        if is_new {
            return Ok(self.store().add_memory(&item)?);
        }
        self.store().put_memory(&item)?;
        Ok(item)
    }

    /// Deletes an item.
    pub async fn memory_delete(
        self: &Arc<Self>,
        request: MemoryDeleteRequest,
    ) -> Result<NoArgs, ApiError> {
        let session = self.session(request.session_id).await?;
        let workbench = Arc::clone(self);
        blocking(move || {
            let memory = workbench.memory_of(&lock(&session.context))?;
            let id = find(&memory, request.id)?.id;
            workbench.store().delete_memory(id)?;
            Ok(NoArgs {})
        })
        .await
    }
}

enum Learning {
    Nothing,
    Done,
    Ask(Box<diglot_agent::agent_loop::Question>),
}

fn find(memory: &Memory, id: i64) -> Result<&MemoryItem, ApiError> {
    memory
        .items
        .iter()
        .find(|item| item.id.0 == id)
        .ok_or_else(|| {
            ApiError::new(
                ErrorCode::BadRequest,
                format!("there is no memory item {id}"),
            )
        })
}

fn changed_term(old: Option<Term>, source: Option<String>, target: Option<String>) -> Option<Term> {
    if source.is_none() && target.is_none() {
        return old;
    }
    let old = old.unwrap_or(Term {
        source: String::new(),
        target: String::new(),
    });
    let term = Term {
        source: source.unwrap_or(old.source).trim().to_owned(),
        target: target.unwrap_or(old.target).trim().to_owned(),
    };
    (!term.source.is_empty() && !term.target.is_empty()).then_some(term)
}

fn item_view(item: &MemoryItem) -> MemoryItemView {
    MemoryItemView {
        id: item.id.0,
        kind: match item.kind {
            MemoryKind::Terminology => MemoryKindView::Terminology,
            MemoryKind::Style => MemoryKindView::Style,
            MemoryKind::Preference => MemoryKindView::Preference,
        },
        text: item.text.clone(),
        term_source: item.term.as_ref().map(|term| term.source.clone()),
        term_target: item.term.as_ref().map(|term| term.target.clone()),
        state: match item.state {
            MemoryState::Suggested => MemoryStateView::Suggested,
            MemoryState::Active => MemoryStateView::Active,
            MemoryState::Off => MemoryStateView::Off,
        },
        evidence: item.evidence.iter().map(evidence_view).collect(),
        n_tokens: n_tokens(&item.text),
        updated_at: item.updated_at,
    }
}

fn evidence_view(evidence: &Evidence) -> EvidenceView {
    EvidenceView {
        source: evidence.source.clone(),
        draft: evidence.draft.clone(),
        target: evidence.target.clone(),
        reason: evidence.reason.clone(),
        at: evidence.at,
    }
}

/// Estimates tokens: four bytes of Latin text or one character of CJK each, as common tokenisers do.
pub(super) fn n_tokens(text: &str) -> usize {
    let wide = text.chars().filter(|c| (*c as u32) >= 0x2E80).count();
    let narrow: usize = text
        .chars()
        .filter(|c| (*c as u32) < 0x2E80)
        .map(char::len_utf8)
        .sum();
    wide + narrow.div_ceil(4)
}

impl From<MemoryKindView> for MemoryKind {
    fn from(kind: MemoryKindView) -> Self {
        match kind {
            MemoryKindView::Terminology => Self::Terminology,
            MemoryKindView::Style => Self::Style,
            MemoryKindView::Preference => Self::Preference,
        }
    }
}

impl From<MemoryStateView> for MemoryState {
    fn from(state: MemoryStateView) -> Self {
        match state {
            MemoryStateView::Suggested => Self::Suggested,
            MemoryStateView::Active => Self::Active,
            MemoryStateView::Off => Self::Off,
        }
    }
}
