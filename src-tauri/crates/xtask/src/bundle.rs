//! `cargo xtask bundle`: the installer of the system that it runs on, by Tauri's own tool.

use crate::command::{npm, run};
use crate::repo::Repo;
use crate::report::{say, step};
use crate::system::{Purpose, ensure};
use crate::{sbom, ui};
use anyhow::{Context, Result, bail};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The kind of installer that a system expects first.
const DEFAULT_KIND: &str = if cfg!(windows) {
    "nsis"
} else if cfg!(target_os = "macos") {
    "dmg"
} else {
    "deb"
};
/// How the names of installers end.
const ENDINGS: &[&str] = &["deb", "rpm", "AppImage", "dmg", "msi", "exe"];

#[derive(Debug, PartialEq, Eq)]
struct Options<'a> {
    profile: &'static str,
    kinds: &'a str,
}

/// Builds the app and its installer, and prints where the installer and its bill of materials are.
pub(crate) fn make(repo: &Repo, args: &[&str]) -> Result<()> {
    let options = parse(args)?;
    ensure(Purpose::Build)?;
    ui::install(repo)?;
    step("Installer");
    let start = SystemTime::now();
    let mut command = npm();
    command.args([
        "--prefix",
        "ui",
        "run",
        "tauri",
        "--",
        "build",
        "--bundles",
        options.kinds,
    ]);
    if options.profile == "debug" {
        command.arg("--debug");
    }
    command.args(["--", "--locked"]);
    run(command.current_dir(repo.root()))?;
    let folder = repo.target().join(options.profile).join("bundle");
    let installers = installers_since(&folder, start)?;
    if installers.is_empty() {
        bail!("no installer appeared in {}", folder.display());
    }
    let bill = sbom::write(repo, &folder)?;
    for file in installers.iter().chain(&bill) {
        say(&file.display().to_string());
    }
    Ok(())
}

fn parse<'a>(args: &[&'a str]) -> Result<Options<'a>> {
    let mut options = Options {
        profile: "release",
        kinds: DEFAULT_KIND,
    };
    let mut rest = args.iter();
    while let Some(word) = rest.next() {
        match *word {
            "--debug" => options.profile = "debug",
            "--bundles" => {
                options.kinds = rest
                    .next()
                    .context("--bundles wants a kind, as in: --bundles deb,rpm")?;
            }
            other => bail!("bundle does not know {other}; it knows --debug and --bundles KIND,.."),
        }
    }
    Ok(options)
}

/// Returns the installers under `folder` (one folder a kind) that were written at or after `start`, sorted.
fn installers_since(folder: &Path, start: SystemTime) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for kind in fs::read_dir(folder).with_context(|| format!("read {}", folder.display()))? {
        let kind = kind?.path();
        if !kind.is_dir() {
            continue;
        }
        for file in fs::read_dir(&kind).with_context(|| format!("read {}", kind.display()))? {
            let file = file?;
            let path = file.path();
            let is_installer = path
                .extension()
                .is_some_and(|end| ENDINGS.iter().any(|known| end == *known));
            if is_installer && file.metadata()?.modified()? >= start {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn options_are_read_in_any_order() {
        let expected = Options {
            profile: "debug",
            kinds: "rpm",
        };
        assert_eq!(parse(&["--debug", "--bundles", "rpm"]).unwrap(), expected);
        assert_eq!(parse(&["--bundles", "rpm", "--debug"]).unwrap(), expected);
        assert_eq!(
            parse(&[]).unwrap(),
            Options {
                profile: "release",
                kinds: DEFAULT_KIND
            }
        );
        assert!(parse(&["--bundles"]).is_err());
        assert!(parse(&["--fast"]).is_err());
    }

    #[test]
    fn only_fresh_installers_are_named() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("deb")).unwrap();
        let installer = folder.path().join("deb/diglot.deb");
        fs::write(&installer, "x").unwrap();
        fs::write(folder.path().join("deb/control.tar.gz"), "x").unwrap();
        let now = SystemTime::now();
        let an_hour = Duration::from_secs(3600);
        assert_eq!(
            installers_since(folder.path(), now - an_hour).unwrap(),
            [installer]
        );
        assert_eq!(
            installers_since(folder.path(), now + an_hour).unwrap(),
            [] as [PathBuf; 0]
        );
    }
}
