//! reStructuredText at the level of blocks: sections, paragraphs, lists, definitions, fields, options,
//! directives. Owns how they nest by indentation; what stands in one line is the marker module's.

mod csv;
mod directive;
mod marker;
mod table;
mod title;

use std::collections::HashMap;
use std::ops::Range;

use crate::format::Reading;
use crate::format::rows::{Row, rows};
use crate::placeable::rst as inline;
use crate::segment::{Piece, Setting};
use crate::splice::Rst;
use crate::{SegmentKind, Span};

pub(crate) use csv::{Csv, write as write_csv};
use marker::is_rule;
pub(crate) use marker::{Opener, opener, underlines};
pub(crate) use table::redraw;
pub(super) use title::write as write_title;

/// Blocks inside of blocks, at most; what is deeper stays as it is.
const DEPTH: usize = 40;

/// Indentation of a further line below a field's or directive's first one.
const HANG: usize = 3;

/// Reads the pieces of a document.
pub(crate) fn read(text: &str) -> Reading {
    Reading::of(Walk::new(text, 0).pieces(Context::default()))
}

/// What surrounds a body.
#[derive(Debug, Clone, Copy)]
struct Context {
    /// Kind of its paragraphs.
    kind: SegmentKind,
    /// Kind of the paragraphs of its list items.
    item: SegmentKind,
    depth: usize,
    is_glossary: bool,
}

impl Default for Context {
    fn default() -> Self {
        Self {
            kind: SegmentKind::Paragraph,
            item: SegmentKind::ListItem,
            depth: 0,
            is_glossary: false,
        }
    }
}

impl Context {
    fn inside(self, kind: SegmentKind) -> Self {
        Self {
            kind,
            depth: self.depth + 1,
            is_glossary: false,
            ..self
        }
    }
}

struct Walk<'t> {
    text: &'t str,
    rows: Vec<Row>,
    pieces: Vec<Piece>,
    /// Adornments of titles in order of appearance: the level of a heading is its place.
    styles: Vec<(char, bool)>,
    /// For columns, the row up to which no simple table ends.
    barren: HashMap<usize, usize>,
    /// Tables around the text.
    nesting: usize,
}

impl<'t> Walk<'t> {
    fn new(text: &'t str, nesting: usize) -> Self {
        Self {
            text,
            rows: rows(text),
            pieces: Vec::new(),
            styles: Vec::new(),
            barren: HashMap::new(),
            nesting,
        }
    }

    /// Reads all, in any order.
    fn pieces(mut self, context: Context) -> Vec<Piece> {
        self.body(0..self.rows.len(), context);
        self.pieces
    }

    fn row(&self, at: usize) -> Row {
        self.rows.get(at).copied().unwrap_or_default()
    }

