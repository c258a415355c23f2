//! P2 and P44, by recordings of all calls that change the disk: at any point the power may go, and only own files are
//! deleted. Owns the amounts.

use anyhow::Result;
use diglot_testkit::{Cooperation, FakeServer, Promise};

use super::Bench;
use super::place::Scratch;
use super::recording::{Recorder, Recording};
use super::replay::{Replay, Seen, Variant, keep};
use super::tally::{Tally, kept, seed};
use super::{deletions, strace};
use crate::fuzz::random::Random;

/// States of a recording that are looked at, about.
const STATES: usize = 2_000;
/// Decisions of each process.
const DECISIONS: usize = 9;
/// Syncs of a thread until the first process of a recording dies.
const DEATH: usize = 30;

/// Records jobs and cuts the power at every point of them.
pub(super) fn run(bench: &Bench) -> Result<Vec<Promise>> {
    if !strace::is_here() {
        return Ok([2, 44].map(passed_over).into());
    }
    let seed = seed(bench);
    let mut random = Random::new(seed);
    let server = FakeServer::cooperative(Cooperation::default())?;
    let recorder = Recorder::new(bench, server.base_url())?;
    let mut cuts = Cuts {
        bench,
        scratch: Scratch::new()?,
        tally: Tally::default(),
        n_states: 0,
    };
    let mut deleted = deletions::Found::default();
    let mut found_in_wrong = [0_usize; 2];
    let n_states = bench.depth.pick(STATES, 100_000);
    while cuts.n_states < n_states {
        let death = DEATH + random.below(DEATH);
        let tampering = format!("inject=fsync,fdatasync:signal=KILL:when={death}");
        let processes = [(DECISIONS, vec![tampering]), (2 * DECISIONS, Vec::new())];
        let recording = recorder.record(random.fork(), &processes)?;
        cuts.right(&recording, &mut random)?;
        if found_in_wrong == [0; 2] {
            found_in_wrong = cuts.wrong(&recording, &mut random)?;
        }
        deleted.look(&recording);
    }
    deleted.look(&deletions::record(&recorder, random.fork())?);
    let [lazy, unsynced] = found_in_wrong;
    for (found, name) in [(lazy, "lazy commits"), (unsynced, "unsynced targets")] {
        if found == 0 {
            cuts.tally
                .faults
                .push(format!("a program with {name} passes"));
        }
    }
    let done = format!(
        "{} states, {} decisions acknowledged; a program with lazy commits fails in {lazy}, one with unsynced \
         targets in {unsynced}",
        cuts.n_states, cuts.tally.n_acknowledged
    );
    let goal = "0 lost, 0 corrupt, 0 torn; faulty programs fail";
    Ok(vec![
        cuts.tally.promise(bench, [&done, goal], 2, seed),
        deleted.promise(bench, seed),
    ])
}

fn passed_over(number: u8) -> Promise {
    Promise::new(number, true, "passed over: no strace", "needs strace")
}

struct Cuts<'a> {
    bench: &'a Bench,
    scratch: Scratch,
    tally: Tally,
    n_states: usize,
}

impl Cuts<'_> {
    /// Cuts the power at the points of a recording.
    fn right(&mut self, recording: &Recording, random: &mut Random) -> Result<()> {
        let seen = self.replay(recording, random, Variant::Right)?;
        self.n_states += seen.n_states;
        self.tally.n_acknowledged += recording.job.n_kept();
        for broken in seen.broken {
            let name = format!("power-{}", self.tally.faults.len());
            let folder = kept(self.bench, &name);
            self.tally
                .add(vec![broken.fault], &keep(&broken.state, &folder)?);
        }
        let refused = recording
            .refusals
            .iter()
            .map(|(code, detail)| format!("{code}: {detail}"));
        self.tally.faults.extend(refused);
        Ok(())
    }

    /// Cuts the power of faulty programs; returns how many states of each are broken.
    fn wrong(&self, recording: &Recording, random: &mut Random) -> Result<[usize; 2]> {
        let mut n_broken = [0; 2];
        let variants = [Variant::LazyCommits, Variant::UnsyncedTargets];
        for (variant, n_broken) in variants.into_iter().zip(&mut n_broken) {
            let seen = self.replay(recording, random, variant)?;
            *n_broken = seen.broken.len();
        }
        Ok(n_broken)
    }

    fn replay(&self, recording: &Recording, random: &mut Random, variant: Variant) -> Result<Seen> {
        let n_calls: usize = recording.logs.iter().map(|log| log.calls.len()).sum();
        // About half of the calls change something, and six states come of each point.
        let stride = if variant == Variant::Right {
            n_calls * 3 / STATES
        } else {
            n_calls * 3 / 400
        };
        Replay::new(recording, &self.scratch, random.fork(), stride).run(variant)
    }
}
