//! Codes in the units of XLIFF: elements that hold the markup of another format, which no reader
//! sees (XLIFF 1.2, "Inline Elements"). Must not know the tags around text.

use super::{Found, PlaceableKind};

const CODES: [&str; 4] = ["bpt", "ept", "ph", "it"];

/// Finds each code from its first tag to its last one.
pub(super) fn codes(text: &str) -> Vec<Found> {
    let mut found = Vec::new();
    let mut unclosed: Vec<&str> = Vec::new();
    let mut at = 0;
    while let Some(open) = text.get(at..).and_then(|rest| rest.find('<')) {
        let start = at + open;
        let rest = text.get(start..).unwrap_or_default();
        at = start + 1;
        let Some(name) = CODES.into_iter().find(|name| opens(rest, name)) else {
            continue;
        };
        let close = format!("</{name}>");
        if unclosed.contains(&name) {
            continue;
        }
        let Some(length) = rest.find(&close) else {
            unclosed.push(name);
            continue;
        };
        at = start + length + close.len();
        let key = text.get(start..at).unwrap_or_default();
        found.push(Found::new(start, at, PlaceableKind::Tag, key));
    }
    found
}

/// Tells whether a text begins with the first of two tags of a name.
fn opens(rest: &str, name: &str) -> bool {
    let attributes = rest
        .strip_prefix('<')
        .and_then(|rest| rest.strip_prefix(name));
    let inner = attributes.and_then(|rest| rest.split_once('>'));
    inner.is_some_and(|(inner, _)| {
        !inner.ends_with('/') && (inner.is_empty() || inner.starts_with(char::is_whitespace))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_one_placeable() {
        let codes = |text: &str| -> Vec<String> {
            let found = codes(text);
            found
                .iter()
                .map(|found| found.text(text).to_owned())
                .collect()
        };
        let bold = "<bpt id=\"4\">&lt;b&gt;</bpt>";
        assert_eq!(
            codes(&format!(
                "Ticket <x id=\"3\"/> {bold}today<ph/> <phone>1</phone><ph id=\"5\">"
            )),
            [bold]
        );
        assert!(codes(&"<ph>".repeat(100_000)).is_empty());
    }
}
