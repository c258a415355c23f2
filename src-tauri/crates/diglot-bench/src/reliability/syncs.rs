//! P4: the n-th sync fails and later ones work, as with a disk that forgets what it could not write. Nothing is
//! acknowledged before the database was opened anew, and what is acknowledged later survives a power cut. Owns which
//! syncs fail.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;
use diglot_testkit::{Cooperation, FakeServer, Promise};

use super::Bench;
use super::place::Scratch;
use super::recording::Recorder;
use super::replay::{Replay, Variant, keep};
use super::strace;
use super::tally::{Tally, kept, seed};
use crate::fuzz::random::Random;

/// Decisions while the sync fails, and in all.
const DECISIONS: usize = 8;
/// Syncs that fail in the suite, one after the other.
const FAST: usize = 10;
/// Syncs in a row that fail every other time.
const IN_A_ROW: usize = 3;
/// One point of so many of a recording is looked at.
const STRIDE: usize = 30;

/// Lets syncs fail.
pub(super) fn run(bench: &Bench) -> Result<Vec<Promise>> {
    let goal = "no acknowledgement before the database was opened anew, 0 lost";
    if !strace::is_here() {
        return Ok(vec![Promise::new(4, true, "passed over: no strace", goal)]);
    }
    let seed = seed(bench);
    let mut random = Random::new(seed);
    let server = FakeServer::cooperative(Cooperation::default())?;
    let recorder = Recorder::new(bench, server.base_url())?;
    let scratch = Scratch::new()?;
    let (mut tally, mut n_states, mut n_failed, mut n_refused) = (Tally::default(), 0, 0, 0);
    let syncs = syncs_of_work(&recorder, random.fork())?;
    let n_tried = bench.depth.pick(FAST, syncs.len()).min(syncs.len());
    for place in 0..n_tried {
        let first = syncs.get(place * syncs.len() / n_tried).copied();
        let (first, n) = (
            first.unwrap_or(1),
            if place % 2 == 0 { 1 } else { IN_A_ROW },
        );
        let tampering = format!(
            "inject=fsync,fdatasync:error=EIO:when={first}..{}",
            first + n - 1
        );
        let processes = [(DECISIONS, vec![tampering]), (2 * DECISIONS, Vec::new())];
        let recording = recorder.record(random.fork(), &processes)?;
        let calls = recording.logs.iter().flat_map(|log| &log.calls);
        n_failed += calls.filter(|call| call.is_injected).count();
        n_refused += recording.refusals.len();
        tally.n_acknowledged += recording.job.n_kept();
        let replay = Replay::new(&recording, &scratch, random.fork(), STRIDE);
        let seen = replay.run(Variant::Right)?;
        n_states += seen.n_states;
        for broken in seen.broken {
            let folder = kept(bench, &format!("sync-{first}-{}", tally.faults.len()));
            let fault = format!("{} (syncs {first} to {})", broken.fault, first + n - 1);
            tally.add(vec![fault], &keep(&broken.state, &folder)?);
        }
    }
    let done = format!(
        "{n_failed} failed syncs, {n_refused} refusals, {} decisions acknowledged, {n_states} states of a power cut",
        tally.n_acknowledged
    );
    Ok(vec![tally.promise(bench, [&done, goal], 4, seed)])
}

/// Lists which syncs of a thread write data of the application, from 1.
fn syncs_of_work(recorder: &Recorder<'_>, random: Random) -> Result<Vec<usize>> {
    let recording = recorder.record(random, &[(DECISIONS, Vec::new())])?;
    let data = recording.job.place.data();
    let (mut counted, mut found) = (BTreeMap::new(), BTreeSet::new());
    let calls = recording.logs.iter().flat_map(|log| &log.calls);
    for call in calls.filter(|call| matches!(call.name.as_str(), "fsync" | "fdatasync")) {
        let n = counted.entry(call.thread).or_insert(0_usize);
        *n += 1;
        if call.file_path().starts_with(&data) {
            found.insert(*n);
        }
    }
    Ok(found.into_iter().collect())
}
