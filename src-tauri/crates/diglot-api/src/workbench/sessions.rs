//! An open session: its folded log, its folder, its run, and how its changes are written.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use diglot_agent::store::{Commit, SessionCounts};
use diglot_agent::{
    AgentLoop, Context, Entry, Matches, Memory, ProjectPath, Seq, SessionId, SessionSettings, Step,
    Workspace as _,
};
use diglot_document::{Document, UnitState, WhenMissing};
use diglot_store::{SessionRow, Store, StoreMatches};
use serde::{Deserialize, Serialize};
use tokio::sync::Mutex as AsyncMutex;

use super::checks::Dismissed;
use super::projects::Project;
use super::rules::is_outdated;
use super::run::Run;
use super::targets::Targets;
use super::terms::SessionTerms;
use super::{Workbench, blocking, lock, now};
use crate::error::{ApiError, ErrorCode};
use crate::event::ApiEvent;
use crate::view::settings::Settings;

/// Entries of a log that are read at once.
const PART: usize = 1_000;

/// Holds one open session.
pub(super) struct Session {
    pub(super) id: SessionId,
    /// The row as it was last read or changed here; counts and times are those of the context.
    pub(super) row: Mutex<SessionRow>,
    pub(super) context: Mutex<Context>,
    /// The folder; `None` while it is not there.
    pub(super) project: Mutex<Option<Arc<Project>>>,
    pub(super) matches: Arc<dyn Matches>,
    pub(super) terms: Arc<SessionTerms>,
    pub(super) dismissed: Mutex<Dismissed>,
    /// Why the session is only shown: a part of it cannot be read, and nothing may be written over that.
    pub(super) damage: Option<ApiError>,
    /// Whether `context` may be ahead of what is stored: a change of it broke off, and it could not be folded anew yet.
    pub(super) is_ahead: AtomicBool,
    /// Units of the whole project, as far as they were counted; the log knows only what was read.
    n_project_units: AtomicU64,
    pub(super) run: Run,
    pub(super) targets: Targets,
}

/// Holds what a session keeps beside its log; stored with its row.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SessionData {
    /// Soft limit of a unit; it decides where units end, so a session keeps the one that it began with.
    pub(super) soft_limit: usize,
    /// What becomes of characters that the encoding of a document cannot hold, where the person said it.
    #[serde(default)]
    pub(super) when_missing: BTreeMap<ProjectPath, WhenMissing>,
    /// What is known of target files, by document.
    #[serde(default)]
    pub(super) targets: super::targets::TargetLedger,
}

impl Session {
    /// Returns the session's folder.
    ///
    /// # Errors
    /// `FolderMissing` while it is not there.
    pub(super) fn project(&self) -> Result<Arc<Project>, ApiError> {
        let project = lock(&self.project).clone();
        project.ok_or_else(|| {
            let folder = lock(&self.row).folder.clone();
            ApiError::new(ErrorCode::FolderMissing, folder)
        })
    }

    /// Refuses what would write to a session that can only be read in part.
    ///
    /// # Errors
    /// `SessionDamaged`.
    pub(super) fn sound(&self) -> Result<(), ApiError> {
        self.damage.clone().map_or(Ok(()), Err)
    }
}

impl Session {
    /// Reads a document that the agent has not come to yet, as the session will read it.
    ///
    /// # Errors
    /// `FolderMissing` while the folder is not there.
    pub(super) fn parse(&self, path: &ProjectPath) -> Result<Option<Arc<Document>>, ApiError> {
        let options = lock(&self.context).settings().parse_options(None);
        Ok(self.project()?.parse(path, &options))
    }

    /// Tells whether a document is another on disk than the session knows; one that cannot be read now is not.
    pub(super) fn is_stale(&self, project: &Project, path: &ProjectPath) -> bool {
        let known = lock(&self.context)
            .document(path)
            .map(|document| document.read.hash.clone());
        let found = project.workspace.hash(path).ok();
        known
            .zip(found)
            .is_some_and(|(known, found)| known != found)
    }

