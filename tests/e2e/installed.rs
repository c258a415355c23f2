//! The installed program: the package of Debian is made, unpacked, and started as the desktop starts it, with a folder.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::home::Home;
use crate::wanted;
use crate::window::Window;

#[tokio::test(flavor = "multi_thread")]
async fn the_package_starts_by_its_desktop_entry() {
    if !wanted() {
        return;
    }
    if !root().join("ui/node_modules/@tauri-apps/cli").is_dir() {
        println!("skipped: the packages of the front end are not installed");
        return;
    }
    let home = Home::new();
    let installed = home.at("installed");
    run(Command::new("dpkg-deb")
        .arg("--extract")
        .arg(package())
        .arg(&installed));

    let entry = std::fs::read_to_string(installed.join("usr/share/applications/Diglot.desktop"));
    let entry = entry.unwrap();
    let value = |key: &str| {
        let mut lines = entry.lines();
        lines
            .find_map(|line| line.strip_prefix(key)?.strip_prefix('='))
            .map(str::to_owned)
    };
    assert_eq!(value("MimeType").as_deref(), Some("inode/directory;"));
    let icon = format!(
        "usr/share/icons/hicolor/128x128/apps/{}.png",
        value("Icon").unwrap()
    );
    assert!(installed.join(icon).is_file());
    let exec = value("Exec").unwrap();
    let (program, field) = exec.split_once(' ').unwrap();
    assert_eq!(field, "%F", "a folder can be opened with it");

    let folder = home.folder("guide", &[("a.md", "# Tides\n")]);
    let program = installed.join("usr/bin").join(program);
    let window = Window::open_program(&home, &program, &[&folder]).await;
    window.get("target-language").await;
    window.photograph("installed").await;
    assert!(
        home.at("data/org.diglot.app/sample/guide/README.md")
            .is_file()
    );
}

/// Makes the package from the program that is already built.
fn package() -> PathBuf {
    let npm = [
        "--prefix",
        "ui",
        "run",
        "tauri",
        "--",
        "bundle",
        "--debug",
        "--bundles",
        "deb",
    ];
    run(Command::new("npm").args(npm).current_dir(root()));
    let target = Path::new(env!("CARGO_BIN_EXE_diglot")).parent().unwrap();
    let folder = target.join("bundle/deb");
    let version = env!("CARGO_PKG_VERSION");
    let mut entries = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let is_package = |path: &PathBuf| {
        let name = path.file_name().unwrap().to_str().unwrap();
        name.starts_with(&format!("Diglot_{version}_")) && path.extension() == Some("deb".as_ref())
    };
    entries.find(is_package).unwrap()
}

fn run(command: &mut Command) {
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {text}");
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}
