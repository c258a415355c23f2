//! The application without a window: one schema of commands and events over the agent, the store and the
//! folders. Must not know Tauri; both hosts serve what is here.

pub mod bindings;
pub mod error;
pub mod event;
mod files;
pub mod schema;
mod secrets;
pub mod view;
mod workbench;

pub use error::{ApiError, ErrorCode};
pub use event::ApiEvent;
pub use schema::COMMANDS;
pub use workbench::{EventSink, Workbench, WorkbenchConfig};

/// Name of the application's folder inside the system's data folder.
const IDENTIFIER: &str = "org.diglot.app";

/// Returns the folder where both hosts keep the database and the language packs, where the system has one.
pub fn data_folder() -> Option<std::path::PathBuf> {
    dirs::data_dir().map(|folder| folder.join(IDENTIFIER))
}
