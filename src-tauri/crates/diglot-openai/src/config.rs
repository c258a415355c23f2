//! What a person sets about an endpoint, and the checked form of it that requests are made from. Never
//! reads the environment: a key meant for one provider must not go to another host.

use std::fmt;
use std::net::IpAddr;
use std::time::Duration;

use async_openai::config::Config;
use reqwest::Url;
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};
use secrecy::SecretString;

use crate::key::ApiKey;
use crate::learned::Learned;
use crate::profile::Profile;
use crate::wire::Protocol;

/// Holds the settings of one model at one endpoint.
#[derive(Clone)]
pub struct OpenAiConfig {
    /// Address up to, and without, `/chat/completions`.
    pub base_url: String,
    /// The key, where the endpoint wants one.
    pub key: Option<ApiKey>,
    /// The model's name there.
    pub model: String,
    /// What is known about the provider.
    pub profile: Profile,
    /// How tools are called.
    pub protocol: Protocol,
    /// Sent only when set.
    pub temperature: Option<f32>,
    /// Most tokens of one answer, sent only when set.
    pub max_output_tokens: Option<u32>,
    /// Further headers, name and value.
    pub extra_headers: Vec<(String, String)>,
    /// Permits plain `http://` to another machine: texts and key then travel readable.
    pub allow_http: bool,
    /// What earlier requests taught about this endpoint and model.
    pub learned: Learned,
    /// How long to wait for what.
    pub timeouts: Timeouts,
}

impl OpenAiConfig {
    /// Starts from an address and a model: no key, the profile by the address, native tools.
    pub fn new(base_url: impl Into<String>, model: impl Into<String>) -> Self {
        let base_url = base_url.into();
        Self {
            profile: Profile::for_address(&base_url),
            timeouts: Timeouts::for_address(&base_url),
            base_url,
            key: None,
            model: model.into(),
            protocol: Protocol::Tools,
            temperature: None,
            max_output_tokens: None,
            extra_headers: Vec::new(),
            allow_http: false,
            learned: Learned::default(),
        }
    }
}

impl fmt::Debug for OpenAiConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Header values may be keys too, so only their names are shown.
        let headers: Vec<&str> = self
            .extra_headers
            .iter()
            .map(|(name, _)| name.as_str())
            .collect();
        f.debug_struct("OpenAiConfig")
            .field("base_url", &self.base_url)
            .field("key", &self.key)
            .field("model", &self.model)
            .field("profile", &self.profile)
            .field("protocol", &self.protocol)
            .field("temperature", &self.temperature)
            .field("max_output_tokens", &self.max_output_tokens)
            .field("extra_headers", &headers)
            .field("allow_http", &self.allow_http)
            .field("learned", &self.learned)
            .field("timeouts", &self.timeouts)
            .finish()
    }
}

/// Bounds the waiting within one attempt (SPEC 10.9).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    /// Until the connection stands, its name looked up and its encryption agreed.
    pub connect: Duration,
    /// Until the first byte of the answer's body.
    pub first_byte: Option<Duration>,
    /// Between two pieces of the body.
    pub idle: Duration,
    /// Until the last byte: what trickles may not do so for ever.
    pub whole: Option<Duration>,
}

impl Timeouts {
    /// Returns the limits for an address. A model on a slow machine of one's own may think as long as it likes.
    pub fn for_address(address: &str) -> Self {
        let is_local = Url::parse(address.trim()).is_ok_and(|url| is_loopback(&url));
        let unless_local = |seconds| (!is_local).then(|| Duration::from_secs(seconds));
        Self {
            connect: Duration::from_secs(10),
            first_byte: unless_local(300),
            idle: Duration::from_secs(120),
            whole: unless_local(1_800),
        }
    }
}

