//! Reads a unit's text as pieces. Owns the pairing of opening and closing marks; must not know how
//! words are told apart.

use diglot_document::{Format, PlaceableKind, Span, placeables};

use super::{Group, Piece, write_all};
use crate::lexer::Lexer;

/// Deepest nesting that is followed; marks beyond stay as they are.
const MAX_DEPTH: usize = 12;

struct Frame {
    open: String,
    pieces: Vec<Piece>,
}

/// Reads a unit's text as pieces.
pub(crate) fn parse(format: Format, source: &str, lexer: &Lexer<'_>) -> Vec<Piece> {
    let root = Frame {
        open: String::new(),
        pieces: Vec::new(),
    };
    let mut parser = Parser {
        lexer,
        frames: vec![root],
        is_in_title: false,
    };
    let mut at = 0;
    let text = |from: usize, to: usize| source.get(from..to).unwrap_or_default();
    let found = placeables(format, source);
    for (n, placeable) in found.iter().enumerate() {
        let mut span = placeable.span;
        if placeable.kind == PlaceableKind::Number && !lexer.holds_numbers || span.start < at {
            continue;
        }
        let mark = text(span.start, span.end);
        if placeable.kind == PlaceableKind::Tag && mark.starts_with('<') && !mark.ends_with('>') {
            // A tag around a value that is read: the value stays as it is.
            let ends = |span: &Span| {
                let piece = text(span.start, span.end);
                piece.ends_with('>') && !piece.starts_with('<')
            };
            let tags = found
                .iter()
                .skip(n)
                .filter(|found| found.kind == PlaceableKind::Tag);
            span.end = tags
                .map(|tag| tag.span)
                .find(ends)
                .map_or(span.end, |last| last.end);
        }
        parser.text(text(at, span.start));
        parser.mark(placeable.kind, text(span.start, span.end));
        at = span.end;
    }
    parser.text(text(at, source.len()));
    parser.finish()
}

struct Parser<'a> {
    lexer: &'a Lexer<'a>,
    frames: Vec<Frame>,
    /// Whether the text belongs to the title behind a link's destination.
    is_in_title: bool,
}

impl Parser<'_> {
    fn push(&mut self, piece: Piece) {
        if let Some(frame) = self.frames.last_mut() {
            frame.pieces.push(piece);
        }
    }

    fn text(&mut self, text: &str) {
        if text.is_empty() || self.is_in_title && self.extend_link(text) {
            return;
        }
        for piece in self.lexer.pieces(text) {
            self.push(piece);
        }
    }

    fn mark(&mut self, kind: PlaceableKind, mark: &str) {
        match kind {
            PlaceableKind::Emphasis => {
                if !self.close(mark, mark) {
                    self.open(mark);
                }
            }
            PlaceableKind::Tag => self.tag(mark),
            // Office formats number the runs of a paragraph: `<1>…</1>`.
            PlaceableKind::Placeholder if mark.starts_with('<') => self.tag(mark),
            PlaceableKind::Link | PlaceableKind::Reference => self.link(mark),
            PlaceableKind::HardBreak => self.push(Piece::Break(mark.to_owned())),
            PlaceableKind::Attribute => self.push(Piece::Aside(mark.to_owned())),
            PlaceableKind::Code
            | PlaceableKind::Placeholder
            | PlaceableKind::Math
            | PlaceableKind::Number
            | PlaceableKind::Address => self.push(Piece::Atom(mark.to_owned())),
        }
    }

    fn tag(&mut self, mark: &str) {
        let name = tag_name(mark);
        if name.is_empty() || mark.ends_with("/>") || VOID_TAGS.contains(&name.as_str()) {
            let piece = if name == "br" {
                Piece::Break
            } else {
                Piece::Atom
            };
            self.push(piece(mark.to_owned()));
        } else if mark.starts_with("</") {
            let opening = self
                .frames
                .iter()
                .rev()
                .find(|frame| frame.open.starts_with('<') && tag_name(&frame.open) == name)
                .map(|frame| frame.open.clone());
            let is_closed = opening.is_some_and(|opening| self.close(&opening, mark));
            if !is_closed {
                self.push(Piece::Atom(mark.to_owned()));
            }
        } else {
            self.open(mark);
        }
    }

    fn link(&mut self, mark: &str) {
        if mark == "[" || mark == "![" {
            self.open(mark);
        } else if mark.starts_with(']') {
            let opening = self
                .frames
                .iter()
                .rev()
                .find(|frame| frame.open.ends_with('['));
            let opening = opening.map(|frame| frame.open.clone());
            let is_closed = match opening {
                Some(opening) => self.close(&opening, mark),
                None => self.close_bracket_in_text(mark),
            };
            self.is_in_title = is_closed && mark.contains('(') && !mark.ends_with(')');
            if !is_closed {
                self.push(Piece::Atom(mark.to_owned()));
            }
        } else if self.is_in_title && self.extend_link(mark) {
            self.is_in_title = false;
        } else if mark.starts_with("[^") {
            self.push(Piece::Anchor(mark.to_owned()));
        } else {
            self.push(Piece::Atom(mark.to_owned()));
        }
    }

    fn open(&mut self, mark: &str) {
        if self.frames.len() > MAX_DEPTH {
            self.push(Piece::Atom(mark.to_owned()));
        } else {
            self.frames.push(Frame {
                open: mark.to_owned(),
                pieces: Vec::new(),
            });
        }
    }

    /// Closes the innermost frame that `open` opened; what was opened inside it stays unpaired.
    fn close(&mut self, open: &str, close: &str) -> bool {
        let Some(place) = self
            .frames
            .iter()
            .skip(1)
            .rposition(|frame| frame.open == open)
        else {
            return false;
        };
        while self.frames.len() > place + 2 {
            self.unpair_last();
        }
        let Some(frame) = self.frames.pop() else {
            return false;
        };
        self.push(group(frame.open, frame.pieces, close));
        true
    }

    /// Closes a link whose `[` was no mark of its own.
    fn close_bracket_in_text(&mut self, close: &str) -> bool {
        let Some(frame) = self.frames.last_mut() else {
            return false;
        };
        let found = frame
            .pieces
            .iter()
            .enumerate()
            .rev()
            .find_map(|(place, piece)| Some((place, piece.text()?.rfind('[')?)));
        let Some((place, at)) = found else {
            return false;
        };
        let mut inner = frame.pieces.split_off(place);
        let Some(Piece::Text(text)) = inner.first_mut() else {
            return false;
        };
        let rest = text.split_off(at + 1);
        let before = std::mem::replace(text, rest);
        let open = if before.ends_with("![") { "![" } else { "[" };
        let before = before.strip_suffix(open).unwrap_or_default();
        if !before.is_empty() {
            frame.pieces.push(Piece::Text(before.to_owned()));
        }
        frame.pieces.push(group(open.to_owned(), inner, close));
        true
    }

    /// Adds a link's title to its closing mark: a title stays as it is.
    fn extend_link(&mut self, text: &str) -> bool {
        match self
            .frames
            .last_mut()
            .and_then(|frame| frame.pieces.last_mut())
        {
            Some(Piece::Group(group)) => group.close.push_str(text),
            Some(Piece::Atom(atom)) => atom.push_str(text),
            _ => return false,
        }
        true
    }

    fn unpair_last(&mut self) {
        if let Some(frame) = self.frames.pop() {
            self.push(Piece::Atom(frame.open));
            for piece in frame.pieces {
                self.push(piece);
            }
        }
    }

    fn finish(mut self) -> Vec<Piece> {
        while self.frames.len() > 1 {
            self.unpair_last();
        }
        let pieces = self
            .frames
            .pop()
            .map(|frame| frame.pieces)
            .unwrap_or_default();
        glue(hang_asides(pieces, Piece::Atom))
    }
}

