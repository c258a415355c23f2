//! Where things are: in the repository and in the app's data folder.

use anyhow::{Context, Result};
use std::env;
use std::path::{Path, PathBuf};

/// The repository that this program was built from.
pub(crate) struct Repo {
    root: PathBuf,
}

impl Repo {
    /// Finds the repository from the place of this crate in it.
    pub(crate) fn find() -> Result<Self> {
        let here = env::var_os("CARGO_MANIFEST_DIR")
            .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
        let root = here
            .ancestors()
            .nth(3)
            .context("xtask has left its place in the repository")?;
        Ok(Self {
            root: root.to_owned(),
        })
    }

    /// Returns the root folder.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the folder of the front end.
    pub(crate) fn ui(&self) -> PathBuf {
        self.root.join("ui")
    }

    /// Returns the folder that git ignores and cargo builds into.
    pub(crate) fn target(&self) -> PathBuf {
        self.root.join("target")
    }

    /// Returns the folder for language packs that tests use.
    pub(crate) fn packs(&self) -> PathBuf {
        self.root.join("packs")
    }

    /// Returns the folder for real files of many formats, which git ignores.
    pub(crate) fn corpus(&self) -> PathBuf {
        self.root.join("corpus")
    }

    /// Returns the folder where the installed app keeps its data, named by the identifier in tauri.conf.json.
    pub(crate) fn data_folder(&self) -> Result<PathBuf> {
        let path = self.root.join("tauri.conf.json");
        let text = std::fs::read(&path).with_context(|| format!("read {}", path.display()))?;
        let settings: serde_json::Value =
            serde_json::from_slice(&text).with_context(|| format!("parse {}", path.display()))?;
        let identifier = settings
            .get("identifier")
            .and_then(serde_json::Value::as_str)
            .with_context(|| format!("{} names no identifier", path.display()))?;
        let base = data_base(|name| env::var_os(name).map(PathBuf::from))
            .context("the home folder is not known")?;
        Ok(base.join(identifier))
    }
}

/// Returns the folder in which each app has its own, by the rules of this system (those of Tauri's `app_data_dir`).
fn data_base(variable: impl Fn(&str) -> Option<PathBuf>) -> Option<PathBuf> {
    let home = || variable("HOME").filter(|path| path.is_absolute());
    if cfg!(windows) {
        variable("APPDATA")
    } else if cfg!(target_os = "macos") {
        home().map(|home| home.join("Library/Application Support"))
    } else {
        variable("XDG_DATA_HOME")
            .filter(|path| path.is_absolute())
            .or_else(|| home().map(|home| home.join(".local/share")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_root_holds_the_lock_file() {
        assert!(Repo::find().unwrap().root().join("Cargo.lock").is_file());
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn the_data_base_follows_xdg() {
        let with = |xdg: Option<&str>| {
            data_base(|name| match name {
                "XDG_DATA_HOME" => xdg.map(PathBuf::from),
                "HOME" => Some(PathBuf::from("/home/ana")),
                _ => None,
            })
        };
        assert_eq!(with(Some("/data")), Some(PathBuf::from("/data")));
        assert_eq!(
            with(Some("relative")),
            Some(PathBuf::from("/home/ana/.local/share"))
        );
        assert_eq!(with(None), Some(PathBuf::from("/home/ana/.local/share")));
    }
}
