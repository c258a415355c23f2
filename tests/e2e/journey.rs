//! The main job without a model: a folder in, three kinds of decisions, a crash, and the same work waiting afterwards.

use std::path::Path;

use thirtyfour::prelude::*;

use crate::home::Home;
use crate::wanted;
use crate::window::{Window, until_file};

/// Into a language for which no pack exists, so that drafts come from repeats alone, the same everywhere. The first
/// four units are drafted in one turn, the repeats in the next.
const SOURCE: &str = "# The door\n\nOpen the door.\n\nClose the `red` door.\n\nGood night.\n\n\
    - Open the door.\n- Close the `red` door.\n- Good night.\n\nThe house sleeps.\n";
const TARGET: &str = "# Die Tür\n\nÖffne die Tür.\n\nSchließ die `red` Tür.\n\nGute Nacht.\n\n\
    - Öffne die Tür.\n- Mach die `red` Tür zu.\n- Nacht!\n\nDas Haus schläft.\n";

#[tokio::test(flavor = "multi_thread")]
async fn three_decisions_survive_a_crash() {
    if !wanted() {
        return;
    }
    let home = Home::new();
    let folder = home.folder("guide", &[("door.md", SOURCE)]);
    let written = home.at("guide-de/door.md");

    let window = Window::open(&home, &[]).await;
    window.get("drop-zone").await;
    window.drop_folder(&folder).await;
    start(&window, "German").await;

    write(&window, 1, "Die Tür").await;
    write(&window, 2, "Öffne die Tür.").await;
    write(&window, 3, "Schließ die `red` Tür.").await;
    write(&window, 4, "Gute Nacht.").await;
    let (done, _) = TARGET.split_once("- ").unwrap();
    let (_, open) = SOURCE.split_once("- ").unwrap();
    until_file(&written, &format!("{done}- {open}")).await;

    approve(&window, 5).await;
    refine(&window, 6).await;
    reject(&window, 7).await;
    window.under_review(8).await;
    window.photograph("before-crash").await;
    let so_far = TARGET
        .replace("- Nacht!", "- Good night.")
        .replace("Das Haus schläft.", "The house sleeps.");
    until_file(&written, &so_far).await;
    window.kill();

    let window = Window::open(&home, &[]).await;
    window.click("history-item").await;
    for (unit, mark) in [
        (4, "refined"),
        (5, "approved"),
        (6, "refined"),
        (7, "rejected"),
    ] {
        window.unit(unit, mark).await;
    }
    window.unit(8, "proposed").await;
    write(&window, 8, "Das Haus schläft.").await;
    window.unit(7, "proposed").await;
    replace(&window, 7, "Nacht!").await;
    window.click("approve").await;
    window
        .find("[data-testid=finish-note][data-kind=complete]")
        .await;
    until_file(&written, TARGET).await;
    assert_eq!(
        std::fs::read_to_string(folder.join("door.md")).unwrap(),
        SOURCE
    );
    assert_eq!(names(&folder), ["door.md"]);
}

/// Chooses the languages and starts. Samples of a test are too short to tell their language.
pub(crate) async fn start(window: &Window, language: &str) {
    for (id, name) in [
        ("source-language", "English"),
        ("target-language", language),
    ] {
        window.fill(id, name).await;
        window.get(id).await.send_keys(Key::Enter).await.unwrap();
    }
    window.click("start").await;
}

/// Writes a unit that has no draft, and confirms it by its chord.
async fn write(window: &Window, unit: usize, text: &str) {
    let editor = window.under_review(unit).await;
    editor.click().await.unwrap();
    editor.send_keys(text).await.unwrap();
    editor.send_keys(Key::Control + Key::Enter).await.unwrap();
    window.unit(unit, "refined").await;
}

/// Takes a draft as it is.
async fn approve(window: &Window, unit: usize) {
    window.under_review(unit).await;
    window.click("approve").await;
    window.unit(unit, "approved").await;
}

/// Changes a draft, looks at the change, and confirms it.
async fn refine(window: &Window, unit: usize) {
    let editor = window.under_review(unit).await;
    assert_eq!(editor.text().await.unwrap(), "Schließ die `red` Tür.");
    replace(window, unit, "Mach die `red` Tür zu.").await;
    let diff = window.text("diff").await;
    assert!(diff.contains("Schließ") && diff.contains("Mach"), "{diff}");
    window.click("approve").await;
    window.unit(unit, "refined").await;
}

/// Types another text in the place of a draft.
async fn replace(window: &Window, unit: usize, text: &str) {
    let editor = window.under_review(unit).await;
    editor.click().await.unwrap();
    editor.send_keys(Key::Control + "a").await.unwrap();
    editor.send_keys(text).await.unwrap();
}

/// Rejects a draft with a reason. It is drafted anew when nothing else waits.
async fn reject(window: &Window, unit: usize) {
    window.under_review(unit).await;
    window.click("reject").await;
    window.fill("reject-reason", "too formal").await;
    window.click("reject-send").await;
    window.unit(unit, "rejected").await;
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let name = |entry: std::io::Result<std::fs::DirEntry>| {
        entry.unwrap().file_name().into_string().unwrap()
    };
    entries.map(name).collect()
}
