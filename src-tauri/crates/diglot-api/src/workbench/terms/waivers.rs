//! Findings on terms that a person does not want to see again for a source, whatever its target is.

use super::super::checks::key;
use super::{Session, Workbench, lock};
use crate::error::ApiError;

/// Names a finding on a source whatever its target; kept beside those on one target.
pub(in crate::workbench) fn waiver_key(source: &str, fingerprint: &str) -> String {
    key(source, "", fingerprint)
}

impl Workbench {
    /// Remembers a waiver, or forgets it.
    pub(in crate::workbench) fn waive(
        &self,
        session: &Session,
        source: &str,
        fingerprint: &str,
        is_waived: bool,
    ) -> Result<(), ApiError> {
        let key = waiver_key(source, fingerprint);
        if lock(&session.terms.aside).contains(&key) == is_waived {
            return Ok(());
        }
        if is_waived {
            self.store().dismiss(session.id, &key)?;
            lock(&session.terms.aside).insert(key.clone());
            lock(&session.dismissed).0.insert(key);
        } else {
            self.store().take_up(session.id, &key)?;
            lock(&session.terms.aside).remove(&key);
            lock(&session.dismissed).0.remove(&key);
        }
        Ok(())
    }
}
