//! What a screen reader, a keyboard and weak eyes need, checked by axe-core in the real page, in every view and theme.

use std::path::Path;

use diglot_api::view::settings::Theme;
use serde_json::Value;

use crate::home::Home;
use crate::journey::start;
use crate::wanted;
use crate::window::Window;

const FILES: &[(&str, &str)] = &[
    (
        "a.md",
        "# Tides\n\nThe `sea` comes at 10 o'clock.\n\nIt goes.\n",
    ),
    ("b.txt", "Good night.\n"),
    ("c.bin", "\0\0"),
];

#[tokio::test(flavor = "multi_thread")]
async fn no_view_shuts_anybody_out() {
    if !wanted() {
        return;
    }
    for (theme, name) in [(Theme::Light, "light"), (Theme::Dark, "dark")] {
        let home = Home::with_settings(|settings| settings.theme = theme).await;
        // The dialog that chooses a folder is answered with this one.
        home.folder("picked", FILES);
        let window = Window::open(&home, &[]).await;
        check(&window, &format!("start-{name}")).await;
        window.click("choose-folder").await;
        window.get("target-language").await;
        check(&window, &format!("setup-{name}")).await;
        start(&window, "German").await;
        window.under_review(1).await;
        check(&window, &format!("review-{name}")).await;
        window.click("settings").await;
        window.get("settings-view").await;
        check(&window, &format!("settings-{name}")).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_editor_is_styled_by_nonce() {
    if !wanted() {
        return;
    }
    let home = Home::new();
    let folder = home.folder("guide", FILES);
    let window = Window::open(&home, &[&folder]).await;
    start(&window, "German").await;
    window.under_review(1).await;
    // A style of CodeMirror's own sheet, which the policy would refuse without the nonce.
    let space = "return getComputedStyle(document.querySelector('.cm-content')).whiteSpace";
    assert_eq!(window.run(space, Vec::new()).await, "break-spaces");
}

/// Holds a view to axe-core's rules, and keeps a picture of it.
pub(crate) async fn check(window: &Window, name: &str) {
    const AXE: &str = "ui/node_modules/axe-core/axe.min.js";
    const RUN: &str = "const done = arguments[arguments.length - 1];
        axe.run().then(
            ({ passes, violations }) => done({ nPasses: passes.length, violations }),
            (error) => done(String(error)),
        );";
    window.photograph(name).await;
    let axe = Path::new(env!("CARGO_MANIFEST_DIR")).join(AXE);
    window
        .run(&std::fs::read_to_string(axe).unwrap(), Vec::new())
        .await;
    let result = window.run_async(RUN).await;
    assert!(
        result["nPasses"].as_u64().is_some_and(|n| n > 10),
        "{result}"
    );
    let serious: Vec<String> = result["violations"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|violation| violation["impact"] == "serious" || violation["impact"] == "critical")
        .map(describe)
        .collect();
    assert!(serious.is_empty(), "{name}:\n{}", serious.join("\n"));
}

fn describe(violation: &Value) -> String {
    let nodes = violation["nodes"].as_array().unwrap().iter();
    let places: Vec<String> = nodes.map(|node| node["html"].to_string()).collect();
    format!("{}: {}", violation["help"], places.join(" | "))
}
