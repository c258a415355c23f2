//! P41: ten starts at once over one data folder: one works, the others say that Diglot is open and end. Owns the crowd.

use anyhow::Result;
use diglot_testkit::{Cooperation, FakeServer, Promise};

use super::Bench;
use super::job::Job;
use super::served::{NoAnswer, Served};
use super::tally::{Tally, seed};
use super::worlds::small;
use crate::fuzz::random::Random;

/// Starts at once.
const STARTS: usize = 10;
/// How a start ends that finds Diglot open.
const LOCKED: i32 = 3;
/// Decisions of the one that works, in each round.
const DECISIONS: usize = 3;

/// Starts crowds over an empty folder, over one that was closed, and over one that was killed.
pub(super) fn run(bench: &Bench) -> Result<Vec<Promise>> {
    let n_rounds = bench.depth.pick(5, 50);
    let seed = seed(bench);
    let server = FakeServer::cooperative(Cooperation::default())?;
    let mut tally = Tally::default();
    let mut job = Job::new(&small(), &server.base_url(), Random::new(seed))?;
    for round in 0..n_rounds {
        let found = crowd(bench, &mut job, round % 2 == 0)?;
        if !found.is_empty() {
            let kept = job.place.keep(bench, &format!("starts-{round}"))?;
            tally.add(found, &kept);
        }
    }
    let done = format!(
        "{n_rounds} rounds of {STARTS} starts, {} decisions by the one that had the data",
        job.n_kept()
    );
    let goal = "1 works, the others hand over, 0 errors";
    Ok(vec![tally.promise(bench, [&done, goal], 41, seed)])
}

/// Starts ten at once; the one that works decides, and is killed or ends in order.
fn crowd(bench: &Bench, job: &mut Job, is_killed: bool) -> Result<Vec<String>> {
    let data = job.place.data();
    let all = (0..STARTS).map(|_| Served::start(&bench.cli, &data));
    let mut working = Vec::new();
    let mut faults = Vec::new();
    for mut served in all.collect::<Result<Vec<_>>>()? {
        match served.greet()? {
            Ok(_) => working.push(served),
            Err(NoAnswer::Refused { code, .. }) if code == "databaseLocked" => {
                let code = served.end()?.code();
                if code != Some(LOCKED) {
                    faults.push(format!(
                        "a start that found Diglot open ended with {code:?}"
                    ));
                }
            }
            Err(answer) => faults.push(format!("a start says: {answer}")),
        }
    }
    if working.len() != 1 {
        faults.push(format!("{} starts work at once", working.len()));
    }
    for mut served in working {
        job.open(&mut served)??;
        faults.extend(job.shown_faults(&mut served)?);
        job.work(&mut served, job.n_kept() + DECISIONS)?;
        if !is_killed && !served.end()?.success() {
            faults.push("the one that worked did not end well".to_owned());
        }
    }
    Ok(faults)
}
