//! Escapes that keep an AsciiDoc target the kind of block that its source is. An attribute reference
//! that stands for nothing keeps a line from opening a block. Must not know bytes.

use std::borrow::Cow;

use crate::format::asciidoc::{
    Opener, interrupter, is_specification, item, opener, term, title_level,
};
use crate::text::is_blank;

/// Stands for nothing in the output.
const NOTHING: &str = "{empty}";

/// Says in what surroundings an AsciiDoc span stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Adoc {
    /// A paragraph.
    Block,
    /// The text of a list item or of a description.
    Item,
    /// A title, or the value of an attribute of the document.
    Line,
    /// The term of a description list.
    Term,
    /// A paragraph in the cell of a table.
    Cell,
    /// A value in the brackets of a block macro.
    Attribute {
        /// Whether it stands in double quotes.
        is_quoted: bool,
    },
}

/// What stands around a span on its first and behind its last line.
#[derive(Debug, Clone, Copy)]
pub(super) struct Around<'t> {
    /// From the beginning of the line.
    pub(super) before: &'t str,
    /// To the end of the text.
    pub(super) after: &'t str,
}

/// Escapes the lines of a target.
pub(super) fn escape<'a>(
    place: Adoc,
    lines: Vec<Cow<'a, str>>,
    source: &str,
    around: Around<'_>,
) -> Vec<Cow<'a, str>> {
    let begins = around.before.chars().all(is_blank);
    let each = |escape: &dyn Fn(Cow<'a, str>) -> Cow<'a, str>| {
        lines.clone().into_iter().map(escape).collect()
    };
    match place {
        Adoc::Block => block(lines, source, around, false),
        Adoc::Item => block(lines, source, around, true),
        Adoc::Line => each(&|target| line(&target).into()),
        Adoc::Term => each(&|target| described(target, source, begins)),
        Adoc::Attribute { is_quoted } => each(&|target| attribute(&target, source, is_quoted)),
        Adoc::Cell => cell(lines, source, around.after),
    }
}

/// Escapes the lines of a paragraph.
fn block<'a>(
    lines: Vec<Cow<'a, str>>,
    source: &str,
    around: Around<'_>,
    in_list: bool,
) -> Vec<Cow<'a, str>> {
    let begins = around.before.chars().all(is_blank);
    let mut own = source.split('\n');
    let mut safe: Vec<Cow<'a, str>> = Vec::with_capacity(lines.len());
    for (index, line) in lines.into_iter().enumerate() {
        let own_line = own.next().unwrap_or_default();
        let opens = |line: &str| {
            let line = line.trim_end();
            let opens_block = index == 0 && begins && opener(line).is_some();
            let opens_item = index > 0 && in_list && item(line).is_some();
            opens_block || opens_item || (index > 0 && interrupter(line).is_some())
        };
        let mut line = if in_list || index == 0 {
            without_term(line, own_line)
        } else {
            line
        };
        let underlines = index == 1
            && safe.first().is_some_and(|first| {
                title_level(&format!("{}{first}", around.before), line.trim_end()).is_some()
            });
        if (opens(&line) && !opens(own_line)) || underlines {
            line = format!("{NOTHING}{line}").into();
        }
        safe.push(line);
    }
    if let [only] = safe.as_mut_slice() {
        let whole = format!("{}{}", around.before, only.trim_end());
        let below = around
            .after
            .strip_prefix("\r\n")
            .or_else(|| around.after.strip_prefix(['\n', '\r']));
        let below = below
            .and_then(|below| below.split(['\n', '\r']).next())
            .unwrap_or_default();
        let is_title = |line: &str| title_level(line, below.trim_end()).is_some();
        if is_title(&whole) {
            *only = format!("{only}{NOTHING}").into();
        }
    }
    safe
}

