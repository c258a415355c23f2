//! Tests of the whole: what the window answers, that generated files are fresh, and that the rules of the house hold.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test fails by panicking; clippy's own exception covers only functions that are tests themselves"
)]

mod bindings;
mod configuration;
mod dependencies;
mod ipc;
mod noise;
mod repository;
mod supply;
mod tidy;
