//! WordprocessingML (ECMA-376 part 1, section 17): which elements hold text that a reader sees. Must
//! not know how runs become a text.

use std::ops::Range;

use super::field::{Field, is_text};
use super::tree::Tree;
use crate::SegmentKind;
use crate::Span;
use crate::format::runs::{Blanks, Look, Paragraph, Setup, Single, is_mark};
use crate::format::xml::TokenKind;
use crate::format::{Reading, alt};
use crate::segment::Piece;

/// Text boxes inside of text boxes that are entered; there is no text deeper down.
const MAX_DEPTH: usize = 8;

/// Elements around runs that change nothing which a reader sees.
const QUIET: [&str; 6] = ["bdo", "customXml", "dir", "ins", "moveTo", "smartTag"];

/// Elements that nobody sees and that may go when the text changes.
const UNSEEN: [&str; 9] = [
    "customXmlPr",
    "hyperlink",
    "ins",
    "lastRenderedPageBreak",
    "moveTo",
    "proofErr",
    "r",
    "smartTagPr",
    "softHyphen",
];

/// Parts of a run's properties that nobody sees.
const UNSEEN_LOOKS: [&str; 8] = [
    "bCs",
    "iCs",
    "kern",
    "lang",
    "noProof",
    "rPrChange",
    "szCs",
    "webHidden",
];

/// Characters that are elements.
const CHARACTERS: [&str; 6] = ["br", "cr", "noBreakHyphen", "ptab", "sym", "tab"];

/// Reads the units of a part of a document.
pub(super) fn read(tree: &Tree<'_>, soft_limit: usize) -> Reading {
    let mut word = Word {
        tree,
        soft_limit,
        n_cells: 0,
        pieces: Vec::new(),
    };
    word.blocks(tree.all(), 0);
    Reading::of(word.pieces)
}

struct Word<'r, 't> {
    tree: &'r Tree<'t>,
    soft_limit: usize,
    /// Table cells around the place.
    n_cells: usize,
    pieces: Vec<Piece>,
}

/// A paragraph in the making.
struct Local<'t> {
    paragraph: Paragraph<'t>,
    fields: Vec<Field>,
    kind: SegmentKind,
}

