//! `cargo xtask advisories FOLDER`: the table of known faults of crates, from a copy of the RustSec advisory database.
//! Owns the table's form; the test that uses it judges (`tests/it/supply.rs`).

use crate::repo::Repo;
use crate::report::say;
use anyhow::{Context, Result, bail};
use std::fs;
use std::path::{Path, PathBuf};
use toml::{Table, Value};

/// Where the table lies, from the root.
const TABLE: &str = "tests/fixtures/advisories.tsv";
const HEAD: &str = "# Faults of crates, from the RustSec advisory database (CC0), written by `cargo xtask advisories FOLDER`.
# id\tpackage\tkind\tpatched\tunaffected";
/// Encloses the head of an advisory.
const FENCE: &str = "```";

/// Writes the table anew.
pub(crate) fn gather(repo: &Repo, folder: &Path) -> Result<()> {
    let mut files = Vec::new();
    collect(folder, &mut files)?;
    let mut lines = Vec::new();
    for file in &files {
        let text = fs::read_to_string(file).with_context(|| file.display().to_string())?;
        lines.extend(line(&text).with_context(|| file.display().to_string())?);
    }
    if lines.is_empty() {
        bail!("{} holds no advisories", folder.display());
    }
    lines.sort();
    let table = format!("{HEAD}\n{}\n", lines.join("\n"));
    fs::write(repo.root().join(TABLE), table).context(TABLE)?;
    say(&format!("{} advisories in {TABLE}", lines.len()));
    Ok(())
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|end| end == "md") {
            files.push(path);
        }
    }
    Ok(())
}

/// Writes the line of an advisory; `None` for one that was withdrawn and for a page that is none.
fn line(text: &str) -> Result<Option<String>> {
    let Some(head) = text
        .strip_prefix("```toml")
        .and_then(|rest| rest.split(FENCE).next())
    else {
        return Ok(None);
    };
    let head: Table = head.parse()?;
    let advisory = head.get("advisory").context("no [advisory]")?;
    if advisory.get("withdrawn").is_some() {
        return Ok(None);
    }
    let word = |name: &str| advisory.get(name).and_then(Value::as_str);
    let versions = |name: &str| {
        let all = head
            .get("versions")
            .and_then(|all| all.get(name)?.as_array());
        let all = all.map_or(&[][..], Vec::as_slice).iter();
        all.filter_map(Value::as_str)
            .collect::<Vec<_>>()
            .join(" || ")
    };
    Ok(Some(format!(
        "{}\t{}\t{}\t{}\t{}",
        word("id").context("no id")?,
        word("package").context("no package")?,
        word("informational").map_or("vulnerability", str::trim),
        versions("patched"),
        versions("unaffected"),
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_advisory_becomes_a_line() {
        let text = "```toml\n[advisory]\nid = \"RUSTSEC-1\"\npackage = \"p\"\n\n[versions]\n\
                    patched = [\"^1.2\", \">= 2\"]\nunaffected = [\"< 1\"]\n```\n\n# Title\n```toml\nx\n```\n";
        assert_eq!(
            line(text).unwrap().unwrap(),
            "RUSTSEC-1\tp\tvulnerability\t^1.2 || >= 2\t< 1"
        );
    }

    #[test]
    fn what_was_withdrawn_is_no_fault() {
        let text =
            "```toml\n[advisory]\nid = \"R\"\npackage = \"p\"\nwithdrawn = \"2020-01-01\"\n```\n";
        assert_eq!(line(text).unwrap(), None);
        assert_eq!(line("# A page\n").unwrap(), None);
    }
}
