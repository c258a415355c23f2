//! Commands about the program and its sessions. Must decide nothing.

use diglot_api::error::ApiError;
use diglot_api::schema::{
    AppView, NoArgs, SessionCreateRequest, SessionInputRequest, SessionListRequest,
    SessionRenameRequest, SessionRequest, SessionRespondRequest, SessionViewRequest,
};
use diglot_api::view::action::ReversalView;
use diglot_api::view::checks::ChecksView;
use diglot_api::view::session::{SessionPage, SessionSummary, SessionView};

use super::{Args, Bench, guard};

/// Tells what the program was started with.
#[tauri::command]
pub(crate) async fn app_view(workbench: Bench) -> Result<AppView, ApiError> {
    guard(async move { workbench.0.app_view(NoArgs {}).await }).await
}

/// Restores a damaged database at once.
#[tauri::command]
pub(crate) async fn database_restore(workbench: Bench) -> Result<AppView, ApiError> {
    guard(async move { workbench.0.database_restore(NoArgs {}).await }).await
}

/// Makes a session of a folder, or opens the one that is there for the language.
#[tauri::command]
pub(crate) async fn session_create(
    workbench: Bench,
    request: Args<SessionCreateRequest>,
) -> Result<SessionView, ApiError> {
    guard(async move { workbench.0.session_create(request.0).await }).await
}

/// Lists sessions, newest first.
#[tauri::command]
pub(crate) async fn session_list(
    workbench: Bench,
    request: Args<SessionListRequest>,
) -> Result<SessionPage, ApiError> {
    guard(async move { workbench.0.session_list(request.0).await }).await
}

/// Shows a session.
#[tauri::command]
pub(crate) async fn session_view(
    workbench: Bench,
    request: Args<SessionViewRequest>,
) -> Result<SessionView, ApiError> {
    guard(async move { workbench.0.session_view(request.0).await }).await
}

/// Says something to the agent; open requests are set aside first.
#[tauri::command]
pub(crate) async fn session_input(
    workbench: Bench,
    request: Args<SessionInputRequest>,
) -> Result<SessionView, ApiError> {
    guard(async move { workbench.0.session_input(request.0).await }).await
}

/// Runs one step.
#[tauri::command]
pub(crate) async fn session_next(
    workbench: Bench,
    request: Args<SessionRequest>,
) -> Result<SessionView, ApiError> {
    guard(async move { workbench.0.session_next(request.0).await }).await
}

/// Runs steps until the person must act; answers when it has ended.
#[tauri::command]
pub(crate) async fn session_run(
    workbench: Bench,
    request: Args<SessionRequest>,
) -> Result<SessionView, ApiError> {
    guard(async move { workbench.0.session_run(request.0).await }).await
}

/// Stops the agent; nothing is lost.
#[tauri::command]
pub(crate) async fn session_stop(
    workbench: Bench,
    request: Args<SessionRequest>,
) -> Result<SessionView, ApiError> {
    guard(async move { workbench.0.session_stop(request.0).await }).await
}

/// Gives a decision on one request; answers when it is stored.
#[tauri::command]
pub(crate) async fn session_respond(
    workbench: Bench,
    request: Args<SessionRespondRequest>,
) -> Result<SessionView, ApiError> {
    guard(async move { workbench.0.session_respond(request.0).await }).await
}

/// Takes back what the person did last to a unit.
#[tauri::command]
pub(crate) async fn session_undo(
    workbench: Bench,
    request: Args<SessionRequest>,
) -> Result<ReversalView, ApiError> {
    guard(async move { workbench.0.session_undo(request.0).await }).await
}

/// Does again what was taken back last.
#[tauri::command]
pub(crate) async fn session_redo(
    workbench: Bench,
    request: Args<SessionRequest>,
) -> Result<ReversalView, ApiError> {
    guard(async move { workbench.0.session_redo(request.0).await }).await
}

/// Gives a session another title.
#[tauri::command]
pub(crate) async fn session_rename(
    workbench: Bench,
    request: Args<SessionRenameRequest>,
) -> Result<SessionSummary, ApiError> {
    guard(async move { workbench.0.session_rename(request.0).await }).await
}

/// Deletes a session from the history; files stay.
#[tauri::command]
pub(crate) async fn session_delete(
    workbench: Bench,
    request: Args<SessionRequest>,
) -> Result<NoArgs, ApiError> {
    guard(async move { workbench.0.session_delete(request.0).await }).await
}

/// Checks all that was confirmed in a session.
#[tauri::command]
pub(crate) async fn session_check(
    workbench: Bench,
    request: Args<SessionRequest>,
) -> Result<ChecksView, ApiError> {
    guard(async move { workbench.0.session_check(request.0).await }).await
}
