//! The text of one cell of a drawn table: read as a document of its own, and written with the targets of
//! its units. Must not know where its borders are.

use std::borrow::Cow;

use super::{Table, Targets, walk};
use crate::Span;
use crate::document::Splice;
use crate::format::rows::{character_width, columns_of};
use crate::segment::{Part, Piece, Setting};
use crate::shown::Shown;
use crate::splice::{Rst, fit};
use crate::text::lines;

/// Holds the text of a cell.
#[derive(Debug, Default)]
pub(super) struct Cell {
    /// Its lines, without the indentation that they share and without blanks behind them.
    text: String,
    /// Where each line begins: in the text, and in the document.
    starts: Vec<(usize, usize)>,
    /// Indentation that its lines share, in columns.
    indent: usize,
    /// Widest line, with the indentation.
    width: usize,
    /// Lines up to the last one that is not blank.
    pub(super) height: usize,
}

impl Cell {
    /// Takes the lines of a cell, each with its place in the document.
    pub(super) fn new(parts: &[(&str, usize)]) -> Self {
        let blanks = |part: &str| part.len() - part.trim_start_matches(' ').len();
        let filled = parts.iter().filter(|(part, _)| blanks(part) < part.len());
        let indent = filled.map(|(part, _)| blanks(part)).min().unwrap_or(0);
        let mut cell = Self {
            indent,
            ..Self::default()
        };
        for (index, (part, at)) in parts.iter().enumerate() {
            if index > 0 {
                cell.text.push('\n');
            }
            cell.starts
                .push((cell.text.len(), at + indent.min(part.len())));
            let line = part.get(indent..).unwrap_or_default().trim_end_matches(' ');
            if !line.is_empty() {
                cell.height = index + 1;
                cell.width = cell.width.max(indent + columns_of(line));
            }
            cell.text.push_str(line);
        }
        cell
    }

    /// Returns the units of the cell; `table` is where the whole table stands in the document, and
    /// `nesting` tells how many tables are around the text of the cell.
    pub(super) fn pieces(&self, table: Span, nesting: usize) -> Vec<Piece> {
        let reading = walk(&self.text, nesting);
        let place = |piece: &Piece| {
            let line = self.text.get(piece.span.start..piece.span.end)?;
            let length = line.find('\n').unwrap_or(line.len());
            let start = self.place(piece.span.start);
            let shown = Shown {
                text: piece.segment(&self.text, &Part::of(piece), 0).source,
                forms: Vec::new(),
            };
            let span = Span::new(start, start + length);
            Some(Piece {
                span,
                shown: Some(shown),
                is_whole: true,
                table: Some(table),
                ..Piece::new("", span, piece.kind, Setting::Rst(Rst::Inside))
            })
        };
        reading.iter().filter_map(place).collect()
    }

    /// Returns the place in the document of an offset of the cell's text.
    fn place(&self, at: usize) -> usize {
        let line = self.starts.partition_point(|(start, _)| *start <= at);
        let (start, place) = line
            .checked_sub(1)
            .and_then(|line| self.starts.get(line))
            .copied()
            .unwrap_or_default();
        place + at - start
    }

    /// Returns the lines of the cell with the targets of its units, indented as its own; `None` when
    /// it has none. Text that is set in several lines is set anew within `room` columns.
    pub(super) fn written(
        &self,
        targets: &Targets<'_>,
        room: usize,
        nesting: usize,
    ) -> Option<Vec<String>> {
        let mut out = String::new();
        let mut kept = 0;
        let mut table = None;
        for piece in walk(&self.text, nesting) {
            let (span, written) = match piece.table {
                Some(inner) if table == Some(inner) => continue,
                Some(inner) => {
                    table = Some(inner);
                    let own = |at: usize| targets(self.place(at));
                    (inner, Table::redraw(&self.text, inner, &own, nesting))
                }
                None => {
                    let target = targets(self.place(piece.span.start));
                    let written = target.map(|target| self.fit(&piece, target, room));
                    (piece.span, written)
                }
            };
            if let Some(written) = written {
                out.push_str(self.text.get(kept..span.start)?);
                out.push_str(&written);
                kept = span.end;
            }
        }
        if kept == 0 {
            return None;
        }
        out.push_str(self.text.get(kept..)?);
        let indent = " ".repeat(self.indent);
        let indented = |line: &str| match line.trim_end() {
            "" => String::new(),
            line => format!("{indent}{line}"),
        };
        let mut lines: Vec<String> = lines(&out)
            .map(|line| indented(line.content(&out)))
            .collect();
        let blank = lines
            .iter()
            .rev()
            .take_while(|line| line.is_empty())
            .count();
        lines.truncate(lines.len() - blank);
        Some(lines)
    }

    /// Writes a target in the place of a unit. What would end a line or move columns becomes a blank.
    fn fit(&self, piece: &Piece, target: &str, room: usize) -> String {
        let breaks =
            |c: char| c != '\n' && (c.is_control() || matches!(c, '\u{2028}' | '\u{2029}'));
        let target = target.replace("\r\n", "\n").replace(breaks, " ");
        let segment = piece.segment(&self.text, &Part::of(piece), 0);
        let own = lines(&segment.source).count();
        let wraps =
            piece.setting == Setting::Rst(Rst::Block) && target.trim().lines().count() < own;
        let before = self.text.get(..piece.span.start).unwrap_or_default();
        let before = columns_of(before.rsplit('\n').next().unwrap_or_default());
        let room = room.max(self.width).saturating_sub(self.indent + before);
        let target: Cow<'_, str> = if wraps {
            wrapped(&target, room).into()
        } else {
            target.into()
        };
        fit(&self.text, &segment, &Splice::of(piece), &target)
    }

    /// Returns the blanks that stay between the text and the border, of so many columns: one or none.
    pub(super) fn gap(&self, room: usize) -> usize {
        room.saturating_sub(self.width).min(1)
    }
}

/// Breaks lines that are too long at their blanks; a word that is too long stays whole.
fn wrapped(text: &str, room: usize) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.lines() {
        let mut used = 0;
        for word in line.split(' ').filter(|word| !word.is_empty()) {
            let width = word.chars().map(character_width).sum::<usize>();
            if used > 0 && used + 1 + width <= room {
                out.push(' ');
                used += 1;
            } else if !out.is_empty() {
                out.push('\n');
                used = 0;
            }
            out.push_str(word);
            used += width;
        }
    }
    out
}
