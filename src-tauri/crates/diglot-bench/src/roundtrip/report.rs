//! The counts of a round trip and what failed. Owns the printed lines.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use diglot_document::Untranslatable;

use super::{Judged, Outcome};
use crate::figures::{Table, milliseconds};
use crate::formats;

/// Adds up what came of many files.
#[derive(Debug, Default)]
pub struct Tally {
    formats: BTreeMap<String, Counts>,
    /// Files that belong to no format, by ending.
    foreign: BTreeMap<String, usize>,
    /// Files that are refused, with the reason.
    refused: Vec<String>,
    /// Files that failed, one line for each fault.
    failed: Vec<String>,
}

#[derive(Debug, Default)]
struct Counts {
    n_files: usize,
    n_passed: usize,
    n_units: usize,
    n_bytes: usize,
    parse: Duration,
    render: Duration,
}

impl Tally {
    /// Adds a file.
    pub fn add(&mut self, path: &str, judged: &Judged) {
        if judged.outcome == Outcome::Refused(Untranslatable::UnknownFormat) {
            *self.foreign.entry(formats::ending(path)).or_default() += 1;
            return;
        }
        let format = judged.format.map_or_else(
            || format!(".{}", formats::ending(path)),
            |format| format.name().to_owned(),
        );
        let counts = self.formats.entry(format.clone()).or_default();
        counts.n_files += 1;
        counts.n_units += judged.n_units;
        counts.n_bytes += judged.n_bytes;
        counts.parse += judged.parse;
        counts.render += judged.render;
        match &judged.outcome {
            Outcome::Passed => counts.n_passed += 1,
            Outcome::Refused(reason) => self.refused.push(format!("{path}: {reason:?}")),
            Outcome::Failed(faults) => {
                let lines = faults
                    .iter()
                    .map(|fault| format!("{format} {path}: {}: {}", fault.law, fault.what));
                self.failed.extend(lines);
            }
        }
    }

    /// Returns the number of files that were read as a format, or refused by one.
    pub fn n_files(&self) -> usize {
        self.formats.values().map(|counts| counts.n_files).sum()
    }

    /// Returns the number of formats that were met.
    pub fn n_formats(&self) -> usize {
        self.formats.len()
    }

    /// Returns a line for each fault.
    pub fn faults(&self) -> &[String] {
        &self.failed
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in &self.failed {
            writeln!(f, "FAILED  {line}")?;
        }
        for line in &self.refused {
            writeln!(f, "refused {line}")?;
        }
        let mut table = Table::default();
        table.row(
            "format",
            &["files", "passed", "units", "kB", "parse", "render"].map(str::to_owned),
        );
        for (format, counts) in &self.formats {
            let cells = [
                counts.n_files,
                counts.n_passed,
                counts.n_units,
                counts.n_bytes / 1000,
            ];
            let mut cells = cells.map(|n| n.to_string()).to_vec();
            cells.extend([milliseconds(counts.parse), milliseconds(counts.render)]);
            table.row(format, &cells);
        }
        write!(f, "{table}")?;
        let foreign: Vec<String> = self
            .foreign
            .iter()
            .map(|(ending, n)| format!("{n} .{ending}"))
            .collect();
        if !foreign.is_empty() {
            writeln!(f, "of no format: {}", foreign.join(", "))?;
        }
        let n_passed: usize = self.formats.values().map(|counts| counts.n_passed).sum();
        let n_refused = self.refused.len();
        let n_failed = self.n_files() - n_passed - n_refused;
        writeln!(
            f,
            "{n_passed} passed, {n_failed} failed, {n_refused} skipped"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::roundtrip::{Fault, judge};

    #[test]
    fn each_file_is_counted_once() {
        let mut tally = Tally::default();
        tally.add("a.md", &judge("a.md", b"# One\n\nTwo.\n"));
        tally.add("b.md", &judge("b.md", &[0; 600]));
        tally.add("c.xyz", &judge("c.xyz", b"x"));
        let mut wrong = judge("d.md", b"One.");
        wrong.outcome = Outcome::Failed(vec![Fault {
            law: "identity",
            what: "lost".to_owned(),
        }]);
        tally.add("d.md", &wrong);
        let text = tally.to_string();
        assert!(
            text.contains("FAILED  Markdown d.md: identity: lost"),
            "{text}"
        );
        assert!(text.contains("refused b.md: Binary"), "{text}");
        assert!(text.contains("of no format: 1 .xyz"), "{text}");
        assert!(text.ends_with("1 passed, 1 failed, 1 skipped\n"), "{text}");
    }
}