/// Tags that never enclose anything (HTML standard, void elements).
const VOID_TAGS: [&str; 6] = ["br", "img", "hr", "input", "wbr", "meta"];

/// Returns a tag's name in lower case; empty for an entity or a comment.
fn tag_name(mark: &str) -> String {
    let Some(rest) = mark.strip_prefix('<') else {
        return String::new();
    };
    let rest = rest.strip_prefix('/').unwrap_or(rest);
    let name = rest
        .split(|c: char| !(c.is_alphanumeric() || "-_.:".contains(c)))
        .next();
    name.unwrap_or_default().to_lowercase()
}

/// Encloses pieces, or makes one fixed word of them where nothing is to be translated.
fn group(open: String, inner: Vec<Piece>, close: &str) -> Piece {
    // A symbol between words parts them: in marks, mostly the arrows of a path through menus.
    let inner = hang_asides(inner, Piece::Break);
    let piece = Piece::Group(Group {
        open,
        inner,
        close: close.to_owned(),
    });
    if piece.is_translatable() {
        return piece;
    }
    Piece::Atom(write_all(&[piece]))
}

/// Takes a symbol inside a line as something else: only one at an edge is no part of the sentence.
fn hang_asides(pieces: Vec<Piece>, inside: fn(String) -> Piece) -> Vec<Piece> {
    let n_head = pieces.iter().take_while(|piece| piece.is_edge()).count();
    let n_tail = pieces
        .iter()
        .rev()
        .take_while(|piece| piece.is_edge())
        .count();
    let core = n_head..pieces.len().saturating_sub(n_tail);
    let mut out = Vec::with_capacity(pieces.len());
    for (n, piece) in pieces.into_iter().enumerate() {
        let piece = if let (Piece::Aside(text), true) = (&piece, core.contains(&n)) {
            inside(text.clone())
        } else {
            piece
        };
        out.push(piece);
    }
    out
}

/// Takes what stands inside a word together with the word: `AT&amp;T`, `10&nbsp;MB`.
fn glue(pieces: Vec<Piece>) -> Vec<Piece> {
    let mut out: Vec<Piece> = Vec::with_capacity(pieces.len());
    let mut rest = pieces.into_iter().peekable();
    while let Some(piece) = rest.next() {
        let Piece::Atom(mut atom) = piece else {
            out.push(piece);
            continue;
        };
        if let (Some(Piece::Text(before)), Some(Piece::Text(after))) =
            (out.last_mut(), rest.peek_mut())
        {
            let head = before.trim_end_matches(char::is_alphanumeric).len();
            let tail = after.len() - after.trim_start_matches(char::is_alphanumeric).len();
            if head < before.len() && tail > 0 {
                let behind = after.split_off(tail);
                atom = format!("{}{atom}{after}", before.split_off(head));
                *after = behind;
            }
        }
        out.push(Piece::Atom(atom));
    }
    out
}
