//! Hostile input: mutated files and bombs, made from seeds, and the laws that no input may break. Owns the loop and
//! its limits; must not know a format.

mod bombs;
mod damage;
mod laws;
mod mutate;
mod packages;
pub(crate) mod random;

use std::fs;
use std::mem;
use std::path::PathBuf;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use laws::Laws;
use mutate::Mutator;
use random::Random;

/// Stack of the thread that reads: as small as that of a thread on which the product reads.
const STACK: usize = 2 * 1024 * 1024;
/// Longest time for one input before it counts as never ending.
const PATIENCE: Duration = Duration::from_secs(120);

/// Holds what a run is made from.
#[derive(Debug, Clone)]
pub struct Plan {
    /// Name of the file that every input stands for.
    pub name: String,
    /// Files to begin with; the first is the sample.
    pub seeds: Vec<Vec<u8>>,
    /// A file of many units, tried once as it is.
    pub long: Vec<u8>,
    /// How long to go on once every bomb was tried.
    pub time: Duration,
    /// Chooses the mutations.
    pub seed: u64,
    /// Takes one of so many bombs; 1 takes all of them.
    pub share: usize,
    /// Keeps the input at hand, so that it survives a crash of the process.
    pub trace: Option<PathBuf>,
    /// Whether memory is measured too, which needs a process of its own.
    pub measures_memory: bool,
}

/// Holds what a run found.
#[derive(Debug, Clone, Default)]
pub struct Found {
    /// Inputs that were tried.
    pub n_cases: usize,
    /// Inputs that the product refused.
    pub n_refused: usize,
    /// The slowest input that is long enough to tell, in seconds per megabyte.
    pub slowest: f64,
    /// Laws that were broken, each with the input; at most one of a kind.
    pub faults: Vec<Broken>,
}

/// Holds an input that breaks a law.
#[derive(Debug, Clone)]
pub struct Broken {
    /// Number of the case in its run.
    pub case: usize,
    /// What was seen.
    pub what: String,
    /// The input.
    pub input: Vec<u8>,
}

/// Runs a plan on a thread of its own.
///
/// # Errors
/// When an input takes longer than any patience: its thread cannot be ended, so the run is over.
pub fn run(plan: Plan) -> Result<Found> {
    let (send, receive) = mpsc::channel();
    let name = plan.name.clone();
    let worker = thread::Builder::new()
        .name(format!("fuzz {name}"))
        .stack_size(STACK);
    let handle = worker.spawn(move || {
        let mut run = Run {
            found: Found::default(),
            laws: Laws::new(&plan),
            plan,
        };
        run.all(&|case| {
            // Nobody listens any more once patience is over.
            _ = send.send(case);
        });
        run.found
    })?;
    let mut last = 0;
    loop {
        match receive.recv_timeout(PATIENCE) {
            Ok(case) => last = case,
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => {
                bail!(
                    "case {last} of {name} did not end in {} s",
                    PATIENCE.as_secs()
                )
            }
        }
    }
    handle
        .join()
        .ok()
        .context("the run panicked outside of the product")
}

struct Run {
    plan: Plan,
    laws: Laws,
    found: Found,
}

impl Run {
    fn all(&mut self, tell: &dyn Fn(usize)) {
        let share = self.plan.share.max(1);
        let first = (self.plan.seed % share as u64) as usize;
        let long = mem::take(&mut self.plan.long);
        self.case(&long, tell);
        let bombs = bombs::all(&self.plan.seeds).into_iter();
        for bomb in bombs.skip(first).step_by(share) {
            self.case(&bomb, tell);
        }
        let mut mutator = Mutator::new(&self.plan.seeds, Random::new(self.plan.seed));
        let start = Instant::now();
        while start.elapsed() < self.plan.time {
            let input = mutator.next();
            self.case(&input, tell);
        }
    }

    fn case(&mut self, input: &[u8], tell: &dyn Fn(usize)) {
        let case = self.found.n_cases;
        self.found.n_cases += 1;
        tell(case);
        if let Some(trace) = &self.plan.trace {
            // A run without its trace is still a run.
            drop(fs::write(trace, input));
        }
        let verdict = self.laws.judge(&self.plan.name, input, case as u64);
        self.found.n_refused += usize::from(verdict.is_refused);
        self.found.slowest = self.found.slowest.max(verdict.seconds_per_megabyte);
        for what in verdict.faults {
            let kind = what.split(':').next();
            let is_known = |broken: &Broken| broken.what.split(':').next() == kind;
            if !self.found.faults.iter().any(is_known) {
                self.found.faults.push(Broken {
                    case,
                    what,
                    input: input.to_owned(),
                });
            }
        }
    }
}
