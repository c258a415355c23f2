//! Guides: what a person wrote once and attached to projects, and the Markdown files that they come from and go to.

use std::path::Path;
use std::sync::Arc;

use diglot_agent::{Guide, limits};
use diglot_store::GuideRow;

use super::sessions::Session;
use super::{Workbench, blocking, lock, now};
use crate::error::{ApiError, ErrorCode};
use crate::files;
use crate::schema::{
    GuideAttachRequest, GuideExportRequest, GuideImportRequest, GuideRequest, GuideSaveRequest,
    NoArgs, ProjectRequest,
};
use crate::view::guide::{ExportView, GuideFileView, GuideView, GuidesView};
use diglot_agent::tokens;

impl Workbench {
    /// Shows all guides, and which hold for a project.
    pub async fn guide_list(
        self: &Arc<Self>,
        request: ProjectRequest,
    ) -> Result<GuidesView, ApiError> {
        let project = self.project(&request.project_id).await?;
        let workbench = Arc::clone(self);
        blocking(move || workbench.guides_view(project.workspace.path())).await
    }

    /// Keeps a guide; a new one holds for the project that it was written in.
    pub async fn guide_save(
        self: &Arc<Self>,
        request: GuideSaveRequest,
    ) -> Result<GuidesView, ApiError> {
        let project = self.project(&request.project_id).await?;
        let workbench = Arc::clone(self);
        blocking(move || {
            let folder = project.workspace.path();
            let guide = workbench.checked_guide(request.id, request.text)?;
            let id = workbench.store().put_guide(request.id, &guide, now())?;
            let n_attached = workbench.store().guides_of(&name(folder))?.len();
            if request.id.is_none() && n_attached < limits::GUIDES {
                workbench.store().attach_guide(id, &name(folder))?;
            }
            workbench.apply_guides();
            workbench.guides_view(folder)
        })
        .await
    }

    /// Deletes a guide, for all projects.
    pub async fn guide_delete(self: &Arc<Self>, request: GuideRequest) -> Result<NoArgs, ApiError> {
        let workbench = Arc::clone(self);
        blocking(move || {
            workbench.store().delete_guide(request.id)?;
            workbench.apply_guides();
            Ok(NoArgs {})
        })
        .await
    }

    /// Lets a guide hold for a project, or no longer.
    pub async fn guide_attach(
        self: &Arc<Self>,
        request: GuideAttachRequest,
    ) -> Result<GuidesView, ApiError> {
        let project = self.project(&request.project_id).await?;
        let workbench = Arc::clone(self);
        blocking(move || {
            let folder = project.workspace.path();
            let store = workbench.store();
            if request.attached {
                if store.guides_of(&name(folder))?.len() >= limits::GUIDES {
                    let text = format!("a project has at most {} guides", limits::GUIDES);
                    return Err(ApiError::new(ErrorCode::GuideRefused, text));
                }
                store.attach_guide(request.id, &name(folder))?;
            } else {
                store.detach_guide(request.id, &name(folder))?;
            }
            workbench.apply_guides();
            workbench.guides_view(folder)
        })
        .await
    }

    /// Reads a file that may become a guide; nothing is kept yet. Without a path the host lets the person choose.
    pub async fn guide_import(
        self: &Arc<Self>,
        request: GuideImportRequest,
    ) -> Result<Option<GuideFileView>, ApiError> {
        let Some(path) = request.path else {
            let text = "choosing a file needs a window: name its path";
            return Err(ApiError::new(ErrorCode::BadRequest, text));
        };
        let workbench = Arc::clone(self);
        blocking(move || {
            let bytes = files::read(&path, limits::GUIDE_BYTES as u64)?;
            let text = String::from_utf8(bytes).map_err(|_| {
                ApiError::new(ErrorCode::GuideRefused, "the file is not saved as UTF-8")
            })?;
            let guide = guide_of(text)?;
            let key = guide.note.key();
            let known = workbench.store().guides("")?;
            let known = known
                .iter()
                .find(|row| key_of(row).is_some_and(|known| known == key));
            Ok(Some(GuideFileView {
                id: known.map(|row| row.id),
                title: guide.note.title,
                text: guide.text,
            }))
        })
        .await
    }

