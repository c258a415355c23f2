//! P4: the n-th sync fails and later ones work, as with a disk that forgets what it could not write. Nothing that could
//! be lost is acknowledged or used (see `trust`), and what is acknowledged later survives a power cut. Owns which syncs
//! fail.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;
use diglot_testkit::{Cooperation, Depth, FakeServer, Promise};

use super::place::Scratch;
use super::recording::Recorder;
use super::replay::{Replay, Variant, keep};
use super::strace::{self, Call};
use super::tally::{Tally, kept, seed};
use super::{Bench, crew};
use crate::fuzz::random::Random;

/// Decisions while the sync fails, and in all.
const DECISIONS: usize = 8;
/// Trials of the suite.
const FAST: usize = 12;
/// How many syncs in a row fail.
const EXTENTS: [usize; 2] = [1, 3];
/// One point of so many of a recording is looked at.
const STRIDE: usize = 30;

/// Lets syncs fail.
pub(super) fn run(bench: &Bench) -> Result<Vec<Promise>> {
    let goal = "none passed over, 0 lost";
    if !strace::is_here() {
        return Ok(vec![Promise::new(4, true, "passed over: no strace", goal)]);
    }
    let seed = seed(bench);
    let mut random = Random::new(seed);
    let server = FakeServer::cooperative(Cooperation::default())?;
    let recorder = Recorder::new(bench, server.base_url())?;
    let trials = trials(bench, syncs_of_work(&recorder, random.fork())?, &mut random);
    let n_trials = trials.len();
    let tasks = trials.into_iter().map(|syncs| (syncs, random.fork()));
    let found = crew::share(tasks, |(syncs, random)| {
        trial(bench, &server.base_url(), syncs, random)
    })?;
    let (mut tally, mut n_states, mut n_failed, mut n_refused) = (Tally::default(), 0, 0, 0);
    for trial in found {
        tally.merge(trial.tally);
        n_states += trial.n_states;
        n_failed += trial.n_failed;
        n_refused += trial.n_refused;
    }
    let done = format!(
        "{n_trials} trials, {n_failed} failed syncs, {n_refused} refusals, {} decisions acknowledged, {n_states} states \
         of a power cut",
        tally.n_acknowledged
    );
    Ok(vec![tally.promise(bench, [&done, goal], 4, seed)])
}

/// Holds what one trial has shown.
struct Trial {
    tally: Tally,
    n_states: usize,
    n_failed: usize,
    n_refused: usize,
}

/// Lets some syncs of each thread fail, from one on.
fn trial(
    bench: &Bench,
    model: &str,
    (first, n): (usize, usize),
    mut random: Random,
) -> Result<Trial> {
    let last = first + n - 1;
    let tampering = format!("inject=fsync,fdatasync:error=EIO:when={first}..{last}");
    let processes = [(DECISIONS, vec![tampering]), (2 * DECISIONS, Vec::new())];
    let recorder = Recorder::new(bench, model.to_owned())?;
    let recording = recorder.record(random.fork(), &processes)?;
    let calls = recording.logs.iter().flat_map(|log| &log.calls);
    let failed = calls.filter(|call| call.is_injected).map(Call::file_path);
    let failed: Vec<_> = failed.collect();
    let scratch = Scratch::new()?;
    let seen = Replay::new(&recording, &scratch, random.fork(), STRIDE).run(Variant::Right)?;
    let mut tally = Tally {
        n_acknowledged: recording.job.n_kept(),
        ..Tally::default()
    };
    for (place, broken) in seen.broken.into_iter().enumerate() {
        let folder = kept(bench, &format!("sync-{first}-{last}-{place}"));
        let fault = format!("{} (syncs {first} to {last}, of {failed:?})", broken.fault);
        tally.add(vec![fault], &keep(&broken.state, &folder)?);
    }
    Ok(Trial {
        tally,
        n_states: seen.n_states,
        n_failed: failed.len(),
        n_refused: recording.refusals.len(),
    })
}

/// Names what a sync is of: whether the thread is the first one, which opens the database, and how the name ends.
type Kind = (bool, String);

/// Chooses from where on syncs fail, and how many: in the suite, of each kind one that fails once, then several in a row.
fn trials(
    bench: &Bench,
    syncs: BTreeMap<Kind, BTreeSet<usize>>,
    random: &mut Random,
) -> Vec<(usize, usize)> {
    match bench.depth {
        Depth::Full => {
            let numbers: BTreeSet<usize> = syncs.into_values().flatten().collect();
            let each = |n| EXTENTS.map(|extent| (n, extent));
            numbers.into_iter().flat_map(each).collect()
        }
        Depth::Fast => {
            let of_kinds = EXTENTS.into_iter().flat_map(|extent| {
                let of_kind = syncs.values().map(move |numbers| (numbers, extent));
                of_kind.collect::<Vec<_>>()
            });
            let chosen = of_kinds.filter_map(|(numbers, extent)| {
                let numbers: Vec<usize> = numbers.iter().copied().collect();
                Some((*random.choose(&numbers)?, extent))
            });
            chosen.take(FAST).collect()
        }
    }
}

/// Lists which syncs of a thread write data of the application, from 1, by what they are of.
fn syncs_of_work(
    recorder: &Recorder<'_>,
    random: Random,
) -> Result<BTreeMap<Kind, BTreeSet<usize>>> {
    let recording = recorder.record(random, &[(DECISIONS, Vec::new())])?;
    let data = recording.job.place.data();
    let mut counted = BTreeMap::new();
    let mut found: BTreeMap<Kind, BTreeSet<usize>> = BTreeMap::new();
    let mut main = None;
    let calls = recording.logs.iter().flat_map(|log| &log.calls);
    for call in calls.filter(|call| matches!(call.name.as_str(), "fsync" | "fdatasync")) {
        let n = counted.entry(call.thread).or_insert(0_usize);
        *n += 1;
        let path = call.file_path();
        if path.starts_with(&data) {
            let is_main = *main.get_or_insert(call.thread) == call.thread;
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let end = name
                .rfind(['-', '.'])
                .map_or(&*name, |at| name.get(at..).unwrap_or(""));
            found
                .entry((is_main, end.to_owned()))
                .or_default()
                .insert(*n);
        }
    }
    Ok(found)
}
