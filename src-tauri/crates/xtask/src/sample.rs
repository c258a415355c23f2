//! The sample folder: a copy that may be translated into without touching the repository.

use crate::repo::Repo;
use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};

/// Returns the copy of the sample folder, made at the first call and then left as the person left it.
pub(crate) fn prepare(repo: &Repo) -> Result<PathBuf> {
    let copy = repo.target().join("sample/guide");
    if !copy.is_dir() {
        copy_folder(&repo.root().join("tests/fixtures/sample/guide"), &copy)?;
    }
    Ok(copy)
}

fn copy_folder(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to).with_context(|| format!("create {}", to.display()))?;
    for entry in fs::read_dir(from).with_context(|| format!("read {}", from.display()))? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_folder(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), &target)
                .with_context(|| format!("copy {}", target.display()))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_holds_every_file() {
        let from = tempfile::tempdir().unwrap();
        fs::create_dir(from.path().join("deep")).unwrap();
        fs::write(from.path().join("deep/a.md"), "# A\n").unwrap();
        let to = tempfile::tempdir().unwrap();
        copy_folder(from.path(), &to.path().join("guide")).unwrap();
        assert_eq!(
            fs::read_to_string(to.path().join("guide/deep/a.md")).unwrap(),
            "# A\n"
        );
    }
}
