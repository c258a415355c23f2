//! The window, driven from outside through WebKitWebDriver: the journeys of a person, from the folder to the files on
//! disk. Runs with `DIGLOT_E2E=1` on a screen (`cargo xtask test --only e2e` brings one); passes over otherwise.
#![cfg(target_os = "linux")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test fails by panicking; clippy's own exception covers only functions that are tests themselves"
)]

mod accessibility;
mod engine;
mod formats;
mod home;
mod installed;
mod journey;
mod model;
mod rendering;
mod starts;
mod window;

/// Tells whether the tests of the window are wanted, and says so when they are not.
fn wanted() -> bool {
    let wanted = std::env::var_os("DIGLOT_E2E").is_some_and(|value| value == "1");
    if !wanted {
        println!("skipped: set DIGLOT_E2E=1, on a screen, to drive the window");
    }
    wanted
}
