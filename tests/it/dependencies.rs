//! Who may depend on whom, and under which licences.

use std::collections::BTreeSet;
use std::process::Command;

use serde_json::Value;

use crate::repository::{assert_none, metadata};

/// Crates that only a desktop, a database, a network or an async runtime needs.
const WORLD: &[&str] = &[
    "tauri",
    "tokio",
    "rusqlite",
    "async-openai",
    "reqwest",
    "notify",
    "cap-std",
    "cap-fs-ext",
    "keyring",
    "ts-rs",
];

/// Each package: which of ours it may depend on, and which of the world it may not.
const RULES: &[(&str, &[&str], &[&str])] = &[
    ("diglot-document", &[], WORLD),
    ("diglot-agent", &["diglot-document"], WORLD),
    (
        "diglot-store",
        CORE,
        &[
            "tauri",
            "tokio",
            "async-openai",
            "reqwest",
            "notify",
            "ts-rs",
            "keyring",
        ],
    ),
    (
        "diglot-openai",
        CORE,
        &["tauri", "rusqlite", "notify", "cap-std", "ts-rs", "keyring"],
    ),
    ("diglot-offline", CORE, WORLD),
    (
        "diglot-workspace",
        CORE,
        &[
            "tauri",
            "rusqlite",
            "async-openai",
            "reqwest",
            "ts-rs",
            "keyring",
        ],
    ),
    (
        "diglot-api",
        &[
            "diglot-agent",
            "diglot-document",
            "diglot-offline",
            "diglot-openai",
            "diglot-store",
            "diglot-workspace",
        ],
        &["tauri"],
    ),
    (
        "diglot-cli",
        &["diglot-api", "diglot-agent", "diglot-document"],
        &["tauri", "rusqlite", "async-openai", "notify"],
    ),
    (
        "diglot",
        &["diglot-api"],
        &[
            "rusqlite",
            "async-openai",
            "reqwest",
            "notify",
            "cap-std",
            "keyring",
        ],
    ),
    (
        "diglot-testkit",
        CORE,
        &["tauri", "rusqlite", "async-openai", "ts-rs", "keyring"],
    ),
    (
        "diglot-bench",
        &[
            "diglot-agent",
            "diglot-api",
            "diglot-document",
            "diglot-store",
            "diglot-testkit",
        ],
        &["tauri", "async-openai"],
    ),
    ("xtask", &[], &["tauri", "rusqlite", "async-openai"]),
];
const CORE: &[&str] = &["diglot-agent", "diglot-document"];

#[test]
fn crates_import_downwards_only() {
    let metadata = metadata(&["--no-deps"]);
    let mut findings = Vec::new();
    let mut seen = BTreeSet::new();
    for package in metadata["packages"].as_array().unwrap() {
        let name = package["name"].as_str().unwrap();
        seen.insert(name);
        let Some((_, ours, forbidden)) = RULES.iter().find(|(rule, ..)| *rule == name) else {
            findings.push(format!("{name} has no rule"));
            continue;
        };
        for dependency in dependencies(package, &["null"]) {
            let is_ours = dependency.starts_with("diglot");
            if is_ours && !ours.contains(&dependency) || is_forbidden(dependency, forbidden) {
                findings.push(format!("{name} depends on {dependency}"));
            }
            let is_library = !["diglot", "diglot-cli", "diglot-bench", "xtask"].contains(&name);
            if dependency == "anyhow" && is_library {
                findings.push(format!("{name} gives up its errors to anyhow"));
            }
        }
    }
    assert_none("who may import whom", &findings);
    let expected: BTreeSet<&str> = RULES.iter().map(|(name, ..)| *name).collect();
    assert_eq!(seen, expected);
}

fn is_forbidden(dependency: &str, forbidden: &[&str]) -> bool {
    let is_tauri = dependency.starts_with("tauri") && forbidden.contains(&"tauri");
    is_tauri || forbidden.contains(&dependency)
}

/// Returns the names of a package's direct dependencies of some kinds; the usual kind is `null`.
fn dependencies<'a>(package: &'a Value, kinds: &[&str]) -> Vec<&'a str> {
    let all = package["dependencies"].as_array().unwrap().iter();
    all.filter(|dependency| kinds.contains(&dependency["kind"].as_str().unwrap_or("null")))
        .map(|dependency| dependency["name"].as_str().unwrap())
        .collect()
}

/// Licences that allow an installer under MIT OR Apache-2.0 without further duties than notices. MPL-2.0 binds the
/// files of the library alone.
const ALLOWED: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "BlueOak-1.0.0",
    "CC0-1.0",
    "CDLA-Permissive-2.0",
    "ISC",
    "MIT",
    "MIT-0",
    "MPL-2.0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

#[test]
fn every_dependency_may_be_shipped() {
    let metadata = metadata(&["--filter-platform", &host()]);
    let findings: Vec<String> = metadata["packages"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|package| {
            let license = package["license"].as_str().unwrap_or("none given");
            (!is_allowed(license)).then(|| format!("{} {license}", package["name"]))
        })
        .collect();
    assert_none("licences", &findings);
}

#[test]
fn a_choice_of_licences_needs_one_and_a_sum_all() {
    assert!(is_allowed("MIT OR GPL-3.0-only"));
    assert!(is_allowed("(MIT OR GPL-3.0-only) AND Unicode-3.0"));
    assert!(is_allowed("Apache-2.0/MIT"));
    assert!(!is_allowed("MIT AND GPL-3.0-only"));
    assert!(!is_allowed("GPL-3.0-only"));
}

/// Judges an SPDX expression in which brackets, where there are any, hold choices.
pub(crate) fn is_allowed(expression: &str) -> bool {
    let choice = |text: &str| {
        let text = text.trim_matches(|c| c == '(' || c == ')' || c == ' ');
        text.replace('/', " OR ")
            .split(" OR ")
            .any(|name| ALLOWED.contains(&name.trim()))
    };
    if expression.contains(" AND ") && !expression.contains('(') && expression.contains(" OR ") {
        // AND binds closer than OR.
        return expression
            .split(" OR ")
            .any(|sum| sum.split(" AND ").all(choice));
    }
    expression.split(" AND ").all(choice)
}

fn host() -> String {
    let output = Command::new("rustc").arg("-vV").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix("host: "));
    line.unwrap().to_owned()
}
