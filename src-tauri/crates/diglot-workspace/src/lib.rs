//! The disk: the project folder, read-only, and the target folder beside it. Each is held by one directory handle
//! that nothing leaves. Must not know formats beyond a file's name, sessions, the database or the agent's tools.
//!
//! Invariants: a source is never opened for writing; no link is followed; what is not listed cannot be read;
//! a target is either its old or its new content, and one that somebody else wrote stays.

mod file;
mod names;
mod scope;
mod target;
mod tree;
mod walk;
mod watch;

#[cfg(test)]
mod fixture;
#[cfg(test)]
#[cfg(unix)]
mod promises;

pub use target::{TargetError, TargetFolder, Written, clashes, free_target_path, target_path};
pub use tree::{FolderWorkspace, OpenError};
pub use walk::Walk;
pub use watch::{Watch, WatchError};
