//! Time that a thread spends working, so that figures do not depend on what else the machine does.

use std::fs;
use std::time::{Duration, Instant};

/// Measures what the current thread spends; where the system does not tell, what passes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stopwatch {
    spent: Option<Duration>,
    start: Instant,
}

impl Stopwatch {
    /// Starts.
    pub(crate) fn start() -> Self {
        Self {
            spent: spent(),
            start: Instant::now(),
        }
    }

    /// Returns the time since the start; it must be the same thread.
    pub(crate) fn elapsed(self) -> Duration {
        let worked = self.spent.zip(spent());
        let worked = worked.map(|(before, after)| after.saturating_sub(before));
        worked
            .filter(|time| !time.is_zero())
            .unwrap_or_else(|| self.start.elapsed())
    }
}

/// Returns the time that the thread has run, as Linux counts it.
fn spent() -> Option<Duration> {
    let text = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds = text.split_whitespace().next()?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_takes_time() {
        let watch = Stopwatch::start();
        let text = "abc ".repeat(500_000);
        assert!(text.split_whitespace().count() > 1);
        assert!(watch.elapsed() > Duration::ZERO);
    }
}
