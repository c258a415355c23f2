//! XLIFF 1.2, 2.0 and 2.1: a unit for each segment that the file does not call finished. Owns which
//! segments are open and what confirming one changes.

mod state;
mod walk;

use walk::{Segment, Unit};

use crate::format::bilingual::{Content, Element, Slot, Tokens, note, set};
use crate::format::xml::{Token, TokenKind, tokens};
use crate::format::{ReadOptions, Reading};
use crate::segment::{Edit, Group, Piece};
use crate::{LanguageTag, Span};

/// Reads the open segments.
pub(super) fn read(text: &str, options: &ReadOptions<'_>) -> Reading {
    let tokens = tokens(text, Span::new(0, text.len()));
    let tokens = Tokens {
        text,
        tokens: &tokens,
    };
    let mut file = File {
        tokens,
        n_groups: 0,
        reading: Reading::default(),
    };
    for unit in walk::units(tokens) {
        file.take(&unit);
    }
    if let Some(target) = options.target {
        file.reading.edits = languages(tokens, target);
    }
    file.reading
}

/// Names the target language where the file says it: `target-language` of each file (1.2), `trgLang`
/// of the document (2.x).
fn languages(tokens: Tokens<'_>, target: &LanguageTag) -> Vec<Edit> {
    let change = |tag: &Token| {
        let is_tag = matches!(tag.kind, TokenKind::Open | TokenKind::Empty);
        let (own, other) = match tag.local_name(tokens.text) {
            "file" => ("target-language", "source-language"),
            "xliff" => ("trgLang", "srcLang"),
            _ => return None,
        };
        tokens.attribute(tag, other).filter(|_| is_tag)?;
        let known = tokens.attribute(tag, own);
        let known = known.and_then(|name| LanguageTag::parse(name).ok());
        let is_named =
            known.is_some_and(|known| known == *target || target.as_str() == known.primary());
        (!is_named).then(|| set(tokens.text, tag, own, target.as_str()))
    };
    tokens.tokens.iter().filter_map(change).collect()
}

struct File<'t> {
    tokens: Tokens<'t>,
    n_groups: usize,
    reading: Reading,
}

