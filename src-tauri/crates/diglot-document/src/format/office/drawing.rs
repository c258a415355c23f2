//! DrawingML (ECMA-376 part 1, section 21): the paragraphs of slides, notes, charts and diagrams. Must
//! not know how runs become a text.

use super::tree::Tree;
use crate::SegmentKind;
use crate::Span;
use crate::format::runs::{Blanks, Look, Paragraph, Setup, Single};
use crate::format::xml::TokenKind;
use crate::format::{Reading, alt};
use crate::segment::Piece;

/// Attributes of a run's properties that nobody sees.
const UNSEEN: [&str; 8] = [
    "altLang", "bmk", "dirty", "err", "kumimoji", "lang", "noProof", "smtClean",
];

/// Reads the units of a slide or of what belongs to one.
pub(super) fn read(tree: &Tree<'_>, soft_limit: usize) -> Reading {
    let mut drawing = Drawing {
        tree,
        soft_limit,
        is_title: false,
        n_cells: 0,
        pieces: Vec::new(),
    };
    let mut at = 0;
    while at < tree.tokens.len() {
        at = drawing.take(at);
    }
    Reading::of(drawing.pieces)
}

struct Drawing<'r, 't> {
    tree: &'r Tree<'t>,
    soft_limit: usize,
    /// Whether the shape at hand holds the title of its slide.
    is_title: bool,
    /// Table cells around the place.
    n_cells: usize,
    pieces: Vec<Piece>,
}

impl Drawing<'_, '_> {
    /// Takes what stands at a place, and returns the next place.
    fn take(&mut self, at: usize) -> usize {
        let tree = self.tree;
        let next = tree.end(at) + 1;
        match (tree.kind(at), tree.local(at)) {
            (Some(TokenKind::Open), "p") => {
                self.paragraph(at);
                return next;
            }
            (Some(TokenKind::Open), "Fallback") => return next,
            (Some(TokenKind::Open), "sp") => self.is_title = false,
            (Some(TokenKind::Open | TokenKind::Empty), "ph") => {
                self.is_title = matches!(tree.value(at, "type"), "title" | "ctrTitle");
            }
            (Some(TokenKind::Open | TokenKind::Empty), "cNvPr") => {
                alt::read(tree, at, &["descr", "title"], &mut self.pieces);
            }
            (Some(TokenKind::Open), "tc") => self.n_cells += 1,
            (Some(TokenKind::Close), "tc") => self.n_cells = self.n_cells.saturating_sub(1),
            _ => {}
        }
        at + 1
    }

    fn paragraph(&mut self, at: usize) {
        let mut paragraph = Paragraph::new(self.tree.text);
        for child in self.tree.children(at) {
            match self.tree.local(child) {
                "r" => self.run(&mut paragraph, child),
                "pPr" | "endParaRPr" => {}
                name => {
                    let span = self.tree.whole(child);
                    paragraph.single(Single {
                        span,
                        form: span.of(self.tree.text).to_owned(),
                        is_copyable: name == "br",
                        inner: Vec::new(),
                    });
                }
            }
        }
        let kind = if self.n_cells > 0 {
            SegmentKind::TableCell
        } else if self.is_title {
            SegmentKind::Heading(1)
        } else {
            SegmentKind::Paragraph
        };
        let setup = Setup {
            kind,
            blanks: Blanks::Kept,
            soft_limit: self.soft_limit,
            note: None,
        };
        paragraph.finish(&setup, &mut self.pieces);
    }

    fn run(&self, paragraph: &mut Paragraph<'_>, at: usize) {
        let tree = self.tree;
        paragraph.open_run(tree.span(at).start, self.look(at));
        let texts = tree.children(at).filter(|at| tree.local(*at) == "t");
        for inner in texts.flat_map(|at| tree.inside(at)) {
            match tree.kind(inner) {
                Some(TokenKind::Text) => paragraph.text(tree.span(inner)),
                // Text that needs other escapes than the one around.
                Some(TokenKind::CData) => paragraph.part(),
                _ => {}
            }
        }
        paragraph.close_run(tree.whole(at).end);
    }

    /// Describes how text of a run looks: its properties without what nobody sees.
    fn look(&self, at: usize) -> Look {
        let tree = self.tree;
        let name = tree.name(at);
        let properties = tree.child(at, "rPr");
        let mut key = String::new();
        let mut raw = "";
        if let Some(at) = properties {
            raw = tree.whole(at).of(tree.text);
            let token = tree.tokens.get(at);
            let attributes = token
                .into_iter()
                .flat_map(|token| token.attributes(tree.text));
            for (name, value) in attributes.filter(|(name, _)| !UNSEEN.contains(name)) {
                key.extend([name, "=", value.of(tree.text), " "]);
            }
            let inside = Span::new(tree.span(at).end, tree.span(tree.end(at)).start);
            key.push_str(inside.of(tree.text));
        }
        let text = format!("{}t", name.strip_suffix('r').unwrap_or_default());
        Look {
            key,
            open: format!("<{name}>{raw}<{text}>"),
            close: format!("</{text}></{name}>"),
        }
    }
}
