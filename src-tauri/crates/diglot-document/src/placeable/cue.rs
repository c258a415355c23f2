//! Markup of subtitles: tags in angle brackets with whatever they hold, override blocks, and the line
//! breaks of SubStation Alpha.

use super::{Found, PlaceableKind};

/// Finds the markup of a cue's text.
pub(super) fn find(text: &str) -> Vec<Found> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = text.get(at..).and_then(|rest| rest.find(['<', '{', '\\'])) {
        let start = at + start;
        let rest = text.get(start..).unwrap_or_default();
        let read = tag(rest)
            .map(|length| (length, PlaceableKind::Tag))
            .or_else(|| line_break(rest).map(|length| (length, PlaceableKind::HardBreak)));
        at = start + 1;
        if let Some((length, kind)) = read {
            at = start + length;
            let key = text.get(start..at).unwrap_or_default();
            found.push(Found::new(start, at, kind, key));
        }
    }
    found
}

/// Reads `<v Anna>`, `</i>`, `<00:00:07.500>` or `{\an8}`.
fn tag(rest: &str) -> Option<usize> {
    let inner = rest.get(1..)?;
    let closing = if rest.starts_with('<') {
        let named = inner.strip_prefix('/').unwrap_or(inner);
        named
            .starts_with(|c: char| c.is_ascii_alphanumeric())
            .then_some('>')?
    } else {
        (rest.starts_with('{') && inner.starts_with('\\')).then_some('}')?
    };
    let end = inner.find([closing, '<', '{', '\n'])?;
    inner.get(end..)?.starts_with(closing).then_some(end + 2)
}

fn line_break(rest: &str) -> Option<usize> {
    ["\\N", "\\n", "\\h"]
        .iter()
        .any(|mark| rest.starts_with(mark))
        .then_some(2)
}

#[cfg(test)]
mod tests {
    use crate::{Format, placeables};

    #[test]
    fn tags_of_cues_are_placeables() {
        for (text, expected) in [
            (
                "<v Anna>Good <c.big>morning</c>",
                &["<v Anna>", "<c.big>", "</c>"][..],
            ),
            ("Wait <00:00:07.500>for me", &["<00:00:07.500>"]),
            ("{\\an8}Up\\Nhere", &["{\\an8}", "\\N"]),
            ("a < b > c {x", &[]),
            ("{\\b <i", &[]),
        ] {
            let found = placeables(Format::WebVtt, text);
            let found: Vec<&str> = found.iter().map(|one| one.span.of(text)).collect();
            assert_eq!(found, expected, "{text}");
        }
    }
}
