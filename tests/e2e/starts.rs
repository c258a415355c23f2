//! How the program begins beside another one, and how it ends.

use std::process::{Child, Command, Stdio};

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
    // Nobody holds the database any more.
    home.workbench().close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_locked_database_is_said_and_ends_the_program() {
    if !wanted() || !has_xdotool() {
        return;
    }
    let home = Home::new();
    let holder = home.workbench();
    let mut program = Program::start(&home, &[("TAURI_WEBVIEW_AUTOMATION", "true")]);
    wait_for_a_window(&["windowfocus", "key", "Return"]);
    assert_eq!(program.0.wait().unwrap().code(), Some(3));
    holder.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_start_leaves_the_work_to_the_first() {
    if !wanted() || !has_xdotool() {
        return;
    }
    let home = Home::new();
    let mut first = Program::start(&home, &[]);
    wait_for_a_window(&[]);
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

/// Waits until the program shows a window, and does something with it.
fn wait_for_a_window(action: &[&str]) {
    let search = [
        "30",
        "xdotool",
        "search",
        "--sync",
        "--onlyvisible",
        "--name",
        "^Diglot$",
    ];
    let output = Command::new("timeout")
        .args(search)
        .args(action)
        .output()
        .unwrap();
    assert!(output.status.success(), "no window: {output:?}");
}
