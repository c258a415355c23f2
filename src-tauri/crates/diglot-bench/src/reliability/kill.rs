//! P1: the program is killed at any moment: at work, while it opens, while it writes a large target, while it brings an
//! old database forward. Owns when; what must be there afterwards is judged by others.

use std::ops::Range;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use diglot_testkit::{Cooperation, FakeServer, Promise};

use super::Bench;
use super::aftermath::{after_start, autopsy, next_start};
use super::job::Job;
use super::place::Scratch;
use super::served::{NoAnswer, Served};
use super::tally::{Tally, seed};
use super::worlds::{large, small};
use super::{crew, migration, strace};
use crate::fuzz::random::Random;

/// Kills of one world, before the next one begins.
const LIVES: usize = 25;
/// Shortest and longest time until a kill, in microseconds.
const SOONEST: usize = 3_000;
const LATEST: usize = 60_000;
/// Things that are done at least, fewer than this.
const STEPS: usize = 5;

/// Kills the program in four situations, over and over.
pub(super) fn run(bench: &Bench) -> Result<Vec<Promise>> {
    let n_kills = bench.depth.pick(200, 10_000);
    let seed = seed(bench);
    let mut random = Random::new(seed);
    let server = FakeServer::cooperative(Cooperation::default())?;
    let model = server.base_url();
    let deaths = crew::share(worlds(n_kills, &mut random), |(at, world)| {
        let mut kills = Kills {
            bench,
            model: &model,
            scratch: Scratch::new()?,
            tally: Tally::default(),
            name: format!("kill-{at}"),
            n_kills: 0,
        };
        kills.run(world)?;
        Ok((kills.n_kills, kills.tally))
    })?;
    let (mut tally, mut n_killed) = (Tally::default(), 0);
    for (n, found) in deaths {
        n_killed += n;
        tally.merge(found);
    }
    tally.faults.extend(server.violations());
    let figure = format!(
        "{n_killed} kills, {} decisions acknowledged",
        tally.n_acknowledged
    );
    let goal = "0 lost, 0 corrupt, 0 torn, 0 left over";
    Ok(vec![tally.promise(bench, [&figure, goal], 1, seed)])
}

/// What one thread does with one world.
enum World {
    /// Part of the kills while an old database is brought forward.
    Migration(Range<usize>),
    Large(Random),
    Small(Random),
}

/// Lists worlds for so many kills: an eighth in migrations, an eighth in a large document.
fn worlds(n_kills: usize, random: &mut Random) -> Vec<(usize, World)> {
    let n_worlds = n_kills.div_ceil(LIVES);
    let n_rare = n_worlds / 8;
    let world = |at: usize| {
        let world = if at >= 2 * n_rare {
            World::Small(random.fork())
        } else if at.is_multiple_of(2) && strace::is_here() {
            let first = at / 2 * LIVES;
            World::Migration(first..first + LIVES)
        } else {
            World::Large(random.fork())
        };
        (at, world)
    };
    (0..n_worlds).map(world).collect()
}

struct Kills<'a> {
    bench: &'a Bench,
    model: &'a str,
    scratch: Scratch,
    tally: Tally,
    /// Of what is kept.
    name: String,
    n_kills: usize,
}

/// How a life ends.
#[derive(Clone, Copy)]
struct Death {
    /// Counted from the start of the process; else from when it is open.
    from_start: bool,
    /// Things that are done before, where it is open.
    n_steps: usize,
    after: Duration,
}

impl Death {
    /// Chooses a moment; `open` is the time that opening takes where that alone is of interest.
    fn choose(random: &mut Random, open: Option<Duration>) -> Self {
        match open {
            Some(time) => Self {
                from_start: true,
                n_steps: 0,
                after: time * random.below(120).try_into().unwrap_or(0) / 100,
            },
            None => Self {
                from_start: random.below(3) == 0,
                n_steps: random.below(STEPS),
                after: micros(SOONEST + random.below(LATEST - SOONEST)),
            },
        }
    }
}

