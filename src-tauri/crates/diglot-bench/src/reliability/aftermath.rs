//! What must hold after a process has ended, however it did, and once the next one has started. Shared by the harnesses
//! that crash and that fail.

use anyhow::{Result, bail};

use super::Bench;
use super::job::Job;
use super::judge;
use super::place::Scratch;
use super::served::Served;

/// Looks at what a process left, before anything opens it, and takes note of what became of its last decision.
pub(super) fn autopsy(job: &mut Job, scratch: &Scratch) -> Result<Vec<String>> {
    let copy = job.place.copy_database(scratch)?;
    let kept = match judge::database(&copy, job.decided(), job.n_kept()) {
        Ok(kept) => kept,
        Err(fault) => return Ok(vec![fault]),
    };
    job.settle(kept.n_decided);
    let names = job.generations.names();
    let torn = names.filter_map(|name| {
        let bytes = job.place.target(name);
        judge::target(&job.generations, name, bytes.as_deref(), &kept)
    });
    Ok(torn.collect())
}

/// Looks at what the application shows after it was opened: everything, with targets that are up to date and nothing
/// left over.
pub(super) fn after_start(job: &Job, served: &mut Served) -> Result<Vec<String>> {
    if job.has_targets() && !served.wait_for_targets(0)? {
        bail!("the process ended before it wrote its targets");
    }
    let mut faults = job.shown_faults(served)?;
    faults.extend(job.target_faults()?);
    let leftovers = job.place.leftovers();
    faults.extend(
        leftovers
            .into_iter()
            .map(|path| format!("{path} is left over")),
    );
    Ok(faults)
}

/// Starts the program once more, looks at what it shows, and closes it in order.
pub(super) fn next_start(bench: &Bench, job: &mut Job, scratch: &Scratch) -> Result<Vec<String>> {
    let mut served = Served::start(&bench.cli, &job.place.data())?;
    job.open(&mut served)??;
    let mut faults = after_start(job, &mut served)?;
    if !served.end()?.success() {
        faults.push("it did not end well".to_owned());
    }
    faults.extend(autopsy(job, scratch)?);
    Ok(faults)
}
