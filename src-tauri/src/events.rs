//! What goes on without being asked: events of the workbench to the page, and the end of the program. Must not know what
//! an event means.

use std::sync::Arc;
use std::time::Duration;

use diglot_api::Workbench;
use diglot_api::event::ApiEvent;
use tauri::{AppHandle, Emitter, Manager, RunEvent, Runtime};

/// Name under which the page hears every `ApiEvent`.
const API_EVENT: &str = "api-event";
/// How long closing may take. What a person confirmed is stored before; only target files wait here.
const CLOSE_LIMIT: Duration = Duration::from_secs(10);

/// Returns what passes the workbench's events on to the page.
pub(crate) fn forward<R: Runtime>(app: &AppHandle<R>) -> Arc<dyn Fn(ApiEvent) + Send + Sync> {
    let app = app.clone();
    Arc::new(move |event| emit(&app, &event))
}

/// Tells the page of an event.
pub(crate) fn emit<R: Runtime>(app: &AppHandle<R>, event: &ApiEvent) {
    if let Err(error) = app.emit(API_EVENT, event) {
        tracing::warn!("the page cannot be told: {error}");
    }
}

/// Closes the workbench when the last window is gone, then ends the program.
pub(crate) fn on_run<R: Runtime>(app: &AppHandle<R>, event: RunEvent) {
    // With a code the end was asked for by `exit`: nothing is left to close.
    let RunEvent::ExitRequested {
        api, code: None, ..
    } = event
    else {
        return;
    };
    api.prevent_exit();
    let app = app.clone();
    tauri::async_runtime::spawn(async move {
        if let Some(workbench) = app.try_state::<Arc<Workbench>>() {
            let closing = tokio::time::timeout(CLOSE_LIMIT, workbench.close());
            if closing.await.is_err() {
                tracing::warn!("closing took longer than {CLOSE_LIMIT:?} and was left");
            }
        }
        app.exit(0);
    });
}
