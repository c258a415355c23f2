//! The laws that hold for any input: no panic, bounded time and memory, itself when nothing is translated, and only
//! its own place changed when one unit is. Owns their limits; must not know a format.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use diglot_document::{Document, Untranslatable, render_target};

use super::Plan;
use super::packages;
use crate::clock::Stopwatch;
use crate::formats;

/// Time for an input of any length.
const FLOOR: Duration = Duration::from_secs(1);
/// Time for a megabyte; unoptimised code takes ten times as long.
const PER_MEGABYTE: f64 = if cfg!(debug_assertions) { 10.0 } else { 1.0 };
/// Inputs below this length say nothing about time per length.
const TELLING: usize = 100_000;
/// Memory for an input of any length, in kilobytes.
const MEMORY_FLOOR: usize = 300 * 1024;
/// Memory for a byte of input.
const MEMORY_PER_BYTE: usize = 400;
/// What a unit is changed into.
const CHANGED: &str = "Zum Test ersetzt";

/// Judges inputs.
pub(super) struct Laws {
    measures_memory: bool,
}

/// Holds what was seen of one input.
#[derive(Debug, Default)]
pub(super) struct Verdict {
    pub(super) is_refused: bool,
    pub(super) seconds_per_megabyte: f64,
    pub(super) faults: Vec<String>,
}

impl Laws {
    pub(super) fn new(plan: &Plan) -> Self {
        Self {
            measures_memory: plan.measures_memory,
        }
    }

    /// Holds an input against every law; `choice` chooses the unit that is changed.
    pub(super) fn judge(&self, name: &str, input: &[u8], choice: u64) -> Verdict {
        let before = self.peak();
        let start = Stopwatch::start();
        let judged = catch_unwind(AssertUnwindSafe(|| read(name, input, choice)));
        let time = start.elapsed();
        let mut verdict = judged.unwrap_or_else(|_| Verdict {
            faults: vec!["panic: the product panicked".to_owned()],
            ..Verdict::default()
        });
        let megabytes = f64::from(u32::try_from(input.len()).unwrap_or(u32::MAX)) / 1e6;
        if input.len() >= TELLING {
            verdict.seconds_per_megabyte = time.as_secs_f64() / megabytes;
        }
        if time > FLOOR && time.as_secs_f64() > PER_MEGABYTE * megabytes {
            verdict.faults.push(format!(
                "time: {:.1} s for {} bytes",
                time.as_secs_f64(),
                input.len()
            ));
        }
        let grown = self.peak().saturating_sub(before);
        if grown > MEMORY_FLOOR + MEMORY_PER_BYTE * input.len() / 1024 {
            verdict.faults.push(format!(
                "memory: {} MB for {} bytes",
                grown / 1024,
                input.len()
            ));
        }
        verdict
    }

    /// Returns the most memory that the process ever had, in kilobytes.
    fn peak(&self) -> usize {
        if !self.measures_memory {
            return 0;
        }
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let number = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
        number.unwrap_or(0)
    }
}

fn read(name: &str, input: &[u8], choice: u64) -> Verdict {
    let Ok(document) = formats::open(name, input) else {
        return Verdict {
            is_refused: true,
            ..Verdict::default()
        };
    };
    let mut faults = Vec::new();
    faults.extend(tiles(&document));
    faults.extend(identity(&document));
    faults.extend(one_unit(&document, choice));
    Verdict {
        faults,
        ..Verdict::default()
    }
}

/// Units are disjoint pieces of the text, in its order, on character boundaries.
fn tiles(document: &Document) -> Option<String> {
    let mut end = 0;
    let may_be_empty = document.format.is_bilingual();
    let wrong = document.segments.iter().find(|segment| {
        let span = segment.span;
        let fits = span.start >= end
            && document
                .text
                .get(span.start..span.end)
                .is_some_and(|text| may_be_empty || !text.is_empty());
        end = span.end;
        !fits
    })?;
    Some(format!(
        "spans: unit {} lies at {:?}",
        wrong.ordinal + 1,
        wrong.span
    ))
}

/// With nothing translated the output is the input; so it is with each unit as its own target, unless the file
/// holds both.
fn identity(document: &Document) -> Option<String> {
    let source = |ordinal: usize| {
        let segment = document.segments.get(ordinal)?;
        (!document.format.is_bilingual()).then_some(segment.source.as_str())
    };
    match [
        render_target(document, |_| None),
        render_target(document, source),
    ] {
        [Ok(none), Ok(same)] if none == *document.bytes && same == *document.bytes => None,
        [Ok(_), Ok(_)] => Some("identity: the output is not the input".to_owned()),
        [Err(error), _] | [_, Err(error)] => Some(format!("identity: {error}")),
    }
}

/// A changed unit leaves what lies before and behind it, or the drawn table that it is in, alone. Where text and bytes are not the same thing, the
/// output must at least be readable.
fn one_unit(document: &Document, choice: u64) -> Option<String> {
    let n_units = document.segments.len() as u64;
    let place = usize::try_from(choice % n_units.max(1)).ok()?;
    let reach = document.reach(place)?;
    let output = match render_target(document, |ordinal| (ordinal == place).then_some(CHANGED)) {
        Ok(output) => output,
        Err(error) => return Some(format!("change: {error}")),
    };
    // Damaged text may come to look binary when prose is taken out of it.
    if formats::reopen(document, &output).is_err_and(|reason| reason != Untranslatable::Binary) {
        return Some(format!(
            "change: the file is refused once unit {} is translated",
            place + 1
        ));
    }
    let start = document.bytes.len().checked_sub(document.text.len())?;
    let is_plain = document.bytes.get(start..) == Some(document.text.as_bytes());
    if !is_plain || packages::is_package(&document.bytes) || document.format.is_bilingual() {
        return None;
    }
    let head = document.bytes.get(..start + reach.start)?;
    let tail = document.bytes.get(start + reach.end..)?;
    let fits = output.len() >= head.len() + tail.len()
        && output.starts_with(head)
        && output.ends_with(tail);
    (!fits).then(|| format!("change: more than unit {} was changed", place + 1))
}
