//! The provider of the command line, put into the settings and taken out again. Owns the entry `cli`.

use std::sync::Arc;

use diglot_api::Workbench;
use diglot_api::error::{ApiError, ErrorCode};
use diglot_api::schema::{NoArgs, ProviderCheckRequest, SettingsUpdateRequest};
use diglot_api::view::settings::{ProtocolChoice, ProviderSettings, Settings};

use crate::args::TranslateArgs;

/// Names the endpoint of the command line among the providers.
const ID: &str = "cli";
const OFFLINE: &str = "offline";
/// Stands for the model while an endpoint is asked which ones it has.
const UNNAMED: &str = "unnamed";

/// Remembers the settings that the command line replaced.
pub(crate) struct Override {
    before: Option<Settings>,
    /// Whether drafts come from a language model.
    pub(crate) has_model: bool,
}

impl Override {
    /// Puts what the command line says into the settings.
    ///
    /// # Errors
    /// When the endpoint or the model is not usable.
    pub(crate) async fn apply(
        workbench: &Arc<Workbench>,
        args: &TranslateArgs,
    ) -> Result<Self, ApiError> {
        let before = workbench.settings_view(NoArgs {}).await?.settings;
        let mut settings = before.clone();
        if let Some(chunk) = args.chunk {
            settings.chunk_units = usize::from(chunk);
        }
        match args.provider.as_deref() {
            Some(OFFLINE) => OFFLINE.clone_into(&mut settings.translator),
            Some(url) => {
                let provider = provider(workbench, url, args.model.as_deref()).await?;
                settings.providers.retain(|other| other.id != ID);
                settings.providers.push(provider);
                ID.clone_into(&mut settings.translator);
            }
            None => {}
        }
        let has_model = settings.translator != OFFLINE;
        if settings == before {
            return Ok(Self {
                before: None,
                has_model,
            });
        }
        workbench
            .settings_update(SettingsUpdateRequest { settings })
            .await?;
        Ok(Self {
            before: Some(before),
            has_model,
        })
    }

    /// Puts the replaced settings back; others that changed meanwhile stay.
    pub(crate) async fn undo(self, workbench: &Arc<Workbench>) -> Result<(), ApiError> {
        let Some(before) = self.before else {
            return Ok(());
        };
        let mut settings = workbench.settings_view(NoArgs {}).await?.settings;
        settings.providers = before.providers;
        settings.translator = before.translator;
        settings.chunk_units = before.chunk_units;
        workbench
            .settings_update(SettingsUpdateRequest { settings })
            .await?;
        Ok(())
    }
}

/// Describes an endpoint; without a model's name it is asked which ones it has.
async fn provider(
    workbench: &Arc<Workbench>,
    url: &str,
    model: Option<&str>,
) -> Result<ProviderSettings, ApiError> {
    let mut provider = ProviderSettings {
        id: ID.to_owned(),
        name: url.to_owned(),
        base_url: url.to_owned(),
        model: model.unwrap_or(UNNAMED).to_owned(),
        protocol: ProtocolChoice::default(),
        temperature: None,
        max_output_tokens: None,
    };
    if model.is_some() {
        return Ok(provider);
    }
    let request = ProviderCheckRequest {
        provider: provider.clone(),
        key: None,
    };
    let found = workbench.provider_check(request).await?;
    match (found.models.as_slice(), found.error) {
        ([only], _) => {
            only.clone_into(&mut provider.model);
            Ok(provider)
        }
        ([], Some(error)) => Err(error),
        ([], None) => Err(ApiError::new(
            ErrorCode::BadSettings,
            "name the endpoint's model with --model",
        )),
        (several, _) => {
            let names = several
                .iter()
                .take(20)
                .cloned()
                .collect::<Vec<_>>()
                .join(", ");
            let detail = format!("choose a model with --model: {names}");
            Err(ApiError::new(ErrorCode::BadSettings, detail))
        }
    }
}
