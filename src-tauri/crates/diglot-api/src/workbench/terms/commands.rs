//! The termbase in the hands of a person: listed, changed, and exchanged with files.

use std::path::Path;
use std::sync::Arc;

use diglot_document::LanguagePair;
use diglot_document::term::exchange::{
    FileTerm, FileTerms, TbxVersion, read_terms, write_csv, write_tbx,
};
use diglot_store::{StoreError, TermRow, TermsAdded};

use super::{Session, Workbench, lock};
use crate::error::{ApiError, ErrorCode};
use crate::event::ApiEvent;
use crate::files;
use crate::schema::{
    NoArgs, TermExportRequest, TermImportRequest, TermListRequest, TermRequest, TermSaveRequest,
};
use crate::view::guide::ExportView;
use crate::view::terms::{
    LeftOutView, TermFormView, TermImportView, TermRefusedView, TermView, TermsView,
};
use crate::workbench::{blocking, now};

/// Terms of a page when the host names no limit, and at most.
const PAGE: usize = 100;
const LARGEST_PAGE: usize = 1_000;
/// Largest file with terms, in bytes: 100,000 entries of TBX have about 40 MB.
const LARGEST_FILE: u64 = 200_000_000;
/// Parts of a file that are named as not taken; the count is of all.
const MOST_REFUSED: usize = 50;
/// Longest term and note that are kept, in characters.
const LONGEST: usize = 500;
const LONGEST_NOTE: usize = 2_000;

impl Workbench {
    /// Shows a page of the termbase.
    pub async fn term_list(
        self: &Arc<Self>,
        request: TermListRequest,
    ) -> Result<TermsView, ApiError> {
        let session = self.session(request.session_id).await?;
        let workbench = Arc::clone(self);
        blocking(move || {
            let languages = languages(&session);
            let (query, offset) = (
                request.query.unwrap_or_default(),
                request.offset.unwrap_or(0),
            );
            let limit = request.limit.unwrap_or(PAGE).min(LARGEST_PAGE);
            let page = workbench.store().terms(&languages, &query, offset, limit)?;
            Ok(TermsView {
                terms: page.rows.iter().map(view).collect(),
                n_terms: page.n_rows,
                offset,
            })
        })
        .await
    }

    /// Keeps a term, or adds one.
    pub async fn term_save(
        self: &Arc<Self>,
        request: TermSaveRequest,
    ) -> Result<TermView, ApiError> {
        let session = self.session(request.session_id).await?;
        let workbench = Arc::clone(self);
        blocking(move || {
            let languages = languages(&session);
            let (source, target) = (one_line(&request.source), one_line(&request.target));
            let is_term = |text: &str, language| diglot_document::term::is_term(text, language);
            let is_short = |text: &str| text.chars().count() <= LONGEST;
            if !is_term(&source, &languages.source)
                || !is_term(&target, &languages.target)
                || !is_short(&source)
                || !is_short(&target)
            {
                let text =
                    "a term needs a word in both languages, and is no longer than a sentence";
                return Err(ApiError::new(ErrorCode::TermRefused, text));
            }
            let note: String = request.note.unwrap_or_default();
            let known = match request.id {
                Some(id) => workbench.store().term(id)?,
                None => None,
            };
            if request.id.is_some() && known.is_none() {
                return Err(StoreError::NoTerm.into());
            }
            let term = TermRow {
                source,
                target,
                status: request.status.into(),
                note: note.trim().chars().take(LONGEST_NOTE).collect(),
                updated_at: now(),
                ..known.unwrap_or_default()
            };
            let stored = workbench.store().put_term(&languages, &term)?;
            workbench.tell_of_terms(&session);
            Ok(view(&stored))
        })
        .await
    }

    /// Deletes a term.
    pub async fn term_delete(self: &Arc<Self>, request: TermRequest) -> Result<NoArgs, ApiError> {
        let session = self.session(request.session_id).await?;
        let workbench = Arc::clone(self);
        blocking(move || {
            workbench.store().delete_term(request.id)?;
            workbench.tell_of_terms(&session);
            Ok(NoArgs {})
        })
        .await
    }

