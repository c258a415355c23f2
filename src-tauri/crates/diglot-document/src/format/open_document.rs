//! OpenDocument (ISO/IEC 26300-1, 1.3): which members of a package hold text, and which elements hold
//! text that a reader sees. Must not know how runs become a text.

mod look;

use std::ops::Range;

use look::Looks;

use super::office::Tree;
use super::package::Package;
use super::runs::{Blanks, Look, Paragraph, Setup, Single, is_mark};
use super::xml::TokenKind;
use super::{Member, ReadOptions, Reading};
use crate::segment::Piece;
use crate::{SegmentKind, Span, Untranslatable};

/// Frames inside of frames that are entered; there is no text deeper down.
const MAX_DEPTH: usize = 8;

/// Elements whose text no reader sees.
const UNSEEN: [&str; 4] = ["annotation", "automatic-styles", "forms", "tracked-changes"];

/// Returns the members that hold text: the content, that of charts, and headers and footers.
///
/// # Errors
/// `Encrypted` behind a password; `Damaged` without content; or as a package says.
pub(super) fn members(bytes: &[u8]) -> Result<Vec<Member>, Untranslatable> {
    let mut package = Package::open(bytes)?;
    let manifest = package.read_name("META-INF/manifest.xml")?;
    let manifest = manifest.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    if manifest.is_some_and(|text| text.contains(":encryption-data")) {
        return Err(Untranslatable::Encrypted);
    }
    let objects = package.names().enumerate();
    let objects = objects.filter(|(_, name)| name.ends_with("/content.xml"));
    let objects: Vec<usize> = objects.map(|(index, _)| index).collect();
    let mut found = Vec::from_iter(package.find("content.xml"));
    found.extend(objects);
    // A template may hold styles alone.
    found.extend(package.find("styles.xml"));
    if found.is_empty() {
        return Err(Untranslatable::Damaged);
    }
    let mut members = Vec::with_capacity(found.len());
    for index in found {
        members.push(Member {
            index,
            name: package.name(index).to_owned(),
            bytes: package.read(index)?.into(),
        });
    }
    Ok(members)
}

/// Reads the units of a member; one that is not well-formed has none.
pub(super) fn read(text: &str, options: &ReadOptions<'_>) -> Reading {
    match Tree::new(text) {
        Ok(tree) => {
            let mut reader = Reader {
                tree: &tree,
                looks: Looks::read(&tree),
                soft_limit: options.soft_limit,
                pieces: Vec::new(),
            };
            reader.blocks(tree.all(), SegmentKind::Paragraph, 0);
            Reading::of(reader.pieces)
        }
        Err(at) => Reading {
            unclosed: vec![at],
            ..Reading::default()
        },
    }
}

struct Reader<'r, 't> {
    tree: &'r Tree<'t>,
    looks: Looks<'t>,
    soft_limit: usize,
    pieces: Vec<Piece>,
}

/// A paragraph in the making.
struct Local<'t> {
    paragraph: Paragraph<'t>,
    /// Spans around the place.
    spans: Vec<usize>,
    /// The last place with text.
    last: usize,
}

impl Local<'_> {
    /// Leaves a span, or a span of several units.
    fn leave_span(&mut self) {
        if self.spans.pop().is_none() {
            self.paragraph.part();
        }
    }
}

