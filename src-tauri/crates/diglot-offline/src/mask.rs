//! Markup on its way through an engine. Owns the plain text that an engine sees, the tokens that stand
//! in it for what must stay, and the way back; must not know what an engine is made of.
//!
//! The tokens look like `XX0`: tried with Firefox's models, that form survives and reads like a name or
//! a number, while `{0}`, `<0/>`, `__0__` and brackets of most kinds are lost.

use std::ops::Range;

use crate::align::{Translation, place};
use crate::inline::{Group, Piece};

/// Says what stands around the number of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shape {
    before: &'static str,
    after: &'static str,
}

/// Shapes of tokens, best first: where one is lost in a sentence, the other may not be.
pub(crate) const SHAPES: [Shape; 2] = [
    Shape {
        before: "XX",
        after: "",
    },
    Shape {
        before: "Q",
        after: "Q",
    },
];

impl Shape {
    /// Finds all that looks like a token: where it stands, and its number.
    fn find(self, text: &str) -> Vec<(Range<usize>, usize)> {
        let mut found = Vec::new();
        let mut at = 0;
        while let Some(start) = text.get(at..).and_then(|rest| rest.find(self.before)) {
            let start = at + start;
            at = start + self.before.len();
            let rest = text.get(at..).unwrap_or_default();
            let n_digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            let (number, rest) = rest.split_at(n_digits);
            if let (Ok(number), true) = (number.parse(), rest.starts_with(self.after)) {
                at += n_digits + self.after.len();
                found.push((start..at, number));
            }
        }
        found
    }
}

/// Stands for something in the plain text that must stay.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Token {
    /// Where it stands in the plain text.
    pub(crate) range: Range<usize>,
    /// What it stands for.
    pub(crate) text: String,
}

/// Remembers marks that were taken off and go around the same words again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Mark {
    /// The words in the plain text.
    pub(crate) range: Range<usize>,
    /// What goes before them, may be empty.
    open: String,
    /// What goes behind them.
    close: String,
    /// Which piece of the line it belongs to.
    piece: usize,
}

/// Holds a line as the engine gets it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Masked {
    /// What its tokens look like.
    shape: Shape,
    /// The text without markup.
    pub(crate) plain: String,
    /// What stands for something, in order.
    pub(crate) tokens: Vec<Token>,
    /// What was taken off; outer before inner.
    pub(crate) marks: Vec<Mark>,
}

/// Tells why a translation could not be given its markup back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unrestored {
    /// A token was lost, doubled or invented.
    Tokens,
    /// The words of a piece were not found together.
    Mark {
        /// The piece of the line.
        piece: usize,
    },
}

impl Masked {
    /// Masks the pieces of a line; `frozen` holds, for each piece that is to be one token, its text.
    pub(crate) fn new(pieces: &[Piece], frozen: &[Option<String>], shape: Shape) -> Self {
        let (plain, tokens, marks) = (String::new(), Vec::new(), Vec::new());
        let mut masked = Self {
            shape,
            plain,
            tokens,
            marks,
        };
        for (n, piece) in pieces.iter().enumerate() {
            match frozen.get(n) {
                Some(Some(text)) => masked.token(text),
                _ => masked.piece(piece, n),
            }
        }
        masked
    }

    fn token(&mut self, text: &str) {
        let Shape { before, after } = self.shape;
        let start = self.plain.len();
        let number = self.tokens.len().to_string();
        self.plain.extend([before, number.as_str(), after]);
        self.tokens.push(Token {
            range: start..self.plain.len(),
            text: text.to_owned(),
        });
    }

    fn piece(&mut self, piece: &Piece, n: usize) {
        match piece {
            Piece::Text(text) => self.plain.push_str(text),
            Piece::Atom(text) | Piece::Aside(text) | Piece::Break(text) => self.token(text),
            Piece::Anchor(text) => {
                let end = self.plain.trim_end().len();
                let before = self.plain.get(..end).unwrap_or_default();
                let start = before.rfind(char::is_whitespace).map_or(0, |at| at + 1);
                let mark = Mark {
                    range: start..end,
                    open: String::new(),
                    close: text.clone(),
                    piece: n,
                };
                self.marks.push(mark);
            }
            Piece::Group(group) => self.group(group, n),
        }
    }

    fn group(&mut self, group: &Group, n: usize) {
        let place = self.marks.len();
        let start = self.plain.len();
        for piece in &group.inner {
            self.piece(piece, n);
        }
        let (open, close) = (group.open.clone(), group.close.clone());
        self.marks.insert(
            place,
            Mark {
                range: start..self.plain.len(),
                open,
                close,
                piece: n,
            },
        );
    }

