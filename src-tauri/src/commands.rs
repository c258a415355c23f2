//! The commands of the window, one for each of the schema: unpack, call the workbench, answer. Must decide nothing.

mod files;
pub(crate) mod guide;
pub(crate) mod memory;
pub(crate) mod project;
pub(crate) mod session;
pub(crate) mod settings;
pub(crate) mod terms;

use std::sync::Arc;

use diglot_api::Workbench;
use diglot_api::error::{ApiError, ErrorCode};
use serde::de::DeserializeOwned;
use tauri::ipc::{CommandArg, CommandItem, InvokeError};
use tauri::{Manager, Runtime};

/// Gives a command the workbench.
pub(crate) struct Bench(Arc<Workbench>);

impl<'de, R: Runtime> CommandArg<'de, R> for Bench {
    fn from_command(command: CommandItem<'de, R>) -> Result<Self, InvokeError> {
        let webview = command.message.webview_ref();
        let Some(workbench) = webview.try_state::<Arc<Workbench>>() else {
            return Err(ApiError::new(ErrorCode::Internal, "there is no workbench").into());
        };
        Ok(Self(workbench.inner().clone()))
    }
}

/// Holds a command's request. Unlike Tauri's own way, a request that does not fit is an error of ours.
pub(crate) struct Args<T>(T);

impl<'de, T: DeserializeOwned, R: Runtime> CommandArg<'de, R> for Args<T> {
    fn from_command(command: CommandItem<'de, R>) -> Result<Self, InvokeError> {
        T::deserialize(command)
            .map(Self)
            .map_err(|error| ApiError::new(ErrorCode::BadRequest, error.to_string()).into())
    }
}

/// Runs a command as a task of its own, so that a panic in it is an answer and not a page that waits for ever.
async fn guard<T: Send + 'static>(
    command: impl Future<Output = Result<T, ApiError>> + Send + 'static,
) -> Result<T, ApiError> {
    tauri::async_runtime::spawn(command)
        .await
        .unwrap_or_else(|error| {
            tracing::error!("a command broke off: {error}");
            Err(ApiError::new(ErrorCode::Internal, "the command broke off"))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_panic_answers_internal() {
        let error = guard::<()>(async { panic!("a bug") }).await.unwrap_err();
        assert_eq!(error.code, ErrorCode::Internal);
    }
}
