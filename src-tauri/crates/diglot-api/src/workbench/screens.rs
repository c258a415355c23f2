//! What a session shows when it is opened, kept beside its log at the end of each use: a long session is looked at at
//! once, while its log is folded behind. A cache of what the fold shows at one entry, never the truth: a screen of
//! another entry, program or settings is not used, and no decision is taken from one. Where there is none, the rows of
//! units beside the log are shown, and the conversation follows.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::UNIX_EPOCH;

use diglot_agent::entry::SourceRead;
use diglot_agent::{Context, Entry, ProjectPath, SessionId};
use diglot_store::{Progress, SessionRow};
use serde::{Deserialize, Serialize};

use super::checks::Dismissed;
use super::present::Part;
use super::sessions::Session;
use super::{Workbench, blocking, lock, present};
use crate::error::{ApiError, ErrorCode};
use crate::event::ApiEvent;
use crate::view::document::{DocumentView, UnitView};
use crate::view::session::{ProgressView, SessionView};

/// Entries from which on a session without a kept screen is shown from its rows: a shorter log is read at once.
const LONG: u64 = 5_000;

/// Holds the screen of a session that is not folded yet.
pub(super) struct Screen {
    kept: Kept,
    row: SessionRow,
    dismissed: Dismissed,
    /// Documents that were looked at, each as if it had just been read.
    read: Mutex<HashMap<ProjectPath, Arc<Context>>>,
}

/// Holds what is stored of a screen.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Kept {
    view: SessionView,
    documents: Vec<KeptDocument>,
}

/// Holds what the rows of units do not tell of a document that was read.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct KeptDocument {
    read: SourceRead,
    n_confirmed: usize,
    next_open: Option<usize>,
    /// Units of which more is known than their rows hold, ascending.
    special: Vec<UnitView>,
}

impl Screen {
    pub(super) fn new(kept: Kept, row: SessionRow, dismissed: Dismissed) -> Self {
        Self {
            kept,
            row,
            dismissed,
            read: Mutex::default(),
        }
    }

    /// Shows the session.
    pub(super) fn view(&self, provider: String) -> SessionView {
        present::kept_view(self.kept.view.clone(), &self.row, provider)
    }

    /// Shows a page of a document; `None` when the session has not read it.
    pub(super) fn page(
        &self,
        workbench: &Workbench,
        path: &ProjectPath,
        from: usize,
        limit: usize,
    ) -> Result<Option<DocumentView>, ApiError> {
        let known = self.kept.documents.iter();
        let Some(known) = known.into_iter().find(|known| known.read.path == *path) else {
            return Ok(None);
        };
        let context = self.read(workbench, &known.read)?;
        let Some(mut view) = present::document_view(&self.dismissed, &context, path, from, limit)
        else {
            return Ok(None);
        };
        view.n_confirmed = known.n_confirmed;
        view.next_open = known.next_open.filter(|unit| *unit <= view.n_units);
        let format = context.document(path).map(|state| state.document.format);
        let rows = workbench
            .store()
            .some_units(self.row.id, path, from, limit)?;
        for row in &rows {
            let unit = row
                .unit
                .checked_sub(from)
                .and_then(|at| view.units.get_mut(at));
            if let Some((unit, format)) = unit.zip(format) {
                present::put_row(unit, format, row);
            }
        }
        for special in &known.special {
            let unit = special
                .unit
                .checked_sub(from)
                .and_then(|at| view.units.get_mut(at));
            if let Some(unit) = unit {
                unit.clone_from(special);
            }
        }
        Ok(Some(view))
    }

    /// Reads a document alone, from its stored text.
    fn read(&self, workbench: &Workbench, read: &SourceRead) -> Result<Arc<Context>, ApiError> {
        if let Some(context) = lock(&self.read).get(&read.path) {
            return Ok(Arc::clone(context));
        }
        let missing = || ApiError::new(ErrorCode::Internal, "a source text is missing");
        let source = workbench.store().source(&read.hash)?.ok_or_else(missing)?;
        let settings = workbench.session_settings(&self.row, &lock(&workbench.settings));
        let mut context = Context::new(settings);
        context.add_source(source);
        context.append(Entry::SourceRead(read.clone()))?;
        let context = Arc::new(context);
        lock(&self.read).insert(read.path.clone(), Arc::clone(&context));
        Ok(context)
    }
}

