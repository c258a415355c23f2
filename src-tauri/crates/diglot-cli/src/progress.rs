//! How far a translation is, on standard error: one moving line on a terminal, a few plain lines elsewhere.

use std::io::{self, IsTerminal, Write};
use std::sync::{Mutex, PoisonError};

/// Width of the bar, in characters.
const WIDTH: usize = 30;

/// Names how progress is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    /// Not at all.
    Quiet,
    /// One line that changes in place.
    Bar,
    /// A line whenever another tenth is done.
    Lines,
}

impl Style {
    /// Returns what suits where standard error goes.
    pub(crate) fn of(quiet: bool) -> Self {
        match (quiet, io::stderr().is_terminal()) {
            (true, _) => Self::Quiet,
            (false, true) => Self::Bar,
            (false, false) => Self::Lines,
        }
    }
}

/// Shows progress; may be told from any thread.
#[derive(Debug)]
pub(crate) struct Progress {
    style: Style,
    last: Mutex<Last>,
}

#[derive(Debug, Default)]
struct Last {
    counts: Option<(u64, u64)>,
    tenth: Option<u64>,
    has_bar: bool,
}

impl Progress {
    /// Makes one that has shown nothing yet.
    pub(crate) fn new(style: Style) -> Self {
        Self {
            style,
            last: Mutex::default(),
        }
    }

    /// Shows that so many of so many units are confirmed.
    pub(crate) fn show(&self, done: u64, total: u64) {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if last.counts == Some((done, total)) {
            return;
        }
        last.counts = Some((done, total));
        let tenth = Some(tenths(done, total));
        match self.style {
            Style::Bar => {
                last.has_bar = true;
                say(&format!("\r{}\u{1b}[K", bar(done, total)));
            }
            Style::Lines if last.tenth != tenth => say(&format!("{done} of {total} units\n")),
            Style::Lines | Style::Quiet => {}
        }
        last.tenth = tenth;
    }

    /// Says something beside the progress.
    pub(crate) fn note(&self, text: &str) {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        match self.style {
            Style::Quiet => {}
            Style::Bar => {
                say(&format!("\r{text}\u{1b}[K\n"));
                last.counts = None;
            }
            Style::Lines => say(&format!("{text}\n")),
        }
    }

    /// Ends the moving line.
    pub(crate) fn end(&self) {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if std::mem::take(&mut last.has_bar) {
            say("\n");
        }
    }
}

fn tenths(done: u64, total: u64) -> u64 {
    (done.saturating_mul(10)).checked_div(total).unwrap_or(10)
}

fn bar(done: u64, total: u64) -> String {
    let share = done
        .saturating_mul(WIDTH as u64)
        .checked_div(total)
        .unwrap_or(WIDTH as u64);
    let filled = usize::try_from(share).unwrap_or(WIDTH).min(WIDTH);
    format!(
        "[{}{}] {done} of {total} units",
        "#".repeat(filled),
        ".".repeat(WIDTH - filled)
    )
}

fn say(text: &str) {
    let mut stderr = io::stderr().lock();
    // Progress that nobody can see is no reason to end the work.
    drop(
        stderr
            .write_all(text.as_bytes())
            .and_then(|()| stderr.flush()),
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_is_empty_half_and_full() {
        assert_eq!(bar(0, 4), "[..............................] 0 of 4 units");
        assert_eq!(bar(2, 4), "[###############...............] 2 of 4 units");
        assert_eq!(bar(4, 4), "[##############################] 4 of 4 units");
        assert_eq!(bar(0, 0), "[##############################] 0 of 0 units");
        assert_eq!(bar(9, 4), "[##############################] 9 of 4 units");
    }
}
