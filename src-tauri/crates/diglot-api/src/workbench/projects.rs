//! Open folders: their files, how many units each holds, and the language of their text.

use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

use diglot_agent::context::Parsed;
use diglot_agent::workspace::{DirEntry, DirEntryKind};
use diglot_agent::{ProjectPath, SourceHash, Workspace};
use diglot_document::{Document, LanguageTag, ParseOptions, Rules, Segment, language};
use diglot_store::SessionRow;
use diglot_workspace::FolderWorkspace;

use super::listing::Listing;
use super::sessions::Session;
use super::{EventSink, Workbench, blocking, lock, present};
use crate::error::{ApiError, ErrorCode};
use crate::event::ApiEvent;
use crate::schema::{NoArgs, ProjectOpenRequest, ProjectViewRequest};
use crate::view::project::{FileView, ProjectView, ReasonView};

/// Files of a page when the host names no limit.
const PAGE: usize = 200;
/// Documents whose units are counted for the whole of a project; a larger one shows what was read.
const MOST_COUNTED: usize = 2_000;
/// Time that a page may take to count units; the rest is counted in the background.
const COUNTING: Duration = Duration::from_millis(150);
/// Text that tells the language, in bytes, and the documents that it is taken from.
const LANGUAGE_SAMPLE: usize = 6_000;
const LANGUAGE_FILES: usize = 8;
/// Part of a large document that tells the language, in bytes.
const HEAD: usize = 256 * 1024;
/// Documents above this size, in bytes, are counted behind a page, and those above the other when they are read.
const LARGE: u64 = 1024 * 1024;
const HUGE: u64 = 8 * 1024 * 1024;

/// Holds one open folder.
pub(super) struct Project {
    pub(super) id: String,
    pub(super) workspace: FolderWorkspace,
    listing: Arc<Listing>,
    n_units: Mutex<HashMap<ProjectPath, (SourceHash, Counted)>>,
    language: OnceLock<Option<LanguageTag>>,
    rules: Mutex<Arc<Rules>>,
    /// The document that was read last: a person pages through one at a time.
    last: Mutex<Option<Parsed>>,
}

/// Says what counting the units of a document found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Counted {
    Units(usize),
    Not(ReasonView),
}

/// Names a folder in commands: the same folder has the same id on every start.
pub(super) fn project_id(path: &Path) -> String {
    let hash = blake3::hash(path.as_os_str().as_encoded_bytes());
    hash.to_hex().chars().take(16).collect()
}

impl Project {
    fn open(path: &Path, is_closing: Arc<AtomicBool>, events: EventSink) -> Result<Self, ApiError> {
        let workspace = FolderWorkspace::open(path)?;
        let id = project_id(workspace.path());
        let project_id = id.clone();
        let on_whole = move || {
            let project_id = project_id.clone();
            events(ApiEvent::ProjectChanged { project_id });
        };
        Ok(Self {
            id,
            workspace,
            listing: Listing::new(is_closing, on_whole),
            n_units: Mutex::default(),
            language: OnceLock::new(),
            rules: Mutex::default(),
            last: Mutex::default(),
        })
    }

    /// Returns what the person set for the folder's formats.
    pub(super) fn rules(&self) -> Arc<Rules> {
        Arc::clone(&lock(&self.rules))
    }

    /// Takes other rules; what was counted by the old ones is forgotten.
    pub(super) fn set_rules(&self, rules: Rules) {
        *lock(&self.rules) = Arc::new(rules);
        lock(&self.n_units).clear();
    }

    fn parse_options(&self) -> ParseOptions {
        ParseOptions {
            rules: self.rules().as_ref().clone(),
            ..ParseOptions::default()
        }
    }

    /// Returns the files in document order; looked up once and again after a change on disk.
    pub(super) fn files(&self) -> Arc<Vec<DirEntry>> {
        self.listing.whole(&self.workspace)
    }

    /// Returns the paths of the documents, in order.
    pub(super) fn documents(&self) -> Vec<ProjectPath> {
        self.first_documents(usize::MAX)
    }

    /// Returns the paths of the first documents, so many at most.
    pub(super) fn first_documents(&self, n: usize) -> Vec<ProjectPath> {
        let rules = self.rules();
        self.listing.first(&self.workspace, n, |entry| {
            let is_on = match &entry.kind {
                DirEntryKind::Document { format, .. } => !rules.off.contains(format),
                DirEntryKind::Folder | DirEntryKind::Other { .. } => false,
            };
            is_on.then(|| entry.path.clone())
        })
    }