    /// Gives a translation of the plain text its markup back.
    pub(crate) fn restore(&self, translation: &Translation) -> Result<String, Unrestored> {
        let text = &translation.text;
        let mut edits = self.token_edits(text).ok_or(Unrestored::Tokens)?;
        for (n, (range, mark)) in self.placed_marks(translation)?.into_iter().enumerate() {
            // At one place: first what closes, inner before outer, then what opens, outer before inner.
            let closing = (0, mark.piece, usize::MAX - n);
            edits.push(Edit {
                range: range.end..range.end,
                text: &mark.close,
                order: closing,
            });
            let opening = (1, mark.piece, n);
            edits.push(Edit {
                range: range.start..range.start,
                text: &mark.open,
                order: opening,
            });
        }
        Ok(write(text, edits))
    }

    /// Returns the token that stands in a word of the translation.
    pub(crate) fn token_in(&self, word: &str) -> Option<&Token> {
        self.shape
            .find(word)
            .first()
            .and_then(|(_, number)| self.tokens.get(*number))
    }

    /// Finds each token exactly once, and none that was never there.
    fn token_edits(&self, text: &str) -> Option<Vec<Edit<'_>>> {
        let mut edits = Vec::with_capacity(self.tokens.len());
        let mut found = self.shape.find(text);
        found.sort_by_key(|(_, number)| *number);
        for (n, (range, number)) in found.into_iter().enumerate() {
            let token = self.tokens.get(number).filter(|_| n == number)?;
            edits.push(Edit {
                range: self.hugging(token, text, range),
                text: &token.text,
                order: (0, 0, 0),
            });
        }
        (edits.len() == self.tokens.len()).then_some(edits)
    }

    /// Widens the place of a token that opens or closes something over blanks that an engine put between it
    /// and its words, where the source has none: a blank would take its meaning from it.
    fn hugging(&self, token: &Token, text: &str, mut range: Range<usize>) -> Range<usize> {
        const OPENERS: [char; 4] = ['`', '(', '[', '{'];
        const CLOSERS: [char; 4] = ['`', ')', ']', '}'];
        // What has both ends is whole in itself.
        let opens = token.text.ends_with(OPENERS) && !token.text.starts_with('`');
        let closes = token.text.starts_with(char::is_whitespace)
            || token.text.starts_with(CLOSERS) && !token.text.ends_with('`');
        let joins = |c: Option<char>| c.is_some_and(|c| !c.is_whitespace());
        let after = self.plain.get(token.range.end..).unwrap_or_default();
        if opens && joins(after.chars().next()) {
            let rest = text.get(range.end..).unwrap_or_default();
            range.end += rest.len() - rest.trim_start().len();
        }
        let before = self.plain.get(..token.range.start).unwrap_or_default();
        if closes && joins(before.chars().next_back()) {
            range.start = text.get(..range.start).unwrap_or_default().trim_end().len();
        }
        range
    }

    fn placed_marks(
        &self,
        translation: &Translation,
    ) -> Result<Vec<(Range<usize>, &Mark)>, Unrestored> {
        let mut placed: Vec<(Range<usize>, &Mark)> = Vec::with_capacity(self.marks.len());
        for mark in &self.marks {
            let unplaced = Unrestored::Mark { piece: mark.piece };
            let range = place(self, translation, &mark.range).ok_or(unplaced)?;
            let fits = placed.iter().all(|(other, earlier)| {
                let is_inside =
                    earlier.range.start <= mark.range.start && mark.range.end <= earlier.range.end;
                if is_inside && !earlier.open.is_empty() {
                    other.start <= range.start && range.end <= other.end
                } else {
                    range.end <= other.start || other.end <= range.start
                }
            });
            if !fits && !mark.open.is_empty() {
                return Err(unplaced);
            }
            placed.push((range, mark));
        }
        Ok(placed)
    }
}

/// Tells whether a text holds what looks like a token of ours.
pub(crate) fn holds_tokens(text: &str) -> bool {
    SHAPES.iter().any(|shape| !shape.find(text).is_empty())
}

/// Replaces a part of a text, or puts something in where the part is empty.
struct Edit<'a> {
    range: Range<usize>,
    text: &'a str,
    /// Order among those at one place.
    order: (u8, usize, usize),
}

/// Writes a text with parts of it replaced; the parts are disjoint or empty.
fn write(text: &str, mut edits: Vec<Edit<'_>>) -> String {
    edits.sort_by_key(|edit| (edit.range.start, edit.range.end, edit.order));
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for edit in edits {
        out.push_str(text.get(at..edit.range.start).unwrap_or_default());
        out.push_str(edit.text);
        at = edit.range.end;
    }
    out.push_str(text.get(at..).unwrap_or_default());
    out
}

#[cfg(test)]
mod tests;
