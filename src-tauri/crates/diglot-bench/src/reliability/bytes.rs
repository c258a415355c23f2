//! P38: files come back byte for byte, those of the fixtures and mutated ones. Owns the amounts.

use std::fs;
use std::time::Duration;

use anyhow::{Context, Result};
use diglot_testkit::Promise;

use super::Bench;
use crate::fuzz::{self, Plan};
use crate::roundtrip::{self, Outcome};
use crate::samples::samples;

/// Files of our own making, in all formats.
const FIXTURES: &str = "src-tauri/crates/diglot-document/tests/fixtures";
/// Real files, when they were fetched.
const CORPUS: &str = "corpus";
/// Length of a sample that is mutated, and of its long form, in bytes.
const LONG: usize = 10_000;

/// Takes the files there and back, then mutated ones.
pub(super) fn run(bench: &Bench) -> Result<Vec<Promise>> {
    let folders = bench.depth.pick(&[FIXTURES][..], &[FIXTURES, CORPUS]);
    let (mut n_files, mut faults) = (0_usize, Vec::new());
    for folder in folders.iter().map(|folder| bench.root.join(folder)) {
        if !folder.is_dir() {
            continue;
        }
        for path in roundtrip::files(&folder)? {
            let bytes = fs::read(&path).with_context(|| path.display().to_string())?;
            let name = path.to_string_lossy();
            n_files += 1;
            if let Outcome::Failed(found) = roundtrip::judge(&name, &bytes).outcome {
                faults.extend(found.first().map(|fault| format!("{name}: {}", fault.law)));
            }
        }
    }
    let (mut n_mutated, time) = (0_usize, bench.depth.pick(20, 10_000));
    // The tests mutate every sample; here a few show that the harness works.
    for sample in samples().step_by(bench.depth.pick(8, 1)) {
        let found = fuzz::run(Plan {
            name: sample.name.to_owned(),
            seeds: vec![sample.repeated(3)],
            long: sample.sized(LONG),
            time: Duration::from_millis(time),
            seed: 1,
            // Bombs are for the tests and for a run of their own.
            share: usize::MAX,
            trace: None,
            measures_memory: false,
        })?;
        n_mutated += found.n_cases;
        let broken = found.faults.first();
        faults.extend(broken.map(|broken| format!("{}: {}", sample.name, broken.what)));
    }
    let what = faults
        .first()
        .map_or(String::new(), |fault| format!("; {fault}"));
    Ok(vec![Promise::new(
        38,
        faults.is_empty(),
        format!(
            "{n_files} files and {n_mutated} mutated ones, {} broken{what}",
            faults.len()
        ),
        "0 broken",
    )])
}
