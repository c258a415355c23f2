//! The field cases of the repository, and the laws of scale (PERFORMANCE 10).

#![expect(clippy::unwrap_used, reason = "a helper that fails is a failed test")]

mod cases;
mod fuzz;
mod laws;
mod learning;
mod roundtrip;