    /// Takes terms of a TBX or CSV file. Without a path the host lets the person choose.
    pub async fn term_import(
        self: &Arc<Self>,
        request: TermImportRequest,
    ) -> Result<Option<TermImportView>, ApiError> {
        let path = named(request.path)?;
        let session = self.session(request.session_id).await?;
        let workbench = Arc::clone(self);
        blocking(move || {
            let languages = languages(&session);
            let bytes = files::read(&path, LARGEST_FILE)?;
            let read = read_terms(&bytes, &languages)
                .map_err(|error| ApiError::new(ErrorCode::TermsUnreadable, error.to_string()))?;
            let name = Path::new(&path).file_name().unwrap_or_default();
            let file = name.to_string_lossy().into_owned();
            let at = now();
            let rows: Vec<TermRow> = read.terms.iter().map(|term| row(term, &file, at)).collect();
            let added = workbench.store().add_terms(&languages, &rows)?;
            workbench.tell_of_terms(&session);
            Ok(Some(summary(file, added, &read)))
        })
        .await
    }

    /// Writes all terms of the session's languages. Without a path the host lets the person choose.
    pub async fn term_export(
        self: &Arc<Self>,
        request: TermExportRequest,
    ) -> Result<ExportView, ApiError> {
        let path = named(request.path)?;
        let session = self.session(request.session_id).await?;
        let workbench = Arc::clone(self);
        blocking(move || {
            let languages = languages(&session);
            let page = workbench.store().terms(&languages, "", 0, usize::MAX)?;
            let terms: Vec<FileTerm> = page.rows.into_iter().map(file_term).collect();
            let bytes = match request.form {
                TermFormView::Tbx2 => write_tbx(&terms, &languages, TbxVersion::V2).into_bytes(),
                TermFormView::Tbx3 => write_tbx(&terms, &languages, TbxVersion::V3).into_bytes(),
                TermFormView::Csv => write_csv(&terms),
            };
            let path = files::write(&path, &bytes)?;
            Ok(ExportView {
                path: Some(path.display().to_string()),
            })
        })
        .await
    }

    /// Tells the page that what it knows of terms is old.
    fn tell_of_terms(&self, session: &Session) {
        let seq = lock(&session.context).seq().0;
        self.emit(ApiEvent::SessionChanged {
            session_id: session.id.0,
            seq,
        });
    }
}

fn languages(session: &Session) -> LanguagePair {
    lock(&session.context).settings().languages.clone()
}

fn named(path: Option<String>) -> Result<String, ApiError> {
    path.ok_or_else(|| {
        let text = "choosing a file needs a window: name its path";
        ApiError::new(ErrorCode::BadRequest, text)
    })
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn view(row: &TermRow) -> TermView {
    TermView {
        id: row.id,
        source: row.source.clone(),
        target: row.target.clone(),
        status: row.status.into(),
        note: row.note.clone(),
        definition: row.definition.clone(),
        subject: row.subject.clone(),
        origin: row.origin.clone(),
        updated_at: row.updated_at,
    }
}

fn row(term: &FileTerm, file: &str, at: i64) -> TermRow {
    TermRow {
        id: 0,
        source: term.source.clone(),
        target: term.target.clone(),
        status: term.status,
        note: term.note.clone(),
        definition: term.definition.clone(),
        subject: term.subject.clone(),
        concept: term.concept.clone(),
        origin: file.to_owned(),
        updated_at: at,
    }
}

fn file_term(row: TermRow) -> FileTerm {
    FileTerm {
        source: row.source,
        target: row.target,
        status: row.status,
        note: row.note,
        definition: row.definition,
        subject: row.subject,
        concept: row.concept,
    }
}

fn summary(file: String, added: TermsAdded, read: &FileTerms) -> TermImportView {
    let refused = read.refused.iter().take(MOST_REFUSED);
    TermImportView {
        file,
        n_added: added.n_added,
        n_changed: added.n_changed,
        n_same: added.n_same,
        n_refused: read.refused.len(),
        refused: refused
            .map(|refused| TermRefusedView {
                line: refused.line,
                text: refused.text.chars().take(LONGEST).collect(),
                reason: refused.reason.into(),
            })
            .collect(),
        left_out: read
            .left_out
            .iter()
            .map(|(name, count)| LeftOutView {
                name: name.clone(),
                count: *count,
            })
            .collect(),
    }
}
