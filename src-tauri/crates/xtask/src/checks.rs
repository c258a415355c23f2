//! `cargo xtask test`: the stages that CI runs, cheapest first, in an order in which none builds twice.

use crate::command::{cargo, program, run as run_command};
use crate::repo::Repo;
use crate::report::{duration, say, step};
use crate::system::{self, Purpose};
use crate::{pack, passthrough, ui};
use anyhow::{Context, Result, bail};
use std::process::Command;
use std::time::{Duration, Instant};

struct Stage {
    name: &'static str,
    title: &'static str,
    run: fn(&Repo) -> Result<()>,
}

/// The order matters: the shell embeds ui/dist, so the front end is built before any Rust; the documentation takes up
/// what clippy has checked; the window is driven with what the tests have built.
const STAGES: &[Stage] = &[
    Stage {
        name: "fmt",
        title: "Rust formatting",
        run: fmt,
    },
    Stage {
        name: "system",
        title: "Node and system libraries",
        run: system,
    },
    Stage {
        name: "pack",
        title: "English-Portuguese language pack",
        run: pack,
    },
    Stage {
        name: "ui-install",
        title: "Front end: packages",
        run: ui::install,
    },
    Stage {
        name: "ui-lint",
        title: "Front end: lint",
        run: ui_lint,
    },
    Stage {
        name: "ui-check",
        title: "Front end: types",
        run: ui_check,
    },
    Stage {
        name: "ui-test",
        title: "Front end: tests",
        run: ui_test,
    },
    Stage {
        name: "ui-build",
        title: "Front end: build",
        run: ui::build,
    },
    Stage {
        name: "clippy",
        title: "Rust lints",
        run: clippy,
    },
    Stage {
        name: "doc",
        title: "Rust documentation",
        run: doc,
    },
    Stage {
        name: "test",
        title: "Rust tests",
        run: test,
    },
    Stage {
        name: "reliability",
        title: "Promises that only whole programs show",
        run: reliability,
    },
    Stage {
        name: "e2e",
        title: "The window, driven from outside",
        run: e2e,
    },
];

/// How long the window tests may take in all, in seconds. They hang rather than fail when the window does not open.
const E2E_LIMIT: &str = "900";

/// Runs every stage, or those of the comma-separated list `only`, and stops at the first that fails.
pub(crate) fn run(repo: &Repo, only: Option<&str>) -> Result<()> {
    let mut passed = Vec::new();
    for stage in select(only)? {
        step(stage.title);
        let start = Instant::now();
        let result = (stage.run)(repo);
        let time = start.elapsed();
        if let Err(error) = result {
            summarize(&passed, 1);
            let time = duration(time);
            return Err(error.context(format!("stage {} failed after {time}", stage.name)));
        }
        say(&format!("{}: {}", stage.name, duration(time)));
        passed.push((stage.name, time));
    }
    summarize(&passed, 0);
    Ok(())
}

fn select(only: Option<&str>) -> Result<Vec<&'static Stage>> {
    let Some(only) = only else {
        return Ok(STAGES.iter().collect());
    };
    let names: Vec<&str> = only.split(',').collect();
    if let Some(unknown) = names
        .iter()
        .find(|name| STAGES.iter().all(|stage| stage.name != **name))
    {
        let known: Vec<&str> = STAGES.iter().map(|stage| stage.name).collect();
        bail!(
            "there is no stage {unknown}; there are {}",
            known.join(", ")
        );
    }
    Ok(STAGES
        .iter()
        .filter(|stage| names.contains(&stage.name))
        .collect())
}

fn summarize(passed: &[(&str, Duration)], n_failed: usize) {
    step("Summary");
    for (name, time) in passed {
        say(&format!("  {name:<12}{}", duration(*time)));
    }
    let total = passed.iter().map(|(_, time)| *time).sum();
    say(&format!("  {:<12}{}", "in all", duration(total)));
    say(&format!(
        "stages: {} passed, {n_failed} failed",
        passed.len()
    ));
}

fn fmt(repo: &Repo) -> Result<()> {
    cargo_in(repo, &["fmt", "--all", "--check"])
}

fn system(_: &Repo) -> Result<()> {
    system::ensure(Purpose::Test)
}

