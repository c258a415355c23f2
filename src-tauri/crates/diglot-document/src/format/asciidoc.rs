//! AsciiDoc at the level of blocks: sections, paragraphs, lists, descriptions, tables, captions. Owns how
//! blocks follow each other; what stands in one line is the marker module's.

mod attribute;
mod marker;
mod table;
mod title;

use crate::format::rows::{Row, rows};
use crate::format::{Reading, front_matter};
use crate::placeable::asciidoc as inline;
use crate::segment::{Piece, Setting};
use crate::splice::Adoc;
use crate::text::{is_blank, line_before};
use crate::{SegmentKind, Span};

pub(crate) use marker::{Opener, interrupter, item, opener, term};
pub(crate) use table::is_specification;
pub(crate) use title::level as title_level;
pub(super) use title::write as write_title;

/// Styles that make a paragraph or a fenced block code or a drawing.
const CODE_STYLES: [&str; 24] = [
    "source",
    "listing",
    "literal",
    "stem",
    "latexmath",
    "asciimath",
    "pass",
    "comment",
    "ditaa",
    "graphviz",
    "plantuml",
    "mermaid",
    "a2s",
    "blockdiag",
    "bytefield",
    "nomnoml",
    "svgbob",
    "vega",
    "wavedrom",
    "diagram",
    "tikz",
    "gnuplot",
    "msc",
    "ifdef",
];

/// Reads the pieces of a document.
pub(crate) fn read(text: &str) -> Reading {
    let matter = front_matter::read(text);
    let rows = rows(text);
    let at = rows.partition_point(|row| row.start < matter.end);
    let mut walk = Walk {
        text,
        rows,
        at,
        pieces: matter.pieces,
        unclosed: matter.unclosed.into_iter().collect(),
        fences: Vec::new(),
        style: String::new(),
        attributes: "",
        place: Place::Start,
    };
    while walk.at < walk.rows.len() {
        walk.step();
    }
    let unclosed = walk.unclosed;
    Reading {
        unclosed,
        ..Reading::of(walk.pieces)
    }
}

/// Says where the walk stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Nothing was read yet.
    Start,
    /// Where a block begins.
    Block,
    /// Behind a term whose description is still to come.
    Term,
    /// In a list, right below an item or a description.
    Item,
}

struct Walk<'t> {
    text: &'t str,
    rows: Vec<Row>,
    at: usize,
    pieces: Vec<Piece>,
    unclosed: Vec<usize>,
    /// Fences around the current place that hold blocks, outermost first.
    fences: Vec<&'t str>,
    /// Style that the next block was given.
    style: String,
    /// Attributes that the next block was given.
    attributes: &'t str,
    place: Place,
}

impl<'t> Walk<'t> {
    fn row(&self, at: usize) -> Row {
        self.rows.get(at).copied().unwrap_or_default()
    }

