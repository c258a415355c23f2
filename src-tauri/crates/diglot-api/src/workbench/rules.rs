//! What a person sets for the formats of a folder: kept with the program, the same for all its sessions.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use diglot_agent::ProjectPath;
use diglot_agent::workspace::DirEntryKind;
use diglot_document::{Format, Rules};
use serde_json::Value;

use super::projects::{Project, project_id};
use super::sessions::Session;
use super::settings::{self, Found};
use super::{Workbench, blocking, lock};
use crate::error::{ApiError, ErrorCode};
use crate::event::ApiEvent;
use crate::schema::{ProjectRequest, ProjectSetRulesRequest};
use crate::view::project::{FormatRuleView, RulesView};

/// Rules of one list at most, and their length in bytes.
const MOST_RULES: usize = 200;
const LONGEST_RULE: usize = 200;

impl Workbench {
    /// Shows what is set for the formats of a folder.
    pub async fn project_rules(
        self: &Arc<Self>,
        request: ProjectRequest,
    ) -> Result<RulesView, ApiError> {
        let project = self.project(&request.project_id).await?;
        blocking(move || Ok(rules_view(&project))).await
    }

    /// Sets the rules for the formats of a folder. Documents of its sessions are read anew; their open drafts
    /// are withdrawn, and units whose text is the same stay confirmed. A document that was opened stays one,
    /// also when its format is switched off.
    pub async fn project_set_rules(
        self: &Arc<Self>,
        request: ProjectSetRulesRequest,
    ) -> Result<RulesView, ApiError> {
        let rules = checked(request.clone())?;
        let project = self.project(&request.project_id).await?;
        let workbench = Arc::clone(self);
        blocking(move || {
            let value = serde_json::to_value(&rules).unwrap_or_default();
            workbench.store().set_setting(&row(&project.id), &value)?;
            project.set_rules(rules.clone());
            let sessions: Vec<Arc<Session>> = lock(&workbench.sessions).values().cloned().collect();
            for session in sessions {
                if session.project().is_ok_and(|own| own.id == project.id) {
                    workbench.apply_rules(&session, &rules)?;
                }
            }
            let project_id = project.id.clone();
            workbench.emit(ApiEvent::ProjectChanged { project_id });
            Ok(rules_view(&project))
        })
        .await
    }

    fn apply_rules(&self, session: &Session, rules: &Rules) -> Result<(), ApiError> {
        {
            let mut context = lock(&session.context);
            let mut settings = context.settings().clone();
            settings.rules = rules.clone();
            context.set_settings(settings);
        }
        session.count_units();
        self.refresh_sources(session)
    }

    /// Returns what is set for the formats of a folder.
    pub(super) fn rules_of(&self, folder: &Path) -> Rules {
        match settings::setting(self.store(), &row(&project_id(folder))) {
            Ok(Found::Value(rules)) => rules,
            Ok(Found::Nothing | Found::Lost) => Rules::default(),
            Err(error) => {
                tracing::error!(%error, "the rules of a folder cannot be read");
                Rules::default()
            }
        }
    }
}

/// Names the setting that keeps the rules of a project.
fn row(project: &str) -> String {
    format!("rules:{project}")
}

fn rules_view(project: &Project) -> RulesView {
    let rules = project.rules();
    let mut n_files: BTreeMap<Format, usize> = BTreeMap::new();
    for entry in project.files().iter() {
        if let DirEntryKind::Document { format, .. } = entry.kind {
            *n_files.entry(format).or_default() += 1;
        }
    }
    let format = |(format, n_files): (Format, usize)| FormatRuleView {
        id: id(format),
        name: format.name().to_owned(),
        n_files,
        is_on: !rules.off.contains(&format),
    };
    RulesView {
        formats: n_files.into_iter().map(format).collect(),
        keys_out: rules.keys_out.clone(),
        keys_in: rules.keys_in.clone(),
        columns: rules.columns.clone(),
        attributes: rules.attributes.clone(),
    }
}

/// Returns the name of a format in commands and in the log.
fn id(format: Format) -> String {
    let value = serde_json::to_value(format).unwrap_or_default();
    value.as_str().unwrap_or_default().to_owned()
}

fn checked(request: ProjectSetRulesRequest) -> Result<Rules, ApiError> {
    let bad = |text: &str| ApiError::new(ErrorCode::BadRequest, text);
    let mut off = Vec::new();
    for name in &request.off {
        let format = serde_json::from_value(Value::String(name.clone()));
        off.push(format.map_err(|_| bad(&format!("there is no format `{name}`")))?);
    }
    let list = |texts: Vec<String>| {
        let texts: Vec<String> = texts.iter().map(|text| text.trim().to_owned()).collect();
        let kept: Vec<String> = texts.into_iter().filter(|text| !text.is_empty()).collect();
        let fits = kept.len() <= MOST_RULES && kept.iter().all(|text| text.len() <= LONGEST_RULE);
        fits.then_some(kept)
            .ok_or_else(|| bad("these are too many or too long rules"))
    };
    Ok(Rules {
        off,
        keys_out: list(request.keys_out)?,
        keys_in: list(request.keys_in)?,
        columns: list(request.columns)?,
        attributes: list(request.attributes)?,
    })
}

/// Tells whether a document of a session was read by other rules than hold now.
pub(super) fn is_outdated(context: &diglot_agent::Context, path: &ProjectPath) -> bool {
    let now = &context.settings().rules;
    let document = context.document(path);
    document.is_some_and(|document| {
        document.read.rules != *now && !now.off.contains(&document.document.format)
    })
}
