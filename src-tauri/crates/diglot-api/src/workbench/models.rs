//! Which model a session asks: the embedded one, or an endpoint that the person has set up.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use diglot_agent::Model;
use diglot_document::LanguagePair;
use diglot_offline::{Engine, OfflineModel};
use diglot_openai::{ApiKey, Learned, OpenAiConfig, OpenAiModel, Protocol};

use super::learned::LearnedByModel;
use super::sessions::Session;
use super::{Workbench, lock};
use crate::error::{ApiError, ErrorCode};
use crate::view::settings::{ProtocolChoice, ProviderSettings};

/// Id of the embedded model in the settings.
pub(super) const OFFLINE: &str = "offline";

/// Keeps models between steps: an engine has its pack in memory, an endpoint what was learnt about it.
pub(super) struct Models {
    packs: PathBuf,
    engines: Mutex<HashMap<PathBuf, Arc<Engine>>>,
    endpoints: Mutex<HashMap<String, Arc<OpenAiModel>>>,
    pub(super) learned: Mutex<LearnedByModel>,
}

impl Models {
    pub(super) fn new(packs: PathBuf, learned: LearnedByModel) -> Self {
        Self {
            packs,
            engines: Mutex::default(),
            endpoints: Mutex::default(),
            learned: Mutex::new(learned),
        }
    }

    /// Returns the folder of the language packs.
    pub(super) fn packs(&self) -> &Path {
        &self.packs
    }

    /// Forgets endpoints, because their settings or keys changed.
    pub(super) fn forget_endpoints(&self) {
        lock(&self.endpoints).clear();
    }

    /// Returns what is learnt by now, by the id of the provider.
    pub(super) fn learned_now(&self) -> Vec<(String, Learned)> {
        let endpoints = lock(&self.endpoints);
        let learned = endpoints
            .iter()
            .map(|(id, model)| (id.clone(), model.learned()));
        learned.collect()
    }

    /// Returns the engine for a pair, if a pack for it is installed.
    pub(super) fn engine(&self, languages: &LanguagePair) -> Option<Arc<Engine>> {
        let pack = diglot_offline::find(&self.packs, languages)?;
        let mut engines = lock(&self.engines);
        let engine = engines
            .entry(pack.path.clone())
            .or_insert_with(|| Arc::new(Engine::new(pack)));
        Some(Arc::clone(engine))
    }
}

impl Workbench {
    /// Returns the id of the provider that learns, unless decisions are learnt from without a model.
    pub(super) fn memory_model_id(&self) -> Option<String> {
        let id = lock(&self.settings).memory.clone();
        (id != OFFLINE).then_some(id)
    }

    /// Returns the model that drafts for a session, or the one that learns.
    ///
    /// # Errors
    /// `BadSettings` when its provider is not set up as it must be.
    pub(super) fn model_for(
        &self,
        session: &Session,
        is_lesson: bool,
    ) -> Result<Arc<dyn Model>, ApiError> {
        let id = {
            let settings = lock(&self.settings);
            if is_lesson {
                settings.memory.clone()
            } else {
                settings.translator.clone()
            }
        };
        if id == OFFLINE {
            let languages = lock(&session.context).settings().languages.clone();
            let engine = self.models.engine(&languages);
            return Ok(Arc::new(OfflineModel::new(
                engine,
                Arc::clone(&session.matches),
            )));
        }
        Ok(self.endpoint(&id)?)
    }

    fn endpoint(&self, id: &str) -> Result<Arc<OpenAiModel>, ApiError> {
        if let Some(model) = lock(&self.models.endpoints).get(id) {
            return Ok(Arc::clone(model));
        }
        let provider = lock(&self.settings)
            .providers
            .iter()
            .find(|p| p.id == id)
            .cloned();
        let missing = || {
            ApiError::new(
                ErrorCode::BadSettings,
                format!("the provider {id} is not set up"),
            )
        };
        let provider = provider.ok_or_else(missing)?;
        let (key, _) = self.secrets.find(id);
        let model = Arc::new(OpenAiModel::new(self.endpoint_config(&provider, key))?);
        lock(&self.models.endpoints).insert(id.to_owned(), Arc::clone(&model));
        Ok(model)
    }

    /// Returns the person's name for the model that drafts.
    pub(super) fn translator_name(&self) -> String {
        let settings = lock(&self.settings);
        let named = settings
            .providers
            .iter()
            .find(|p| p.id == settings.translator);
        named.map_or_else(
            || OFFLINE.to_owned(),
            |p| format!("{} · {}", p.name, p.model),
        )
    }
}

/// Turns what the person set into what the endpoint's client takes.
pub(super) fn endpoint_config(provider: &ProviderSettings, key: Option<ApiKey>) -> OpenAiConfig {
    OpenAiConfig {
        key,
        protocol: match provider.protocol {
            ProtocolChoice::Tools => Protocol::Tools,
            ProtocolChoice::JsonSchema => Protocol::JsonSchema,
        },
        temperature: provider.temperature,
        max_output_tokens: provider.max_output_tokens,
        ..OpenAiConfig::new(provider.base_url.trim(), provider.model.trim())
    }
}
