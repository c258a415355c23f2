//! Tables that are drawn with lines: their cells hold units, and where a target does not fit, the table
//! is drawn anew around it. Owns what both kinds share; must not know how a kind is drawn.
//!
//! This is the one place where more than the span of a unit may change: columns and rows grow.

mod cell;
mod grid;
mod line;
mod scan;
mod simple;

use super::marker::{is_border, is_grid_border};
use super::{Context, Walk};
use crate::format::Reading;
use crate::format::rows::columns_of;
use crate::segment::Piece;
use crate::{SegmentKind, Span};
use cell::Cell;
use grid::Grid;
use line::Line;
use simple::Simple;

/// Tables in tables, at most; those that are deeper stay as they are.
const NESTING: usize = 3;

/// Tells the target of the unit that begins at an offset.
pub(crate) type Targets<'t> = dyn Fn(usize) -> Option<&'t str> + 't;

/// The new lines of each cell; `None` for one that stays.
type Changed = [Option<Vec<String>>];

/// Holds a table that is drawn with lines.
#[derive(Debug)]
pub(super) struct Table<'t> {
    span: Span,
    lines: Vec<Line<'t>>,
    shape: Shape,
    cells: Vec<Cell>,
}

#[derive(Debug)]
enum Shape {
    Grid(Grid),
    Simple(Simple),
}

impl<'t> Table<'t> {
    /// Reads the table between two borders; `None` when docutils would not take it.
    pub(super) fn read(text: &'t str, span: Span) -> Option<Self> {
        let lines = line::read(text, span)?;
        let (shape, cells) = if span.of(text).starts_with('+') {
            let (grid, cells) = Grid::read(&lines)?;
            (Shape::Grid(grid), cells)
        } else {
            let (simple, cells) = Simple::read(&lines)?;
            (Shape::Simple(simple), cells)
        };
        Some(Self {
            span,
            lines,
            shape,
            cells,
        })
    }

    /// Returns the units of its cells; `nesting` tells how many tables are around it.
    pub(super) fn pieces(&self, nesting: usize) -> Vec<Piece> {
        let cells = self.cells.iter();
        let pieces = cells.flat_map(|cell| cell.pieces(self.span, nesting + 1));
        pieces.collect()
    }

    /// Draws the table of a text with targets. It must be one that was read.
    fn redraw(text: &str, span: Span, targets: &Targets<'_>, nesting: usize) -> Option<String> {
        let table = Table::read(text, span)?;
        let written = |(index, cell): (usize, &Cell)| {
            let room = match &table.shape {
                Shape::Grid(grid) => {
                    let room = grid.room(index);
                    room - cell.gap(room)
                }
                Shape::Simple(simple) => simple.room(index),
            };
            cell.written(targets, room, nesting + 1)
        };
        let changed: Vec<_> = table.cells.iter().enumerate().map(written).collect();
        if changed.iter().all(Option::is_none) {
            return None;
        }
        Some(match &table.shape {
            Shape::Grid(grid) => grid.draw(&table.lines, &table.cells, &changed),
            Shape::Simple(simple) => simple.draw(&table.lines, &table.cells, changed),
        })
    }
}

/// Draws a table of a document with the targets of its units.
pub(crate) fn redraw(text: &str, span: Span, targets: &Targets<'_>) -> Option<String> {
    Table::redraw(text, span, targets, 0)
}

/// Reads the pieces of a cell; `nesting` tells how many tables are around it.
fn walk(text: &str, nesting: usize) -> Vec<Piece> {
    let context = Context {
        kind: SegmentKind::TableCell,
        ..Context::default()
    };
    Reading::of(Walk::new(text, nesting).pieces(context)).pieces
}

/// Returns the columns of the longest line.
fn widest(lines: &[String]) -> usize {
    let widths = lines.iter().map(|line| columns_of(line));
    widths.max().unwrap_or(0)
}

/// Adds blanks.
fn pad(out: &mut String, n: usize) {
    out.extend(std::iter::repeat_n(' ', n));
}

impl Walk<'_> {
    /// Reads a grid table, and returns the row behind it.
    pub(super) fn grid_table(&mut self, at: usize, end: usize) -> usize {
        let stop = self.to_blank(at, end);
        let framed = |row: &usize| self.line(*row).starts_with(['+', '|']);
        let edge = at + (at..stop).take_while(framed).count();
        let last = (at + 1..edge).rfind(|row| is_grid_border(self.line(*row)));
        last.filter(|last| self.table(at, *last))
            .map_or(stop, |last| last + 1)
    }

    /// Reads a simple table, and returns the row behind it. It ends with its third border, or with one
    /// that a blank line follows.
    pub(super) fn simple_table(&mut self, at: usize, end: usize, column: usize) -> usize {
        let stop = self.to_blank(at, end);
        if self.barren.get(&column).is_some_and(|barren| at < *barren) {
            return stop;
        }
        let length = self.line(at).len();
        let mut n_borders = 1;
        for row in at + 1..end {
            let place = self.row(row);
            if place.is_blank() || place.column > column {
                continue;
            }
            if place.column < column {
                self.barren.insert(column, row);
                return stop;
            }
            let line = self.line(row);
            if !is_border(line) {
                continue;
            }
            n_borders += 1;
            if line.len() != length {
                return row + 1;
            }
            if n_borders == 3 || row + 1 >= end || self.row(row + 1).is_blank() {
                self.table(at, row);
                return row + 1;
            }
        }
        self.barren.insert(column, end);
        stop
    }

    /// Takes the units of the table between two borders; tells whether it is one.
    fn table(&mut self, first: usize, last: usize) -> bool {
        let span = Span::new(self.row(first).start, self.row(last).end);
        let Some(table) = Table::read(self.text, span) else {
            return false;
        };
        if self.nesting < NESTING {
            self.pieces.extend(table.pieces(self.nesting));
        }
        true
    }
}

#[cfg(test)]
mod tests;
