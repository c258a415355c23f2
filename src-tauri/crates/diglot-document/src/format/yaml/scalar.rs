//! How a YAML scalar lies in the file, and what it shows: quotes, escapes, folded lines, indentation.
//! Must not know keys.

use saphyr_parser::ScalarStyle;

use crate::Span;
use crate::format::keyed::escape::{self, Dialect};
use crate::shown::ShownBuilder;
use crate::text::{Line, lines_of};

/// Names how a scalar is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    /// Without quotes.
    Plain {
        /// Whether brackets or braces are around it.
        is_flow: bool,
        /// Whether it is the key of a mapping.
        is_key: bool,
    },
    /// In single quotes, which are doubled inside.
    Single,
    /// In double quotes, with escapes.
    Double,
    /// Lines as they are, behind so many blanks.
    Literal(usize),
    /// Lines that are joined, behind so many blanks.
    Folded(usize),
}

/// Finds the text of a scalar in the span that the parser gives, which begins with the anchor and tag
/// and may reach into what follows; `None` where it cannot be told.
pub(super) fn locate(
    text: &str,
    span: Span,
    style: ScalarStyle,
    has_properties: bool,
) -> Option<(Style, Span)> {
    let start = if has_properties {
        skip_properties(text, span)
    } else {
        span.start
    };
    let inner = Span::new(start, span.end);
    match style {
        ScalarStyle::Plain => {
            let style = Style::Plain {
                is_flow: false,
                is_key: false,
            };
            Some((style, inner.trimmed(text)))
        }
        ScalarStyle::SingleQuoted => {
            let start = inner.of(text).starts_with('\'').then_some(start + 1)?;
            let end = close_single(Span::new(start, span.end).of(text))?;
            Some((Style::Single, Span::new(start, start + end)))
        }
        ScalarStyle::DoubleQuoted => {
            let start = inner.of(text).starts_with('"').then_some(start + 1)?;
            let end = close_double(Span::new(start, span.end).of(text))?;
            Some((Style::Double, Span::new(start, start + end)))
        }
        ScalarStyle::Literal => {
            let (indent, inner) = locate_block(text, inner, has_properties)?;
            Some((Style::Literal(indent), inner))
        }
        ScalarStyle::Folded => {
            let (indent, inner) = locate_block(text, inner, has_properties)?;
            Some((Style::Folded(indent), inner))
        }
    }
}

/// Returns the offset behind an anchor, a tag, and the blanks and comments around them.
pub(super) fn skip_properties(text: &str, span: Span) -> usize {
    let mut at = span.start;
    loop {
        let rest = Span::new(at, span.end).of(text);
        let blanks = rest.len() - rest.trim_start().len();
        let length = match rest.trim_start().chars().next() {
            Some('&' | '!') => rest.trim_start().find(char::is_whitespace),
            Some('#') => rest.trim_start().find(['\n', '\r']),
            Some(_) | None => return at + blanks,
        };
        at += blanks + length.unwrap_or(rest.trim_start().len());
    }
}

fn close_single(rest: &str) -> Option<usize> {
    let mut quotes = rest.match_indices('\'').peekable();
    while let Some((at, _)) = quotes.next() {
        if quotes.next_if(|(next, _)| *next == at + 1).is_none() {
            return Some(at);
        }
    }
    None
}

