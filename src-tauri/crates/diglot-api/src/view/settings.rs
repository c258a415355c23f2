//! Settings, providers and language packs, as the screen shows and sends them.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::error::ApiError;

/// Shows all settings.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct SettingsView {
    /// Version of the program.
    pub version: String,
    /// The settings proper.
    pub settings: Settings,
    /// Where the key of each provider is, in the order of `settings.providers`.
    pub keys: Vec<KeyState>,
    /// Request fields that each provider refused and is not sent any more, in the order of `settings.providers`.
    pub omitted: Vec<Vec<String>>,
    /// Whether the system offers a place for keys.
    pub keychain: bool,
    /// Language packs that are installed.
    pub packs: Vec<PackView>,
    /// Absolute path of the folder that holds the database.
    pub data_folder: String,
}

/// Holds what the person can set; stored as a whole.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", default)]
#[ts(export)]
pub struct Settings {
    /// Endpoints that the person has set up; `offline` is always there and not among them.
    pub providers: Vec<ProviderSettings>,
    /// Id of the provider that drafts; `offline` by default.
    pub translator: String,
    /// Id of the provider that learns from decisions; `offline` learns terms from the change alone.
    pub memory: String,
    /// Units that a turn proposes, 1 to 8.
    pub look_ahead: usize,
    /// Units of a chunk, 4 to 40.
    pub chunk_units: usize,
    /// Longest unit before it is divided, in characters, 80 to 2,000.
    pub soft_limit: usize,
    /// Tokens that a session may spend; `None` is without bound.
    #[ts(type = "number | null")]
    pub token_cap: Option<u64>,
    /// Light, dark or as the system.
    pub theme: Theme,
    /// Language of the window: `en`, `zh`, or `None` for the system's.
    pub ui_language: Option<String>,
    /// Size of the text under translation, in CSS pixels, 12 to 24.
    pub content_size: u8,
    /// The target language chosen last.
    pub last_target_language: Option<String>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            providers: Vec::new(),
            translator: "offline".to_owned(),
            memory: "offline".to_owned(),
            look_ahead: 4,
            chunk_units: 32,
            soft_limit: 300,
            token_cap: None,
            theme: Theme::System,
            ui_language: None,
            content_size: 15,
            last_target_language: None,
        }
    }
}

/// Names a theme.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub enum Theme {
    /// As the system.
    System,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

/// Describes one OpenAI-compatible endpoint.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct ProviderSettings {
    /// Names it in roles and commands.
    pub id: String,
    /// The person's name for it.
    pub name: String,
    /// Base URL, for instance `https://api.example.com/v1`.
    pub base_url: String,
    /// The model's name there.
    pub model: String,
    /// How tools are called.
    #[serde(default)]
    pub protocol: ProtocolChoice,
    /// Temperature; `None` leaves it to the provider.
    #[serde(default)]
    pub temperature: Option<f32>,
    /// Longest answer in tokens; `None` leaves it to the provider.
    #[serde(default)]
    pub max_output_tokens: Option<u32>,
}

/// Names how tools are called.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub enum ProtocolChoice {
    /// The provider's own tool calls.
    #[default]
    Tools,
    /// One JSON action per answer, for small local models.
    JsonSchema,
}

/// Tells where a key is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub enum KeyState {
    /// No key.
    None,
    /// In the system's keychain.
    Keychain,
    /// In the environment variable `DIGLOT_API_KEY`.
    Environment,
    /// In memory until the program ends.
    Session,
}

/// Shows a language pack.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct PackView {
    /// BCP 47 tag.
    pub source: String,
    /// BCP 47 tag.
    pub target: String,
    /// Size in bytes.
    #[ts(type = "number")]
    pub n_bytes: u64,
}

/// Shows what a test of a provider found.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct ProviderCheckView {
    /// Whether a session can work with it.
    pub usable: bool,
    /// What is wrong.
    pub error: Option<ApiError>,
    /// Names of the models there, may be empty.
    pub models: Vec<String>,
    /// How tools are called there, as far as the test could tell.
    pub protocol: Option<ProtocolChoice>,
}

/// Shows a model server found on this machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct LocalServerView {
    /// What it is, for instance `Ollama`.
    pub name: String,
    /// Its base URL.
    pub base_url: String,
    /// Names of its models.
    pub models: Vec<String>,
    /// Whether it tells nothing without a key.
    pub wants_key: bool,
}
