//! P44: what the program deletes, moves or cuts short, from recordings of its calls. Owns which names are its own.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Result;
use diglot_testkit::Promise;
use serde_json::json;

use super::Bench;
use super::recording::{Recorder, Recording};
use super::strace::Call;
use super::tally::Tally;
use crate::fuzz::random::Random;

/// Decisions before it.
const DECISIONS: usize = 12;

/// Holds what was seen.
#[derive(Debug, Default)]
pub(super) struct Found {
    n_recordings: usize,
    n_deletions: usize,
    strange: BTreeSet<String>,
}

impl Found {
    /// Looks through a recording.
    pub(super) fn look(&mut self, recording: &Recording) {
        self.n_recordings += 1;
        let place = &recording.job.place;
        let (data, targets) = (place.data(), place.targets());
        for call in recording.logs.iter().flat_map(|log| &log.calls) {
            let Some(path) = taken(call) else { continue };
            self.n_deletions += 1;
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let is_temporary = name.starts_with(".diglot-") && name.ends_with(".tmp");
            // A file of somebody else may be given another name, if the person says so.
            let is_set_aside = call.name.starts_with("rename") && is_aside(call, &targets);
            let is_ours = path.starts_with(&data)
                || path.starts_with(&targets) && (is_temporary || is_set_aside);
            if !is_ours {
                self.strange
                    .insert(format!("{} {}", call.name, path.display()));
            }
        }
    }

    /// Takes over what was seen elsewhere.
    pub(super) fn merge(&mut self, other: Self) {
        self.n_recordings += other.n_recordings;
        self.n_deletions += other.n_deletions;
        self.strange.extend(other.strange);
    }

    pub(super) fn promise(&self, bench: &Bench, seed: u64) -> Promise {
        let tally = Tally {
            faults: self.strange.iter().cloned().collect(),
            ..Tally::default()
        };
        let done = format!(
            "{} deletions, moves and cuts in {} recordings",
            self.n_deletions, self.n_recordings
        );
        let goal = "own temporaries and own data only";
        tally.promise(bench, [&done, goal], 44, seed)
    }
}

/// Returns what a call takes away: a file that it deletes, moves or makes shorter.
fn taken(call: &Call) -> Option<PathBuf> {
    let takes = match call.name.as_str() {
        "unlink" | "unlinkat" | "rename" | "renameat" | "renameat2" | "ftruncate" => true,
        "openat" | "openat2" => call.has("O_TRUNC"),
        _ => false,
    };
    call.paths()
        .into_iter()
        .next()
        .filter(|_| takes && call.is_done())
}

fn is_aside(call: &Call, targets: &Path) -> bool {
    let to = call.paths().into_iter().nth(1).unwrap_or_default();
    let name = to.file_name().unwrap_or_default().to_string_lossy();
    to.starts_with(targets) && name.contains(".before-diglot")
}

/// Records what takes most away: targets that somebody else wrote, and the end of a session.
pub(super) fn record(recorder: &Recorder<'_>, random: Random) -> Result<Recording> {
    recorder.record_with(random, |job, served| {
        job.open(served)??;
        fs::create_dir_all(job.place.targets())?;
        for name in ["guide.md", "notes.txt"] {
            fs::write(job.place.targets().join(name), "mine")?;
        }
        job.work(served, DECISIONS)?;
        for (name, choice) in [("guide.md", "overwrite"), ("notes.txt", "beside")] {
            let args = json!({"path": name, "choice": choice});
            job.call(served, "target_resolve", &args)??;
        }
        job.call(served, "session_delete", &json!({}))??;
        Ok(())
    })
}
