//! The application in a temporary place: data folder, project, sessions. Owns how a host drives it; must not judge.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use diglot_api::error::{ApiError, ErrorCode};
use diglot_api::event::ApiEvent;
use diglot_api::schema::{
    DecisionRequest, DocumentViewRequest, ProjectOpenRequest, ProjectViewRequest,
    SessionCreateRequest, SessionInputRequest, SessionRequest, SessionRespondRequest,
    SessionViewRequest, SettingsUpdateRequest, UnitReviseRequest,
};
use diglot_api::view::document::{DocumentView, UnitView};
use diglot_api::view::project::ProjectView;
use diglot_api::view::session::SessionView;
use diglot_api::view::settings::{ProtocolChoice, ProviderSettings, Settings};
use diglot_api::{Workbench, WorkbenchConfig};

/// Units that are asked for at once.
const PAGE: usize = 500;
/// How often, and how long apart, a database is tried that a closed application still holds.
const UNLOCK_TRIES: usize = 200;
const UNLOCK_PAUSE: Duration = Duration::from_millis(25);

/// Holds an application over a data folder, with one project open.
pub(crate) struct Host {
    pub(crate) workbench: Arc<Workbench>,
    pub(crate) project: ProjectView,
    n_writes: Arc<AtomicUsize>,
    data: PathBuf,
    root: PathBuf,
}

impl Host {
    /// Opens a project; `model` is the base URL of the endpoint that drafts and learns, `offline` without one.
    pub(crate) async fn open(data: &Path, root: &Path, model: Option<&str>) -> Result<Self> {
        let n_writes = Arc::new(AtomicUsize::new(0));
        let workbench = workbench(data, &n_writes).await?;
        if let Some(url) = model {
            let request = SettingsUpdateRequest {
                settings: settings(url),
            };
            workbench
                .settings_update(request)
                .await
                .context("settings_update")?;
        }
        Self::over(workbench, n_writes, data, root).await
    }

    async fn over(
        workbench: Arc<Workbench>,
        n_writes: Arc<AtomicUsize>,
        data: &Path,
        root: &Path,
    ) -> Result<Self> {
        let path = root.to_string_lossy().into_owned();
        let opened = workbench.project_open(ProjectOpenRequest { path }).await;
        let mut project = opened.context("project_open")?;
        while project.files.len() < project.n_files {
            let project_id = project.id.clone();
            let offset = Some(project.files.len());
            let request = ProjectViewRequest {
                project_id,
                offset,
                limit: Some(PAGE),
            };
            let page = workbench
                .project_view(request)
                .await
                .context("project_view")?;
            if page.files.is_empty() {
                break;
            }
            project.files.extend(page.files);
        }
        Ok(Self {
            workbench,
            project,
            n_writes,
            data: data.to_owned(),
            root: root.to_owned(),
        })
    }

    /// Closes the application.
    pub(crate) async fn close(self) {
        self.workbench.close().await;
    }

    /// Closes the application and opens it again over the same data.
    pub(crate) async fn restart(self) -> Result<Self> {
        let (data, root) = (self.data.clone(), self.root.clone());
        let n_writes = Arc::clone(&self.n_writes);
        self.close().await;
        let workbench = workbench(&data, &n_writes).await?;
        Self::over(workbench, n_writes, &data, &root).await
    }

    /// Returns how often target files were written.
    pub(crate) fn n_writes(&self) -> usize {
        self.n_writes.load(Ordering::SeqCst)
    }

    /// Returns the documents, in order.
    pub(crate) fn documents(&self) -> Vec<String> {
        let files = self
            .project
            .files
            .iter()
            .filter(|file| file.format.is_some());
        files.map(|file| file.path.clone()).collect()
    }

    /// Makes or opens the session for a language. A source language that cannot be told is English, as a person
    /// would say of these files.
    pub(crate) async fn session(&self, language: &str) -> Result<SessionView> {
        let request = SessionCreateRequest {
            project_id: self.project.id.clone(),
            source_language: Some(self.source_language()),
            target_language: language.to_owned(),
            instructions: None,
            afresh: None,
        };
        self.workbench
            .session_create(request)
            .await
            .context("session_create")
    }

    fn source_language(&self) -> String {
        self.project
            .source_language
            .clone()
            .unwrap_or_else(|| "en".to_owned())
    }

