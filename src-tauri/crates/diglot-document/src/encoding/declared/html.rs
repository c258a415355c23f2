//! The encoding that an HTML page names in its first kilobyte (HTML, section 13.2.3.2). Must not
//! read anything else of a page.

use std::ops::Range;

use super::{Charset, Declaration, label_end, past_blanks};
use crate::encoding::label;

/// So much is looked at, as browsers do.
const PROBE: usize = 1024;

/// What a page may begin with; other text that shows a `meta` is no page.
const STARTS: [&str; 7] = [
    "<!doctype",
    "<html",
    "<head",
    "<meta",
    "<?xml",
    "<!--",
    "<title",
];

/// Finds what the page declares, in lower-cased text. Browsers' names count.
pub(super) fn find(text: &str) -> Vec<Declaration> {
    let begins = text.trim_start();
    if !STARTS.iter().any(|start| begins.starts_with(start)) {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(open) = text.get(at..).and_then(|rest| rest.find('<')) {
        let open = at + open;
        if open >= PROBE {
            break;
        }
        let rest = text.get(open..).unwrap_or_default();
        at = open + 1;
        if let Some(comment) = rest.strip_prefix("<!--") {
            at = comment.find("-->").map_or(text.len(), |end| open + 4 + end);
        } else if let Some(attributes) = rest.strip_prefix("<meta") {
            let end = attributes.find('>').unwrap_or(attributes.len());
            found.extend(meta(text, open + 5..open + 5 + end));
            at = open + 5 + end;
        }
    }
    found
}

fn meta(text: &str, inside: Range<usize>) -> Option<Declaration> {
    let all = attributes(text, inside);
    let value = |name: &str| {
        let (_, range) = all
            .iter()
            .find(|(key, _)| text.get(key.clone()) == Some(name))?;
        Some(range.clone())
    };
    let range = value("charset").or_else(|| {
        let refresh = value("http-equiv")?;
        let content = value("content").filter(|_| text.get(refresh) == Some("content-type"))?;
        let named = text.get(content.clone())?.find("charset")?;
        let equals = past_blanks(text, content.start + named + "charset".len());
        text.get(equals..)?.strip_prefix('=')?;
        let start = past_blanks(text, equals + 1);
        Some(start..label_end(text, start).min(content.end))
    })?;
    let mut found = Declaration::new(text, range)?;
    let name = label::web(found.span.of(text));
    found.charset = name.map_or(Charset::Unknown, Charset::Known);
    Some(found)
}

/// Returns where the names and values of a tag's attributes stand.
fn attributes(text: &str, inside: Range<usize>) -> Vec<(Range<usize>, Range<usize>)> {
    let tag = text.get(..inside.end).unwrap_or_default();
    let until = |from: usize, ends: &dyn Fn(char) -> bool| {
        let rest = tag.get(from..).unwrap_or_default();
        from + rest.find(ends).unwrap_or(rest.len())
    };
    let is_mark = |c: char| c.is_whitespace() || matches!(c, '=' | '/' | '"' | '\'');
    let mut found = Vec::new();
    let mut at = inside.start;
    while at < tag.len() {
        at = until(at, &|c| !is_mark(c));
        let name = at..until(at, &is_mark);
        at = name.end;
        let equals = past_blanks(tag, at);
        if tag.get(equals..).is_some_and(|rest| rest.starts_with('=')) {
            let start = past_blanks(tag, equals + 1);
            let quote = tag.get(start..).and_then(|rest| rest.chars().next());
            let value = match quote.filter(|c| matches!(c, '"' | '\'')) {
                Some(quote) => start + 1..until(start + 1, &|c| c == quote),
                None => start..until(start, &char::is_whitespace),
            };
            at = value.end;
            found.push((name, value));
        }
    }
    found
}
