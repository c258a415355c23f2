//! What `..` begins in reStructuredText: footnotes, and the directives of docutils and Sphinx with what
//! is known of them. Must not know the blocks inside.

use std::ops::Range;

use super::marker::field;
use super::{Context, Walk};
use crate::format::rows::Row;
use crate::splice::Rst;
use crate::{SegmentKind, Span};

/// Says what the argument of a directive is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Argument {
    /// There is none: what follows the name is content.
    Content,
    /// A name, a path, code.
    Skip,
    /// A title.
    Title,
    /// So many words of versions, then text.
    Versions(usize),
}

/// Says what the content of a directive is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Content {
    Body,
    Skip,
    /// Definitions whose terms may share one.
    Glossary,
    /// Lines of `title <document>`.
    Entries,
    /// Items that are rows and cells.
    Cells,
    /// Rows of cells with delimiters.
    Csv,
    /// A caption and a legend.
    Caption,
}

/// Options whose values are for readers.
const TEXT_OPTIONS: [&str; 4] = ["alt", "caption", "subtitle", "summary"];

/// Fields whose bodies are names, dates and types.
const CODE_FIELDS: [&str; 30] = [
    "address",
    "author",
    "authors",
    "bdfl-delegate",
    "class",
    "contact",
    "content-type",
    "created",
    "date",
    "discussions-to",
    "github_url",
    "language",
    "last-modified",
    "maintainer",
    "meta",
    "nocomments",
    "no-search",
    "nosearch",
    "organization",
    "orphan",
    "pep",
    "post-history",
    "python-version",
    "requires",
    "revision",
    "rtype",
    "tocdepth",
    "type",
    "vartype",
    "version",
];

/// Parts of names of unknown directives whose content is code, data or a drawing.
const CODE_WORDS: [&str; 24] = [
    "code", "plot", "graph", "diagram", "exec", "ipython", "jupyter", "console", "include",
    "literal", "command", "output", "raw", "uml", "math", "script", "shell", "sql", "json", "yaml",
    "html", "auto", "equation", "prompt",
];

/// Tells what a directive holds; `is_bare` when nothing follows its name on the line.
fn known(name: &str, is_bare: bool) -> (Argument, Content) {
    let name = name.to_ascii_lowercase();
    match name.as_str() {
        "attention" | "caution" | "danger" | "error" | "hint" | "important" | "note" | "tip"
        | "warning" | "seealso" | "todo" | "epigraph" | "highlights" | "pull-quote"
        | "compound" | "impl-detail" | "header" | "footer" | "hlist" => {
            (Argument::Content, Content::Body)
        }
        "admonition" | "topic" | "sidebar" | "rubric" | "centered" | "contents" | "table"
        | "tab" | "tab-item" | "card" | "grid-item-card" | "dropdown" | "availability"
        | "details" | "collapse" | "md-tab-item" => (Argument::Title, Content::Body),
        "versionadded" | "versionchanged" | "deprecated" | "versionremoved" => {
            (Argument::Versions(1), Content::Body)
        }
        "deprecated-removed" => (Argument::Versions(2), Content::Body),
        "figure" => (Argument::Skip, Content::Caption),
        "list-table" => (Argument::Title, Content::Cells),
        "csv-table" => (Argument::Title, Content::Csv),
        "glossary" => (Argument::Skip, Content::Glossary),
        "toctree" => (Argument::Skip, Content::Entries),
        "image" | "sourcecode" | "highlight" | "parsed-literal" | "productionlist" | "doctest"
        | "testcode" | "testsetup" | "testcleanup" | "bibliography" | "role" | "default-role"
        | "replace" | "unicode" | "date" | "index" | "tabularcolumns" | "acks" | "line-block"
        | "digraph" | "mermaid" | "click" | "argparse" | "title" | "sectnum" | "target-notes"
        | "grammar-snippet" | "sectionauthor" | "codeauthor" | "currentmodule" | "exceltable" => {
            (Argument::Skip, Content::Skip)
        }
        _ if CODE_WORDS.iter().any(|word| name.contains(word)) => (Argument::Skip, Content::Skip),
        _ if is_bare => (Argument::Content, Content::Body),
        _ => (Argument::Skip, Content::Body),
    }
}

/// Tells whether the value of a directive's option is for readers.
fn is_text_option(name: &str) -> bool {
    TEXT_OPTIONS.contains(&name)
}

