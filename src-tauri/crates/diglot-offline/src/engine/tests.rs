//! With a real language pack where one is there: `DIGLOT_PACKS`, else `packs/` at the repository root.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use diglot_agent::model::OpenUnit;
use diglot_agent::workspace::ProjectPath;
use diglot_document::{CheckContext, Format, Issue, IssueKind, Severity, check};

use super::*;
use crate::draft::Drafting;
use crate::fake::pair;
use crate::import::import;
use crate::pack::find;

/// Units of the kinds that documents are made of.
const UNITS: [&str; 47] = [
    "Getting started",
    "Installation {#install}",
    "Frequently asked questions",
    "Save",
    "Cancel",
    "Open file…",
    "Are you sure you want to delete this file?",
    "3 files selected",
    "Loading...",
    "Run `cargo build` to build the project.",
    "The `ls` command lists all files in the current folder. Use `ls -a` to show hidden files.",
    "Set `port` to `8080` in `config.toml` before you start the server.",
    "Supports `en`, `de`, `fr`, `pt` and `zh`.",
    "`diglot` uses `SQLite` to store its settings.",
    "Click **Save** to keep your changes.",
    "**Warning:** do not close the window.",
    "This is a *very important* note about **data loss**.",
    "You **must not** delete the `target` folder.",
    "It is **not** possible to undo this action.",
    "Diglot is a **free** and **open source** editor for translators.",
    "See the [installation guide](docs/install.md) for details.",
    "Read the [contribution guide](CONTRIBUTING.md) before you open a [pull request](https://example.com/pulls \"All pulls\").",
    "Download the [latest **release**][latest], unpack it, and run `diglot`.",
    "![A screenshot of the main window](images/main.png)",
    "The window ![icon](i.png) shows all open files.",
    "Hello {name}, you have {count} new messages.",
    "Deleted %d files in %s.",
    "Welcome back, ${user.name}!",
    "Visit https://example.com/docs for more information.",
    "Write to support@example.com if you have questions.",
    "Press <kbd>Ctrl</kbd>+<kbd>S</kbd> to save your work.",
    "This text is <b>bold</b> and this is <i>italic</i>.",
    "First line of the address\\\nSecond line of the address",
    "Version 2.5 requires at least 16 GB of memory and 300 MB of disk space.",
    "The price rose by 12.5% in 2023, to $1,299.",
    "The formula $E = mc^2$ describes the energy of a body.",
    "The first claim needs a source.[^1] The second does not.",
    "Open **Settings → Language** and choose *Portuguese*.",
    "✅ All tests passed",
    "Copyright © 2024 Example Inc. All rights reserved.",
    "Use “smart quotes” and \"straight quotes\" in your text.",
    "The value of max_tokens is read from the file config.toml.",
    "A paragraph that is wrapped\nover two lines, with `code` in\nit.",
    "Tom &amp; Jerry is a series of animated films.",
    "[Home](/) | [Documentation](/docs) | [Blog](/blog)",
    "~~Old price~~ New price: **9.99 EUR**",
    "If the file exists, it is opened; otherwise a new file is created. See [Files](files.md) and the section \"Saving\".",
];

fn packs() -> PathBuf {
    let root = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../packs");
    std::env::var_os("DIGLOT_PACKS").map_or_else(root, PathBuf::from)
}

/// Opens the pack for a pair; says so where there is none, past the test runner's capture.
fn engine(source: &str, target: &str) -> Option<Engine> {
    let pack = find(&packs(), &pair(source, target));
    if pack.is_none() {
        writeln!(
            std::io::stderr(),
            "skipped: no language pack {source}-{target}"
        )
        .unwrap();
    }
    pack.map(Engine::new)
}

fn unit(source: &str) -> OpenUnit {
    OpenUnit {
        path: ProjectPath::parse("guide.md").unwrap(),
        unit: 1,
        source: source.to_owned(),
        repeat: None,
        rejected: None,
    }
}

