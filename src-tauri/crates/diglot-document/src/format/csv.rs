//! Tables in text, with commas, semicolons, tabs or bars between their cells (RFC 4180). Owns quotes
//! and which columns hold text; must not know what a column means.

use std::collections::HashSet;

use super::{Notation, ReadOptions, Reading};
use crate::segment::Piece;
use crate::shown::{Place, Shown, ShownBuilder};
use crate::text::has_prose;
use crate::{SegmentKind, Span};

/// What may stand between cells; the first one that divides the rows alike counts.
const DELIMITERS: [char; 4] = ['\t', ',', ';', '|'];

/// So many rows are looked at to tell the delimiter.
const PROBE: usize = 20;

/// A name of a column has at most so many words.
const NAME_WORDS: usize = 3;

/// Reads the cells of the columns that hold text: those that a person chose, else those whose cells
/// mostly are texts of several words.
pub(super) fn read(text: &str, options: &ReadOptions<'_>) -> Reading {
    let delimiter = delimiter(text);
    let rows: Vec<Vec<Cell>> = Rows::new(text, delimiter).collect();
    let names: Vec<String> = rows
        .first()
        .map(|row| row.iter().map(|cell| cell.shown_text(text)).collect())
        .unwrap_or_default();
    let chosen = chosen(&options.rules.columns, &names);
    let has_names = match &chosen {
        Some(columns) => columns.by_name || is_header(&names, rows.len()),
        None => is_header(&names, rows.len()),
    };
    let body = rows.iter().skip(usize::from(has_names));
    let columns = match chosen {
        Some(chosen) => chosen.columns,
        None => prose_columns(text, body.clone()),
    };
    let mut pieces = Vec::new();
    for row in body {
        for (index, cell) in row.iter().enumerate() {
            if columns.contains(&index) {
                let name = names.get(index).filter(|_| has_names);
                pieces.extend(cell.piece(text, delimiter, name));
            }
        }
    }
    Reading {
        pieces,
        ..Reading::default()
    }
}

/// Columns that a person chose, from 0.
struct Chosen {
    columns: HashSet<usize>,
    /// Whether the first row has a name among them.
    by_name: bool,
}

fn chosen(rules: &[String], names: &[String]) -> Option<Chosen> {
    let named = |rule: &str| names.iter().position(|name| name.trim() == rule.trim());
    let numbered = |rule: &str| rule.trim().parse::<usize>().ok()?.checked_sub(1);
    let find = |rule: &String| named(rule).or_else(|| numbered(rule));
    (!rules.is_empty()).then(|| Chosen {
        columns: rules.iter().filter_map(find).collect(),
        by_name: rules.iter().any(|rule| named(rule).is_some()),
    })
}

/// Tells whether the first row names the columns: short, different names, and more rows below.
fn is_header(names: &[String], n_rows: usize) -> bool {
    let distinct: HashSet<&str> = names.iter().map(|name| name.trim()).collect();
    let short = |name: &String| {
        let name = name.trim();
        let ends = name.ends_with(['.', '!', '?']) || name.contains('\n');
        !name.is_empty() && !ends && name.split_whitespace().count() <= NAME_WORDS
    };
    n_rows > 1 && distinct.len() == names.len() && names.iter().all(short)
}

/// Finds the columns in which half of the cells that hold something are texts, and one is a phrase.
fn prose_columns<'r>(text: &str, rows: impl Iterator<Item = &'r Vec<Cell>>) -> HashSet<usize> {
    #[derive(Default, Clone, Copy)]
    struct Tally {
        filled: usize,
        texts: usize,
        phrases: usize,
    }
    let mut tallies: Vec<Tally> = Vec::new();
    for row in rows {
        for (index, cell) in row.iter().enumerate() {
            let shown = cell.shown_text(text);
            let value = shown.trim();
            if tallies.len() <= index {
                tallies.resize(index + 1, Tally::default());
            }
            if let Some(tally) = tallies.get_mut(index).filter(|_| !value.is_empty()) {
                let is_text = has_prose(value);
                tally.filled += 1;
                tally.texts += usize::from(is_text);
                tally.phrases += usize::from(is_text && is_phrase(value));
            }
        }
    }
    let holds_text = |(index, tally): (usize, &Tally)| {
        (tally.phrases > 0 && tally.texts * 2 >= tally.filled).then_some(index)
    };
    tallies.iter().enumerate().filter_map(holds_text).collect()
}

/// Tells whether a value has several words, or is in a script that sets no blanks between them.
fn is_phrase(value: &str) -> bool {
    let is_word = |word: &&str| word.chars().filter(|c| c.is_alphabetic()).nth(1).is_some();
    let unspaced =
        |c: char| matches!(c, '\u{E00}'..='\u{FFF}' | '\u{2E80}'..='\u{D7FF}' | '\u{20000}'..);
    value.contains(unspaced) || value.split_whitespace().filter(is_word).nth(1).is_some()
}

/// Tells what stands between the cells: what divides the first rows into equal numbers, and into most.
fn delimiter(text: &str) -> char {
    let widths = |delimiter: char| -> Vec<usize> {
        Rows::new(text, delimiter)
            .take(PROBE)
            .map(|row| row.len())
            .collect()
    };
    let width = |delimiter: char| {
        let widths = widths(delimiter);
        let first = widths.first().copied().filter(|first| *first > 1)?;
        let alike = widths.iter().filter(|width| **width == first).count();
        (alike * 10 >= widths.len() * 8).then_some(first)
    };
    let mut best = (',', 1);
    for delimiter in DELIMITERS {
        if let Some(width) = width(delimiter).filter(|width| *width > best.1) {
            best = (delimiter, width);
        }
    }
    best.0
}

