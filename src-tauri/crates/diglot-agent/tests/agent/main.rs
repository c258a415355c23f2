//! The agent core from outside: journeys from a log to the next step, properties of every prefix of every
//! history, the scaling laws, and the words that a model sees. Needs no disk, store, network or clock.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::wildcard_enum_match_arm,
    reason = "helpers of tests fail by panicking, as tests do, and look for the one thing they mean"
)]

mod acts;
mod flight;
mod folder;
mod guides;
mod histories;
mod journeys;
mod laws;
mod parents;
mod prefixes;
mod session;
mod terms;
mod trace;
mod undo;
mod wording;
