//! What both tasks need of the process: the opened application and a voice. Owns where the data lies.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use diglot_api::error::{ApiError, ErrorCode};
use diglot_api::event::ApiEvent;
use diglot_api::{Workbench, WorkbenchConfig};

/// Opens the application over a data folder, the window's unless one is given.
///
/// # Errors
/// When there is no such folder, or the database cannot be opened.
pub(crate) fn open(
    data: Option<&Path>,
    events: impl Fn(ApiEvent) + Send + Sync + 'static,
) -> Result<Arc<Workbench>, ApiError> {
    let data_folder = match data {
        Some(folder) => absolute(folder)?,
        None => diglot_api::data_folder().ok_or_else(|| {
            ApiError::new(
                ErrorCode::BadRequest,
                "no data folder is known; give one with --data",
            )
        })?,
    };
    let config = WorkbenchConfig {
        data_folder,
        sample: None,
        folder: None,
        events: Arc::new(events),
    };
    Workbench::open(config)
}

/// Makes a path absolute, as the application wants it.
///
/// # Errors
/// When the current folder is not known.
pub(crate) fn absolute(path: &Path) -> Result<PathBuf, ApiError> {
    std::path::absolute(path).map_err(|error| {
        ApiError::new(
            ErrorCode::SourceUnreadable,
            format!("{}: {error}", path.display()),
        )
    })
}

/// Says in one line on standard error what went wrong.
pub(crate) fn complain(text: &str) {
    // With standard error closed, the exit code is all that is left to say.
    drop(writeln!(io::stderr(), "diglot-cli: {text}"));
}

/// Says an error in one line on standard error.
pub(crate) fn complain_of(error: &ApiError) {
    if error.code == ErrorCode::DatabaseLocked {
        complain("Diglot is open with this data; close it, or give other data with --data");
    } else if error.detail.is_empty() {
        complain(&format!("{:?}", error.code));
    } else {
        complain(&error.detail);
    }
}
