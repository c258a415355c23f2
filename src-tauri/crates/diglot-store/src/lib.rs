//! Sessions, memory and translation memory in one SQLite file. Owns the schema and every statement. Must not
//! know a folder, a model, a clock or a screen; times and ids of entries come in as arguments.
//!
//! Invariants: the log is only appended to, and goes only with its session; a method that returned has its
//! changes on disk (WAL, `synchronous=FULL`, one sync a commit); one process has the file, one connection writes.

mod connection;
mod dismissals;
mod error;
mod log;
mod memory;
mod migrate;
mod open;
mod rows;
mod sessions;
mod settings;
mod tm;
mod units;

#[cfg(test)]
mod fixture;

pub use connection::Store;
pub use error::StoreError;
pub use open::Opened;
pub use sessions::{Attempt, NewSession, Page, SessionRow};
pub use tm::StoreMatches;
