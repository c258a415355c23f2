//! Figures: what a step sends and costs as a session grows. Owns measuring; the counters are the same on every
//! machine, the times are not.

mod machine;
mod sizes;
mod table;
mod throughput;
mod walk;
mod window;

pub use machine::machine;
pub use sizes::{Profile, sizes};
pub use table::{Spread, Table, bytes, milliseconds};
pub use throughput::throughput;
pub use walk::{Step, Walk, walk};
pub use window::{ColdStart, cold_start};
