//! Takes language packs in from a folder, a zip archive or a Python wheel. Owns the limits on what is
//! taken; no path from an archive is ever used for writing.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use diglot_document::LanguagePair;
use sha2::{Digest, Sha256};
use zip::ZipArchive;

use crate::engine::Engine;
use crate::pack::{HASHES, Pack, PackError, Part, VERIFIED, languages_of};

/// Most entries of an archive or folder that are looked at.
const MAX_ENTRIES: usize = 10_000;
/// Deepest folder that is looked into.
const MAX_DEPTH: usize = 6;

/// SHA-256 of files in Mozilla's registry of models: its own folder name, what the file is, the hash.
const KNOWN: [(&str, Part, &str); 6] = [
    (
        "enpt-1693087644",
        Part::Model,
        "d968735704c75e33c2e183b9241f14c0b2a560d01d88a2728e5c0119a4d7fb22",
    ),
    (
        "enpt-1693087644",
        Part::Vocabulary,
        "633a3d782c79f7d5e4b94ab96848f47c2fdf8ba82dd99efd1742b8a696bbd0cc",
    ),
    (
        "enpt-1693087644",
        Part::Shortlist,
        "1e96599123d275afa37353dfe84677a4070f013494fbdc9c52a28445cc9bc38d",
    ),
    (
        "pten-1693087646",
        Part::Model,
        "6c3b7af01772022a19712410c63342ba581468c2f1aac34d7488409c4043e697",
    ),
    (
        "pten-1693087646",
        Part::Vocabulary,
        "8389979e3c965688b07aeb712a7e44406e5dcdb2b84087229d26fcc71448c4ed",
    ),
    (
        "pten-1693087646",
        Part::Shortlist,
        "212ed0ae44a6f920cd6d17ca02f0a523ba6c4b0ef5078ae310c20bc4c51484c5",
    ),
];

/// Holds one pack as it was found: its folder's name, and where each part is.
#[derive(Debug)]
struct Found<T> {
    folder: String,
    languages: LanguagePair,
    parts: BTreeMap<Part, T>,
}

/// Imports all packs in a folder or archive into a folder of packs, replacing those of the same
/// languages, and returns them. Each is read by the engine once before it takes its place.
///
/// # Errors
/// When nothing in it is a pack, or a file of one is damaged, too long, or cannot be read or written.
pub fn import(from: &Path, dir: &Path) -> Result<Vec<Pack>, PackError> {
    let mut packs = Vec::new();
    if from.is_dir() {
        let mut files = Vec::new();
        walk(from, 0, &mut files)?;
        for found in group(files) {
            packs.push(install(&found, dir, |path| open(path))?);
        }
    } else {
        let mut archive = ZipArchive::new(open(from)?).map_err(|error| not_an_archive(&error))?;
        let mut files = Vec::new();
        for place in 0..archive.len().min(MAX_ENTRIES) {
            let entry = archive
                .by_index(place)
                .map_err(|error| not_an_archive(&error))?;
            if let (true, Ok(name)) = (entry.is_file(), entry.name()) {
                files.push((PathBuf::from(name.replace('\\', "/")), place));
            }
        }
        for found in group(files) {
            let read = |place: &usize| read_entry(&mut archive, *place);
            packs.push(install(&found, dir, read)?);
        }
    }
    if packs.is_empty() {
        Err(PackError::NoPack)
    } else {
        Ok(packs)
    }
}

fn not_an_archive(error: &zip::result::ZipError) -> PackError {
    PackError::NotAnArchive {
        detail: error.to_string(),
    }
}

fn open(path: &Path) -> Result<File, PackError> {
    File::open(path).map_err(io(path))
}

fn io(path: &Path) -> impl FnOnce(std::io::Error) -> PackError {
    let path = path.to_owned();
    move |source| PackError::Io { path, source }
}

/// Unpacks an entry; longer ones than any file of a pack are refused whatever their header says.
fn read_entry(
    archive: &mut ZipArchive<File>,
    place: usize,
) -> Result<std::io::Cursor<Vec<u8>>, PackError> {
    let entry = archive
        .by_index(place)
        .map_err(|error| not_an_archive(&error))?;
    let mut bytes = Vec::new();
    let limit = Part::Model.max_bytes() + 1;
    entry
        .take(limit)
        .read_to_end(&mut bytes)
        .map_err(|error| PackError::NotAnArchive {
            detail: error.to_string(),
        })?;
    Ok(std::io::Cursor::new(bytes))
}

/// Collects the files below a folder, without following links.
fn walk(folder: &Path, depth: usize, files: &mut Vec<(PathBuf, PathBuf)>) -> Result<(), PackError> {
    for entry in fs::read_dir(folder).map_err(io(folder))? {
        let entry = entry.map_err(io(folder))?;
        let kind = entry.file_type().map_err(io(folder))?;
        if kind.is_dir() && depth < MAX_DEPTH {
            walk(&entry.path(), depth + 1, files)?;
        } else if kind.is_file() && files.len() < MAX_ENTRIES {
            files.push((entry.path(), entry.path()));
        }
    }
    Ok(())
}