fn micros(n: usize) -> Duration {
    Duration::from_micros(n as u64)
}

impl Kills<'_> {
    fn run(&mut self, world: World) -> Result<()> {
        match world {
            World::Migration(kills) => self.migration(kills),
            World::Large(mut random) => self.large_target(&mut random),
            World::Small(mut random) => self.world(&small(), &mut random, None),
        }
    }

    /// Lets one world live many times; `open` restricts the deaths to the time in which it opens.
    fn world(
        &mut self,
        documents: &[(&str, Vec<u8>)],
        random: &mut Random,
        open: Option<Duration>,
    ) -> Result<()> {
        let mut job = Job::new(documents, self.model, random.fork())?;
        for life in 0..LIVES {
            let death = Death::choose(random, open.filter(|_| life > 0));
            let found = self.live(&mut job, death)?;
            self.report(&job, found)?;
        }
        let found = next_start(self.bench, &mut job, &self.scratch)?;
        self.report(&job, found)?;
        self.tally.n_acknowledged += job.n_kept();
        Ok(())
    }

    /// Starts, works and is killed; returns what is wrong with what is left.
    fn live(&mut self, job: &mut Job, death: Death) -> Result<Vec<String>> {
        let mut faults = Vec::new();
        let mut served = Served::start(&self.bench.cli, &job.place.data())?;
        let early = death.from_start.then(|| served.kill_after(death.after));
        let opened = job.open(&mut served)?;
        let killer = if let Some(killer) = early {
            killer
        } else {
            opened.clone()?;
            faults.extend(after_start(job, &mut served)?);
            // On a slow machine too, some deaths come after work.
            for _ in 0..death.n_steps {
                job.step(&mut served)??;
            }
            served.kill_after(death.after)
        };
        let mut answer = opened;
        while answer.is_ok() {
            answer = job.step(&mut served)?;
        }
        faults.extend(
            answer
                .err()
                .filter(|at| *at != NoAnswer::Gone)
                .map(|at| at.to_string()),
        );
        self.bury(served, killer)?;
        faults.extend(autopsy(job, &self.scratch)?);
        Ok(faults)
    }

    fn bury(&mut self, served: Served, killer: JoinHandle<()>) -> Result<()> {
        if killer.join().is_err() {
            bail!("the thread that kills has failed");
        }
        drop(served);
        self.n_kills += 1;
        Ok(())
    }

    /// Kills it while it brings an old database forward.
    fn migration(&mut self, kills: Range<usize>) -> Result<()> {
        let (bench, model) = (self.bench, self.model);
        let n_kills = kills.len();
        migration::run(bench, model, kills, &mut |job, found| {
            self.report(job, found)
        })?;
        self.n_kills += n_kills;
        Ok(())
    }

    /// Kills it while it writes a target that takes long.
    fn large_target(&mut self, random: &mut Random) -> Result<()> {
        let mut job = Job::new(&large(), self.model, random.fork())?;
        let mut served = Served::start(&self.bench.cli, &job.place.data())?;
        job.open(&mut served)??;
        // A draft that is refused leaves nothing to write.
        for n in 1.. {
            job.work(&mut served, n)?;
            if job.is_target_due() {
                break;
            }
        }
        drop(served);
        let mut served = Served::start(&self.bench.cli, &job.place.data())?;
        let start = Instant::now();
        job.open(&mut served)??;
        served.wait_for_targets(0)?;
        let time = start.elapsed();
        drop(served);
        self.world(&large(), random, Some(time))
    }

    /// Takes over what was found, and keeps the world where something was.
    fn report(&mut self, job: &Job, found: Vec<String>) -> Result<()> {
        if !found.is_empty() {
            let name = format!("{}-{}", self.name, self.n_kills);
            let kept = job.place.keep(self.bench, &name)?;
            self.tally.add(found, &kept);
        }
        Ok(())
    }
}
