//! The corpus of round trips: real files of many formats, taken from packages. Owns the list's grammar and which
//! packages are missing; fetching and picking files have their own modules. None of it is committed.

mod fetch;
mod pick;

use crate::repo::Repo;
use crate::report::{say, step};
use anyhow::{Context, Result, bail};
use fetch::Manager;
use std::fs;
use std::path::{Path, PathBuf};

/// The list, from the repository's root.
const LIST: &str = "src-tauri/crates/diglot-bench/corpus.txt";

/// Holds a line of the list: a package and which of its files are taken.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Entry {
    manager: Manager,
    package: String,
    version: String,
    /// How many files each pattern gives at most.
    cap: usize,
    patterns: Vec<String>,
}

impl Entry {
    /// Reads a line: manager, package, version, cap, patterns.
    fn read(line: &str) -> Result<Self> {
        let mut words = line.split_whitespace();
        let mut next = || words.next().context("a line needs five words");
        let manager = next()?;
        let entry = Self {
            manager: Manager::named(manager).with_context(|| format!("no manager {manager}"))?,
            package: next()?.to_owned(),
            version: next()?.to_owned(),
            cap: next()?.parse().context("the cap is no number")?,
            patterns: words.map(str::to_owned).collect(),
        };
        if entry.patterns.is_empty() {
            bail!("a line needs a pattern");
        }
        Ok(entry)
    }

    /// Returns the folder of the package's files inside the corpus; the version of the list names it.
    fn folder(&self) -> PathBuf {
        let name = self.package.replace('/', "_");
        Path::new(self.manager.name()).join(format!("{name}-{}", self.version))
    }
}

fn read(list: &str) -> Result<Vec<Entry>> {
    let lines = list.lines().enumerate();
    lines
        .map(|(index, line)| (index, line.trim()))
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
        .map(|(index, line)| Entry::read(line).with_context(|| format!("line {}", index + 1)))
        .collect()
}

/// Fetches every package of the list that is not there. One that cannot be had is named and passed over.
pub(crate) fn fetch(repo: &Repo, folder: &Path) -> Result<()> {
    let list = repo.root().join(LIST);
    let list = fs::read_to_string(&list).with_context(|| format!("read {}", list.display()))?;
    let entries = read(&list).context(LIST)?;
    step("Corpus");
    let (mut n_files, mut missing) = (0, Vec::new());
    for entry in &entries {
        let place = folder.join(entry.folder());
        if !place.is_dir() {
            match fetch::package(entry, folder, &place) {
                Ok(n) => say(&format!("{} {}: {n} files", entry.package, entry.version)),
                Err(error) => missing.push(format!("{}: {error:#}", entry.package)),
            }
        }
        n_files += pick::files(&place).map_or(0, |files| files.len());
    }
    for line in &missing {
        say(&format!("not to be had: {line}"));
    }
    say(&format!(
        "{n_files} files of {} packages in {}",
        entries.len() - missing.len(),
        folder.display()
    ));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_of_the_repository_can_be_read() {
        let list = Repo::find().unwrap().root().join(LIST);
        let entries = read(&fs::read_to_string(list).unwrap()).unwrap();
        assert!(entries.len() > 10, "{}", entries.len());
        let mut folders: Vec<PathBuf> = entries.iter().map(Entry::folder).collect();
        folders.sort();
        folders.dedup();
        assert_eq!(folders.len(), entries.len(), "a package stands there twice");
    }

    #[test]
    fn a_wrong_line_is_named() {
        let error = format!(
            "{:#}",
            read("# list\nnpm a 1.0 3 *.md\nnpm b 1.0 x *.md").unwrap_err()
        );
        assert_eq!(error.split(':').next(), Some("line 3"), "{error}");
        for line in ["gem a 1 1 *", "npm a 1 1", "npm"] {
            assert!(read(line).is_err(), "{line}");
        }
    }

    #[test]
    fn scopes_are_no_folders() {
        let entry = Entry::read("npm @scope/name 1.0 3 *.md").unwrap();
        assert_eq!(entry.folder(), Path::new("npm/@scope_name-1.0"));
    }
}
