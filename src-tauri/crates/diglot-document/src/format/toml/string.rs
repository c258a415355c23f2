//! Strings of TOML: where they close, what they show, and how a target is written in one. Must not
//! know keys.

use crate::Span;
use crate::format::keyed::escape::{self, Dialect};
use crate::shown::{Place, ShownBuilder};
use crate::text::lines_of;

/// Names the kind of a string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    /// `"…"`, with escapes.
    Basic,
    /// `"""…"""`, with escapes.
    Lines,
    /// `'…'`, without.
    Literal,
    /// `'''…'''`, without.
    LiteralLines,
}

impl Style {
    /// Tells the kind of a string by what it opens with, and how many quotes that are.
    pub(super) fn at(rest: &str) -> (Self, usize) {
        match rest {
            rest if rest.starts_with("\"\"\"") => (Self::Lines, 3),
            rest if rest.starts_with("'''") => (Self::LiteralLines, 3),
            rest if rest.starts_with('\'') => (Self::Literal, 1),
            _ => (Self::Basic, 1),
        }
    }

    fn quote(self) -> char {
        match self {
            Self::Basic | Self::Lines => '"',
            Self::Literal | Self::LiteralLines => '\'',
        }
    }

    fn has_lines(self) -> bool {
        matches!(self, Self::Lines | Self::LiteralLines)
    }

    fn has_escapes(self) -> bool {
        matches!(self, Self::Basic | Self::Lines)
    }
}

/// So many quotes may stand together where a string of several lines closes.
const MOST_QUOTES: usize = 5;

/// Finds how long a string is whose text begins here.
pub(super) fn close(rest: &str, style: Style) -> Option<usize> {
    let mut at = 0;
    let bytes = rest.as_bytes();
    let quote = u8::try_from(style.quote()).ok()?;
    loop {
        let byte = *bytes.get(at)?;
        let quotes = bytes.get(at..)?.iter().take_while(|b| **b == quote);
        let run = quotes.take(MOST_QUOTES).count();
        match byte {
            b'\n' if !style.has_lines() => return None,
            // A line that ends is looked at by itself.
            b'\\' if style.has_escapes() && bytes.get(at + 1) != Some(&b'\n') => at += 2,
            _ if run > 0 && !style.has_lines() => return Some(at),
            // Up to two quotes may stand before the three that close.
            _ if run > 2 => return Some(at + run - 3),
            _ => at += run.max(1),
        }
    }
}

/// Shows a string's text without its escapes.
pub(super) fn show(text: &str, inner: Span, style: Style, builder: &mut ShownBuilder<'_>) {
    let mut skip_to = inner.start;
    for line in lines_of(text, inner) {
        if line.next <= skip_to && line.next < inner.end {
            continue;
        }
        let start = line.start.max(skip_to);
        let content = Span::new(start, line.end).of(text);
        let kept = content.trim_end_matches([' ', '\t']);
        let slashes = kept.len() - kept.trim_end_matches('\\').len();
        let is_joined = style == Style::Lines && slashes % 2 == 1 && line.next > line.end;
        let end = if is_joined {
            start + kept.len() - 1
        } else {
            line.end
        };
        show_line(text, Span::new(start, end), style, builder);
        if is_joined {
            // A backslash at the end of a line takes all blanks up to the next text with it.
            let rest = Span::new(line.end, inner.end).of(text);
            skip_to = inner.end - rest.trim_start_matches([' ', '\t', '\n', '\r']).len();
            builder.write(skip_to, "");
        } else if line.next > line.end {
            builder.write(line.next, "\n");
        }
    }
}

fn show_line(text: &str, span: Span, style: Style, builder: &mut ShownBuilder<'_>) {
    if !style.has_escapes() {
        builder.copy(span.end);
        return;
    }
    let read = |rest: &str| escape::read(rest, Dialect::Toml);
    // Quotes that need no escape are shown by hand, so that they stay without one.
    let mut at = span.start;
    let mut from = span.start;
    let mut is_escaped = false;
    for (index, c) in span.of(text).char_indices() {
        if c == '"' && !is_escaped {
            at = span.start + index;
            builder.unescape(Span::new(from, at), read);
            from = at + 1;
            builder.write(from, "\"");
        }
        is_escaped = c == '\\' && !is_escaped;
    }
    builder.unescape(Span::new(from.max(at), span.end), read);
}

/// Writes a target. It reads back as it is, but for what its kind of string cannot hold.
pub(in crate::format) fn write(place: &Place<'_>, target: &str, style: Style) -> String {
    let line_end = place.fresh;
    if style.has_escapes() {
        let mut fresh = |c: char, out: &mut String| match c {
            '\n' if style.has_lines() => out.push_str(line_end),
            c => escape::fresh(c, '"', out),
        };
        let carried = place.carry(target, &mut fresh);
        if reads_back(&carried, target, style) {
            return carried;
        }
        let mut plain = String::with_capacity(target.len());
        target.chars().for_each(|c| fresh(c, &mut plain));
        return plain;
    }
    let target = target.replace("\r\n", "\n");
    let mut run = 0;
    place.carry(&target, &mut |c, out| {
        run = if c == '\'' { run + 1 } else { 0 };
        match c {
            // Nothing can be escaped here.
            '\'' if !style.has_lines() || run > 2 => out.push('’'),
            '\n' if style.has_lines() => out.push_str(line_end),
            '\n' | '\r' => out.push(' '),
            c if c.is_control() && c != '\t' => {}
            c => out.push(c),
        }
    })
}

fn reads_back(written: &str, target: &str, style: Style) -> bool {
    let mut builder = ShownBuilder::new(written, 0);
    show(written, Span::new(0, written.len()), style, &mut builder);
    let is_right = builder
        .finish()
        .is_some_and(|(_, shown)| shown.text == target);
    is_right && close(written, style).is_none()
}
