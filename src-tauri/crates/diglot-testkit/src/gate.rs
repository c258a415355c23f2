//! A gate that holds a thread until a test opens it.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use crate::PATIENCE;

/// Holds threads until it is opened; stays open then. Clones are the same gate.
#[derive(Debug, Clone, Default)]
pub struct Gate(Arc<(Mutex<bool>, Condvar)>);

impl Gate {
    /// Makes a closed gate.
    pub fn new() -> Self {
        Self::default()
    }

    /// Lets everybody through, from now on.
    pub fn open(&self) {
        let (is_open, changed) = &*self.0;
        *lock(is_open) = true;
        changed.notify_all();
    }

    /// Waits until it is open; false when that took too long.
    pub fn wait(&self) -> bool {
        let (is_open, changed) = &*self.0;
        *changed
            .wait_timeout_while(lock(is_open), PATIENCE, |is_open| !*is_open)
            .unwrap_or_else(PoisonError::into_inner)
            .0
    }
}

/// Locks, also after a panic elsewhere: that test has failed already.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