/// Parts the colons that would make a term of what stands before them, unless the source has them.
fn without_term<'a>(line: Cow<'a, str>, own: &str) -> Cow<'a, str> {
    // At the very beginning of a line the mark has no term, until something is put before it.
    if term(&line).is_none() || term(&format!("-{own}")).is_some() {
        return line;
    }
    let mut out = String::with_capacity(line.len() + NOTHING.len());
    let mut rest = line.as_ref();
    while let Some((_, end)) = term(rest) {
        let (head, tail) = rest.split_at_checked(end - 1).unwrap_or((rest, ""));
        out.push_str(head);
        out.push_str(NOTHING);
        let mark = tail.chars().next().map_or(0, char::len_utf8);
        out.push_str(tail.get(..mark).unwrap_or_default());
        rest = tail.get(mark..).unwrap_or_default();
    }
    out.push_str(rest);
    out.into()
}

/// Escapes a title or a value.
pub(crate) fn line(line: &str) -> String {
    let opens = matches!(
        opener(line),
        Some(
            Opener::BlockTitle
                | Opener::Attributes
                | Opener::Entry
                | Opener::Comment
                | Opener::Preprocessor
                | Opener::Verbatim
                | Opener::Compound
                | Opener::Table
        )
    );
    let before = if opens || line.starts_with('.') {
        NOTHING
    } else {
        ""
    };
    let after = if line.ends_with(['\\', '=', '#']) {
        NOTHING
    } else {
        ""
    };
    format!("{before}{line}{after}")
}

/// Escapes a term.
fn described<'a>(line: Cow<'a, str>, source: &str, begins: bool) -> Cow<'a, str> {
    let line = without_term(line, source);
    let before = if begins && opener(&line).is_some() && opener(source).is_none() {
        NOTHING
    } else {
        ""
    };
    let after = if line.ends_with([':', ';']) {
        NOTHING
    } else {
        ""
    };
    format!("{before}{line}{after}").into()
}

/// Escapes the lines of a cell: their bars, and what would lay out the next cell.
fn cell<'a>(lines: Vec<Cow<'a, str>>, source: &str, after: &str) -> Vec<Cow<'a, str>> {
    let mut own = source.split('\n');
    let opens = |line: &str| interrupter(line.trim_end()).is_some() || item(line).is_some();
    let escape = |line: Cow<'a, str>| {
        let mut out = with_bars(&line);
        if opens(&out) && !opens(own.next().unwrap_or_default()) {
            out.insert_str(0, NOTHING);
        }
        out.into()
    };
    let mut safe: Vec<Cow<'a, str>> = lines.into_iter().map(escape).collect();
    if let Some(line) = safe.last_mut().filter(|_| after.starts_with('|')) {
        let last = line.rsplit(is_blank).next().unwrap_or_default();
        let escapes = line.len() - line.trim_end_matches('\\').len();
        if is_specification(last) || escapes % 2 == 1 {
            *line = format!("{line} ").into();
        }
    }
    safe
}

/// Puts a backslash before every bar that has none.
fn with_bars(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut escaped = false;
    for c in line.chars() {
        if c == '|' && !escaped {
            out.push('\\');
        }
        escaped = c == '\\' && !escaped;
        out.push(c);
    }
    out
}

/// Escapes a value in the brackets of a macro; quotes are put around it where it needs them. What the
/// source has as it is, its target may have as well.
fn attribute<'a>(value: &str, source: &str, is_quoted: bool) -> Cow<'a, str> {
    let is_new = |c: &char| value.contains(*c) && !bare(source, *c);
    let needs_quotes = [',', '=', '"', ']'].iter().any(is_new) || value.starts_with('\'');
    if !is_quoted && !needs_quotes {
        return value.to_owned().into();
    }
    let mut out = String::with_capacity(value.len() + 2);
    let mut escaped = false;
    for c in value.chars() {
        if matches!(c, '"' | ']') && !escaped && !(is_quoted && bare(source, c)) {
            out.push('\\');
        }
        escaped = c == '\\' && !escaped;
        out.push(c);
    }
    if escaped {
        out.push(' ');
    }
    if is_quoted { out } else { format!("\"{out}\"") }.into()
}

/// Tells whether a text has a character without a backslash before it.
fn bare(text: &str, wanted: char) -> bool {
    let mut escaped = false;
    text.chars().any(|c| {
        let found = c == wanted && !escaped;
        escaped = c == '\\' && !escaped;
        found
    })
}
