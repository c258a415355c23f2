//! What XML formats that hold source and target side by side share: the contents of elements, the
//! places of targets, and attributes that change. Must not know what an element means.

use std::ops::Range;

use crate::format::Notation;
use crate::format::xml::{Token, TokenKind, show};
use crate::segment::{Edit, Piece};
use crate::shown::{Form, Shown, ShownBuilder};
use crate::{SegmentKind, Span};

/// Holds the tokens of a text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tokens<'t> {
    pub(super) text: &'t str,
    pub(super) tokens: &'t [Token],
}

/// Stands for an element.
#[derive(Debug, Clone)]
pub(super) struct Element {
    pub(super) open: Token,
    /// The tokens between its tags.
    pub(super) content: Range<usize>,
    /// Between its tags; empty, and at the end, where it is one tag.
    pub(super) inner: Span,
    pub(super) end: usize,
}

impl Element {
    /// Tells whether it is one tag, `<name/>`.
    fn is_one_tag(&self) -> bool {
        self.open.kind == TokenKind::Empty
    }
}

impl<'t> Tokens<'t> {
    pub(super) fn get(&self, index: usize) -> Option<Token> {
        self.tokens.get(index).copied()
    }

    /// Reads the element whose tag is at an index, in the tokens up to a limit, and the index behind
    /// it. An element of its name inside it belongs to it.
    pub(super) fn element(&self, index: usize, limit: usize) -> Option<(Element, usize)> {
        let open = self.get(index)?;
        let at = open.span.end;
        if open.kind == TokenKind::Empty {
            let element = Element {
                open,
                content: index..index,
                inner: Span::new(at, at),
                end: at,
            };
            return Some((element, index + 1));
        }
        let name = open.name(self.text);
        let mut depth = 0_usize;
        for close in index + 1..limit {
            let token = self.get(close)?;
            let is_same = || token.name(self.text) == name;
            match token.kind {
                TokenKind::Open if is_same() => depth += 1,
                TokenKind::Close if is_same() && depth == 0 => {
                    let element = Element {
                        open,
                        content: index + 1..close,
                        inner: Span::new(at, token.span.start),
                        end: token.span.end,
                    };
                    return Some((element, close + 1));
                }
                TokenKind::Close if is_same() => depth -= 1,
                TokenKind::Open
                | TokenKind::Close
                | TokenKind::Empty
                | TokenKind::Text
                | TokenKind::CData
                | TokenKind::Comment
                | TokenKind::Instruction
                | TokenKind::Doctype => {}
            }
        }
        None
    }

    /// Returns the value of a tag's attribute, as written.
    pub(super) fn attribute(&self, tag: &Token, name: &str) -> Option<&'t str> {
        tag.attribute(self.text, name)
            .map(|span| span.of(self.text))
    }

    /// Reads what people see of an element; `None` when it holds nothing but blanks and tags.
    pub(super) fn content(&self, element: &Element) -> Option<Content> {
        let mut builder = ShownBuilder::new(self.text, element.inner.start);
        let mut is_text = false;
        for token in self.tokens.get(element.content.clone())? {
            match token.kind {
                TokenKind::Text => {
                    is_text |= !token.span.of(self.text).trim().is_empty();
                    show(self.text, token.span, &mut builder);
                }
                TokenKind::Open | TokenKind::Close | TokenKind::Empty => {
                    show(self.text, token.span, &mut builder);
                }
                TokenKind::CData => {
                    let Span { start, end } = token.span;
                    is_text = true;
                    builder.write(start + "<![CDATA[".len(), "");
                    builder.copy(end - "]]>".len());
                    builder.write(end, "");
                }
                TokenKind::Comment | TokenKind::Instruction | TokenKind::Doctype => {
                    builder.write(token.span.end, "");
                }
            }
        }
        let (lead, trail) = builder.edges();
        let (lead, trail) = (lead.to_owned(), trail.to_owned());
        let (_, mut shown) = builder.finish().filter(|_| is_text)?;
        shown.forms.retain_mut(|form| self.is_markup(form));
        Some(Content { shown, lead, trail })
    }

    /// Keeps of a form the tag or the reference that it writes, without what is not shown beside it.
    fn is_markup(&self, form: &mut Form) -> bool {
        let raw = form.raw.of(self.text);
        let hidden = raw.find("<!").or_else(|| raw.find("<?"));
        form.raw.end = hidden.map_or(form.raw.end, |at| form.raw.start + at);
        form.raw.of(self.text).starts_with(['<', '&'])
    }
}

