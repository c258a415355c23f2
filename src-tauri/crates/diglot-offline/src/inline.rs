//! The inline structure of a unit: text, what stays as it is, and what encloses text. Owns the kinds of
//! pieces; must not know an engine.

mod parser;

pub(crate) use parser::parse;

use crate::lexer::has_words;

/// Holds one piece of a unit; the pieces in order give its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Piece {
    /// Text for the engine; line breaks that mean nothing are blanks already.
    Text(String),
    /// Stays as it is, a word of the sentence.
    Atom(String),
    /// Stays as it is, hangs on the word before: a footnote mark.
    Anchor(String),
    /// Stays as it is, no part of any sentence: an icon, a heading's attributes.
    Aside(String),
    /// Ends a line; each side is translated alone.
    Break(String),
    /// Encloses text: emphasis, link, tag pair, quotation marks.
    Group(Group),
}

/// Holds text between two marks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Group {
    /// The mark before, for instance `[` or `<b>`.
    pub(crate) open: String,
    /// What is between; holds something to translate.
    pub(crate) inner: Vec<Piece>,
    /// The mark behind, for instance `](url)`.
    pub(crate) close: String,
}

impl Piece {
    /// Tells whether there is something to translate in it.
    pub(crate) fn is_translatable(&self) -> bool {
        match self {
            Self::Text(text) => has_words(text),
            Self::Group(group) => group.inner.iter().any(Self::is_translatable),
            Self::Atom(_) | Self::Anchor(_) | Self::Aside(_) | Self::Break(_) => false,
        }
    }

    /// Returns its text where it is text for the engine.
    pub(crate) fn text(&self) -> Option<&str> {
        if let Self::Text(text) = self {
            Some(text)
        } else {
            None
        }
    }

    /// Tells whether it is no part of a sentence when it stands at the edge of a line.
    pub(crate) fn is_edge(&self) -> bool {
        matches!(self, Self::Aside(_)) || self.text().is_some_and(|text| text.trim().is_empty())
    }

    /// Writes it as it stands in the source.
    pub(crate) fn write(&self, out: &mut String) {
        match self {
            Self::Text(text)
            | Self::Atom(text)
            | Self::Anchor(text)
            | Self::Aside(text)
            | Self::Break(text) => out.push_str(text),
            Self::Group(group) => {
                out.push_str(&group.open);
                for piece in &group.inner {
                    piece.write(out);
                }
                out.push_str(&group.close);
            }
        }
    }
}

/// Writes pieces as they stand in the source.
pub(crate) fn write_all(pieces: &[Piece]) -> String {
    let mut out = String::new();
    for piece in pieces {
        piece.write(&mut out);
    }
    out
}

#[cfg(test)]
mod tests;
