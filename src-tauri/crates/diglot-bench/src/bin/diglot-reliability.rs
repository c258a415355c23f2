//! Measures the promises: `diglot-reliability [--programs] [P1 P2 ..]`, from the root of the repository. Owns the printed
//! lines and the exit code.

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::{Context, Result};
use diglot_bench::reliability::{self, Bench, Choice};

/// Leaves out the harnesses that run as tests.
const PROGRAMS: &str = "--programs";

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            // The exit code says it as well.
            drop(writeln!(io::stderr(), "diglot-reliability: {error:#}"));
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<bool> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let choice = choice(&args)?;
    let bench = Bench::beside(&std::env::current_exe()?, &std::env::current_dir()?)?;
    reliability::run(&bench, &choice, &mut |line| {
        Ok(writeln!(io::stdout(), "{line}")?)
    })
}

fn choice(args: &[String]) -> Result<Choice> {
    match args {
        [] => Ok(Choice::All),
        [flag] if flag == PROGRAMS => Ok(Choice::Programs),
        names => {
            let number = |name: &String| {
                let number = name
                    .strip_prefix('P')
                    .and_then(|number| number.parse().ok());
                number.with_context(|| format!("`{name}` is no promise; they are P1 to P44"))
            };
            Ok(Choice::Promises(
                names.iter().map(number).collect::<Result<_>>()?,
            ))
        }
    }
}
