//! Killing the product in the middle of a confirmation. Owns the second process and when it dies.

use std::io::Write;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::Command;

use super::case::Case;
use super::folder::{Input, Place};
use super::play::Played;
use super::played;
use super::scenario::{Step, World};

/// Milliseconds between the last step and the kill, one try each.
const DELAYS: [u64; 6] = [0, 3, 8, 15, 30, 50];
/// What the second process says before its last step.
const READY: &str = "ready";
/// The argument that makes the runner the process that is killed.
pub const BE_KILLED: &str = "--be-killed";

/// Plays the steps before the kill in a process of its own, kills it, and plays the rest; several times.
pub(crate) async fn run(
    case: &Case,
    input: &Input,
    at: usize,
    killer: Option<&Path>,
) -> Result<Played> {
    let program = killer.context("no program to kill was given")?;
    let (before, after) = case.scenario.split_at_checked(at).context("no such step")?;
    let mut faults = Vec::new();
    let mut last = None;
    for delay in DELAYS {
        let place = input.fresh()?;
        if !before.is_empty() {
            let child = start(program, case, &place).await?;
            kill(child, delay).await?;
        }
        let mut world = World::new(case, &place)?;
        for step in after.iter().skip(1) {
            world.step(step).await?;
        }
        let played = world.end(&place).await?;
        let found = played::renders(&played);
        faults.extend(
            found
                .into_iter()
                .map(|fault| format!("killed after {delay} ms: {fault}")),
        );
        last = Some(played);
    }
    let mut played = last.context("nothing was played")?;
    played.statements.push((
        "after each kill the files are whole".to_owned(),
        Some(faults),
    ));
    Ok(played)
}

/// Starts the second process and waits until its last step is at hand.
async fn start(program: &Path, case: &Case, place: &Place) -> Result<tokio::process::Child> {
    let mut child = Command::new(program)
        .arg(BE_KILLED)
        .args([&case.folder, &place.root, &place.data])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .with_context(|| program.display().to_string())?;
    let stdout = child.stdout.take().context("no output")?;
    let line = BufReader::new(stdout).lines().next_line().await?;
    if line.as_deref() != Some(READY) {
        bail!("the process to be killed ended before its time");
    }
    Ok(child)
}

async fn kill(mut child: tokio::process::Child, delay: u64) -> Result<()> {
    tokio::time::sleep(Duration::from_millis(delay)).await;
    child.kill().await.context("kill")
}

/// Plays the steps of a case up to its kill and waits for the end.
///
/// # Errors
/// When a step fails.
pub async fn be_killed(case: &Path, root: &Path, data: &Path) -> Result<()> {
    let case = Case::read(case)?;
    let place = Place::at(root, data);
    let mut world = World::new(&case, &place)?;
    let before: Vec<&Step> = case
        .scenario
        .iter()
        .take_while(|step| !matches!(step, Step::Kill))
        .collect();
    let (last, first) = before
        .split_last()
        .context("nothing comes before the kill")?;
    for step in first {
        world.step(step).await?;
    }
    let mut stdout = std::io::stdout();
    writeln!(stdout, "{READY}")?;
    stdout.flush()?;
    world.step(last).await?;
    std::future::pending().await
}
