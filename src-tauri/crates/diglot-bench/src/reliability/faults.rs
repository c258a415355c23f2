//! P3: the n-th call that writes, syncs, names or opens fails, once, for a while or for ever; a disk is too small. Nothing
//! that was answered is lost, the old target is whole, the answer is plain, and work goes on afterwards. Owns the faults.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, ScopedJoinHandle};

use anyhow::{Context, Result, bail};
use diglot_testkit::{Cooperation, Depth, FakeServer, Promise};
use tempfile::TempDir;

use super::Bench;
use super::aftermath::{autopsy, next_start};
use super::job::Job;
use super::place::{Scratch, scratch_folder};
use super::served::{NoAnswer, Served};
use super::small_disk;
use super::strace::{self, Fault, Log};
use super::tally::{Tally, seed};
use super::worlds::small;
use crate::fuzz::random::Random;

/// Calls that may fail, and how each may.
const FAULTS: &[(&str, &[&str])] = &[
    ("pwrite64", &["ENOSPC", "EIO"]),
    ("write", &["ENOSPC", "EIO"]),
    ("fsync", &["EIO", "ENOSPC"]),
    ("fdatasync", &["EIO", "ENOSPC"]),
    ("ftruncate", &["EIO"]),
    ("rename", &["EROFS", "EACCES", "ENOSPC", "EIO"]),
    ("renameat", &["EROFS", "EACCES", "ENOSPC", "EIO"]),
    ("openat", &["EACCES", "EROFS", "EIO", "ENOSPC", "EMFILE"]),
    ("openat2", &["EACCES", "EROFS", "EIO", "ENOSPC", "EMFILE"]),
    ("unlink", &["EACCES", "EIO"]),
    ("unlinkat", &["EACCES", "EIO"]),
    ("mkdir", &["EACCES", "ENOSPC", "EROFS"]),
    ("mkdirat", &["EACCES", "ENOSPC", "EROFS"]),
];
/// Faults of the suite.
const FAST: usize = 300;
/// Calls in a row that fail when it is for a while.
const WHILE: usize = 5;
/// Times that something is tried again: more than a while lasts in all threads together.
const TRIES: usize = 8 * WHILE;
/// Decisions before the faults, and while they are.
const BEFORE: usize = 6;
const DURING: usize = 3;
/// Faults at once; each waits for a disk most of the time.
const THREADS: usize = 3;
/// Answers that tell a translator what to do.
const PLAIN: [&str; 6] = [
    "diskFull",
    "dataNotWritable",
    "targetNotWritable",
    "sourceUnreadable",
    "folderMissing",
    // Where the folder cannot be listed it looks empty.
    "notAFolder",
];

/// Lets calls fail.
pub(super) fn run(bench: &Bench) -> Result<Vec<Promise>> {
    let goal = "0 lost, old targets whole, plain answers, work goes on";
    if !strace::is_here() {
        return Ok(vec![Promise::new(3, true, "passed over: no strace", goal)]);
    }
    let seed = seed(bench);
    let server = FakeServer::cooperative(Cooperation::default())?;
    let mut random = Random::new(seed);
    let sweep = Sweep {
        bench,
        model: server.base_url(),
        seed,
        faults: Vec::new(),
        next: AtomicUsize::new(0),
        seen: Mutex::default(),
    };
    let mut all = sweep.points()?;
    if bench.depth == Depth::Fast {
        all = spread(all, &mut random);
    }
    let sweep = Sweep {
        faults: all,
        ..sweep
    };
    let ended: Vec<Result<()>> = thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS).map(|_| scope.spawn(|| sweep.work())).collect();
        let ended = threads.into_iter().map(ScopedJoinHandle::join);
        ended
            .map(|end| end.unwrap_or_else(|_| bail!("a thread of the harness broke down")))
            .collect()
    });
    ended.into_iter().collect::<Result<()>>()?;
    let mut seen = sweep
        .seen
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    let small = small_disk::run(bench, &server.base_url(), &mut seen.tally)?;
    let codes: Vec<String> = seen
        .codes
        .iter()
        .map(|(code, n)| format!("{n} {code}"))
        .collect();
    let done = format!(
        "{} faults, {} of them met a file; answers: {}; {small}",
        sweep.faults.len(),
        seen.n_met,
        codes.join(", ")
    );
    Ok(vec![seen.tally.promise(bench, [&done, goal], 3, seed)])
}

