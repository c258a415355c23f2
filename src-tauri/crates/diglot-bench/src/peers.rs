//! Peers: whether what the product writes is read by the libraries and programs that others use, with every unit in
//! its place. Owns the comparison and the reasons for differences; the peers are called by a script.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use diglot_document::render_target;
use serde::{Deserialize, Serialize};

use crate::figures::Table;
use crate::formats;
use crate::roundtrip::Marks;

pub mod terms;

/// The script that calls the peers.
pub(crate) const SCRIPT: &str = include_str!("../peers/peers.py");
/// Why a peer may see another number of units.
const REASONS: &str = include_str!("../peers/reasons.txt");
/// Longest file that peers are given.
const MAX_BYTES: usize = 400_000;

/// Holds a file that was written with every unit between marks.
#[derive(Debug, Clone, Serialize)]
pub struct Written {
    /// Where it was written.
    pub path: PathBuf,
    /// What it is called.
    pub name: String,
    /// A copy of what it was made from.
    pub source: PathBuf,
    #[serde(skip)]
    format: &'static str,
    #[serde(skip)]
    n_units: usize,
}

/// Holds what a peer said of a file.
#[derive(Debug, Clone, Deserialize)]
struct Answer {
    path: PathBuf,
    peer: String,
    marks: Option<usize>,
    fault: Option<String>,
    absent: bool,
    /// Whether it does not read the source either.
    alike: bool,
}

/// Writes a file with every unit between marks; `None` when the product refuses it, or it has no unit, or is long.
///
/// # Errors
/// When it cannot be rendered or written.
pub fn write(name: &str, bytes: &[u8], place: &Path) -> Result<Option<Written>> {
    let Ok(document) = formats::open(name, bytes) else {
        return Ok(None);
    };
    let n_units = document.segments.len();
    let Some(marks) = Marks::of(&document).filter(Marks::are_usual) else {
        return Ok(None);
    };
    if n_units == 0 || bytes.len() > MAX_BYTES {
        return Ok(None);
    }
    let sources = document.segments.iter();
    let targets: Vec<String> = sources
        .map(|segment| marks.around(&segment.source))
        .collect();
    let output = render_target(&document, |ordinal| {
        targets.get(ordinal).map(String::as_str)
    })?;
    fs::create_dir_all(place.parent().context("the file lies nowhere")?)?;
    fs::write(place, output)?;
    let mut source = place.as_os_str().to_owned();
    source.push(".source");
    fs::write(&source, bytes)?;
    Ok(Some(Written {
        path: place.to_owned(),
        name: name.to_owned(),
        source: source.into(),
        format: document.format.name(),
        n_units,
    }))
}

/// Lets every peer read the files.
///
/// # Errors
/// When the script does not run to its end.
pub fn ask(python: &Path, files: &[Written]) -> Result<Comparison> {
    let mut child = Command::new(python)
        .args(["-c", SCRIPT])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .with_context(|| format!("{} cannot be started", python.display()))?;
    let mut stdin = child.stdin.take().context("the script has no input")?;
    let mut lines = String::new();
    for file in files {
        lines.push_str(&serde_json::to_string(file)?);
        lines.push('\n');
    }
    let writer = std::thread::spawn(move || stdin.write_all(lines.as_bytes()));
    let output = child.wait_with_output()?;
    ensure!(
        output.status.success(),
        "the script ended with {}",
        output.status
    );
    writer.join().ok().context("the script read no input")??;
    let text = String::from_utf8_lossy(&output.stdout);
    let mut comparison = Comparison::default();
    for line in text.lines() {
        let answer: Answer = serde_json::from_str(line).context("an answer of the script")?;
        if let Some(file) = files.iter().find(|file| file.path == answer.path) {
            comparison.add(file, answer);
        }
    }
    Ok(comparison)
}

