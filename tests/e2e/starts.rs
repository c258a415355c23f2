//! How the program begins beside another one, and how it ends.

use std::process::{Child, Command, Stdio};
use std::time::Duration;

use diglot_api::view::settings::Theme;

use crate::home::Home;
use crate::journey::start;
use crate::wanted;
use crate::window::{PROGRAM, Window};

#[tokio::test(flavor = "multi_thread")]
async fn closing_the_window_ends_the_program() {
    if !wanted() {
        return;
    }
    let home = Home::new();
    let folder = home.folder("guide", &[("a.md", "# Tides\n")]);
    let window = Window::open(&home, &[&folder]).await;
    start(&window, "German").await;
    window.under_review(1).await;
    window.close().await;
    let workbench = eventually("nobody holds the database", || home.try_workbench().ok());
    workbench.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_locked_database_is_said_and_ends_the_program() {
    if !wanted() || !has_xdotool() {
        return;
    }
    let home = Home::new();
    let holder = home.workbench();
    let mut program = Program::start(&home, &[("TAURI_WEBVIEW_AUTOMATION", "true")]);
    // The message takes the key once it has the focus; until then it is sent again.
    let status = eventually("the message is answered", || {
        act_on_the_window(&["windowfocus", "key", "Return"]);
        program.0.try_wait().unwrap()
    });
    assert_eq!(status.code(), Some(3));
    holder.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_database_is_restored_and_the_window_says_so() {
    if !wanted() {
        return;
    }
    let home = Home::with_settings(|settings| settings.theme = Theme::Dark).await;
    let mut bytes = std::fs::read(home.database()).unwrap();
    bytes[..4096].fill(0xee);
    std::fs::write(home.database(), &bytes).unwrap();
    let window = Window::open(&home, &[]).await;
    let said = window.text("database-restored").await;
    assert!(said.contains("restored from the backup of"), "{said}");
    assert!(said.contains("diglot.db.damaged-"), "{said}");
    window.find("html[data-theme=dark]").await;
    window.photograph("database-restored").await;
    window.close().await;
    let kept = said
        .rsplit("is kept at ")
        .next()
        .unwrap()
        .trim_end_matches('.');
    assert!(
        std::fs::read(kept).unwrap() == bytes,
        "the damaged file is as it was"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_start_leaves_the_work_to_the_first() {
    if !wanted() || !has_xdotool() {
        return;
    }
    let home = Home::new();
    let mut first = Program::start(&home, &[]);
    eventually("the first has a window", || {
        act_on_the_window(&[]).then_some(())
    });
    let mut second = Program::start(&home, &[]);
    assert_eq!(second.0.wait().unwrap().code(), Some(0));
    assert_eq!(first.0.try_wait().unwrap(), None, "the first goes on");
}

/// Holds the program without a driver; ends it on drop.
struct Program(Child);

impl Program {
    fn start(home: &Home, environment: &[(&str, &str)]) -> Self {
        let child = Command::new(PROGRAM)
            .envs(home.environment())
            .envs(environment.iter().copied())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        Self(child)
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // It may have ended by itself.
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

fn has_xdotool() -> bool {
    let answer = Command::new("xdotool").arg("version").output();
    if answer.is_err() {
        println!("skipped: xdotool, which answers a dialog, is not installed");
    }
    answer.is_ok()
}

/// Does something with the program's window; answers whether there was one.
fn act_on_the_window(action: &[&str]) -> bool {
    let search = [
        "5",
        "xdotool",
        "search",
        "--onlyvisible",
        "--name",
        "^Diglot$",
    ];
    let output = Command::new("timeout")
        .args(search)
        .args(action)
        .output()
        .unwrap();
    output.status.success()
}

/// Looks again and again, for half a minute: another program does its work meanwhile and tells nobody.
fn eventually<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    for _ in 0..150 {
        if let Some(found) = look() {
            return found;
        }
        std::thread::sleep(Duration::from_millis(200));
    }
    panic!("{what}: not within half a minute")
}
