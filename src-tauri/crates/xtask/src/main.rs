//! Set-up and checks, the same on every system: reads the command line and hands over.
//! Owns no step itself, and knows nothing of how Diglot works inside.

mod advisories;
mod bundle;
mod checks;
mod command;
mod corpus;
mod hash;
mod pack;
mod passthrough;
mod peers;
mod repo;
mod report;
mod run;
mod sample;
mod sbom;
mod system;
mod ui;

use anyhow::{Result, bail};
use repo::Repo;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const USAGE: &str = "\
cargo xtask run [-- FOLDER]        set up what is missing, build, and open FOLDER (default: the sample)
cargo xtask test [--only A,B]      every check that CI makes, or only the named stages
cargo xtask pack [DIR]             fetch the English-Portuguese language pack into DIR (default: packs)
cargo xtask bundle [--debug] [--bundles KIND,..]   make the installer of this system
cargo xtask cases [DIR]            run the field cases of DIR (default: tests/fixtures/cases)
cargo xtask bench [--release] [--window] [--units N,N,..] [--formats]   print the tables of figures
cargo xtask learning [UNITS]       prove that it learns: a scripted translator with eight habits
cargo xtask roundtrip [--fetch] [--corpus DIR]   take every file of the corpus (default: corpus) there and back
cargo xtask fuzz [--format F] [--seconds N] [--seed S]   look for input that breaks a format
cargo xtask reliability [P1 P2 ..]  measure the promises of SECURITY.md (RELIABILITY=full: as before a release)
cargo xtask advisories FOLDER      take up a copy of the RustSec advisory database
cargo xtask peers [--corpus DIR]   let other programs read what Diglot writes";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match dispatch(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            report::fail(&error);
            ExitCode::FAILURE
        }
    }
}

fn dispatch(args: &[String]) -> Result<()> {
    let words: Vec<&str> = args
        .iter()
        .map(String::as_str)
        .filter(|word| *word != "--")
        .collect();
    let repo = Repo::find()?;
    match words.as_slice() {
        ["run"] => run::run(&repo, None),
        ["run", folder] => run::run(&repo, Some(Path::new(folder))),
        ["test"] => checks::run(&repo, None),
        ["test", "--only", stages] => checks::run(&repo, Some(stages)),
        ["pack"] => pack::fetch(&repo, &repo.packs()),
        ["pack", folder] => pack::fetch(&repo, &PathBuf::from(folder)),
        ["bundle", rest @ ..] => bundle::make(&repo, rest),
        ["cases"] => passthrough::cases(&repo, Path::new("tests/fixtures/cases")),
        ["cases", folder] => passthrough::cases(&repo, Path::new(folder)),
        ["bench", rest @ ..] => passthrough::bench(&repo, rest),
        ["learning", rest @ ..] => passthrough::learning(&repo, rest),
        ["roundtrip", rest @ ..] => passthrough::roundtrip(&repo, rest),
        ["peers"] => peers::ask(&repo, &repo.corpus()),
        ["peers", "--corpus", folder] => peers::ask(&repo, Path::new(folder)),
        ["fuzz", rest @ ..] => passthrough::fuzz(&repo, rest),
        ["reliability", rest @ ..] => passthrough::reliability(&repo, rest),
        ["advisories", folder] => advisories::gather(&repo, Path::new(folder)),
        ["help" | "--help" | "-h"] => {
            report::say(USAGE);
            Ok(())
        }
        _ => bail!("this is not how xtask is called; it knows:\n{USAGE}"),
    }
}
