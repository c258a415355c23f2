//! Counts what was right, by kind and language, and shows it.

use std::collections::BTreeMap;

use super::corpus::TARGETS;

/// So many misses are shown.
const MOST_SHOWN: usize = 60;

#[derive(Default)]
pub(super) struct Table {
    /// Right ones and all, by kind and language.
    counts: BTreeMap<&'static str, BTreeMap<&'static str, (usize, usize)>>,
    misses: Vec<String>,
}

impl Table {
    pub(super) fn add(
        &mut self,
        kind: &'static str,
        language: &'static str,
        is_right: bool,
        describe: impl FnOnce() -> String,
    ) {
        let count = self
            .counts
            .entry(kind)
            .or_default()
            .entry(language)
            .or_default();
        count.0 += usize::from(is_right);
        count.1 += 1;
        if !is_right {
            self.misses
                .push(format!("{kind} {language} {}", describe()));
        }
    }

    pub(super) fn total(&self) -> usize {
        self.sum(|_| true).1
    }

    /// Prints the table and the first misses; the test harness shows them on failure, or when asked to.
    pub(super) fn show(&self, title: &str) {
        println!("{title}");
        let line = |kind: &str, cells: Vec<String>| {
            let cells: Vec<_> = cells.iter().map(|cell| format!("{cell:>10}")).collect();
            println!("{kind:<12}{}", cells.concat());
        };
        let heads = TARGETS.iter().copied().chain(["all"]);
        line("", heads.map(str::to_owned).collect());
        for (kind, languages) in &self.counts {
            let all = self.sum(|other| other == *kind);
            let counts = TARGETS.iter().map(|code| languages.get(code).copied());
            let cell = |count: Option<(usize, usize)>| match count {
                Some((right, total)) => format!("{right}/{total}"),
                None => "-".to_owned(),
            };
            line(kind, counts.chain([Some(all)]).map(cell).collect());
        }
        let step = self.misses.len() / MOST_SHOWN + 1;
        for miss in self.misses.iter().step_by(step) {
            println!("missed: {miss}");
        }
    }

    /// Holds the figure of all.
    #[track_caller]
    pub(super) fn assert_all(&self, is_enough: impl Fn(usize, usize) -> bool) {
        let (right, total) = self.sum(|_| true);
        assert!(is_enough(right, total), "{right} of {total}");
    }

    /// Holds the figure of each kind.
    #[track_caller]
    pub(super) fn assert_each(&self, is_enough: impl Fn(usize, usize) -> bool) {
        for kind in self.counts.keys() {
            let (right, total) = self.sum(|other| other == *kind);
            assert!(is_enough(right, total), "{kind}: {right} of {total}");
        }
    }

    fn sum(&self, wanted: impl Fn(&str) -> bool) -> (usize, usize) {
        let rows = self.counts.iter().filter(|(kind, _)| wanted(kind));
        rows.flat_map(|(_, languages)| languages.values())
            .fold((0, 0), |sum, count| (sum.0 + count.0, sum.1 + count.1))
    }
}
