//! What endpoints taught about the fields that they do not take, kept by address and model, so that a start of the
//! program does not cost another refusal. Must not know when a request is made.

use std::collections::BTreeMap;
use std::sync::Arc;

use diglot_openai::{ApiKey, Learned, OpenAiConfig};
use diglot_store::Store;

use super::models::endpoint_config;
use super::{Workbench, blocking, lock};
use crate::view::settings::ProviderSettings;

/// Name of the row that holds what was learnt.
const ROW: &str = "learned";

/// Maps an address and a model to what they do not take.
pub(super) type LearnedByModel = BTreeMap<String, Learned>;

/// Reads what was kept; what cannot be read is learnt again.
pub(super) fn load(store: &Store) -> LearnedByModel {
    let stored = store.setting(ROW).ok().flatten();
    stored
        .and_then(|value| serde_json::from_value(value).ok())
        .unwrap_or_default()
}

fn key(provider: &ProviderSettings) -> String {
    format!("{} {}", provider.base_url.trim(), provider.model.trim())
}

impl Workbench {
    /// Turns what the person set, and what was learnt, into what the endpoint's client takes.
    pub(super) fn endpoint_config(
        &self,
        provider: &ProviderSettings,
        api_key: Option<ApiKey>,
    ) -> OpenAiConfig {
        let learned = lock(&self.models.learned).get(&key(provider)).cloned();
        OpenAiConfig {
            learned: learned.unwrap_or_default(),
            ..endpoint_config(provider, api_key)
        }
    }

    /// Names the fields that a provider is not sent any more.
    pub(super) fn omitted(&self, provider: &ProviderSettings) -> Vec<String> {
        let learned = lock(&self.models.learned);
        let names = learned.get(&key(provider)).map(Learned::omitted);
        names
            .unwrap_or_default()
            .into_iter()
            .map(str::to_owned)
            .collect()
    }

    /// Takes over what a test of an endpoint found, also that an earlier refusal is past.
    pub(super) async fn learn_of(self: &Arc<Self>, provider: &ProviderSettings, learned: Learned) {
        lock(&self.models.learned).insert(key(provider), learned);
        self.models.forget_endpoints();
        self.write_learned().await;
    }

    /// Keeps what the endpoints in use learnt since.
    pub(super) async fn keep_learned(self: &Arc<Self>) {
        let providers = lock(&self.settings).providers.clone();
        let mut is_new = false;
        for (id, now) in self.models.learned_now() {
            let Some(provider) = providers.iter().find(|provider| provider.id == id) else {
                continue;
            };
            let mut learned = lock(&self.models.learned);
            let before = learned.entry(key(provider)).or_default();
            is_new |= *before != now;
            *before = now;
        }
        if is_new {
            self.write_learned().await;
        }
    }

    /// Writes it, for the providers that are set up; losing it costs a refusal, so a failure is only noted.
    async fn write_learned(self: &Arc<Self>) {
        let workbench = Arc::clone(self);
        let written = blocking(move || {
            let known: Vec<String> = {
                let settings = lock(&workbench.settings);
                settings.providers.iter().map(key).collect()
            };
            let mut kept = lock(&workbench.models.learned).clone();
            kept.retain(|key, learned| known.contains(key) && *learned != Learned::default());
            let value = serde_json::to_value(kept).unwrap_or_default();
            Ok(workbench.store().set_setting(ROW, &value)?)
        });
        if let Err(error) = written.await {
            tracing::warn!(%error, "what an endpoint taught was not kept");
        }
    }
}
