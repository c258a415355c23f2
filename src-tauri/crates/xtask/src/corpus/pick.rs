//! Which files of an unpacked package are taken. Owns patterns, the even choice among many, and unpacking what lies
//! packed inside.

use super::Entry;
use crate::command::{program, run_silently};
use anyhow::{Context, Result};
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use zip::ZipArchive;

/// Stands between the pattern of an archive and that of its members.
const INSIDE: char = '!';

/// Copies what the entry asks for, and returns how many files that are.
pub(super) fn pick(entry: &Entry, unpacked: &Path, place: &Path) -> Result<usize> {
    let files = files(unpacked)?;
    let mut n_files = 0;
    for pattern in &entry.patterns {
        let (outer, inner) = match pattern.split_once(INSIDE) {
            Some((outer, inner)) => (outer, Some(inner)),
            None => (pattern.as_str(), None),
        };
        let fitting: Vec<&String> = files.iter().filter(|name| fits(outer, name)).collect();
        for name in spread(&fitting, entry.cap) {
            let from = unpacked.join(name);
            n_files += match inner {
                Some(inner) => members(&from, &place.join(name), inner, entry.cap)?,
                None => copy(&from, &place.join(name))?,
            };
        }
    }
    Ok(n_files)
}

/// Lists the regular files below a folder by their paths with `/`, sorted.
pub(super) fn files(folder: &Path) -> Result<Vec<String>> {
    let (mut found, mut waiting) = (Vec::new(), vec![(folder.to_owned(), String::new())]);
    while let Some((folder, prefix)) = waiting.pop() {
        for entry in fs::read_dir(&folder).with_context(|| folder.display().to_string())? {
            let entry = entry?;
            let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
            let kind = entry.file_type()?;
            if kind.is_dir() {
                waiting.push((entry.path(), format!("{name}/")));
            } else if kind.is_file() {
                found.push(name);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Tells whether a name fits a pattern, in which `*` stands for anything, also for `/`.
fn fits(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = name.strip_prefix(parts.next().unwrap_or_default()) else {
        return false;
    };
    let mut parts: Vec<&str> = parts.collect();
    let Some(last) = parts.pop() else {
        return rest.is_empty();
    };
    for part in parts {
        match rest.split_once(part) {
            Some((_, after)) => rest = after,
            None => return false,
        }
    }
    rest.ends_with(last)
}

/// Takes at most `cap` things, evenly from the whole.
fn spread<T: Clone>(things: &[T], cap: usize) -> Vec<T> {
    let n = things.len().min(cap);
    (0..n)
        .filter_map(|index| things.get(index * things.len() / n).cloned())
        .collect()
}

/// Copies a file, unpacked where it is one packed with gzip.
fn copy(from: &Path, to: &Path) -> Result<usize> {
    fs::create_dir_all(to.parent().context("a file lies nowhere")?)?;
    fs::copy(from, to).with_context(|| format!("copy {}", from.display()))?;
    if to.extension().is_some_and(|ending| ending == "gz") {
        run_silently(program("gzip").args(["-d", "-f"]).arg(to))?;
    }
    Ok(1)
}

/// Unpacks members of an archive that fit into a folder of its name.
fn members(archive: &Path, folder: &Path, pattern: &str, cap: usize) -> Result<usize> {
    let file = File::open(archive).with_context(|| format!("open {}", archive.display()))?;
    let mut archive = ZipArchive::new(file).context("not a zip file")?;
    let mut names: Vec<String> = archive
        .file_names()
        .filter_map(|name| Some(name.ok()?.into_owned()))
        .collect();
    names.retain(|name| fits(pattern, name));
    names.sort();
    let chosen = spread(&names, cap);
    for name in &chosen {
        let mut member = archive.by_name(name)?;
        let inside: PathBuf = member.enclosed_name().context("a member lies outside")?;
        let to = folder.join(inside);
        let mut bytes = Vec::new();
        member.read_to_end(&mut bytes)?;
        fs::create_dir_all(to.parent().context("a member lies nowhere")?)?;
        fs::write(&to, bytes).with_context(|| format!("write {}", to.display()))?;
    }
    Ok(chosen.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_anything() {
        for (pattern, name, expected) in [
            ("*.md", "a/b.md", true),
            ("*.md", "a/b.mdx", false),
            ("*/de/*.po", "x/locale/de/y/z.po", true),
            ("*/de/*.po", "x/locale/fr/y/z.po", false),
            ("a.md", "a.md", true),
            ("a.md", "a.md.gz", false),
            ("a*b*b", "ab", false),
            ("*", "", true),
        ] {
            assert_eq!(fits(pattern, name), expected, "{pattern} {name}");
        }
    }

    #[test]
    fn a_choice_is_even() {
        let things: Vec<u32> = (0..10).collect();
        assert_eq!(spread(&things, 3), [0, 3, 6]);
        assert_eq!(spread(&things, 20), things);
        assert!(spread(&things[..0], 3).is_empty());
    }

    #[test]
    fn what_fits_is_copied_with_its_path() {
        let (from, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        for name in ["a/one.md", "a/two.md", "b/three.txt"] {
            let path = from.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, name).unwrap();
        }
        let entry = Entry::read("npm x 1 1 *.md *.txt").unwrap();
        assert_eq!(pick(&entry, from.path(), to.path()).unwrap(), 2);
        assert_eq!(files(to.path()).unwrap(), ["a/one.md", "b/three.txt"]);
    }
}
