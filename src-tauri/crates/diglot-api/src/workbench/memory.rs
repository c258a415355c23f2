//! What a person does with what was learnt: sees, changes, switches, settles and deletes it.

use std::collections::HashSet;
use std::sync::Arc;

use diglot_agent::memory::{
    self, Conflict, Evidence, Memory, MemoryId, MemoryItem, MemoryKind, MemoryState, Scope, Term,
    Wording,
};
use diglot_agent::tokens;

use super::sessions::Session;
use super::{Workbench, blocking, lock, now};
use crate::error::{ApiError, ErrorCode};
use crate::event::ApiEvent;
use crate::schema::{
    MemoryDeleteRequest, MemorySettleRequest, MemoryUpdateRequest, NoArgs, SessionRequest,
};
use crate::view::memory::{
    EvidenceView, MemoryConflictView, MemoryItemView, MemoryKindView, MemoryScopeView,
    MemoryStateView, MemoryView,
};

impl Workbench {
    /// Shows what was learnt for a session's languages.
    pub async fn memory_list(
        self: &Arc<Self>,
        request: SessionRequest,
    ) -> Result<MemoryView, ApiError> {
        let session = self.session(request.session_id).await?;
        let workbench = Arc::clone(self);
        blocking(move || Ok(memory_view(&workbench.memory_of(&session)?))).await
    }

    /// Changes an item, or adds one that the person writes; such a one is active at once.
    pub async fn memory_update(
        self: &Arc<Self>,
        request: MemoryUpdateRequest,
    ) -> Result<MemoryItemView, ApiError> {
        let session = self.session(request.session_id).await?;
        let workbench = Arc::clone(self);
        blocking(move || {
            let item = workbench.changed_item(&session, request)?;
            workbench.memory_changed(&session);
            let memory = workbench.memory_of(&session)?;
            let sent = sent(&memory);
            Ok(item_view(&item, &sent))
        })
        .await
    }

    fn changed_item(
        &self,
        session: &Session,
        request: MemoryUpdateRequest,
    ) -> Result<MemoryItem, ApiError> {
        let memory = self.memory_of(session)?;
        let old = match request.id {
            Some(id) => Some(find(&memory, id)?.clone()),
            None => None,
        };
        let is_new = old.is_none();
        let mut item = old.unwrap_or_else(|| {
            let languages = lock(&session.row).languages.clone();
            MemoryItem::by_hand(MemoryKind::Preference, languages)
        });
        if let Some(scope) = request.scope {
            item.scope = scope_of(scope, session);
        }
        change(&mut item, request);
        item.updated_at = now();
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
            let memory = workbench.memory_of(&session)?;
            let id = find(&memory, request.id)?.id;
            workbench.store().delete_memory(id)?;
            Ok(NoArgs {})
        })
        .await
    }

    /// Settles which of two items holds that cannot both be kept.
    pub async fn memory_settle(
        self: &Arc<Self>,
        request: MemorySettleRequest,
    ) -> Result<MemoryView, ApiError> {
        let session = self.session(request.session_id).await?;
        let workbench = Arc::clone(self);
        blocking(move || {
            let mut memory = workbench.memory_of(&session)?;
            let (one, other) = (MemoryId(request.one), MemoryId(request.other));
            let settled = memory
                .settle(one, other, request.keep.map(MemoryId), now())
                .map_err(|text| ApiError::new(ErrorCode::BadRequest, text))?;
            for item in &settled {
                workbench.store().put_memory(item)?;
            }
            workbench.memory_changed(&session);
            Ok(memory_view(&memory))
        })
        .await
    }

    fn memory_changed(&self, session: &Session) {
        let seq = lock(&session.context).seq().0;
        let session_id = session.id.0;
        self.emit(ApiEvent::SessionChanged { session_id, seq });
    }
}

/// Does what the person says of an item; its scope is set elsewhere.
fn change(item: &mut MemoryItem, request: MemoryUpdateRequest) {
    if let Some(kind) = request.kind {
        item.kind = kind.into();
    }
    let names_term = request.term_source.is_some() || request.term_target.is_some();
    let names_wording = request.wording_write.is_some() || request.wording_instead_of.is_some();
    let has_text = request.text.is_some();
    if let Some(text) = request.text {
        // Other words are another rule: what texts were checked for went with the old ones.
        if text.trim() != item.text && !names_wording {
            item.wording = None;
        }
        text.trim().clone_into(&mut item.text);
    }
    if let Some(state) = request.state {
        item.decide(state.into());
    }
    let term = item.term.take().map(|term| (term.source, term.target));
    item.term = changed(term, request.term_source, request.term_target)
        .map(|(source, target)| Term { source, target });
    let wording = item.wording.take();
    let wording = wording.map(|wording| (wording.write, wording.instead_of));
    item.wording = changed(wording, request.wording_write, request.wording_instead_of)
        .map(|(write, instead_of)| Wording { write, instead_of });
    if has_text {
        return;
    }
    if let Some(term) = item.term.as_ref().filter(|_| names_term) {
        item.text = format!("Translate “{}” as “{}”", term.source, term.target);
    }
    if let Some(wording) = item.wording.as_ref().filter(|_| names_wording) {
        item.text = wording.to_text();
    }
}