/// Reports settings that no request can be made from.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The address cannot be read.
    #[error("`{address}` is not an address that starts with https://")]
    Address {
        /// What was given.
        address: String,
    },
    /// Plain HTTP to another machine.
    #[error("plain http:// to `{host}` is not permitted, it would send texts and key readable")]
    PlainHttp {
        /// The other machine.
        host: String,
    },
    /// The address holds a user name or password.
    #[error("the address of `{host}` holds a user name or password")]
    Credentials {
        /// The host.
        host: String,
    },
    /// The key is empty.
    #[error("the key is empty")]
    EmptyKey,
    /// The key holds a character that a header cannot carry.
    #[error("the key holds a character that is not plain ASCII")]
    KeyCharacters,
    /// No model is named.
    #[error("no model is named")]
    NoModel,
    /// A further header cannot be sent.
    #[error("the header `{name}` cannot be sent")]
    Header {
        /// Its name.
        name: String,
    },
    /// The HTTP client cannot be built.
    #[error("the HTTP client cannot be built")]
    Client(#[source] reqwest::Error),
}

/// Holds a checked address with all that goes into each request's head.
#[derive(Debug, Clone)]
pub(crate) struct Endpoint {
    base: String,
    query: Vec<(String, String)>,
    headers: HeaderMap,
    secret: SecretString,
    host: String,
    loopback: bool,
}

impl Endpoint {
    pub(crate) fn new(config: &OpenAiConfig) -> Result<Self, ConfigError> {
        let url = read_address(&config.base_url)?;
        let host = authority(&url);
        let loopback = is_loopback(&url);
        if url.scheme() == "http" && !loopback && !config.allow_http {
            return Err(ConfigError::PlainHttp { host });
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(ConfigError::Credentials { host });
        }
        let query = url
            .query_pairs()
            .map(|(name, value)| (name.into(), value.into()))
            .collect();
        let mut bare = url.clone();
        bare.set_query(None);
        bare.set_fragment(None);
        let base = bare.as_str().trim_end_matches('/');
        let base = base
            .strip_suffix("/chat/completions")
            .unwrap_or(base)
            .to_owned();
        let headers = head(config)?;
        let secret = config
            .key
            .as_ref()
            .map_or_else(|| SecretString::from(""), ApiKey::secret);
        Ok(Self {
            base,
            query,
            headers,
            secret,
            host,
            loopback,
        })
    }

    /// Returns host and port as the address gives them.
    pub(crate) fn host(&self) -> &str {
        &self.host
    }

    /// Tells whether the server is on this machine.
    pub(crate) fn is_loopback(&self) -> bool {
        self.loopback
    }
}

impl Config for Endpoint {
    fn headers(&self) -> HeaderMap {
        self.headers.clone()
    }

    fn url(&self, path: &str) -> String {
        format!("{}{path}", self.base)
    }

    fn query(&self) -> Vec<(&str, &str)> {
        self.query
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect()
    }

    fn api_base(&self) -> &str {
        &self.base
    }

    fn api_key(&self) -> &SecretString {
        &self.secret
    }
}

fn read_address(text: &str) -> Result<Url, ConfigError> {
    let text = text.trim();
    let refused = || ConfigError::Address {
        address: text.chars().take(200).collect(),
    };
    let url = Url::parse(text).map_err(|_| refused())?;
    let known = matches!(url.scheme(), "http" | "https");
    if known && url.host_str().is_some_and(|host| !host.is_empty()) {
        Ok(url)
    } else {
        Err(refused())
    }
}

fn authority(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    url.port()
        .map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
}

pub(crate) fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let address = host
        .trim_start_matches('[')
        .trim_end_matches(']')
        .parse::<IpAddr>();
    host == "localhost"
        || host.ends_with(".localhost")
        || address.is_ok_and(|address| address.is_loopback())
}

fn head(config: &OpenAiConfig) -> Result<HeaderMap, ConfigError> {
    let mut headers = HeaderMap::new();
    if let Some(value) = config.key.as_ref().and_then(ApiKey::authorization) {
        headers.insert(AUTHORIZATION, value);
    }
    for (name, value) in &config.extra_headers {
        let refused = || ConfigError::Header { name: name.clone() };
        let header: HeaderName = name.trim().parse().map_err(|_| refused())?;
        let mut value = HeaderValue::from_str(value.trim()).map_err(|_| refused())?;
        value.set_sensitive(true);
        headers.insert(header, value);
    }
    Ok(headers)
}

#[cfg(test)]
mod tests;
