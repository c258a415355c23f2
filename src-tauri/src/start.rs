//! What the program is started with, and how it comes up: the workbench first, then the window. Must not know what the
//! workbench does.

use std::path::PathBuf;
use std::sync::Arc;

use diglot_api::error::{ApiError, ErrorCode};
use diglot_api::{Workbench, WorkbenchConfig};
use tauri::{AppHandle, Manager, Runtime};
use tauri_plugin_dialog::{DialogExt, MessageDialogKind};

use crate::{dirs, events, window};

/// Ends a program whose window could not be made.
pub(crate) const EXIT_NO_WINDOW: i32 = 1;
/// Ends a program that cannot work with its database.
const EXIT_NO_DATABASE: i32 = 2;
/// Ends a program whose database another one has open; `diglot-cli` ends the same way.
const EXIT_LOCKED: i32 = 3;

/// Holds what the program is started with.
#[derive(Debug, Clone)]
pub struct Start {
    /// Folder of the database; `None` when the system names no place for it.
    pub data_folder: Option<PathBuf>,
    /// Folder to open, absolute.
    pub folder: Option<String>,
}

impl Start {
    /// Reads the command line and the environment.
    pub(crate) fn of_program() -> Self {
        let directory = std::env::current_dir().unwrap_or_default();
        Self {
            data_folder: diglot_api::data_folder(),
            folder: dirs::folder_argument(std::env::args_os().skip(1), &directory),
        }
    }

    /// Opens the workbench and the window, or says why there is none.
    pub(crate) fn set_up<R: Runtime>(self, app: &AppHandle<R>) -> tauri::Result<()> {
        match self.open(app) {
            Ok(workbench) => {
                app.manage(workbench);
                window::open(app)
            }
            Err(error) => {
                refuse(app, &error);
                Ok(())
            }
        }
    }

    fn open<R: Runtime>(self, app: &AppHandle<R>) -> Result<Arc<Workbench>, ApiError> {
        let data_folder = self.data_folder.ok_or_else(|| {
            ApiError::new(ErrorCode::Internal, "the system names no folder for data")
        })?;
        let config = WorkbenchConfig {
            sample: dirs::sample(app, &data_folder),
            data_folder,
            folder: self.folder,
            events: events::forward(app),
        };
        // The workbench starts tasks, which wants a runtime around it.
        tauri::async_runtime::block_on(async { Workbench::open(config) })
    }
}

/// Shows why the program cannot start, and ends it.
fn refuse<R: Runtime>(app: &AppHandle<R>, error: &ApiError) {
    tracing::error!("the workbench cannot be opened: {error}");
    let (code, text) = if error.code == ErrorCode::DatabaseLocked {
        let text = "Diglot is already open, or diglot-cli is at work. Close it and start again.";
        (EXIT_LOCKED, text.to_owned())
    } else {
        let text = format!("Diglot cannot open its database: {error}. Nothing was changed.");
        (EXIT_NO_DATABASE, text)
    };
    let handle = app.clone();
    app.dialog()
        .message(text)
        .title("Diglot")
        .kind(MessageDialogKind::Error)
        .show(move |_| handle.exit(code));
}