impl Workbench {
    /// Shows a session that is not folded yet and whose screen was kept, and lets it be folded behind.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(super) async fn first_view(
        self: &Arc<Self>,
        id: i64,
    ) -> Result<Option<SessionView>, ApiError> {
        let screen = self.screen(SessionId(id)).await?;
        Ok(screen.map(|screen| {
            self.fold_behind(id);
            screen.view(self.translator_name())
        }))
    }

    /// Shows a page of a document of such a session.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(super) async fn first_page(
        self: &Arc<Self>,
        id: i64,
        path: &ProjectPath,
        from: usize,
        limit: usize,
    ) -> Result<Option<DocumentView>, ApiError> {
        let Some(screen) = self.screen(SessionId(id)).await? else {
            return Ok(None);
        };
        let (workbench, path) = (Arc::clone(self), path.clone());
        blocking(move || screen.page(&workbench, &path, from, limit)).await
    }

    /// Returns the screen of a session that is not open.
    pub(super) async fn screen(
        self: &Arc<Self>,
        id: SessionId,
    ) -> Result<Option<Arc<Screen>>, ApiError> {
        if lock(&self.sessions).contains_key(&id) {
            return Ok(None);
        }
        if let Some(screen) = lock(&self.screens).get(&id) {
            return Ok(Some(Arc::clone(screen)));
        }
        let workbench = Arc::clone(self);
        let screen = blocking(move || workbench.load_screen(id)).await?;
        if let Some(screen) = &screen {
            lock(&self.screens).insert(id, Arc::clone(screen));
        }
        Ok(screen)
    }

    fn load_screen(&self, id: SessionId) -> Result<Option<Arc<Screen>>, ApiError> {
        let row = self.store().session(id)?;
        if row.damage.is_some() {
            return Ok(None);
        }
        let dismissed = Dismissed(self.store().dismissals(id)?);
        let maker = self.maker(&row, &dismissed);
        let kept = self.store().screen(id, &maker)?;
        let kept = kept.and_then(|kept| serde_json::from_str(&kept).ok());
        let kept = match kept {
            Some(kept) => kept,
            None if row.seq.0 >= LONG => self.rows(&row)?,
            None => return Ok(None),
        };
        Ok(Some(Arc::new(Screen::new(kept, row, dismissed))))
    }

    /// Gathers what the rows beside a log tell, for a session that ended without order or is opened by another program.
    pub(super) fn rows(&self, row: &SessionRow) -> Result<Kept, ApiError> {
        let read = self.store().documents_read(row.id)?;
        let progress = self.store().progress(row.id)?;
        let progress: HashMap<&str, &Progress> = progress
            .iter()
            .map(|progress| (progress.path.as_str(), progress))
            .collect();
        let documents: Vec<KeptDocument> = read
            .into_iter()
            .map(|read| {
                let known = progress.get(read.path.as_str());
                KeptDocument {
                    n_confirmed: known.map_or(0, |known| known.n_confirmed),
                    next_open: Some(known.map_or(1, |known| known.first_open)),
                    special: Vec::new(),
                    read,
                }
            })
            .collect();
        let file = |document: &KeptDocument| ProgressView {
            path: document.read.path.as_str().to_owned(),
            n_units: None,
            n_confirmed: document.n_confirmed,
            next_open: document.next_open,
        };
        let files = documents.iter().map(file).collect();
        Ok(Kept {
            view: present::opening_view(row, files),
            documents,
        })
    }

    /// Opens a session in the background; hosts hear of it when it is there.
    fn fold_behind(self: &Arc<Self>, id: i64) {
        let workbench = Arc::clone(self);
        tokio::spawn(async move {
            match workbench.session(id).await {
                Ok(session) => {
                    let seq = lock(&session.context).seq().0;
                    workbench.emit(ApiEvent::SessionChanged {
                        session_id: id,
                        seq,
                    });
                }
                Err(error) => tracing::error!(%error, "a session could not be folded"),
            }
        });
    }

    /// Keeps what a session shows now. It is only a cache, so a failure is no error.
    pub(super) fn keep_screen(&self, session: &Session) {
        if self.store().is_read_only() || session.damage.is_some() {
            return;
        }
        let (seq, kept) = {
            let context = lock(&session.context);
            let view = present::session_view(session, &context, &Part::default(), String::new());
            let Ok(view) = view else { return };
            let dismissed = lock(&session.dismissed);
            let documents = context.documents();
            let documents = documents.map(|(path, state)| KeptDocument {
                read: state.read.clone(),
                n_confirmed: state.n_confirmed(),
                next_open: state.next_open().map(|ordinal| ordinal + 1),
                special: present::special_units(&context, &dismissed, path),
            });
            let documents = documents.collect();
            (context.seq(), Kept { view, documents })
        };
        let maker = self.maker(&lock(&session.row), &lock(&session.dismissed));
        let body = serde_json::to_string(&kept).unwrap_or_default();
        if let Err(error) = self.store().keep_screen(session.id, seq, &maker, &body) {
            tracing::warn!(%error, "a session's screen was not kept");
        }
    }

    /// Names all that a screen depends on besides the log: the program, down to its build; settings; what was set
    /// aside.
    fn maker(&self, row: &SessionRow, dismissed: &Dismissed) -> String {
        let program = std::env::current_exe().and_then(std::fs::metadata).ok();
        let built = program.as_ref().and_then(|program| program.modified().ok());
        let built = built.and_then(|built| built.duration_since(UNIX_EPOCH).ok());
        let mut aside: Vec<&str> = dismissed.0.iter().map(String::as_str).collect();
        aside.sort_unstable();
        let settings = self.session_settings(row, &lock(&self.settings));
        let parts = format!(
            "{} {:?} {built:?} {settings:?} {aside:?}",
            env!("CARGO_PKG_VERSION"),
            program.map(|program| program.len()),
        );
        blake3::hash(parts.as_bytes()).to_hex().to_string()
    }
}
