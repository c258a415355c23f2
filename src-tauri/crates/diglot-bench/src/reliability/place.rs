//! A world for one job: a project, the folder of its targets and the application's data, side by side. Owns where they
//! lie, copies of them, and what must not lie there.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use tempfile::TempDir;

use super::Bench;

/// Names of the folders inside a world.
const PROJECT: &str = "guide";
const TARGETS: &str = "guide-de";
const DATA: &str = "data";
/// The database inside the data folder, and the log that belongs to it.
const DATABASE: &str = "diglot.db";
const LOG: &str = "diglot.db-wal";
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
        let root = scratch_folder()?;
        fs::create_dir(root.path().join(PROJECT))?;
        Ok(Self { root })
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

    /// Reads a target; `None` where none is.
    pub(super) fn target(&self, path: &str) -> Option<Vec<u8>> {
        fs::read(self.targets().join(path)).ok()
    }

    /// Copies the database and its log, as a crash left them, so that looking at them changes nothing.
    pub(super) fn copy_database(&self, scratch: &Scratch) -> Result<PathBuf> {
        let read = |name: &str| fs::read(self.data().join(name)).ok();
        scratch.put(read(DATABASE).as_deref(), read(LOG).as_deref())
    }

    /// Lists what is left of something half-done, anywhere in the world.
    pub(super) fn leftovers(&self) -> Vec<String> {
        let is_leftover = |name: &str| {
            name.starts_with(".diglot-") || name.contains(".tmp") || name.ends_with("-journal")
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

    /// Keeps a world in which a promise was broken, and returns where.
    pub(super) fn keep(&self, bench: &Bench, name: &str) -> Result<PathBuf> {
        let kept = bench.root.join("target").join("reliability").join(name);
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

    /// Puts a database there, in place of the one before.
    pub(super) fn put(&self, database: Option<&[u8]>, log: Option<&[u8]>) -> Result<PathBuf> {
        for name in [LOG, "diglot.db-shm", "diglot.db-journal", DATABASE] {
            let path = self.0.path().join(name);
            let bytes = match name {
                DATABASE => database,
                LOG => log,
                _ => None,
            };
            match bytes {
                Some(bytes) => fs::write(&path, bytes)?,
                None if path.exists() => fs::remove_file(&path)?,
                None => {}
            }
        }
        Ok(self.0.path().join(DATABASE))
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
