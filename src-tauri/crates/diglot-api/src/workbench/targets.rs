//! Target files: a pure rendering of source bytes and confirmed units, brought up to date soon after each
//! decision and always at the end (SPEC 7, 10.7). A file that somebody else wrote or changed is asked about.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use diglot_agent::{ProjectPath, SourceHash};
use diglot_document::render_target_with;
use diglot_workspace::{TargetError, TargetFolder};
use serde::{Deserialize, Serialize};

use super::sessions::{Session, SessionData};
use super::{Workbench, blocking, lock};
use crate::error::{ApiError, ErrorCode};
use crate::event::ApiEvent;
use crate::schema::{TargetChoice, TargetResolveRequest};
use crate::view::session::{SessionView, TargetProblemView};

/// Time in which decisions gather before a target is written.
const GATHER: Duration = Duration::from_millis(250);
/// Largest target that is written after each decision, in bytes.
const SMALL: usize = 64 * 1024;
/// A larger one is written at most twice its size in this time.
const LARGE_EVERY: Duration = Duration::from_secs(15);
/// Time after which a target is tried again that the disk refused.
const TRY_AGAIN: Duration = Duration::from_secs(15);

/// Keeps what is known of target files between starts, by document.
pub(super) type TargetLedger = BTreeMap<ProjectPath, TargetRecord>;

/// Records what was written for one document. Both hashes are ours: a crash between the note and the rename
/// leaves the file with either.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct TargetRecord {
    /// Hash of the content before the last write.
    before: Option<SourceHash>,
    /// Hash of the content that was last written, or about to be.
    written: Option<SourceHash>,
    /// Another name, when a file of somebody else keeps the first.
    name: Option<ProjectPath>,
    /// Whether the person keeps the file that is there, so that none is written.
    kept: bool,
}

/// Holds the state of a session's target files.
pub(super) struct Targets {
    folder: PathBuf,
    ledger: Mutex<TargetLedger>,
    behind: Mutex<BTreeSet<ProjectPath>>,
    problems: Mutex<BTreeMap<ProjectPath, ApiError>>,
    last_write: Mutex<BTreeMap<ProjectPath, (Instant, usize)>>,
    /// When the disk last refused a target that is still behind.
    refused: Mutex<BTreeMap<ProjectPath, Instant>>,
    is_writing: AtomicBool,
    /// Held while files are written, so that an older rendering never follows a newer one.
    pub(super) writer: Mutex<()>,
}

/// Says which targets are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Due {
    /// Those that are behind and may be written now.
    Now,
    /// All that are behind.
    All,
}

impl Targets {
    pub(super) fn new(folder: PathBuf, ledger: TargetLedger) -> Self {
        Self {
            folder,
            ledger: Mutex::new(ledger),
            behind: Mutex::default(),
            problems: Mutex::default(),
            last_write: Mutex::default(),
            refused: Mutex::default(),
            is_writing: AtomicBool::new(false),
            writer: Mutex::default(),
        }
    }

    /// Notes documents whose targets are behind.
    pub(super) fn mark(&self, paths: impl IntoIterator<Item = ProjectPath>) {
        let mut behind = lock(&self.behind);
        for path in paths {
            lock(&self.refused).remove(&path);
            behind.insert(path);
        }
    }

    /// Takes over what became of a target. What the disk refused stays behind, since space and rights come back.
    fn settle(&self, path: ProjectPath, written: Result<(), ApiError>) {
        let Err(error) = written else {
            lock(&self.problems).remove(&path);
            return;
        };
        if error.code.is_of_the_disk() {
            lock(&self.refused).insert(path.clone(), Instant::now());
            lock(&self.behind).insert(path.clone());
        }
        lock(&self.problems).insert(path, error);
    }

    /// Returns what is wrong with target files, in order.
    pub(super) fn problems(&self) -> Vec<TargetProblemView> {
        let ledger = lock(&self.ledger);
        let problem = |(path, error): (&ProjectPath, &ApiError)| TargetProblemView {
            path: path.as_str().to_owned(),
            target: self
                .folder
                .join(name_of(&ledger, path).as_str())
                .display()
                .to_string(),
            error: error.clone(),
        };
        lock(&self.problems).iter().map(problem).collect()
    }

    /// Notes the targets that could not be written: what stood in their way may be gone. A disk that refused keeps its
    /// pause.
    pub(super) fn mark_problems(&self) {
        let paths: Vec<ProjectPath> = lock(&self.problems).keys().cloned().collect();
        lock(&self.behind).extend(paths);
    }

    fn is_due(&self, path: &ProjectPath, due: Due) -> bool {
        let refused = lock(&self.refused).get(path).copied();
        let last = lock(&self.last_write).get(path).copied();
        due == Due::All
            || refused.is_none_or(|at| at.elapsed() >= TRY_AGAIN)
                && last.is_none_or(|(at, n_bytes)| n_bytes <= SMALL || at.elapsed() >= LARGE_EVERY)
    }
}

