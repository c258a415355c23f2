//! Commands about settings, endpoints and language packs. Must decide nothing.

use diglot_api::error::ApiError;
use diglot_api::schema::{
    NoArgs, PackImportRequest, ProviderCheckRequest, ProviderSetKeyRequest, SettingsUpdateRequest,
};
use diglot_api::view::settings::{LocalServerView, PackView, ProviderCheckView, SettingsView};

use super::{Args, Bench, guard};

/// Shows the settings.
#[tauri::command]
pub(crate) async fn settings_view(workbench: Bench) -> Result<SettingsView, ApiError> {
    guard(async move { workbench.0.settings_view(NoArgs {}).await }).await
}

/// Stores the settings as a whole.
#[tauri::command]
pub(crate) async fn settings_update(
    workbench: Bench,
    request: Args<SettingsUpdateRequest>,
) -> Result<SettingsView, ApiError> {
    guard(async move { workbench.0.settings_update(request.0).await }).await
}

/// Tests an endpoint and says what is wrong.
#[tauri::command]
pub(crate) async fn provider_check(
    workbench: Bench,
    request: Args<ProviderCheckRequest>,
) -> Result<ProviderCheckView, ApiError> {
    guard(async move { workbench.0.provider_check(request.0).await }).await
}

/// Looks for model servers on this machine.
#[tauri::command]
pub(crate) async fn provider_find_local(
    workbench: Bench,
) -> Result<Vec<LocalServerView>, ApiError> {
    guard(async move { workbench.0.provider_find_local(NoArgs {}).await }).await
}

/// Keeps or forgets an endpoint's key.
#[tauri::command]
pub(crate) async fn provider_set_key(
    workbench: Bench,
    request: Args<ProviderSetKeyRequest>,
) -> Result<SettingsView, ApiError> {
    guard(async move { workbench.0.provider_set_key(request.0).await }).await
}

/// Lists installed language packs.
#[tauri::command]
pub(crate) async fn pack_list(workbench: Bench) -> Result<Vec<PackView>, ApiError> {
    guard(async move { workbench.0.pack_list(NoArgs {}).await }).await
}

/// Installs language packs from a folder, a zip or a wheel.
#[tauri::command]
pub(crate) async fn pack_import(
    workbench: Bench,
    request: Args<PackImportRequest>,
) -> Result<Vec<PackView>, ApiError> {
    guard(async move { workbench.0.pack_import(request.0).await }).await
}
