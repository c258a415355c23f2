//! Rules of the house about files: heads, sizes, words that must not appear. A rule only in a document is a wish.

use crate::repository::{File, assert_none, files};

/// Longest file without its tests, in lines.
const FILE_LIMIT: usize = 600;

/// Files that write to the disk, and why they may. All others reach files through them.
const WRITERS: &[(&str, &str)] = &[
    ("src-tauri/build.rs", "runs when building"),
    ("src-tauri/src/dirs.rs", "copies the sample folder"),
    (
        "src-tauri/crates/diglot-api/src/bindings.rs",
        "runs when testing",
    ),
    (
        "src-tauri/crates/diglot-api/src/files.rs",
        "writes files that a person chose by a dialog",
    ),
    (
        "src-tauri/crates/diglot-offline/src/import.rs",
        "puts language packs into the data folder",
    ),
    (
        "src-tauri/crates/diglot-bench/",
        "is not part of the product",
    ),
    (
        "src-tauri/crates/diglot-store/src/",
        "owns the database and its copies",
    ),
    (
        "src-tauri/crates/diglot-workspace/src/",
        "owns the target files",
    ),
    (
        "src-tauri/crates/diglot-testkit/",
        "is not part of the product",
    ),
    ("src-tauri/crates/xtask/", "is not part of the product"),
];

fn rust_files() -> Vec<File> {
    files("src-tauri", &[".rs"])
}

/// Collects `path:line` of product lines in which `is_wrong` sees a fault; comments are passed over.
fn find(files: &[File], is_wrong: impl Fn(&File, &str) -> bool) -> Vec<String> {
    let mut findings = Vec::new();
    for file in files {
        for (at, line) in file.product_lines() {
            if !line.trim_start().starts_with("//") && is_wrong(file, line) {
                findings.push(format!("{}:{at} {}", file.path, line.trim()));
            }
        }
    }
    findings
}

fn contains_any(line: &str, words: &[&str]) -> bool {
    words.iter().any(|word| line.contains(word))
}

#[test]
fn every_file_says_what_it_owns() {
    let tests = files("tests", &[".rs"]);
    let headless: Vec<String> = rust_files()
        .into_iter()
        .chain(tests)
        // The tests of a file belong to it.
        .filter(|file| !file.path.ends_with("/tests.rs") && !file.text.starts_with("//! "))
        .map(|file| file.path)
        .collect();
    assert_none("the first line is `//! ` and what the file owns", &headless);
}

#[test]
fn files_are_short() {
    let ui = files("ui/src", &[".ts", ".svelte"]);
    let long: Vec<String> = rust_files()
        .into_iter()
        .chain(ui)
        .filter(|file| !is_test(file))
        .filter(|file| file.product_lines().count() > FILE_LIMIT)
        .map(|file| file.path)
        .collect();
    assert_none("files have 600 lines at most", &long);
}

#[test]
fn nothing_is_left_to_do() {
    let mut all = rust_files();
    all.extend(files("ui/src", &[".ts", ".svelte", ".css"]));
    let findings = all
        .iter()
        .filter(|file| contains_any(&file.text, &["TODO", "FIXME", "XXX"]))
        .map(|file| file.path.clone())
        .collect::<Vec<_>>();
    assert_none("what is to do stands in an issue", &findings);
}

#[test]
fn the_core_cannot_reach_the_world() {
    const WORLD: &[&str] = &[
        "std::fs",
        "std::env",
        "std::net",
        "std::process",
        "std::thread",
        "SystemTime",
        "Instant::now",
    ];
    let mut core = files("src-tauri/crates/diglot-document/src", &[".rs"]);
    core.extend(files("src-tauri/crates/diglot-agent/src", &[".rs"]));
    let findings = find(&core, |file, line| {
        !is_test(file) && contains_any(line, WORLD)
    });
    assert_none("time, files and ids come in as arguments", &findings);
}

#[test]
fn only_named_files_write_to_the_disk() {
    const WRITES: &[&str] = &[
        "fs::write",
        "fs::copy",
        "fs::rename",
        "fs::remove_",
        "fs::create_dir",
        "File::create",
        "OpenOptions",
        "File::options",
        "DirBuilder",
    ];
    let may_write = |file: &File| {
        let mut writers = WRITERS.iter();
        is_test(file) || writers.any(|(path, _)| file.path.starts_with(path))
    };
    let findings = find(&rust_files(), |file, line| {
        !may_write(file) && contains_any(line, WRITES)
    });
    assert_none("one crate writes targets, one the database", &findings);
}

fn is_test(file: &File) -> bool {
    file.path.ends_with("tests.rs")
        || file.path.contains("/tests/")
        || file.path.ends_with(".test.ts")
}

#[test]
fn no_text_becomes_markup() {
    const MARKUP: &[&str] = &[
        "innerHTML",
        "outerHTML",
        "insertAdjacentHTML",
        "createContextualFragment",
        "document.write",
        "{@html",
        "srcdoc",
        "eval(",
        "new Function",
    ];
    let ui = files("ui", &[".ts", ".svelte", ".html", ".js"]);
    let findings = find(&ui, |_, line| contains_any(line, MARKUP));
    assert_none(
        "text of documents and models goes into text nodes",
        &findings,
    );
}

#[test]
fn the_front_end_imports_by_its_layers() {
    let ui = files("ui/src", &[".ts", ".svelte"]);
    let findings = find(&ui, |file, line| {
        let Some(module) = imported(line) else {
            return false;
        };
        let is_test = file.path.contains(".test.") || file.path.starts_with("ui/src/test/");
        let is_host = file.path == "ui/src/backend/tauri.ts";
        let reaches_host = module.starts_with("@tauri-apps/") && !is_host;
        let editor_knows_svelte =
            file.path.starts_with("ui/src/editor/") && module.contains("svelte");
        let kit_knows_us = file.path.starts_with("ui/src/kit/")
            && module.starts_with("../")
            && !module.starts_with("../lib/");
        !is_test && (reaches_host || editor_knows_svelte || kit_knows_us)
    });
    assert_none(
        "one door to Tauri, an editor without Svelte, a kit without views",
        &findings,
    );
}

/// Returns the module that a line of TypeScript imports.
fn imported(line: &str) -> Option<&str> {
    let rest = line
        .split_once(" from \"")
        .or_else(|| line.split_once("import(\""))?
        .1;
    rest.split('"').next()
}