    fn line(&self, at: usize) -> &'t str {
        self.row(at).of(self.text)
    }

    /// Returns the end of the rows from `at` that are blank or indented deeper than a column.
    fn extent(&self, at: usize, end: usize, column: usize) -> usize {
        let rows = self.rows.get(at..end).unwrap_or_default();
        let inside = |row: &&Row| row.is_blank() || row.column > column;
        at + rows.iter().take_while(inside).count()
    }

    /// Returns the next blank row, or the end.
    fn to_blank(&self, at: usize, end: usize) -> usize {
        let rows = self.rows.get(at..end).unwrap_or_default();
        at + rows.iter().take_while(|row| !row.is_blank()).count()
    }

    /// Reads blocks of one indentation.
    fn body(&mut self, range: Range<usize>, context: Context) {
        if context.depth > DEPTH {
            return;
        }
        let mut at = range.start;
        let mut column = usize::MAX;
        while at < range.end {
            let row = self.row(at);
            if row.is_blank() {
                at += 1;
                continue;
            }
            column = column.min(row.column);
            at = if row.column > column {
                let end = self.extent(at, range.end, column);
                self.quote(at..end, context);
                end
            } else {
                self.block(at, range.end, column, context)
            };
        }
    }

    fn quote(&mut self, range: Range<usize>, context: Context) {
        let least = self.least_column(range.clone());
        // The deepest lines may come first: they are a quote in the quote.
        let context = context.inside(SegmentKind::Quote);
        if self.row(range.start).column == least {
            self.body(range, context);
            return;
        }
        let rows = self.rows.get(range.clone()).unwrap_or_default();
        let deep = rows
            .iter()
            .take_while(|row| row.is_blank() || row.column > least)
            .count();
        self.body(
            range.start..range.start + deep,
            context.inside(SegmentKind::Quote),
        );
        self.body(range.start + deep..range.end, context);
    }

    fn least_column(&self, range: Range<usize>) -> usize {
        let rows = self.rows.get(range).unwrap_or_default();
        let columns = rows
            .iter()
            .filter(|row| !row.is_blank())
            .map(|row| row.column);
        columns.min().unwrap_or_default()
    }

    /// Reads the block that begins at a row, and returns the row behind it.
    fn block(&mut self, at: usize, end: usize, column: usize, context: Context) -> usize {
        let line = self.line(at);
        let Some((opener, length)) = opener(line) else {
            return self.text(at, end, column, context);
        };
        match opener {
            Opener::Bullet => self.item(at, end, column, length, context),
            Opener::Enumerator if self.is_enumerated(at, end, column) => {
                self.item(at, end, column, length, context)
            }
            Opener::Option if self.is_described(at, end, column, length) => {
                self.hang(at, end, column, length);
                self.nested(at, end, column, context.inside(context.kind))
            }
            Opener::Enumerator | Opener::Option => self.text(at, end, column, context),
            Opener::Field => self.field(at, end, column, length, context),
            Opener::Doctest => self.to_blank(at, end),
            Opener::LineBlock => self.line_block(at, end, column, context),
            Opener::GridTable => self.grid_table(at, end),
            Opener::SimpleTable => self.simple_table(at, end, column),
            Opener::Anonymous => self.extent(at + 1, end, column),
            Opener::Explicit => self.explicit(at, end, column, context),
            Opener::Rule if line == "::" => self.literal(at + 1, end, column),
            Opener::Rule => self.overlined(at, end).unwrap_or(at + 1),
        }
    }

    fn item(
        &mut self,
        at: usize,
        end: usize,
        column: usize,
        length: usize,
        context: Context,
    ) -> usize {
        let first = self.row(at).behind(self.text, length);
        self.set(at, first);
        self.nested(at, end, column, context.inside(context.item))
    }

    /// Reads what is indented deeper than a column from a row on, which is the first of its rows.
    fn nested(&mut self, at: usize, end: usize, column: usize, context: Context) -> usize {
        let stop = self.extent(at + 1, end, column);
        self.body(at..stop, context);
        stop
    }

    fn set(&mut self, at: usize, row: Row) {
        if let Some(place) = self.rows.get_mut(at) {
            *place = row;
        }
    }

    /// Moves the start of a row behind its marker; its column becomes that of the rows below, which
    /// say how deep the body is.
    fn hang(&mut self, at: usize, end: usize, column: usize, length: usize) {
        let mut first = self.row(at).behind(self.text, length);
        let stop = self.extent(at + 1, end, column);
        let least = self.least_column(at + 1..stop);
        first.column = if least > column { least } else { column + HANG };
        self.set(at, first);
    }

    /// Tells whether the row behind an enumerator goes on with a list: else it was a sentence.
    fn is_enumerated(&self, at: usize, end: usize, column: usize) -> bool {
        let next = self.row(at + 1);
        at + 1 >= end
            || next.is_blank()
            || next.column > column
            || matches!(opener(next.of(self.text)), Some((Opener::Enumerator, _)))
    }

    fn is_described(&self, at: usize, end: usize, column: usize, length: usize) -> bool {
        let next = self.row(at + 1);
        let below = at + 1 < end && !next.is_blank() && next.column > column;
        below || self.line(at).len() > length
    }

    fn field(
        &mut self,
        at: usize,
        end: usize,
        column: usize,
        length: usize,
        context: Context,
    ) -> usize {
        let name = self.line(at).get(1..length - 1).unwrap_or_default();
        if !directive::is_text_field(name) {
            return self.extent(at + 1, end, column);
        }
        self.hang(at, end, column, length);
        self.nested(at, end, column, context.inside(context.kind))
    }

    fn line_block(&mut self, at: usize, end: usize, column: usize, context: Context) -> usize {
        let first = self.row(at).behind(self.text, 1);
        self.set(at, first);
        let rows = self.rows.get(at + 1..end).unwrap_or_default();
        let further = rows
            .iter()
            .take_while(|row| !row.is_blank() && row.column > column)
            .count();
        self.push(at..at + 1 + further, context.kind, Rst::Inside);
        at + 1 + further
    }

    /// Reads a paragraph, a title with its underline, or a term with its definition.
    fn text(&mut self, at: usize, end: usize, column: usize, context: Context) -> usize {
        let (line, next) = (self.line(at), self.row(at + 1));
        let goes_on = at + 1 < end && !next.is_blank();
        if goes_on && next.column == column && underlines(self.line(at + 1), line) {
            self.title(at, at, at + 1, false);
            return at + 2;
        }
        if goes_on && next.column > column {
            return self.definition(at, end, column, context);
        }
        if context.is_glossary {
            self.push(at..at + 1, context.kind, Rst::Line);
            return at + 1;
        }
        let rows = self.rows.get(at..end).unwrap_or_default();
        let count = rows
            .iter()
            .take_while(|row| !row.is_blank() && row.column == column)
            .count();
        let stop = at + count.max(1);
        let (first, last) = (self.row(at), self.row(stop - 1));
        let is_marked = last.of(self.text).ends_with("::");
        // The two colons say that a literal block follows: not for the translator to lose.
        let end_of_text = if is_marked { last.end - 2 } else { last.end };
        let span = Span::new(first.start, end_of_text);
        self.push_span(span, context.kind, Rst::Block, first.column);
        if is_marked {
            self.literal(stop, end, column)
        } else {
            stop
        }
    }

    /// Reads a term and its definition; the classifiers behind ` : ` name types.
    fn definition(&mut self, at: usize, end: usize, column: usize, context: Context) -> usize {
        let line = self.line(at);
        let stop = self.extent(at + 1, end, column);
        if line.ends_with("::") {
            // A literal block without the blank line that it needs.
            self.push(at..at + 1, context.kind, Rst::Line);
            return stop;
        }
        let row = self.row(at);
        let length = line.find(" : ").unwrap_or(line.len());
        let term = Span::new(row.start, row.start + length);
        self.push_span(term, context.kind, Rst::Line, row.column);
        self.body(at + 1..stop, context.inside(context.kind));
        stop
    }

    /// Passes over the literal block behind `::`: what is indented, or lines of one quote mark.
    fn literal(&self, at: usize, end: usize, column: usize) -> usize {
        let rows = self.rows.get(at..end).unwrap_or_default();
        let blank = rows.iter().take_while(|row| row.is_blank()).count();
        let first = self.row(at + blank);
        if at + blank >= end || first.column > column {
            return self.extent(at, end, column);
        }
        let quote = first
            .of(self.text)
            .chars()
            .next()
            .filter(char::is_ascii_punctuation);
        let Some(quote) = quote.filter(|_| blank > 0) else {
            return at;
        };
        let quoted = |row: &&Row| row.of(self.text).starts_with(quote);
        at + blank + rows.iter().skip(blank).take_while(quoted).count()
    }

    /// Reads a title between two lines of the same marks.
    fn overlined(&mut self, at: usize, end: usize) -> Option<usize> {
        let (over, under) = (self.line(at), self.line(at + 2));
        let title = self.line(at + 1);
        let framed = at + 2 < end && over == under && !title.is_empty() && !is_rule(title);
        if !framed || !underlines(under, title) {
            return None;
        }
        self.title(at, at + 1, at + 2, true);
        Some(at + 3)
    }

    fn title(&mut self, from: usize, title: usize, underline: usize, is_overlined: bool) {
        let mark = self.line(underline).chars().next().unwrap_or('=');
        let style = (mark, is_overlined);
        let place = self
            .styles
            .iter()
            .position(|known| *known == style)
            .unwrap_or_else(|| {
                self.styles.push(style);
                self.styles.len() - 1
            });
        let level = u8::try_from(place + 1).unwrap_or(6).min(6);
        let row = self.row(title);
        let whole = Span::new(self.row(from).start, self.row(underline).end);
        if inline::has_prose(row.of(self.text)) {
            let own = Span::new(row.start, row.end);
            self.pieces.push(title::piece(
                self.text,
                whole,
                own,
                SegmentKind::Heading(level),
            ));
        }
    }

    fn push(&mut self, range: Range<usize>, kind: SegmentKind, setting: Rst) {
        let rows = self.rows.get(range).unwrap_or_default();
        let mut text = rows.iter().filter(|row| !row.is_blank());
        let (Some(first), Some(last)) = (text.clone().next(), text.next_back()) else {
            return;
        };
        let (span, column) = (Span::new(first.start, last.end), first.column);
        self.push_span(span, kind, setting, column);
    }

    fn push_span(&mut self, span: Span, kind: SegmentKind, setting: Rst, column: usize) {
        if !inline::has_prose(span.of(self.text)) {
            return;
        }
        let mut piece = Piece::new(self.text, span, kind, Setting::Rst(setting));
        piece.atoms = inline::atoms(self.text, piece.span);
        piece.fresh = " ".repeat(column);
        self.pieces.push(piece);
    }
}

#[cfg(test)]
mod tests;
