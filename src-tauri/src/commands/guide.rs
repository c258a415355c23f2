//! Commands about guides, and the dialogs for their files. Must decide nothing.

use diglot_api::error::ApiError;
use diglot_api::schema::{
    GuideAttachRequest, GuideExportRequest, GuideImportRequest, GuideRequest, GuideSaveRequest,
    NoArgs, ProjectRequest,
};
use diglot_api::view::guide::{ExportView, GuideFileView, GuidesView};
use tauri::{Runtime, WebviewWindow};

use super::files::{self, Kind};
use super::{Args, Bench, guard};

const MARKDOWN: Kind = Kind {
    name: "Markdown",
    extensions: &["md", "markdown", "txt"],
};

/// Shows all guides, and which hold for a folder.
#[tauri::command]
pub(crate) async fn guide_list(
    workbench: Bench,
    request: Args<ProjectRequest>,
) -> Result<GuidesView, ApiError> {
    guard(async move { workbench.0.guide_list(request.0).await }).await
}

/// Keeps a guide.
#[tauri::command]
pub(crate) async fn guide_save(
    workbench: Bench,
    request: Args<GuideSaveRequest>,
) -> Result<GuidesView, ApiError> {
    guard(async move { workbench.0.guide_save(request.0).await }).await
}

/// Deletes a guide.
#[tauri::command]
pub(crate) async fn guide_delete(
    workbench: Bench,
    request: Args<GuideRequest>,
) -> Result<NoArgs, ApiError> {
    guard(async move { workbench.0.guide_delete(request.0).await }).await
}

/// Lets a guide hold for a folder, or no longer.
#[tauri::command]
pub(crate) async fn guide_attach(
    workbench: Bench,
    request: Args<GuideAttachRequest>,
) -> Result<GuidesView, ApiError> {
    guard(async move { workbench.0.guide_attach(request.0).await }).await
}

/// Lets the person choose a file that may become a guide; `null` when they do not.
#[tauri::command]
pub(crate) async fn guide_import<R: Runtime>(
    window: WebviewWindow<R>,
    workbench: Bench,
) -> Result<Option<GuideFileView>, ApiError> {
    let Some(path) = files::pick_file(&window, &MARKDOWN).await else {
        return Ok(None);
    };
    let request = GuideImportRequest { path: Some(path) };
    guard(async move { workbench.0.guide_import(request).await }).await
}

/// Lets the person choose where a guide is written to.
#[tauri::command]
pub(crate) async fn guide_export<R: Runtime>(
    window: WebviewWindow<R>,
    workbench: Bench,
    request: Args<GuideRequest>,
) -> Result<ExportView, ApiError> {
    let (id, bench) = (request.0.id, workbench.0.clone());
    let name = guard(async move { bench.guide_file_name(id).await }).await?;
    let path = files::pick_target(&window, &MARKDOWN, &name).await;
    if path.is_none() {
        return Ok(ExportView { path });
    }
    let request = GuideExportRequest { id, path };
    guard(async move { workbench.0.guide_export(request).await }).await
}