/// Adds up what peers said.
#[derive(Debug, Default)]
pub struct Comparison {
    pairs: BTreeMap<(&'static str, String), Counts>,
    faults: Vec<String>,
}

#[derive(Debug, Default)]
struct Counts {
    n_files: usize,
    n_units: usize,
    n_marks: usize,
    n_uncounted: usize,
    /// Files that the peer does not read before they are translated either.
    n_alike: usize,
    is_absent: bool,
}

impl Comparison {
    fn add(&mut self, file: &Written, answer: Answer) {
        let Answer {
            peer,
            marks,
            fault,
            absent,
            alike,
            ..
        } = answer;
        let counts = self.pairs.entry((file.format, peer.clone())).or_default();
        if absent {
            counts.is_absent = true;
            return;
        }
        if alike {
            counts.n_alike += 1;
            return;
        }
        counts.n_files += 1;
        if let Some(fault) = fault {
            self.faults
                .push(format!("{} {}: {peer}: {fault}", file.format, file.name));
            return;
        }
        let Some(marks) = marks else {
            counts.n_uncounted += 1;
            return;
        };
        counts.n_units += file.n_units;
        counts.n_marks += marks;
        if marks != file.n_units && reason(file.format, &peer).is_none() {
            let n_units = file.n_units;
            self.faults.push(format!(
                "{} {}: {peer} sees {marks} of {n_units} units",
                file.format, file.name
            ));
        }
    }

    /// Returns a line for each file that a peer does not read whole.
    pub fn faults(&self) -> &[String] {
        &self.faults
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for fault in &self.faults {
            writeln!(f, "FAILED  {fault}")?;
        }
        let mut table = Table::default();
        table.row(
            "format, peer",
            &["files", "units", "seen", "remark"].map(str::to_owned),
        );
        for ((format, peer), counts) in &self.pairs {
            let remark = match reason(format, peer) {
                _ if counts.is_absent => "skipped: the peer is not installed",
                Some(reason) if counts.n_units != counts.n_marks => reason,
                _ if counts.n_uncounted > 0 => "opens; counts no units",
                _ => "",
            };
            let cells = [counts.n_files, counts.n_units, counts.n_marks].map(|n| n.to_string());
            let remark = match counts.n_alike {
                0 => remark.to_owned(),
                n => format!("{remark} ({n} more are refused untranslated too)"),
            };
            let cells = [&cells[..], &[remark]].concat();
            table.row(&format!("{format}, {peer}"), &cells);
        }
        write!(f, "{table}")?;
        let n_files: usize = self.pairs.values().map(|counts| counts.n_files).sum();
        let n_absent = self
            .pairs
            .values()
            .filter(|counts| counts.is_absent)
            .count();
        let n_failed = self.faults.len();
        writeln!(
            f,
            "{} passed, {n_failed} failed, {n_absent} skipped",
            n_files.saturating_sub(n_failed)
        )
    }
}

/// Returns why a peer may see another number of units of a format.
fn reason(format: &str, peer: &str) -> Option<&'static str> {
    REASONS
        .lines()
        .filter(|line| !line.starts_with('#'))
        .find_map(|line| {
            let mut parts = line.splitn(3, '|').map(str::trim);
            let is_meant = parts.next() == Some(format) && parts.next() == Some(peer);
            is_meant.then(|| parts.next()).flatten()
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(marks: Option<usize>, fault: Option<&str>, absent: bool) -> Answer {
        let fault = fault.map(str::to_owned);
        Answer {
            path: "x".into(),
            peer: "peer".to_owned(),
            marks,
            fault,
            absent,
            alike: false,
        }
    }

    #[test]
    fn a_loss_is_a_fault_and_an_absent_peer_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        let file = write("a.txt", b"One.\n\nTwo.\n", &path).unwrap().unwrap();
        assert_eq!(
            fs::read_to_string(&path).unwrap(),
            "\u{27e6}One.\u{27e7}\n\n\u{27e6}Two.\u{27e7}\n"
        );
        let mut comparison = Comparison::default();
        comparison.add(&file, answer(Some(2), None, false));
        comparison.add(&file, answer(None, None, false));
        comparison.add(&file, answer(None, None, true));
        assert!(comparison.faults().is_empty());
        comparison.add(&file, answer(Some(1), None, false));
        comparison.add(&file, answer(None, Some("no"), false));
        assert_eq!(comparison.faults().len(), 2);
        assert!(
            comparison
                .to_string()
                .ends_with("2 passed, 2 failed, 1 skipped\n"),
            "{comparison}"
        );
    }

    #[test]
    fn reasons_name_formats_that_are_there() {
        for line in REASONS.lines().filter(|line| !line.starts_with('#')) {
            let format = line.split('|').next().unwrap().trim();
            assert!(
                diglot_document::Format::all().any(|known| known.name() == format),
                "{line}"
            );
            assert_eq!(line.split('|').count(), 3, "{line}");
        }
        assert!(reason("EPUB", "EbookLib").is_some() && reason("EPUB", "x").is_none());
    }
}
