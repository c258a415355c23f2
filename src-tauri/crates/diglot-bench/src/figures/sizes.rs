//! Sizes of what is shipped: the programs and the front end.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// Names how a program was built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Profile {
    /// For working on it.
    Dev,
    /// For shipping it.
    Release,
}

impl Profile {
    /// Tells how this program was built; the others in its folder are of the same kind.
    pub fn of_this_program() -> Self {
        if cfg!(debug_assertions) {
            Self::Dev
        } else {
            Self::Release
        }
    }

    /// Returns its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Dev => "dev",
            Self::Release => "release",
        }
    }
}

/// Lists what is there: a name and its size in bytes. `programs` is the folder of the built programs.
pub fn sizes(programs: &Path, front_end: &Path) -> Vec<(String, u64)> {
    let mut sizes = Vec::new();
    for name in ["diglot", "diglot-cli"] {
        let path = programs.join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
        if let Ok(data) = fs::metadata(path) {
            sizes.push((format!("program {name}"), data.len()));
        }
    }
    let mut files = Vec::new();
    collect(front_end, &mut files);
    let bytes: Vec<u64> = files.iter().map(|file| file.len() as u64).collect();
    if !bytes.is_empty() {
        sizes.push(("front end".to_owned(), bytes.iter().sum()));
        let packed: Option<Vec<u64>> = files.iter().map(|file| gzip(file)).collect();
        sizes.extend(packed.map(|packed| ("front end, gzip".to_owned(), packed.iter().sum())));
    }
    sizes
}

fn collect(folder: &Path, files: &mut Vec<Vec<u8>>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else {
            files.extend(fs::read(path));
        }
    }
}

/// Returns the size after gzip; `None` where the system has no such program.
fn gzip(bytes: &[u8]) -> Option<u64> {
    use std::io::Write;
    let mut child = Command::new("gzip")
        .arg("-9c")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .ok()?;
    let mut stdin = child.stdin.take()?;
    let (bytes, writer) = (bytes.to_owned(), std::thread::spawn);
    let written = writer(move || stdin.write_all(&bytes).is_ok());
    let output = child.wait_with_output().ok()?;
    (written.join().ok()? && output.status.success()).then_some(output.stdout.len() as u64)
}
