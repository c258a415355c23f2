//! Prose lines that a program can hold against what was seen. Owns which words name which check; a line that no
//! check knows is listed as unchecked.

mod bytes;
mod catalogues;
mod dialogue;
mod faults;
mod structure;

pub(crate) use faults::OUTSIDE_READER;

use super::case::Case;
use super::evidence::Evidence;
use super::report::Report;

/// Holds what a named check may look at.
pub(crate) struct Line<'a> {
    text: &'a str,
    case: &'a Case,
    evidence: &'a Evidence,
}

/// Judges a line: what does not hold, or `None` when the line is not meant for the check.
type Check = fn(&Line<'_>) -> Option<Vec<String>>;

const CHECKS: &[Check] = &[
    bytes::marker_translation,
    bytes::verdicts,
    bytes::hex_start,
    bytes::line_ends,
    bytes::no_replacement,
    bytes::dashes,
    bytes::hard_breaks,
    bytes::destinations,
    bytes::nowhere_in_output,
    bytes::unit_limit,
    bytes::one_to_one,
    bytes::units_of,
    bytes::no_placeholder_warning,
    bytes::small_diff,
    catalogues::keys_unchanged,
    catalogues::key_sequence,
    catalogues::json_values,
    catalogues::contains_once,
    catalogues::yaml_strings,
    catalogues::plural_forms,
    catalogues::finished_entries,
    catalogues::fuzzy_gone,
    catalogues::fuzzy_stays,
    catalogues::read_apart,
    catalogues::edges,
    structure::inline_ids,
    structure::lost_tag,
    structure::whole_words,
    structure::other_members,
    structure::book,
    structure::elements_kept,
    dialogue::pairing,
    dialogue::no_request_contains,
    dialogue::outside_project,
    dialogue::empty_translation,
    dialogue::names_of_tools,
    dialogue::exact_text,
    dialogue::still_open,
    dialogue::memory_unchanged,
    dialogue::repeated_calls_stop,
    dialogue::shorter_request,
    dialogue::bounded_listing,
    dialogue::done_and_next,
    dialogue::silence,
    faults::waits,
    faults::stops_and_asks,
    faults::error_texts,
    faults::one_request_each,
    faults::context_size,
    faults::stored_texts,
    faults::memory_from_ops,
    faults::shortening,
    faults::outside_reader,
];

/// Tells whether a case is about files for which no draft may be asked.
pub(crate) fn wants_silence(case: &Case) -> bool {
    case.expect
        .requests
        .iter()
        .any(|text| text.starts_with(dialogue::SILENCE))
}

/// Judges the prose of a case, and the statements of its scenario.
pub(crate) fn judge(case: &Case, evidence: &Evidence, report: &mut Report) {
    let expect = &case.expect;
    let requests = expect.requests.iter().map(|text| ("REQ", text));
    for (key, text) in requests.chain(expect.checks.iter().map(|text| ("CHECK", text))) {
        let line = Line {
            text,
            case,
            evidence,
        };
        let faults: Vec<Vec<String>> = CHECKS.iter().filter_map(|check| check(&line)).collect();
        if faults.is_empty() {
            report.unchecked.push(format!("{key}: {text}"));
        } else {
            report.note(key, faults.concat());
        }
    }
    let statements = evidence.played.iter().flat_map(|played| &played.statements);
    for (text, faults) in statements {
        match faults {
            Some(faults) => report.note("expect", faults.clone()),
            None => report.unchecked.push(format!("expect: {text}")),
        }
    }
}

impl Line<'_> {
    /// Tells whether the line holds all of the words.
    fn says(&self, words: &[&str]) -> bool {
        let text = self.text.to_lowercase();
        words.iter().all(|word| text.contains(word))
    }

    /// Returns what stands between single quotes, or in the form `U+FEFF`.
    fn quoted(&self) -> Vec<String> {
        let mut found: Vec<String> = self
            .text
            .split('\'')
            .skip(1)
            .step_by(2)
            .map(str::to_owned)
            .collect();
        let points = self
            .text
            .split_whitespace()
            .filter_map(|word| word.strip_prefix("U+"));
        found.extend(points.filter_map(|digits| {
            let digits = digits.trim_end_matches(|c: char| !c.is_ascii_hexdigit());
            Some(char::from_u32(u32::from_str_radix(digits, 16).ok()?)?.to_string())
        }));
        found
    }

    /// Returns the texts of the outputs, decoded.
    fn outputs(&self) -> Vec<(&str, String)> {
        let documents = self.evidence.documents.iter();
        documents
            .filter_map(|seen| {
                let bytes = self.evidence.outputs().get(&seen.path)?;
                let text = super::keys::decode(bytes, &seen.view.encoding)?;
                Some((seen.path.as_str(), text))
            })
            .collect()
    }
}

/// Makes a list of one fault, or of none.
fn unless(holds: bool, fault: impl Into<String>) -> Vec<String> {
    if holds {
        Vec::new()
    } else {
        vec![fault.into()]
    }
}
