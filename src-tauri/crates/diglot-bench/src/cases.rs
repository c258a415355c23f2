//! Field cases: folders that say what must hold of the product when it is given certain files and a certain
//! model. Owns the order of the work and the report; each kind of check has its own module.

mod apply;
mod case;
mod evidence;
mod expect;
mod folder;
mod history;
mod keys;
mod kill;
mod named;
mod pairs;
mod play;
mod played;
mod reader;
mod report;
mod scenario;
mod statement;

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};

use case::Case;
use evidence::Evidence;
pub use kill::{BE_KILLED, be_killed};
pub use report::{Finding, Report, Verdict};

/// Longest time for one case.
const PATIENCE: Duration = Duration::from_secs(180);

/// Lists the case folders of a folder, sorted: those that hold an `expect.md`. The folder itself may be one.
///
/// # Errors
/// When the folder cannot be read.
pub fn find(folder: &Path) -> Result<Vec<PathBuf>> {
    if folder.join("expect.md").is_file() {
        return Ok(vec![folder.to_owned()]);
    }
    let entries = std::fs::read_dir(folder).with_context(|| folder.display().to_string())?;
    let mut found: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.join("expect.md").is_file())
        .collect();
    found.sort();
    Ok(found)
}

/// Runs one case; whatever goes wrong stands in the report. `killer` is the program that a case may start and kill:
/// it must hand over to [`be_killed`].
pub async fn run(folder: &Path, killer: Option<&Path>) -> Report {
    let name = folder
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let mut report = Report::new(name);
    match tokio::time::timeout(PATIENCE, judge(folder, killer, &mut report)).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => report.fail("run", format!("{error:#}")),
        Err(_) => report.fail("run", format!("not done after {} s", PATIENCE.as_secs())),
    }
    report
}

async fn judge(folder: &Path, killer: Option<&Path>, report: &mut Report) -> Result<()> {
    let case = Case::read(folder)?;
    report.title.clone_from(&case.expect.title);
    let Some(input) = folder::Input::make(&case, report).await? else {
        return Ok(());
    };
    let mut evidence = Evidence::collect(&case, input).await?;
    if evidence.refuse(report) {
        return Ok(());
    }
    keys::judge(&case, &evidence, report);
    pairs::judge(&case, &evidence, report);
    if case.scenario.is_empty() {
        if !case.history.is_empty() {
            evidence.played = Some(history::run(&case, &evidence.input).await?);
        } else if case.has_script() {
            evidence.played = Some(play::script(&case, &evidence.input).await?);
        } else if named::wants_silence(&case) {
            evidence.played = Some(play::well_behaved(&case, &evidence.input).await?);
        } else if case.applies() {
            evidence.applied = Some(apply::run(&case, &evidence.input).await?);
        }
    } else {
        evidence.played = Some(scenario::run(&case, &evidence.input, killer).await?);
    }
    played::judge(&case, &evidence, report);
    apply::judge(&case, &evidence, report);
    named::judge(&case, &evidence, report);
    report.close();
    Ok(())
}
