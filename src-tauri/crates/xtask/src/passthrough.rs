//! Commands that only start another program of this workspace: the field cases and the figures.

use crate::command::{cargo, run};
use crate::pack;
use crate::repo::Repo;
use anyhow::{Context, Result};
use std::path::Path;
use std::process::Command;

/// Package of both programs.
const PACKAGE: &str = "diglot-bench";
/// Asks for figures of the shipped build; the dev build is there already and takes minutes less.
const RELEASE: &str = "--release";

/// Runs every case folder of `folder` through the product.
pub(crate) fn cases(repo: &Repo, folder: &Path) -> Result<()> {
    let folder = if folder.is_dir() {
        std::path::absolute(folder)
    } else {
        Ok(repo.root().join(folder))
    }
    .context("the current folder is not known")?;
    run(start("diglot-cases", &[])
        .arg("--")
        .arg(folder)
        .envs(pack::variable(repo))
        .current_dir(repo.root()))
}

/// Measures and prints the table of figures. With `--release` the programs are built as they are shipped.
pub(crate) fn bench(repo: &Repo, args: &[&str]) -> Result<()> {
    let is_release = args.contains(&RELEASE);
    let profile: &[&str] = if is_release { &[RELEASE] } else { &[] };
    if is_release {
        // The table holds the size of what is shipped, so that must be there.
        run(cargo()
            .args([
                "build",
                RELEASE,
                "--package",
                "diglot",
                "--package",
                "diglot-cli",
            ])
            .current_dir(repo.root()))?;
    }
    run(start("diglot-bench", profile)
        .arg("--")
        .args(args.iter().filter(|arg| **arg != RELEASE))
        .envs(pack::variable(repo))
        .current_dir(repo.root()))
}

fn start(program: &str, profile: &[&str]) -> Command {
    let mut command = cargo();
    command
        .args(["run", "--quiet", "--package", PACKAGE, "--bin", program])
        .args(profile);
    command
}