impl<'t> Word<'_, 't> {
    /// Reads the paragraphs of a range.
    fn blocks(&mut self, range: Range<usize>, depth: usize) {
        let mut at = range.start;
        while at < range.end {
            let next = self.tree.end(at) + 1;
            at = match (self.tree.kind(at), self.tree.own(at)) {
                (Some(TokenKind::Open), "p") => {
                    self.paragraph(at, depth);
                    next
                }
                (Some(TokenKind::Open), "del" | "moveFrom") => next,
                (Some(TokenKind::Open), _) if self.tree.local(at) == "Fallback" => next,
                (Some(TokenKind::Open), "tc") => {
                    self.n_cells += 1;
                    at + 1
                }
                (Some(TokenKind::Close), "tc") => {
                    self.n_cells = self.n_cells.saturating_sub(1);
                    at + 1
                }
                _ => at + 1,
            };
        }
    }

    fn paragraph(&mut self, at: usize, depth: usize) {
        let mut local = Local {
            paragraph: Paragraph::new(self.tree.text),
            fields: Vec::new(),
            kind: self.kind(at),
        };
        let range = self.tree.inside(at);
        let mut at = range.start;
        while at < range.end {
            at = self.inline(&mut local, at, depth);
        }
        let setup = Setup {
            kind: local.kind,
            blanks: Blanks::Marked,
            soft_limit: self.soft_limit,
            note: None,
        };
        local.paragraph.finish(&setup, &mut self.pieces);
    }

    /// Takes what stands at a place in a paragraph, and returns the next place.
    fn inline(&mut self, local: &mut Local<'t>, at: usize, depth: usize) -> usize {
        let tree = self.tree;
        let (span, name, next) = (tree.span(at), tree.own(at), tree.end(at) + 1);
        match (tree.kind(at), name) {
            (Some(TokenKind::Open), "pPr") => {}
            (Some(TokenKind::Open), "r") => self.run(local, at, depth),
            (Some(TokenKind::Open), "sdt") => return self.enter_control(local, at),
            (Some(TokenKind::Close), "sdtContent") => {
                let last = (at + 1..tree.tokens.len()).find(|at| tree.own(*at) == "sdt");
                let last = last.unwrap_or(at);
                local
                    .paragraph
                    .leave(Span::new(span.start, tree.span(last).end));
                return last + 1;
            }
            (Some(TokenKind::Open), "fldSimple") if !is_text(tree.value(at, "instr")) => {
                local.paragraph.single(self.thing(at));
            }
            (Some(TokenKind::Open), _) if name == "hyperlink" || name == "fldSimple" => {
                local.paragraph.enter(span, String::new(), false);
                return at + 1;
            }
            (Some(TokenKind::Open), _) if QUIET.contains(&name) => {
                local.paragraph.enter(span, String::new(), true);
                return at + 1;
            }
            (Some(TokenKind::Close), _) => local.paragraph.leave(span),
            (Some(TokenKind::Open | TokenKind::Empty), _)
                if !UNSEEN.contains(&name) && !is_mark(tree.local(at)) =>
            {
                local.paragraph.single(self.thing(at));
            }
            _ => {}
        }
        next
    }

    /// Makes a thing of an element that stands between runs.
    fn thing(&self, at: usize) -> Single {
        let span = self.tree.whole(at);
        Single {
            span,
            form: span.of(self.tree.text).to_owned(),
            is_copyable: false,
            inner: Vec::new(),
        }
    }

    /// Enters a content control, whose content follows its properties.
    fn enter_control(&self, local: &mut Local<'t>, at: usize) -> usize {
        let tree = self.tree;
        let is_open = |at: &usize| tree.kind(*at) == Some(TokenKind::Open);
        if let Some(content) = tree.child(at, "sdtContent").filter(is_open) {
            let span = Span::new(tree.span(at).start, tree.span(content).end);
            local.paragraph.enter(span, String::new(), false);
            content + 1
        } else {
            local.paragraph.single(self.thing(at));
            tree.end(at) + 1
        }
    }

    /// Reads what a paragraph is from its properties.
    fn kind(&self, at: usize) -> SegmentKind {
        let tree = self.tree;
        let property = |name| tree.child(tree.child(at, "pPr")?, name);
        let style = property("pStyle").map(|at| tree.value(at, "val"));
        let level = style.and_then(|style| style.strip_prefix("Heading"));
        let level = level.and_then(|level| level.parse().ok());
        match (style, level) {
            (Some("Title"), _) => SegmentKind::Heading(1),
            (_, Some(level @ 1..=6)) => SegmentKind::Heading(level),
            _ if self.n_cells > 0 => SegmentKind::TableCell,
            _ if property("numPr").is_some() => SegmentKind::ListItem,
            _ => SegmentKind::Paragraph,
        }
    }

    fn run(&mut self, local: &mut Local<'t>, at: usize, depth: usize) {
        let run = Run::new(self.tree, at);
        if run.is_hidden {
            local.paragraph.single(Single {
                span: run.span,
                form: run.form(run.span.of(self.tree.text), false),
                is_copyable: false,
                inner: Vec::new(),
            });
            return;
        }
        let boxes = self.has_boxes(self.tree.inside(at)) && depth < MAX_DEPTH;
        if boxes {
            local.paragraph.part();
        }
        local.paragraph.open_run(run.span.start, run.look());
        for child in self.tree.children(at) {
            self.run_content(local, &run, child, depth);
        }
        local.paragraph.close_run(run.span.end);
        if boxes {
            local.paragraph.part();
        }
    }

    fn run_content(&mut self, local: &mut Local<'t>, run: &Run<'_, 't>, at: usize, depth: usize) {
        let tree = self.tree;
        match tree.own(at) {
            "t" => {
                for inner in tree.inside(at) {
                    match tree.kind(inner) {
                        Some(TokenKind::Text) => local.paragraph.text(tree.span(inner)),
                        Some(TokenKind::CData) => {
                            // Text that needs other escapes than the one around.
                            local.paragraph.part();
                        }
                        _ => {}
                    }
                }
            }
            "rPr" | "delText" | "delInstrText" => {}
            "fldChar" | "instrText" => {
                self.single(local, run, at);
                super::field::take(tree, at, run, &mut local.fields, &mut local.paragraph);
            }
            name if UNSEEN.contains(&name) => {}
            _ if depth < MAX_DEPTH && self.has_boxes(at..tree.end(at)) => {
                local.paragraph.part();
                self.boxes(at, depth);
                local.paragraph.part();
            }
            _ => self.single(local, run, at),
        }
    }

    fn single(&self, local: &mut Local<'t>, run: &Run<'_, 't>, at: usize) {
        let span = self.tree.whole(at);
        local.paragraph.single(Single {
            span,
            form: run.form(span.of(self.tree.text), true),
            is_copyable: CHARACTERS.contains(&self.tree.own(at)),
            inner: self.alternatives(at),
        });
    }

    fn has_boxes(&self, range: Range<usize>) -> bool {
        range
            .into_iter()
            .any(|at| self.tree.own(at) == "txbxContent")
    }

    /// Reads the text boxes of a drawing.
    fn boxes(&mut self, at: usize, depth: usize) {
        let alternatives = self.alternatives(at);
        self.pieces.extend(alternatives);
        let range = self.tree.inside(at);
        let mut at = range.start;
        while at < range.end {
            let is_open = self.tree.kind(at) == Some(TokenKind::Open);
            at = if is_open && self.tree.own(at) == "txbxContent" {
                self.blocks(self.tree.inside(at), depth + 1);
                self.tree.end(at) + 1
            } else if is_open && self.tree.local(at) == "Fallback" {
                self.tree.end(at) + 1
            } else {
                at + 1
            };
        }
    }

    /// Reads the alternative texts of the drawings in an element.
    fn alternatives(&self, at: usize) -> Vec<Piece> {
        let mut pieces = Vec::new();
        let mut inner = at;
        while inner <= self.tree.end(at) {
            if self.tree.local(inner) == "docPr" {
                alt::read(self.tree, inner, &["descr", "title"], &mut pieces);
            }
            inner = match self.tree.local(inner) {
                "Fallback" | "txbxContent" => self.tree.end(inner) + 1,
                _ => inner + 1,
            };
        }
        pieces
    }
}

