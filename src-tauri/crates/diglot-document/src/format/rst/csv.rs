//! The rows of `csv-table`: cells between delimiters, as Python reads them. Owns quotes and escapes; must
//! not know what a cell says.

use std::ops::Range;

use super::Walk;
use super::marker::field;
use crate::format::Notation;
use crate::format::rows::columns;
use crate::placeable::rst as inline;
use crate::segment::Piece;
use crate::shown::{Place, ShownBuilder};
use crate::splice::rst_line;
use crate::text::{first_line_end, is_blank};
use crate::{SegmentKind, Span};

/// Says how a cell is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Csv {
    delimiter: char,
    quote: char,
    /// Stands before a quote or a delimiter that is text; without one, quotes are doubled.
    escape: Option<char>,
    /// Whether blanks behind a delimiter are no text.
    skips: bool,
    is_quoted: bool,
    /// Column of the rows; what is indented up to there is no text.
    column: usize,
}

impl Walk<'_> {
    /// Takes the cells of a table from its options and its rows.
    pub(super) fn csv_table(&mut self, options: Range<usize>, rows: Range<usize>) {
        let mut csv = Csv {
            delimiter: ',',
            quote: '"',
            escape: None,
            skips: true,
            is_quoted: false,
            column: 0,
        };
        let mut header = None;
        let mut at = options.start;
        while at < options.end {
            let row = self.row(at);
            let next = self.extent(at + 1, options.end, row.column);
            let line = row.of(self.text);
            let length = field(line).unwrap_or_default();
            let name = line.get(1..length.saturating_sub(1)).unwrap_or_default();
            let value = row.behind(self.text, length);
            match (name, character(value.of(self.text))) {
                ("delim", Some(c)) => csv.delimiter = c,
                ("quote", Some(c)) => csv.quote = c,
                ("escape", Some(c)) => csv.escape = Some(c),
                ("keepspace", _) => csv.skips = false,
                ("header", _) => {
                    let column = self.least_column(at + 1..next);
                    header = Some((Span::new(value.start, self.row(next - 1).end), column));
                }
                // What is in a file is not here; and what no program understands is left alone.
                ("file" | "url" | "delim" | "quote" | "escape", _) => return,
                _ => {}
            }
            at = next;
        }
        let header = header.map(|(span, column)| (span, Csv { column, ..csv }));
        let filled = || rows.clone().filter(|row| !self.row(*row).is_blank());
        let body = filled()
            .next()
            .zip(filled().next_back())
            .map(|(first, last)| {
                let column = self.least_column(first..last + 1);
                let span = Span::new(self.row(first).start, self.row(last).end);
                (span, Csv { column, ..csv })
            });
        for (span, csv) in header.into_iter().chain(body) {
            let cells = cells(self.text, span, csv).unwrap_or_default();
            self.pieces.extend(cells);
        }
    }
}

/// Reads the value of an option that names a character, as docutils does.
fn character(value: &str) -> Option<char> {
    match value {
        "tab" => return Some('\t'),
        "space" => return Some(' '),
        _ => {}
    }
    let digits =
        |radix: u32| move |text: &str| char::from_u32(u32::from_str_radix(text, radix).ok()?);
    let prefixes = ["0x", "\\x", "x", "U+", "\\u", "u", "U"];
    let code = prefixes
        .iter()
        .find_map(|prefix| value.strip_prefix(prefix));
    let code = code.filter(|code| !code.is_empty());
    let mut all = value.chars();
    let only = all.next().filter(|_| all.next().is_none());
    let decimal = digits(10)(value);
    decimal.or(only).or_else(|| code.and_then(digits(16)))
}

/// Reads the cells of some rows; `None` when a quote is not closed, or text follows a closed one.
fn cells(text: &str, span: Span, csv: Csv) -> Option<Vec<Piece>> {
    let mut pieces = Vec::new();
    let mut at = span.start;
    while at < span.end {
        let rest = Span::new(at, span.end).of(text);
        let skipped = if csv.skips {
            rest.len() - rest.trim_start_matches(' ').len()
        } else {
            0
        };
        at += skipped;
        let rest = Span::new(at, span.end).of(text);
        let is_quoted = rest.starts_with(csv.quote);
        let csv = Csv { is_quoted, ..csv };
        let start = at + if is_quoted { csv.quote.len_utf8() } else { 0 };
        let end = csv.end(text, Span::new(start, span.end))?;
        pieces.extend(csv.piece(text, Span::new(start, end)));
        at = end + if is_quoted { csv.quote.len_utf8() } else { 0 };
        let rest = Span::new(at, span.end).of(text);
        match rest.chars().next() {
            Some(c) if c == csv.delimiter => at += c.len_utf8(),
            Some('\n' | '\r') => {
                at += rest.len() - rest.trim_start_matches(['\n', '\r']).len();
                let rest = Span::new(at, span.end).of(text);
                at += rest.len() - rest.trim_start_matches(is_blank).len();
            }
            Some(_) => return None,
            None => {}
        }
    }
    Some(pieces)
}

