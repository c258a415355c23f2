//! What others supply: known faults, floors, licences, pins. All offline, from files of the repository.

use std::collections::BTreeSet;

use diglot_testkit::Promise;
use semver::{Version, VersionReq};
use serde_json::Value;

use crate::dependencies::is_allowed;
use crate::repository::{assert_none, files, metadata, read, read_json};

/// Advisories that we live with, each looked at on 2026-11-30: none is a way in, and the last versions of Tauri for Linux
/// need all of them. To be looked at again with each new version of Tauri.
const ALLOWED: &[(&str, &str)] = &[
    ("RUSTSEC-2024-0370", "proc-macro-error"),
    ("RUSTSEC-2024-0411", "gdkwayland-sys"),
    ("RUSTSEC-2024-0412", "gdk"),
    ("RUSTSEC-2024-0413", "atk"),
    ("RUSTSEC-2024-0414", "gdkx11-sys"),
    ("RUSTSEC-2024-0415", "gtk"),
    ("RUSTSEC-2024-0416", "atk-sys"),
    ("RUSTSEC-2024-0417", "gdkx11"),
    ("RUSTSEC-2024-0418", "gdk-sys"),
    ("RUSTSEC-2024-0419", "gtk3-macros"),
    ("RUSTSEC-2024-0420", "gtk-sys"),
    ("RUSTSEC-2024-0429", "glib"),
];

/// Most packages of npm that the front end names itself.
const MAX_NPM: usize = 20;

/// Plugins that would give the page files, programs, the network or a way to replace the program.
const FORBIDDEN_PLUGINS: &[&str] = &[
    "tauri-plugin-fs",
    "tauri-plugin-http",
    "tauri-plugin-shell",
    "tauri-plugin-sql",
    "tauri-plugin-store",
    "tauri-plugin-updater",
];

/// Returns the columns of a table's lines.
fn table<const N: usize>(path: &str) -> Vec<[String; N]> {
    let text = read(path);
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let columns = |line: &str| {
        let columns: Vec<String> = line.split('\t').map(str::to_owned).collect();
        <[String; N]>::try_from(columns).unwrap_or_else(|_| panic!("{path}: {line}"))
    };
    lines.map(columns).collect()
}

/// Returns every crate of the lock file, for all systems: its name and version.
fn crates() -> Vec<(String, Version)> {
    let lock = read("Cargo.lock");
    let packages = lock.split("[[package]]").skip(1);
    packages
        .map(|package| {
            let word = |name: &str| {
                let mut lines = package.lines();
                let value = lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(" = "));
                value.unwrap().trim_matches('"').to_owned()
            };
            (word("name"), word("version").parse().unwrap())
        })
        .collect()
}

/// Returns every package of the front end's lock file: its name, version and entry.
fn npm() -> Vec<(String, Version, Value)> {
    let lock = read_json("ui/package-lock.json");
    let packages = lock["packages"].as_object().unwrap().iter();
    packages
        .filter(|(path, _)| !path.is_empty())
        .map(|(path, entry)| {
            let (_, name) = path.rsplit_once("node_modules/").unwrap();
            let version = entry["version"].as_str().unwrap().parse().unwrap();
            (name.to_owned(), version, entry.clone())
        })
        .collect()
}

/// Tells whether one of several requirements takes a version, pre-releases included as RustSec means it.
fn matches(requirements: &str, version: &Version) -> bool {
    let plain = Version::new(version.major, version.minor, version.patch);
    let mut all = requirements.split(" || ").filter(|text| !text.is_empty());
    all.any(|text| VersionReq::parse(text).unwrap().matches(&plain))
}

