//! Sessions, memory and translation memory in one SQLite file. Owns the schema and every statement. Must not
//! know a folder, a model, a clock or a screen; times and ids of entries come in as arguments.
//!
//! Invariants: the log is only appended to, and goes only with its session; a method that returned has its
//! changes on disk (WAL, `synchronous=FULL`, one sync a commit); one process has the file, one connection writes.

mod backups;
mod connection;
mod dismissals;
mod error;
mod files;
mod guides;
mod log;
mod memory;
mod migrate;
mod open;
mod recover;
mod rows;
mod screens;
mod sessions;
mod settings;
mod terms;
mod tm;
mod trust;
mod units;
mod wal;

#[cfg(test)]
mod fixture;
#[cfg(test)]
mod promises;

pub use connection::Store;
pub use error::StoreError;
pub use guides::GuideRow;
pub use log::Log;
pub use open::Opened;
pub use recover::Recovery;
pub use sessions::{Attempt, NewSession, Page, SessionRow};
pub use terms::{StoreTerms, TermPage, TermRow, TermsAdded};
pub use tm::StoreMatches;
pub use units::Progress;
