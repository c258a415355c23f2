//! A world for one job: a project, the folder of its targets and the application's data, side by side. Owns where they
//! lie, copies of them, and what must not lie there.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use tempfile::TempDir;

use super::{Bench, tally};

/// Names of the folders inside a world.
const PROJECT: &str = "guide";
pub(super) const TARGETS: &str = "guide-de";
pub(super) const DATA: &str = "data";
/// The database inside the data folder, and how the names of the files end that have its content.
pub(super) const DATABASE: &str = "diglot.db";
pub(super) const ENDINGS: [&str; 3] = ["", "-wal", "-journal"];
/// Memory that looks like a folder, where the system has it.
const MEMORY: &str = "/dev/shm";

/// Holds a world; removed when dropped.
#[derive(Debug)]
pub(super) struct Place {
    root: TempDir,
}

impl Place {
    /// Makes an empty world. It lies in memory: what a process loses does not depend on the disk, and no disk is worn.
    pub(super) fn new() -> Result<Self> {
        Self::of(scratch_folder()?)
    }

    /// Makes an empty world in a folder, whose file system counts.
    #[cfg(unix)]
    pub(super) fn in_folder(folder: &Path) -> Result<Self> {
        Self::of(tempfile::tempdir_in(folder)?)
    }

    fn of(root: TempDir) -> Result<Self> {
        fs::create_dir(root.path().join(PROJECT))?;
        Ok(Self { root })
    }

    pub(super) fn root(&self) -> &Path {
        self.root.path()
    }

    /// Returns a path beside the folders of the world.
    #[cfg(unix)]
    pub(super) fn beside(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    pub(super) fn project(&self) -> PathBuf {
        self.root.path().join(PROJECT)
    }

    pub(super) fn targets(&self) -> PathBuf {
        self.root.path().join(TARGETS)
    }

    pub(super) fn data(&self) -> PathBuf {
        self.root.path().join(DATA)
    }

    pub(super) fn database(&self) -> PathBuf {
        self.data().join(DATABASE)
    }

    /// Reads a target; `None` where none is.
    pub(super) fn target(&self, path: &str) -> Option<Vec<u8>> {
        fs::read(self.targets().join(path)).ok()
    }

    /// Copies the database and its log, as a crash left them, so that looking at them changes nothing.
    pub(super) fn copy_database(&self, scratch: &Scratch) -> Result<PathBuf> {
        let read = |ending| fs::read(self.data().join(format!("{DATABASE}{ending}"))).ok();
        let files = ENDINGS.map(|ending| (ending, read(ending)));
        scratch.put(
            files
                .each_ref()
                .map(|(ending, bytes)| (*ending, bytes.as_deref())),
        )
    }

    /// Lists what is left of something half-done, anywhere in the world.
    pub(super) fn leftovers(&self) -> Vec<String> {
        let is_leftover = |name: &str| {
            name.starts_with(".diglot-")
                || name.ends_with("-journal")
                || [".tmp", ".new"].iter().any(|part| name.contains(part))
        };
        let mut found = Vec::new();
        walk(self.root.path(), &mut |path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if is_leftover(&name) {
                found.push(path.display().to_string());
            }
        });
        found
    }

    /// Keeps data and targets, to go back to them.
    pub(super) fn save(&self) -> Result<TempDir> {
        let saved = scratch_folder()?;
        self.copy_to(saved.path())?;
        Ok(saved)
    }

    /// Goes back to what was saved.
    pub(super) fn restore(&self, saved: &TempDir) -> Result<()> {
        for name in [DATA, TARGETS] {
            let folder = self.root.path().join(name);
            if folder.exists() {
                fs::remove_dir_all(&folder)?;
            }
        }
        copy_folder(saved.path(), self.root.path())
    }

    /// Keeps a world in which a promise was broken, and returns where.
    pub(super) fn keep(&self, bench: &Bench, name: &str) -> Result<PathBuf> {
        let kept = tally::kept(bench, name);
        if kept.exists() {
            fs::remove_dir_all(&kept)?;
        }
        self.copy_to(&kept)?;
        Ok(kept)
    }

    fn copy_to(&self, folder: &Path) -> Result<()> {
        for name in [DATA, TARGETS] {
            let from = self.root.path().join(name);
            if from.exists() {
                copy_folder(&from, &folder.join(name))?;
            }
        }
        Ok(())
    }
}

/// Holds a folder in memory in which states of a database are looked at, one after the other.
#[derive(Debug)]
pub(super) struct Scratch(TempDir);

impl Scratch {
    pub(super) fn new() -> Result<Self> {
        scratch_folder().map(Self)
    }

    /// Puts a database there, in place of the one before: each file that has it, by how its name ends.
    pub(super) fn put(&self, files: [(&str, Option<&[u8]>); 3]) -> Result<PathBuf> {
        let database = self.0.path().join(DATABASE);
        let beside = |ending: &str| self.0.path().join(format!("{DATABASE}{ending}"));
        for (ending, bytes) in files.into_iter().chain([("-shm", None)]) {
            let path = beside(ending);
            match bytes {
                Some(bytes) => fs::write(&path, bytes)?,
                None if path.exists() => fs::remove_file(&path)?,
                None => {}
            }
        }
        Ok(database)
    }
}

/// Makes a folder that costs no disk, where the system has such.
pub(super) fn scratch_folder() -> Result<TempDir> {
    tempfile::tempdir_in(MEMORY)
        .or_else(|_| tempfile::tempdir())
        .context("no folder")
}

fn walk(folder: &Path, see: &mut dyn FnMut(&Path)) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries.filter_map(Result::ok) {
        see(&entry.path());
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            walk(&entry.path(), see);
        }
    }
}

fn copy_folder(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let to = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_folder(&entry.path(), &to)?;
        } else {
            fs::copy(entry.path(), to)?;
        }
    }
    Ok(())
}