    /// Forgets what was looked up, because something changed.
    pub(super) fn forget_files(&self) {
        self.listing.forget();
    }

    /// Detects the language of the project's text from its first documents.
    pub(super) fn language(&self) -> Option<LanguageTag> {
        self.language
            .get_or_init(|| language::detect(&self.language_sample()))
            .clone()
    }

    fn language_sample(&self) -> String {
        let mut sample = String::new();
        for path in self.first_documents(LANGUAGE_FILES) {
            let Some(segments) = self.first_segments(&path) else {
                continue;
            };
            for segment in &segments {
                sample.push_str(&segment.source);
                sample.push('\n');
                if sample.len() > LANGUAGE_SAMPLE {
                    return sample;
                }
            }
        }
        sample
    }

    /// Reads the first segments of a document: of a large one what its beginning holds, where that reads alone.
    fn first_segments(&self, path: &ProjectPath) -> Option<Vec<Segment>> {
        let read = |bytes: &[u8]| {
            let document = Document::open(path.as_str(), bytes, &self.parse_options());
            Some(document.ok()?.segments).filter(|segments| !segments.is_empty())
        };
        let head = self.workspace.read_head(path, HEAD).ok()?;
        read(&head).or_else(|| {
            let is_whole = head.len() < HEAD;
            let source = (!is_whole).then(|| self.workspace.read(path).ok())??;
            read(&source.bytes)
        })
    }

    /// Reads a document as it is on disk now.
    pub(super) fn parse(
        &self,
        path: &ProjectPath,
        options: &ParseOptions,
    ) -> Option<Arc<Document>> {
        let last = {
            let last = lock(&self.last);
            let is_same = |last: &&Parsed| (&last.path, &last.options) == (path, options);
            let last = last.as_ref().filter(is_same);
            last.map(|last| (last.hash.clone(), Arc::clone(&last.document)))
        };
        if let Some((known, document)) = last
            && self.workspace.hash(path).is_ok_and(|hash| hash == known)
        {
            return Some(document);
        }
        let source = self.workspace.read(path).ok()?;
        let document = Document::open(path.as_str(), &source.bytes, options).ok()?;
        let document = Arc::new(document);
        *lock(&self.last) = Some(Parsed {
            path: path.clone(),
            hash: source.hash,
            options: options.clone(),
            document: Arc::clone(&document),
        });
        Some(document)
    }

    /// Gives the document that was read last away, since the session holds it from here on.
    pub(super) fn take_document(&self, path: &ProjectPath) -> Option<Parsed> {
        let mut last = lock(&self.last);
        last.take_if(|last| last.path == *path)
    }

    /// Counts the units of a document, from what is known or from the disk.
    fn count(&self, path: &ProjectPath) -> Counted {
        let Ok(hash) = self.workspace.hash(path) else {
            return Counted::Not(ReasonView::Unreadable);
        };
        if let Some((known, counted)) = lock(&self.n_units).get(path)
            && *known == hash
        {
            return *counted;
        }
        let counted = self.count_anew(path);
        lock(&self.n_units).insert(path.clone(), (hash, counted));
        counted
    }

    fn count_anew(&self, path: &ProjectPath) -> Counted {
        let Ok(source) = self.workspace.read(path) else {
            return Counted::Not(ReasonView::Unreadable);
        };
        match Document::open(path.as_str(), &source.bytes, &self.parse_options()) {
            Ok(document) if document.segments.is_empty() => Counted::Not(ReasonView::Empty),
            Ok(document) => Counted::Units(document.segments.len()),
            Err(reason) => Counted::Not(reason.into()),
        }
    }

    /// Returns the units of a document, if they were counted.
    pub(super) fn counted(&self, path: &ProjectPath) -> Option<usize> {
        match lock(&self.n_units).get(path)?.1 {
            Counted::Units(n) => Some(n),
            Counted::Not(_) => Some(0),
        }
    }

