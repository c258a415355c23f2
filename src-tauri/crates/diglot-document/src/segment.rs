//! What a format yields: the translatable spans of a document, in document order. Owns how a span
//! becomes the text that people and models see; must not know a syntax.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::format::Notation;
use crate::shown::Shown;
use crate::splice::{Adoc, Rst, Tex};
use crate::text::{is_blank, lines_of};

/// Stands for a half-open range of bytes in a document's decoded UTF-8 text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte; never less than `start`.
    pub end: usize,
}

impl Span {
    /// Makes a span of the bytes from `start` up to `end`.
    pub const fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }

    /// Returns the text that the span covers; empty when it does not fit the text.
    pub fn of(self, text: &str) -> &str {
        text.get(self.start..self.end).unwrap_or_default()
    }

    /// Takes the blanks off both edges.
    pub(crate) fn trimmed(self, text: &str) -> Self {
        let inner = self.of(text);
        let start = self.start + (inner.len() - inner.trim_start().len());
        let end = self.start + inner.trim_end().len();
        Self {
            start: start.min(end),
            end,
        }
    }
}

/// Names what kind of text a segment is; shown in the editor and told to the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum SegmentKind {
    /// A heading of level 1 to 6.
    Heading(u8),
    /// A paragraph, or a sentence group of a divided one.
    Paragraph,
    /// The text of a list item.
    ListItem,
    /// One cell of a table.
    TableCell,
    /// Text inside a block quote or an admonition.
    Quote,
    /// The alternative text of an image, or a title.
    Caption,
    /// A string value, for instance of front matter.
    Value,
    /// The text of one subtitle.
    Cue,
}

/// Holds one translatable span. A segment is a position (document, span, ordinal), never a string.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segment {
    /// Position in the document, from 0. The number that people and models see is `ordinal + 1`.
    pub ordinal: usize,
    /// Where it stands in [`Document::text`](crate::Document::text).
    pub span: Span,
    /// What it is.
    pub kind: SegmentKind,
    /// The text to translate: without the format's escapes, or else the span with the indentation
    /// and the list or quote prefixes of continued lines taken off and line ends as `\n`. Never
    /// empty, no blanks at its edges.
    pub source: String,
    /// Put in front of every continued line on the way back, one for each line break of the span;
    /// a target with more lines takes the last one.
    pub continuations: Vec<String>,
    /// What the file says about it.
    pub hints: Arc<Hints>,
}

/// Holds what a file tells a translator about a segment besides its text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hints {
    /// Where it belongs and what its author says: a key path, a comment, a plural form.
    pub note: Option<String>,
    /// A target that the file holds and that a person has to look at, for instance a fuzzy one.
    pub suggestion: Option<String>,
    /// Longest target in grapheme clusters.
    pub max_length: Option<usize>,
}

/// Says in what surroundings a span stands, and so what its target must not contain unescaped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Setting {
    /// Plain text.
    Plain,
    /// A Markdown block that may have several lines.
    Block,
    /// A Markdown piece that must stay on one line: an ATX heading, an admonition's title.
    Line,
    /// A cell of a Markdown table.
    Cell,
    /// Text between the tags of an HTML block.
    Html,
    /// An attribute's value inside the given quotes.
    Attribute(char),
    /// A YAML scalar without quotes.
    YamlPlain,
    /// The lines of a YAML block scalar.
    YamlBlock,
    /// Text inside single quotes that are doubled inside (YAML).
    SingleQuoted,
    /// Text inside double quotes with backslash escapes (YAML, TOML).
    DoubleQuoted,
    /// Text inside single quotes with no escape at all (TOML).
    Literal,
    /// Text of reStructuredText.
    Rst(Rst),
    /// Text of AsciiDoc.
    Adoc(Adoc),
    /// Text of LaTeX.
    Tex(Tex),
    /// A text with the escapes of its format, which is shown without them.
    Coded(Notation),
}

