//! What is known about providers, read from `providers.toml`. A provider that is not listed works with
//! [`Profile::CUSTOM`], the minimal one; what else it wants is learned from its answers.

use std::borrow::Cow;
use std::sync::LazyLock;

use reqwest::Url;
use serde::{Deserialize, Serialize};

/// The list, part of the program.
const LIST: &str = include_str!("providers.toml");

/// The list as it is read, once. A test holds that it can be read.
static PROFILES: LazyLock<Vec<Profile>> = LazyLock::new(|| read(LIST).unwrap_or_default());

/// Names the request field that bounds an answer's tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LimitKey {
    /// The old name, which most servers know.
    #[default]
    MaxTokens,
    /// The new name, which newer models of OpenAI insist on.
    MaxCompletionTokens,
}

impl LimitKey {
    /// Returns the field's name on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::MaxTokens => "max_tokens",
            Self::MaxCompletionTokens => "max_completion_tokens",
        }
    }

    /// Returns the other name.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::MaxTokens => Self::MaxCompletionTokens,
            Self::MaxCompletionTokens => Self::MaxTokens,
        }
    }
}

/// Tells how an answer in a given JSON shape is asked for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Structured {
    /// By words alone.
    #[default]
    Words,
    /// By `response_format: json_object`, and the shape by words.
    Object,
    /// By `response_format: json_schema`.
    Schema,
}

/// Tells which temperatures a provider takes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Temperature {
    /// Any that a person sets.
    #[default]
    Free,
    /// None: every value but its own is refused.
    Fixed,
    /// At most 1.
    ToOne,
}

/// Tells what of its own earlier messages a provider is sent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Replay {
    /// The message as it came.
    #[default]
    Whole,
    /// Role, text and calls.
    Core,
}

/// Describes a provider; the fields are explained at the head of the list.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Profile {
    /// Short name, for settings.
    pub name: Cow<'static, str>,
    /// Its usual address; empty for [`Profile::CUSTOM`].
    pub base_url: Cow<'static, str>,
    /// Further hosts that are the same provider.
    pub other_hosts: Vec<String>,
    /// Tells whether it wants a key.
    pub wants_key: bool,
    /// Which field bounds an answer.
    pub limit_key: LimitKey,
    /// Which temperatures it takes.
    pub temperature: Temperature,
    /// How a JSON answer is asked for.
    pub structured: Structured,
    /// What of its own messages it is sent.
    pub replay: Replay,
    /// Wants `reasoning_content` in every assistant message with calls, also in those of other models.
    pub wants_reasoning: bool,
    /// Cuts a prompt that is too long without a word.
    pub cuts_silently: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    provider: Vec<Profile>,
}

fn read(text: &str) -> Result<Vec<Profile>, toml::de::Error> {
    Ok(toml::from_str::<List>(text)?.provider)
}

impl Profile {
    /// Assumes nothing: for any endpoint that is not listed.
    pub const CUSTOM: Self = Self {
        name: Cow::Borrowed("custom"),
        base_url: Cow::Borrowed(""),
        other_hosts: Vec::new(),
        wants_key: false,
        limit_key: LimitKey::MaxTokens,
        temperature: Temperature::Free,
        structured: Structured::Words,
        replay: Replay::Whole,
        wants_reasoning: false,
        cuts_silently: false,
    };

    /// Lists the known providers, in the order of the list.
    pub fn all() -> &'static [Self] {
        &PROFILES
    }

    /// Finds a provider by its short name; any other name is [`Profile::CUSTOM`].
    pub fn by_name(name: &str) -> Self {
        let found = PROFILES.iter().find(|profile| profile.name == name);
        found.cloned().unwrap_or(Self::CUSTOM)
    }

    /// Finds the provider that serves an address: by host, on this machine by port.
    pub fn for_address(address: &str) -> Self {
        let Ok(url) = Url::parse(address.trim()) else {
            return Self::CUSTOM;
        };
        let found = PROFILES.iter().find(|profile| profile.serves(&url));
        found.cloned().unwrap_or(Self::CUSTOM)
    }

    /// Returns the temperature to send for one that a person set.
    pub(crate) fn temperature(&self, set: f32) -> Option<f32> {
        match self.temperature {
            Temperature::Free => Some(set),
            Temperature::Fixed => None,
            Temperature::ToOne => Some(set.min(1.0)),
        }
    }

    fn serves(&self, url: &Url) -> bool {
        let Ok(own) = Url::parse(&self.base_url) else {
            return false;
        };
        if crate::config::is_loopback(&own) {
            return crate::config::is_loopback(url) && own.port() == url.port();
        }
        let host = url.host_str().unwrap_or_default();
        own.host_str() == Some(host) || self.other_hosts.iter().any(|other| other == host)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn providers_are_found_by_address() {
        for (address, name) in [
            ("https://api.openai.com/v1", "openai"),
            ("https://api.deepseek.com/v1/", "deepseek"),
            ("https://api.moonshot.cn/v1", "moonshot"),
            ("https://dashscope.aliyuncs.com/compatible-mode/v1", "qwen"),
            ("https://api.z.ai/api/paas/v4", "zhipu"),
            ("http://localhost:11434/v1", "ollama"),
            ("http://[::1]:1337/v1", "jan"),
            ("http://127.0.0.1:11435/v1", "custom"),
            ("https://api.openai.com.evil.example/v1", "custom"),
            ("nonsense", "custom"),
        ] {
            assert_eq!(Profile::for_address(address).name, name, "{address}");
        }
    }

    #[test]
    fn the_list_can_be_read_and_every_profile_is_found_by_its_own_name_and_address() {
        let profiles = read(LIST).unwrap();
        assert_eq!(profiles, Profile::all());
        assert_eq!(profiles.len(), 16);
        for profile in profiles {
            assert_eq!(Profile::by_name(&profile.name), profile);
            assert_eq!(Profile::for_address(&profile.base_url), profile);
            let url = Url::parse(&profile.base_url).unwrap();
            let is_local = crate::config::is_loopback(&url);
            assert_eq!(profile.wants_key, !is_local, "{}", profile.name);
            assert_eq!(url.scheme() == "https", !is_local, "{}", profile.name);
        }
        let wrong = LIST.replace("replay = \"core\"", "replays = \"core\"");
        assert!(read(&wrong).is_err());
    }

    #[test]
    fn the_list_knows_what_breaks_a_tool_loop() {
        let named = |is: fn(&Profile) -> bool| -> Vec<&str> {
            let found = Profile::all().iter().filter(|profile| is(profile));
            found.map(|profile| profile.name.as_ref()).collect()
        };
        assert_eq!(
            named(|profile| profile.wants_reasoning),
            ["deepseek", "moonshot"]
        );
        assert_eq!(
            named(|profile| profile.replay == Replay::Core),
            ["mistral", "groq"]
        );
        assert_eq!(
            named(|profile| profile.limit_key == LimitKey::MaxCompletionTokens),
            ["openai"]
        );
        assert_eq!(
            named(|profile| profile.structured == Structured::Object),
            ["zhipu"]
        );
        assert_eq!(named(|profile| profile.cuts_silently), ["ollama"]);
    }

    #[test]
    fn a_temperature_is_kept_cut_or_left_out() {
        let sent = |name: &str, set| Profile::by_name(name).temperature(set);
        assert_eq!(sent("custom", 1.5), Some(1.5));
        assert_eq!(sent("anthropic", 1.5), Some(1.0));
        assert_eq!(sent("anthropic", 0.3), Some(0.3));
        assert_eq!(sent("moonshot", 0.3), None);
    }
}