/// Groups files by their folder; those that are whole packs are kept, one for each pair.
fn group<T>(files: Vec<(PathBuf, T)>) -> Vec<Found<T>> {
    let mut folders: BTreeMap<PathBuf, BTreeMap<Part, (String, T)>> = BTreeMap::new();
    for (path, at) in files {
        let name = path
            .file_name()
            .and_then(|name| name.to_str())
            .unwrap_or_default();
        if let Some(part) = Part::of(name) {
            let folder = path.parent().unwrap_or(Path::new("")).to_owned();
            folders
                .entry(folder)
                .or_default()
                .entry(part)
                .or_insert((name.to_owned(), at));
        }
    }
    let mut packs: BTreeMap<LanguagePair, Found<T>> = BTreeMap::new();
    for (folder, parts) in folders {
        let folder = folder
            .file_name()
            .and_then(|name| name.to_str())
            .unwrap_or_default()
            .to_owned();
        let has = |part| parts.contains_key(&part);
        let has_vocabulary =
            has(Part::Vocabulary) || has(Part::SourceVocabulary) && has(Part::TargetVocabulary);
        let languages = parts
            .get(&Part::Model)
            .and_then(|(model, _)| languages_of(&folder, model));
        if let (true, Some(languages)) = (has_vocabulary, languages) {
            let parts = parts
                .into_iter()
                .map(|(part, (_, at))| (part, at))
                .collect();
            packs.insert(
                languages.clone(),
                Found {
                    folder,
                    languages,
                    parts,
                },
            );
        }
    }
    packs.into_values().collect()
}

/// Copies a pack beside its place, tries it, and puts it there.
fn install<T, R: Read>(
    found: &Found<T>,
    dir: &Path,
    mut read: impl FnMut(&T) -> Result<R, PackError>,
) -> Result<Pack, PackError> {
    let name = format!("{}-{}", found.languages.source, found.languages.target);
    // A folder of its own keeps the pack's name, which tells its languages, while it is tried.
    let waiting = dir.join(format!(".import-{name}"));
    remove(&waiting)?;
    let draft = waiting.join(&name);
    fs::create_dir_all(&draft).map_err(io(&draft))?;
    let copied = copy(found, &draft, &mut read).and_then(|()| {
        let pack = Pack::open(&draft).ok_or(PackError::NoPack)?;
        Ok(Engine::new(pack).load()?)
    });
    let placed = copied.and_then(|()| {
        let place = dir.join(&name);
        remove(&place)?;
        fs::rename(&draft, &place).map_err(io(&place))?;
        Pack::open(&place).ok_or(PackError::NoPack)
    });
    remove(&waiting)?;
    placed
}

fn remove(folder: &Path) -> Result<(), PackError> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(io(folder)(error)),
        _ => Ok(()),
    }
}

/// Copies the parts of a pack under our names and writes the list of their hashes.
fn copy<T, R: Read>(
    found: &Found<T>,
    draft: &Path,
    read: &mut impl FnMut(&T) -> Result<R, PackError>,
) -> Result<(), PackError> {
    let mut hashes = String::new();
    let mut is_verified = true;
    for (part, at) in &found.parts {
        let file = part.file_name();
        let path = draft.join(file);
        let mut bytes = Vec::new();
        let n_read = read(at)?
            .take(part.max_bytes() + 1)
            .read_to_end(&mut bytes)
            .map_err(io(&path))?;
        if n_read as u64 > part.max_bytes() {
            return Err(PackError::TooLarge {
                file: file.to_owned(),
            });
        }
        let hash = hex(&Sha256::digest(&bytes));
        match known(found, *part) {
            Some(known) if known != hash => {
                return Err(PackError::Damaged {
                    file: file.to_owned(),
                });
            }
            Some(_) => {}
            None => {
                let is_known = |(_, of, known): &(_, Part, &str)| of == part && *known == hash;
                is_verified &= KNOWN.iter().any(is_known);
            }
        }
        hashes.extend([hash.as_str(), "  ", file, "\n"]);
        let mut out = File::create(&path).map_err(io(&path))?;
        out.write_all(&bytes)
            .and_then(|()| out.sync_all())
            .map_err(io(&path))?;
    }
    if is_verified {
        hashes.insert_str(0, &format!("{VERIFIED}\n"));
    }
    let path = draft.join(HASHES);
    fs::write(&path, hashes).map_err(io(&path))
}

/// Returns the hash that a file must have where its folder's name tells which model it is.
fn known<T>(found: &Found<T>, part: Part) -> Option<&'static str> {
    KNOWN
        .iter()
        .find(|(folder, of, _)| *folder == found.folder && *of == part)
        .map(|(_, _, hash)| *hash)
}

fn hex(bytes: &[u8]) -> String {
    bytes
        .iter()
        .fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
}

#[cfg(test)]
mod tests;
