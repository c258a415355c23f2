//! How targets and their folders are called.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use cap_std::fs::Dir;
use diglot_agent::ProjectPath;
use diglot_document::LanguageTag;

use crate::names::composed;

/// Returns where the targets of a project go: beside it, named by the language; `n` from 2 tells a later one.
pub fn target_path(project: &Path, language: &LanguageTag, n: u32) -> PathBuf {
    let mut name = project.file_name().unwrap_or_default().to_owned();
    name.push(format!("-{language}"));
    if n > 1 {
        name.push(format!("-{n}"));
    }
    project.with_file_name(name)
}

/// Returns the first of a project's target folders that is not there yet.
pub fn free_target_path(project: &Path, language: &LanguageTag) -> PathBuf {
    let mut n = 1;
    loop {
        let path = target_path(project, language, n);
        if path.symlink_metadata().is_err() {
            return path;
        }
        n += 1;
    }
}

/// Returns the groups of paths that are one file where upper and lower case, or the forms of accents, are the same.
pub fn clashes<'a>(paths: impl IntoIterator<Item = &'a ProjectPath>) -> Vec<Vec<ProjectPath>> {
    let mut groups: BTreeMap<String, Vec<ProjectPath>> = BTreeMap::new();
    for path in paths {
        let key = composed(&path.as_str().to_lowercase());
        groups.entry(key).or_default().push(path.clone());
    }
    groups
        .into_values()
        .filter(|group| group.len() > 1)
        .collect()
}

/// Returns the first of `<stem>.<word>.<ending>`, `<stem>.<word>-2.<ending>`, … that is not there.
pub(super) fn free_name(dir: Option<&Dir>, path: &ProjectPath, word: &str) -> ProjectPath {
    let (folder, name) = match path.as_str().rsplit_once('/') {
        Some((folder, name)) => (format!("{folder}/"), name),
        None => (String::new(), path.as_str()),
    };
    let (stem, ending) = match name.rsplit_once('.') {
        Some((stem, ending)) if !stem.is_empty() => (stem, format!(".{ending}")),
        _ => (name, String::new()),
    };
    let mut n = 1;
    loop {
        let number = if n == 1 {
            String::new()
        } else {
            format!("-{n}")
        };
        let name = format!("{stem}.{word}{number}{ending}");
        let taken = dir.is_some_and(|dir| dir.symlink_metadata(&name).is_ok());
        if let (false, Ok(path)) = (taken, ProjectPath::from_listing(&format!("{folder}{name}"))) {
            return path;
        }
        n += 1;
    }
}
