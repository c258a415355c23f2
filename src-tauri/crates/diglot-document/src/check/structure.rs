//! Structure: what stands in the source must stand in the target, as often, and nothing else.

use std::collections::{HashMap, HashSet};

use super::{Issue, IssueKind, Severity, Text, nesting, plural};
use crate::PlaceableKind;
use crate::placeable::{Found, Markup, Syntaxes, block_count, rst};

/// Compares the placeables and the blocks of two texts.
pub(super) fn check(syntaxes: Syntaxes, source: &Text<'_>, target: &Text<'_>) -> Vec<Issue> {
    let mut issues = Vec::new();
    for kind in [
        IssueKind::Placeholder,
        IssueKind::Protected,
        IssueKind::Markup,
    ] {
        let (wanted, given) = (items(source, kind), items(target, kind));
        let mut issue = Issue::blocking(kind);
        issue.missing = surplus(&wanted, &given);
        issue.extra = surplus(&given, &wanted);
        issue.extra.extend(unknown_in_forms(source, target, kind));
        if syntaxes.markup == Markup::Backticks {
            // There, backticks are but another kind of quotes.
            issue.missing.retain(|code| !is_requoted(code, target.raw));
        }
        let is_complete = issue.missing.is_empty() && issue.extra.is_empty();
        if is_complete && kind != IssueKind::Protected {
            (issue.missing, issue.extra) = disordered(source, target, kind);
        }
        issue.suggestion = if syntaxes.markup == Markup::ReStructuredText {
            parted(syntaxes, source, target).filter(|_| !issue.missing.is_empty())
        } else {
            with_key(&issue, target.raw)
        };
        if !issue.missing.is_empty() || !issue.extra.is_empty() {
            issues.push(issue);
        }
    }
    issues.extend(blocks(syntaxes, source.raw, target.raw));
    for issue in issues
        .iter_mut()
        .filter(|issue| issue.missing.is_empty() && !adds_tag(issue))
    {
        // Nothing of the source is lost: what is only added is for the person to judge (SPEC 3).
        issue.severity = Severity::Warning;
    }
    issues
}

/// Tells whether a tag was invented: it makes another structure, unlike a numbered placeholder such
/// as `<0>` or an address in angle brackets.
fn adds_tag(issue: &Issue) -> bool {
    let is_tag = |text: &String| {
        let name = text.strip_prefix('<').unwrap_or_default();
        name.starts_with(|c: char| c == '/' || c.is_ascii_alphabetic())
    };
    issue.kind == IssueKind::Markup && issue.extra.iter().any(is_tag)
}

/// Gives the only shortcut reference whose text was translated its key back: `[Anleitung][Guide]`.
fn with_key(issue: &Issue, target: &str) -> Option<String> {
    let ([key], [text]) = (&issue.missing[..], &issue.extra[..]) else {
        return None;
    };
    let shortcut = |found: &str| -> Option<String> {
        let whole = found.strip_suffix("[]").unwrap_or(found);
        let bracketed = whole.strip_prefix('!').unwrap_or(whole);
        let inner = bracketed.strip_prefix('[')?.strip_suffix(']')?;
        (!inner.contains(['[', ']']) && !inner.starts_with('^')).then(|| whole.to_owned())
    };
    let (before, after) = target.split_once(text.as_str())?;
    let (key, label) = (shortcut(key)?, shortcut(text)?);
    let key = key.trim_start_matches('!');
    (!after.contains(text.as_str())).then(|| format!("{before}{label}{key}{after}"))
}

/// Parts the markup of a target from the letters that it touches, if nothing is missing then.
fn parted(syntaxes: Syntaxes, source: &Text<'_>, target: &Text<'_>) -> Option<String> {
    let parted = rst::parted(target.raw);
    let read = Text::read(syntaxes, &parted);
    let is_whole = |kind: IssueKind| {
        let (wanted, given) = (items(source, kind), items(&read, kind));
        surplus(&wanted, &given).is_empty() && surplus(&given, &wanted).is_empty()
    };
    let kinds = [
        IssueKind::Placeholder,
        IssueKind::Protected,
        IssueKind::Markup,
    ];
    let is_mended = parted != target.raw && kinds.into_iter().all(is_whole);
    is_mended.then_some(parted)
}

