//! Judges and measures the application from outside, by its commands and under a scripted model. No part of the
//! product: what it finds is printed, and the product must not depend on it.

pub mod cases;
pub mod figures;
mod host;
mod model;