/// Changes a pair of texts; one that lacks a half is none.
fn changed(
    old: Option<(String, String)>,
    first: Option<String>,
    second: Option<String>,
) -> Option<(String, String)> {
    if first.is_none() && second.is_none() {
        return old;
    }
    let (old_first, old_second) = old.unwrap_or_default();
    let text = |new: Option<String>, old: String| new.unwrap_or(old).trim().to_owned();
    let (first, second) = (text(first, old_first), text(second, old_second));
    (!first.is_empty() && !second.is_empty()).then_some((first, second))
}

fn scope_of(scope: MemoryScopeView, session: &Session) -> Scope {
    match scope {
        MemoryScopeView::Project => Scope::Project {
            folder: lock(&session.row).folder.clone(),
        },
        MemoryScopeView::Languages => Scope::Languages,
        MemoryScopeView::All => Scope::All,
    }
}

fn refuse(text: String) -> ApiError {
    ApiError::new(ErrorCode::MemoryRefused, text)
}

fn find(memory: &Memory, id: i64) -> Result<&MemoryItem, ApiError> {
    let item = memory.items.iter().find(|item| item.id.0 == id);
    item.ok_or_else(|| {
        let text = format!("there is no memory item {id}");
        ApiError::new(ErrorCode::BadRequest, text)
    })
}

fn sent(memory: &Memory) -> HashSet<MemoryId> {
    memory.active().map(|item| item.id).collect()
}

fn memory_view(memory: &Memory) -> MemoryView {
    let sent = sent(memory);
    let items = memory.items.iter().map(|item| item_view(item, &sent));
    let items: Vec<MemoryItemView> = items.collect();
    let n_tokens = items.iter().filter(|item| item.is_sent);
    MemoryView {
        n_tokens: n_tokens.map(|item| item.n_tokens).sum(),
        conflicts: memory.conflicts().into_iter().map(conflict_view).collect(),
        items,
    }
}

fn conflict_view(conflict: Conflict) -> MemoryConflictView {
    MemoryConflictView {
        earlier: conflict.earlier.0,
        later: conflict.later.0,
        sent: conflict.sent.0,
    }
}

fn item_view(item: &MemoryItem, sent: &HashSet<MemoryId>) -> MemoryItemView {
    let term = item.term.as_ref();
    let wording = item.wording.as_ref();
    MemoryItemView {
        id: item.id.0,
        kind: match item.kind {
            MemoryKind::Terminology => MemoryKindView::Terminology,
            MemoryKind::Style => MemoryKindView::Style,
            MemoryKind::Preference => MemoryKindView::Preference,
        },
        text: item.text.clone(),
        term_source: term.map(|term| term.source.clone()),
        term_target: term.map(|term| term.target.clone()),
        wording_write: wording.map(|wording| wording.write.clone()),
        wording_instead_of: wording.map(|wording| wording.instead_of.clone()),
        scope: match item.scope {
            Scope::Project { .. } => MemoryScopeView::Project,
            Scope::Languages => MemoryScopeView::Languages,
            Scope::All => MemoryScopeView::All,
        },
        state: match item.state {
            MemoryState::Suggested => MemoryStateView::Suggested,
            MemoryState::Active => MemoryStateView::Active,
            MemoryState::Off => MemoryStateView::Off,
            MemoryState::Suspended => MemoryStateView::Suspended,
        },
        is_sent: sent.contains(&item.id),
        n_applied: item.tally.n_applied,
        n_met: item.tally.n_met,
        n_overridden: item.tally.n_overridden,
        evidence: item.evidence.iter().map(evidence_view).collect(),
        n_tokens: tokens::estimate(&item.text),
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
        fault: evidence.fault.map(Into::into),
        marked: evidence.marked.clone(),
    }
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
            MemoryStateView::Suspended => Self::Suspended,
        }
    }
}
