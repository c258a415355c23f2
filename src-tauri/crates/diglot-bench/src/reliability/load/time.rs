//! Time as a program would need it on a machine of its own: what its threads waited for a free core is taken off, since
//! that is the doing of others.

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Measures one piece of work of a process.
#[derive(Debug)]
pub(super) struct Watch {
    tasks: PathBuf,
    begun: Instant,
    before: Spent,
}

/// Sums what the threads of a process did, in nanoseconds, as Linux counts it; nothing elsewhere.
#[derive(Debug, Clone, Copy, Default)]
struct Spent {
    worked: u64,
    waited: u64,
}

impl Watch {
    /// Starts, for a process by its number.
    pub(super) fn of(process: u32) -> Self {
        let tasks = PathBuf::from(format!("/proc/{process}/task"));
        Self {
            before: spent(&tasks),
            begun: Instant::now(),
            tasks,
        }
    }

    /// Starts, for this process.
    pub(super) fn here() -> Self {
        Self::of(std::process::id())
    }

    /// Returns the time since the start, without the waiting for a core; never less than a thread could have worked
    /// in it.
    pub(super) fn elapsed(&self) -> Duration {
        let passed = self.begun.elapsed();
        let now = spent(&self.tasks);
        let waited = Duration::from_nanos(now.waited.saturating_sub(self.before.waited));
        let worked = Duration::from_nanos(now.worked.saturating_sub(self.before.worked));
        passed.saturating_sub(waited).max(worked.min(passed))
    }
}

fn spent(tasks: &PathBuf) -> Spent {
    let mut all = Spent::default();
    for task in fs::read_dir(tasks).into_iter().flatten().flatten() {
        let counts = fs::read_to_string(task.path().join("schedstat")).unwrap_or_default();
        let mut counts = counts
            .split_whitespace()
            .map(|count| count.parse().unwrap_or(0));
        all.worked += counts.next().unwrap_or(0);
        all.waited += counts.next().unwrap_or(0);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_and_sleep_take_time() {
        let watch = Watch::here();
        let text = "abc ".repeat(500_000);
        assert!(text.split_whitespace().count() > 1);
        let worked = watch.elapsed();
        assert!(worked > Duration::ZERO && worked <= watch.begun.elapsed());
    }
}
