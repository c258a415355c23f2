//! Tags, read without a parser.

use std::collections::HashSet;

use super::{PlaceableKind, head};
use crate::Span;

/// Longest tag, in bytes; a longer one is text.
const LONGEST: usize = 16 * 1024;

/// Elements of HTML that stand in texts. Another name alone in angle brackets, such as `<file>`,
/// says what to put there, and is translated.
const ELEMENTS: [&str; 66] = [
    "a",
    "abbr",
    "area",
    "article",
    "audio",
    "b",
    "bdi",
    "bdo",
    "big",
    "blockquote",
    "body",
    "br",
    "button",
    "center",
    "cite",
    "code",
    "col",
    "dd",
    "del",
    "details",
    "dfn",
    "div",
    "dl",
    "dt",
    "em",
    "font",
    "footer",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hr",
    "i",
    "iframe",
    "img",
    "input",
    "ins",
    "kbd",
    "label",
    "li",
    "mark",
    "nobr",
    "ol",
    "p",
    "pre",
    "q",
    "s",
    "samp",
    "section",
    "small",
    "span",
    "strike",
    "strong",
    "sub",
    "sup",
    "table",
    "tbody",
    "td",
    "th",
    "tr",
    "u",
    "ul",
    "wbr",
];

/// Attributes whose values are for people and may be translated.
const TRANSLATABLE: [&str; 9] = [
    "alt",
    "title",
    "aria-label",
    "placeholder",
    "label",
    "summary",
    "content",
    "lang",
    "dir",
];

/// Those of them that are read or heard as words.
const READ: [&str; 6] = [
    "alt",
    "title",
    "aria-label",
    "placeholder",
    "label",
    "summary",
];

/// Lists the names of the tags that a text closes.
pub(super) fn closed(text: &str) -> HashSet<&str> {
    text.split("</").skip(1).map(name).collect()
}

fn name(text: &str) -> &str {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_' | ':');
    text.split(|c| !is_part(c)).next().unwrap_or_default()
}

/// Reads the tag that `rest` begins with: its length in bytes, and a placeholder for a numbered one
/// such as `<0/>`.
pub(super) fn tag(rest: &str, closed: &HashSet<&str>) -> Option<(usize, PlaceableKind)> {
    let rest = head(rest, LONGEST);
    if rest.starts_with("<!--") {
        let end = rest.find("-->")?;
        return Some((end + "-->".len(), PlaceableKind::Tag));
    }
    let inner = rest.strip_prefix('<')?;
    let named = inner.strip_prefix('/').unwrap_or(inner);
    let name = name(named);
    let first = name.chars().next().filter(char::is_ascii_alphanumeric)?;
    let mut attributes = named.get(name.len()..)?;
    let is_known = |name: &str| ELEMENTS.contains(&name.to_ascii_lowercase().as_str());
    if first.is_ascii_alphabetic()
        && attributes.starts_with('>')
        && named.len() == inner.len()
        && !closed.contains(name)
        && !is_known(name)
    {
        return None;
    }
    loop {
        let trimmed = attributes.trim_start();
        let end = trimmed
            .strip_prefix("/>")
            .or_else(|| trimmed.strip_prefix('>'));
        if let Some(after) = end {
            let kind = if first.is_ascii_digit() {
                PlaceableKind::Placeholder
            } else {
                PlaceableKind::Tag
            };
            return Some((rest.len() - after.len(), kind));
        }
        // An attribute needs a blank before it and a value, else `a <b and c>` would be a tag.
        if trimmed.len() == attributes.len() {
            return None;
        }
        attributes = value(trimmed.get(attribute_name(trimmed)?..)?)?;
    }
}

/// Returns the tag with attributes that a text begins with.
pub(crate) fn whole_tag(rest: &str) -> Option<&str> {
    let (length, _) = tag(rest, &HashSet::new())?;
    rest.get(..length)
}

/// Returns the pieces of a tag around the values in quotes that are read.
pub(super) fn pieces(tag: &str) -> Vec<Span> {
    let mut pieces = Vec::new();
    let mut start = 0;
    let mut at = tag.find(char::is_whitespace).unwrap_or(tag.len());
    if !tag.starts_with("<!") {
        while let Some((name, value, end)) = attribute(tag, at) {
            at = end;
            let is_read = READ.contains(&name.to_ascii_lowercase().as_str());
            if let Some(inner) = value.filter(|_| is_read) {
                pieces.push(Span::new(start, inner.start));
                start = inner.end;
            }
        }
    }
    pieces.push(Span::new(start, tag.len()));
    pieces
}

/// Reads the attribute at an offset: its name, what its quotes hold if it is not blank, and its end.
fn attribute(tag: &str, at: usize) -> Option<(&str, Option<Span>, usize)> {
    let rest = tag.get(at..)?.trim_start();
    let (name, after) = rest.split_at_checked(attribute_name(rest)?)?;
    let Some(beyond) = value(after) else {
        return Some((name, None, tag.len() - after.len()));
    };
    let end = tag.len() - beyond.len();
    let given = after.get(..after.len() - beyond.len())?;
    let given = given.trim_start().strip_prefix('=')?.trim_start();
    let inner = Span::new(end - given.len() + 1, end - 1);
    let holds = given.starts_with(['"', '\'']) && !inner.of(tag).trim().is_empty();
    Some((name, holds.then_some(inner), end))
}

/// Returns what two tags must share: all of it, but for blanks, the slash of an empty element and
/// the values that are for people.
pub(in crate::placeable) fn tag_key(tag: &str) -> String {
    let mut key = String::new();
    let mut rest = tag.trim_end_matches('>').trim_end_matches('/').trim_end();
    while let Some(c) = rest.chars().next() {
        let length = attribute_name(rest).unwrap_or_default();
        let name = rest.get(..length).unwrap_or_default().to_ascii_lowercase();
        let after = rest.get(length..).unwrap_or_default();
        let for_people = key.ends_with(' ') && TRANSLATABLE.contains(&name.as_str());
        if let Some(beyond) = value(after).filter(|_| for_people) {
            key.push_str(&name);
            rest = beyond;
            continue;
        }
        if c.is_whitespace() {
            key.push(' ');
            rest = rest.trim_start();
        } else {
            let taken = if length == 0 { c.len_utf8() } else { length };
            key.push_str(rest.get(..taken).unwrap_or_default());
            rest = rest.get(taken..).unwrap_or_default();
        }
    }
    key
}

fn attribute_name(text: &str) -> Option<usize> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':' | '@' | '.');
    let length = text.find(|c| !is_name(c)).unwrap_or(text.len());
    (length > 0).then_some(length)
}

/// Reads `="…"`, `='…'` or `=word` and returns what follows.
fn value(text: &str) -> Option<&str> {
    let text = text.trim_start().strip_prefix('=')?.trim_start();
    let quote = text.chars().next()?;
    if matches!(quote, '"' | '\'') {
        let (_, after) = text.get(1..)?.split_once(quote)?;
        return Some(after);
    }
    let end = text
        .find(|c: char| c.is_whitespace() || c == '>')
        .unwrap_or(text.len());
    text.get(end..).filter(|_| end > 0)
}