#[test]
fn p39_no_crate_has_a_known_fault() {
    let advisories = table::<5>("tests/fixtures/advisories.tsv");
    assert!(advisories.len() > 1000);
    let crates = crates();
    let mut seen = BTreeSet::new();
    for [id, package, _, patched, unaffected] in &advisories {
        let of_package = crates.iter().filter(|(name, _)| name == package);
        let mut versions = of_package.map(|(_, version)| version);
        if versions.any(|version| !matches(patched, version) && !matches(unaffected, version)) {
            seen.insert((id.as_str(), package.as_str()));
        }
    }
    let allowed: BTreeSet<(&str, &str)> = ALLOWED.iter().copied().collect();
    let findings = |found: BTreeSet<&(&str, &str)>| -> Vec<String> {
        found
            .iter()
            .map(|(id, package)| format!("{package} {id}"))
            .collect()
    };
    assert_none(
        "known faults",
        &findings(seen.difference(&allowed).collect()),
    );
    assert_none(
        "allowed in vain",
        &findings(allowed.difference(&seen).collect()),
    );
    let figure = format!(
        "{} crates against {} advisories: {} known and looked at",
        crates.len(),
        advisories.len(),
        seen.len()
    );
    Promise::new(39, true, figure, "none beside the dated list").tell();
}

#[test]
fn p39_no_package_is_below_its_floor() {
    let floors = table::<4>("tests/fixtures/floors.tsv");
    let (crates, npm) = (crates(), npm());
    let mut findings = Vec::new();
    for [registry, package, floor, reason] in &floors {
        let floor: Version = floor.parse().unwrap();
        let versions: Vec<&Version> = match registry.as_str() {
            "crate" => crates
                .iter()
                .filter(|(name, _)| name == package)
                .map(|(_, at)| at)
                .collect(),
            _ => npm
                .iter()
                .filter(|(name, ..)| name == package)
                .map(|(_, at, _)| at)
                .collect(),
        };
        let low = versions.iter().filter(|version| ***version < floor);
        findings.extend(low.map(|version| format!("{package} {version} < {floor}: {reason}")));
        if registry == "crate" && versions.is_empty() {
            findings.push(format!("{package} is no dependency any more: {reason}"));
        }
    }
    assert_none("floors", &findings);
    let figure = format!("{} floors of crates and npm packages kept", floors.len());
    Promise::new(39, true, figure, "none below").tell();
}

#[test]
fn the_page_gets_no_plugin_that_reaches_out() {
    let metadata = metadata(&["--no-deps"]);
    let mut findings = Vec::new();
    for package in metadata["packages"].as_array().unwrap() {
        let names = package["dependencies"].as_array().unwrap().iter();
        let names = names.map(|dependency| dependency["name"].as_str().unwrap());
        findings.extend(
            names
                .filter(|name| FORBIDDEN_PLUGINS.contains(name))
                .map(str::to_owned),
        );
    }
    assert_none("plugins", &findings);
}

#[test]
fn p40_all_that_is_built_in_is_pinned() {
    let lock = read("Cargo.lock");
    let mut findings = Vec::new();
    for source in lock
        .lines()
        .filter_map(|line| line.strip_prefix("source = "))
    {
        if !source.starts_with("\"registry+") {
            findings.push(format!("a crate from {source}"));
        }
    }
    let package = read_json("ui/package.json");
    let mut n_direct = 0;
    for kind in ["dependencies", "devDependencies"] {
        for (name, version) in package[kind].as_object().unwrap() {
            n_direct += 1;
            if version.as_str().unwrap().parse::<Version>().is_err() {
                findings.push(format!("{name} {version} is no exact version"));
            }
        }
    }
    let npm = npm();
    for (name, version, entry) in &npm {
        let hash = entry["integrity"].as_str().unwrap_or_default();
        if !hash.starts_with("sha512-") {
            findings.push(format!("npm {name} {version} has no hash"));
        }
        if !is_allowed(entry["license"].as_str().unwrap_or("none given")) {
            findings.push(format!("npm {name} {}", entry["license"]));
        }
    }
    if n_direct > MAX_NPM {
        findings.push(format!("{n_direct} npm packages; {MAX_NPM} are enough"));
    }
    // An install hook is how a worm gets in.
    for file in files("src-tauri/crates/xtask/src", &[".rs"]) {
        let installs = file.text.matches("\"ci\"").count();
        if installs > file.text.matches("\"ci\", \"--ignore-scripts\"").count() {
            findings.push(format!("{} installs with scripts", file.path));
        }
    }
    assert_none("pins", &findings);
    let n_crates = lock.matches("\nchecksum = ").count();
    let figure = format!(
        "{n_crates} crates and {} npm packages by hash, no install scripts",
        npm.len()
    );
    Promise::new(40, true, figure, "every one").tell();
}
