//! Walks the events of a YAML text with the keys around each, and makes pieces of the scalars that
//! are wanted. Must not know how a scalar is written.

mod forms;

use std::borrow::Cow;

use saphyr_parser::{Event, Parser, ScalarStyle, Span as Marks, Tag};

use super::resolve::is_string;
use super::scalar::{Style, locate, show, skip_properties};
use crate::format::Notation;
use crate::format::keyed::profile::Profile;
use crate::format::keyed::{Choose, Holds, Key, Keys};
use crate::format::plural::Entries;
use crate::segment::Piece;
use crate::shown::ShownBuilder;
use crate::text::first_line_end;
use crate::{SegmentKind, Span};

/// Continued lines of a quoted scalar are indented no further.
const DEEPEST: usize = 200;

/// A walk through one text.
pub(super) struct Walk<'t, 'w> {
    text: &'t str,
    /// The part of the text that is YAML.
    part: Span,
    choose: &'w Choose<'w>,
    places: Places<'t>,
    line_end: &'static str,
    keys: Keys<'t>,
    frames: Vec<Frame>,
    /// Keys and documents at the outermost level.
    n_outer: usize,
    pub(super) pieces: Vec<Piece>,
    pub(super) profile: Profile,
    pub(super) plurals: Entries,
    /// The only outermost key, where a mapping stands under it.
    pub(super) language: Option<Span>,
    /// Where the parser gave up.
    pub(super) failed: Option<usize>,
}

/// A mapping or list that is open.
#[derive(Debug, Clone, Copy)]
struct Frame {
    /// What comes next.
    next: Next,
    /// What its plural forms know it by.
    number: usize,
    is_flow: bool,
    /// Whether it is a key itself, or inside one.
    in_key: bool,
}

/// What comes next in a mapping or list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Next {
    Key,
    Value,
    Item,
}

/// A scalar as the parser gives it.
struct Scalar<'t> {
    value: Cow<'t, str>,
    style: ScalarStyle,
    has_properties: bool,
    is_text: bool,
    span: Span,
    column: usize,
}

impl<'t, 'w> Walk<'t, 'w> {
    pub(super) fn new(text: &'t str, part: Span, choose: &'w Choose<'w>) -> Self {
        Self {
            text,
            part,
            choose,
            places: Places::new(part.of(text)),
            line_end: first_line_end(text),
            keys: Keys::default(),
            frames: Vec::new(),
            n_outer: 0,
            pieces: Vec::new(),
            profile: Profile::default(),
            plurals: Entries::default(),
            language: None,
            failed: None,
        }
    }

    /// Reads as far as the text can be read.
    pub(super) fn run(&mut self) {
        for event in Parser::new_from_str(self.part.of(self.text)) {
            match event {
                Ok((event, marks)) => self.take(event, marks),
                Err(error) => {
                    let at = self.part.start + self.places.byte(error.marker().index());
                    self.fail(at);
                    break;
                }
            }
        }
        // One document with one key.
        if self.n_outer != 2 {
            self.language = None;
        }
    }

    /// Takes note of where reading ends. What was read of that line may mean something else.
    fn fail(&mut self, at: usize) {
        self.failed = Some(at);
        let head = self.text.get(..at).unwrap_or_default();
        let line = head.rfind('\n').map_or(0, |end| end + 1);
        self.pieces.retain(|piece| piece.span.end <= line);
    }

    fn take(&mut self, event: Event<'t>, marks: Marks) {
        match event {
            Event::MappingStart(anchor, tag) => self.open(true, anchor > 0 || tag.is_some(), marks),
            Event::SequenceStart(anchor, tag) => {
                self.open(false, anchor > 0 || tag.is_some(), marks);
            }
            Event::MappingEnd | Event::SequenceEnd => {
                self.frames.pop();
                self.keys.0.pop();
                self.go_on();
            }
            Event::Alias(_) => self.go_on(),
            Event::Scalar(value, style, anchor, tag) => {
                let scalar = Scalar {
                    is_text: is_text(&value, style, tag.as_deref()),
                    value,
                    style,
                    has_properties: anchor > 0 || tag.is_some(),
                    span: self.span(marks),
                    column: marks.start.col(),
                };
                self.take_scalar(&scalar);
                self.go_on();
            }
            Event::DocumentStart(_) => self.n_outer += 1,
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentEnd => {}
        }
    }

    fn span(&mut self, marks: Marks) -> Span {
        let start = self.places.byte(marks.start.index());
        let end = self.places.clone().byte(marks.end.index());
        Span::new(self.part.start + start, self.part.start + end)
    }