impl<'t> Reader<'_, 't> {
    /// Reads the paragraphs of a range.
    fn blocks(&mut self, range: Range<usize>, kind: SegmentKind, depth: usize) {
        let tree = self.tree;
        let mut kinds = vec![kind];
        let mut at = range.start;
        while at < range.end {
            let next = tree.end(at) + 1;
            let kind = kinds.last().copied().unwrap_or(kind);
            at = match (tree.kind(at), tree.local(at)) {
                (Some(TokenKind::Open), "p" | "h") if tree.name(at).starts_with("text:") => {
                    self.paragraph(at, kind, depth);
                    next
                }
                (Some(TokenKind::Open), name) if UNSEEN.contains(&name) => next,
                (Some(TokenKind::Open), "table-cell") if is_made(tree, at) => next,
                (Some(TokenKind::Open), "title" | "desc") if tree.name(at).starts_with("svg:") => {
                    self.plain(at);
                    next
                }
                (Some(TokenKind::Open), name) => {
                    kinds.push(match name {
                        "table-cell" => SegmentKind::TableCell,
                        "list-item" => SegmentKind::ListItem,
                        "frame" if tree.value(at, "class") == "title" => SegmentKind::Heading(1),
                        _ => kind,
                    });
                    at + 1
                }
                (Some(TokenKind::Close), _) => {
                    kinds.pop();
                    at + 1
                }
                _ => at + 1,
            };
        }
    }

    /// Reads an element that holds text and nothing else.
    fn plain(&mut self, at: usize) {
        let mut paragraph = Paragraph::new(self.tree.text);
        for inner in self.tree.inside(at) {
            if self.tree.kind(inner) == Some(TokenKind::Text) {
                let span = self.tree.span(inner);
                paragraph.add_run(span, span.start, Look::default());
                paragraph.text(span);
            } else {
                paragraph.part();
            }
        }
        paragraph.finish(&self.setup(SegmentKind::Caption), &mut self.pieces);
    }

    fn setup(&self, kind: SegmentKind) -> Setup {
        Setup {
            kind,
            blanks: Blanks::Collapsed,
            soft_limit: self.soft_limit,
            note: None,
        }
    }

    fn paragraph(&mut self, at: usize, kind: SegmentKind, depth: usize) {
        let tree = self.tree;
        let range = tree.inside(at);
        let has_text = |at: &usize| {
            let is_text = tree.kind(*at) == Some(TokenKind::Text);
            is_text && !tree.span(*at).of(tree.text).trim().is_empty()
        };
        let mut local = Local {
            paragraph: Paragraph::new(tree.text),
            spans: Vec::new(),
            last: range.clone().rev().find(has_text).unwrap_or(range.start),
        };
        let level = tree.value(at, "outline-level").parse().ok();
        let kind = match level.filter(|level| (1..=6).contains(level)) {
            Some(level) if tree.local(at) == "h" => SegmentKind::Heading(level),
            _ => kind,
        };
        let mut at = range.start;
        while at < range.end {
            at = self.inline(&mut local, at, kind, depth);
        }
        local.paragraph.finish(&self.setup(kind), &mut self.pieces);
    }

    /// Takes what stands at a place in a paragraph, and returns the next place.
    fn inline(
        &mut self,
        local: &mut Local<'t>,
        at: usize,
        kind: SegmentKind,
        depth: usize,
    ) -> usize {
        let tree = self.tree;
        let (span, name) = (tree.span(at), tree.local(at));
        match (tree.kind(at), name) {
            (Some(TokenKind::Text), _) => {
                self.open_run(local, span);
                local.paragraph.text(span);
            }
            (Some(TokenKind::Open), "span") => {
                let holds = |at: usize| matches!(tree.local(at), "a" | "note" | "p" | "h");
                if tree.inside(at).any(holds) {
                    local.paragraph.part();
                } else {
                    local.spans.push(at);
                }
                return at + 1;
            }
            (Some(TokenKind::Close), "span") => local.leave_span(),
            (Some(TokenKind::Open), "a") => {
                local.paragraph.enter(span, String::new(), false);
                return at + 1;
            }
            (Some(TokenKind::Close), "a") => local.paragraph.leave(span),
            (Some(TokenKind::Open | TokenKind::Empty), "s") => {
                self.open_run(local, tree.whole(at));
                let n = tree.value(at, "c").parse().unwrap_or(1).clamp(1, 1000);
                local.paragraph.blanks(tree.whole(at), n);
            }
            (Some(TokenKind::Open), "note") => return self.note(local, at, kind, depth),
            (Some(TokenKind::Open | TokenKind::Empty), _) => self.thing(local, at, depth),
            // What is left of a note that is shown in its sentence.
            (Some(TokenKind::Close), "p") => {
                let note = (at..tree.tokens.len()).find(|at| tree.local(*at) == "note");
                let note = note.unwrap_or(at);
                local
                    .paragraph
                    .leave(Span::new(span.start, tree.span(note).end));
                return note + 1;
            }
            (Some(TokenKind::CData), _) => local.paragraph.part(),
            _ => {}
        }
        tree.end(at) + 1
    }

    /// Adds a run for a text in the spans around it.
    fn open_run(&self, local: &mut Local<'t>, text: Span) {
        let tree = self.tree;
        let outer = local.spans.first().map(|at| tree.whole(*at));
        let look = self.looks.of(tree, &local.spans);
        let span = outer.unwrap_or(text);
        local.paragraph.add_run(span, text.start, look);
    }

    /// Takes a note: within a sentence as an element of one paragraph, else as a paragraph of its own.
    fn note(&mut self, local: &mut Local<'t>, at: usize, kind: SegmentKind, depth: usize) -> usize {
        let tree = self.tree;
        let end = tree.end(at);
        let body = tree.child(at, "note-body").map(|body| tree.children(body));
        let mut paragraphs = body.into_iter().flatten();
        let only = paragraphs.next().filter(|_| paragraphs.next().is_none());
        let only = only.filter(|at| {
            let simple = |at: usize| !matches!(tree.local(at), "p" | "h" | "note");
            tree.local(*at) == "p"
                && tree.kind(*at) == Some(TokenKind::Open)
                && tree.inside(*at).all(simple)
        });
        let before = tree.text.get(..tree.span(at).start).unwrap_or_default();
        let in_sentence =
            local.last > end && before.ends_with(|c: char| c.is_alphanumeric() || c == ',');
        if let Some(only) = only.filter(|_| in_sentence && local.spans.is_empty()) {
            let span = Span::new(tree.span(at).start, tree.span(only).end);
            local.paragraph.enter(span, String::new(), false);
            return only + 1;
        }
        local.paragraph.part();
        self.blocks(tree.inside(at), kind, depth);
        local.paragraph.part();
        end + 1
    }

    /// Takes what is no text: marks go unseen, frames with texts stand beside the sentence.
    fn thing(&mut self, local: &mut Local<'t>, at: usize, depth: usize) {
        let tree = self.tree;
        let name = tree.local(at);
        if is_mark(name) || name == "soft-page-break" {
            return;
        }
        let has_text = tree
            .inside(at)
            .any(|at| matches!(tree.name(at), "text:p" | "text:h"));
        if has_text && depth < MAX_DEPTH {
            local.paragraph.part();
            self.blocks(tree.inside(at), SegmentKind::Paragraph, depth + 1);
            local.paragraph.part();
            return;
        }
        let own = std::mem::take(&mut self.pieces);
        self.blocks(tree.inside(at), SegmentKind::Caption, MAX_DEPTH);
        let inner = std::mem::replace(&mut self.pieces, own);
        let span = tree.whole(at);
        local.paragraph.single(Single {
            span,
            form: span.of(tree.text).to_owned(),
            is_copyable: matches!(name, "tab" | "line-break"),
            inner,
        });
    }
}

/// Tells whether a cell holds a number, a date or the result of a formula.
fn is_made(tree: &Tree<'_>, at: usize) -> bool {
    let kind = tree.value(at, "value-type");
    !matches!(kind, "" | "string") || tree.attribute(at, "formula").is_some()
}

#[cfg(test)]
mod tests;