/// Walks the rows of a table; blank lines are none.
struct Rows<'t> {
    text: &'t str,
    delimiter: char,
    at: usize,
}

impl<'t> Rows<'t> {
    fn new(text: &'t str, delimiter: char) -> Self {
        let at = 0;
        Self {
            text,
            delimiter,
            at,
        }
    }
}

impl Iterator for Rows<'_> {
    type Item = Vec<Cell>;

    fn next(&mut self) -> Option<Vec<Cell>> {
        let rest = self.text.get(self.at..)?;
        self.at = self.text.len() - rest.trim_start_matches(['\n', '\r']).len();
        if self.at == self.text.len() {
            return None;
        }
        let mut cells = Vec::new();
        loop {
            let cell = Cell::read(self.text, self.at, self.delimiter);
            self.at = cell.next;
            cells.push(cell);
            let rest = self.text.get(self.at..).unwrap_or_default();
            match rest.strip_prefix(self.delimiter) {
                Some(after) => self.at = self.text.len() - after.len(),
                None => return Some(cells),
            }
        }
    }
}

/// Holds one cell.
#[derive(Debug, Clone, Copy)]
struct Cell {
    /// Between its quotes, if it has some.
    inner: Span,
    is_quoted: bool,
    /// Where the delimiter or the line end behind it stands.
    next: usize,
}

impl Cell {
    fn read(text: &str, at: usize, delimiter: char) -> Self {
        let rest = text.get(at..).unwrap_or_default();
        let until = |from: usize| {
            let rest = text.get(from..).unwrap_or_default();
            from + rest.find([delimiter, '\n', '\r']).unwrap_or(rest.len())
        };
        let quote = at + rest.len() - rest.trim_start_matches(' ').len();
        let closing = text
            .get(quote..)
            .and_then(|rest| rest.strip_prefix('"'))
            .and_then(|_| closing_quote(text, quote + 1));
        match closing {
            Some(end) => Self {
                inner: Span::new(quote + 1, end),
                is_quoted: true,
                next: until(end + 1),
            },
            None => Self {
                inner: Span::new(at, until(at)),
                is_quoted: false,
                next: until(at),
            },
        }
    }

    fn shown_text(self, text: &str) -> String {
        let inner = self.inner.of(text);
        if self.is_quoted {
            inner.replace("\"\"", "\"")
        } else {
            inner.to_owned()
        }
    }

    fn piece(self, text: &str, delimiter: char, name: Option<&String>) -> Option<Piece> {
        let mut builder = ShownBuilder::new(text, self.inner.start);
        show(text, self.inner, self.is_quoted, &mut builder);
        let (span, shown) = builder.finish()?;
        if !has_prose(&shown.text) {
            return None;
        }
        let notation = Notation::Csv(Quoting {
            delimiter,
            is_quoted: self.is_quoted,
        });
        let mut piece = Piece::coded(span, shown, SegmentKind::TableCell, notation);
        piece.hints.note = name.map(|name| name.trim().to_owned());
        Some(piece)
    }
}

/// Returns where the quote closes that stands alone; two in a row are one in the text.
fn closing_quote(text: &str, from: usize) -> Option<usize> {
    let mut at = from;
    loop {
        at += text.get(at..)?.find('"')?;
        if !text.get(at + 1..)?.starts_with('"') {
            return Some(at);
        }
        at += 2;
    }
}

/// Shows a cell without doubled quotes and with one kind of line end.
fn show(text: &str, span: Span, is_quoted: bool, builder: &mut ShownBuilder<'_>) {
    let mut at = span.start;
    while let Some(found) = Span::new(at, span.end).of(text).find(['"', '\r']) {
        builder.copy(at + found);
        at += found;
        let rest = Span::new(at, span.end).of(text);
        if is_quoted && rest.starts_with("\"\"") {
            builder.write(at + 2, "\"");
            at += 2;
        } else if rest.starts_with('\r') {
            let length = if rest.starts_with("\r\n") { 2 } else { 1 };
            builder.write(at + length, "\n");
            at += length;
        } else {
            at += 1;
            builder.copy(at);
        }
    }
    builder.copy(span.end);
}

/// Says how a cell is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Quoting {
    delimiter: char,
    is_quoted: bool,
}

/// Writes a target as a cell; it gets quotes where it needs some and has none.
pub(super) fn write(place: &Place<'_>, target: &str, quoting: Quoting) -> String {
    let target = target.replace("\r\n", "\n").replace('\r', "\n");
    let special = |c: char| c == quoting.delimiter || matches!(c, '"' | '\n');
    let fresh = |c: char, out: &mut String| match c {
        '"' => out.push_str("\"\""),
        c => out.push(c),
    };
    if quoting.is_quoted {
        let carried = place.carry(&target, &mut |c, out| fresh(c, out));
        return if reads_back(&carried, &target) {
            carried
        } else {
            target.replace('"', "\"\"")
        };
    }
    // A quote inside of a cell that has none around it is one as it is.
    let own_quotes = place.shown.text.contains('"') && !target.starts_with('"');
    let needs = |c: char| special(c) && !(c == '"' && own_quotes);
    if target.contains(needs) {
        format!("\"{}\"", target.replace('"', "\"\""))
    } else {
        target
    }
}

fn reads_back(carried: &str, target: &str) -> bool {
    let mut builder = ShownBuilder::new(carried, 0);
    show(carried, Span::new(0, carried.len()), true, &mut builder);
    builder
        .finish()
        .is_some_and(|(_, shown): (Span, Shown)| shown.text == target)
}

#[cfg(test)]
mod tests;
