//! Commands about folders, documents and units, and the dialog that chooses a folder. Must decide nothing.

use diglot_api::error::ApiError;
use diglot_api::schema::{
    DocumentConfigureRequest, DocumentViewRequest, DocumentWhenMissingRequest, DraftReceiptRequest,
    IssueDismissRequest, NoArgs, ProjectOpenRequest, ProjectRequest, ProjectSetRulesRequest,
    ProjectViewRequest, ProposalDiffRequest, TargetResolveRequest, UnitRequest, UnitReviseRequest,
};
use diglot_api::view::document::{DiffView, DocumentView};
use diglot_api::view::project::{ProjectView, RulesView};
use diglot_api::view::receipt::ReceiptView;
use diglot_api::view::session::SessionView;

use tauri::{Runtime, WebviewWindow};

use super::files::pick_folder;
use super::{Args, Bench, guard};

/// Opens a folder.
#[tauri::command]
pub(crate) async fn project_open(
    workbench: Bench,
    request: Args<ProjectOpenRequest>,
) -> Result<ProjectView, ApiError> {
    guard(async move { workbench.0.project_open(request.0).await }).await
}

/// Shows a page of a folder's files.
#[tauri::command]
pub(crate) async fn project_view(
    workbench: Bench,
    request: Args<ProjectViewRequest>,
) -> Result<ProjectView, ApiError> {
    guard(async move { workbench.0.project_view(request.0).await }).await
}

/// Shows what is set for the formats of a folder.
#[tauri::command]
pub(crate) async fn project_rules(
    workbench: Bench,
    request: Args<ProjectRequest>,
) -> Result<RulesView, ApiError> {
    guard(async move { workbench.0.project_rules(request.0).await }).await
}

/// Sets rules for the formats of a folder.
#[tauri::command]
pub(crate) async fn project_set_rules(
    workbench: Bench,
    request: Args<ProjectSetRulesRequest>,
) -> Result<RulesView, ApiError> {
    guard(async move { workbench.0.project_set_rules(request.0).await }).await
}

/// Shows a page of a document.
#[tauri::command]
pub(crate) async fn document_view(
    workbench: Bench,
    request: Args<DocumentViewRequest>,
) -> Result<DocumentView, ApiError> {
    guard(async move { workbench.0.document_view(request.0).await }).await
}

/// Chooses a document's encoding.
#[tauri::command]
pub(crate) async fn document_configure(
    workbench: Bench,
    request: Args<DocumentConfigureRequest>,
) -> Result<DocumentView, ApiError> {
    guard(async move { workbench.0.document_configure(request.0).await }).await
}

/// Says what becomes of characters that a document's encoding cannot hold.
#[tauri::command]
pub(crate) async fn document_set_when_missing(
    workbench: Bench,
    request: Args<DocumentWhenMissingRequest>,
) -> Result<DocumentView, ApiError> {
    guard(async move { workbench.0.document_set_when_missing(request.0).await }).await
}

/// Sets a finding on a text aside, or takes it up again.
#[tauri::command]
pub(crate) async fn issue_dismiss(
    workbench: Bench,
    request: Args<IssueDismissRequest>,
) -> Result<NoArgs, ApiError> {
    guard(async move { workbench.0.issue_dismiss(request.0).await }).await
}

/// Changes the target of a confirmed unit, or confirms an open one by hand.
#[tauri::command]
pub(crate) async fn unit_revise(
    workbench: Bench,
    request: Args<UnitReviseRequest>,
) -> Result<SessionView, ApiError> {
    guard(async move { workbench.0.unit_revise(request.0).await }).await
}

/// Sets a unit aside; it stays open.
#[tauri::command]
pub(crate) async fn unit_skip(
    workbench: Bench,
    request: Args<UnitRequest>,
) -> Result<SessionView, ApiError> {
    guard(async move { workbench.0.unit_skip(request.0).await }).await
}

/// Compares a draft with what the person made of it, and checks the result.
#[tauri::command]
pub(crate) async fn proposal_diff(
    workbench: Bench,
    request: Args<ProposalDiffRequest>,
) -> Result<DiffView, ApiError> {
    guard(async move { workbench.0.proposal_diff(request.0).await }).await
}

/// Says what the last draft of a unit was made from.
#[tauri::command]
pub(crate) async fn draft_receipt(
    workbench: Bench,
    request: Args<DraftReceiptRequest>,
) -> Result<Option<ReceiptView>, ApiError> {
    guard(async move { workbench.0.draft_receipt(request.0).await }).await
}

/// Decides what happens with a target file that somebody else wrote or changed.
#[tauri::command]
pub(crate) async fn target_resolve(
    workbench: Bench,
    request: Args<TargetResolveRequest>,
) -> Result<SessionView, ApiError> {
    guard(async move { workbench.0.target_resolve(request.0).await }).await
}

/// Lets the person choose a folder and opens it; `null` when they do not.
#[tauri::command]
pub(crate) async fn project_pick<R: Runtime>(
    window: WebviewWindow<R>,
    workbench: Bench,
) -> Result<Option<ProjectView>, ApiError> {
    let Some(path) = pick_folder(&window).await else {
        return Ok(None);
    };
    let request = ProjectOpenRequest { path };
    guard(async move { workbench.0.project_open(request).await.map(Some) }).await
}