    fn line(&self, at: usize) -> &'t str {
        self.row(at).of(self.text)
    }

    /// Reads the block that begins at the current row.
    fn step(&mut self) {
        let row = self.row(self.at);
        let line = row.of(self.text);
        if row.is_blank() {
            self.at += 1;
            if self.place != Place::Term && self.place != Place::Start {
                self.place = Place::Block;
            }
            return;
        }
        let is_start = self.place == Place::Start;
        let found = opener(line);
        // What is indented is a list or a literal paragraph, nothing else.
        let found = found.filter(|found| row.column == 0 || matches!(found, Opener::Item(_)));
        let fenced = matches!(
            found,
            Some(Opener::Compound | Opener::Verbatim | Opener::Table)
        );
        if !(fenced && self.closes(line)) && row.column == 0 && self.underlined() {
            return;
        }
        match found {
            Some(Opener::Section(length)) => self.section(row, length, is_start),
            Some(Opener::BlockTitle) => {
                self.line_piece(row.behind(self.text, 1), SegmentKind::Caption);
            }
            Some(Opener::Attributes) => self.attributes(line),
            Some(Opener::Entry) => self.entry(row),
            Some(Opener::Macro) => self.block_macro(row),
            Some(Opener::Verbatim) => self.verbatim(row),
            Some(Opener::Compound) => self.compound(row),
            Some(Opener::Table) => self.table(row),
            Some(Opener::Continuation | Opener::Break) => self.pass(Place::Block),
            Some(Opener::Comment | Opener::Preprocessor) => self.at += 1,
            Some(Opener::Item(length)) => self.item(row, length),
            Some(Opener::Admonition(length)) => self.admonition(row, length),
            None => self.paragraph(row),
        }
    }

    fn pass(&mut self, place: Place) {
        self.at += 1;
        self.place = place;
    }

    /// Forgets what the next block was given, and tells whether it makes code of it.
    fn takes_code(&mut self) -> bool {
        let style = std::mem::take(&mut self.style);
        self.attributes = "";
        CODE_STYLES.contains(&style.as_str())
    }

    fn section(&mut self, row: Row, length: usize, is_start: bool) {
        let line = row.of(self.text);
        let marks = line.split([' ', '\t']).next().unwrap_or_default();
        let mut title = row.behind(self.text, length);
        // Marks may be repeated behind the title.
        if let Some(bare) = title.of(self.text).strip_suffix(marks)
            && bare.ends_with([' ', '\t'])
        {
            title.end = title.start + bare.trim_end().len();
        }
        let level = u8::try_from(marks.len()).unwrap_or(6);
        self.line_piece(title, SegmentKind::Heading(level));
        self.takes_code();
        self.place = Place::Block;
        if is_start && level == 1 {
            self.header();
        }
    }

    /// Passes over the author and the revision below the title of a document.
    fn header(&mut self) {
        let mut names = 0;
        while !self.row(self.at).is_blank() && names < 2 {
            match opener(self.line(self.at)) {
                Some(Opener::Entry) => self.entry(self.row(self.at)),
                Some(Opener::Comment | Opener::Preprocessor) => self.at += 1,
                // The initial of a name looks like the mark of an item.
                Some(Opener::Item(_)) | None => {
                    names += 1;
                    self.at += 1;
                }
                Some(_) => return,
            }
        }
    }

    /// Reads a title with a line below that is as long as it is.
    fn underlined(&mut self) -> bool {
        let (row, below) = (self.row(self.at), self.row(self.at + 1));
        let (title, rule) = (row.of(self.text), below.of(self.text));
        let Some(level) = title::level(title, rule).filter(|_| below.column == 0) else {
            return false;
        };
        let is_start = self.place == Place::Start;
        if inline::has_prose(title) {
            let whole = Span::new(row.start, below.end);
            let own = Span::new(row.start, row.end);
            self.pieces.push(title::piece(
                self.text,
                whole,
                own,
                SegmentKind::Heading(level),
            ));
        }
        self.at += 2;
        self.takes_code();
        self.place = Place::Block;
        if is_start && level == 1 {
            self.header();
        }
        true
    }

    fn attributes(&mut self, line: &'t str) {
        self.at += 1;
        let inner = line
            .strip_prefix('[')
            .and_then(|line| line.strip_suffix(']'));
        let inner = inner.unwrap_or_default();
        if inner.starts_with('[') {
            return;
        }
        let first = inner.split([',', '%', '#', '.']).next().unwrap_or_default();
        if !first.trim().is_empty() && !first.contains('=') {
            first.trim().trim_matches('"').clone_into(&mut self.style);
        }
        self.attributes = inner;
        if self.place != Place::Term {
            self.place = Place::Block;
        }
    }

    /// Reads an attribute of the document; a few hold text.
    fn entry(&mut self, row: Row) {
        self.at += 1;
        let Some((name, length)) = marker::entry(row.of(self.text)) else {
            return;
        };
        let value = row.behind(self.text, length);
        let mut last = value;
        let goes_on = last.of(self.text).ends_with('\\');
        while last.of(self.text).ends_with('\\') && self.at < self.rows.len() {
            last = self.row(self.at);
            self.at += 1;
        }
        let is_text = matches!(name, "description" | "doctitle" | "subtitle" | "title")
            || name.ends_with("-caption")
            || name.ends_with("-title");
        if is_text && !goes_on {
            self.push(
                Span::new(value.start, value.end),
                SegmentKind::Value,
                Adoc::Line,
            );
        }
    }

    fn block_macro(&mut self, row: Row) {
        let line = row.of(self.text);
        if ["image::", "video::", "audio::"]
            .iter()
            .any(|name| line.starts_with(name))
        {
            self.pieces
                .extend(attribute::read(self.text, Span::new(row.start, row.end)));
        }
        self.takes_code();
        self.pass(Place::Block);
    }

    /// Tells whether a line closes one of the open fences.
    fn closes(&self, line: &str) -> bool {
        self.fences.contains(&line)
    }

    /// Passes over a block of code, a comment or the like.
    fn verbatim(&mut self, row: Row) {
        let line = row.of(self.text);
        let fence = if line.starts_with("```") { "```" } else { line };
        let rest = self.rows.get(self.at + 1..).unwrap_or_default();
        let text = self.text;
        let closing = rest
            .iter()
            .position(|row| row.column == 0 && row.of(text) == fence);
        self.takes_code();
        if let Some(length) = closing {
            self.at += length + 2;
        } else {
            self.unclosed.push(row.start);
            self.at = self.rows.len();
        }
        self.place = Place::Block;
    }

    fn compound(&mut self, row: Row) {
        let line = row.of(self.text);
        if let Some(depth) = self.fences.iter().rposition(|fence| *fence == line) {
            self.fences.truncate(depth);
            self.pass(Place::Block);
        } else if self.takes_code() {
            self.verbatim(row);
        } else {
            self.fences.push(line);
            self.pass(Place::Block);
        }
    }

    fn item(&mut self, row: Row, length: usize) {
        let text = row.behind(self.text, length);
        if let Some(row) = self.rows.get_mut(self.at) {
            *row = text;
        }
        self.takes_code();
        if term(text.of(self.text)).is_some() {
            self.description(text);
        } else {
            self.run(text, SegmentKind::ListItem, true);
            self.place = Place::Item;
        }
    }

    fn admonition(&mut self, row: Row, length: usize) {
        let text = row.behind(self.text, length);
        self.takes_code();
        self.run(text, SegmentKind::Quote, false);
        self.place = Place::Block;
    }

    /// Reads a term, and its description where it stands on the same line.
    fn description(&mut self, row: Row) {
        let Some((length, end)) = term(row.of(self.text)) else {
            return;
        };
        let name = Span::new(row.start, row.start + length);
        // The options of a command are no words.
        if !name.of(self.text).starts_with('-') {
            self.push(name, SegmentKind::ListItem, Adoc::Term);
        }
        let text = row.behind(self.text, end);
        if text.is_blank() {
            self.pass(Place::Term);
        } else {
            self.run(text, SegmentKind::Paragraph, true);
            self.place = Place::Item;
        }
    }

    fn paragraph(&mut self, row: Row) {
        let line = row.of(self.text);
        let is_code = self.takes_code();
        if !is_code && term(line).is_some() {
            return self.description(row);
        }
        let is_literal = row.column > 0 && !matches!(self.place, Place::Term | Place::Item);
        if is_code || is_literal {
            let rest = self.rows.get(self.at..).unwrap_or_default();
            let text = self.text;
            let inside = |row: &&Row| !row.is_blank() && interrupter(row.of(text)).is_none();
            self.at += rest.iter().take_while(inside).count().max(1);
            self.place = Place::Block;
            return;
        }
        let in_list = matches!(self.place, Place::Term | Place::Item);
        let kind = if self.fences.is_empty() {
            SegmentKind::Paragraph
        } else {
            SegmentKind::Quote
        };
        self.run(row, kind, in_list);
        self.place = if in_list { Place::Item } else { Place::Block };
    }

    /// Reads a paragraph from `first`, the rest of the current row, on.
    fn run(&mut self, first: Row, kind: SegmentKind, in_list: bool) {
        let mut end = first.end;
        self.at += 1;
        while self.at < self.rows.len() {
            let row = self.row(self.at);
            let line = row.of(self.text);
            let breaks = row.is_blank()
                || interrupter(line).is_some()
                || (in_list && (item(line).is_some() || term(line).is_some()));
            if breaks {
                break;
            }
            end = row.end;
            self.at += 1;
        }
        let setting = if in_list { Adoc::Item } else { Adoc::Block };
        self.push(Span::new(first.start, end), kind, setting);
    }

    fn line_piece(&mut self, row: Row, kind: SegmentKind) {
        self.at += 1;
        self.push(Span::new(row.start, row.end), kind, Adoc::Line);
    }

    fn push(&mut self, span: Span, kind: SegmentKind, setting: Adoc) {
        if inline::has_prose(span.of(self.text)) {
            let mut piece = Piece::new(self.text, span, kind, Setting::Adoc(setting));
            piece.atoms = inline::atoms(self.text, piece.span);
            let line = line_before(self.text, piece.span.start);
            if line.chars().all(is_blank) {
                line.clone_into(&mut piece.fresh);
            }
            self.pieces.push(piece);
        }
    }
}

#[cfg(test)]
mod tests;
