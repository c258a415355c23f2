//! Reads the repository for the tests that judge it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// Holds a file of the repository.
pub(crate) struct File {
    /// Path from the root, with `/`.
    pub(crate) path: String,
    /// The whole text.
    pub(crate) text: String,
}

impl File {
    /// Returns the lines that are not tests, numbered from 1. Tests stand at the end of a file.
    pub(crate) fn product_lines(&self) -> impl Iterator<Item = (usize, &str)> {
        let lines = self.text.lines();
        lines
            .take_while(|line| *line != "#[cfg(test)]")
            .enumerate()
            .map(|(at, line)| (at + 1, line))
    }
}

/// Returns the folder of the repository.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Reads a file of the repository.
pub(crate) fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Reads a JSON file of the repository.
pub(crate) fn read_json(path: &str) -> Value {
    serde_json::from_str(&read(path)).unwrap()
}

/// Returns all files under a folder whose name ends in one of `endings`, sorted. Generated folders are not entered.
pub(crate) fn files(folder: &str, endings: &[&str]) -> Vec<File> {
    let mut files = Vec::new();
    collect(&root().join(folder), endings, &mut files);
    files.sort_by(|a, b| a.path.cmp(&b.path));
    assert!(!files.is_empty(), "{folder} holds no {endings:?}");
    files
}

fn collect(folder: &Path, endings: &[&str], files: &mut Vec<File>) {
    const GENERATED: [&str; 4] = ["node_modules", "dist", "target", "bindings"];
    for entry in fs::read_dir(folder).unwrap() {
        let path: PathBuf = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if path.is_dir() {
            if !GENERATED.contains(&name) {
                collect(&path, endings, files);
            }
        } else if endings.iter().any(|ending| name.ends_with(ending)) {
            let relative = path.strip_prefix(root()).unwrap();
            files.push(File {
                path: relative.to_str().unwrap().replace('\\', "/"),
                text: fs::read_to_string(&path).unwrap(),
            });
        }
    }
}

/// Returns what `cargo metadata` tells about the packages of this system.
pub(crate) fn metadata(args: &[&str]) -> Value {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked"])
        .args(args)
        .current_dir(root())
        .output()
        .unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{error}");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Fails with all findings of a rule at once.
#[track_caller]
pub(crate) fn assert_none(rule: &str, findings: &[String]) {
    assert!(findings.is_empty(), "{rule}:\n{}", findings.join("\n"));
}