    /// Returns the counts of the log with the units of the whole project.
    pub(super) fn counts(&self, context: &Context) -> SessionCounts {
        let counts = context.counts();
        let n_units = self
            .n_project_units
            .load(Ordering::Relaxed)
            .max(counts.n_units);
        SessionCounts { n_units, ..counts }
    }

    /// Counts the units of the project anew.
    pub(super) fn count_units(&self) {
        if let Ok(project) = self.project() {
            self.n_project_units
                .store(project.count_all() as u64, Ordering::Relaxed);
        }
    }
}

/// Reads what a session keeps beside its log.
pub(super) fn data(row: &SessionRow, fallback: &Settings) -> SessionData {
    serde_json::from_value(row.settings.clone()).unwrap_or_else(|_| SessionData {
        soft_limit: fallback.soft_limit,
        when_missing: BTreeMap::new(),
        targets: super::targets::TargetLedger::default(),
    })
}

impl Workbench {
    /// Returns an open session, or opens it: neither the network nor its folder is needed.
    ///
    /// # Errors
    /// `SessionNotFound`; `Internal` when its log cannot be read.
    pub(super) async fn session(self: &Arc<Self>, id: i64) -> Result<Arc<Session>, ApiError> {
        let id = SessionId(id);
        if let Some(session) = lock(&self.sessions).get(&id) {
            return Ok(Arc::clone(session));
        }
        let opening = self.opening(id);
        let _opening = opening.lock().await;
        if let Some(session) = lock(&self.sessions).get(&id) {
            return Ok(Arc::clone(session));
        }
        let workbench = Arc::clone(self);
        let session = blocking(move || workbench.load(id)).await?;
        lock(&self.sessions).insert(id, Arc::clone(&session));
        lock(&self.screens).remove(&id);
        self.attach(&session);
        Ok(session)
    }

    /// Returns what is held while a session is opened or deleted.
    pub(super) fn opening(&self, id: SessionId) -> Arc<AsyncMutex<()>> {
        Arc::clone(lock(&self.opening).entry(id).or_default())
    }

    fn load(&self, id: SessionId) -> Result<Arc<Session>, ApiError> {
        let row = self.store.session(id)?;
        let settings = lock(&self.settings).clone();
        let data = data(&row, &settings);
        let (context, fault) = self.fold(&row, &settings)?;
        let damage = row.damage.clone().or(fault).map(|detail| {
            tracing::error!(session = id.0, detail, "a session can only be read in part");
            ApiError::new(ErrorCode::SessionDamaged, detail)
        });
        let project = self.project_at(&PathBuf::from(&row.folder)).ok();
        let matches = StoreMatches::new(Arc::clone(&self.store), row.languages.clone());
        let aside = self.store.dismissals(id)?;
        let terms = SessionTerms::new(&self.store, &row.languages, aside.clone())?;
        Ok(Arc::new(Session {
            id,
            targets: Targets::new(PathBuf::from(&row.target_folder), data.targets),
            row: Mutex::new(row),
            context: Mutex::new(context),
            project: Mutex::new(project),
            matches: Arc::new(matches),
            terms: Arc::new(terms),
            damage,
            dismissed: Mutex::new(Dismissed(aside)),
            is_ahead: AtomicBool::new(false),
            n_project_units: AtomicU64::new(0),
            run: Run::default(),
        }))
    }

    /// Folds the stored log of a session, as far as it can be read; the second value says why it ends there.
    fn fold(
        &self,
        row: &SessionRow,
        settings: &Settings,
    ) -> Result<(Context, Option<String>), ApiError> {
        let window = self.store.last_window(row.id)?;
        self.fold_until(row, settings, Seq(u64::MAX), window)
    }

    /// Folds the stored log of a session as it was before an entry, the providers' own messages with it.
    ///
    /// # Errors
    /// When the log cannot be read so far.
    pub(super) fn fold_before(
        &self,
        row: &SessionRow,
        settings: &Settings,
        entry: Seq,
    ) -> Result<Context, ApiError> {
        match self.fold_until(row, settings, entry, Seq(0))? {
            (context, None) => Ok(context),
            (_, Some(fault)) => Err(ApiError::new(ErrorCode::SessionDamaged, fault)),
        }
    }

