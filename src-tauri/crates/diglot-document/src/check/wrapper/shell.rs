//! Fences, fields, elements and quotes around a whole translation.

use super::{IssueKind, Layer, Source};

/// Names of elements and fields that stand for a translation, and for nothing in a document.
const NAMES: [&str; 9] = [
    "translation",
    "translated_text",
    "translated",
    "translate_string",
    "target",
    "output",
    "answer",
    "response",
    "result",
];

/// Quotes that may stand around a whole text.
const QUOTES: [(char, char); 8] = [
    ('"', '"'),
    ('“', '”'),
    ('„', '“'),
    ('„', '”'),
    ('«', '»'),
    ('»', '«'),
    ('「', '」'),
    ('『', '』'),
];

/// Takes off a code fence around the whole.
pub(super) fn fence<'a>(source: &Source<'_>, target: &'a str) -> Option<Layer<'a>> {
    let mark = ["```", "~~~"]
        .into_iter()
        .find(|mark| target.starts_with(mark))?;
    let (opening, rest) = target.split_once('\n')?;
    let (inner, closing) = rest.rsplit_once('\n')?;
    let closes =
        closing.trim().starts_with(mark) && closing.trim().chars().all(|c| mark.contains(c));
    let wraps = closes && !source.text.trim_start().starts_with(mark) && !inner.trim().is_empty();
    wraps.then(|| Layer::new(IssueKind::Markup, inner, [opening, closing]))
}

/// Takes off the braces of an object whose only field is the translation.
pub(super) fn field<'a>(source: &Source<'_>, target: &'a str) -> Option<Layer<'a>> {
    let object = target.strip_prefix('{')?.strip_suffix('}')?;
    let (name, rest) = object.trim().strip_prefix('"')?.split_once('"')?;
    let value = rest.trim_start().strip_prefix(':')?.trim();
    let inner = value.strip_prefix('"')?.strip_suffix('"')?;
    let is_alone = NAMES.contains(&name) && !inner.replace("\\\"", "").contains('"');
    if !is_alone || source.text.contains(name) && source.text.contains('{') {
        return None;
    }
    let (before, after) = target.split_once(inner)?;
    Some(Layer {
        is_plain: !inner.contains('\\'),
        ..Layer::new(IssueKind::Commentary, inner, [before, after])
    })
}

/// Takes off the tags of an element that holds the whole.
pub(super) fn element<'a>(source: &Source<'_>, target: &'a str) -> Option<Layer<'a>> {
    let (name, _) = target.strip_prefix('<')?.split_once('>')?;
    let opening = target.get(..name.len() + 2)?;
    let closing_at = target.rfind("</")?;
    let closing = target.get(closing_at..)?;
    let inner = target.get(opening.len()..closing_at)?;
    let closes = closing
        .strip_prefix("</")
        .and_then(|rest| rest.strip_suffix('>'))
        == Some(name);
    let is_known = NAMES.contains(&name.to_ascii_lowercase().as_str());
    let is_new = !source.text.contains(opening);
    (closes && is_known && is_new)
        .then(|| Layer::new(IssueKind::Commentary, inner, [opening, closing]))
}

/// Takes off quotes around the whole, where the source has none at either end.
pub(super) fn quotes<'a>(source: &Source<'_>, target: &'a str) -> Option<Layer<'a>> {
    let is_quote = |c: char| QUOTES.iter().any(|(open, close)| c == *open || c == *close);
    let is_speech = |c: char| {
        is_quote(c)
            || matches!(
                c,
                '\'' | '‘' | '’' | '‚' | '-' | '–' | '—' | '―' | '‹' | '›'
            )
    };
    let source = source.text.trim().trim_matches(['*', '_']);
    if source.starts_with(is_speech)
        || source
            .trim_end_matches(['.', '!', '?', ','])
            .ends_with(is_quote)
    {
        return None;
    }
    QUOTES.iter().find_map(|&(open, close)| {
        let inner = target.strip_prefix(open)?.strip_suffix(close)?;
        let (opening, closing) = (
            target.get(..open.len_utf8())?,
            target.get(open.len_utf8() + inner.len()..)?,
        );
        let is_whole = !inner.is_empty() && !inner.contains([open, close]);
        is_whole.then(|| Layer::new(IssueKind::Commentary, inner, [opening, closing]))
    })
}