    /// Counts the units of all documents, as far as they can be read.
    pub(super) fn count_all(&self) -> usize {
        let rules = self.rules();
        let files = self.files();
        let documents = files.iter().filter(|entry| match &entry.kind {
            DirEntryKind::Document { format, n_bytes } => {
                !rules.off.contains(format) && *n_bytes <= HUGE
            }
            DirEntryKind::Folder | DirEntryKind::Other { .. } => false,
        });
        for entry in documents.take(MOST_COUNTED) {
            self.count(&entry.path);
        }
        let counts = lock(&self.n_units);
        let units = counts.values().map(|(_, counted)| match counted {
            Counted::Units(n) => *n,
            Counted::Not(_) => 0,
        });
        units.sum()
    }
}

impl Workbench {
    /// Opens a folder.
    pub async fn project_open(
        self: &Arc<Self>,
        request: ProjectOpenRequest,
    ) -> Result<ProjectView, ApiError> {
        let workbench = Arc::clone(self);
        let opened = blocking(move || workbench.project_at(Path::new(request.path.trim()))).await;
        // A path that a person gives and that is not there never was a project.
        let project = opened.map_err(|error| {
            if error.code == ErrorCode::FolderMissing {
                ApiError::new(ErrorCode::NotAFolder, error.detail)
            } else {
                error
            }
        })?;
        project.forget_files();
        self.project_page(project, 0, PAGE).await
    }

    /// Lets the person choose a folder; only a host with a window can.
    #[expect(clippy::unused_async, reason = "commands are alike for both hosts")]
    pub async fn project_pick(
        self: &Arc<Self>,
        _request: NoArgs,
    ) -> Result<Option<ProjectView>, ApiError> {
        let text = "choosing a folder needs a window: use project_open with a path";
        Err(ApiError::new(ErrorCode::BadRequest, text))
    }

    /// Shows a page of a folder's files.
    pub async fn project_view(
        self: &Arc<Self>,
        request: ProjectViewRequest,
    ) -> Result<ProjectView, ApiError> {
        let project = self.project(&request.project_id).await?;
        let offset = request.offset.unwrap_or(0);
        self.project_page(project, offset, request.limit.unwrap_or(PAGE).min(2_000))
            .await
    }

    /// Returns an open folder; one that a session names is opened when it is there.
    pub(super) async fn project(self: &Arc<Self>, id: &str) -> Result<Arc<Project>, ApiError> {
        if let Some(project) = lock(&self.projects).get(id) {
            return Ok(Arc::clone(project));
        }
        let (workbench, id) = (Arc::clone(self), id.to_owned());
        blocking(move || {
            let rows = workbench.store().sessions(None, 0, usize::MAX)?.rows;
            let row = rows
                .into_iter()
                .find(|row| project_id(Path::new(&row.folder)) == id);
            let missing = || ApiError::new(ErrorCode::FolderMissing, "the folder is not open");
            workbench.project_at(Path::new(&row.ok_or_else(missing)?.folder))
        })
        .await
    }

    /// Opens a folder, or returns it when it is open.
    pub(super) fn project_at(&self, path: &Path) -> Result<Arc<Project>, ApiError> {
        if !path.is_absolute() {
            let text = format!("`{}` is not an absolute path", path.display());
            return Err(ApiError::new(ErrorCode::NotAFolder, text));
        }
        let events = Arc::clone(&self.config.events);
        let opened = Project::open(path, Arc::clone(&self.is_closing), events)?;
        opened.set_rules(self.rules_of(opened.workspace.path()));
        let mut projects = lock(&self.projects);
        let project = projects
            .entry(opened.id.clone())
            .or_insert_with(|| Arc::new(opened));
        Ok(Arc::clone(project))
    }

    async fn project_page(
        self: &Arc<Self>,
        project: Arc<Project>,
        offset: usize,
        limit: usize,
    ) -> Result<ProjectView, ApiError> {
        let (workbench, at) = (Arc::clone(self), Arc::clone(&project));
        let (view, is_counted) = blocking(move || workbench.page(&at, offset, limit)).await?;
        if !is_counted {
            self.count_rest(project, offset, limit);
        }
        Ok(view)
    }

