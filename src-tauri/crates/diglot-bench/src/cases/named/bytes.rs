//! Named checks of files, units and pairs.

use diglot_document::{CheckContext, DiffKind, Format, IssueKind, SOFT_LIMIT, TargetDiff, check};
use pulldown_cmark::{Event, Options, Parser, Tag};

use super::{Line, unless};

/// `marker translation`: judged by the key of the same name.
pub(super) fn marker_translation(line: &Line<'_>) -> Option<Vec<String>> {
    line.says(&["marker translation"]).then(Vec::new)
}

/// `pairs with verdict bad get a placeholder warning`: judged with the pairs.
pub(super) fn verdicts(line: &Line<'_>) -> Option<Vec<String>> {
    line.says(&["pairs with verdict bad"]).then(Vec::new)
}

/// `starts with EF BB BF exactly once`.
pub(super) fn hex_start(line: &Line<'_>) -> Option<Vec<String>> {
    let at = line.text.find("start")?;
    let words = line
        .text
        .get(at..)?
        .split(|c: char| !c.is_ascii_alphanumeric());
    let hex: Vec<u8> = words
        .skip_while(|word| !is_hex(word))
        .take_while(|word| is_hex(word))
        .filter_map(|word| u8::from_str_radix(word, 16).ok())
        .collect();
    if hex.len() < 2 {
        return None;
    }
    let outputs = line.evidence.marked.targets.iter();
    let faults = outputs.filter(|(path, bytes)| {
        let rest = bytes.strip_prefix(hex.as_slice());
        let is_document = line
            .evidence
            .documents
            .iter()
            .any(|seen| seen.path == **path);
        is_document && rest.is_none_or(|rest| rest.starts_with(&hex))
    });
    Some(
        faults
            .map(|(path, _)| format!("{path} does not start with {hex:x?} once"))
            .collect(),
    )
}

fn is_hex(word: &str) -> bool {
    word.len() == 2
        && word
            .chars()
            .all(|c| c.is_ascii_hexdigit() && !c.is_ascii_lowercase())
}

/// `count(CRLF) == count(LF) and no lone CR`.
pub(super) fn line_ends(line: &Line<'_>) -> Option<Vec<String>> {
    if !line.says(&["count(crlf) == count(lf)"]) {
        return None;
    }
    let is_wrong = |text: &str| {
        let pairs = text.matches("\r\n").count();
        text.matches('\n').count() != pairs || text.matches('\r').count() != pairs
    };
    let outputs = line
        .outputs()
        .into_iter()
        .filter(|(_, text)| is_wrong(text));
    Some(
        outputs
            .map(|(path, _)| format!("{path} has other line ends than CRLF"))
            .collect(),
    )
}

/// `no U+FFFD anywhere`, `no EF BF BD`.
pub(super) fn no_replacement(line: &Line<'_>) -> Option<Vec<String>> {
    if !line.says(&["no u+fffd"]) && !line.says(&["no ef bf bd"]) {
        return None;
    }
    let outputs = line.evidence.outputs().iter();
    let is_wrong = |bytes: &[u8]| bytes.windows(3).any(|three| three == [0xEF, 0xBF, 0xBD]);
    let wrong = outputs.filter(|(_, bytes)| is_wrong(bytes));
    Some(
        wrong
            .map(|(path, _)| format!("{path} holds a replacement character"))
            .collect(),
    )
}

/// The same number of lines of three or more dashes.
pub(super) fn dashes(line: &Line<'_>) -> Option<Vec<String>> {
    if !line.says(&["lines", "three or more dashes"]) {
        return None;
    }
    let is_rule = |line: &&str| line.trim().len() >= 3 && line.trim().chars().all(|c| c == '-');
    let count = |text: &str| text.lines().filter(is_rule).count();
    let wrong = sides(line)
        .into_iter()
        .filter(|(_, before, after)| count(before) != count(after));
    Some(
        wrong
            .map(|(path, ..)| format!("{path} has another number of rules"))
            .collect(),
    )
}

/// Documents with their text before and after.
fn sides<'a>(line: &'a Line<'_>) -> Vec<(&'a str, &'a str, String)> {
    let before = |path: &str| {
        line.evidence
            .documents
            .iter()
            .find(|seen| seen.path == path)
    };
    let outputs = line.outputs().into_iter();
    outputs
        .filter_map(|(path, after)| Some((path, &*before(path)?.document.text, after)))
        .collect()
}

/// Hard breaks by two blanks and by a backslash, and no line end at the end, as in the source.
pub(super) fn hard_breaks(line: &Line<'_>) -> Option<Vec<String>> {
    if !line.says(&["lines ending in two spaces"]) {
        return None;
    }
    let count = |text: &str| {
        let ends = |end: &str| text.lines().filter(|line| line.ends_with(end)).count();
        (ends("  "), ends("\\"), text.ends_with('\n'))
    };
    let wrong = sides(line)
        .into_iter()
        .filter(|(_, before, after)| count(before) != count(after));
    Some(
        wrong
            .map(|(path, ..)| format!("{path} has other hard breaks"))
            .collect(),
    )
}

