//! P33 to P37: what is large stays fast, and the disk is not worn. Owns the bounds; what is loaded stands in the
//! files below.

pub(super) mod document;
pub(super) mod folder;
pub(super) mod memory;
mod serve;
pub(super) mod session;
mod time;
pub(super) mod wear;

use std::time::Duration;

/// Says how far times, what waited for a core taken off, may go over the goals: the goals are those of a release on a machine that does nothing else.
#[derive(Debug, Clone, Copy)]
struct Scale(u32);

impl Scale {
    fn of_build() -> Self {
        Self(if cfg!(debug_assertions) { 3 } else { 1 })
    }

    /// Returns how long something may take that should take so many milliseconds.
    fn time(self, goal: u64) -> Duration {
        Duration::from_millis(goal) * self.0
    }

    /// Names a goal together with what times are multiplied by.
    fn told(self, goal: &str) -> String {
        match self.0 {
            1 => goal.to_owned(),
            times => format!("{goal}; times x {times} in a build for tests"),
        }
    }
}

/// Returns a time that so many percent do not exceed.
fn quantile(times: &[Duration], percent: usize) -> Duration {
    let mut sorted = times.to_vec();
    sorted.sort_unstable();
    let place = (sorted.len() * percent).div_ceil(100).saturating_sub(1);
    sorted.get(place).copied().unwrap_or_default()
}

fn milliseconds(time: Duration) -> String {
    match time.as_millis() {
        0 => format!("{} us", time.as_micros()),
        whole => format!("{whole} ms"),
    }
}

fn memory_of(n_bytes: Option<u64>) -> String {
    n_bytes.map_or_else(|| "unknown".to_owned(), |n| format!("{} MB", n / 1_000_000))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_of_the_times() {
        let times: Vec<Duration> = (1..=100).rev().map(Duration::from_millis).collect();
        assert_eq!(quantile(&times, 50), Duration::from_millis(50));
        assert_eq!(quantile(&times, 95), Duration::from_millis(95));
        assert_eq!(quantile(&times, 100), Duration::from_millis(100));
        assert_eq!(quantile(&[], 95), Duration::ZERO);
    }
}