impl File<'_> {
    fn take(&mut self, unit: &Unit) {
        let is_only = unit.segments.len() == 1;
        for segment in &unit.segments {
            let marks = self.marks(segment);
            if marks.is_empty() {
                self.take_segment(unit, segment, is_only);
            } else {
                self.take_marks(unit, segment, &marks);
            }
        }
    }

    /// Takes a segment with one source and one target.
    fn take_segment(&mut self, unit: &Unit, segment: &Segment, is_only: bool) {
        let tokens = self.tokens;
        let Some(source) = segment
            .source
            .as_ref()
            .and_then(|source| tokens.content(source))
        else {
            return;
        };
        let target = segment.target.as_ref();
        let old = target.and_then(|target| tokens.content(target));
        let is_copy = old
            .as_ref()
            .is_some_and(|old| old.shown.text == source.shown.text);
        if old.is_some() && state::is_finished(tokens, segment, is_copy) {
            self.reading.n_finished += 1;
            return;
        }
        let has_old = old.is_some();
        let slot = match target {
            Some(target) => Slot::of(tokens.text, target),
            None => self.fresh_slot(segment, state::fresh_attributes(unit)),
        };
        let mut piece = slot.piece(&source, old);
        hint(&mut piece, unit);
        if !has_old && is_only {
            let found = unit.matches.first().and_then(|found| tokens.content(found));
            // It stands elsewhere in the file, so it is written when it is confirmed.
            piece.stands &= found.is_none();
            piece.hints.suggestion = found.map(|found| found.shown.text);
        }
        piece.edits = state::confirmation(tokens, segment);
        self.reading.pieces.push(piece);
    }

    /// Makes the place of a target that the file lacks, behind the source.
    fn fresh_slot(&self, segment: &Segment, attributes: &str) -> Slot {
        let text = self.tokens.text;
        let last = segment.segmented.as_ref().or(segment.source.as_ref());
        let at = last.map_or(0, |source| source.end);
        let tag = segment.source.as_ref().map(|source| source.open);
        let head = text
            .get(..tag.map_or(0, |tag| tag.span.start))
            .unwrap_or_default();
        let blank = head.get(head.trim_end().len()..).unwrap_or_default();
        let source = tag.map_or("source", |tag| tag.name(text));
        let name = match source.rsplit_once(':') {
            Some((prefix, _)) => format!("{prefix}:target"),
            None => "target".to_owned(),
        };
        Slot::new(
            at,
            format!("{blank}<{name}{attributes}>"),
            format!("</{name}>"),
        )
    }

    /// Finds the marked segments of a source that hold text.
    fn marks(&self, segment: &Segment) -> Vec<Mark> {
        let segmented = segment.segmented.as_ref();
        let elements = segmented.map_or_else(Vec::new, |element| self.marks_of(element));
        let mark = |element: Element| {
            let source = self.tokens.content(&element)?;
            Some(Mark { element, source })
        };
        elements.into_iter().filter_map(mark).collect()
    }

    fn marks_of(&self, element: &Element) -> Vec<Element> {
        let tokens = self.tokens;
        let is_mark = |tag: &Token| {
            matches!(tag.kind, TokenKind::Open | TokenKind::Empty)
                && tag.local_name(tokens.text) == "mrk"
                && tokens.attribute(tag, "mtype") == Some("seg")
        };
        let mut marks = Vec::new();
        let mut index = element.content.start;
        while index < element.content.end {
            if !tokens.get(index).as_ref().is_some_and(is_mark) {
                index += 1;
                continue;
            }
            let Some((mark, after)) = tokens.element(index, element.content.end) else {
                break;
            };
            marks.push(mark);
            index = after;
        }
        marks
    }

    /// Takes a unit of XLIFF 1.2 whose source is divided by marks: each is a unit of its own, and the
    /// state is that of all.
    fn take_marks(&mut self, unit: &Unit, segment: &Segment, marks: &[Mark]) {
        let tokens = self.tokens;
        let target = segment.target.as_ref();
        let whole = target.and_then(|target| tokens.content(target));
        let targets = target.map_or_else(Vec::new, |target| self.marks_of(target));
        if whole.is_some() && targets.is_empty() {
            // The target was never divided.
            self.take_segment(unit, segment, true);
            return;
        }
        let is_finished = whole.is_some() && state::is_finished(tokens, segment, false);
        let mut behind = None;
        let mut pieces = Vec::new();
        for (index, mark) in marks.iter().enumerate() {
            let id = tokens.attribute(&mark.element.open, "mid");
            let has_id = |target: &&Element| tokens.attribute(&target.open, "mid") == id;
            let found = targets.iter().find(has_id);
            behind = found.map(|found| found.end).or(behind);
            let old = found.and_then(|found| tokens.content(found));
            if old.is_some() && is_finished {
                self.reading.n_finished += 1;
                continue;
            }
            let (slot, idle) = match (found, target) {
                (Some(found), _) => (Slot::of(tokens.text, found), None),
                (None, Some(target)) if !targets.is_empty() => {
                    let at = behind.unwrap_or(target.inner.start);
                    let (open, close) = self.tags(mark);
                    let slot = Slot::new(at, String::new(), String::new()).within(&open, &close);
                    (slot.clone(), slot.idle())
                }
                (None, _) => {
                    let slot = self.mark_slot(segment, marks, index);
                    (slot.clone(), slot.idle())
                }
            };
            let mut piece = slot.piece(&mark.source, old);
            hint(&mut piece, unit);
            pieces.push((piece, idle));
        }
        pieces.sort_by_key(|(piece, _)| (piece.span.start, piece.span.end));
        self.n_groups += 1;
        let size = pieces.len();
        let mut edits = state::confirmation(tokens, segment);
        for (mut piece, idle) in pieces {
            piece.group = Some(Group {
                id: self.n_groups,
                size,
                idle,
                edits: std::mem::take(&mut edits),
            });
            self.reading.pieces.push(piece);
        }
    }

    /// Makes the place of one mark in a target that has none: with it comes what stands between the
    /// marks of the source, and with the first and the last one the target itself.
    fn mark_slot(&self, segment: &Segment, marks: &[Mark], index: usize) -> Slot {
        let text = self.tokens.text;
        let whole = match &segment.target {
            Some(target) => Slot::of(text, target),
            None => self.fresh_slot(segment, ""),
        };
        let inner = segment
            .segmented
            .as_ref()
            .map_or(Span::new(0, 0), |all| all.inner);
        let before = index.checked_sub(1).and_then(|before| marks.get(before));
        let gap = |mark: &Mark| {
            let from = before.map_or(inner.start, |before| before.element.end);
            Span::new(from, mark.element.open.span.start).of(text)
        };
        let (Some(mark), Some(last)) = (marks.get(index), marks.last()) else {
            return whole;
        };
        let (open, close) = self.tags(mark);
        let is_last = index + 1 == marks.len();
        let rest = Span::new(last.element.end, inner.end).of(text);
        let close = if is_last { close + rest } else { close };
        whole
            .part(index == 0, is_last)
            .within(&format!("{}{open}", gap(mark)), &close)
    }

    /// Returns the tags of a mark.
    fn tags(&self, mark: &Mark) -> (String, String) {
        let tag = mark.element.open;
        let close = format!("</{}>", tag.name(self.tokens.text));
        (tag.span.of(self.tokens.text).to_owned(), close)
    }
}

fn hint(piece: &mut Piece, unit: &Unit) {
    piece.hints.note = note(unit.notes.iter().cloned());
    piece.hints.max_length = unit.max_length;
}

/// A segment that a tool marked in a source of XLIFF 1.2.
struct Mark {
    element: Element,
    source: Content,
}

#[cfg(test)]
mod tests;
