//! Sessions as a history: made, listed, shown, renamed, deleted.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use diglot_agent::{Entry, Message, Seq, SessionId, Step};
use diglot_document::{LanguagePair, LanguageTag};
use diglot_store::{NewSession, SessionRow};
use diglot_workspace::{free_target_path, target_path};

use super::projects::Project;
use super::sessions::SessionData;
use super::targets::TargetLedger;
use super::{Workbench, blocking, lock, now, present};
use crate::error::{ApiError, ErrorCode};
use crate::schema::{
    NoArgs, SessionCreateRequest, SessionListRequest, SessionRenameRequest, SessionRequest,
    SessionViewRequest,
};
use crate::view::session::{SessionPage, SessionSummary, SessionView};

/// Sessions of a page when the host names no limit.
const PAGE: usize = 50;
/// What the person's start is for the model.
const OPENING: &str = "Translate this project.";

impl Workbench {
    /// Makes a session of a folder, or opens the one that is there for the language.
    pub async fn session_create(
        self: &Arc<Self>,
        request: SessionCreateRequest,
    ) -> Result<SessionView, ApiError> {
        let project = self.project(&request.project_id).await?;
        let workbench = Arc::clone(self);
        let id = blocking(move || workbench.create(&project, &request)).await?;
        let session = self.session(id.0).await?;
        let is_new = lock(&session.context).seq() == Seq(0);
        if is_new {
            let (workbench, at) = (Arc::clone(self), Arc::clone(&session));
            blocking(move || {
                let mut context = lock(&at.context);
                let message = Message::User {
                    text: OPENING.to_owned(),
                };
                let entries = vec![Entry::Message(message)];
                workbench.commit(&at, &mut context, Step::of(entries))
            })
            .await?;
        }
        self.view(&session, None)
    }

    fn create(
        &self,
        project: &Project,
        request: &SessionCreateRequest,
    ) -> Result<SessionId, ApiError> {
        let target = tag(&request.target_language)?;
        let source = match &request.source_language {
            Some(text) => tag(text)?,
            None => project.language().ok_or_else(|| {
                let text = "the language of the text could not be told: choose it";
                ApiError::new(ErrorCode::BadLanguage, text)
            })?,
        };
        if source == target {
            let text = "source and target language are the same";
            return Err(ApiError::new(ErrorCode::BadLanguage, text));
        }
        if project.first_documents(1).is_empty() {
            let text = "the folder holds no file that can be translated";
            return Err(ApiError::new(ErrorCode::NotAFolder, text));
        }
        let folder = project.workspace.path();
        let text = folder.display().to_string();
        let known = self.store().find_session(&text, &target)?;
        let afresh = request.afresh == Some(true);
        if let Some(row) = known.filter(|_| !afresh) {
            return Ok(row.id);
        }
        let target_folder = if afresh {
            free_target_path(folder, &target)
        } else {
            target_path(folder, &target, 1)
        };
        let settings = lock(&self.settings).clone();
        let data = SessionData {
            soft_limit: settings.soft_limit,
            when_missing: BTreeMap::new(),
            targets: TargetLedger::default(),
        };
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        let new = NewSession {
            title: name.into_owned(),
            folder: text,
            target_folder: target_folder.display().to_string(),
            languages: LanguagePair { source, target },
            instructions: request
                .instructions
                .clone()
                .unwrap_or_default()
                .trim()
                .to_owned(),
            settings: serde_json::to_value(data).unwrap_or_default(),
            at: now(),
        };
        Ok(self.store().create_session(&new)?)
    }

    /// Lists sessions, newest first.
    pub async fn session_list(
        self: &Arc<Self>,
        request: SessionListRequest,
    ) -> Result<SessionPage, ApiError> {
        let workbench = Arc::clone(self);
        blocking(move || {
            let offset = request.offset.unwrap_or(0);
            let limit = request.limit.unwrap_or(PAGE).min(500);
            let page = workbench
                .store()
                .sessions(request.query.as_deref(), offset, limit)?;
            let sessions = page.rows.iter().map(present::summary).collect();
            Ok(SessionPage {
                sessions,
                offset,
                n_total: page.n_total,
                n_unreadable: page.n_unreadable,
            })
        })
        .await
    }

    /// Shows a session.
    pub async fn session_view(
        self: &Arc<Self>,
        request: SessionViewRequest,
    ) -> Result<SessionView, ApiError> {
        if request.since_seq.is_none()
            && let Some(view) = self.first_view(request.session_id).await?
        {
            return Ok(view);
        }
        let session = self.session(request.session_id).await?;
        self.reattach(&session);
        self.view(&session, request.since_seq.map(Seq))
    }

    /// Takes up a folder that was not there and is back.
    fn reattach(&self, session: &super::sessions::Session) {
        let is_missing = lock(&session.project).is_none();
        if is_missing {
            let folder = lock(&session.row).folder.clone();
            *lock(&session.project) = self.project_at(Path::new(&folder)).ok();
        }
    }

    /// Gives a session another title.
    pub async fn session_rename(
        self: &Arc<Self>,
        request: SessionRenameRequest,
    ) -> Result<SessionSummary, ApiError> {
        let title = request.title.trim().to_owned();
        if title.is_empty() {
            return Err(ApiError::new(ErrorCode::BadRequest, "the title is empty"));
        }
        let id = SessionId(request.session_id);
        let workbench = Arc::clone(self);
        blocking(move || {
            workbench.store().rename_session(id, &title)?;
            let row = workbench.store().session(id)?;
            if let Some(session) = lock(&workbench.sessions).get(&id) {
                lock(&session.row).title = title;
            }
            Ok(present::summary(&row))
        })
        .await
    }

    /// Deletes a session from the history; its files stay.
    pub async fn session_delete(
        self: &Arc<Self>,
        request: SessionRequest,
    ) -> Result<NoArgs, ApiError> {
        self.writable()?;
        let id = SessionId(request.session_id);
        let opening = self.opening(id);
        let _opening = opening.lock().await;
        lock(&self.screens).remove(&id);
        let open = lock(&self.sessions).remove(&id);
        if let Some(session) = open {
            session.run.end().await;
        }
        let workbench = Arc::clone(self);
        blocking(move || {
            workbench.store().delete_session(id)?;
            Ok(NoArgs {})
        })
        .await
    }
}

fn tag(text: &str) -> Result<LanguageTag, ApiError> {
    LanguageTag::parse(text)
        .map_err(|error| ApiError::new(ErrorCode::BadLanguage, error.to_string()))
}

/// Tells whether a session's folder is there.
pub(super) fn is_present(row: &SessionRow) -> bool {
    Path::new(&row.folder).is_dir()
}
