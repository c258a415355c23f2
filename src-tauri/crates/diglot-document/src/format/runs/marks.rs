//! Marks that nobody sees in a text and nobody may lose: bookmarks, ends of comments, deleted text
//! of tracked changes. Must not know what they mark.

use crate::Span;
use crate::format::xml::{Token, TokenKind, tokens};

/// Marks that begin and end ranges, or stand for themselves, in WordprocessingML and OpenDocument.
const NAMES: [&str; 24] = [
    "bookmark",
    "bookmark-end",
    "bookmark-start",
    "bookmarkEnd",
    "bookmarkStart",
    "change",
    "change-end",
    "change-start",
    "commentRangeEnd",
    "commentRangeStart",
    "del",
    "moveFrom",
    "moveFromRangeEnd",
    "moveFromRangeStart",
    "moveToRangeEnd",
    "moveToRangeStart",
    "permEnd",
    "permStart",
    "reference-mark",
    "reference-mark-end",
    "reference-mark-start",
    "annotation",
    "annotation-end",
    "user-index-mark",
];

/// Holds the marks of a raw stretch, in order.
#[derive(Default)]
pub(super) struct Marks {
    /// Those that begin a range.
    pub(super) opening: String,
    pub(super) other: String,
}

impl Marks {
    pub(super) fn find(text: &str, raw: Span) -> Self {
        let mut marks = Self::default();
        if !raw.of(text).contains('<') {
            return marks;
        }
        // The mark at hand, and how many elements of its name are open.
        let mut open: Option<(Token, usize)> = None;
        for token in tokens(text, raw) {
            let name = token.local_name(text);
            match (&mut open, token.kind) {
                (None, TokenKind::Empty) if is_mark(name) => marks.add(text, name, token.span),
                (None, TokenKind::Open) if is_mark(name) => open = Some((token, 1)),
                (Some((first, depth)), TokenKind::Open) if first.local_name(text) == name => {
                    *depth += 1;
                }
                (Some((first, depth)), TokenKind::Close) if first.local_name(text) == name => {
                    *depth -= 1;
                    if *depth == 0 {
                        let whole = Span::new(first.span.start, token.span.end);
                        marks.add(text, name, whole);
                        open = None;
                    }
                }
                _ => {}
            }
        }
        marks
    }

    fn add(&mut self, text: &str, name: &str, span: Span) {
        let begins = name.ends_with("Start") || name.ends_with("-start");
        let marks = if begins {
            &mut self.opening
        } else {
            &mut self.other
        };
        marks.push_str(span.of(text));
    }
}

/// Tells whether an element is a mark.
pub(in crate::format) fn is_mark(name: &str) -> bool {
    NAMES.contains(&name)
}
