//! What a model says before and after a translation.

use super::super::phrases::{
    begins_as_answer, begins_as_note, begins_as_offer, has_note, plain, speaks_of_transfer,
    speaks_of_translation,
};
use super::{IssueKind, Layer, Source, n_lines};

/// Longest preamble and longest label, in characters; a longer one is text.
const LONGEST: (usize, usize) = (160, 60);

/// Longest label that is the word for a translation and no more, in characters.
const LONGEST_WORD: usize = 12;

/// Longest greeting in front of a text, in words.
const LONGEST_GREETING: usize = 3;

/// Marks of emphasis, of headings and of brackets that may stand around a remark.
const MARKS: [char; 14] = [
    '*', '_', '#', '>', ' ', '(', '[', '（', '【', '〔', ')', ']', '）', '】',
];

/// Takes off a first line or a label such as `Here is the translation:`.
pub(super) fn preamble<'a>(source: &Source<'_>, target: &'a str) -> Option<Layer<'a>> {
    let (line, rest) = target.split_once('\n').unwrap_or((target, ""));
    let is_own_line = !rest.trim().is_empty() && source.n_lines < n_lines(target);
    let first = source.text.trim_start().lines().next().unwrap_or_default();
    if is_own_line && is_preamble(line, rest, source) && !announces(&bare(first)) {
        return Some(Layer::new(IssueKind::Commentary, rest, [line.trim()]));
    }
    label(source, target)
}

/// Tells whether a first line is no part of a translation.
fn is_preamble(line: &str, rest: &str, source: &Source<'_>) -> bool {
    let bare = bare(line);
    let length = bare.chars().count();
    if length > LONGEST.0 {
        return false;
    }
    let is_title = length <= LONGEST.1 / 2 && speaks_of_translation(&bare);
    let is_about = begins_as_answer(&bare) && speaks_of_translation(&bare);
    let greets = rest.starts_with(['\n', '\r'])
        && begins_as_answer(&bare)
        && bare.ends_with(['!', '.', '！', '。'])
        && bare.split_whitespace().count() <= LONGEST_GREETING
        && !source.text.contains(['!', '！']);
    let excused = speaks_of_translation(&source.plain) || speaks_of_transfer(&source.plain);
    announces(&bare) || is_about || greets || is_title && !excused
}

/// Tells whether a line ends in a colon and speaks of a translation, or answers a request.
fn announces(bare: &str) -> bool {
    bare.ends_with([':', '：']) && (speaks_of_translation(bare) || begins_as_answer(bare))
}

/// Takes off a label in the same line, as in `Translation: …`.
fn label<'a>(source: &Source<'_>, target: &'a str) -> Option<Layer<'a>> {
    let colon = target.find([':', '：'])?;
    let end = colon + target.get(colon..)?.chars().next()?.len_utf8();
    let (label, rest) = target.split_at_checked(end)?;
    let rest = rest.trim_start_matches(['*', '_']);
    let length = label.chars().count();
    let may_be_source = speaks_of_translation(&source.plain)
        && (length > LONGEST_WORD || source.text.contains([':', '：']));
    let is_label = length <= LONGEST.1
        && !label.contains(['\n', '.', '。', '(', '（'])
        && speaks_of_translation(&bare(label))
        && !may_be_source
        && !speaks_of_transfer(&source.plain)
        && !rest.trim().is_empty();
    is_label.then(|| Layer::new(IssueKind::Commentary, rest, [label]))
}

/// Takes off what begins as an answer in front of a text that was remarked upon anyway: `Of course! …`.
pub(super) fn greeting<'a>(source: &Source<'_>, target: &'a str) -> Option<Layer<'a>> {
    let end = target.find(['!', '！', '。'])?;
    let end = end + target.get(end..)?.chars().next()?.len_utf8();
    let (greeting, rest) = target.split_at_checked(end)?;
    let is_greeting = greeting.split_whitespace().count() <= LONGEST_GREETING
        && begins_as_answer(&plain(greeting))
        && !begins_as_answer(source.plain.trim_start())
        && !source.text.contains(['!', '！'])
        && !rest.trim().is_empty();
    is_greeting.then(|| Layer::new(IssueKind::Commentary, rest, [greeting]))
}

/// Takes off the last lines or a last bracket such as `(Translator's note: …)`.
pub(super) fn note<'a>(source: &Source<'_>, target: &'a str) -> Option<Layer<'a>> {
    if source.n_lines < n_lines(target) {
        let found = last_lines(source, target);
        if found.is_some() {
            return found;
        }
    }
    if has_note(&source.plain) {
        return None;
    }
    let bracket = target
        .ends_with([')', ']', '）', '】'])
        .then(|| target.rfind(['(', '[', '（', '【']))??;
    let (rest, remark) = target.split_at_checked(bracket)?;
    let is_note = begins_as_note(&bare(remark))
        && !source.text.trim_end().ends_with([')', ']', '）', '】'])
        && !rest.trim().is_empty();
    is_note.then(|| Layer::new(IssueKind::Commentary, rest, [remark]))
}

/// Takes off everything from the first line on that begins as a remark.
fn last_lines<'a>(source: &Source<'_>, target: &'a str) -> Option<Layer<'a>> {
    let is_remark = |line: &str| {
        let bare = bare(line);
        begins_as_note(&bare) || begins_as_offer(&bare)
    };
    if source.text.trim().lines().skip(1).any(is_remark) {
        return None;
    }
    let mut at = 0;
    for line in target.split_inclusive('\n') {
        let (rest, remark) = target.split_at_checked(at)?;
        if at > 0 && is_remark(line) && !rest.trim().is_empty() {
            let body = without_rule(rest, source.text);
            return Some(Layer::new(IssueKind::Commentary, body, [remark.trim()]));
        }
        at += line.len();
    }
    None
}

/// Drops a last line of dashes that parted the remark from the text.
fn without_rule<'a>(text: &'a str, source: &str) -> &'a str {
    let is_rule = |line: &str| {
        let line = line.trim();
        line.len() >= 3 && line.bytes().all(|b| matches!(b, b'-' | b'*' | b'_'))
    };
    match text.trim_end().rsplit_once('\n') {
        Some((body, last)) if is_rule(last) && !source.lines().any(is_rule) => body,
        Some(_) | None => text,
    }
}

/// Lowers a line and drops the marks around it.
fn bare(line: &str) -> String {
    plain(line.trim_matches(MARKS).trim())
}
