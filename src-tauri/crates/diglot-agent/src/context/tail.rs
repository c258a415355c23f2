//! The latest entries of a log. Those before are in the store and are read from there when somebody asks: a step needs
//! none of them. Owns which are held.

use std::sync::Arc;

use crate::entry::{Entry, Seq};

/// Holds the end of a log.
#[derive(Debug, Clone, Default)]
pub(super) struct Tail {
    /// Entries that are held no longer.
    n_before: usize,
    entries: Vec<Arc<Entry>>,
}

impl Tail {
    /// Counts the entries of the whole log.
    pub(super) fn len(&self) -> usize {
        self.n_before + self.entries.len()
    }

    /// Returns the sequence number of the last entry that is held no longer.
    pub(super) fn held_since(&self) -> Seq {
        Seq(self.n_before as u64)
    }

    pub(super) fn push(&mut self, entry: Arc<Entry>) {
        self.entries.push(entry);
    }

    /// Returns the entries from a place of the log on, as far as they are held.
    pub(super) fn since(&self, place: usize) -> &[Arc<Entry>] {
        let first = place.saturating_sub(self.n_before);
        self.entries.get(first..).unwrap_or_default()
    }

    /// Does the same for changing them.
    pub(super) fn since_mut(&mut self, place: usize) -> &mut [Arc<Entry>] {
        let first = place.saturating_sub(self.n_before);
        self.entries.get_mut(first..).unwrap_or_default()
    }

    /// Lets go of the entries before a place of the log, and returns them.
    pub(super) fn let_go(&mut self, place: usize) -> Vec<Arc<Entry>> {
        let n = place.saturating_sub(self.n_before).min(self.entries.len());
        self.n_before += n;
        self.entries.drain(..n).collect()
    }
}
