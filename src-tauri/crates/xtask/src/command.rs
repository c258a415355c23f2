//! Starting other programs and telling which one failed. Knows no particular program's meaning.

use crate::report::say;
use anyhow::{Context, Result, bail};
use std::ffi::OsStr;
use std::process::{Command, Stdio};

/// Returns a command for `program` with an environment as if it were started by hand.
///
/// `cargo run` leaves the variables of this crate behind; build scripts that watch them (ring's, for one)
/// would be built anew at every change between `cargo xtask` and plain `cargo`.
pub(crate) fn program(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    for (name, _) in std::env::vars_os() {
        let inherited = name.to_str().is_some_and(|name| {
            name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_")
        });
        if inherited {
            command.env_remove(name);
        }
    }
    command
}

/// Returns a command for the cargo that started this program.
pub(crate) fn cargo() -> Command {
    program(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// Returns a command for npm, which is a script with another name on Windows.
pub(crate) fn npm() -> Command {
    program(if cfg!(windows) { "npm.cmd" } else { "npm" })
}

/// Shows a command, runs it and fails unless it succeeds.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let line = line(command);
    say(&format!("  $ {line}"));
    let status = command
        .status()
        .with_context(|| format!("`{line}` could not be started"))?;
    if !status.success() {
        bail!("`{line}` failed ({status})");
    }
    Ok(())
}

/// Runs a command without showing what it prints, and fails with the last line of its complaint unless it succeeds.
pub(crate) fn run_silently(command: &mut Command) -> Result<()> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("{name} could not be started"))?;
    if !output.status.success() {
        let complaint = String::from_utf8_lossy(&output.stderr);
        let reason = complaint.lines().rfind(|line| !line.trim().is_empty());
        bail!(
            "{name}: {}",
            reason.unwrap_or("failed and gave no reason").trim()
        );
    }
    Ok(())
}

/// Runs a command silently and tells whether it succeeded; one that is not installed did not.
pub(crate) fn succeeds(command: &mut Command) -> bool {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// Runs a command silently and returns what it printed, trimmed; `None` when it failed or is not installed.
pub(crate) fn output(command: &mut Command) -> Option<String> {
    let output = command
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()?;
    let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    output.status.success().then_some(text)
}

/// Writes a command as one would type it, the program by its name only.
pub(crate) fn line(command: &Command) -> String {
    let program = std::path::Path::new(command.get_program());
    let name = program.file_name().unwrap_or(command.get_program());
    std::iter::once(name)
        .chain(command.get_args())
        .map(|word| match word.to_string_lossy() {
            word if word.contains(' ') => format!("\"{word}\""),
            word => word.into_owned(),
        })
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_names_the_command() {
        let error = run(cargo().args(["no-such-command"]).stderr(Stdio::null())).unwrap_err();
        assert!(
            error
                .to_string()
                .starts_with("`cargo no-such-command` failed"),
            "{error}"
        );
    }

    #[test]
    fn a_silent_failure_gives_the_last_line_of_the_complaint() {
        let error = run_silently(cargo().args(["metadata", "--no-such-option"])).unwrap_err();
        assert!(
            error.to_string().contains("cargo: For more information"),
            "{error}"
        );
    }

    #[test]
    fn a_program_that_is_not_installed_does_not_succeed() {
        assert!(!succeeds(&mut program("diglot-no-such-program")));
        assert_eq!(output(&mut program("diglot-no-such-program")), None);
    }

    #[test]
    fn a_line_quotes_words_with_blanks() {
        assert_eq!(
            line(program("/usr/bin/xvfb-run").args(["-s", "-screen 0"])),
            "xvfb-run -s \"-screen 0\""
        );
    }
}
