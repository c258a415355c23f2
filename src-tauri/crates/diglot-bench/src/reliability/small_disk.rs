//! A disk that is really full: a file system of 300 kB in memory, for the data and for the targets. Owns the mount.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Result, bail};
use serde_json::Value;

use super::Bench;
use super::aftermath::{autopsy, next_start};
use super::job::Job;
use super::place::Scratch;
use super::served::{NoAnswer, Served};
use super::tally::Tally;
use super::worlds::{large, small};
use crate::fuzz::random::Random;

const TINY: &str = "size=300k";
const ROOMY: &str = "size=32m";
/// What a translator is told.
const FULL: &str = "diskFull";
/// Decisions that no such disk holds.
const TOO_MANY: usize = 200;

/// Fills both disks; says what was done, and adds what was wrong.
pub(super) fn run(bench: &Bench, model: &str, tally: &mut Tally) -> Result<String> {
    for (name, fill) in [("data", data as Fill), ("targets", targets)] {
        let documents = if name == "data" { small() } else { large() };
        let job = Job::new(&documents, model, Random::new(1))?;
        let folder = if name == "data" {
            job.place.data()
        } else {
            job.place.targets()
        };
        fs::create_dir_all(&folder)?;
        let Some(mount) = Mount::new(&folder) else {
            return Ok("small disks passed over: no mount".to_owned());
        };
        let found = fill(bench, job, &mount)?;
        let found = found
            .into_iter()
            .map(|fault| format!("{name} on a small disk: {fault}"));
        tally.faults.extend(found);
    }
    Ok("2 small disks filled".to_owned())
}

type Fill = fn(&Bench, Job, &Mount) -> Result<Vec<String>>;

/// Decides until the data folder is full, makes room, and goes on in the same process.
fn data(bench: &Bench, mut job: Job, mount: &Mount) -> Result<Vec<String>> {
    let scratch = Scratch::new()?;
    let mut faults = Vec::new();
    let mut served = Served::start(&bench.cli, &job.place.data())?;
    if let Err(NoAnswer::Refused { code, .. }) = served.greet()? {
        // Not even the empty database fits.
        faults.extend((code != FULL).then(|| format!("the start says {code}")));
        served.end()?;
        mount.enlarge()?;
        return Ok([faults, next_start(bench, &mut job, &scratch)?].concat());
    }
    let mut refusal = job.open(&mut served)?.err();
    while refusal.is_none() && job.n_kept() < TOO_MANY {
        refusal = job.step(&mut served)?.err();
    }
    match refusal {
        Some(NoAnswer::Refused { code, .. }) if code == FULL => {}
        other => faults.push(format!("with the disk full the answer was {other:?}")),
    }
    mount.enlarge()?;
    let n_kept = job.n_kept();
    if job.session_is_open() {
        job.work(&mut served, n_kept + 3)?;
    } else {
        job.open(&mut served)??;
    }
    served.end()?;
    faults.extend(autopsy(&mut job, &scratch)?);
    faults.extend(next_start(bench, &mut job, &scratch)?);
    Ok(faults)
}

/// Confirms a unit of a document whose target does not fit, makes room, and confirms another one.
fn targets(bench: &Bench, mut job: Job, mount: &Mount) -> Result<Vec<String>> {
    let mut faults = Vec::new();
    let mut served = Served::start(&bench.cli, &job.place.data())?;
    job.open(&mut served)??;
    job.work(&mut served, 1)?;
    job.wait_for_targets(&mut served)?;
    let view = job.view(&mut served)??;
    let code = view
        .pointer("/targetProblems/0/error/code")
        .and_then(Value::as_str);
    if code != Some(FULL) {
        faults.push(format!("the problem of the target is {code:?}"));
    }
    let left = job.place.leftovers();
    faults.extend(left.into_iter().map(|path| format!("{path} is left over")));
    mount.enlarge()?;
    let n_kept = job.n_kept();
    job.work(&mut served, n_kept + 1)?;
    served.end()?;
    faults.extend(job.target_faults()?);
    faults.extend(next_start(bench, &mut job, &Scratch::new()?)?);
    Ok(faults)
}

/// Holds a mounted file system; taken off when dropped.
struct Mount(PathBuf);

impl Mount {
    /// Mounts a tiny one; `None` where that is not allowed.
    fn new(folder: &Path) -> Option<Self> {
        let mut command = Command::new("mount");
        command
            .args(["-t", "tmpfs", "-o", TINY, "tmpfs"])
            .arg(folder);
        succeeds(command).then(|| Self(folder.to_owned()))
    }

    fn enlarge(&self) -> Result<()> {
        let mut command = Command::new("mount");
        command
            .args(["-o", &format!("remount,{ROOMY}")])
            .arg(&self.0);
        if !succeeds(command) {
            bail!("the small disk cannot be enlarged");
        }
        Ok(())
    }
}

impl Drop for Mount {
    fn drop(&mut self) {
        let mut command = Command::new("umount");
        // With a process still in it, it goes once that has ended.
        command.arg("--lazy").arg(&self.0);
        succeeds(command);
    }
}

fn succeeds(mut command: Command) -> bool {
    let command = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}
