//! P13: a target keeps its mode and its owner, and a new one has what the person's umask gives. Owns the modes; runs the
//! program on the file systems at hand.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, ensure};
use diglot_testkit::{Cooperation, FakeServer, Promise};

use super::Bench;
use super::place::Place;
use super::trial::Trial;

/// A user and a group that are nobody's.
const NOBODY: u32 = 65_534;
/// Modes that somebody gives a target.
const MODES: [u32; 2] = [0o640, 0o600];

/// Writes targets on each file system.
pub(super) fn run(bench: &Bench) -> Result<Vec<Promise>> {
    let server = FakeServer::cooperative(Cooperation::default())?;
    let folders = [std::env::temp_dir(), PathBuf::from("/dev/shm")];
    let (mut n_targets, mut faults, mut places) = (0, Vec::new(), Vec::new());
    for folder in folders.iter().filter(|folder| folder.is_dir()) {
        match write(bench, folder, &server.base_url()) {
            Ok(n) => n_targets += n,
            Err(error) => faults.push(format!("{}: {error:#}", folder.display())),
        }
        places.push(folder.display().to_string());
    }
    let first = faults.first().map_or(String::new(), |at| format!("; {at}"));
    let figure = format!(
        "{n_targets} targets in {}: {} with another mode or owner{first}",
        places.join(" and "),
        faults.len()
    );
    Ok(vec![Promise::new(13, faults.is_empty(), figure, "0")])
}

/// Writes a new target, then over it with each mode and with another owner; returns how many were written.
fn write(bench: &Bench, folder: &Path, model: &str) -> Result<usize> {
    let start = |place: &Place| {
        let mut command = Command::new("sh");
        command.args(["-c", "umask 027; exec \"$@\"", "sh"]);
        command.arg(&bench.cli).args(["serve", "--data"]);
        command.arg(place.data());
        command
    };
    let mut trial = Trial::new(Place::in_folder(folder)?, &start, model, true)?;
    trial.open_session()?;
    let target = trial.target();
    let mode = |path: &Path| -> Result<u32> {
        let found = fs::metadata(path)?;
        Ok(found.permissions().mode() & 0o7777)
    };
    trial.confirm()?;
    trial.target_is_right()?;
    let (of_folder, of_file) = (mode(&trial.place.targets())?, mode(&target)?);
    ensure!(
        of_folder == 0o750 && of_file == 0o640,
        "umask 027 gives {of_folder:o} and {of_file:o}"
    );
    let mut n_written = 1;
    for given in MODES {
        fs::set_permissions(&target, fs::Permissions::from_mode(given))?;
        trial.confirm()?;
        trial.target_is_right()?;
        let found = mode(&target)?;
        ensure!(found == given, "{given:o} became {found:o}");
        n_written += 1;
    }
    // Only an administrator can make a file another's.
    if chown(&target, Some(NOBODY), Some(NOBODY)).is_ok() {
        trial.confirm()?;
        trial.target_is_right()?;
        let found = fs::metadata(&target)?;
        let found = (found.uid(), found.gid(), found.mode() & 0o7777);
        ensure!(
            found == (NOBODY, NOBODY, 0o600),
            "the owner became {found:?}"
        );
        n_written += 1;
    }
    trial.end()?;
    Ok(n_written)
}
