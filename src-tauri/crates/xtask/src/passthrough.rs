//! Commands that only start another program of this workspace: field cases, figures, round trips, hostile input.

use crate::command::{cargo, program, run};
use crate::repo::Repo;
use crate::{corpus, pack, peers};
use anyhow::{Context, Result, bail};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Package of these programs.
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
        .args(
            peers::python(repo)
                .iter()
                .flat_map(|python| [OsStr::new("--python"), python.as_os_str()]),
        )
        .envs(pack::variable(repo))
        .current_dir(repo.root()))
}

/// Proves that Diglot learns.
pub(crate) fn learning(repo: &Repo, args: &[&str]) -> Result<()> {
    run(start("diglot-learning", &[])
        .arg("--")
        .args(args)
        .current_dir(repo.root()))
}

/// Takes every file of the corpus there and back; with `--fetch` its packages are fetched first.
pub(crate) fn roundtrip(repo: &Repo, args: &[&str]) -> Result<()> {
    let mut folder = repo.corpus();
    let mut fetches = !folder.is_dir();
    let mut words = args.iter().copied();
    while let Some(word) = words.next() {
        match word {
            "--fetch" => fetches = true,
            "--corpus" => {
                folder = PathBuf::from(words.next().context("--corpus needs a folder")?);
                fetches = args.contains(&"--fetch");
            }
            other => bail!("`{other}` is not known; there are --fetch and --corpus DIR"),
        }
    }
    if fetches {
        corpus::fetch(repo, &folder)?;
    }
    run(start("diglot-roundtrip", &[])
        .arg("--")
        .arg(std::path::absolute(folder)?)
        .current_dir(repo.root()))
}

/// Looks for input that breaks a format, with the fixtures and the corpus as seeds.
pub(crate) fn fuzz(repo: &Repo, args: &[&str]) -> Result<()> {
    let fixtures = [
        "tests/fixtures",
        "src-tauri/crates/diglot-document/tests/fixtures",
    ];
    run(start("diglot-fuzz", &[])
        .arg("--")
        .args(args)
        .args(fixtures)
        .arg(repo.corpus())
        .current_dir(repo.root()))
}

/// Measures the promises with programs that are built together, so that both are of this state: as they are shipped
/// where the amounts of a release are asked for.
pub(crate) fn reliability(repo: &Repo, args: &[&str]) -> Result<()> {
    const PROGRAM: &str = "diglot-reliability";
    let is_release = std::env::var_os("RELIABILITY").is_some_and(|depth| depth == "full");
    let (folder, profile) = if is_release {
        ("release", [RELEASE].as_slice())
    } else {
        ("debug", [].as_slice())
    };
    run(cargo()
        .args([
            "build",
            "--workspace",
            "--bin",
            "diglot-cli",
            "--bin",
            PROGRAM,
        ])
        .args(profile)
        .current_dir(repo.root()))?;
    let here = std::env::current_exe().context("this program's folder is not known")?;
    let target = here
        .ancestors()
        .nth(2)
        .context("this program has no folder above its own")?;
    let name = format!("{PROGRAM}{}", std::env::consts::EXE_SUFFIX);
    run(program(target.join(folder).join(name))
        .args(args)
        .envs(pack::variable(repo))
        .current_dir(repo.root()))
}

/// Returns a command for a program of the bench.
pub(crate) fn start(program: &str, profile: &[&str]) -> Command {
    let mut command = cargo();
    command
        .args(["run", "--quiet", "--package", PACKAGE, "--bin", program])
        .args(profile);
    command
}
