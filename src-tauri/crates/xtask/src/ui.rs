//! The front end's packages and its build. Knows npm, and the names of the scripts in ui/package.json.

use crate::command::{npm, run};
use crate::hash::sha256;
use crate::repo::Repo;
use crate::report::say;
use anyhow::{Context, Result};
use std::path::PathBuf;

/// Installs the packages of the lock file, unless exactly those were installed before.
pub(crate) fn install(repo: &Repo) -> Result<()> {
    let stamp = stamp(repo);
    let wanted = fingerprint(repo)?;
    if std::fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) {
        say("ui/node_modules is up to date");
        return Ok(());
    }
    run(npm()
        .args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"])
        .current_dir(repo.ui()))?;
    std::fs::write(&stamp, wanted).with_context(|| format!("write {}", stamp.display()))
}

/// Builds ui/dist, which the shell embeds.
pub(crate) fn build(repo: &Repo) -> Result<()> {
    script(repo, &["build"])
}

/// Runs a script of ui/package.json.
pub(crate) fn script(repo: &Repo, words: &[&str]) -> Result<()> {
    run(npm().arg("run").args(words).current_dir(repo.ui()))
}

fn stamp(repo: &Repo) -> PathBuf {
    repo.ui().join("node_modules/.diglot-installed")
}

fn fingerprint(repo: &Repo) -> Result<String> {
    let path = repo.ui().join("package-lock.json");
    let lock = std::fs::read(&path).with_context(|| format!("read {}", path.display()))?;
    Ok(sha256(&lock))
}
