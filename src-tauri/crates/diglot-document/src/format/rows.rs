//! Lines as the formats see them that go by indentation: content, column, blankness. Must not know a
//! syntax.

use icu_properties::CodePointMapData;
use icu_properties::props::EastAsianWidth;
use unicode_normalization::char::canonical_combining_class;

use crate::Span;
use crate::text::{is_blank, lines};

/// Width of a tab stop, in columns (docutils and Asciidoctor agree on it).
const TAB: usize = 8;

/// Holds the content of one line; a reader moves its start over markers that it has read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Row {
    /// First byte that is no blank; equals `end` on a blank line.
    pub(crate) start: usize,
    /// One past the last byte that is no blank.
    pub(crate) end: usize,
    /// Column of `start`, from 0.
    pub(crate) column: usize,
}

impl Row {
    /// Tells whether the line has no content.
    pub(crate) fn is_blank(self) -> bool {
        self.start >= self.end
    }

    /// Returns the content.
    pub(crate) fn of(self, text: &str) -> &str {
        Span::new(self.start, self.end).of(text)
    }

    /// Returns the row behind the first `length` bytes, with the blanks that follow them.
    pub(crate) fn behind(self, text: &str, length: usize) -> Self {
        let rest = text.get(self.start + length..self.end).unwrap_or_default();
        let start = self.end - rest.trim_start_matches(is_blank).len();
        let passed = text.get(self.start..start).unwrap_or_default();
        Self {
            start,
            column: columns(passed, self.column),
            ..self
        }
    }
}

/// Reads the rows of a text.
pub(crate) fn rows(text: &str) -> Vec<Row> {
    let row = |content: &str, start: usize| {
        let body = content.trim_start_matches(is_blank);
        let indent = content.len() - body.len();
        Row {
            start: start + indent,
            end: start + indent + body.trim_end_matches(is_blank).len(),
            column: columns(content.get(..indent).unwrap_or_default(), 0),
        }
    };
    lines(text)
        .map(|line| row(line.content(text), line.start))
        .collect()
}

/// Returns the column behind some blanks that begin in a column.
pub(crate) fn columns(blanks: &str, from: usize) -> usize {
    blanks.chars().fold(from, |column, c| match c {
        '\t' => column / TAB * TAB + TAB,
        _ => column + 1,
    })
}

/// Returns the width of a title, in columns. The two brackets in which a proof wraps its units take none,
/// so that they move nothing.
pub(crate) fn width(line: &str) -> usize {
    let counts = |c: &char| !matches!(c, '\u{27E6}' | '\u{27E7}');
    line.chars().filter(counts).map(character_width).sum()
}

/// Returns the columns that a text takes.
pub(crate) fn columns_of(text: &str) -> usize {
    if text.is_ascii() {
        return text.len();
    }
    text.chars().map(character_width).sum()
}

/// Returns the columns that a character takes, as docutils counts them: wide ones two, combining ones
/// none (UAX #11).
pub(crate) fn character_width(c: char) -> usize {
    if c.is_ascii() {
        return 1;
    }
    let width = CodePointMapData::<EastAsianWidth>::new().get(c);
    let is_wide = matches!(width, EastAsianWidth::Wide | EastAsianWidth::Fullwidth);
    usize::from(canonical_combining_class(c) == 0) + usize::from(is_wide)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_know_their_column() {
        let text = "a\n\t b \r\n\n  - c";
        let found = rows(text);
        let seen: Vec<_> = found.iter().map(|row| (row.of(text), row.column)).collect();
        assert_eq!(seen, [("a", 0), ("b", 9), ("", 0), ("- c", 2)]);
        let item = found[3].behind(text, 1);
        assert_eq!((item.of(text), item.column), ("c", 4));
    }

    #[test]
    fn width_counts_columns() {
        for (line, expected) in [("abc", 3), ("日本", 4), ("e\u{301}", 1), ("⟦a⟧", 1)] {
            assert_eq!(width(line), expected, "{line}");
        }
        for (text, expected) in [
            ("｡a", 2),
            ("か\u{3099}", 3),
            ("가", 2),
            ("⟦a⟧", 3),
            ("é😀", 3),
        ] {
            assert_eq!(columns_of(text), expected, "{text}");
        }
    }
}
