//! The keys that are about files and units: RT, UNITS, INSIDE, OUTSIDE, PROTECT; and what holds for every case.

use diglot_api::view::document::UnitView;
use diglot_document::{
    CheckContext, Document, Format, IssueKind, ParseOptions, check, render_target,
};

use super::case::Case;
use super::evidence::{Evidence, Seen, Written};
use super::report::Report;
use crate::formats;
use crate::roundtrip::members;

/// The marks of [`diglot_testkit::marked`].
const MARKS: [char; 2] = ['\u{27e6}', '\u{27e7}'];

/// Judges the keys that the case has.
pub(crate) fn judge(case: &Case, evidence: &Evidence, report: &mut Report) {
    let expect = &case.expect;
    report.note(
        "sources",
        sources(evidence, &[&evidence.same, &evidence.marked]),
    );
    report.note(
        "spans",
        evidence.documents.iter().filter_map(spans).collect(),
    );
    if expect.round_trip {
        report.note("RT", round_trip(evidence));
    }
    if let Some(n_units) = expect.n_units {
        let found: usize = evidence
            .documents
            .iter()
            .map(|seen| seen.view.n_units)
            .sum();
        if evidence.is_whole() {
            let fault = format!("{found} units, expected {n_units}");
            report.note(
                "UNITS",
                if found == n_units {
                    Vec::new()
                } else {
                    vec![fault]
                },
            );
        } else {
            report
                .unchecked
                .push(format!("UNITS: {n_units}, over files that are refused"));
        }
    }
    if !expect.inside.is_empty() {
        report.note("INSIDE", inside(&expect.inside, evidence));
    }
    if !expect.outside.is_empty() {
        report.note("OUTSIDE", outside(&expect.outside, evidence));
    }
    if !expect.protect.is_empty() {
        report.note("PROTECT", protect(&expect.protect, evidence));
    }
    if expect.text.to_lowercase().contains("marker") {
        report.note("markers", marked(evidence));
    }
}

/// Sources are never written.
pub(crate) fn sources(evidence: &Evidence, runs: &[&Written]) -> Vec<String> {
    let files = evidence.input.files.iter();
    files
        .filter(|(path, bytes)| runs.iter().any(|run| run.sources.get(*path) != Some(bytes)))
        .map(|(path, _)| format!("{path} was changed"))
        .collect()
}

/// The units of the product are those of the text model, in order and in their places.
fn spans(seen: &Seen) -> Option<String> {
    let shown: Vec<&str> = seen
        .view
        .units
        .iter()
        .map(|unit| unit.source.as_str())
        .collect();
    let read: Vec<&str> = seen
        .document
        .segments
        .iter()
        .map(|segment| segment.source.as_str())
        .collect();
    let mut end = 0;
    // A file that holds both sides may have no place for a target yet.
    let shortest = usize::from(!seen.document.format.is_bilingual());
    let in_order = seen.document.segments.iter().all(|segment| {
        let fits = segment.span.start >= end && segment.span.end >= segment.span.start + shortest;
        end = segment.span.end;
        fits
    });
    (shown != read || !in_order).then(|| format!("{}: units are not spans in order", seen.path))
}

fn round_trip(evidence: &Evidence) -> Vec<String> {
    let mut faults = evidence.same.refusals.clone();
    for seen in &evidence.documents {
        let wanted = &seen.document.bytes[..];
        if seen.document.format.is_bilingual() {
            let untouched = render_target(&seen.document, |_| None).unwrap_or_default();
            let differs = untouched != wanted;
            faults.extend(differs.then(|| difference(&seen.path, &untouched, wanted)));
            continue;
        }
        match evidence.same.targets.get(&seen.path) {
            Some(found) if found == wanted => {}
            Some(found) => faults.push(difference(&seen.path, found, wanted)),
            None if seen.view.n_units == 0 => {}
            None => faults.push(format!("{} was not written", seen.path)),
        }
    }
    faults
}

/// Says where two byte strings part.
pub(crate) fn difference(path: &str, found: &[u8], wanted: &[u8]) -> String {
    let at = found
        .iter()
        .zip(wanted)
        .take_while(|(found, wanted)| found == wanted)
        .count();
    let around = |bytes: &[u8]| {
        let part = bytes
            .iter()
            .skip(at.saturating_sub(12))
            .take(36)
            .copied()
            .collect::<Vec<u8>>();
        format!("{:?}", String::from_utf8_lossy(&part))
    };
    let (found, wanted) = (around(found), around(wanted));
    format!("{path} parts at byte {at}: {found}, expected {wanted}")
}

