//! What a text says of its own encoding: XML declaration, HTML `meta`, gettext header, CSS
//! `@charset`, and the cookies of editors and scripts. Must not decide whether that is true.

mod html;

use std::ops::Range;

use super::label;
use crate::Span;
use crate::text::lines;

/// So much of a text is looked at, in bytes; a gettext header may follow a long comment.
pub(super) const PROBE: usize = 32 * 1024;

/// Holds one place where a text names its encoding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Declaration {
    /// Where the label stands in the text.
    pub(super) span: Span,
    pub(super) charset: Charset,
}

/// Says what a label stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Charset {
    Known(&'static str),
    Unknown,
    /// A template's word for what is to be filled in.
    Unset,
}

impl Declaration {
    fn new(text: &str, range: Range<usize>) -> Option<Self> {
        let label = text.get(range.clone())?;
        let charset = label::exact(label).map_or(Charset::Unknown, Charset::Known);
        let span = Span::new(range.start, range.end);
        (!label.is_empty()).then_some(Self { span, charset })
    }
}

/// Finds the places where a text names its encoding, in their order. Where there are several, the
/// first counts.
pub(super) fn find(text: &str) -> Vec<Declaration> {
    let end = (0..4).find_map(|back| {
        let end = text.len().min(PROBE).checked_sub(back)?;
        text.is_char_boundary(end).then_some(end)
    });
    let head = text.get(..end.unwrap_or(0)).unwrap_or_default();
    // Offsets stay: only ASCII letters change.
    let lower = head.to_ascii_lowercase();
    let mut found: Vec<Declaration> = xml(&lower).into_iter().collect();
    found.extend(html::find(&lower));
    if found.is_empty() {
        let other = css(&lower).or_else(|| gettext(&lower));
        found.extend(other.or_else(|| cookie(head)));
    }
    found
}

/// Returns the text in UTF-8's name: every place that names another encoding names this one.
pub(super) fn renamed(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    let mut kept = 0;
    for declaration in find(text) {
        if declaration.charset == Charset::Known("UTF-8") {
            continue;
        }
        let old = declaration.span.of(text);
        let lower = !old.contains(|c: char| c.is_ascii_uppercase());
        let line_end = ["-unix", "-dos", "-mac"]
            .into_iter()
            .find(|end| old.ends_with(end));
        out.push_str(text.get(kept..declaration.span.start).unwrap_or_default());
        out.push_str(if lower { "utf-8" } else { "UTF-8" });
        out.push_str(line_end.unwrap_or_default());
        kept = declaration.span.end;
    }
    out.push_str(text.get(kept..).unwrap_or_default());
    out
}

/// Reads `<?xml version="1.0" encoding="…"?>` at the very start (XML 1.0, 4.3.3).
fn xml(text: &str) -> Option<Declaration> {
    let inside = text.strip_prefix("<?xml")?.split_once("?>")?.0;
    let at = "<?xml".len() + inside.find("encoding")? + "encoding".len();
    let at = past_blanks(text, at);
    let at = past_blanks(text, at + text.get(at..)?.strip_prefix('=').map(|_| 1)?);
    let quote = text.get(at..)?.chars().next()?;
    let length = text.get(at + 1..)?.find(quote)?;
    let quoted = matches!(quote, '"' | '\'');
    quoted
        .then(|| Declaration::new(text, at + 1..at + 1 + length))
        .flatten()
}

/// Reads `@charset "…";` at the very start (CSS Syntax 3, section 3.2).
fn css(text: &str) -> Option<Declaration> {
    let start = "@charset \"".len();
    let label = text.strip_prefix("@charset \"")?.split_once('"')?.0;
    Declaration::new(text, start..start + label.len())
}

/// Reads the header of a gettext catalog: the first entry, whose msgid is empty.
fn gettext(text: &str) -> Option<Declaration> {
    let opens = |line: &str| line.trim_end() == "msgid \"\"";
    let above = |line: &str| line.trim().is_empty() || line.starts_with('#');
    let first = lines(text).find(|line| !above(line.content(text)))?;
    if !opens(first.content(text)) {
        return None;
    }
    let entry = text.get(first.next..)?;
    let end = lines(entry).find(|line| line.content(entry).trim().is_empty());
    let entry = entry.get(..end.map_or(entry.len(), |line| line.start))?;
    let field = entry.find("\"content-type:")?;
    let label = field + entry.get(field..)?.find("charset=")? + "charset=".len();
    let start = first.next + label;
    let mut found = Declaration::new(text, start..label_end(text, start))?;
    if found.span.of(text) == "charset" {
        found.charset = Charset::Unset;
    }
    Some(found)
}

/// Reads the cookies of Emacs and of scripts (PEP 263) in the first two lines, and vim's in the
/// first five. What looks like one and names no known encoding is other text.
fn cookie(text: &str) -> Option<Declaration> {
    let named = |index: usize, line: &str, start: usize| {
        let emacs = || after(line, "-*-", "coding:").filter(|_| line.matches("-*-").count() > 1);
        let script = || script_cookie(line);
        let vim = after(line, "vim:", "fileencoding=").or_else(|| after(line, "vim:", "fenc="));
        let early = (index < 2).then(|| emacs().or_else(script)).flatten();
        let at = start + past_blanks(line, early.or(vim)?);
        Declaration::new(text, at..label_end(text, at))
    };
    lines(text)
        .take(5)
        .enumerate()
        .filter_map(|(index, line)| named(index, line.content(text), line.start))
        .find(|found| matches!(found.charset, Charset::Known(_)))
}

/// Returns where the text after `word` begins, which stands after `lead`.
fn after(line: &str, lead: &str, word: &str) -> Option<usize> {
    let from = line.find(lead)? + lead.len();
    let at = line.get(from..)?.find(word)?;
    Some(from + at + word.len())
}

/// Reads `# coding: x`, with nothing else on the line, so that no heading is taken for it.
fn script_cookie(line: &str) -> Option<usize> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start();
    let rest = rest.strip_prefix("en").unwrap_or(rest);
    let rest = rest.strip_prefix("coding")?.strip_prefix([':', '='])?;
    let lone = !rest.trim().contains(|c: char| c.is_whitespace());
    lone.then(|| line.len() - rest.len())
}

fn past_blanks(text: &str, at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    text.len() - rest.trim_start().len()
}

/// Returns where a label that begins at `start` ends.
fn label_end(text: &str, start: usize) -> usize {
    let rest = text.get(start..).unwrap_or_default();
    let is_label = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | ':');
    let length = rest.find(|c| !is_label(c)).unwrap_or(rest.len());
    start
        + rest
            .get(..length)
            .map_or(0, |l| l.trim_end_matches(':').len())
}

#[cfg(test)]
mod tests;
