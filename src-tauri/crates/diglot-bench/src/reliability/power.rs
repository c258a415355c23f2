//! P2 and P44, by recordings of all calls that change the disk: at any point the power may go, and only own files are
//! deleted. Owns the amounts.

use anyhow::Result;
use diglot_testkit::{Cooperation, FakeServer, Promise};

use super::Bench;
use super::place::Scratch;
use super::recording::{Recorder, Recording};
use super::replay::{Replay, Seen, Variant, keep};
use super::tally::{Tally, kept, seed};
use super::{crew, deletions, strace};
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
    let model = server.base_url();
    let mut cuts = Cuts::default();
    let n_states = bench.depth.pick(STATES, 100_000);
    while cuts.n_states < n_states {
        let tasks: Vec<_> = (0..crew::HANDS)
            .map(|hand| (format!("power-{}-{hand}", cuts.n_recordings), random.fork()))
            .collect();
        let is_first = cuts.n_recordings == 0;
        let found = crew::share(tasks, |(name, random)| {
            let is_first = is_first && name.ends_with("-0");
            Cuts::of_recording(bench, &model, &name, random, is_first)
        })?;
        for found in found {
            cuts.merge(found);
        }
    }
    let recorder = Recorder::new(bench, model)?;
    let last = deletions::record(&recorder, random.fork())?;
    cuts.deleted.look(&last);
    let [lazy, unsynced] = cuts.n_found_in_wrong;
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
        cuts.deleted.promise(bench, seed),
    ])
}

fn passed_over(number: u8) -> Promise {
    Promise::new(number, true, "passed over: no strace", "needs strace")
}

/// Holds what was found.
#[derive(Default)]
struct Cuts {
    tally: Tally,
    n_recordings: usize,
    n_states: usize,
    /// States of two faulty programs that are broken.
    n_found_in_wrong: [usize; 2],
    deleted: deletions::Found,
}

impl Cuts {
    /// Records a job in two processes, the first of which dies, and cuts the power at its points; `is_tried` does so
    /// with faulty programs, too.
    fn of_recording(
        bench: &Bench,
        model: &str,
        name: &str,
        mut random: Random,
        is_tried: bool,
    ) -> Result<Self> {
        let death = DEATH + random.below(DEATH);
        let tampering = format!("inject=fsync,fdatasync:signal=KILL:when={death}");
        let processes = [(DECISIONS, vec![tampering]), (2 * DECISIONS, Vec::new())];
        let recorder = Recorder::new(bench, model.to_owned())?;
        let recording = recorder.record(random.fork(), &processes)?;
        let mut cuts = Self {
            n_recordings: 1,
            ..Self::default()
        };
        cuts.right(bench, name, &recording, &mut random)?;
        if is_tried {
            let variants = [Variant::LazyCommits, Variant::UnsyncedTargets];
            for (variant, n_found) in variants.into_iter().zip(&mut cuts.n_found_in_wrong) {
                *n_found = replay(&recording, &mut random, variant)?.broken.len();
            }
        }
        cuts.deleted.look(&recording);
        Ok(cuts)
    }

    /// Cuts the power at the points of a recording.
    fn right(
        &mut self,
        bench: &Bench,
        name: &str,
        recording: &Recording,
        random: &mut Random,
    ) -> Result<()> {
        let seen = replay(recording, random, Variant::Right)?;
        self.n_states = seen.n_states;
        self.tally.n_acknowledged = recording.job.n_kept();
        for (place, broken) in seen.broken.into_iter().enumerate() {
            let folder = kept(bench, &format!("{name}-{place}"));
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

    fn merge(&mut self, other: Self) {
        self.tally.merge(other.tally);
        self.n_recordings += other.n_recordings;
        self.n_states += other.n_states;
        for (n, more) in self.n_found_in_wrong.iter_mut().zip(other.n_found_in_wrong) {
            *n += more;
        }
        self.deleted.merge(other.deleted);
    }
}

fn replay(recording: &Recording, random: &mut Random, variant: Variant) -> Result<Seen> {
    let n_calls: usize = recording.logs.iter().map(|log| log.calls.len()).sum();
    // About half of the calls change something, and six states come of each point.
    let stride = if variant == Variant::Right {
        n_calls * 3 / STATES
    } else {
        n_calls * 3 / 400
    };
    let scratch = Scratch::new()?;
    Replay::new(recording, &scratch, random.fork(), stride).run(variant)
}
