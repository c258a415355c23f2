//! The embedded model: it walks the documents and drafts each unit by repeats, the translation memory
//! and a neural language pack. Owns the packs, the engine and how markup passes through it. Must not
//! know a screen, a session store, a network or an async runtime.

mod align;
mod draft;
mod engine;
#[cfg(test)]
mod fake;
mod import;
mod inline;
mod lexer;
mod mask;
mod model;
mod oneshot;
mod pack;
mod render;

pub use engine::{Engine, EngineError};
pub use import::import;
pub use model::OfflineModel;
pub use pack::{Pack, PackError, find, list};