/// The same destinations of links and images before and after.
pub(super) fn destinations(line: &Line<'_>) -> Option<Vec<String>> {
    if !line.says(&["same multiset of link and image destinations"]) {
        return None;
    }
    let list = |text: &str| {
        let mut found: Vec<String> = Parser::new_ext(text, Options::all())
            .filter_map(|event| {
                let Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) = event
                else {
                    return None;
                };
                Some(dest_url.to_string())
            })
            .collect();
        found.sort();
        found
    };
    let wrong = sides(line)
        .into_iter()
        .filter(|(_, before, after)| list(before) != list(after));
    let fault = |(path, before, after): (&str, &str, String)| {
        format!("{path} links to {:?}, not {:?}", list(&after), list(before))
    };
    Some(wrong.map(fault).collect())
}

/// `the word 'x' is nowhere in the output`.
pub(super) fn nowhere_in_output(line: &Line<'_>) -> Option<Vec<String>> {
    if !line.says(&["nowhere in the output"]) {
        return None;
    }
    let (words, outputs) = (line.quoted(), line.outputs());
    let found = words
        .iter()
        .filter(|word| outputs.iter().any(|(_, text)| text.contains(*word)));
    Some(
        found
            .map(|word| format!("{word:?} is in the output"))
            .collect(),
    )
}

/// `no unit is longer than the product's limit`: a sentence is never divided, so twice the soft limit.
pub(super) fn unit_limit(line: &Line<'_>) -> Option<Vec<String>> {
    if !line.says(&["no unit is longer"]) {
        return None;
    }
    let units = line
        .evidence
        .documents
        .iter()
        .flat_map(|seen| &seen.view.units);
    let long = units.filter(|unit| unit.source.chars().count() > 2 * SOFT_LIMIT);
    Some(
        long.map(|unit| format!("unit {} is too long", unit.unit))
            .collect(),
    )
}

/// `map output to source is one to one`, `both give the same list`: each document has its own output, and no
/// output is a source.
pub(super) fn one_to_one(line: &Line<'_>) -> Option<Vec<String>> {
    if !line.says(&["one to one"]) && !line.says(&["same list"]) {
        return None;
    }
    let evidence = line.evidence;
    let mut faults = Vec::new();
    for (path, bytes) in &evidence.input.files {
        let Ok(_) = Format::from_path(path) else {
            continue;
        };
        let seen = evidence.documents.iter().find(|seen| seen.path == *path);
        match (seen, evidence.marked.targets.get(path)) {
            (None, _) => faults.push(format!("{path} is not listed")),
            (Some(seen), None) if seen.view.n_units > 0 => {
                faults.push(format!("{path} has no output"));
            }
            (Some(_), Some(output)) if output == bytes => {
                faults.push(format!("the output of {path} is its source"));
            }
            (Some(_), _) => {}
        }
    }
    Some(faults)
}

/// `UNITS of doc.md is 3`, `30 documents are offered`.
pub(super) fn units_of(line: &Line<'_>) -> Option<Vec<String>> {
    let (_, rest) = line.text.split_once("UNITS of ")?;
    let (path, rest) = rest.split_once(" is ")?;
    let wanted: usize = rest.trim().trim_end_matches('.').parse().ok()?;
    let seen = line
        .evidence
        .documents
        .iter()
        .find(|seen| seen.path == path);
    let found = seen.map(|seen| seen.view.n_units);
    Some(unless(
        found == Some(wanted),
        format!("{path} has {found:?} units, not {wanted}"),
    ))
}

/// `no placeholder warning`: for pairs that are approved.
pub(super) fn no_placeholder_warning(line: &Line<'_>) -> Option<Vec<String>> {
    if !line.says(&["no placeholder warning"]) {
        return None;
    }
    let languages = line.evidence.languages()?;
    let format = line.evidence.documents.first()?.document.format;
    let context = CheckContext::new(format, &languages);
    let is_wrong = |source: &str, target: &str| {
        let structural = [
            IssueKind::Placeholder,
            IssueKind::Protected,
            IssueKind::Markup,
        ];
        let issues = check(source, target, &context);
        issues.iter().any(|issue| structural.contains(&issue.kind))
    };
    let pairs = line
        .case
        .pairs
        .iter()
        .filter(|pair| is_wrong(&pair.source, &pair.translation));
    Some(
        pairs
            .map(|pair| format!("{:?} is flagged", pair.translation))
            .collect(),
    )
}

/// `at least half of the clusters are reported unchanged; no hunk is longer than 6 clusters`.
pub(super) fn small_diff(line: &Line<'_>) -> Option<Vec<String>> {
    if !line.says(&["at least half", "unchanged"]) {
        return None;
    }
    let pairs = line.case.pairs.iter();
    let drafts = pairs.filter_map(|pair| Some((pair.proposal.as_deref()?, &pair.translation)));
    let mut faults = Vec::new();
    for (draft, text) in drafts {
        let diff = TargetDiff::between(draft, text);
        let length = |text: &str| text.chars().count();
        let of = |kind| diff.pieces.iter().filter(move |piece| piece.kind == kind);
        let kept: usize = of(DiffKind::Equal).map(|piece| length(&piece.text)).sum();
        if kept * 2 < length(draft) {
            faults.push(format!(
                "only {kept} of {} characters are unchanged",
                length(draft)
            ));
        }
        let changed = diff
            .pieces
            .iter()
            .filter(|piece| piece.kind != DiffKind::Equal);
        faults.extend(
            changed
                .filter(|piece| length(&piece.text) > 6)
                .map(|piece| format!("{:?} is one change", piece.text)),
        );
    }
    Some(faults)
}
