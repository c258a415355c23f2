//! The API key as a value: fit for a header, wiped on drop, never printed. Must not know where it came from.

use std::fmt;

use reqwest::header::HeaderValue;
use secrecy::{ExposeSecret, SecretString};

use crate::config::ConfigError;

/// Keeps an API key. Its `Debug` form shows nothing of it.
#[derive(Clone)]
pub struct ApiKey(SecretString);

impl ApiKey {
    /// Takes a key as people paste it: blanks around it and a leading `Bearer ` are dropped.
    ///
    /// # Errors
    /// When nothing is left, or it holds a character that no header can carry.
    pub fn new(text: &str) -> Result<Self, ConfigError> {
        let text = text.trim();
        let text = text.strip_prefix("Bearer ").unwrap_or(text).trim();
        if text.is_empty() {
            return Err(ConfigError::EmptyKey);
        }
        if !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(ConfigError::KeyCharacters);
        }
        Ok(Self(SecretString::from(text)))
    }

    /// Returns the key itself, for keeping it elsewhere.
    pub fn expose(&self) -> &str {
        self.0.expose_secret()
    }

    pub(crate) fn secret(&self) -> SecretString {
        self.0.clone()
    }

    /// Returns the value of the `Authorization` header, marked so that it is not printed either.
    pub(crate) fn authorization(&self) -> Option<HeaderValue> {
        let mut value = HeaderValue::from_str(&format!("Bearer {}", self.expose())).ok()?;
        value.set_sensitive(true);
        Some(value)
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ApiKey(..)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_trimmed_and_judged() {
        for (text, expected) in [
            (" sk-1\n", Some("sk-1")),
            ("Bearer sk-1", Some("sk-1")),
            ("", None),
            (" \n", None),
            ("sk-1\nsk-2", None),
            ("schlüssel", None),
        ] {
            let key = ApiKey::new(text).ok();
            assert_eq!(key.as_ref().map(ApiKey::expose), expected, "{text:?}");
        }
    }

    #[test]
    fn a_key_is_never_printed() {
        let key = ApiKey::new("sk-secret").unwrap();
        assert!(!format!("{key:?} {:?}", key.authorization()).contains("secret"));
    }
}
