//! The files of a case, built once and copied for each run. Owns temporary folders.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use tempfile::TempDir;

use super::case::Case;
use super::report::Report;

/// Longest time for `make.py`.
const PATIENCE: Duration = Duration::from_secs(60);

/// Maps relative paths with `/` to bytes.
pub(crate) type Files = BTreeMap<String, Vec<u8>>;

/// Holds a case's files as they are dropped.
pub(crate) struct Input {
    temp: TempDir,
    root: String,
    /// Files of the project.
    pub(crate) files: Files,
    /// Files beside the project, which the product must not touch.
    pub(crate) around: Files,
}

impl Input {
    /// Builds the files; `None` with the reason in the report when that is not possible.
    pub(crate) async fn make(case: &Case, report: &mut Report) -> Result<Option<Self>> {
        if let Some(name) = case.unknown_state() {
            report.skip(format!("needs {name}, which the runner cannot load"));
            return Ok(None);
        }
        let temp = TempDir::new()?;
        let inside = temp.path().join("in");
        fs::create_dir(&inside)?;
        let has_input = case.folder.join("in").is_dir();
        if has_input {
            copy(&case.folder.join("in"), &inside)?;
        }
        let make = case.folder.join("make.py");
        if make.is_file() {
            let Some(python) = python().await else {
                report.skip("needs python3 for make.py");
                return Ok(None);
            };
            run(python, &make, &inside).await?;
        } else if !has_input {
            report.skip("has neither in/ nor make.py");
            return Ok(None);
        }
        let root = case.root().to_owned();
        let files = read(&inside.join(&root))?;
        let mut around = read(&inside)?;
        around.retain(|path, _| !root.is_empty() && !path.starts_with(&format!("{root}/")));
        Ok(Some(Self {
            temp,
            root,
            files,
            around,
        }))
    }

    /// Makes a copy for one run.
    pub(crate) fn fresh(&self) -> Result<Place> {
        let temp = TempDir::new()?;
        let inside = temp.path().join("in");
        copy(&self.temp.path().join("in"), &inside)?;
        let root = if self.root.is_empty() {
            inside
        } else {
            inside.join(&self.root)
        };
        Ok(Place {
            root,
            data: temp.path().join("data"),
            _temp: Some(temp),
        })
    }
}

/// Holds the folders of one run; gone when dropped.
pub(crate) struct Place {
    /// The project.
    pub(crate) root: PathBuf,
    /// The application's data.
    pub(crate) data: PathBuf,
    _temp: Option<TempDir>,
}

impl Place {
    /// Names folders that somebody else made and removes.
    pub(crate) fn at(root: &Path, data: &Path) -> Self {
        Self {
            root: root.to_owned(),
            data: data.to_owned(),
            _temp: None,
        }
    }
}

/// Finds Python, for what cases bring along.
pub(crate) async fn python() -> Option<&'static str> {
    for name in ["python3", "python"] {
        let mut command = tokio::process::Command::new(name);
        let found = command
            .arg("--version")
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        if found.status().await.is_ok_and(|status| status.success()) {
            return Some(name);
        }
    }
    None
}

async fn run(python: &str, script: &Path, folder: &Path) -> Result<()> {
    let mut command = tokio::process::Command::new(python);
    let command = command
        .arg(script)
        .arg(folder)
        .stdin(Stdio::null())
        .kill_on_drop(true);
    let output = tokio::time::timeout(PATIENCE, command.output())
        .await
        .context("make.py")??;
    if !output.status.success() {
        bail!(
            "make.py failed: {}",
            String::from_utf8_lossy(&output.stderr).trim()
        );
    }
    Ok(())
}

/// Reads all regular files below a folder; none where there is no folder. Links are not followed.
pub(crate) fn read(folder: &Path) -> Result<Files> {
    let mut files = Files::new();
    let mut waiting = vec![(folder.to_owned(), String::new())];
    while let Some((folder, prefix)) = waiting.pop() {
        if !folder.is_dir() {
            continue;
        }
        for entry in fs::read_dir(&folder).with_context(|| folder.display().to_string())? {
            let entry = entry?;
            let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
            let kind = entry.file_type()?;
            if kind.is_dir() {
                waiting.push((entry.path(), format!("{name}/")));
            } else if kind.is_file() {
                files.insert(name, fs::read(entry.path())?);
            }
        }
    }
    Ok(files)
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from).with_context(|| from.display().to_string())? {
        let entry = entry?;
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        let kind = entry.file_type()?;
        if kind.is_dir() {
            copy(&source, &target)?;
        } else if kind.is_symlink() {
            link(&source, &target)?;
        } else if kind.is_file() {
            // Written anew, so that a read-only fixture makes no read-only project.
            fs::write(&target, fs::read(&source)?)?;
        }
    }
    Ok(())
}

#[cfg(unix)]
fn link(source: &Path, target: &Path) -> Result<()> {
    Ok(std::os::unix::fs::symlink(fs::read_link(source)?, target)?)
}

#[cfg(not(unix))]
fn link(_source: &Path, _target: &Path) -> Result<()> {
    Ok(())
}
