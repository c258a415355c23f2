//! Judges and measures the application from outside, by its commands and under a scripted model. No part of the
//! product: what it finds is printed, and the product must not depend on it.

pub mod cases;
mod clock;
pub mod figures;
pub mod formats;
pub mod fuzz;
mod host;
pub mod learning;
mod model;
pub mod peers;
pub mod reliability;
pub mod roundtrip;
pub mod samples;