fn close_double(rest: &str) -> Option<usize> {
    let bytes = rest.as_bytes();
    let mut at = 0;
    loop {
        match bytes.get(at)? {
            b'"' => return Some(at),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
}

/// Finds the indentation and the lines of a block scalar. The parser's span begins with the text of
/// the first line; behind properties, with the header.
fn locate_block(text: &str, span: Span, has_header: bool) -> Option<(usize, Span)> {
    let mut span = span;
    if has_header {
        let mut all = lines_of(text, span);
        let header = all.next()?.content(text);
        let explicit = header.contains(|c: char| c.is_ascii_digit());
        let line = all.find(|line| !line.content(text).trim().is_empty())?;
        let content = line.content(text);
        span.start = line.start + (content.len() - content.trim_start_matches(' ').len());
        if explicit {
            return None;
        }
    }
    let before = text.get(..span.start)?;
    let line = before.rfind(['\n', '\r']).map_or(0, |at| at + 1);
    let indent = span.start - line;
    let is_blank = before.get(line..)?.bytes().all(|b| b == b' ');
    span.end = span.start + span.of(text).trim_end().len();
    (indent > 0 && is_blank).then_some((indent, span))
}

/// Shows what stands in the file without its escapes and its way of breaking lines.
pub(super) fn show(text: &str, span: Span, style: Style, builder: &mut ShownBuilder<'_>) {
    let lines: Vec<Line> = lines_of(text, span).collect();
    match style {
        Style::Literal(indent) => show_literal(text, &lines, indent, builder),
        Style::Folded(indent) => show_folded(text, &lines, indent, builder),
        Style::Plain { .. } | Style::Single | Style::Double => {
            show_flow(text, span, &lines, style, builder);
        }
    }
}

/// Returns where the text of a block scalar's further line begins.
fn content_start(text: &str, line: Line, indent: usize) -> usize {
    let content = line.content(text);
    let blanks = content.len() - content.trim_start_matches(' ').len();
    line.start + blanks.min(indent)
}

fn show_literal(text: &str, lines: &[Line], indent: usize, builder: &mut ShownBuilder<'_>) {
    for (index, line) in lines.iter().enumerate() {
        if index > 0 {
            builder.write(content_start(text, *line, indent), "\n");
        }
        builder.copy(line.end);
    }
}

fn show_folded(text: &str, lines: &[Line], indent: usize, builder: &mut ShownBuilder<'_>) {
    let mut was_deeper = false;
    // Line starts since the last line with text.
    let mut breaks: Vec<usize> = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let start = if index > 0 {
            content_start(text, *line, indent)
        } else {
            line.start
        };
        if index > 0 {
            breaks.push(start);
        }
        let content = Span::new(start, line.end).of(text);
        if content.is_empty() {
            continue;
        }
        let is_deeper = content.starts_with([' ', '\t']);
        let is_kept = was_deeper || is_deeper;
        show_breaks(&breaks, is_kept, builder);
        breaks.clear();
        builder.copy(line.end);
        was_deeper = is_deeper;
    }
}

/// Shows line breaks up to the given line starts: each as it is, or the first one folded.
fn show_breaks(breaks: &[usize], is_kept: bool, builder: &mut ShownBuilder<'_>) {
    match breaks {
        [] => {}
        [only] if !is_kept => builder.write(*only, " "),
        [first, rest @ ..] => {
            // The first break goes with the second one, which is the first that is shown.
            if is_kept {
                builder.write(*first, "\n");
            }
            for to in rest {
                builder.write(*to, "\n");
            }
        }
    }
}

/// Shows a scalar that may be broken and indented anywhere.
fn show_flow(text: &str, span: Span, lines: &[Line], style: Style, builder: &mut ShownBuilder<'_>) {
    let blank = [' ', '\t'];
    let mut breaks: Vec<usize> = Vec::new();
    let mut is_escaped = false;
    for (index, line) in lines.iter().enumerate() {
        let is_last = line.end == span.end;
        let content = line.content(text);
        let start = if index > 0 {
            line.start + (content.len() - content.trim_start_matches(blank).len())
        } else {
            line.start
        };
        if index > 0 {
            breaks.push(start);
        }
        if index > 0 && start == line.end && !is_last {
            continue;
        }
        show_flow_breaks(&breaks, is_escaped, builder);
        breaks.clear();
        let end = if is_last {
            line.end
        } else {
            line_end(text, start, line.end, style)
        };
        is_escaped = !is_last && style == Style::Double && is_open(text, start, line.end);
        let end = if is_escaped { line.end - 1 } else { end };
        show_line(text, Span::new(start, end), style, builder);
    }
    show_flow_breaks(&breaks, is_escaped, builder);
}

/// Shows line breaks of a flow scalar; behind a backslash the first is nothing.
fn show_flow_breaks(breaks: &[usize], is_escaped: bool, builder: &mut ShownBuilder<'_>) {
    match breaks {
        [only] if is_escaped => builder.write(*only, ""),
        _ => show_breaks(breaks, false, builder),
    }
}

/// Returns where a line's text ends: blanks before a break are none, unless they are escaped.
fn line_end(text: &str, start: usize, end: usize, style: Style) -> usize {
    let content = Span::new(start, end).of(text);
    let trimmed = start + content.trim_end_matches([' ', '\t']).len();
    let escaped = style == Style::Double && trimmed < end && is_open(text, start, trimmed);
    trimmed + usize::from(escaped)
}

/// Tells whether a line ends in a backslash that escapes what follows.
fn is_open(text: &str, start: usize, end: usize) -> bool {
    let content = Span::new(start, end).of(text);
    (content.len() - content.trim_end_matches('\\').len()) % 2 == 1
}

fn show_line(text: &str, span: Span, style: Style, builder: &mut ShownBuilder<'_>) {
    match style {
        Style::Double => builder.unescape(span, |rest| escape::read(rest, Dialect::Yaml)),
        Style::Single => {
            let mut at = span.start;
            while let Some(found) = Span::new(at, span.end).of(text).find("''") {
                builder.copy(at + found);
                at += found + 2;
                builder.write(at, "'");
            }
            builder.copy(span.end);
        }
        Style::Plain { .. } | Style::Literal(_) | Style::Folded(_) => builder.copy(span.end),
    }
}