    /// Builds a page; the second value tells whether all of its units are counted.
    fn page(
        &self,
        project: &Project,
        offset: usize,
        limit: usize,
    ) -> Result<(ProjectView, bool), ApiError> {
        let files = project.listing.page(&project.workspace, offset, limit);
        let begun = Instant::now();
        let mut is_counted = true;
        let page: Vec<FileView> = files
            .entries
            .iter()
            .map(|entry| {
                let may_count = project.counted(&entry.path).is_some()
                    || (begun.elapsed() < COUNTING && size(entry) <= LARGE);
                is_counted &= may_count || !entry.is_document() || size(entry) > HUGE;
                file_view(project, entry, may_count)
            })
            .collect();
        let path = project.workspace.path();
        let sessions = self.sessions_of(path)?;
        let view = ProjectView {
            id: project.id.clone(),
            name: path
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned(),
            path: path.display().to_string(),
            source_language: project.language().map(String::from),
            offset,
            n_files: files.n_files,
            n_documents: files.n_documents,
            files: page,
            left_out: files.left_out,
            sessions: sessions.iter().map(present::summary).collect(),
            is_whole: files.is_whole,
        };
        Ok((view, is_counted))
    }

    fn sessions_of(&self, folder: &Path) -> Result<Vec<SessionRow>, ApiError> {
        let text = folder.display().to_string();
        Ok(self.store().sessions_of(&text)?)
    }

    fn count_rest(self: &Arc<Self>, project: Arc<Project>, offset: usize, limit: usize) {
        let workbench = Arc::clone(self);
        tokio::task::spawn_blocking(move || {
            let page = project.listing.page(&project.workspace, offset, limit);
            for entry in &page.entries {
                if entry.is_document() && size(entry) <= HUGE {
                    project.count(&entry.path);
                }
            }
            workbench.emit(ApiEvent::ProjectChanged {
                project_id: project.id.clone(),
            });
        });
    }

    /// Follows changes of a session's folder on disk. Only a hint: hashes are what counts.
    pub(super) fn watch(self: &Arc<Self>, session: &Arc<Session>) {
        let Ok(project) = session.project() else {
            return;
        };
        let watch = match diglot_workspace::Watch::start(&project.workspace) {
            Ok(watch) => watch,
            Err(error) => {
                tracing::info!(%error, "changes on disk are noticed at the next step");
                return;
            }
        };
        let (workbench, session) = (Arc::downgrade(self), Arc::downgrade(session));
        tokio::spawn(async move {
            let mut watch = watch;
            while watch.changed().await.is_some() {
                let (Some(workbench), Some(session)) = (workbench.upgrade(), session.upgrade())
                else {
                    return;
                };
                project.forget_files();
                let (at, changed) = (Arc::clone(&workbench), Arc::clone(&session));
                let refreshed = blocking(move || {
                    changed.count_units();
                    at.refresh_sources(&changed)
                });
                if let Err(error) = refreshed.await {
                    tracing::warn!(%error, "changed sources were not read anew");
                }
                workbench.write_targets_soon(&session);
                workbench.emit(ApiEvent::ProjectChanged {
                    project_id: project.id.clone(),
                });
            }
        });
    }
}

/// Returns the size of a document; no other entry has one.
fn size(entry: &DirEntry) -> u64 {
    match entry.kind {
        DirEntryKind::Document { n_bytes, .. } => n_bytes,
        DirEntryKind::Folder | DirEntryKind::Other { .. } => 0,
    }
}

fn file_view(project: &Project, entry: &DirEntry, may_count: bool) -> FileView {
    let mut view = FileView {
        path: entry.path.as_str().to_owned(),
        format: None,
        reason: None,
        n_bytes: 0,
        n_units: None,
        n_confirmed: None,
    };
    match &entry.kind {
        DirEntryKind::Folder => {}
        DirEntryKind::Other { reason, n_bytes } => {
            view.reason = Some((*reason).into());
            view.n_bytes = *n_bytes;
        }
        DirEntryKind::Document { format, n_bytes } => {
            view.format = Some(format.name().to_owned());
            view.n_bytes = *n_bytes;
            match may_count.then(|| project.count(&entry.path)) {
                Some(Counted::Units(n)) => view.n_units = Some(n),
                Some(Counted::Not(ReasonView::Empty)) => {
                    view.n_units = Some(0);
                    view.reason = Some(ReasonView::Empty);
                }
                Some(Counted::Not(reason)) => {
                    view.format = None;
                    view.reason = Some(reason);
                }
                None => {}
            }
        }
    }
    view
}