    /// Folds the entries of a log before `end`.
    fn fold_until(
        &self,
        row: &SessionRow,
        settings: &Settings,
        end: Seq,
        window: Seq,
    ) -> Result<(Context, Option<String>), ApiError> {
        let mut context = Context::new(self.session_settings(row, settings));
        let mut fault = None;
        while fault.is_none() && context.seq().0 + 1 < end.0 {
            if self.is_closing.load(Ordering::SeqCst) {
                let text = "the application closes";
                return Err(ApiError::new(ErrorCode::Internal, text));
            }
            let part = self.store.fold_part(row.id, context.seq(), PART, window)?;
            if part.entries.is_empty() && part.fault.is_none() {
                break;
            }
            fault = part.fault.map(|fault| fault.to_string());
            context.foretell(part.entries.iter().map(|(_, entry)| entry));
            for (seq, entry) in part.entries {
                if seq >= end {
                    return Ok((context, None));
                }
                if let Err(error) = self.append(&mut context, entry) {
                    fault = Some(error.detail);
                    break;
                }
            }
            // It is stored already.
            context.settle();
        }
        // The log does not tell of lessons, nor of answers that could not be used; the row does.
        context.spend(row.counts.n_tokens.saturating_sub(context.n_tokens()));
        Ok((context, fault))
    }

    fn append(&self, context: &mut Context, entry: Entry) -> Result<(), ApiError> {
        if let Entry::SourceRead(read) = &entry
            && let Some(source) = self.store.source(&read.hash)?
        {
            context.add_source(source);
        }
        Ok(context.append(entry)?)
    }

    /// Brings an opened session up to date with the disk: changed sources, targets that are behind.
    fn attach(self: &Arc<Self>, session: &Arc<Session>) {
        // Noted before it is answered, so that whoever closes at once finds what is to be written.
        session.mark_targets();
        let workbench = Arc::clone(self);
        let attached = Arc::clone(session);
        tokio::task::spawn_blocking(move || {
            if let Err(error) = workbench.refresh_sources(&attached) {
                tracing::warn!(%error, "changed sources were not read anew");
            }
            workbench.rebuild_targets(&attached);
            attached.count_units();
        });
        self.watch(session);
    }

    /// Writes a step: all of it in one transaction. The context takes it first, so that what is written beside
    /// the log is its fold; when the store refuses, the context is folded anew from what is stored.
    ///
    /// # Errors
    /// When it could not be written; nothing of it holds then.
    pub(super) fn commit(
        &self,
        session: &Session,
        context: &mut Context,
        step: Step,
    ) -> Result<(), ApiError> {
        if step.entries.is_empty() {
            return Ok(());
        }
        session.sound()?;
        let expected = context.seq();
        session.is_ahead.store(true, Ordering::SeqCst);
        for source in &step.sources {
            context.add_source(source.clone());
        }
        let written = context
            .append_all(step.entries.iter().cloned())
            .map_err(ApiError::from)
            .and_then(|()| {
                let units = context.take_touched();
                let commit = Commit {
                    session: session.id,
                    expected,
                    entries: step.entries,
                    sources: step.sources,
                    counts: session.counts(context),
                    pairs: context.take_pairs(),
                    withdrawn: context.take_withdrawn(),
                    memory: step.memory.changed,
                    forgotten: step.memory.forgotten,
                    at: now(),
                    units,
                };
                self.store.commit(&commit)?;
                Ok(commit)
            });
        match written {
            Ok(commit) => {
                session.is_ahead.store(false, Ordering::SeqCst);
                lock(&session.row).updated_at = commit.at;
                // What was taken back leaves the target, whatever the unit is now.
                let is_reversal = |entry: &Entry| matches!(entry, Entry::Undo(_) | Entry::Redo(_));
                let reverses = commit.entries.iter().any(is_reversal);
                let settled = |state| matches!(state, UnitState::Approved | UnitState::Refined);
                let units = commit.units.iter();
                let confirmed = units.clone().filter(|row| settled(row.state)).count();
                self.safety.note_work(confirmed);
                let changed = units.filter(|row| reverses || settled(row.state));
                session.targets.mark(changed.map(|row| row.path.clone()));
                let seq = context.seq().0;
                self.emit(ApiEvent::SessionChanged {
                    session_id: session.id.0,
                    seq,
                });
                Ok(())
            }
            Err(error) => {
                if let Err(further) = self.catch_up(session, context) {
                    tracing::error!(%further, "a session cannot be folded anew yet");
                }
                Err(error)
            }
        }
    }

