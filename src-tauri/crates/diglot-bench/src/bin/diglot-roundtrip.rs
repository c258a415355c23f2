//! Takes files there and back: `diglot-roundtrip FOLDER..`. Owns the printed lines and the exit code.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use diglot_bench::roundtrip::{self, Tally};

fn main() -> ExitCode {
    let folders: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    match run(&folders) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            // The exit code says it as well.
            drop(writeln!(io::stderr(), "diglot-roundtrip: {error:#}"));
            ExitCode::FAILURE
        }
    }
}

/// Judges every file of the folders; tells whether none failed.
fn run(folders: &[PathBuf]) -> Result<bool> {
    if folders.is_empty() {
        bail!("call it with the folders to take files from");
    }
    let mut tally = Tally::default();
    for folder in folders {
        add(&mut tally, folder).with_context(|| folder.display().to_string())?;
    }
    write!(io::stdout(), "{tally}")?;
    Ok(tally.faults().is_empty())
}

fn add(tally: &mut Tally, folder: &Path) -> Result<()> {
    for path in roundtrip::files(folder)? {
        let bytes = fs::read(&path)?;
        let name = path
            .strip_prefix(folder)
            .unwrap_or(&path)
            .to_string_lossy()
            .replace('\\', "/");
        tally.add(&name, &roundtrip::judge(&name, &bytes));
    }
    Ok(())
}
