//! Test helpers: a model from a list, a fake model server with faults, folders. Used by tests alone; must not
//! know the application above the agent core.
//!
//! Waiting is done on conditions, never by sleeping. Every wait gives up after [`PATIENCE`], so that a
//! fault shows as a failed test and not as one that hangs.

mod cooperate;
mod folder;
mod gate;
mod loopback;
mod model;
mod pairing;
mod promise;
mod reply;
mod script;
mod server;
mod wire;

use std::time::Duration;

pub use cooperate::{Cooperation, marked};
pub use folder::FolderFixture;
pub use gate::Gate;
pub use model::{ScriptedModel, call, calls, words};
pub use pairing::faults;
pub use promise::{DEPTH, Depth, Promise};
pub use reply::{Fault, Reply};
pub use script::{After, Human, Script, ScriptError, Turn};
pub use server::{FakeServer, Recorded};
pub use wire::{Act, FullPort, WireServer};

/// Longest wait of any helper.
pub const PATIENCE: Duration = Duration::from_secs(20);