impl TargetRecord {
    /// Tells whether content is ours.
    fn knows(&self, found: &SourceHash) -> bool {
        [&self.written, &self.before].contains(&&Some(found.clone()))
    }
}

fn name_of(ledger: &TargetLedger, path: &ProjectPath) -> ProjectPath {
    ledger
        .get(path)
        .and_then(|record| record.name.clone())
        .unwrap_or_else(|| path.clone())
}

impl Session {
    /// Marks every document with a confirmed unit, or whose target was written before, so that a target that differs is
    /// written anew.
    pub(super) fn mark_targets(&self) {
        let paths: Vec<ProjectPath> = {
            let context = lock(&self.context);
            let ledger = lock(&self.targets.ledger);
            let is_there = |path: &ProjectPath| {
                let record = ledger.get(path);
                record.is_some_and(|record| record.written.is_some())
            };
            let with_units = context
                .documents()
                .filter(|(path, document)| document.n_confirmed() > 0 || is_there(path));
            with_units.map(|(path, _)| path.clone()).collect()
        };
        self.targets.mark(paths);
    }
}

impl Workbench {
    /// Brings targets up to date in a moment, in the background; decisions in between are gathered.
    pub(super) fn write_targets_soon(self: &Arc<Self>, session: &Arc<Session>) {
        if lock(&session.targets.behind).is_empty() {
            return;
        }
        if session.targets.is_writing.swap(true, Ordering::SeqCst) {
            return;
        }
        // What waits for a disk must not keep the application open.
        let (workbench, session) = (Arc::downgrade(self), Arc::clone(session));
        tokio::spawn(async move {
            loop {
                tokio::time::sleep(GATHER).await;
                let Some(at) = workbench.upgrade() else {
                    return;
                };
                let to = Arc::clone(&session);
                let written = blocking(move || {
                    at.write_targets(&to, Due::Now);
                    Ok(())
                });
                if let Err(error) = written.await {
                    tracing::error!(%error, "targets were not written");
                }
                if lock(&session.targets.behind).is_empty() {
                    session.targets.is_writing.store(false, Ordering::SeqCst);
                    // A decision may have come between the look and the store.
                    let more = !lock(&session.targets.behind).is_empty();
                    if more && !session.targets.is_writing.swap(true, Ordering::SeqCst) {
                        continue;
                    }
                    return;
                }
            }
        });
    }

    /// Writes all targets that are behind; those that cannot be written now are tried again later.
    pub(super) fn rebuild_targets(self: &Arc<Self>, session: &Arc<Session>) {
        self.write_targets(session, Due::All);
        if !lock(&session.targets.behind).is_empty() {
            self.write_targets_soon(session);
        }
    }

    /// Writes targets that are behind, from sources as they are on disk now. What goes wrong is kept beside the session; it
    /// is tried again with the next decision, and after a while where the disk refused.
    pub(super) fn write_targets(&self, session: &Session, due: Due) {
        if self.writable().is_err() || session.sound().is_err() {
            return;
        }
        let _writer = lock(&session.targets.writer);
        let behind: Vec<ProjectPath> = lock(&session.targets.behind).iter().cloned().collect();
        let paths: Vec<ProjectPath> = behind
            .into_iter()
            .filter(|path| session.targets.is_due(path, due))
            .collect();
        if paths.is_empty() {
            return;
        }
        let Ok(project) = session.project() else {
            lock(&session.targets.behind).clear();
            return;
        };
        if paths.iter().any(|path| session.is_stale(&project, path))
            && let Err(error) = self.refresh_sources(session)
        {
            tracing::warn!(%error, "changed sources were not read anew");
        }
        let folder = TargetFolder::open(&session.targets.folder, project.workspace.path())
            .map_err(ApiError::from);
        for path in paths {
            lock(&session.targets.behind).remove(&path);
            // A document that breaks the writer must not keep the others from being written.
            let written = catch_unwind(AssertUnwindSafe(|| {
                let folder = folder.as_ref().map_err(Clone::clone)?;
                self.write_target(session, folder, &path)
            }));
            let written = written.unwrap_or_else(|_| {
                let text = "writing this file broke down";
                Err(ApiError::new(ErrorCode::Internal, text))
            });
            session.targets.settle(path, written);
        }
        self.emit(ApiEvent::TargetsChanged {
            session_id: session.id.0,
        });
    }