/// Takes so many faults that every call, every error and every extent is among them.
fn spread(all: Vec<Fault>, random: &mut Random) -> Vec<Fault> {
    let mut kinds: BTreeMap<(String, &str, bool), Vec<Fault>> = BTreeMap::new();
    for fault in all {
        let kind = (fault.call.clone(), fault.error, fault.last.is_none());
        kinds.entry(kind).or_default().push(fault);
    }
    let mut taken = Vec::new();
    while taken.len() < FAST && !kinds.is_empty() {
        for faults in kinds.values_mut() {
            let at = random.below(faults.len());
            taken.push(faults.swap_remove(at));
        }
        kinds.retain(|_, faults| !faults.is_empty());
    }
    taken.truncate(FAST);
    taken
}

struct Sweep<'a> {
    bench: &'a Bench,
    model: String,
    seed: u64,
    faults: Vec<Fault>,
    next: AtomicUsize,
    seen: Mutex<Seen>,
}

#[derive(Default)]
struct Seen {
    tally: Tally,
    codes: BTreeMap<String, usize>,
    n_met: usize,
}

/// Holds a world that a thread uses again and again.
struct Ground {
    base: Job,
    saved: TempDir,
    scratch: Scratch,
    folder: TempDir,
}

impl Sweep<'_> {
    /// Makes a world with some decisions, closed in order.
    fn ground(&self) -> Result<Ground> {
        let mut base = Job::new(&small(), &self.model, Random::new(self.seed))?;
        let mut served = Served::start(&self.bench.cli, &base.place.data())?;
        base.open(&mut served)??;
        base.work(&mut served, BEFORE)?;
        served.end()?;
        Ok(Ground {
            saved: base.place.save()?,
            base,
            scratch: Scratch::new()?,
            folder: scratch_folder()?,
        })
    }

    /// Lists every fault: each call of the job on a file of the world, with each of its errors, once, for a while and
    /// for ever.
    fn points(&self) -> Result<Vec<Fault>> {
        let ground = self.ground()?;
        let (mut job, log) = (ground.base.clone(), ground.log());
        let data = job.place.data();
        let mut served = Served::run(strace::serve(&self.bench.cli, &data, &log, &[]))?;
        job.open(&mut served)??;
        job.work(&mut served, BEFORE + DURING)?;
        served.end()?;
        let mut counted: BTreeMap<(u32, String), usize> = BTreeMap::new();
        let mut points = BTreeSet::new();
        for call in Log::read(&log)?.calls {
            let n = counted.entry((call.thread, call.name.clone())).or_default();
            *n += 1;
            let errors = FAULTS.iter().find(|(name, _)| *name == call.name);
            let is_here = call
                .paths()
                .iter()
                .any(|path| path.starts_with(job.place.root()));
            for error in errors
                .filter(|_| is_here)
                .into_iter()
                .flat_map(|(_, errors)| *errors)
            {
                for last in [Some(*n), Some(*n + WHILE - 1), None] {
                    points.insert(Fault {
                        call: call.name.clone(),
                        error,
                        first: *n,
                        last,
                    });
                }
            }
        }
        Ok(points.into_iter().collect())
    }

    /// Takes fault after fault until none is left.
    fn work(&self) -> Result<()> {
        let ground = self.ground()?;
        loop {
            let at = self.next.fetch_add(1, Ordering::SeqCst);
            let Some(fault) = self.faults.get(at) else {
                return Ok(());
            };
            let met = ground
                .meet(self.bench, fault)
                .with_context(|| format!("{fault:?}"))?;
            let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
            seen.n_met += usize::from(met.n_hits > 0);
            for code in met.codes {
                *seen.codes.entry(code).or_default() += 1;
            }
            if !met.faults.is_empty() {
                let kept = ground.base.place.keep(self.bench, &format!("fault-{at}"))?;
                let found = met
                    .faults
                    .into_iter()
                    .map(|found| format!("{found}, after {fault:?}"));
                seen.tally.add(found.collect(), &kept);
            }
        }
    }
}