/// Each string lies in a unit, perhaps with inline markup or a line break between.
fn inside(strings: &[String], evidence: &Evidence) -> Vec<String> {
    let lies_in = |string: &str, unit: &UnitView| {
        let plain = unit
            .source_parts
            .iter()
            .filter(|part| part.placeable.is_none());
        let plain: String = plain.map(|part| part.text.as_str()).collect();
        let flat = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        unit.source.contains(string)
            || flat(&unit.source).contains(&flat(string))
            || flat(&plain).contains(&flat(string))
    };
    strings
        .iter()
        .filter(|string| concerns(string, evidence))
        .filter(|string| !units(evidence).any(|unit| lies_in(string, unit)))
        .map(|string| format!("{string:?} is in no unit"))
        .collect()
}

/// Each string is in no unit, and stands in the output as often as in the input.
fn outside(strings: &[String], evidence: &Evidence) -> Vec<String> {
    let mut faults = Vec::new();
    for string in strings.iter().filter(|string| concerns(string, evidence)) {
        if let Some(unit) = units(evidence).find(|unit| unit.source.contains(string.as_str())) {
            faults.push(format!("{string:?} is in unit {}", unit.unit));
        }
        faults.extend(survives(string, evidence));
    }
    faults
}

/// Each string stands in the output as often as in the input; a unit that loses it is flagged.
fn protect(strings: &[String], evidence: &Evidence) -> Vec<String> {
    let mut faults = Vec::new();
    let Some(languages) = evidence.languages() else {
        return faults;
    };
    for string in strings.iter().filter(|string| concerns(string, evidence)) {
        faults.extend(survives(string, evidence));
        for seen in &evidence.documents {
            let context = CheckContext::new(seen.document.format, &languages);
            let holders = seen
                .view
                .units
                .iter()
                .filter(|unit| unit.source.contains(string.as_str()));
            for unit in holders {
                let target = unit.source.replace(string.as_str(), "");
                let issues = check(&unit.source, &target, &context);
                if !issues.iter().any(|issue| is_structural(issue.kind)) {
                    faults.push(format!(
                        "losing {string:?} in unit {} is not flagged",
                        unit.unit
                    ));
                }
            }
        }
    }
    faults
}

/// Tells whether a finding is about what must survive; a shorter text alone is none.
fn is_structural(kind: IssueKind) -> bool {
    use IssueKind::{Markup, Number, Placeholder, Protected, Term};
    matches!(kind, Markup | Number | Placeholder | Protected | Term)
}

/// Taking the markers off the output gives the input.
fn marked(evidence: &Evidence) -> Vec<String> {
    let mut faults = evidence.marked.refusals.clone();
    for seen in &evidence.documents {
        let Some(text) = decoded(seen, evidence) else {
            if seen.view.n_units > 0 {
                faults.push(format!("{} was not written", seen.path));
            }
            continue;
        };
        let n_marks = text.matches(MARKS[0]).count();
        if n_marks != seen.view.n_units {
            faults.push(format!(
                "{}: {n_marks} markers, {} units",
                seen.path, seen.view.n_units
            ));
        }
        let text = text.replace(MARKS, "");
        if text != *seen.document.text {
            let (found, wanted) = (text.as_bytes(), seen.document.text.as_bytes());
            faults.push(difference(&seen.path, found, wanted));
        }
    }
    faults
}

fn survives(string: &str, evidence: &Evidence) -> Option<String> {
    let count = |text: &str| text.matches(string).count();
    let wanted: usize = evidence
        .documents
        .iter()
        .map(|seen| count(&seen.document.text))
        .sum();
    let texts = evidence
        .documents
        .iter()
        .filter_map(|seen| decoded(seen, evidence));
    let found: usize = texts.map(|text| count(&text)).sum();
    (found != wanted)
        .then(|| format!("{string:?} stands {found} times in the output, not {wanted}"))
}

/// Decodes the marked output of a document.
fn decoded(seen: &Seen, evidence: &Evidence) -> Option<String> {
    let bytes = match evidence.marked.targets.get(&seen.path) {
        Some(bytes) => bytes.as_slice(),
        None if seen.view.n_units == 0 => &seen.document.bytes,
        None => return None,
    };
    if members::is_package(bytes) {
        let again = formats::reopen(&seen.document, bytes).ok()?;
        return Some(again.text.to_string());
    }
    decode(bytes, &seen.view.encoding)
}

/// Decodes bytes as a document of an encoding.
pub(crate) fn decode(bytes: &[u8], encoding: &str) -> Option<String> {
    let options = ParseOptions {
        encoding: Some(encoding.to_owned()),
        ..ParseOptions::default()
    };
    Document::parse(Format::PlainText, bytes, &options)
        .ok()
        .map(|document| document.text.to_string())
}

/// Tells whether a string is about the files that the product reads.
fn concerns(string: &str, evidence: &Evidence) -> bool {
    if evidence.is_whole() {
        return true;
    }
    let flat = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut texts = evidence
        .documents
        .iter()
        .map(|seen| flat(&seen.document.text));
    texts.any(|text| text.contains(&flat(string)))
}

fn units(evidence: &Evidence) -> impl Iterator<Item = &UnitView> {
    evidence.documents.iter().flat_map(|seen| &seen.view.units)
}