/// Tells whether the body of a field is for readers.
pub(super) fn is_text_field(name: &str) -> bool {
    let first = name.split(' ').next().unwrap_or_default();
    !CODE_FIELDS.contains(&first.to_ascii_lowercase().as_str())
}

impl Walk<'_> {
    /// Reads what `..` begins: a footnote, a directive, or what is no text.
    pub(super) fn explicit(
        &mut self,
        at: usize,
        end: usize,
        column: usize,
        context: Context,
    ) -> usize {
        let row = self.row(at).behind(self.text, 2);
        let line = row.of(self.text);
        if line.is_empty() && (at + 1 >= end || self.row(at + 1).is_blank()) {
            return at + 1;
        }
        let stop = self.extent(at + 1, end, column);
        self.set(at, row);
        let label = line.strip_prefix('[').and_then(|rest| rest.find(']'));
        if let Some(label) = label.filter(|length| *length > 0) {
            self.hang(at, stop, column, label + 2);
            self.body(at..stop, context.inside(context.kind));
        } else if let Some((name, length)) = directive_name(line) {
            self.hang(at, stop, column, length);
            self.directive(name, at..stop, context);
        }
        stop
    }

    /// Reads a directive; its first row begins behind the marker.
    fn directive(&mut self, name: &str, range: Range<usize>, context: Context) {
        let first = self.row(range.start);
        let head = self.to_blank(range.start + 1, range.end);
        let is_option = |at: &usize| field(self.line(*at)).is_some();
        let options = (range.start..head).find(is_option).unwrap_or(head);
        let (argument, content) = known(name, first.is_blank());
        let quoted = context.inside(SegmentKind::Quote);
        match argument {
            Argument::Content if options == head => return self.body(range, quoted),
            Argument::Content => self.body(range.start..options, quoted),
            Argument::Title => self.push(range.start..options, SegmentKind::Caption, Rst::Line),
            Argument::Versions(words) => self.versions(range.start..options, words, quoted),
            Argument::Skip => {}
        }
        self.options(options..head);
        let rest = head..range.end;
        match content {
            Content::Body => self.body(rest, quoted),
            Content::Caption => self.body(rest, context.inside(SegmentKind::Caption)),
            Content::Cells => {
                let item = SegmentKind::TableCell;
                self.body(rest, Context { item, ..quoted });
            }
            Content::Csv => self.csv_table(options..head, rest),
            Content::Glossary => {
                let context = context.inside(context.kind);
                self.body(
                    rest,
                    Context {
                        is_glossary: true,
                        ..context
                    },
                );
            }
            Content::Entries => self.entries(rest),
            Content::Skip => {}
        }
    }

    /// Reads the text behind the versions that a directive begins with.
    fn versions(&mut self, range: Range<usize>, words: usize, context: Context) {
        let mut row = self.row(range.start);
        for _ in 0..words {
            let line = row.of(self.text);
            let length = line.find([' ', '\t']).unwrap_or(line.len());
            row = Row {
                column: row.column,
                ..row.behind(self.text, length)
            };
        }
        self.set(range.start, row);
        self.body(range, context);
    }

    fn options(&mut self, range: Range<usize>) {
        let mut at = range.start;
        while at < range.end {
            let row = self.row(at);
            let next = self.extent(at + 1, range.end, row.column);
            let length = field(row.of(self.text)).unwrap_or_default();
            let name = row
                .of(self.text)
                .get(1..length.saturating_sub(1))
                .unwrap_or_default();
            if is_text_option(name) {
                self.set(at, row.behind(self.text, length));
                self.push(at..next, SegmentKind::Caption, Rst::Line);
            }
            at = next;
        }
    }

    fn entries(&mut self, range: Range<usize>) {
        for at in range {
            let row = self.row(at);
            let line = row.of(self.text);
            if let Some(length) = line.strip_suffix('>').and_then(|line| line.rfind('<')) {
                let title = Span::new(row.start, row.start + length);
                self.push_span(title, SegmentKind::ListItem, Rst::Inside, row.column);
            }
        }
    }
}

/// Reads `name::` of a directive, with its length.
fn directive_name(line: &str) -> Option<(&str, usize)> {
    let length = line.find("::")?;
    let name = line
        .get(..length)?
        .strip_suffix(' ')
        .unwrap_or(line.get(..length)?);
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '+' | ':');
    let after = line.get(length + 2..)?;
    let sound = name.chars().all(is_name) && name.starts_with(char::is_alphanumeric);
    (sound && (after.is_empty() || after.starts_with([' ', '\t']))).then_some((name, length + 2))
}