/// Tells whether the target has what stood between backticks, in other quotes.
fn is_requoted(code: &str, target: &str) -> bool {
    let inner = code.trim_matches('`').trim();
    code.starts_with('`') && !inner.is_empty() && target.contains(inner)
}

/// One thing to compare: what it means, and how it is written.
type Item<'a> = (String, &'a str);

/// Lists what belongs to an issue kind, in order.
fn items<'a>(text: &Text<'a>, kind: IssueKind) -> Vec<Item<'a>> {
    let mut open_marks: HashMap<&str, bool> = HashMap::new();
    let mut items = Vec::new();
    if kind == IssueKind::Placeholder {
        items = plural::items(text);
    }
    for found in text.firm().filter(|found| issue_kind(found) == Some(kind)) {
        if found.kind == PlaceableKind::Emphasis {
            // Both marks of a pair are found; one of them stands for the pair.
            let open = open_marks.entry(&found.key).or_default();
            *open = !*open;
            if !*open {
                continue;
            }
        }
        items.push((meaning(found, text.raw), found.text(text.raw)));
    }
    items
}

/// Returns what two placeables share that mean the same.
fn meaning(found: &Found, raw: &str) -> String {
    match argument(found, raw) {
        Some((_, conversion)) => conversion.to_owned(),
        None => format!("{} {}", group(found.kind), found.key),
    }
}

/// Lists what the plural branches of a target have and the source has nowhere.
fn unknown_in_forms(source: &Text<'_>, target: &Text<'_>, kind: IssueKind) -> Vec<String> {
    if target.forms.is_empty() {
        return Vec::new();
    }
    let all = source.firm().chain(source.varied());
    let known: HashSet<String> = all.map(|found| meaning(found, source.raw)).collect();
    target
        .varied()
        .filter(|found| issue_kind(found) == Some(kind))
        .filter(|found| !known.contains(&meaning(found, target.raw)))
        .map(|found| found.text(target.raw).to_owned())
        .collect()
}

/// Finds what both texts have, but in an order that means something else.
fn disordered(source: &Text<'_>, target: &Text<'_>, kind: IssueKind) -> (Vec<String>, Vec<String>) {
    let tags = if kind == IssueKind::Placeholder {
        PlaceableKind::Placeholder
    } else {
        PlaceableKind::Tag
    };
    let crossed = nesting::crossed(source, target, tags);
    match crossed {
        Some(tag) => (vec![tag.to_owned()], vec![tag.to_owned()]),
        None if kind == IssueKind::Placeholder => swapped(source, target),
        None => (Vec::new(), Vec::new()),
    }
}

/// Tells which issue the loss of a placeable is, if it is one.
fn issue_kind(found: &Found) -> Option<IssueKind> {
    match found.kind {
        PlaceableKind::Placeholder => Some(IssueKind::Placeholder),
        PlaceableKind::Code
        | PlaceableKind::Link
        | PlaceableKind::Reference
        | PlaceableKind::Math
        | PlaceableKind::Attribute
        | PlaceableKind::Address => Some(IssueKind::Protected),
        // Most entities are letters, blanks or signs that the target's language does without.
        PlaceableKind::Tag if found.key.starts_with('&') => {
            matches!(found.key.as_str(), "&lt;" | "&gt;").then_some(IssueKind::Markup)
        }
        PlaceableKind::Tag | PlaceableKind::Emphasis | PlaceableKind::HardBreak => {
            Some(IssueKind::Markup)
        }
        PlaceableKind::Number => None,
    }
}

/// Names the kinds that may stand for each other: `<url>`, a bare address and a link to it.
fn group(kind: PlaceableKind) -> &'static str {
    match kind {
        PlaceableKind::Link | PlaceableKind::Address => "address",
        PlaceableKind::Code => "code",
        PlaceableKind::Reference => "reference",
        PlaceableKind::Math => "math",
        PlaceableKind::Attribute => "attribute",
        PlaceableKind::Tag => "tag",
        PlaceableKind::Emphasis => "emphasis",
        PlaceableKind::HardBreak => "break",
        PlaceableKind::Placeholder => "placeholder",
        PlaceableKind::Number => "number",
    }
}

