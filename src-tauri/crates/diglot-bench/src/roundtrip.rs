//! Round trips: whether files come back byte for byte, untouched and with every unit between marks. Owns the walk
//! through a folder; each kind of comparison has its own module.

mod bilingual;
mod compare;
mod judge;
mod marks;
pub(crate) mod members;
mod report;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

pub use compare::{Difference, first_difference};
pub use judge::{Fault, Judged, Outcome, judge};
pub use marks::Marks;
pub use report::Tally;

/// Lists all regular files below a folder, sorted. Links are not followed, hidden names are passed over.
///
/// # Errors
/// When a folder cannot be read.
pub fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let (mut found, mut waiting) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = waiting.pop() {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let kind = entry.file_type()?;
            if entry.file_name().to_string_lossy().starts_with('.') {
                continue;
            }
            if kind.is_dir() {
                waiting.push(entry.path());
            } else if kind.is_file() {
                found.push(entry.path());
            }
        }
    }
    found.sort();
    Ok(found)
}
