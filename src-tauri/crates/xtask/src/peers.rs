//! The libraries and programs of others that read what Diglot writes: where they are installed, and the comparison.
//! Owns their names; how each is called stands in the script of `diglot-bench`.

use crate::command::{output, program, run, run_silently, succeeds};
use crate::passthrough;
use crate::repo::Repo;
use crate::report::{say, step};
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};

/// Python packages, in an environment of their own.
const PYTHON: &[&str] = &[
    "translate-toolkit[all]",
    "PyYAML",
    "docutils",
    "nbformat",
    "python-docx",
    "python-pptx",
    "openpyxl",
    "odfpy",
    "webvtt-py",
    "pysubs2",
    "srt",
    "EbookLib",
];
/// Debian packages, each with the program that shows that it is there.
const DEBIAN: &[(&str, &str)] = &[
    ("gettext", "msgfmt"),
    ("libxml2-utils", "xmllint"),
    ("epubcheck", "epubcheck"),
    ("libreoffice-writer-nogui", "soffice"),
    ("libreoffice-calc-nogui", "localc"),
    ("libreoffice-impress-nogui", "loimpress"),
];

/// Installs what is missing, and lets the peers read a few files of each format.
pub(crate) fn ask(repo: &Repo, corpus: &Path) -> Result<()> {
    step("Peers");
    programs();
    let python = environment(repo)?;
    run(passthrough::start("diglot-peers", &[])
        .arg("--")
        .arg(python)
        .arg(std::path::absolute(corpus)?)
        .current_dir(repo.root()))
}

/// Returns the Python that has the peers, if they were installed.
pub(crate) fn python(repo: &Repo) -> Option<PathBuf> {
    let bin = if cfg!(windows) {
        "Scripts/python.exe"
    } else {
        "bin/python"
    };
    Some(repo.corpus().join(".peers").join(bin)).filter(|python| python.is_file())
}

/// Installs programs where apt is at home and root; the script names those that stay missing.
fn programs() {
    let find = if cfg!(windows) { "where" } else { "which" };
    let missing: Vec<&str> = DEBIAN
        .iter()
        .filter(|(_, name)| !succeeds(program(find).arg(name)))
        .map(|(package, _)| *package)
        .collect();
    let is_root = output(program("id").arg("-u")).as_deref() == Some("0");
    if missing.is_empty() || !is_root || !succeeds(program("apt-get").arg("--version")) {
        return;
    }
    for package in missing {
        let mut install = program("apt-get");
        install.args(["install", "-y", "-qq", "--no-install-recommends", package]);
        if let Err(error) = run_silently(&mut install) {
            say(&format!("{package} cannot be installed: {error:#}"));
        }
    }
}

/// Makes the environment and installs the packages; one that cannot be had is named, and its peer skipped.
fn environment(repo: &Repo) -> Result<PathBuf> {
    let folder = repo.corpus().join(".peers");
    if python(repo).is_none() {
        run(program("python3").args(["-m", "venv"]).arg(&folder))
            .context("Python with venv is needed")?;
    }
    let python = python(repo).context("the environment has no Python")?;
    let marker = folder.join("complete");
    if marker.is_file() {
        return Ok(python);
    }
    for package in PYTHON {
        say(&format!("installing {package}"));
        let mut install = program(&python);
        install.args([
            "-m",
            "pip",
            "install",
            "-q",
            "--disable-pip-version-check",
            package,
        ]);
        if let Err(error) = run_silently(&mut install) {
            say(&format!("{package} cannot be installed: {error:#}"));
        }
    }
    std::fs::write(&marker, "")?;
    Ok(python)
}