    /// Folds a session anew whose context may be ahead of what is stored, after a refusal or a panic.
    ///
    /// # Errors
    /// When its log cannot be read now; nothing may be decided on such a context.
    pub(super) fn catch_up(
        &self,
        session: &Session,
        context: &mut Context,
    ) -> Result<(), ApiError> {
        if session.is_ahead.load(Ordering::SeqCst) {
            let row = self.store.session(session.id)?;
            let settings = lock(&self.settings).clone();
            let (anew, fault) = self.fold(&row, &settings)?;
            if let Some(detail) = fault {
                return Err(ApiError::new(ErrorCode::SessionDamaged, detail));
            }
            *context = anew;
            session.is_ahead.store(false, Ordering::SeqCst);
        }
        Ok(())
    }

    /// Runs work on a session's agent loop under its lock, and writes what it finds out.
    ///
    /// # Errors
    /// Those of the work and of writing.
    pub(super) fn with_loop<T>(
        &self,
        session: &Session,
        project: &Project,
        work: impl FnOnce(&AgentLoop<'_>, &mut Context) -> Result<T, ApiError>,
    ) -> Result<T, ApiError> {
        let mut context = lock(&session.context);
        self.catch_up(session, &mut context)?;
        let memory = self.memory_of(session)?;
        let agent_loop = AgentLoop {
            tools: &self.tools,
            workspace: &project.workspace,
            memory: &memory,
            matches: session.matches.as_ref(),
            terms: session.terms.as_ref(),
            has_memory_model: self.memory_model_id().is_some() && !context.is_spent(),
        };
        work(&agent_loop, &mut context)
    }

    /// Puts together what a session is set to, with what is kept for its folder.
    pub(super) fn session_settings(
        &self,
        row: &SessionRow,
        settings: &Settings,
    ) -> SessionSettings {
        let folder = Path::new(&row.folder);
        let data = data(row, settings);
        SessionSettings {
            session: row.id,
            languages: row.languages.clone(),
            instructions: row.instructions.clone(),
            look_ahead: settings.look_ahead,
            chunk_units: settings.chunk_units,
            soft_limit: data.soft_limit,
            rules: self.rules_of(folder),
            when_missing: data.when_missing,
            token_cap: settings.token_cap,
            guides: self.guides_at(folder),
        }
    }

    /// Returns what holds for a session's languages in its project.
    pub(super) fn memory_of(&self, session: &Session) -> Result<Memory, ApiError> {
        let (languages, folder) = {
            let row = lock(&session.row);
            (row.languages.clone(), row.folder.clone())
        };
        Ok(self.store.memory(&languages, &folder)?)
    }

    /// Reads documents anew that changed on disk; their matched units keep what was confirmed.
    ///
    /// # Errors
    /// When it could not be written.
    pub(super) fn refresh_sources(&self, session: &Session) -> Result<(), ApiError> {
        let Ok(project) = session.project() else {
            return Ok(());
        };
        if self.writable().is_err() || session.sound().is_err() {
            return Ok(());
        }
        self.with_loop(session, &project, |agent_loop, context| {
            let paths: Vec<ProjectPath> =
                context.documents().map(|(path, _)| path.clone()).collect();
            for path in paths {
                if is_outdated(context, &path)
                    || agent_loop.has_changed(context, &path).unwrap_or(false)
                {
                    let step = agent_loop.refresh(context, &path);
                    self.commit(session, context, step)?;
                    session.targets.mark([path]);
                }
            }
            Ok(())
        })
    }
}

/// Opens the store's rows to the parts of the workbench that only read.
impl Workbench {
    pub(super) fn store(&self) -> &Arc<Store> {
        &self.store
    }
}