/// Holds what people see of an element, and the blanks at its edges.
#[derive(Debug)]
pub(super) struct Content {
    pub(super) shown: Shown,
    lead: String,
    trail: String,
}

/// Says where a target goes and what goes around it.
#[derive(Debug, Clone)]
pub(super) struct Slot {
    span: Span,
    before: String,
    after: String,
}

impl Slot {
    /// Makes the place between the tags of an element.
    pub(super) fn of(text: &str, target: &Element) -> Self {
        if !target.is_one_tag() {
            return Self {
                span: target.inner,
                before: String::new(),
                after: String::new(),
            };
        }
        // What is in the tag may change as well, so only its end is replaced.
        let tag = target.open.span.of(text);
        let kept = tag.trim_end_matches('>').trim_end_matches('/').trim_end();
        Self {
            span: Span::new(target.open.span.start + kept.len(), target.open.span.end),
            before: ">".to_owned(),
            after: format!("</{}>", target.open.name(text)),
        }
    }

    /// Makes a place where there is none yet, with the tags that it needs.
    pub(super) fn new(at: usize, before: String, after: String) -> Self {
        let span = Span::new(at, at);
        Self {
            span,
            before,
            after,
        }
    }

    /// Makes the place of one of several that share it: the first has what goes before them, the last
    /// what goes behind.
    pub(super) fn part(mut self, is_first: bool, is_last: bool) -> Self {
        if !is_first {
            self.span.start = self.span.end;
            self.before.clear();
        }
        if !is_last {
            self.after.clear();
        }
        self
    }

    /// Puts more around the target.
    pub(super) fn within(mut self, before: &str, after: &str) -> Self {
        self.before.push_str(before);
        self.after.insert_str(0, after);
        self
    }

    /// Returns what stands in the place as long as it has no target.
    pub(super) fn idle(&self) -> Option<String> {
        let is_bare = self.before.is_empty() && self.after.is_empty();
        (!is_bare).then(|| format!("{}{}", self.before, self.after))
    }

    /// Makes the unit that fills the place. An old target is its suggestion.
    pub(super) fn piece(self, source: &Content, old: Option<Content>) -> Piece {
        let shown = source.shown.clone();
        let mut piece = Piece::coded(self.span, shown, SegmentKind::Value, Notation::Xml);
        let (lead, trail) = (&source.lead, &source.trail);
        piece.fresh = format!("{}{lead}\0{trail}{}", self.before, self.after);
        piece.is_whole = true;
        piece.is_bilingual = true;
        if let Some(old) = old {
            piece.stands = (&old.lead, &old.trail) == (lead, trail);
            piece.hints.suggestion = Some(old.shown.text);
        }
        piece
    }
}

/// Sets an attribute of a tag, in its place or as the first one.
pub(super) fn set(text: &str, tag: &Token, name: &str, value: &str) -> Edit {
    let place = tag.attribute(text, name);
    let written = match place {
        Some(_) => value.to_owned(),
        None => format!(" {name}=\"{value}\""),
    };
    let behind_name = tag.span.start + 1 + tag.name(text).len();
    Edit {
        span: place.unwrap_or(Span::new(behind_name, behind_name)),
        text: written,
    }
}

/// Takes an attribute out of a tag, with the blanks before it.
pub(super) fn unset(text: &str, tag: &Token, name: &str) -> Option<Edit> {
    let value = tag.attribute(text, name)?;
    let head = Span::new(tag.span.start, value.start).of(text);
    let name = head.trim_end_matches(['"', '\'']).trim_end();
    let name = name.trim_end_matches('=').trim_end();
    let before = name
        .trim_end_matches(|c: char| !c.is_whitespace())
        .trim_end();
    Some(Edit {
        span: Span::new(tag.span.start + before.len(), value.end + 1),
        text: String::new(),
    })
}

/// Joins what is known of a unit.
pub(super) fn note(parts: impl IntoIterator<Item = String>) -> Option<String> {
    let parts = parts.into_iter().filter(|part| !part.is_empty());
    let parts: Vec<String> = parts.collect();
    (!parts.is_empty()).then(|| parts.join(" · "))
}
