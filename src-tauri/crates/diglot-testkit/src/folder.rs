//! A temporary folder with files.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// Holds a temporary folder, removed on drop.
#[derive(Debug)]
pub struct FolderFixture {
    dir: TempDir,
}

impl FolderFixture {
    /// Makes a folder from relative paths and bytes; folders between are made.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn new<B: AsRef<[u8]>>(files: &[(&str, B)]) -> io::Result<Self> {
        let fixture = Self {
            dir: tempfile::tempdir()?,
        };
        for (path, bytes) in files {
            fixture.write(path, bytes)?;
        }
        Ok(fixture)
    }

    /// Makes a folder with a copy of everything below another one; links are not followed.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn copy_of(folder: &Path) -> io::Result<Self> {
        let fixture = Self {
            dir: tempfile::tempdir()?,
        };
        for path in walk(folder)? {
            let bytes = fs::read(folder.join(&path))?;
            fixture.write(&path, bytes)?;
        }
        Ok(fixture)
    }

    /// Returns where it is.
    pub fn path(&self) -> &Path {
        self.dir.path()
    }

    /// Returns where a file of it is.
    pub fn at(&self, path: &str) -> PathBuf {
        self.dir.path().join(path)
    }

    /// Writes a file.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn write(&self, path: &str, bytes: impl AsRef<[u8]>) -> io::Result<()> {
        let path = self.at(path);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(path, bytes)
    }

    /// Reads a file.
    ///
    /// # Errors
    /// When it is not there.
    pub fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        fs::read(self.at(path))
    }

    /// Reads all files, by relative path with `/`; for comparing a folder whole.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn files(&self) -> io::Result<BTreeMap<String, Vec<u8>>> {
        let read = |path: String| Ok((path.clone(), self.read(&path)?));
        walk(self.path())?.into_iter().map(read).collect()
    }
}

/// Lists all regular files below a folder, by relative path with `/`.
fn walk(root: &Path) -> io::Result<Vec<String>> {
    let mut files = Vec::new();
    let mut waiting = vec![String::new()];
    while let Some(folder) = waiting.pop() {
        for entry in fs::read_dir(root.join(&folder))? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = if folder.is_empty() {
                name
            } else {
                format!("{folder}/{name}")
            };
            let kind = entry.file_type()?;
            if kind.is_dir() {
                waiting.push(path);
            } else if kind.is_file() {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_made_copied_and_read_whole() {
        let folder = FolderFixture::new(&[("a/b.md", "B"), ("c.txt", "")]).unwrap();
        let expected = BTreeMap::from([
            ("a/b.md".to_owned(), b"B".to_vec()),
            ("c.txt".to_owned(), Vec::new()),
        ]);
        assert_eq!(folder.files().unwrap(), expected);
        let copy = FolderFixture::copy_of(folder.path()).unwrap();
        assert_eq!(copy.files().unwrap(), expected);
        assert_ne!(copy.path(), folder.path());
    }
}
