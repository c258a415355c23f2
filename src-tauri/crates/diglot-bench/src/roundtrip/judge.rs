//! One file: every unit approved as it is, and every unit between marks. Owns the laws; must not know where files
//! come from.

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use anyhow::Result;
use diglot_document::{Document, Format, Untranslatable, render_target};

use super::compare::{self, first_difference};
use super::members::{self, Member};
use super::{Marks, bilingual};
use crate::clock::Stopwatch;
use crate::formats;

/// Holds what came of one file.
#[derive(Debug)]
pub struct Judged {
    /// What it was read as.
    pub format: Option<Format>,
    /// Its length.
    pub n_bytes: usize,
    /// Its units.
    pub n_units: usize,
    /// Time for reading it.
    pub parse: Duration,
    /// Time for writing it with every unit translated.
    pub render: Duration,
    /// What was found.
    pub outcome: Outcome,
}

/// Says how a file fared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// Every law holds.
    Passed,
    /// The product does not take the file.
    Refused(Untranslatable),
    /// Laws that do not hold.
    Failed(Vec<Fault>),
}

/// Holds a law that a file breaks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The law's name.
    pub law: &'static str,
    /// What was seen.
    pub what: String,
}

/// Judges a file; a panic of the product is a fault like any other.
pub fn judge(path: &str, bytes: &[u8]) -> Judged {
    catch_unwind(AssertUnwindSafe(|| open(path, bytes))).unwrap_or_else(|_| Judged {
        outcome: Outcome::Failed(vec![fault("panic", "the product panicked")]),
        ..unread(bytes)
    })
}

fn unread(bytes: &[u8]) -> Judged {
    Judged {
        format: None,
        n_bytes: bytes.len(),
        n_units: 0,
        parse: Duration::ZERO,
        render: Duration::ZERO,
        outcome: Outcome::Passed,
    }
}

fn open(path: &str, bytes: &[u8]) -> Judged {
    let start = Stopwatch::start();
    let document = match formats::open(path, bytes) {
        Ok(document) => document,
        Err(reason) => {
            return Judged {
                outcome: Outcome::Refused(reason),
                ..unread(bytes)
            };
        }
    };
    let parse = start.elapsed();
    let mut faults = Vec::new();
    faults.extend(spans(&document));
    faults.extend(same(&document));
    let start = Stopwatch::start();
    let marked = marked(&document);
    let render = start.elapsed();
    faults.extend(
        marked
            .and_then(|marked| judge_marked(&document, marked))
            .err(),
    );
    Judged {
        format: Some(document.format),
        n_units: document.segments.len(),
        parse,
        render,
        outcome: if faults.is_empty() {
            Outcome::Passed
        } else {
            Outcome::Failed(faults)
        },
        ..unread(bytes)
    }
}

/// Units are disjoint pieces of the text, in its order.
fn spans(document: &Document) -> Option<Fault> {
    let mut end = 0;
    // A bilingual file may have no place for a target yet.
    let shortest = usize::from(!document.format.is_bilingual());
    let wrong = document
        .segments
        .iter()
        .enumerate()
        .find(|(place, segment)| {
            let span = segment.span;
            let fits = span.start >= end
                && span.end >= span.start + shortest
                && document.text.get(span.start..span.end).is_some();
            end = span.end;
            !fits || segment.ordinal != *place
        });
    let (place, segment) = wrong?;
    Some(fault(
        "spans",
        format!("unit {} lies at {:?}", place + 1, segment.span),
    ))
}

/// With nothing approved the file is itself; so it is with every unit approved as it is, unless it holds both.
fn same(document: &Document) -> Option<Fault> {
    let source = |ordinal: usize| {
        let segment = document.segments.get(ordinal)?;
        (!document.format.is_bilingual()).then_some(segment.source.as_str())
    };
    let outputs = [
        render_target(document, |_| None),
        render_target(document, source),
    ];
    outputs.into_iter().find_map(|output| match output {
        Err(error) => Some(fault("identity", error.to_string())),
        Ok(output) => {
            let difference = first_difference(&output, &document.bytes, None)?;
            Some(fault("identity", difference.to_string()))
        }
    })
}

