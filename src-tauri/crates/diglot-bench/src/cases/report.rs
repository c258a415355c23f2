//! What a case came to. Owns the words of the printed lines.

use std::fmt;

/// Names how a case ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// All that was checked holds.
    Passed,
    /// Something does not hold.
    Failed,
    /// Nothing could be checked, and why.
    Skipped(String),
}

/// Holds one thing that was looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The key of `expect.md`, or the runner's own name for what holds for every case.
    pub key: String,
    /// What does not hold; `None` when it holds.
    pub fault: Option<String>,
}

/// Holds what a case came to.
#[derive(Debug, Clone)]
pub struct Report {
    /// Name of its folder.
    pub name: String,
    /// Its title.
    pub title: String,
    /// What was looked at, in order.
    pub findings: Vec<Finding>,
    /// Lines of `expect.md` that no program looks at.
    pub unchecked: Vec<String>,
    /// The conversation with the scripted model, message by message.
    pub trace: Vec<String>,
    skipped: Option<String>,
}

impl Report {
    pub(crate) fn new(name: String) -> Self {
        Self {
            name,
            title: String::new(),
            findings: Vec::new(),
            unchecked: Vec::new(),
            trace: Vec::new(),
            skipped: None,
        }
    }

    /// Notes that something holds.
    pub(crate) fn pass(&mut self, key: &str) {
        self.findings.push(Finding {
            key: key.to_owned(),
            fault: None,
        });
    }

    /// Notes that something does not hold.
    pub(crate) fn fail(&mut self, key: &str, fault: impl Into<String>) {
        self.findings.push(Finding {
            key: key.to_owned(),
            fault: Some(fault.into()),
        });
    }

    /// Notes what came of a check; an empty list of faults holds.
    pub(crate) fn note(&mut self, key: &str, faults: Vec<String>) {
        if faults.is_empty() {
            self.pass(key);
        }
        for fault in faults {
            self.fail(key, fault);
        }
    }

    /// Notes that the case cannot be run.
    pub(crate) fn skip(&mut self, reason: impl Into<String>) {
        self.skipped = Some(reason.into());
    }

    /// Ends the case: one in which nothing was checked is passed over.
    pub(crate) fn close(&mut self) {
        if self.findings.is_empty() {
            self.skip("only prose, which no check knows");
        }
    }

    /// Returns how the case ended.
    pub fn verdict(&self) -> Verdict {
        if self.findings.iter().any(|finding| finding.fault.is_some()) {
            return Verdict::Failed;
        }
        match &self.skipped {
            Some(reason) => Verdict::Skipped(reason.clone()),
            None => Verdict::Passed,
        }
    }

    /// Returns what does not hold, one line each.
    pub fn faults(&self) -> Vec<String> {
        let fault =
            |finding: &Finding| Some(format!("{}: {}", finding.key, finding.fault.as_ref()?));
        self.findings.iter().filter_map(fault).collect()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            name,
            title,
            findings,
            unchecked,
            ..
        } = self;
        match self.verdict() {
            Verdict::Passed => write!(f, "{name} passed, {} checks: {title}", findings.len())?,
            Verdict::Failed => write!(f, "{name} FAILED: {title}")?,
            Verdict::Skipped(reason) => write!(f, "{name} skipped, {reason}: {title}")?,
        }
        for fault in self.faults() {
            write!(f, "\n    {fault}")?;
        }
        for line in unchecked {
            write!(f, "\n    unchecked: {line}")?;
        }
        Ok(())
    }
}