#[test]
fn units_of_all_kinds_are_drafted_without_loss() {
    let Some(engine) = engine("en", "pt-BR") else {
        return;
    };
    engine.load().unwrap();
    let languages = pair("en", "pt-BR");
    let context = CheckContext::new(Format::Markdown, &languages);
    let started = Instant::now();
    let mut faulty = Vec::new();
    for source in UNITS {
        let drafted = engine.run(|drafter| {
            let drafting = Drafting {
                languages: &languages,
                terms: &[],
                drafter: Some(drafter),
            };
            drafting.draft(&unit(source), &[])
        });
        let text = drafted.unwrap().map(|draft| draft.text).unwrap_or_default();
        println!("{source}\n    {text}");
        let issues = check(source, &text, &context);
        let is_lost =
            |issue: &Issue| issue.severity == Severity::Blocking || issue.kind == IssueKind::Number;
        if text.is_empty() || issues.iter().any(is_lost) {
            faulty.push((source, text, issues));
        }
    }
    let n_words: usize = UNITS
        .iter()
        .map(|unit| unit.split_whitespace().count())
        .sum();
    println!("{n_words} words in {:?}", started.elapsed());
    assert_eq!(faulty, []);
}

#[test]
fn marks_go_around_the_words_that_they_were_around() {
    let Some(engine) = engine("en", "pt-BR") else {
        return;
    };
    let languages = pair("en", "pt-BR");
    let draft = |source: &str, terms: &[(String, String)]| {
        let drafted = engine.run(|drafter| {
            let drafting = Drafting {
                languages: &languages,
                terms,
                drafter: Some(drafter),
            };
            drafting.draft(&unit(source), &[])
        });
        drafted.unwrap().unwrap().text
    };
    assert_eq!(
        draft(
            "See the [installation guide](docs/install.md) for details.",
            &[]
        ),
        "Veja o [guia de instalação](docs/install.md) para mais detalhes."
    );
    assert_eq!(
        draft("Hello {name}, you have {count} new messages.", &[]),
        "Olá {name}, você tem {count} novas mensagens."
    );
    let term = [("file".to_owned(), "ficheiro".to_owned())];
    assert_eq!(draft("Open the **file**.", &term), "Abra o **ficheiro**.");
}

#[test]
fn a_real_pack_is_imported_and_known() {
    let Some(engine) = engine("en", "pt") else {
        return;
    };
    let dir = tempfile::tempdir().unwrap();
    let packs = import(&engine.pack().path, dir.path()).unwrap();
    let shown: Vec<_> = packs
        .iter()
        .map(|pack| (pack.name(), pack.is_verified))
        .collect();
    assert_eq!(shown, [("en-pt".to_owned(), true)]);
    assert_eq!(
        Engine::new(packs[0].clone()).translate("Cancel").unwrap(),
        "Cancelar"
    );
}

#[test]
fn a_broken_pack_is_an_error() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("en-de");
    std::fs::create_dir(&folder).unwrap();
    for file in ["model.bin", "vocab.spm", "lex.bin"] {
        std::fs::write(folder.join(file), "<html>").unwrap();
    }
    let engine = Engine::new(find(dir.path(), &pair("en", "de")).unwrap());
    assert_eq!(engine.translate("One").unwrap_err().pack, "en-de");
}

#[test]
fn panics_of_the_library_are_errors() {
    assert_eq!(guarded(|| "fine"), Ok("fine"));
    assert_eq!(
        guarded(|| -> u8 { panic!("no {}", "way") }),
        Err("no way".to_owned())
    );
}

#[test]
fn additions_in_brackets_are_taken_off() {
    assert_eq!(
        without_aside("Screenshot", "Screenshot (em inglês)"),
        "Screenshot"
    );
    assert_eq!(without_aside("One (two)", "Um (dois)"), "Um (dois)");
}
