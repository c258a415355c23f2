//! The tokens of an XML text with the ends of its elements. Must not know what any element means.

use std::ops::Range;

use crate::Span;
use crate::format::xml::{Token, TokenKind, tokens};

/// Holds a well-formed text as tokens.
pub(in crate::format) struct Tree<'t> {
    pub(in crate::format) text: &'t str,
    pub(in crate::format) tokens: Vec<Token>,
    /// For each token that opens an element, the one that closes it; for any other, itself.
    ends: Vec<usize>,
    /// Prefix of the root's name, with its colon.
    prefix: &'t str,
}

impl<'t> Tree<'t> {
    /// Reads a text.
    ///
    /// # Errors
    /// The offset of an element that does not end where it should.
    pub(in crate::format) fn new(text: &'t str) -> Result<Self, usize> {
        let tokens = tokens(text, Span::new(0, text.len()));
        let mut ends: Vec<usize> = (0..tokens.len()).collect();
        let mut open: Vec<usize> = Vec::new();
        let mut root = "";
        for (at, token) in tokens.iter().enumerate() {
            match token.kind {
                TokenKind::Open => {
                    if root.is_empty() {
                        root = token.name(text);
                    }
                    open.push(at);
                }
                TokenKind::Close => {
                    let opener = open.pop();
                    let same = |from: &usize| {
                        let from = tokens.get(*from);
                        from.is_some_and(|from| from.name(text) == token.name(text))
                    };
                    let Some(from) = opener.filter(same) else {
                        return Err(token.span.start);
                    };
                    if let Some(end) = ends.get_mut(from) {
                        *end = at;
                    }
                }
                TokenKind::Empty
                | TokenKind::Text
                | TokenKind::CData
                | TokenKind::Comment
                | TokenKind::Instruction
                | TokenKind::Doctype => {}
            }
        }
        if let Some(token) = open.pop().and_then(|at| tokens.get(at)) {
            return Err(token.span.start);
        }
        let prefix = root.find(':').and_then(|at| root.get(..=at));
        Ok(Self {
            text,
            tokens,
            ends,
            prefix: prefix.unwrap_or_default(),
        })
    }

    /// Returns all of the places.
    pub(in crate::format) fn all(&self) -> Range<usize> {
        0..self.tokens.len()
    }

    pub(in crate::format) fn kind(&self, at: usize) -> Option<TokenKind> {
        self.tokens.get(at).map(|token| token.kind)
    }

    /// Returns the place where the element that opens at a place ends.
    pub(in crate::format) fn end(&self, at: usize) -> usize {
        self.ends.get(at).copied().unwrap_or(at)
    }

    /// Returns the places inside of an element.
    pub(in crate::format) fn inside(&self, at: usize) -> Range<usize> {
        at + 1..self.end(at).max(at + 1)
    }

    pub(in crate::format) fn span(&self, at: usize) -> Span {
        self.tokens
            .get(at)
            .map_or(Span::new(0, 0), |token| token.span)
    }

    /// Returns the stretch of an element, with its tags.
    pub(in crate::format) fn whole(&self, at: usize) -> Span {
        Span::new(self.span(at).start, self.span(self.end(at)).end)
    }

    /// Returns the qualified name of a tag; empty for what is none.
    pub(in crate::format) fn name(&self, at: usize) -> &'t str {
        self.tokens
            .get(at)
            .map_or("", |token| token.name(self.text))
    }

    /// Returns the name of a tag without its prefix.
    pub(in crate::format) fn local(&self, at: usize) -> &'t str {
        self.tokens
            .get(at)
            .map_or("", |token| token.local_name(self.text))
    }

    /// Returns the name of a tag without its prefix, if that is the root's; else nothing.
    pub(in crate::format) fn own(&self, at: usize) -> &'t str {
        let local = self.name(at).strip_prefix(self.prefix).unwrap_or_default();
        if local.contains(':') { "" } else { local }
    }

    /// Returns the value of the attribute with a local name, as written.
    pub(in crate::format) fn attribute(&self, at: usize, local: &str) -> Option<Span> {
        let token = self.tokens.get(at)?;
        let is_meant = |name: &str| name.rsplit(':').next() == Some(local);
        let mut attributes = token.attributes(self.text);
        attributes.find_map(|(name, value)| is_meant(name).then_some(value))
    }

    /// Returns the value of the attribute with a local name; empty without one.
    pub(in crate::format) fn value(&self, at: usize, local: &str) -> &'t str {
        self.attribute(at, local)
            .map_or("", |value| value.of(self.text))
    }

    /// Walks the places of the elements right inside of one.
    pub(in crate::format) fn children(&self, at: usize) -> impl Iterator<Item = usize> {
        self.elements(self.inside(at))
    }

    /// Walks the places of the outermost elements of a range.
    pub(in crate::format) fn elements(&self, range: Range<usize>) -> impl Iterator<Item = usize> {
        let mut next = range.start;
        std::iter::from_fn(move || {
            while next < range.end {
                let at = next;
                next = self.end(at).max(at) + 1;
                if matches!(self.kind(at), Some(TokenKind::Open | TokenKind::Empty)) {
                    return Some(at);
                }
            }
            None
        })
    }

    /// Returns the first element of a name right inside of one.
    pub(in crate::format) fn child(&self, at: usize, local: &str) -> Option<usize> {
        self.children(at).find(|child| self.local(*child) == local)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_end_where_they_should() {
        let text = "<?xml version='1.0'?><w:a><w:b x:id='1'/>t<c:b><w:b></w:b></c:b></w:a>";
        let tree = Tree::new(text).ok().unwrap();
        let root = tree.elements(tree.all()).next().unwrap();
        assert_eq!(tree.end(root), tree.tokens.len() - 1);
        let children: Vec<_> = tree.children(root).map(|at| tree.own(at)).collect();
        assert_eq!(children, ["b", ""]);
        assert_eq!(tree.value(tree.child(root, "b").unwrap(), "id"), "1");
        assert_eq!(Tree::new("<a><b></a>").err(), Some(6));
        assert_eq!(Tree::new("<a><b/>").err(), Some(0));
        assert_eq!(Tree::new("</a>").err(), Some(0));
    }
}
