//! Documents of a session: pages of units, encodings, and the comparison of a draft with what became of it.

use std::sync::Arc;

use diglot_agent::TermEntry;
use diglot_document::{CheckContext, CheckedTerm, TargetDiff, check};

use super::decide::{document_path, unit_ref};
use super::{Workbench, blocking, lock, present, terms};
use crate::error::{ApiError, ErrorCode};
use crate::schema::{
    DocumentConfigureRequest, DocumentViewRequest, DocumentWhenMissingRequest, ProposalDiffRequest,
};
use crate::view::document::{DiffView, DocumentView, diff_pieces};

/// Units of a page when the host names no limit, and at most.
const PAGE: usize = 100;
const LARGEST_PAGE: usize = 1_000;

impl Workbench {
    /// Shows a page of a document, also of one that the agent has not come to yet.
    pub async fn document_view(
        self: &Arc<Self>,
        request: DocumentViewRequest,
    ) -> Result<DocumentView, ApiError> {
        let path = document_path(&request.path)?;
        let limit = request.limit.unwrap_or(PAGE).min(LARGEST_PAGE);
        let from = request.from_unit.unwrap_or(1).max(1);
        let id = request.session_id;
        if let Some(page) = self.first_page(id, &path, from, limit).await? {
            return Ok(page);
        }
        let session = self.session(id).await?;
        blocking(move || {
            let known = {
                let context = lock(&session.context);
                present::document_view(&lock(&session.dismissed), &context, &path, from, limit)
            };
            if let Some(view) = known {
                return Ok(view);
            }
            let missing = || {
                ApiError::new(
                    ErrorCode::SourceUnreadable,
                    format!("{path} cannot be read"),
                )
            };
            let document = session.parse(&path)?.ok_or_else(missing)?;
            Ok(present::unread_document_view(&document, &path, from, limit))
        })
        .await
    }

    /// Chooses a document's encoding; open drafts for it are withdrawn, confirmed units whose text is the same
    /// stay.
    pub async fn document_configure(
        self: &Arc<Self>,
        request: DocumentConfigureRequest,
    ) -> Result<DocumentView, ApiError> {
        let path = document_path(&request.path)?;
        let session = self.session(request.session_id).await?;
        let workbench = Arc::clone(self);
        blocking(move || {
            let project = session.project()?;
            workbench.with_loop(&session, &project, |agent_loop, context| {
                let step = agent_loop.reread(context, &path, request.encoding);
                if step.sources.is_empty() {
                    let text = format!("{path} cannot be read in this encoding");
                    return Err(ApiError::new(ErrorCode::SourceUnreadable, text));
                }
                workbench.commit(&session, context, step)?;
                session.targets.mark([path.clone()]);
                let dismissed = lock(&session.dismissed);
                present::document_view(&dismissed, context, &path, 1, PAGE).ok_or_else(|| {
                    ApiError::new(
                        ErrorCode::SourceUnreadable,
                        format!("{path} cannot be read"),
                    )
                })
            })
        })
        .await
    }

    /// Says what becomes of characters that a document's encoding cannot hold.
    pub async fn document_set_when_missing(
        self: &Arc<Self>,
        request: DocumentWhenMissingRequest,
    ) -> Result<DocumentView, ApiError> {
        let path = document_path(&request.path)?;
        let session = self.session(request.session_id).await?;
        let workbench = Arc::clone(self);
        blocking(move || {
            let choice = request.when_missing.into();
            workbench.keep(&session, |data| {
                data.when_missing.insert(path.clone(), choice);
            })?;
            let view = {
                let mut context = lock(&session.context);
                let mut settings = context.settings().clone();
                settings.when_missing.insert(path.clone(), choice);
                context.set_settings(settings);
                present::document_view(&lock(&session.dismissed), &context, &path, 1, PAGE)
            };
            session.targets.mark([path.clone()]);
            view.ok_or_else(|| {
                let text = format!("{path} was not read yet");
                ApiError::new(ErrorCode::SourceUnreadable, text)
            })
        })
        .await
    }

    /// Compares a draft with what the person made of it, and checks the result.
    pub async fn proposal_diff(
        self: &Arc<Self>,
        request: ProposalDiffRequest,
    ) -> Result<DiffView, ApiError> {
        let unit = unit_ref(&request.path, request.unit)?;
        let session = self.session(request.session_id).await?;
        let workbench = Arc::clone(self);
        blocking(move || {
            let ordinal = unit.unit - 1;
            let languages = lock(&session.context).settings().languages.clone();
            let known = {
                let context = lock(&session.context);
                context.document(&unit.path).map(|state| {
                    let before = context.unit_row(&unit.path, ordinal).map(|row| row.target);
                    (Arc::clone(&state.document), before.unwrap_or_default())
                })
            };
            let missing = || ApiError::new(ErrorCode::BadRequest, "there is no such unit");
            let (document, before) = if let Some(known) = known {
                known
            } else {
                let document = session.parse(&unit.path)?.ok_or_else(missing)?;
                (document, String::new())
            };
            let segment = document.segments.get(ordinal).ok_or_else(missing)?;
            let format = document.format;
            let source = &segment.source;
            let entries = workbench.terms_of(&session, &languages, format, source)?;
            let terms: Vec<CheckedTerm<'_>> = entries.iter().map(TermEntry::checked).collect();
            let context = CheckContext {
                terms: &terms,
                max_length: segment.hints.max_length,
                ..CheckContext::new(format, &languages)
            };
            let issues = check(&segment.source, &request.target, &context);
            let (source_parts, unit_terms) =
                terms::lit(format, source, &request.target, &entries, &languages);
            Ok(DiffView {
                source_parts,
                terms: unit_terms,
                pieces: diff_pieces(&TargetDiff::between(&before, &request.target)),
                issues: lock(&session.dismissed).views(&issues, &segment.source, &request.target),
                parts: present::parts(format, &request.target),
            })
        })
        .await
    }
}
