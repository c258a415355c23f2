//! Tables of AsciiDoc: cells that begin with a bar. Must not know the blocks around.

use std::collections::HashMap;

use super::{Opener, Walk, inline, item};
use crate::format::rows::Row;
use crate::segment::{Piece, Setting};
use crate::splice::Adoc;
use crate::text::is_blank;
use crate::{SegmentKind, Span};

impl Walk<'_> {
    /// Reads a table from its first fence to its last.
    pub(super) fn table(&mut self, row: Row) {
        let line = row.of(self.text);
        let is_marked = ["format", "separator"]
            .iter()
            .any(|name| self.attributes.contains(name));
        let is_read = line.starts_with("|===") && !is_marked;
        self.takes_code();
        let rest = self.rows.get(self.at + 1..).unwrap_or_default();
        let text = self.text;
        let closing = rest
            .iter()
            .position(|row| row.column == 0 && row.of(text) == line);
        if closing.is_none() {
            self.unclosed.push(row.start);
        }
        let end = closing.map_or(self.rows.len(), |length| self.at + 1 + length);
        if is_read {
            let cells = Cells {
                text,
                open: None,
                pieces: Vec::new(),
            };
            let rows = self.rows.get(self.at + 1..end).unwrap_or_default();
            self.pieces.extend(cells.read(rows));
        }
        self.at = end + 1;
        self.place = super::Place::Block;
    }
}

struct Cells<'t> {
    text: &'t str,
    /// The paragraph of a cell that is being read.
    open: Option<Span>,
    pieces: Vec<Piece>,
}

impl Cells<'_> {
    fn read(mut self, rows: &[Row]) -> Vec<Piece> {
        let last_of = |(index, row): (usize, &Row)| (row.of(self.text), index);
        let last: HashMap<&str, usize> = rows.iter().enumerate().map(last_of).collect();
        let mut skipped: Option<&str> = None;
        for (index, row) in rows.iter().enumerate() {
            let line = row.of(self.text);
            if let Some(closing) = skipped {
                skipped = (line != closing).then_some(closing);
                continue;
            }
            match super::interrupter(line) {
                _ if row.is_blank() => self.close(),
                Some(Opener::Verbatim | Opener::Table) => {
                    self.close();
                    let is_closed = last.get(line).is_some_and(|last| *last > index);
                    skipped = is_closed.then_some(line);
                }
                Some(Opener::Attributes) if !line.contains('|') => self.close(),
                Some(Opener::Attributes) | None => self.row(*row),
                Some(_) => self.close(),
            }
        }
        self.close();
        self.pieces
    }

    fn row(&mut self, row: Row) {
        let line = row.of(self.text);
        let mut from = row.start;
        let mut escaped = false;
        for (at, c) in line.char_indices() {
            if c == '|' && !escaped {
                let end = without_specification(Span::new(from, row.start + at).of(self.text));
                self.extend(Span::new(from, from + end));
                self.close();
                from = row.start + at + 1;
            }
            escaped = c == '\\' && !escaped;
        }
        self.extend(Span::new(from, row.end));
    }

    /// Adds a stretch of a line to the open paragraph, or opens one: behind its mark where it is an
    /// item of a list.
    fn extend(&mut self, span: Span) {
        let inner = span.trimmed(self.text);
        let marker = item(inner.of(self.text));
        if marker.is_some() {
            self.close();
        }
        if inner.start < inner.end {
            let start = inner.start + marker.unwrap_or_default();
            let start = self.open.map_or(start, |open| open.start);
            self.open = Some(Span::new(start, inner.end));
        }
    }

    fn close(&mut self) {
        let Some(span) = self.open.take() else { return };
        if inline::has_prose(span.of(self.text)) {
            let setting = Setting::Adoc(Adoc::Cell);
            let mut piece = Piece::new(self.text, span, SegmentKind::TableCell, setting);
            piece.atoms = inline::atoms(self.text, piece.span);
            self.pieces.push(piece);
        }
    }
}

/// Returns the length of a text without the specification of the next cell at its end, such as ` 2+^`.
pub(crate) fn without_specification(text: &str) -> usize {
    let head = text.trim_end_matches(|c: char| !is_blank(c));
    let word = text.get(head.len()..).unwrap_or_default();
    if is_specification(word) {
        head.len()
    } else {
        text.len()
    }
}

/// Tells whether a word in front of a bar says how the next cell is laid out.
pub(crate) fn is_specification(word: &str) -> bool {
    let style = word
        .strip_suffix(|c: char| c.is_ascii_lowercase())
        .unwrap_or(word);
    let span = style.trim_end_matches(['<', '^', '>', '.']);
    let count = span.strip_suffix(['+', '*']).unwrap_or(span);
    let numbers = count.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    !word.is_empty() && (span.is_empty() || (count.len() < span.len() && numbers))
}
