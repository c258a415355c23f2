//! The lines of a drawn table, by columns as docutils counts them. Must not know what is drawn.

use crate::Span;
use crate::format::rows::{character_width, columns};
use crate::text::{is_blank, lines_of};

/// Marks the second column of a wide character, where nothing begins.
const INSIDE: u32 = u32::MAX;

/// Holds one line, from the column in which the table begins.
#[derive(Debug)]
pub(super) struct Line<'t> {
    /// What stands before the table; empty for the first line, which may follow a marker.
    pub(super) prefix: &'t str,
    pub(super) text: &'t str,
    /// Blanks behind the text, and the line end.
    pub(super) after: &'t str,
    /// First byte of the text.
    pub(super) start: usize,
    /// For each column the byte of the text that begins there; empty where both are the same.
    places: Vec<u32>,
}

/// Reads the lines of a table that begins and ends with its borders; `None` where blanks do not tell
/// the columns.
pub(super) fn read(text: &str, span: Span) -> Option<Vec<Line<'_>>> {
    let all: Vec<_> = lines_of(text, span).collect();
    let indent = |content: &str| content.len() - content.trim_start_matches(is_blank).len();
    let further = all.iter().skip(1).map(|line| line.content(text));
    let column = further
        .filter(|content| indent(content) < content.len())
        .map(|content| columns(content.get(..indent(content)).unwrap_or_default(), 0))
        .min()?;
    let mut lines = Vec::with_capacity(all.len());
    for (index, line) in all.into_iter().enumerate() {
        let content = line.content(text);
        let length = if index == 0 {
            0
        } else {
            prefix_length(content, column)?
        };
        let (prefix, rest) = content.split_at_checked(length)?;
        let body = rest.trim_end_matches(is_blank);
        if body.contains('\t') {
            return None;
        }
        let start = line.start + length;
        lines.push(Line {
            prefix,
            text: body,
            after: Span::new(start + body.len(), line.next).of(text),
            start,
            places: places(body),
        });
    }
    Some(lines)
}

/// Returns how many bytes of blanks reach up to a column; all of them on a blank line that is shorter.
fn prefix_length(content: &str, column: usize) -> Option<usize> {
    let mut reached = 0;
    for (at, c) in content.char_indices() {
        if reached == column {
            return Some(at);
        }
        if reached > column || !is_blank(c) {
            return None;
        }
        reached = columns(
            content.get(at..at + c.len_utf8()).unwrap_or_default(),
            reached,
        );
    }
    Some(content.len())
}

fn places(text: &str) -> Vec<u32> {
    let mut places = Vec::new();
    if text.is_ascii() {
        return places;
    }
    for (at, c) in text.char_indices() {
        let at = u32::try_from(at).unwrap_or(INSIDE);
        let taken = [at, INSIDE];
        places.extend(taken.iter().take(character_width(c)));
    }
    places
}

impl<'t> Line<'t> {
    /// Returns how many columns it has.
    pub(super) fn width(&self) -> usize {
        if self.places.is_empty() {
            self.text.len()
        } else {
            self.places.len()
        }
    }

    /// Returns the byte at which a column begins, or the end of the line; `None` inside of a character.
    fn place(&self, column: usize) -> Option<usize> {
        if self.places.is_empty() {
            return Some(column.min(self.text.len()));
        }
        match self.places.get(column) {
            Some(&INSIDE) => None,
            Some(&at) => usize::try_from(at).ok(),
            None => Some(self.text.len()),
        }
    }

    /// Returns the first byte in a column.
    pub(super) fn at(&self, column: usize) -> Option<u8> {
        self.text.as_bytes().get(self.place(column)?).copied()
    }

    /// Returns what stands from one column up to another, with the place of its first byte in the
    /// document; `None` where a character stands on both sides.
    pub(super) fn part(&self, from: usize, to: usize) -> Option<(&'t str, usize)> {
        let (start, end) = (self.place(from)?, self.place(to)?);
        Some((self.text.get(start..end)?, self.start + start))
    }

    /// Returns the line end.
    pub(super) fn end(&self) -> &'t str {
        self.after.trim_start_matches(is_blank)
    }
}
