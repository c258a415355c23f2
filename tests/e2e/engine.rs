//! The main job with the embedded engine: real drafts, without a key and without a network.

use std::path::PathBuf;

use diglot_api::schema::PackImportRequest;

use crate::home::Home;
use crate::journey::start;
use crate::wanted;
use crate::window::{Window, until_file};

/// Reads the editor in one go: it is put into the page anew with each unit.
const DRAFT: &str = "return document.querySelector('[data-testid=target-editor]').innerText";

const SOURCE: &str = "# Tides\n\nThe sea comes and goes twice a day.\n";

#[tokio::test(flavor = "multi_thread")]
async fn the_engine_drafts_where_there_is_a_pack() {
    if !wanted() {
        return;
    }
    let Some(pack) = pack() else {
        println!("skipped: DIGLOT_PACKS names no folder with a language pack");
        return;
    };
    let home = Home::new();
    let workbench = home.workbench();
    let path = pack.display().to_string();
    let request = PackImportRequest { path };
    workbench.pack_import(request).await.unwrap();
    home.close(workbench).await;
    let folder = home.folder("tides", &[("tides.md", SOURCE)]);

    let window = Window::open(&home, &[&folder]).await;
    start(&window, "Portuguese").await;
    let mut drafts = Vec::new();
    for unit in 1..=2 {
        window.under_review(unit).await;
        window
            .find("[data-testid=origin][data-origin=engine]")
            .await;
        let draft = window.run(DRAFT, Vec::new()).await;
        window.click("approve").await;
        window.unit(unit, "approved").await;
        drafts.push(draft.as_str().unwrap().trim_end().to_owned());
    }
    assert!(
        drafts.iter().all(|draft| !SOURCE.contains(draft)),
        "{drafts:?}"
    );
    let expected = format!("# {}\n", drafts.join("\n\n"));
    until_file(&home.at("tides-pt/tides.md"), &expected).await;
}

fn pack() -> Option<PathBuf> {
    let pack = PathBuf::from(std::env::var_os("DIGLOT_PACKS")?).join("en-pt");
    pack.is_dir().then_some(pack)
}