/// Holds a translatable piece as a format reads it, before it is divided and numbered.
#[derive(Debug, Clone)]
pub(crate) struct Piece {
    /// Where the target goes. Empty where a bilingual file has no place for it yet.
    pub(crate) span: Span,
    pub(crate) kind: SegmentKind,
    pub(crate) setting: Setting,
    /// Block quotes around it: so many `>` of a continued line are prefix.
    pub(crate) quotes: usize,
    /// Prefix for a further line when the span has only one.
    pub(crate) fresh: String,
    /// What goes around the target where the file has no entry for it yet.
    pub(crate) frame: Option<Frame>,
    /// Inline markup that must not be cut: ascending, disjoint; offsets of the shown text where
    /// there is one.
    pub(crate) atoms: Vec<Span>,
    /// What is shown of a coded text.
    pub(crate) shown: Option<Shown>,
    /// Whether it stays one unit however long it is.
    pub(crate) is_whole: bool,
    /// Whether the file holds source and target: a target equal to its source is written as well.
    pub(crate) is_bilingual: bool,
    /// What changes elsewhere in the file when a person confirms it.
    pub(crate) edits: Vec<Edit>,
    pub(crate) group: Option<Group>,
    /// Whether its suggestion, if it has one, is right for its place as the file writes it, so that
    /// confirming it changes no byte of it.
    pub(crate) stands: bool,
    /// The table that is drawn anew around its target; its own span is then the first line of it.
    pub(crate) table: Option<Span>,
    pub(crate) hints: Hints,
}

/// Makes a target an entry of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Frame {
    pub(crate) before: String,
    pub(crate) after: String,
}

impl Frame {
    /// Puts the frame around what the format writes.
    pub(crate) fn around(&self, written: &str) -> String {
        [&self.before, written, &self.after].concat()
    }
}

/// Binds pieces of a bilingual text that belong together, for instance the plural forms of an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Group {
    /// The same for all of them and for no other of the text.
    pub(crate) id: usize,
    /// How many they are.
    pub(crate) size: usize,
    /// What the file gets in the place of one that is not confirmed, once another one is.
    pub(crate) idle: Option<String>,
    /// What changes elsewhere in the file when all of them are confirmed; one of them holds it.
    pub(crate) edits: Vec<Edit>,
}

/// Replaces a span of a document's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Edit {
    pub(crate) span: Span,
    pub(crate) text: String,
}

impl Piece {
    /// Makes a piece with nothing around it; its span is trimmed.
    pub(crate) fn new(text: &str, span: Span, kind: SegmentKind, setting: Setting) -> Self {
        let span = span.trimmed(text);
        Self {
            span,
            kind,
            setting,
            quotes: 0,
            fresh: String::new(),
            frame: None,
            atoms: Vec::new(),
            shown: None,
            is_whole: false,
            is_bilingual: false,
            edits: Vec::new(),
            group: None,
            stands: true,
            table: None,
            hints: Hints::default(),
        }
    }

    /// Makes a piece of a coded text; its span and what is shown of it come from a
    /// [`ShownBuilder`](crate::shown::ShownBuilder).
    pub(crate) fn coded(span: Span, shown: Shown, kind: SegmentKind, notation: Notation) -> Self {
        Self {
            span,
            shown: Some(shown),
            ..Self::new("", span, kind, Setting::Coded(notation))
        }
    }

    /// Makes the segment that people and models see of one part of the piece, with what is shown of it.
    pub(crate) fn segment(&self, text: &str, part: &Part, ordinal: usize) -> Segment {
        let span = part.span;
        let (source, continuations) = match &part.shown {
            Some(shown) => (shown.text.clone(), Vec::new()),
            None => self.unfold(text, span),
        };
        Segment {
            ordinal,
            span,
            kind: self.kind,
            source,
            continuations,
            hints: Arc::new(self.hints.clone()),
        }
    }

    /// Takes the prefixes off continued lines.
    fn unfold(&self, text: &str, span: Span) -> (String, Vec<String>) {
        let mut source = String::with_capacity(span.end - span.start);
        let mut continuations = Vec::new();
        for (index, line) in lines_of(text, span).enumerate() {
            let line = line.content(text);
            if index == 0 {
                source.push_str(line);
                continue;
            }
            let (prefix, rest) = split_prefix(line, self.quotes);
            continuations.push(prefix.to_owned());
            source.push('\n');
            source.push_str(rest);
        }
        (source, continuations)
    }
}

/// Holds one part of a divided piece.
#[derive(Debug, Clone)]
pub(crate) struct Part {
    pub(crate) span: Span,
    pub(crate) shown: Option<Shown>,
}

impl Part {
    /// Makes a part of a whole piece.
    pub(crate) fn of(piece: &Piece) -> Self {
        Self {
            span: piece.span,
            shown: piece.shown.clone(),
        }
    }
}

/// Splits a continued line into its indentation with at most `quotes` quote marks, and its text.
pub(crate) fn split_prefix(line: &str, quotes: usize) -> (&str, &str) {
    let mut left = quotes;
    let at = line
        .char_indices()
        .find(|&(_, c)| {
            let marks = c == '>' && left > 0;
            left -= usize::from(marks);
            !marks && !is_blank(c)
        })
        .map_or(line.len(), |(at, _)| at);
    line.split_at_checked(at).unwrap_or((line, ""))
}
