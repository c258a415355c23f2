//! Settings, providers and language packs.

use std::path::Path;
use std::sync::Arc;

use diglot_offline::Pack;
use diglot_openai::{ApiKey, OpenAiModel, Protocol};
use diglot_store::{Store, StoreError};
use serde::de::DeserializeOwned;

use super::models::{OFFLINE, endpoint_config};
use super::{Workbench, blocking, lock, now};
use crate::error::{ApiError, ErrorCode};
use crate::schema::{
    NoArgs, PackImportRequest, ProviderCheckRequest, ProviderSetKeyRequest, SettingsUpdateRequest,
};
use crate::secrets::Secrets;
use crate::view::settings::{
    LocalServerView, PackView, ProtocolChoice, ProviderCheckView, Settings, SettingsView,
};

/// Name of the row that holds the settings.
const ROW: &str = "settings";

/// Holds the settings as they were found.
pub(super) struct Loaded {
    pub(super) settings: Settings,
    /// Whether there were some that could not be read.
    pub(super) is_lost: bool,
}

/// Reads the settings; what is missing has its default.
pub(super) fn load(store: &Store) -> Result<Loaded, ApiError> {
    let found = setting(store, ROW)?;
    Ok(Loaded {
        is_lost: matches!(found, Found::Lost),
        settings: match found {
            Found::Value(settings) => settings,
            Found::Nothing | Found::Lost => Settings::default(),
        },
    })
}

/// Says what was found of a setting.
pub(super) enum Found<T> {
    Nothing,
    Value(T),
    /// It cannot be read, and is kept aside.
    Lost,
}

/// Reads a setting. One that cannot be read is kept under another name, so that nothing is saved over it.
pub(super) fn setting<T: DeserializeOwned>(
    store: &Store,
    name: &str,
) -> Result<Found<T>, ApiError> {
    let value = match store.setting(name) {
        Ok(None) => return Ok(Found::Nothing),
        Ok(Some(value)) => serde_json::from_value(value).ok(),
        Err(StoreError::UnreadableRow { .. }) => None,
        Err(error) => return Err(error.into()),
    };
    if let Some(value) = value {
        return Ok(Found::Value(value));
    }
    tracing::error!(name, "a setting cannot be read and is kept aside");
    if !store.is_read_only() {
        store.set_setting_aside(name, now())?;
    }
    Ok(Found::Lost)
}

impl Workbench {
    /// Shows the settings.
    pub async fn settings_view(
        self: &Arc<Self>,
        _request: NoArgs,
    ) -> Result<SettingsView, ApiError> {
        let workbench = Arc::clone(self);
        blocking(move || Ok(workbench.settings_now())).await
    }

    fn settings_now(&self) -> SettingsView {
        let settings = lock(&self.settings).clone();
        let keys = settings
            .providers
            .iter()
            .map(|p| self.secrets.find(&p.id).1)
            .collect();
        SettingsView {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            keys,
            omitted: settings.providers.iter().map(|p| self.omitted(p)).collect(),
            keychain: Secrets::has_keychain(),
            packs: self.packs(),
            data_folder: self.config.data_folder.display().to_string(),
            settings,
        }
    }

    /// Stores the settings as a whole.
    pub async fn settings_update(
        self: &Arc<Self>,
        request: SettingsUpdateRequest,
    ) -> Result<SettingsView, ApiError> {
        let settings = checked(request.settings)?;
        let workbench = Arc::clone(self);
        blocking(move || {
            let value = serde_json::to_value(&settings)
                .map_err(|error| ApiError::new(ErrorCode::Internal, error.to_string()))?;
            workbench.store().set_setting(ROW, &value)?;
            *lock(&workbench.settings) = settings.clone();
            workbench.models.forget_endpoints();
            for session in lock(&workbench.sessions).values() {
                let row = lock(&session.row).clone();
                let mut context = lock(&session.context);
                context.set_settings(workbench.session_settings(&row, &settings));
            }
            Ok(workbench.settings_now())
        })
        .await
    }