    /// Writes a guide as a Markdown file. Without a path the host lets the person choose.
    pub async fn guide_export(
        self: &Arc<Self>,
        request: GuideExportRequest,
    ) -> Result<ExportView, ApiError> {
        let Some(path) = request.path else {
            let text = "choosing a file needs a window: name its path";
            return Err(ApiError::new(ErrorCode::BadRequest, text));
        };
        let workbench = Arc::clone(self);
        blocking(move || {
            let row = workbench.stored_guide(request.id)?;
            let path = files::write(&path, row.text.as_bytes())?;
            Ok(ExportView {
                path: Some(path.display().to_string()),
            })
        })
        .await
    }

    /// Proposes the name of the file that a guide is written to.
    ///
    /// # Errors
    /// `BadRequest` when there is no such guide.
    pub async fn guide_file_name(self: &Arc<Self>, id: i64) -> Result<String, ApiError> {
        let workbench = Arc::clone(self);
        blocking(move || {
            let guide = guide_of(workbench.stored_guide(id)?.text)?;
            let is_plain = |c: &char| c.is_alphanumeric() || " -_.".contains(*c);
            let name: String = guide.note.title.chars().filter(is_plain).collect();
            let name = name.trim_matches([' ', '.']);
            Ok(format!(
                "{}.md",
                if name.is_empty() { "guide" } else { name }
            ))
        })
        .await
    }

    fn stored_guide(&self, id: i64) -> Result<GuideRow, ApiError> {
        let missing = || diglot_store::StoreError::GuideNotFound { id };
        Ok(self.store().guide(id)?.ok_or_else(missing)?)
    }

    /// Takes a text that becomes a guide. A page gives lines without carriage returns; a guide that has them keeps them.
    fn checked_guide(&self, id: Option<i64>, text: String) -> Result<Guide, ApiError> {
        let old = id.map(|id| self.stored_guide(id)).transpose()?;
        let had_returns = old.is_some_and(|old| old.text.contains("\r\n"));
        if had_returns && !text.contains('\r') {
            return guide_of(text.replace('\n', "\r\n"));
        }
        guide_of(text)
    }

    /// Returns the guides that hold for a folder.
    pub(super) fn guides_at(&self, folder: &Path) -> Arc<[Guide]> {
        let texts = self.store().guides_of(&name(folder));
        let texts = texts.unwrap_or_else(|error| {
            tracing::error!(%error, "the guides of a folder cannot be read");
            Vec::new()
        });
        texts.into_iter().filter_map(Guide::of).collect()
    }

    /// Lets open sessions work by the guides as they are now.
    fn apply_guides(&self) {
        let sessions: Vec<Arc<Session>> = lock(&self.sessions).values().cloned().collect();
        for session in sessions {
            let folder = lock(&session.row).folder.clone();
            let guides = self.guides_at(Path::new(&folder));
            let mut context = lock(&session.context);
            if context.settings().guides != guides {
                let mut settings = context.settings().clone();
                settings.guides = guides;
                context.set_settings(settings);
            }
        }
    }

    fn guides_view(&self, folder: &Path) -> Result<GuidesView, ApiError> {
        let rows = self.store().guides(&name(folder))?;
        Ok(GuidesView {
            guides: rows.into_iter().filter_map(view).collect(),
            most_attached: limits::GUIDES,
        })
    }
}

fn guide_of(text: String) -> Result<Guide, ApiError> {
    let refuse = |text: String| ApiError::new(ErrorCode::GuideRefused, text);
    if text.len() > limits::GUIDE_BYTES {
        let most = limits::GUIDE_BYTES;
        return Err(refuse(format!("a guide has at most {most} bytes")));
    }
    if text.contains('\0') {
        return Err(refuse("a guide is text".to_owned()));
    }
    Guide::of(text)
        .ok_or_else(|| refuse("a guide needs a heading or a line to be called by".to_owned()))
}

fn key_of(row: &GuideRow) -> Option<String> {
    Some(Guide::of(row.text.as_str())?.note.key())
}

fn view(row: GuideRow) -> Option<GuideView> {
    let guide = Guide::of(row.text)?;
    Some(GuideView {
        id: row.id,
        title: guide.note.title,
        opening: guide.note.opening,
        n_tokens: tokens::estimate(&guide.text),
        text: guide.text,
        is_attached: row.is_attached,
        updated_at: row.updated_at,
    })
}

/// Names a folder as sessions do.
fn name(folder: &Path) -> String {
    folder.display().to_string()
}
