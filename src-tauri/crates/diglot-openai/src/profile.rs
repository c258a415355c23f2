//! What is known about providers, as data. A provider that is not listed works with [`Profile::CUSTOM`],
//! the minimal one; what else it wants is learned from its answers.

use reqwest::Url;
use serde::{Deserialize, Serialize};

/// Names the request field that bounds an answer's tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LimitKey {
    /// The old name, which most servers know.
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
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Structured {
    /// By `response_format: json_schema`.
    Schema,
    /// By words alone.
    Words,
}

/// Describes a provider. Facts of 2025 and 2026 from the providers' pages and issue trackers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Profile {
    /// Short name, for settings.
    pub name: &'static str,
    /// Its usual address; empty for [`Profile::CUSTOM`].
    pub base_url: &'static str,
    /// Further hosts that are the same provider.
    pub other_hosts: &'static [&'static str],
    /// Tells whether it wants a key.
    pub wants_key: bool,
    /// Which field bounds an answer.
    pub limit_key: LimitKey,
    /// How a JSON answer is asked for.
    pub structured: Structured,
    /// Wants `reasoning_content` in every assistant message with calls, also in those of other models.
    pub wants_reasoning: bool,
}

const HOSTED: Profile = Profile {
    name: "custom",
    base_url: "",
    other_hosts: &[],
    wants_key: true,
    limit_key: LimitKey::MaxTokens,
    structured: Structured::Words,
    wants_reasoning: false,
};

const LOCAL: Profile = Profile {
    wants_key: false,
    structured: Structured::Schema,
    ..HOSTED
};

const PROFILES: &[Profile] = &[
    Profile {
        name: "openai",
        base_url: "https://api.openai.com/v1",
        limit_key: LimitKey::MaxCompletionTokens,
        structured: Structured::Schema,
        ..HOSTED
    },
    Profile {
        name: "openrouter",
        base_url: "https://openrouter.ai/api/v1",
        ..HOSTED
    },
    Profile {
        name: "deepseek",
        base_url: "https://api.deepseek.com",
        wants_reasoning: true,
        ..HOSTED
    },
    Profile {
        name: "qwen",
        base_url: "https://dashscope-intl.aliyuncs.com/compatible-mode/v1",
        other_hosts: &["dashscope.aliyuncs.com"],
        ..HOSTED
    },
    Profile {
        name: "moonshot",
        base_url: "https://api.moonshot.ai/v1",
        other_hosts: &["api.moonshot.cn"],
        wants_reasoning: true,
        ..HOSTED
    },
    Profile {
        name: "zhipu",
        base_url: "https://open.bigmodel.cn/api/paas/v4",
        other_hosts: &["api.z.ai"],
        ..HOSTED
    },
    Profile {
        name: "gemini",
        base_url: "https://generativelanguage.googleapis.com/v1beta/openai",
        structured: Structured::Schema,
        ..HOSTED
    },
    Profile {
        name: "anthropic",
        base_url: "https://api.anthropic.com/v1",
        ..HOSTED
    },
    Profile {
        name: "mistral",
        base_url: "https://api.mistral.ai/v1",
        structured: Structured::Schema,
        ..HOSTED
    },
    Profile {
        name: "groq",
        base_url: "https://api.groq.com/openai/v1",
        ..HOSTED
    },
    Profile {
        name: "ollama",
        base_url: "http://127.0.0.1:11434/v1",
        ..LOCAL
    },
    Profile {
        name: "lm-studio",
        base_url: "http://127.0.0.1:1234/v1",
        ..LOCAL
    },
    Profile {
        name: "llama.cpp",
        base_url: "http://127.0.0.1:8080/v1",
        ..LOCAL
    },
    Profile {
        name: "vllm",
        base_url: "http://127.0.0.1:8000/v1",
        ..LOCAL
    },
];

impl Profile {
    /// Assumes nothing: for any endpoint that is not listed.
    pub const CUSTOM: Self = Self {
        wants_key: false,
        ..HOSTED
    };

    /// Lists the known providers, for the settings page.
    pub fn all() -> &'static [Self] {
        PROFILES
    }

    /// Finds a provider by its short name; any other name is [`Profile::CUSTOM`].
    pub fn by_name(name: &str) -> Self {
        PROFILES
            .iter()
            .copied()
            .find(|profile| profile.name == name)
            .unwrap_or(Self::CUSTOM)
    }

    /// Finds the provider that serves an address: by host, on this machine by port.
    pub fn for_address(address: &str) -> Self {
        let Ok(url) = Url::parse(address.trim()) else {
            return Self::CUSTOM;
        };
        PROFILES
            .iter()
            .copied()
            .find(|profile| profile.serves(&url))
            .unwrap_or(Self::CUSTOM)
    }

    fn serves(&self, url: &Url) -> bool {
        let Ok(own) = Url::parse(self.base_url) else {
            return false;
        };
        if crate::config::is_loopback(&own) {
            return crate::config::is_loopback(url) && own.port() == url.port();
        }
        let host = url.host_str().unwrap_or_default();
        own.host_str() == Some(host) || self.other_hosts.contains(&host)
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
            ("http://localhost:11434/v1", "ollama"),
            ("http://127.0.0.1:11435/v1", "custom"),
            ("https://api.openai.com.evil.example/v1", "custom"),
            ("nonsense", "custom"),
        ] {
            assert_eq!(Profile::for_address(address).name, name, "{address}");
        }
    }

    #[test]
    fn every_profile_is_found_by_its_own_name_and_address() {
        for profile in Profile::all() {
            assert_eq!(Profile::by_name(profile.name), *profile);
            assert_eq!(Profile::for_address(profile.base_url), *profile);
        }
    }
}
