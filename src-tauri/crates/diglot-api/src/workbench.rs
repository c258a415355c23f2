//! The running application: the store, open folders and sessions, models and settings. The only long-lived
//! value; both hosts hold one and call its commands.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use diglot_agent::{SessionId, Tool};
use diglot_store::Store;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio::sync::Mutex as AsyncMutex;

use crate::error::{ApiError, ErrorCode};
use crate::event::ApiEvent;
use crate::schema::{self, AppView, NoArgs};
use crate::secrets::Secrets;
use crate::view::settings::Settings;

mod checks;
mod decide;
mod documents;
mod effort;
mod guides;
mod history;
mod learn;
mod learned;
mod listing;
mod memory;
mod models;
mod present;
mod projects;
mod reverse;
mod rules;
mod run;
mod safety;
mod screens;
mod sessions;
mod settings;
mod targets;
mod terms;

use models::Models;
use projects::Project;
use safety::Safety;
use screens::Screen;
use sessions::Session;

/// Takes the application's events; called from any thread, must not block.
pub type EventSink = Arc<dyn Fn(ApiEvent) + Send + Sync>;

/// Holds what a host decides.
#[derive(Clone)]
pub struct WorkbenchConfig {
    /// Folder of the database and the language packs; made when it is not there.
    pub data_folder: PathBuf,
    /// The sample folder, where it is installed.
    pub sample: Option<PathBuf>,
    /// Folder that the program was started with.
    pub folder: Option<String>,
    /// Where events go.
    pub events: EventSink,
}

/// Holds the running application.
pub struct Workbench {
    config: WorkbenchConfig,
    store: Arc<Store>,
    safety: Arc<Safety>,
    /// Whether settings that were stored could not be read.
    lost_settings: bool,
    folder: Mutex<Option<String>>,
    tools: Vec<Box<dyn Tool>>,
    settings: Mutex<Settings>,
    secrets: Secrets,
    models: Models,
    projects: Mutex<HashMap<String, Arc<Project>>>,
    sessions: Mutex<HashMap<SessionId, Arc<Session>>>,
    /// Held while a session is opened, so that each is folded once.
    opening: Mutex<HashMap<SessionId, Arc<AsyncMutex<()>>>>,
    /// Sessions that are shown and not folded yet.
    screens: Mutex<HashMap<SessionId, Arc<Screen>>>,
    /// Ends long work that nobody waits for any more.
    is_closing: Arc<AtomicBool>,
}

impl Workbench {
    /// Opens the database and what was set; needs no network and no folder but its own.
    ///
    /// # Errors
    /// `DatabaseLocked` when another Diglot has it open.
    pub fn open(config: WorkbenchConfig) -> Result<Arc<Self>, ApiError> {
        let opened = Store::open(&config.data_folder.join("diglot.db"), now())?;
        let store = Arc::new(opened.store);
        let events = Arc::clone(&config.events);
        let safety = Safety::new(Arc::clone(&store), events, opened.recovered, safety::WORK);
        if opened.is_check_due {
            safety.check_in_background();
        }
        let loaded = settings::load(&store)?;
        Ok(Arc::new(Self {
            folder: Mutex::new(config.folder.clone()),
            models: Models::new(config.data_folder.join("packs"), learned::load(&store)),
            store,
            safety,
            lost_settings: loaded.is_lost,
            tools: diglot_agent::tools::all(),
            settings: Mutex::new(loaded.settings),
            secrets: Secrets::default(),
            projects: Mutex::default(),
            sessions: Mutex::default(),
            opening: Mutex::default(),
            screens: Mutex::default(),
            is_closing: Arc::default(),
            config,
        }))
    }

    /// Stops what runs, writes what is not written yet, and makes a backup of what is new.
    pub async fn close(self: &Arc<Self>) {
        self.is_closing.store(true, Ordering::SeqCst);
        let sessions: Vec<Arc<Session>> = lock(&self.sessions).values().cloned().collect();
        for session in &sessions {
            session.run.stop();
        }
        for session in sessions {
            session.run.end().await;
            let workbench = Arc::clone(self);
            let written = blocking(move || {
                workbench.write_targets(&session, targets::Due::All);
                workbench.keep_screen(&session);
                Ok(())
            });
            if let Err(error) = written.await {
                tracing::error!(%error, "targets were not all written");
            }
        }
        self.safety.end().await;
    }

    /// Tells what the program was started with.
    #[expect(clippy::unused_async, reason = "commands are alike for both hosts")]
    pub async fn app_view(self: &Arc<Self>, _request: NoArgs) -> Result<AppView, ApiError> {
        Ok(AppView {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            folder: lock(&self.folder).take(),
            read_only: self.store.is_read_only(),
            damaged: self.safety.is_damaged(),
            recovered: self.safety.recovery(),
            lost_settings: self.lost_settings,
            sample: self
                .config
                .sample
                .as_ref()
                .map(|path| path.display().to_string()),
        })
    }

    /// Runs a command by its name, with JSON in and out.
    ///
    /// # Errors
    /// Those of the command; `BadRequest` when there is none of this name or the arguments do not fit.
    pub async fn call(self: &Arc<Self>, command: &str, args: Value) -> Result<Value, ApiError> {
        schema::dispatch(self, command, args).await
    }

    /// Refuses what would write into a database of a newer version.
    fn writable(&self) -> Result<(), ApiError> {
        if self.store.is_read_only() {
            return Err(diglot_store::StoreError::ReadOnly.into());
        }
        Ok(())
    }

    /// Tells the host of something. What was done stays done when the host breaks down over it.
    fn emit(&self, event: ApiEvent) {
        let told = catch_unwind(AssertUnwindSafe(|| (self.config.events)(event)));
        if told.is_err() {
            tracing::error!("the host broke down over an event");
        }
    }
}

/// Reads the arguments of a command.
pub(crate) fn read_args<T: DeserializeOwned>(args: Value) -> Result<T, ApiError> {
    let args = if args.is_null() {
        Value::Object(serde_json::Map::new())
    } else {
        args
    };
    serde_json::from_value(args)
        .map_err(|error| ApiError::new(ErrorCode::BadRequest, error.to_string()))
}

/// Writes the answer of a command.
pub(crate) fn write_answer<T: Serialize>(answer: &T) -> Result<Value, ApiError> {
    serde_json::to_value(answer)
        .map_err(|error| ApiError::new(ErrorCode::Internal, error.to_string()))
}

/// Runs work that waits for the disk away from the threads of the runtime. A panic in it answers `Internal`.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|error| {
        tracing::error!(%error, "work ended in a panic");
        ApiError::new(ErrorCode::Internal, "something went wrong inside Diglot")
    })?
}

/// Locks, also after a panic elsewhere: every change under a lock is whole or reloaded from the store.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the time in Unix milliseconds.
fn now() -> i64 {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests;
