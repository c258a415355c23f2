//! Kills while a database of the first schema is brought forward, one at each of many system calls. Owns the old database
//! and the moments; the verdict is that of every kill.

use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;
use std::path::Path;

use anyhow::{Context, Result};

use super::Bench;
use super::aftermath::{autopsy, next_start};
use super::job::Job;
use super::place::{Scratch, scratch_folder};
use super::served::Served;
use super::strace::{self, Log};
use super::worlds::small;
use super::{judge, old_schema};
use crate::fuzz::random::Random;

/// Decisions in the old database.
const DECISIONS: usize = 12;
/// From one call to die in to the next, in parts of all calls: steps of the golden section spread any number of them.
const STEP: usize = 61_803;
const ALL: usize = 100_000;
/// Calls that a process may die in.
const CALLS: [&str; 6] = [
    "pwrite64",
    "fsync",
    "openat",
    "rename",
    "unlink",
    "ftruncate",
];

/// Kills once for each of the numbers: the same number is the same call. Hands each state that is wrong to `report`.
pub(super) fn run(
    bench: &Bench,
    model: &str,
    kills: Range<usize>,
    report: &mut dyn FnMut(&Job, Vec<String>) -> Result<()>,
) -> Result<()> {
    let (scratch, folder) = (Scratch::new()?, scratch_folder()?);
    let log = folder.path().join("calls");
    let mut job = Job::new(&small(), model, Random::new(1))?;
    let data = job.place.data();
    let mut served = Served::start(&bench.cli, &data)?;
    job.open(&mut served)??;
    job.work(&mut served, DECISIONS)?;
    served.end()?;
    old_schema::go_back(&bench.root, &job.place.database())?;
    let saved = job.place.save()?;
    let start = |tampering: &[String]| -> Result<Log> {
        let mut served = Served::run(strace::serve(&bench.cli, &data, &log, tampering))?;
        // It may die before it says anything.
        drop(served.greet()?);
        served.end()?;
        Log::read(&log)
    };
    let moments = moments(&start(&[])?, job.place.root());
    for kill in kills {
        job.place.restore(&saved)?;
        let (call, n) = moments
            .get(kill * STEP % ALL * moments.len() / ALL)
            .context("no call to die in")?;
        start(&[format!("inject={call}:signal=KILL:when={n}")])?;
        let mut found = autopsy(&mut job, &scratch)?;
        found.extend(next_start(bench, &mut job, &scratch)?);
        found.extend(copies(&job, &data)?);
        let found = found
            .into_iter()
            .map(|fault| format!("{fault}, killed in {call} {n}"));
        report(&job, found.collect())?;
    }
    Ok(())
}

/// Lists the calls on files of a world: name, and which of that name it is in its thread.
fn moments(log: &Log, root: &Path) -> Vec<(String, usize)> {
    let mut counted: BTreeMap<(u32, &str), usize> = BTreeMap::new();
    let mut moments = Vec::new();
    for call in &log.calls {
        let n = counted.entry((call.thread, &call.name)).or_default();
        *n += 1;
        let is_here = call.paths().iter().any(|path| path.starts_with(root));
        if is_here && CALLS.contains(&call.name.as_str()) {
            moments.push((call.name.clone(), *n));
        }
    }
    moments
}

/// Looks at copies of the database that were made on the way: each is whole and holds everything.
fn copies(job: &Job, folder: &Path) -> Result<Vec<String>> {
    const HEAD: &[u8] = b"SQLite format 3\0";
    let mut faults = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            faults.extend(copies(job, &path)?);
            continue;
        }
        let bytes = fs::read(&path).context("a file of the data folder")?;
        if path != job.place.database() && bytes.starts_with(HEAD) {
            let judged = judge::database(&path, job.decided(), job.n_kept());
            let fault = judged
                .err()
                .map(|fault| format!("{}: {fault}", path.display()));
            faults.extend(fault);
        }
    }
    Ok(faults)
}
