//! Commands that only start another program of this workspace: the field cases and the figures.

use crate::command::{cargo, run};
use crate::pack;
use crate::repo::Repo;
use anyhow::{Context, Result};
use std::path::Path;

/// What cargo is told to run: package, binary and profile.
const CASES: &[&str] = &[
    "run",
    "--quiet",
    "--package",
    "diglot-cli",
    "--bin",
    "diglot-cases",
    "--",
];
const BENCH: &[&str] = &[
    "run",
    "--quiet",
    "--release",
    "--package",
    "diglot-cli",
    "--bin",
    "diglot-bench",
    "--",
];

/// Runs every case folder of `folder` through the product.
pub(crate) fn cases(repo: &Repo, folder: &Path) -> Result<()> {
    let folder = if folder.is_dir() {
        std::path::absolute(folder)
    } else {
        Ok(repo.root().join(folder))
    }
    .context("the current folder is not known")?;
    run(cargo()
        .args(CASES)
        .arg(folder)
        .envs(pack::variable(repo))
        .current_dir(repo.root()))
}

/// Measures and prints the table of figures.
pub(crate) fn bench(repo: &Repo, args: &[&str]) -> Result<()> {
    run(cargo()
        .args(BENCH)
        .args(args)
        .envs(pack::variable(repo))
        .current_dir(repo.root()))
}