    /// Tests an endpoint.
    pub async fn provider_check(
        self: &Arc<Self>,
        request: ProviderCheckRequest,
    ) -> Result<ProviderCheckView, ApiError> {
        let given = request
            .key
            .as_deref()
            .map(str::trim)
            .filter(|key| !key.is_empty());
        let key = if let Some(text) = given {
            Some(ApiKey::new(text)?)
        } else {
            let (workbench, id) = (Arc::clone(self), request.provider.id.clone());
            blocking(move || Ok(workbench.secrets.find(&id).0)).await?
        };
        let report = diglot_openai::check(endpoint_config(&request.provider, key)).await?;
        self.learn_of(&request.provider, report.learned).await;
        Ok(ProviderCheckView {
            usable: report.problem.is_none(),
            error: report.problem.as_ref().map(ApiError::from),
            models: report.models,
            protocol: report.protocol.map(|protocol| match protocol {
                Protocol::Tools => ProtocolChoice::Tools,
                Protocol::JsonSchema => ProtocolChoice::JsonSchema,
            }),
        })
    }

    /// Looks for model servers on this machine.
    pub async fn provider_find_local(
        self: &Arc<Self>,
        _request: NoArgs,
    ) -> Result<Vec<LocalServerView>, ApiError> {
        let found = diglot_openai::find_local().await.into_iter();
        let view = |server: diglot_openai::LocalServer| LocalServerView {
            name: server.name,
            base_url: server.base_url,
            models: server.models,
            wants_key: server.wants_key,
        };
        Ok(found.map(view).collect())
    }

    /// Keeps or forgets an endpoint's key.
    pub async fn provider_set_key(
        self: &Arc<Self>,
        request: ProviderSetKeyRequest,
    ) -> Result<SettingsView, ApiError> {
        let workbench = Arc::clone(self);
        blocking(move || {
            match request
                .key
                .as_deref()
                .map(str::trim)
                .filter(|key| !key.is_empty())
            {
                Some(key) => workbench.secrets.keep(&request.provider_id, key)?,
                None => workbench.secrets.forget(&request.provider_id),
            }
            workbench.models.forget_endpoints();
            Ok(workbench.settings_now())
        })
        .await
    }

    /// Lists installed language packs.
    pub async fn pack_list(self: &Arc<Self>, _request: NoArgs) -> Result<Vec<PackView>, ApiError> {
        let workbench = Arc::clone(self);
        blocking(move || Ok(workbench.packs())).await
    }

    /// Installs language packs from a folder, a zip or a wheel.
    pub async fn pack_import(
        self: &Arc<Self>,
        request: PackImportRequest,
    ) -> Result<Vec<PackView>, ApiError> {
        let workbench = Arc::clone(self);
        blocking(move || {
            diglot_offline::import(Path::new(request.path.trim()), workbench.models.packs())?;
            Ok(workbench.packs())
        })
        .await
    }

    fn packs(&self) -> Vec<PackView> {
        diglot_offline::list(self.models.packs())
            .iter()
            .map(pack_view)
            .collect()
    }
}

fn pack_view(pack: &Pack) -> PackView {
    PackView {
        source: pack.languages.source.to_string(),
        target: pack.languages.target.to_string(),
        n_bytes: pack.n_bytes,
    }
}

/// Holds what was set within its bounds, and refuses what no session could work with.
fn checked(settings: Settings) -> Result<Settings, ApiError> {
    let refuse = |text: String| Err(ApiError::new(ErrorCode::BadSettings, text));
    let mut ids = std::collections::HashSet::new();
    for provider in &settings.providers {
        if provider.id.trim().is_empty() || provider.id == OFFLINE || !ids.insert(&provider.id) {
            return refuse(format!(
                "the provider id `{}` is empty or taken",
                provider.id
            ));
        }
        OpenAiModel::new(endpoint_config(provider, None))?;
    }
    for role in [&settings.translator, &settings.memory] {
        if role != OFFLINE && !ids.contains(role) {
            return refuse(format!("the provider {role} is not set up"));
        }
    }
    Ok(Settings {
        look_ahead: settings.look_ahead.clamp(1, 8),
        chunk_units: settings.chunk_units.clamp(4, 40),
        soft_limit: settings.soft_limit.clamp(80, 2_000),
        content_size: settings.content_size.clamp(12, 24),
        ..settings
    })
}
