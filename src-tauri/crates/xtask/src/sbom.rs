//! The bill of materials of a release: every crate and every npm package that went into it, as CycloneDX. Owns the list of
//! crates; npm writes its own.

use crate::command::{cargo, npm};
use crate::repo::Repo;
use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What is shipped: the window and the command line.
const PROGRAMS: &[&str] = &["diglot", "diglot-cli"];

/// Writes both lists into `folder` and returns their paths.
pub(crate) fn write(repo: &Repo, folder: &Path) -> Result<[PathBuf; 2]> {
    let rust = serde_json::to_string_pretty(&crates(repo)?)?;
    let sbom = ["sbom", "--sbom-format", "cyclonedx", "--package-lock-only"];
    let npm = printed(npm().args(sbom).current_dir(repo.ui()))?;
    let names = ["diglot-crates.cdx.json", "diglot-npm.cdx.json"];
    let paths = names.map(|name| folder.join(name));
    for (path, text) in paths.iter().zip([rust.as_bytes(), &npm]) {
        fs::write(path, text).with_context(|| path.display().to_string())?;
    }
    Ok(paths)
}

/// Lists what the programs are made of on this system, build scripts and macros included.
fn crates(repo: &Repo) -> Result<Value> {
    let host = printed(Command::new("rustc").arg("-vV"))?;
    let host = String::from_utf8(host)?;
    let host = host.lines().find_map(|line| line.strip_prefix("host: "));
    let host = host.context("rustc does not name its system")?;
    let query = ["metadata", "--format-version", "1", "--locked"];
    let query = cargo()
        .args(query)
        .args(["--filter-platform", host])
        .current_dir(repo.root())
        .output()?;
    if !query.status.success() {
        bail!("cargo metadata: {}", String::from_utf8_lossy(&query.stderr));
    }
    let metadata: Value = serde_json::from_slice(&query.stdout)?;
    let used = reachable(&metadata);
    let components: Vec<Value> = list(&metadata, "packages")
        .filter(|package| used.contains(word(package, "id")))
        .map(component)
        .collect();
    Ok(json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": { "component": { "type": "application", "name": "diglot", "version": env!("CARGO_PKG_VERSION") } },
        "components": components,
    }))
}

/// Returns the ids of all packages that the programs are built from; what only tests use is no part of them.
fn reachable(metadata: &Value) -> BTreeSet<&str> {
    let nodes: BTreeMap<&str, &Value> = list(&metadata["resolve"], "nodes")
        .map(|node| (word(node, "id"), node))
        .collect();
    let mut waiting: Vec<&str> = list(metadata, "packages")
        .filter(|package| PROGRAMS.contains(&word(package, "name")))
        .map(|package| word(package, "id"))
        .collect();
    let mut used = BTreeSet::new();
    while let Some(id) = waiting.pop() {
        if !used.insert(id) {
            continue;
        }
        let Some(node) = nodes.get(id) else { continue };
        let needed = list(node, "deps")
            .filter(|edge| list(edge, "dep_kinds").any(|kind| kind["kind"] != "dev"));
        waiting.extend(needed.map(|edge| word(edge, "pkg")));
    }
    used
}

fn component(package: &Value) -> Value {
    let (name, version) = (word(package, "name"), word(package, "version"));
    json!({
        "type": "library",
        "name": name,
        "version": version,
        "purl": format!("pkg:cargo/{name}@{version}"),
        "licenses": [{ "expression": word(package, "license") }],
    })
}

fn list<'a>(value: &'a Value, name: &str) -> impl Iterator<Item = &'a Value> {
    value[name].as_array().into_iter().flatten()
}

fn word<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or_default()
}

fn printed(command: &mut Command) -> Result<Vec<u8>> {
    let output = command.output()?;
    if !output.status.success() {
        bail!(
            "{}: {}",
            command.get_program().display(),
            String::from_utf8_lossy(&output.stderr)
        );
    }
    Ok(output.stdout)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_crates_of_the_programs_are_listed_and_those_of_tests_are_not() {
        let bill = crates(&Repo::find().unwrap()).unwrap();
        let names: BTreeSet<&str> = list(&bill, "components")
            .map(|at| word(at, "name"))
            .collect();
        for used in ["diglot-document", "tauri", "libsqlite3-sys", "serde_derive"] {
            assert!(names.contains(used), "{used}");
        }
        for unused in ["proptest", "thirtyfour", "diglot-bench", "xtask"] {
            assert!(!names.contains(unused), "{unused}");
        }
        assert!(list(&bill, "components").all(|at| !word(at, "version").is_empty()));
    }
}