/// A file with every unit between marks.
struct Marked {
    marks: Marks,
    output: Vec<u8>,
}

fn marked(document: &Document) -> Result<Marked, Fault> {
    let marks = Marks::of(document).ok_or_else(|| fault("markers", "no marks fit the file"))?;
    let targets: Vec<String> = document
        .segments
        .iter()
        .map(|segment| marks.around(&segment.source))
        .collect();
    let output = render_target(document, |ordinal| targets.get(ordinal).map(String::as_str))
        .map_err(|error| fault("markers", error.to_string()))?;
    Ok(Marked { marks, output })
}

/// Taking the marks off gives the file.
fn judge_marked(document: &Document, marked: Marked) -> Result<(), Fault> {
    let Marked { marks, output } = marked;
    if document.format.is_bilingual() {
        return bilingual::judge(document, &marks, &output).map_err(|what| fault("targets", what));
    }
    if members::is_package(&document.bytes) {
        return judge_package(document, &marks, &output);
    }
    let difference = first_difference(&output, &document.bytes, Some(&marks)).and_then(|_| {
        compare::first_difference_but_frames(&output, &document.bytes, &marks, &frames(document))
    });
    if let Some(difference) = difference {
        return Err(fault("markers", difference.to_string()));
    }
    let (found, wanted) = (compare::count(&output, &marks), document.segments.len());
    if found == wanted {
        return Ok(());
    }
    Err(fault(
        "markers",
        format!("{found} of {wanted} units are marked in the output"),
    ))
}

/// Returns the bytes of the tables that are drawn with lines, which make room for what is written into them: where
/// the marks are taken off again, the room stays. Only texts that stand in the file as they are have some.
fn frames(document: &Document) -> Vec<Range<usize>> {
    let start = document.bytes.len().saturating_sub(document.text.len());
    if document.bytes.get(start..) != Some(document.text.as_bytes()) {
        return Vec::new();
    }
    let drawn = document.segments.iter().filter_map(|segment| {
        let reach = document.reach(segment.ordinal)?;
        (reach != segment.span).then_some(start + reach.start..start + reach.end)
    });
    let mut frames: Vec<_> = drawn.collect();
    frames.dedup();
    frames
}

/// Members keep their order, names and flags; those without a unit keep their packed bytes.
fn judge_package(document: &Document, marks: &Marks, output: &[u8]) -> Result<(), Fault> {
    let read =
        |bytes: &[u8]| members::read(bytes).map_err(|error| fault("package", format!("{error:#}")));
    let (old, new) = (read(&document.bytes)?, read(output)?);
    if old.len() != new.len() {
        return Err(fault(
            "package",
            format!("{} members instead of {}", new.len(), old.len()),
        ));
    }
    let mut n_marks = 0;
    for (old, new) in old.iter().zip(&new) {
        n_marks += compare::count(&new.content, marks);
        judge_member(old, new, marks)?;
    }
    let n_units = document.segments.len();
    if n_marks < n_units {
        return Err(fault(
            "markers",
            format!("{n_marks} of {n_units} units are marked in the output"),
        ));
    }
    Ok(())
}

fn judge_member(old: &Member, new: &Member, marks: &Marks) -> Result<(), Fault> {
    if !old.has_head_of(new) {
        return Err(fault(
            "package",
            format!("the entry of {} was changed ({})", old.name, new.name),
        ));
    }
    if old.content == new.content {
        if old.is_untouched(new) {
            return Ok(());
        }
        return Err(fault("package", format!("{} was packed anew", old.name)));
    }
    first_difference(&new.content, &old.content, Some(marks)).map_or(Ok(()), |difference| {
        Err(fault("markers", format!("{}: {difference}", old.name)))
    })
}

fn fault(law: &'static str, what: impl Into<String>) -> Fault {
    Fault {
        law,
        what: what.into(),
    }
}
