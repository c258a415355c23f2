//! The shapes that leave the application: what a screen shows, in its own words and units. They convert
//! one way, outward, from the types of the core.

pub mod action;
pub mod app;
pub mod checks;
pub mod document;
pub mod guide;
pub mod memory;
pub mod project;
pub mod receipt;
pub mod session;
pub mod settings;
pub mod terms;
