//! A folder of a translator: files of many formats, of old encodings and of earlier work, and what is asked about them.

use diglot_api::view::settings::Theme;
use thirtyfour::prelude::*;

use crate::accessibility::check as look;
use crate::home::Home;
use crate::journey::start;
use crate::wanted;
use crate::window::{Window, until_file};

const CATALOGUE: &str = "msgid \"\"\nmsgstr \"\"\n\"Language: de\\n\"\n\
    \"Content-Type: text/plain; charset=UTF-8\\n\"\n\
    \"Plural-Forms: nplurals=2; plural=(n != 1);\\n\"\n\n\
    #. Shown in the title bar\n#, fuzzy, c-format\nmsgid \"Copy %s\"\nmsgstr \"Kopiere %s\"\n\n\
    #, c-format\nmsgid \"%d file\"\nmsgid_plural \"%d files\"\nmsgstr[0] \"\"\nmsgstr[1] \"\"\n";
const STRINGS: &str = "{\n  \"title\": \"Hello {{ name }}\"\n}\n";
const PAGE: &str =
    "<!DOCTYPE html>\n<html><body>\n<p>Water the <b>roses</b>.</p>\n</body></html>\n";

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_of_many_formats_is_translated_by_its_rules() {
    if !wanted() {
        return;
    }
    let home = Home::new();
    let files = [
        ("de.po", CATALOGUE),
        ("en.json", STRINGS),
        ("page.html", PAGE),
    ];
    let folder = home.folder("app", &files);
    let window = Window::open(&home, &[&folder]).await;

    window.click("open-rules").await;
    let json = window.find("[data-testid=rules] [value=json]").await;
    json.click().await.unwrap();
    look(&window, "rules").await;
    window.click("save-rules").await;
    window
        .find("[data-reason=switchedOff] [title='en.json']")
        .await;

    start(&window, "German").await;
    window.under_review(1).await;
    assert!(
        window
            .text("hints")
            .await
            .contains("Shown in the title bar")
    );
    look(&window, "hints").await;
    window.click("take").await;
    window.find("[data-testid=approve]:not(:disabled)").await;
    assert_eq!(window.text("target-editor").await, "Kopiere %s");
    // A chip goes as a whole, and comes back by a key.
    let editor = window.under_review(1).await;
    window.find("[data-testid=target-editor] .placeable").await;
    editor.send_keys(Key::Backspace + "").await.unwrap();
    window.click("insert-missing").await;
    assert_eq!(window.text("target-editor").await, "Kopiere %s");
    editor.send_keys(Key::Control + Key::Enter).await.unwrap();
    write(&window, "de.po", 2, "%d Datei").await;
    write(&window, "de.po", 3, "%d Dateien").await;
    let translated = CATALOGUE
        .replace("#, fuzzy, c-format", "#, c-format")
        .replace("[0] \"\"", "[0] \"%d Datei\"")
        .replace("[1] \"\"", "[1] \"%d Dateien\"");
    until_file(&home.at("app-de/de.po"), &translated).await;

    // The file that is switched off is passed over.
    write(&window, "page.html", 1, "Gieße die <b>Rosen</b>.").await;
    window
        .find("[data-testid=finish-note][data-kind=complete]")
        .await;
    let translated = PAGE.replace("Water the <b>roses</b>.", "Gieße die <b>Rosen</b>.");
    until_file(&home.at("app-de/page.html"), &translated).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_confirmed_is_checked_and_follows_its_source() {
    if !wanted() {
        return;
    }
    let home = Home::with_settings(|settings| settings.theme = Theme::Dark).await;
    let folder = home.folder("cafe", &[("door.md", "The door opens.\n")]);
    // windows-1252.
    std::fs::write(folder.join("hours.txt"), b"The caf\xe9 opens at 9.\n").unwrap();
    let window = Window::open(&home, &[&folder]).await;
    start(&window, "Polish").await;
    write(&window, "door.md", 1, "Drzwi się otwierają.").await;
    let hours = "Kawiarnia „Żółw” otwiera się o 8.";
    write(&window, "hours.txt", 1, hours).await;
    window.get("unencodable").await;
    look(&window, "unencodable").await;
    window.click("save-as-utf8").await;
    window.unit(1, "refined").await;
    let utf8 = format!("\u{feff}{hours}\n");
    until_file(&home.at("cafe-pl/hours.txt"), &utf8).await;

    check(&window).await;
    window.find("[data-testid=finding][data-kind=number]").await;
    look(&window, "checks").await;
    window.click("set-aside").await;
    window.get("show-aside").await;
    window.close().await;

    std::fs::write(folder.join("door.md"), "The small door opens.\n").unwrap();
    let window = Window::open(&home, &[]).await;
    window.click("history-item").await;
    window.under_review(1).await;
    let hints = window.get("hints").await;
    let added = hints.find(By::Css("ins")).await.unwrap();
    assert!(added.text().await.unwrap().contains("small"));
    look(&window, "former").await;
    window.click("take").await;
    window.find("[data-testid=approve]:not(:disabled)").await;
    assert_eq!(window.text("target-editor").await, "Drzwi się otwierają.");
    check(&window).await;
    window.get("show-aside").await;
    let findings = "return document.querySelectorAll('[data-testid=finding]').length";
    assert_eq!(window.run(findings, Vec::new()).await, 0, "it stays aside");
}

/// Checks all that was confirmed.
async fn check(window: &Window) {
    window
        .find("[role=tab][data-tab=checks]")
        .await
        .click()
        .await
        .unwrap();
    window.click("check-project").await;
}

/// Writes a unit that has no draft, and confirms it by its chord.
async fn write(window: &Window, path: &str, unit: usize, text: &str) {
    window.find(&format!("h1[title='{path}']")).await;
    let editor = window.under_review(unit).await;
    editor.send_keys(text).await.unwrap();
    editor.send_keys(Key::Control + Key::Enter).await.unwrap();
}
