//! Commands about terms, and the dialogs for their files. Must decide nothing.

use diglot_api::error::ApiError;
use diglot_api::schema::{
    NoArgs, SessionRequest, TermExportRequest, TermImportRequest, TermListRequest, TermRequest,
    TermSaveRequest,
};
use diglot_api::view::guide::ExportView;
use diglot_api::view::terms::{TermFormView, TermImportView, TermView, TermsView};
use tauri::{Runtime, WebviewWindow};

use super::files::{self, Kind};
use super::{Args, Bench, guard};

const FILES: Kind = Kind {
    name: "TBX, CSV",
    extensions: &["tbx", "tbxm", "xml", "csv", "tsv", "txt"],
};
const TBX: Kind = Kind {
    name: "TBX",
    extensions: &["tbx"],
};
const CSV: Kind = Kind {
    name: "CSV",
    extensions: &["csv"],
};

/// Shows a page of the termbase.
#[tauri::command]
pub(crate) async fn term_list(
    workbench: Bench,
    request: Args<TermListRequest>,
) -> Result<TermsView, ApiError> {
    guard(async move { workbench.0.term_list(request.0).await }).await
}

/// Keeps a term.
#[tauri::command]
pub(crate) async fn term_save(
    workbench: Bench,
    request: Args<TermSaveRequest>,
) -> Result<TermView, ApiError> {
    guard(async move { workbench.0.term_save(request.0).await }).await
}

/// Deletes a term.
#[tauri::command]
pub(crate) async fn term_delete(
    workbench: Bench,
    request: Args<TermRequest>,
) -> Result<NoArgs, ApiError> {
    guard(async move { workbench.0.term_delete(request.0).await }).await
}

/// Lets the person choose a file whose terms are taken; `null` when they do not.
#[tauri::command]
pub(crate) async fn term_import<R: Runtime>(
    window: WebviewWindow<R>,
    workbench: Bench,
    request: Args<SessionRequest>,
) -> Result<Option<TermImportView>, ApiError> {
    let Some(path) = files::pick_file(&window, &FILES).await else {
        return Ok(None);
    };
    let request = TermImportRequest {
        session_id: request.0.session_id,
        path: Some(path),
    };
    guard(async move { workbench.0.term_import(request).await }).await
}

/// Lets the person choose where terms are written to.
#[tauri::command]
pub(crate) async fn term_export<R: Runtime>(
    window: WebviewWindow<R>,
    workbench: Bench,
    request: Args<TermExportRequest>,
) -> Result<ExportView, ApiError> {
    let (kind, name) = match request.0.form {
        TermFormView::Tbx2 | TermFormView::Tbx3 => (&TBX, "terms.tbx"),
        TermFormView::Csv => (&CSV, "terms.csv"),
    };
    let path = files::pick_target(&window, kind, name).await;
    if path.is_none() {
        return Ok(ExportView { path });
    }
    let request = TermExportRequest { path, ..request.0 };
    guard(async move { workbench.0.term_export(request).await }).await
}