    fn open(&mut self, is_mapping: bool, has_properties: bool, marks: Marks) {
        let mut span = self.span(marks);
        if has_properties {
            span.start = skip_properties(self.text, span);
        }
        let outer = self.frames.last().copied();
        if outer.is_some_and(|frame| frame.next == Next::Key) {
            self.keys.set_name("".into());
        }
        if self.frames.len() == 1 && !is_mapping {
            self.language = None;
        }
        self.frames.push(Frame {
            next: if is_mapping { Next::Key } else { Next::Item },
            number: self.plurals.open(),
            is_flow: outer.is_some_and(|frame| frame.is_flow)
                || span.of(self.text).starts_with(['{', '[']),
            in_key: outer.is_some_and(|frame| frame.in_key || frame.next == Next::Key),
        });
        self.keys.0.push(if is_mapping {
            Key::Name("".into())
        } else {
            Key::Index(0)
        });
    }

    /// Goes on behind a key or value.
    fn go_on(&mut self) {
        let Some(frame) = self.frames.last_mut() else {
            return;
        };
        frame.next = match frame.next {
            Next::Key => Next::Value,
            Next::Value => Next::Key,
            Next::Item => {
                self.keys.next_index();
                Next::Item
            }
        };
    }

    fn take_scalar(&mut self, scalar: &Scalar<'t>) {
        let Some(frame) = self.frames.last().copied() else {
            return;
        };
        if frame.next != Next::Key {
            if self.frames.len() == 1 {
                self.language = None;
            }
            if scalar.is_text && !frame.in_key {
                self.take_text(scalar, frame, false);
            }
            return;
        }
        if self.frames.len() == 1 {
            self.n_outer += 1;
            let place = locate(self.text, scalar.span, scalar.style, scalar.has_properties);
            self.language = place.map(|(_, span)| span);
        }
        let is_title = scalar.is_text && self.profile.has_titles_as_keys(&self.keys);
        if is_title && !frame.in_key {
            self.take_text(scalar, frame, true);
        }
        self.keys.set_name(scalar.value.clone());
        self.profile.take_key(&self.keys);
        self.plurals.count(frame.number);
        if !frame.in_key && !scalar.has_properties {
            self.take_form(scalar, frame);
        }
    }

    /// Makes a piece of a scalar that holds text.
    fn take_text(&mut self, scalar: &Scalar<'_>, frame: Frame, is_key: bool) {
        let holds = (self.choose)(&self.keys, &scalar.value);
        let found = locate(self.text, scalar.span, scalar.style, scalar.has_properties);
        let Some((style, inner)) = found.filter(|_| holds != Holds::Code) else {
            return;
        };
        let style = match style {
            Style::Plain { .. } => Style::Plain {
                is_flow: frame.is_flow,
                is_key,
            },
            Style::Single | Style::Double | Style::Literal(_) | Style::Folded(_) => style,
        };
        let mut builder = ShownBuilder::new(self.text, inner.start);
        show(self.text, inner, style, &mut builder);
        let Some((span, shown)) = builder.finish() else {
            return;
        };
        if shown.text != scalar.value.trim() {
            return;
        }
        if !is_key && !scalar.has_properties {
            self.end_form(frame, (style, inner), &shown.text);
        }
        self.profile
            .take_piece(&self.keys, is_key || holds == Holds::Wanted);
        let mut piece = Piece::coded(span, shown, SegmentKind::Value, Notation::Yaml(style));
        piece.hints.note = self.keys.note();
        piece.is_whole = matches!(style, Style::Plain { .. });
        let indent = match style {
            Style::Literal(indent) | Style::Folded(indent) => indent,
            Style::Single | Style::Double | Style::Plain { .. } => scalar.column.min(DEEPEST),
        };
        piece.fresh = format!("{}{}", self.line_end, " ".repeat(indent));
        self.pieces.push(piece);
    }
}

/// Tells whether a scalar is text to YAML: not a number, a truth value or a program's own type.
fn is_text(value: &str, style: ScalarStyle, tag: Option<&Tag>) -> bool {
    match tag {
        Some(tag) => tag.suffix.is_empty() || tag.is_yaml_core_schema() && tag.suffix == "str",
        None => style != ScalarStyle::Plain || is_string(value),
    }
}

/// Finds the bytes of characters that the parser counts, in ascending order.
#[derive(Debug, Clone)]
struct Places<'t> {
    text: &'t str,
    is_ascii: bool,
    characters: usize,
    bytes: usize,
}

impl<'t> Places<'t> {
    fn new(text: &'t str) -> Self {
        Self {
            text,
            is_ascii: text.is_ascii(),
            characters: 0,
            bytes: 0,
        }
    }

    fn byte(&mut self, index: usize) -> usize {
        if self.is_ascii {
            return index.min(self.text.len());
        }
        let wanted = index.saturating_sub(self.characters);
        let rest = self.text.get(self.bytes..).unwrap_or_default();
        let length: usize = rest.chars().take(wanted).map(char::len_utf8).sum();
        self.characters += wanted;
        self.bytes += length;
        self.bytes
    }
}
