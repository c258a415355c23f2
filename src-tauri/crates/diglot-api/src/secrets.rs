//! Keys of providers: the system's keychain, else the environment, else this session. Never in the
//! database, a log, an error or an export (SPEC 10.13).

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use diglot_openai::ApiKey;

use crate::error::{ApiError, ErrorCode};
use crate::view::settings::KeyState;

/// Name under which keys stand in the keychain.
const SERVICE: &str = "org.diglot.app";
/// Environment variable that is asked when the keychain has no key.
const VARIABLE: &str = "DIGLOT_API_KEY";

/// Finds and keeps keys by the id of their provider.
#[derive(Debug, Default)]
pub(crate) struct Secrets {
    /// Keys that the keychain could not take.
    session: Mutex<HashMap<String, ApiKey>>,
}

impl Secrets {
    /// Tells whether the system offers a place for keys.
    pub(crate) fn has_keychain() -> bool {
        keyring::Entry::store_status().is_ok()
    }

    /// Returns a provider's key, if it has one, and where it is.
    pub(crate) fn find(&self, provider: &str) -> (Option<ApiKey>, KeyState) {
        let session = self.session.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(key) = session.get(provider) {
            return (Some(key.clone()), KeyState::Session);
        }
        drop(session);
        let stored = keyring::Entry::new(SERVICE, provider).and_then(|entry| entry.get_password());
        if let Some(key) = stored.ok().and_then(|text| ApiKey::new(&text).ok()) {
            return (Some(key), KeyState::Keychain);
        }
        match std::env::var(VARIABLE)
            .ok()
            .and_then(|text| ApiKey::new(&text).ok())
        {
            Some(key) => (Some(key), KeyState::Environment),
            None => (None, KeyState::None),
        }
    }

    /// Keeps a key, in the keychain where there is one.
    ///
    /// # Errors
    /// `BadSettings` when the text cannot be a key.
    pub(crate) fn keep(&self, provider: &str, text: &str) -> Result<(), ApiError> {
        let key = ApiKey::new(text)
            .map_err(|error| ApiError::new(ErrorCode::BadSettings, error.to_string()))?;
        let stored = keyring::Entry::new(SERVICE, provider)
            .and_then(|entry| entry.set_password(key.expose()));
        let mut session = self.session.lock().unwrap_or_else(PoisonError::into_inner);
        match stored {
            Ok(()) => session.remove(provider),
            Err(_) => session.insert(provider.to_owned(), key),
        };
        Ok(())
    }

    /// Forgets a key in the keychain and in this session.
    pub(crate) fn forget(&self, provider: &str) {
        self.session
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .remove(provider);
        let gone =
            keyring::Entry::new(SERVICE, provider).and_then(|entry| entry.delete_credential());
        if let Err(error) = gone {
            // The usual reason is that there was none.
            tracing::debug!(%error, "no key was taken from the keychain");
        }
    }
}
