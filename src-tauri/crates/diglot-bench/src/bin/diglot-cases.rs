//! Runs field cases: `diglot-cases [--trace] [DIR]`, one case or a folder of them. Owns the printed lines and the exit code.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use diglot_bench::cases::{self, BE_KILLED, Verdict};

/// Shows the conversation with the scripted model too.
const TRACE: &str = "--trace";
/// Cases of the repository, from its root.
const DEFAULT: &str = "tests/fixtures/cases";

#[tokio::main]
async fn main() -> ExitCode {
    let args: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let result = match args.as_slice() {
        [] => run(Path::new(DEFAULT), false).await,
        [flag, folder] if flag.as_os_str() == TRACE => run(folder, true).await,
        [flag, case, root, data] if flag.as_os_str() == BE_KILLED => {
            cases::be_killed(case, root, data).await.map(|()| true)
        }
        [folder] => run(folder, false).await,
        _ => Err(anyhow::anyhow!(
            "call it with one folder of cases, or with none"
        )),
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            // The exit code says it as well.
            drop(writeln!(io::stderr(), "diglot-cases: {error:#}"));
            ExitCode::FAILURE
        }
    }
}

/// Runs every case of a folder; tells whether none failed.
async fn run(folder: &Path, traces: bool) -> anyhow::Result<bool> {
    let killer = std::env::current_exe()?;
    let (mut n_passed, mut n_failed, mut n_skipped) = (0, 0, 0);
    for case in cases::find(folder)? {
        let report = cases::run(&case, Some(&killer)).await;
        match report.verdict() {
            Verdict::Passed => n_passed += 1,
            Verdict::Failed => n_failed += 1,
            Verdict::Skipped(_) => n_skipped += 1,
        }
        writeln!(io::stdout(), "{report}")?;
        for line in report.trace.iter().filter(|_| traces) {
            writeln!(io::stdout(), "    {line}")?;
        }
    }
    writeln!(
        io::stdout(),
        "{n_passed} passed, {n_failed} failed, {n_skipped} skipped"
    )?;
    Ok(n_failed == 0)
}
