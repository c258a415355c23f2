//! Escapes that keep a reStructuredText target the kind of block that its source is. Must not
//! know where it stands in the document.

use std::borrow::Cow;

use crate::format::rst::{Opener, opener, underlines};
use crate::text::is_blank;

/// Says in what surroundings a reStructuredText span stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rst {
    /// A paragraph.
    Block,
    /// A line that a block begins with: a term, the title of a directive.
    Line,
    /// A line inside of something where no block begins.
    Inside,
}

/// Escapes the lines of a paragraph; `rest` is what follows it in the file.
pub(super) fn block<'a>(
    mut lines: Vec<Cow<'a, str>>,
    source: &str,
    rest: &str,
) -> Vec<Cow<'a, str>> {
    if let Some(first) = lines.first_mut() {
        *first = begin(first, source);
    }
    if let [title, rule, ..] = lines.as_mut_slice()
        && underlines(rule.trim_end(), title.trim_end())
    {
        *rule = format!("\\{rule}").into();
    }
    if let Some(last) = lines.last_mut() {
        *last = end(last, rest);
    }
    lines
}

/// Escapes a line that a block begins with.
pub(super) fn line<'a>(mut lines: Vec<Cow<'a, str>>, source: &str) -> Vec<Cow<'a, str>> {
    if let Some(first) = lines.first_mut() {
        *first = begin(first, source);
    }
    lines
}

/// Escapes what the first line would open, unless the source opens the same and is text all the same.
pub(crate) fn begin<'a>(line: &str, source: &str) -> Cow<'a, str> {
    let kind = |line: &str| opener(line.trim_end()).map(|(kind, _)| kind);
    // Whether these are text depends on the lines behind them.
    let certain = |kind: &Opener| !matches!(kind, Opener::Enumerator | Opener::Option);
    let own = source.split('\n').next().and_then(kind).filter(certain);
    match kind(line) {
        Some(found) if own != Some(found) => format!("\\{line}").into(),
        _ => line.to_owned().into(),
    }
}

/// Keeps the two colons behind a paragraph what they are, and lets none appear.
fn end<'a>(line: &str, rest: &str) -> Cow<'a, str> {
    let line = line.trim_end();
    if rest.trim_start_matches(is_blank).starts_with("::") {
        let bare = line.trim_end_matches(':');
        let apart = !rest.starts_with("::") || !bare.ends_with(['：', '\\']);
        return if apart {
            bare.to_owned()
        } else {
            format!("{bare} ")
        }
        .into();
    }
    let ends_block = rest.trim_start_matches(is_blank);
    match line.strip_suffix("::") {
        Some(head) if ends_block.is_empty() || ends_block.starts_with(['\n', '\r']) => {
            let escaped = head.len() - head.trim_end_matches('\\').len();
            if escaped % 2 == 1 {
                line.to_owned()
            } else {
                format!("{head}\\::")
            }
            .into()
        }
        _ => line.to_owned().into(),
    }
}