/// A run with what its content needs to stand alone.
pub(super) struct Run<'r, 't> {
    tree: &'r Tree<'t>,
    at: usize,
    pub(super) span: Span,
    properties: Option<usize>,
    is_hidden: bool,
}

impl<'r, 't> Run<'r, 't> {
    fn new(tree: &'r Tree<'t>, at: usize) -> Self {
        let properties = tree.child(at, "rPr");
        let is_off = |at: usize| matches!(tree.value(at, "val"), "0" | "false" | "off");
        let vanish = properties.and_then(|at| tree.child(at, "vanish"));
        Self {
            tree,
            at,
            span: tree.whole(at),
            properties,
            is_hidden: vanish.is_some_and(|at| !is_off(at)),
        }
    }

    /// Tells whether the run holds parts of fields and nothing else.
    pub(super) fn is_field(&self) -> bool {
        let mut children = self.tree.children(self.at);
        let types = self
            .tree
            .children(self.at)
            .map(|at| self.tree.value(at, "fldCharType"));
        let ends = types
            .filter(|kind| matches!(*kind, "separate" | "end"))
            .count();
        ends < 2 && children.all(|at| matches!(self.tree.own(at), "rPr" | "fldChar" | "instrText"))
    }

    /// Returns content as a run of its own; a whole run is one.
    pub(super) fn form(&self, content: &str, is_content: bool) -> String {
        if !is_content {
            return content.to_owned();
        }
        format!("{}{content}</{}>", self.open(), self.tree.name(self.at))
    }

    fn open(&self) -> String {
        let properties = self.properties.map(|at| self.tree.whole(at));
        let properties = properties.map_or("", |span| span.of(self.tree.text));
        format!("<{}>{properties}", self.tree.name(self.at))
    }

    /// Describes how text of the run looks: its properties without what nobody sees.
    fn look(&self) -> Look {
        let tree = self.tree;
        let seen = |at: &usize| {
            let name = tree.own(*at);
            let hints = name == "rFonts" && only_hints(tree, *at);
            !hints && !UNSEEN_LOOKS.contains(&name)
        };
        let properties = self.properties.into_iter().flat_map(|at| tree.children(at));
        let key: String = properties
            .filter(seen)
            .map(|at| tree.whole(at).of(tree.text))
            .collect();
        let name = tree.name(self.at);
        let text = format!("{}t", name.strip_suffix('r').unwrap_or_default());
        Look {
            key,
            open: format!("{}<{text} xml:space=\"preserve\">", self.open()),
            close: format!("</{text}></{name}>"),
        }
    }
}

/// Tells whether fonts are not named but only hinted at.
fn only_hints(tree: &Tree<'_>, at: usize) -> bool {
    let token = tree.tokens.get(at);
    token.is_some_and(|token| {
        token
            .attributes(tree.text)
            .all(|(name, _)| name.ends_with("hint"))
    })
}