#[expect(
    clippy::unnecessary_wraps,
    reason = "a stage may fail; this one never does"
)]
fn pack(repo: &Repo) -> Result<()> {
    if let Err(error) = pack::fetch(repo, &repo.packs()) {
        say(&format!(
            "The pack could not be had; the tests that need it say so and pass over ({error:#})."
        ));
    }
    Ok(())
}

fn ui_lint(repo: &Repo) -> Result<()> {
    ui::script(repo, &["lint", "--if-present"])
}

fn ui_check(repo: &Repo) -> Result<()> {
    ui::script(repo, &["check"])
}

fn ui_test(repo: &Repo) -> Result<()> {
    ui::script(repo, &["test"])
}

fn clippy(repo: &Repo) -> Result<()> {
    cargo_in(
        repo,
        &[
            "clippy",
            "--workspace",
            "--all-targets",
            "--",
            "--deny",
            "warnings",
        ],
    )
}

fn doc(repo: &Repo) -> Result<()> {
    let mut command = cargo();
    command
        .args(["doc", "--workspace", "--no-deps"])
        .env("RUSTDOCFLAGS", "--deny warnings");
    in_root(repo, &mut command)
}

fn test(repo: &Repo) -> Result<()> {
    let mut command = cargo();
    command
        .args(["test", "--workspace"])
        .envs(pack::variable(repo));
    in_root(repo, &mut command)
}

fn reliability(repo: &Repo) -> Result<()> {
    passthrough::reliability(repo, &["--programs"])
}

/// Drives the real window under a screen and a bus of its own. `--workspace` keeps cargo from choosing other features
/// than the test stage did, which would build everything once more.
fn e2e(repo: &Repo) -> Result<()> {
    const TARGET: [&str; 4] = ["test", "--workspace", "--test", "e2e"];
    if !repo.root().join("tests/e2e/main.rs").is_file() {
        say("there are no window tests yet");
        return Ok(());
    }
    if !cfg!(target_os = "linux") {
        say("passed over: the driver of the window (WebKitWebDriver) exists on Linux only");
        return Ok(());
    }
    cargo_in(repo, &[TARGET.as_slice(), &["--no-run"]].concat())?;
    let inner = cargo();
    let mut command = program("timeout");
    command
        .args([
            "--kill-after=15",
            E2E_LIMIT,
            "xvfb-run",
            "-a",
            "-s",
            "-screen 0 1280x900x24",
        ])
        .args(["dbus-run-session", "--"])
        .arg(inner.get_program())
        .args(TARGET)
        .args(["--", "--test-threads=1"])
        .env("DIGLOT_E2E", "1")
        // Without a graphics card WebKit's default renderer costs seconds at every start.
        .env("WEBKIT_DISABLE_DMABUF_RENDERER", "1")
        .envs(pack::variable(repo));
    in_root(repo, &mut command).with_context(|| format!("the limit is {E2E_LIMIT} s"))
}

fn cargo_in(repo: &Repo, args: &[&str]) -> Result<()> {
    in_root(repo, cargo().args(args))
}

fn in_root(repo: &Repo, command: &mut Command) -> Result<()> {
    run_command(command.current_dir(repo.root()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(only: Option<&str>) -> Vec<&'static str> {
        select(only)
            .unwrap()
            .iter()
            .map(|stage| stage.name)
            .collect()
    }

    #[test]
    fn chosen_stages_keep_their_order() {
        assert_eq!(names(Some("test,fmt")), ["fmt", "test"]);
        assert_eq!(names(None).len(), STAGES.len());
    }

    #[test]
    fn an_unknown_stage_is_named_with_the_known_ones() {
        let error = select(Some("fmt,tset")).err().unwrap().to_string();
        assert!(
            error.starts_with("there is no stage tset; there are fmt, system"),
            "{error}"
        );
    }

    #[test]
    fn the_front_end_is_built_before_any_rust() {
        let place = |name| STAGES.iter().position(|stage| stage.name == name).unwrap();
        for rust in ["clippy", "doc", "test", "e2e"] {
            assert!(place("ui-build") < place(rust), "{rust}");
        }
    }
}
