//! What a harness counts, and the seed that its run comes from.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use diglot_testkit::{Depth, Promise};

use super::Bench;

/// Variable that repeats a run.
const SEED: &str = "RELIABILITY_SEED";
/// The seed of every run of the suite; deep runs look elsewhere each time.
const USUAL: u64 = 20_261_130;

/// Returns the seed of this run.
pub(super) fn seed(bench: &Bench) -> u64 {
    let given = std::env::var(SEED).ok().and_then(|text| text.parse().ok());
    given.unwrap_or_else(|| match bench.depth {
        Depth::Fast => USUAL,
        Depth::Full => SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .map_or(USUAL, |time| time.as_secs()),
    })
}

/// Returns where a thing is kept that broke a promise.
pub(super) fn kept(bench: &Bench, name: &str) -> PathBuf {
    bench.root.join("target").join("reliability").join(name)
}

/// Holds what was found so far.
#[derive(Debug, Default)]
pub(super) struct Tally {
    pub(super) n_acknowledged: usize,
    pub(super) faults: Vec<String>,
}

impl Tally {
    /// Takes over faults of a state that was kept.
    pub(super) fn add(&mut self, found: Vec<String>, kept: &Path) {
        let kept = kept.display();
        let found = found
            .into_iter()
            .map(|fault| format!("{fault} (kept in {kept})"));
        self.faults.extend(found);
    }

    /// Takes over what another part of the run has found.
    pub(super) fn merge(&mut self, other: Self) {
        self.n_acknowledged += other.n_acknowledged;
        self.faults.extend(other.faults);
    }

    /// Makes the line of a promise: what was done, how much of it was wrong, the first fault, how to repeat it. All
    /// faults go into a file beside the states that were kept.
    pub(super) fn promise(
        &self,
        bench: &Bench,
        [done, goal]: [&str; 2],
        number: u8,
        seed: u64,
    ) -> Promise {
        let n_faults = self.faults.len();
        let first = self.faults.first().map_or(String::new(), |fault| {
            let list = kept(bench, &format!("P{number}.txt"));
            let written = fs::create_dir_all(kept(bench, ""))
                .and_then(|()| fs::write(&list, self.faults.join("\n")));
            let all =
                written.map_or_else(|error| error.to_string(), |()| list.display().to_string());
            let fault: String = fault.chars().take(400).collect();
            format!(
                ": {fault}; all in {all}; again by {SEED}={seed} cargo xtask reliability P{number}"
            )
        });
        let figure = format!("{done}, {n_faults} faults{first}, seed {seed}");
        Promise::new(number, n_faults == 0, figure, goal)
    }
}
