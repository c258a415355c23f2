//! The source, given back above or below its translation.

use super::{IssueKind, Layer, Source};
use crate::LanguagePair;

/// What stands between a text and its translation in one line.
const ARROWS: [&str; 4] = ["→", "->", "=>", "⇒"];

/// Takes off the source where the target holds it whole, parted from the rest by a line break or an arrow.
pub(super) fn beside<'a>(
    source: &Source<'_>,
    target: &'a str,
    languages: &LanguagePair,
) -> Option<Layer<'a>> {
    let text = source.text.trim();
    let is_text = text.contains(char::is_alphabetic);
    if !is_text || languages.source.primary() == languages.target.primary() {
        return None;
    }
    let above = target.strip_prefix(text).and_then(|rest| {
        let line = rest.trim_start_matches([' ', '\t']);
        let body = strip_arrow(line).or_else(|| line.starts_with(['\n', '\r']).then_some(line))?;
        Some((target.get(..text.len())?, body))
    });
    let below = || {
        let rest = target.strip_suffix(text)?;
        let line = rest.trim_end_matches([' ', '\t']);
        let body = strip_arrow_end(line).or_else(|| line.ends_with('\n').then_some(line))?;
        Some((target.get(rest.len()..)?, body))
    };
    let (echo, body) = above.or_else(below)?;
    (!body.trim().is_empty()).then(|| Layer::new(IssueKind::Echo, body, [echo]))
}

fn strip_arrow(text: &str) -> Option<&str> {
    ARROWS.iter().find_map(|arrow| text.strip_prefix(arrow))
}

fn strip_arrow_end(text: &str) -> Option<&str> {
    ARROWS.iter().find_map(|arrow| text.strip_suffix(arrow))
}