    /// Reads a whole document.
    pub(crate) async fn document(&self, session_id: i64, path: &str) -> Result<DocumentView> {
        let page = async |from_unit| {
            let request = DocumentViewRequest {
                session_id,
                path: path.to_owned(),
                from_unit: Some(from_unit),
                limit: Some(PAGE),
            };
            self.workbench
                .document_view(request)
                .await
                .with_context(|| format!("document {path}"))
        };
        let mut document = page(1).await?;
        while document.units.len() < document.n_units {
            let more: Vec<UnitView> = page(document.units.len() + 1).await?.units;
            if more.is_empty() {
                bail!(
                    "{path} ends after {} units of {}",
                    document.units.len(),
                    document.n_units
                );
            }
            document.units.extend(more);
        }
        Ok(document)
    }

    /// Confirms a unit by hand.
    pub(crate) async fn revise(
        &self,
        session_id: i64,
        path: &str,
        unit: usize,
        target: &str,
    ) -> Result<SessionView, ApiError> {
        let (path, target) = (path.to_owned(), target.to_owned());
        self.workbench
            .unit_revise(UnitReviseRequest {
                session_id,
                path,
                unit,
                target,
            })
            .await
    }

    /// Lets the agent work until a person must act.
    pub(crate) async fn run(&self, session_id: i64) -> Result<SessionView, ApiError> {
        self.workbench
            .session_run(SessionRequest { session_id })
            .await
    }

    /// Shows a session.
    pub(crate) async fn view(&self, session_id: i64) -> Result<SessionView> {
        let request = SessionViewRequest {
            session_id,
            since_seq: None,
        };
        self.workbench
            .session_view(request)
            .await
            .context("session_view")
    }

    /// Says something to the agent.
    pub(crate) async fn say(&self, session_id: i64, text: &str) -> Result<SessionView> {
        let request = SessionInputRequest {
            session_id,
            text: text.to_owned(),
        };
        self.workbench
            .session_input(request)
            .await
            .context("session_input")
    }

    /// Gives a decision.
    pub(crate) async fn respond(
        &self,
        session_id: i64,
        call_id: &str,
        decision: DecisionRequest,
    ) -> Result<SessionView, ApiError> {
        let call_id = call_id.to_owned();
        self.workbench
            .session_respond(SessionRespondRequest {
                session_id,
                call_id,
                decision,
            })
            .await
    }

    /// Approves a draft, also one with a fault that must be confirmed.
    pub(crate) async fn approve(
        &self,
        session_id: i64,
        call_id: &str,
    ) -> Result<SessionView, ApiError> {
        let approve = |despite_issues| DecisionRequest::Approve {
            despite_issues,
            bulk: None,
        };
        match self.respond(session_id, call_id, approve(None)).await {
            Err(error) if error.code == ErrorCode::NeedsConfirmation => {
                self.respond(session_id, call_id, approve(Some(true))).await
            }
            answer => answer,
        }
    }
}

/// Opens the application, waiting until a closed one has let go of the database.
async fn workbench(data: &Path, n_writes: &Arc<AtomicUsize>) -> Result<Arc<Workbench>> {
    for _ in 0..UNLOCK_TRIES {
        match open_counting(data, Arc::clone(n_writes)) {
            Err(error) if error.code == ErrorCode::DatabaseLocked => {
                tokio::time::sleep(UNLOCK_PAUSE).await;
            }
            opened => return opened.context("the application cannot be opened"),
        }
    }
    bail!("the closed application does not let go of its database")
}

/// Opens the application once.
pub(crate) fn open(data: &Path) -> Result<Arc<Workbench>, ApiError> {
    open_counting(data, Arc::default())
}

fn open_counting(data: &Path, n_writes: Arc<AtomicUsize>) -> Result<Arc<Workbench>, ApiError> {
    let count = move |event| {
        if matches!(event, ApiEvent::TargetsChanged { .. }) {
            n_writes.fetch_add(1, Ordering::SeqCst);
        }
    };
    Workbench::open(WorkbenchConfig {
        data_folder: data.to_owned(),
        sample: None,
        folder: None,
        events: Arc::new(count),
    })
}

fn settings(url: &str) -> Settings {
    let provider = ProviderSettings {
        id: "scripted".to_owned(),
        name: "Scripted".to_owned(),
        base_url: url.to_owned(),
        model: "test-model".to_owned(),
        protocol: ProtocolChoice::Tools,
        temperature: None,
        max_output_tokens: None,
    };
    Settings {
        translator: provider.id.clone(),
        memory: provider.id.clone(),
        providers: vec![provider],
        ..Settings::default()
    }
}
