//! Plain text: paragraphs set apart by blank lines. A hard-wrapped paragraph is one unit; a bullet, an
//! ideographic indentation and a line too wide to be wrapped by hand begin a unit of their own.

use crate::segment::{Piece, Setting};
use crate::text::{Line, has_prose, is_blank, lines};
use crate::{SegmentKind, Span};

/// Widest line of text that was wrapped by hand, in columns; a wider one is a paragraph of its own.
const WRAP_COLUMNS: usize = 120;

const IDEOGRAPHIC_BLANK: char = '\u{3000}';

/// Reads the paragraphs of a text in order.
pub(crate) fn read(text: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut open = Vec::new();
    let mut kind = SegmentKind::Paragraph;
    for line in lines(text) {
        let content = line.content(text);
        let bullet = bullet_length(content);
        if is_rule(content) || bullet > 0 || is_indented_start(content) {
            close(text, &mut open, kind, &mut pieces);
            kind = if bullet > 0 {
                SegmentKind::ListItem
            } else {
                SegmentKind::Paragraph
            };
        }
        if !is_rule(content) {
            open.push(Line {
                start: line.start + bullet,
                ..line
            });
        }
    }
    close(text, &mut open, kind, &mut pieces);
    pieces
}

fn close(text: &str, open: &mut Vec<Line>, kind: SegmentKind, pieces: &mut Vec<Piece>) {
    let wide = open.iter().any(|line| is_wide(line.content(text)));
    let whole = open.first().zip(open.last());
    let spans: Vec<Span> = match whole {
        Some((first, last)) if !wide => vec![Span::new(first.start, last.end)],
        _ => open.iter().map(|line| line.span()).collect(),
    };
    open.clear();
    for span in spans.into_iter().filter(|span| has_prose(span.of(text))) {
        let mut piece = Piece::new(text, span, kind, Setting::Plain);
        piece.fresh = indentation(text, piece.span.start);
        pieces.push(piece);
    }
}

/// Returns blanks for a further line: bullets become blanks, an ideographic indentation is only for
/// the first line.
fn indentation(text: &str, at: usize) -> String {
    let before = text.get(..at).unwrap_or_default();
    let line = before.rsplit(['\n', '\r']).next().unwrap_or_default();
    line.chars()
        .filter(|c| *c != IDEOGRAPHIC_BLANK)
        .map(|c| if is_blank(c) { c } else { ' ' })
        .collect()
}

/// Tells whether a line separates: blank, or drawn of punctuation alone.
pub(crate) fn is_rule(line: &str) -> bool {
    !line.chars().any(char::is_alphanumeric)
}

/// Tells whether a line is too wide to be wrapped by hand; wide characters take two columns.
fn is_wide(line: &str) -> bool {
    line.len() > WRAP_COLUMNS
        && line
            .chars()
            .map(|c| if c < '\u{1100}' { 1 } else { 2 })
            .sum::<usize>()
            > WRAP_COLUMNS
}

/// Tells whether a line opens a paragraph by an ideographic blank, as Chinese and Japanese prose does.
pub(crate) fn is_indented_start(line: &str) -> bool {
    line.starts_with(IDEOGRAPHIC_BLANK)
}

/// Returns the length in bytes of a bullet or item number with the blanks around it; 0 for none.
pub(crate) fn bullet_length(line: &str) -> usize {
    let text = line.trim_start();
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let marker = match text.chars().nth(digits) {
        Some('.' | ')') if (1..=2).contains(&digits) => digits + 1,
        Some(mark @ ('-' | '*' | '+' | '•' | '‣' | '◦' | '–' | '—')) if digits == 0 => {
            mark.len_utf8()
        }
        _ => return 0,
    };
    let rest = text.get(marker..).unwrap_or_default();
    let body = rest.trim_start();
    if rest.len() == body.len() || body.is_empty() {
        0
    } else {
        line.len() - body.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        let found: Vec<_> = read(text)
            .into_iter()
            .map(|piece| piece.span.of(text))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn paragraphs_are_set_apart_by_blank_lines() {
        check("  one\n  two \r\n\t\r\nthree", &["one\n  two", "three"]);
    }

    #[test]
    fn rules_numbers_and_addresses_are_no_text() {
        check("---\n***\n42\n\nhttps://a.example/\n", &[]);
        check("Title\n=====\nText", &["Title", "Text"]);
    }

    #[test]
    fn bullets_and_ideographic_blanks_begin_a_unit() {
        check(
            "Take:\n- a cup\n  of tea\n2) milk\n1984. It",
            &["Take:", "a cup\n  of tea", "milk\n1984. It"],
        );
        check("　　夜里。\n　　他说。", &["夜里。", "他说。"]);
    }

    #[test]
    fn unwrapped_lines_are_paragraphs() {
        let long = "word ".repeat(30);
        check(&format!("{long}\nshort"), &[long.trim_end(), "short"]);
    }
}