impl Csv {
    /// Returns where a cell ends: at its quote, or at a delimiter or line end.
    fn end(self, text: &str, span: Span) -> Option<usize> {
        let mut rest = span.of(text).char_indices().peekable();
        while let Some((at, c)) = rest.next() {
            let at = span.start + at;
            if Some(c) == self.escape {
                rest.next();
            } else if self.is_quoted && c == self.quote {
                let doubled = |(_, next): &(usize, char)| *next == c && self.escape.is_none();
                if rest.next_if(doubled).is_none() {
                    return Some(at);
                }
            } else if !self.is_quoted && (c == self.delimiter || matches!(c, '\n' | '\r')) {
                return Some(at);
            }
        }
        (!self.is_quoted).then_some(span.end)
    }

    fn piece(self, text: &str, cell: Span) -> Option<Piece> {
        let mut builder = ShownBuilder::new(text, cell.start);
        self.show(text, cell, &mut builder);
        let (span, shown) = builder.finish()?;
        let blank = Span::new(cell.start, span.start);
        if !inline::has_prose(&shown.text) || (!self.skips && blank.start < blank.end) {
            return None;
        }
        // Blanks behind a text without quotes go when it gets some.
        let end = if self.is_quoted { span.end } else { cell.end };
        let notation = Notation::RstCsv(self);
        let piece = Piece::coded(
            Span::new(span.start, end),
            shown,
            SegmentKind::TableCell,
            notation,
        );
        Some(Piece {
            is_whole: true,
            fresh: format!("{}{}", first_line_end(text), " ".repeat(self.column)),
            ..piece
        })
    }

    /// Shows a cell without its escapes, and its lines without what the table is indented by.
    fn show(self, text: &str, span: Span, builder: &mut ShownBuilder<'_>) {
        let mut rest = span.of(text).char_indices().peekable();
        while let Some((at, c)) = rest.next() {
            let at = span.start + at;
            if Some(c) == self.escape {
                builder.copy(at);
                if let Some((next, c)) = rest.next() {
                    builder.write(span.start + next + c.len_utf8(), &c.to_string());
                }
            } else if self.is_quoted && c == self.quote && self.escape.is_none() {
                builder.copy(at);
                rest.next();
                builder.write(at + 2 * c.len_utf8(), &c.to_string());
            } else if matches!(c, '\n' | '\r') {
                builder.copy(at);
                rest.next_if(|(_, next)| c == '\r' && *next == '\n');
                let begin = rest.peek().map_or(span.end, |(next, _)| span.start + next);
                let (mut end, mut reached) = (begin, 0);
                while reached < self.column
                    && let Some((_, c)) = rest.next_if(|(_, c)| is_blank(*c))
                {
                    let blank = Span::new(end, end + c.len_utf8());
                    reached = columns(blank.of(text), reached);
                    end = blank.end;
                }
                builder.write(end, "\n");
            }
        }
        builder.copy(span.end);
    }

    /// Writes a character inside of a cell.
    fn fresh(self, c: char, line_end: &str, out: &mut String) {
        match (c, self.escape) {
            ('\n', _) => out.push_str(line_end),
            (c, Some(escape)) => {
                let ends = c == self.delimiter && !self.is_quoted;
                out.extend((ends || c == escape || c == self.quote).then_some(escape));
                out.push(c);
            }
            (c, None) if c == self.quote && self.is_quoted => out.extend([c, c]),
            (c, _) => out.push(c),
        }
    }
}

/// Writes a target as a cell, which reads as one paragraph if its source does; it gets quotes where it
/// needs some and has none.
pub(crate) fn write(place: &Place<'_>, target: &str, csv: Csv) -> String {
    let source = &place.shown.text;
    let lines = target.lines().map(str::trim_end);
    let lines = lines.filter(|line| !line.is_empty() || source.contains("\n\n"));
    let between = if source.contains('\n') { "\n" } else { " " };
    let target = lines.collect::<Vec<_>>().join(between);
    let target = rst_line(&target, source);
    let is_bare = csv.escape.is_none();
    let needs = |c: char| c == '\n' || (c == csv.delimiter && is_bare);
    let begins = target.starts_with(csv.quote) && is_bare;
    if !csv.is_quoted && (begins || target.contains(needs)) {
        let csv = Csv {
            is_quoted: true,
            ..csv
        };
        let mut out = String::from(csv.quote);
        target
            .chars()
            .for_each(|c| csv.fresh(c, place.fresh, &mut out));
        out.push(csv.quote);
        return out;
    }
    let show =
        |text: &str, span: Span, builder: &mut ShownBuilder<'_>| csv.show(text, span, builder);
    let fresh = |c: char, out: &mut String| csv.fresh(c, place.fresh, out);
    let written = place.carry_read_back(&target, &show, &fresh);
    let raw = place.span.of(place.text);
    let blanks = raw.get(raw.trim_end().len()..).filter(|_| !csv.is_quoted);
    written + blanks.unwrap_or_default()
}

#[cfg(test)]
mod tests;
