//! Commands about what was learnt. Must decide nothing.

use diglot_api::error::ApiError;
use diglot_api::schema::{
    MemoryDeleteRequest, MemorySettleRequest, MemoryUpdateRequest, NoArgs, SessionRequest,
};
use diglot_api::view::memory::{MemoryItemView, MemoryView};

use super::{Args, Bench, guard};

/// Shows what was learnt for a session's languages.
#[tauri::command]
pub(crate) async fn memory_list(
    workbench: Bench,
    request: Args<SessionRequest>,
) -> Result<MemoryView, ApiError> {
    guard(async move { workbench.0.memory_list(request.0).await }).await
}

/// Changes an item, or adds one by hand.
#[tauri::command]
pub(crate) async fn memory_update(
    workbench: Bench,
    request: Args<MemoryUpdateRequest>,
) -> Result<MemoryItemView, ApiError> {
    guard(async move { workbench.0.memory_update(request.0).await }).await
}

/// Deletes an item.
#[tauri::command]
pub(crate) async fn memory_delete(
    workbench: Bench,
    request: Args<MemoryDeleteRequest>,
) -> Result<NoArgs, ApiError> {
    guard(async move { workbench.0.memory_delete(request.0).await }).await
}

/// Settles which of two items holds that cannot both be kept.
#[tauri::command]
pub(crate) async fn memory_settle(
    workbench: Bench,
    request: Args<MemorySettleRequest>,
) -> Result<MemoryView, ApiError> {
    guard(async move { workbench.0.memory_settle(request.0).await }).await
}