/// Holds what one fault did.
struct Met {
    n_hits: usize,
    codes: Vec<String>,
    faults: Vec<String>,
}

impl Ground {
    fn log(&self) -> PathBuf {
        self.folder.path().join("calls")
    }

    /// Works while calls fail, then without.
    fn meet(&self, bench: &Bench, fault: &Fault) -> Result<Met> {
        self.base.place.restore(&self.saved)?;
        let mut job = self.base.clone();
        let errors = self.folder.path().join("errors");
        let mut command = strace::serve_with(&bench.cli, &job.place.data(), &self.log(), fault);
        command.stderr(File::create(&errors)?);
        let mut served = Served::run(command)?;
        let mut codes = Vec::new();
        let end = work(&mut job, &mut served, &mut codes)?;
        served.end()?;
        let mut faults = Vec::new();
        let hits = Log::read(&self.log())?
            .calls
            .into_iter()
            .filter(|call| call.is_injected);
        let root = job.place.root();
        let (ours, others): (Vec<_>, Vec<_>) =
            hits.partition(|call| call.paths().iter().any(|path| path.starts_with(root)));
        if fs::read_to_string(&errors)?.contains("panicked at") && others.is_empty() {
            faults.push("it panicked".to_owned());
        }
        let strange = codes.iter().filter(|code| !PLAIN.contains(&code.as_str()));
        faults.extend(strange.map(|code| format!("the answer was {code}")));
        // What the runtime itself needs, a signal between its threads for instance, is no file.
        let may_end = !others.is_empty() || fault.last.is_none() && end == End::Stuck;
        if end != End::Done && !may_end {
            faults.push(format!("work ended: {end:?}"));
        }
        faults.extend(autopsy(&mut job, &self.scratch)?);
        if faults.is_empty() {
            let found = next_start(bench, &mut job, &self.scratch);
            faults.extend(found.unwrap_or_else(|error| vec![format!("the next start: {error:#}")]));
        }
        Ok(Met {
            n_hits: ours.len(),
            codes,
            faults,
        })
    }
}

/// How work under faults ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    /// All was decided, or the program could not even start, which it says and leaves to the next start.
    Done,
    /// The same thing was refused again and again.
    Stuck,
    /// The program ended by itself.
    Gone,
}

/// Opens and decides, trying again what is refused.
fn work(job: &mut Job, served: &mut Served, codes: &mut Vec<String>) -> Result<End> {
    let (mut is_open, mut n_refused) = (false, 0);
    match served.greet()? {
        Ok(_) => {}
        Err(NoAnswer::Refused { code, .. }) => {
            codes.push(code);
            return Ok(End::Done);
        }
        Err(NoAnswer::Gone) => return Ok(End::Gone),
    }
    while job.n_kept() < BEFORE + DURING {
        let answer = if is_open {
            job.step(served)?
        } else {
            job.open(served)?
        };
        match answer {
            Ok(_) => (is_open, n_refused) = (true, 0),
            Err(NoAnswer::Gone) => return Ok(End::Gone),
            Err(NoAnswer::Refused { code, .. }) => {
                codes.push(code);
                n_refused += 1;
                if n_refused > TRIES {
                    return Ok(End::Stuck);
                }
            }
        }
    }
    Ok(End::Done)
}
