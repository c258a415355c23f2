//! Prints the proof that Diglot learns, and fails when a goal is missed: `diglot-learning [UNITS]`. Owns how many units are
//! worked through by default.

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::{Result, ensure};

/// Units of the proof.
const UNITS: usize = 300;

#[tokio::main]
async fn main() -> ExitCode {
    match run().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // The exit code says it as well.
            drop(writeln!(io::stderr(), "diglot-learning: {error:#}"));
            ExitCode::FAILURE
        }
    }
}

async fn run() -> Result<()> {
    let n_units = match std::env::args().nth(1) {
        Some(number) => number.parse()?,
        None => UNITS,
    };
    let (table, missed) = diglot_bench::learning::prove(n_units).await?;
    write!(io::stdout(), "{table}")?;
    ensure!(missed.is_empty(), "goals missed: {}", missed.join("; "));
    Ok(())
}