    fn write_target(
        &self,
        session: &Session,
        folder: &TargetFolder,
        path: &ProjectPath,
    ) -> Result<(), ApiError> {
        let record = lock(&session.targets.ledger)
            .get(path)
            .cloned()
            .unwrap_or_default();
        if record.kept {
            return Ok(());
        }
        let was_written = record.written.is_some();
        let Some(bytes) = rendering(session, path, was_written)? else {
            return Ok(());
        };
        let name = record.name.clone().unwrap_or_else(|| path.clone());
        let found = folder.hash(&name)?;
        let hash = SourceHash::of(&bytes);
        if found.as_ref() == Some(&hash) && record.written.as_ref() == Some(&hash) {
            return Ok(());
        }
        // What stands there now is ours when it is either of the two that were noted.
        let ours = [&record.written, &record.before]
            .into_iter()
            .flatten()
            .find(|ours| Some(*ours) == found.as_ref())
            .or(record.written.as_ref())
            .cloned();
        let noted = TargetRecord {
            before: ours.clone(),
            written: Some(hash),
            ..record.clone()
        };
        if noted != record {
            self.note(session, path, noted)?;
        }
        lock(&session.targets.last_write).insert(path.clone(), (Instant::now(), bytes.len()));
        match folder.write(&name, &bytes, ours.as_ref()) {
            Ok(_) => Ok(()),
            Err(error) => {
                let error = ApiError::from(error);
                // After a refusal of the disk either content may be there, so both stay noted as ours.
                if !error.code.is_of_the_disk() {
                    self.note(session, path, record)?;
                }
                Err(error)
            }
        }
    }

    /// Stores what is known of a target file.
    fn note(
        &self,
        session: &Session,
        path: &ProjectPath,
        record: TargetRecord,
    ) -> Result<(), ApiError> {
        let mut ledger = lock(&session.targets.ledger);
        let mut next = ledger.clone();
        next.insert(path.clone(), record);
        self.keep(session, |data| data.targets.clone_from(&next))?;
        *ledger = next;
        Ok(())
    }

    /// Changes what a session keeps beside its log.
    pub(super) fn keep(
        &self,
        session: &Session,
        change: impl FnOnce(&mut SessionData),
    ) -> Result<(), ApiError> {
        session.sound()?;
        let mut row = lock(&session.row);
        let mut data = super::sessions::data(&row, &lock(&self.settings));
        change(&mut data);
        let value = serde_json::to_value(data).unwrap_or_default();
        self.store().set_session_settings(session.id, &value)?;
        row.settings = value;
        Ok(())
    }

    /// Decides what happens with a target file that somebody else wrote or changed.
    pub async fn target_resolve(
        self: &Arc<Self>,
        request: TargetResolveRequest,
    ) -> Result<SessionView, ApiError> {
        let path = super::decide::document_path(&request.path)?;
        self.writable()?;
        let session = self.session(request.session_id).await?;
        session.sound()?;
        let (workbench, at) = (Arc::clone(self), Arc::clone(&session));
        blocking(move || {
            let project = at.project()?;
            let folder = TargetFolder::open(&at.targets.folder, project.workspace.path())?;
            workbench.resolve(&at, &folder, &path, request.choice)?;
            lock(&at.targets.problems).remove(&path);
            at.targets.mark([path]);
            workbench.write_targets(&at, Due::All);
            Ok(())
        })
        .await?;
        self.view(&session, None)
    }

    fn resolve(
        &self,
        session: &Session,
        folder: &TargetFolder,
        path: &ProjectPath,
        choice: TargetChoice,
    ) -> Result<(), ApiError> {
        let record = lock(&session.targets.ledger)
            .get(path)
            .cloned()
            .unwrap_or_default();
        let record = match choice {
            TargetChoice::Keep => TargetRecord {
                kept: true,
                ..record
            },
            TargetChoice::Overwrite => {
                let name = record.name.clone().unwrap_or_else(|| path.clone());
                let is_free = match folder.hash(&name) {
                    Ok(found) => found.is_none_or(|found| record.knows(&found)),
                    Err(TargetError::Link { .. } | TargetError::NotAFile { .. }) => false,
                    Err(error) => return Err(error.into()),
                };
                if is_free {
                    // Something else was wrong, a full disk for instance, and is tried again.
                    TargetRecord {
                        kept: false,
                        ..record
                    }
                } else {
                    let kept = folder.keep_aside(&name)?;
                    tracing::info!(%kept, "what somebody else put there was given another name");
                    TargetRecord {
                        name: record.name,
                        ..TargetRecord::default()
                    }
                }
            }
            TargetChoice::Beside => TargetRecord {
                name: Some(folder.beside(path)?),
                ..TargetRecord::default()
            },
        };
        self.note(session, path, record)
    }
}

/// Renders a document's target; `None` while no unit of it is confirmed and nothing was written before.
fn rendering(
    session: &Session,
    path: &ProjectPath,
    was_written: bool,
) -> Result<Option<Vec<u8>>, ApiError> {
    let (document, targets, when_missing) = {
        let context = lock(&session.context);
        let Some(state) = context.document(path) else {
            return Ok(None);
        };
        let targets: Vec<Option<Arc<str>>> = state
            .units()
            .iter()
            .map(|unit| unit.target.clone())
            .collect();
        let choice = context.settings().when_missing.get(path).copied();
        (
            Arc::clone(&state.document),
            targets,
            choice.unwrap_or_default(),
        )
    };
    if !was_written && targets.iter().all(Option::is_none) {
        return Ok(None);
    }
    let target = |ordinal: usize| targets.get(ordinal).and_then(Option::as_deref);
    render_target_with(&document, when_missing, target)
        .map(Some)
        .map_err(|error| ApiError::new(ErrorCode::TargetUnencodable, error.to_string()))
}