/// Lists the texts of `items` that `others` does not have, or not as often.
fn surplus(items: &[Item<'_>], others: &[Item<'_>]) -> Vec<String> {
    let mut left: HashMap<&str, usize> = HashMap::new();
    for (key, _) in others {
        *left.entry(key).or_default() += 1;
    }
    let is_surplus = |(key, _): &&Item<'_>| match left.get_mut(key.as_str()) {
        Some(count) if *count > 0 => {
            *count -= 1;
            false
        }
        Some(_) | None => true,
    };
    items
        .iter()
        .filter(is_surplus)
        .map(|(_, text)| (*text).to_owned())
        .collect()
}

/// Reads a format-string argument: its position, where it names one, and its conversion.
fn argument<'a>(found: &Found, raw: &'a str) -> Option<(Option<usize>, &'a str)> {
    let text = found.text(raw);
    let body = text
        .strip_prefix('%')
        .filter(|_| found.kind == PlaceableKind::Placeholder)?;
    if body.starts_with(['%', '(', '{']) || body.ends_with('%') {
        return None;
    }
    match body.split_once('$') {
        Some((position, conversion)) => Some((position.parse().ok(), conversion)),
        None => Some((None, body)),
    }
}

/// Finds arguments that stand in another order without saying so: the source's and the target's
/// texts that name different arguments.
fn swapped(source: &Text<'_>, target: &Text<'_>) -> (Vec<String>, Vec<String>) {
    let (wanted, given) = (arguments(source), arguments(target));
    let strays = |items: &[Argument<'_>], others: &[Argument<'_>]| {
        let known: HashSet<(usize, &str)> = others.iter().map(|other| (other.0, other.1)).collect();
        items
            .iter()
            .filter(|item| !known.contains(&(item.0, item.1)))
            .map(|item| item.2.to_owned())
            .collect::<Vec<_>>()
    };
    (strays(&wanted, &given), strays(&given, &wanted))
}

/// An argument of a format string: position from 1, conversion, text.
type Argument<'a> = (usize, &'a str, &'a str);

fn arguments<'a>(text: &Text<'a>) -> Vec<Argument<'a>> {
    let read = |found: &Found| Some((argument(found, text.raw)?, found.text(text.raw)));
    let mut next = 0;
    let mut arguments = Vec::new();
    for ((position, conversion), whole) in text.firm().filter_map(read) {
        next += 1;
        arguments.push((position.unwrap_or(next), conversion, whole));
    }
    arguments
}

/// Reports blocks that the source does not have: a mark at the beginning, or a split.
fn blocks(syntaxes: Syntaxes, source: &str, target: &str) -> Option<Issue> {
    let mut issue = Issue::blocking(IssueKind::Markup);
    let blank_line = |text: &str| text.trim().lines().any(|line| line.trim().is_empty());
    if blank_line(target) && !blank_line(source) {
        issue.extra.push("\n\n".to_owned());
        return Some(issue);
    }
    if !syntaxes.is_markdown() {
        return None;
    }
    if let Some(mark) = lead(target).filter(|mark| !is_known_lead(mark, source)) {
        issue.extra.push(mark.trim_end().to_owned());
        issue.suggestion = target.strip_prefix(mark).map(str::to_owned);
        return Some(issue);
    }
    (block_count(target) > block_count(source)).then_some(issue)
}

/// Returns the mark that makes a block of the text, with the blank after it.
fn lead(text: &str) -> Option<&str> {
    let mark = text.split([' ', '\n']).next()?;
    let fence = mark.starts_with("```") || mark.starts_with("~~~");
    let heading = mark.len() <= 6 && mark.bytes().all(|b| b == b'#') && !mark.is_empty();
    let number = mark.strip_suffix(['.', ')']).unwrap_or_default();
    let ordered =
        !number.is_empty() && number.len() <= 9 && number.bytes().all(|b| b.is_ascii_digit());
    let listed = heading || ordered || matches!(mark, "-" | "*" | "+" | ">");
    let fenced = fence && !mark.get(3..).is_some_and(|info| info.contains('`'));
    (listed || fenced)
        .then(|| text.get(..=mark.len()))
        .flatten()
}

/// Tells whether the source begins with the same kind of mark. A number that the source has
/// anywhere is no list: `Step 3` may become `3. Schritt`.
fn is_known_lead(mark: &str, source: &str) -> bool {
    let kind = |mark: &str| mark.chars().next();
    let number = mark.trim_end().trim_end_matches(['.', ')']);
    let numbered = number.starts_with(|c: char| c.is_ascii_digit());
    lead(source).is_some_and(|own| numbered || kind(own) == kind(mark))
        || (numbered && source.contains(number))
}
