//! Lets others read what the product writes: `diglot-peers PYTHON FOLDER..`. Owns the choice of files, the printed
//! lines and the exit code.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Result, bail};
use diglot_bench::samples::samples;
use diglot_bench::{formats, peers, roundtrip};

/// Where the files are written.
const OUTPUT: &str = "target/peers";
/// Files of each ending.
const CAP: usize = 4;

fn main() -> ExitCode {
    let args: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let result = match args.as_slice() {
        [python, folders @ ..] => run(python, folders),
        [] => Err(anyhow::anyhow!(
            "call it with a Python and the folders to take files from"
        )),
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            // The exit code says it as well.
            drop(writeln!(io::stderr(), "diglot-peers: {error:#}"));
            ExitCode::FAILURE
        }
    }
}

/// Writes a few files of each ending and lets the peers read them; tells whether none failed.
fn run(python: &Path, folders: &[PathBuf]) -> Result<bool> {
    let output = Path::new(OUTPUT);
    if output.is_dir() {
        fs::remove_dir_all(output)?;
    }
    let mut written = Vec::new();
    for (number, (name, bytes)) in candidates(folders)?.into_iter().enumerate() {
        let ending = formats::ending(&name);
        let place = output.join(format!("{number}.{ending}"));
        written.extend(peers::write(&name, &bytes, &place)?);
    }
    if written.is_empty() {
        bail!("there is no file to show");
    }
    let comparison = peers::ask(python, &written)?;
    write!(io::stdout(), "{comparison}")?;
    if let Some(told) = peers::terms::compare(python, &output.join("terms"))? {
        writeln!(io::stdout(), "{told}")?;
    }
    Ok(comparison.faults().is_empty())
}

/// Lists the samples, and a few files of each ending, evenly taken.
fn candidates(folders: &[PathBuf]) -> Result<Vec<(String, Vec<u8>)>> {
    let mut chosen: Vec<(String, Vec<u8>)> = samples()
        .map(|sample| (sample.name.to_owned(), sample.repeated(3)))
        .collect();
    let mut endings: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for folder in folders.iter().filter(|folder| folder.is_dir()) {
        for path in roundtrip::files(folder)? {
            let ending = formats::ending(&path.to_string_lossy());
            endings.entry(ending).or_default().push(path);
        }
    }
    for paths in endings.into_values() {
        let step = paths.len().div_ceil(CAP);
        for path in paths.into_iter().step_by(step) {
            let bytes = fs::read(&path)?;
            chosen.push((path.to_string_lossy().into_owned(), bytes));
        }
    }
    Ok(chosen)
}
