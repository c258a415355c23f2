//! What a model puts around a translation: a fence, a preamble, a remark, quotes.

use super::phrases::{begins_as_answer, begins_as_note, has_note, plain, speaks_of_translation};
use super::{Issue, IssueKind};

/// Longest preamble, in characters; a longer one is text.
const LONGEST_PREAMBLE: usize = 120;

/// Layers that are taken off at most: a preamble, a fence, a remark, quotes.
const MOST_LAYERS: usize = 4;

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

/// A target without what surrounds it.
pub(super) struct Peeled<'a> {
    /// The translation itself.
    pub(super) body: &'a str,
    fences: Vec<String>,
    remarks: Vec<String>,
}

impl Peeled<'_> {
    /// Reports what was taken off.
    pub(super) fn issues(&self) -> Vec<Issue> {
        let found = [
            (IssueKind::Markup, &self.fences),
            (IssueKind::Commentary, &self.remarks),
        ];
        found
            .into_iter()
            .filter(|(_, extra)| !extra.is_empty())
            .map(|(kind, extra)| Issue {
                extra: extra.clone(),
                suggestion: Some(self.body.to_owned()),
                ..Issue::warning(kind)
            })
            .collect()
    }
}

/// Takes off what the source does not have.
pub(super) fn peel<'a>(source: &str, target: &'a str) -> Peeled<'a> {
    let plain_source = plain(source);
    let mut peeled = Peeled {
        body: target,
        fences: Vec::new(),
        remarks: Vec::new(),
    };
    for _ in 0..MOST_LAYERS {
        let body = peeled.body;
        if let Some((inner, marks)) = fence(source, body) {
            peeled.body = inner;
            peeled.fences.extend(marks);
        } else if let Some((remark, rest)) = preamble(source, &plain_source, body) {
            peeled.body = rest;
            peeled.remarks.push(remark.to_owned());
        } else if let Some((rest, remark)) = note(source, &plain_source, body) {
            peeled.body = rest;
            peeled.remarks.push(remark.to_owned());
        } else if let Some((inner, marks)) = quotes(source, body) {
            peeled.body = inner;
            peeled.remarks.extend(marks);
        } else {
            break;
        }
    }
    peeled
}

/// Takes off a code fence around the whole.
fn fence<'a>(source: &str, target: &'a str) -> Option<(&'a str, [String; 2])> {
    let trimmed = target.trim();
    let mark = ["```", "~~~"]
        .into_iter()
        .find(|mark| trimmed.starts_with(mark))?;
    let (opening, rest) = trimmed.split_once('\n')?;
    let (inner, closing) = rest.rsplit_once('\n')?;
    let closes =
        closing.trim().starts_with(mark) && closing.trim().chars().all(|c| mark.contains(c));
    let wraps = closes && !source.trim_start().starts_with(mark) && !inner.trim().is_empty();
    wraps.then(|| (inner.trim(), [opening.to_owned(), closing.to_owned()]))
}

/// Takes off a first line or label such as `Here is the translation:`.
fn preamble<'a>(source: &str, plain_source: &str, target: &'a str) -> Option<(&'a str, &'a str)> {
    let target = target.trim();
    if speaks_of_translation(plain_source) {
        return None;
    }
    let (line, rest) = target.split_once('\n').unwrap_or((target, ""));
    let own_line = !rest.trim().is_empty() && source.lines().count() < target.lines().count();
    let line_plain = plain(line.trim());
    if own_line && line.chars().count() <= LONGEST_PREAMBLE {
        let announces = line_plain.ends_with([':', '：'])
            && (speaks_of_translation(&line_plain) || begins_as_answer(&line_plain));
        let greets = rest.starts_with(['\n', '\r'])
            && begins_as_answer(&line_plain)
            && line_plain.ends_with(['!', '.', '！', '。'])
            && line_plain.split_whitespace().count() <= 3
            && !source.contains(['!', '！']);
        if announces || greets {
            return Some((line.trim(), rest.trim()));
        }
    }
    let colon = target.find([':', '：'])?;
    let label_end = colon + target.get(colon..)?.chars().next()?.len_utf8();
    let (label, rest) = (target.get(..label_end)?, target.get(label_end..)?.trim());
    let is_label = label.chars().count() <= LONGEST_PREAMBLE
        && !label.contains('\n')
        && speaks_of_translation(&plain(label))
        && !source.contains([':', '：'])
        && !rest.is_empty();
    is_label.then_some((label, rest))
}

/// Takes off a last paragraph or a last bracket such as `(Translator's note: …)`.
fn note<'a>(source: &str, plain_source: &str, target: &'a str) -> Option<(&'a str, &'a str)> {
    let target = target.trim();
    if has_note(plain_source) {
        return None;
    }
    if source.lines().count() < target.lines().count() {
        let (rest, last) = target.rsplit_once('\n')?;
        let opened = last
            .trim()
            .trim_start_matches(['(', '[', '*', '_', '（', '【', '〔']);
        if begins_as_note(&plain(opened)) && !rest.trim().is_empty() {
            return Some((rest.trim(), last.trim()));
        }
    }
    let bracket = target
        .ends_with([')', ']', '）', '】'])
        .then(|| target.rfind(['(', '[', '（', '【']))??;
    let (rest, remark) = (target.get(..bracket)?, target.get(bracket..)?);
    let inner = remark.trim_start_matches(['(', '[', '（', '【']);
    let is_note =
        begins_as_note(&plain(inner)) && !source.trim_end().ends_with([')', ']', '）', '】']);
    (is_note && !rest.trim().is_empty()).then(|| (rest.trim(), remark))
}

/// Takes off quotes around the whole, where the source has none at either end.
fn quotes<'a>(source: &str, target: &'a str) -> Option<(&'a str, [String; 2])> {
    let is_quote = |c: char| QUOTES.iter().any(|(open, close)| c == *open || c == *close);
    let is_speech = |c: char| {
        is_quote(c)
            || matches!(
                c,
                '\'' | '‘' | '’' | '‚' | '-' | '–' | '—' | '―' | '‹' | '›'
            )
    };
    let source = source.trim().trim_matches(['*', '_']);
    if source.starts_with(is_speech)
        || source
            .trim_end_matches(['.', '!', '?', ','])
            .ends_with(is_quote)
    {
        return None;
    }
    let target = target.trim();
    let unquoted = |&(open, close): &(char, char)| {
        let inner = target.strip_prefix(open)?.strip_suffix(close)?;
        let whole = !inner.is_empty() && !inner.contains([open, close]);
        whole.then(|| (inner.trim(), [open.to_string(), close.to_string()]))
    };
    QUOTES.iter().find_map(unquoted)
}
