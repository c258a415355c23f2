//! Paragraphs of office files: runs of text with formats, elements around them and things between
//! them, shown as one text with numbered tags. Owns how the runs become a text and which tags it
//! needs; must not know the elements of a format.
//!
//! The format that most of a paragraph has needs no tag. A tag's number is its place among the
//! tags. What stands between two tags and nothing else, raw, is one form of the shown text, so that
//! what a person leaves alone keeps its bytes.

mod apart;
mod draw;
mod marks;
mod outline;
mod recipe;
mod tag;
mod write;

use std::collections::HashMap;

pub(super) use marks::is_mark;
pub(super) use write::write;

use crate::segment::Piece;
use crate::{SegmentKind, Span};

/// Names how a format treats the blanks of its texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Blanks {
    /// Blanks at the edges of a text element need `xml:space="preserve"`.
    Marked,
    /// All blanks count.
    Kept,
    /// Blanks in a row count as one; others are elements of their own.
    Collapsed,
}

/// Holds what a paragraph gives besides its runs.
pub(super) struct Setup {
    pub(super) kind: SegmentKind,
    pub(super) blanks: Blanks,
    pub(super) soft_limit: usize,
    /// Shown with each unit.
    pub(super) note: Option<String>,
}

/// Collects the content of one paragraph, in document order.
pub(super) struct Paragraph<'t> {
    text: &'t str,
    events: Vec<Event>,
    runs: Vec<Run>,
    looks: Vec<Look>,
    by_key: HashMap<String, usize>,
    /// Places of [`Event::Enter`] that are not left yet, and whether text came since.
    entered: Vec<(usize, bool)>,
}

enum Event {
    /// Text of a run.
    Text { span: Span, run: usize },
    /// So many blanks that are an element.
    Blanks { span: Span, run: usize, n: usize },
    /// The start of an element around text; `leave` is the place of its end.
    Enter {
        span: Span,
        open: String,
        leave: Option<usize>,
        is_quiet: bool,
    },
    /// Its end; `enter` is the place of its start.
    Leave { span: Span, enter: Option<usize> },
    /// A thing in the text.
    Single(Single),
    /// The text does not go on across it.
    Break,
}

/// Holds a thing in a text.
pub(super) struct Single {
    pub(super) span: Span,
    /// All of it, for a place between runs.
    pub(super) form: String,
    /// Whether the file may hold it several times.
    pub(super) is_copyable: bool,
    /// Texts inside that are units where the thing stands beside the text and not within.
    pub(super) inner: Vec<Piece>,
}

/// A place in the making of a paragraph.
pub(super) struct Mark {
    n_events: usize,
    n_entered: usize,
}

struct Run {
    span: Span,
    /// Where its text begins at the earliest.
    from: usize,
    look: usize,
    /// Elements of the run around its text.
    depth: usize,
}

/// What text of a run looks like, and how such a run is written.
#[derive(Default)]
pub(super) struct Look {
    /// Equal for what looks the same.
    pub(super) key: String,
    pub(super) open: String,
    pub(super) close: String,
}

impl<'t> Paragraph<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self {
            text,
            events: Vec::new(),
            runs: Vec::new(),
            looks: Vec::new(),
            by_key: HashMap::new(),
            entered: Vec::new(),
        }
    }

    /// Begins a run; text comes into it until the next one begins.
    pub(super) fn open_run(&mut self, start: usize, look: Look) {
        self.add_run(Span::new(start, start), start, look);
    }

    /// Adds a run whose stretch is known, with text from an offset on.
    pub(super) fn add_run(&mut self, span: Span, from: usize, look: Look) {
        let depth = look.close.matches("</text:span>").count();
        let known = self.by_key.get(&look.key).copied();
        let look = known.unwrap_or_else(|| {
            self.by_key.insert(look.key.clone(), self.looks.len());
            self.looks.push(look);
            self.looks.len() - 1
        });
        self.runs.push(Run {
            span,
            from,
            look,
            depth,
        });
    }

    /// Ends the run at an offset.
    pub(super) fn close_run(&mut self, end: usize) {
        if let Some(run) = self.runs.last_mut() {
            run.span.end = end;
        }
    }

    /// Adds text of the run.
    pub(super) fn text(&mut self, span: Span) {
        if let Some(run) = self
            .runs
            .len()
            .checked_sub(1)
            .filter(|_| span.start < span.end)
        {
            self.events.push(Event::Text { span, run });
            self.note_text();
        }
    }

    /// Adds blanks that are an element in the run.
    pub(super) fn blanks(&mut self, span: Span, n: usize) {
        if let Some(run) = self.runs.len().checked_sub(1) {
            self.events.push(Event::Blanks { span, run, n });
            self.note_text();
        }
    }

    fn note_text(&mut self) {
        if let Some((_, has_text)) = self.entered.last_mut() {
            *has_text = true;
        }
    }

    /// Adds a thing.
    pub(super) fn single(&mut self, single: Single) {
        self.events.push(Event::Single(single));
    }

    /// Ends the unit; what follows is another one.
    pub(super) fn part(&mut self) {
        self.entered.clear();
        self.events.push(Event::Break);
    }

    /// Begins an element around text. `open` starts it at a place between runs; a quiet one needs no
    /// tag inside of text that looks the same.
    pub(super) fn enter(&mut self, span: Span, open: String, is_quiet: bool) {
        self.entered.push((self.events.len(), false));
        self.events.push(Event::Enter {
            span,
            open,
            leave: None,
            is_quiet,
        });
    }

    /// Ends the innermost element; one without text is a thing.
    pub(super) fn leave(&mut self, span: Span) {
        let at = self.events.len();
        let entered = self.entered.pop();
        if let Some((enter, false)) = entered {
            self.collapse(enter, span.end);
            return;
        }
        if entered.is_some() {
            self.note_text();
        }
        let enter = entered.map(|(enter, _)| enter);
        if let Some(Event::Enter { leave, .. }) = enter.and_then(|enter| self.events.get_mut(enter))
        {
            *leave = Some(at);
        }
        self.events.push(Event::Leave { span, enter });
    }

    /// Makes a thing of an element without text.
    fn collapse(&mut self, enter: usize, end: usize) {
        let content = self.events.split_off(enter);
        let mut whole = Single {
            span: Span::new(end, end),
            form: String::new(),
            is_copyable: false,
            inner: Vec::new(),
        };
        for event in content {
            match event {
                Event::Enter { span, open, .. } if whole.form.is_empty() => {
                    whole.span.start = span.start;
                    whole.form = open + Span::new(span.end, end).of(self.text);
                }
                Event::Single(single) => whole.inner.extend(single.inner),
                Event::Enter { .. }
                | Event::Leave { .. }
                | Event::Text { .. }
                | Event::Blanks { .. }
                | Event::Break => {}
            }
        }
        self.events.push(Event::Single(whole));
    }

    /// Notes how far the paragraph had come before its last thing.
    pub(super) fn mark_before_last(&self) -> Mark {
        Mark {
            n_events: self.events.len().saturating_sub(1),
            n_entered: self.entered.len(),
        }
    }

    /// Takes back the last thing.
    pub(super) fn drop_last(&mut self) {
        if let Some(Event::Single(_)) = self.events.last() {
            self.events.pop();
        }
    }

    /// Takes back what came since a mark, unless elements begin or end between.
    pub(super) fn rewind(&mut self, mark: &Mark) -> bool {
        let since = self.events.iter().skip(mark.n_events);
        let ends_outside = |event: &Event| match event {
            Event::Leave { enter, .. } => enter.is_none_or(|enter| enter < mark.n_events),
            Event::Break => true,
            Event::Enter { .. } | Event::Text { .. } | Event::Blanks { .. } | Event::Single(_) => {
                false
            }
        };
        let fits = self.entered.len() == mark.n_entered && !since.clone().any(ends_outside);
        if fits {
            self.events.truncate(mark.n_events);
        }
        fits
    }

    /// Appends the units of the paragraph, and those of the things beside its text.
    pub(super) fn finish(mut self, setup: &Setup, pieces: &mut Vec<Piece>) {
        let parts = self.parts();
        let found = pieces.len();
        for part in parts {
            outline::Outline::new(&self, part).read(setup, pieces);
        }
        let own: Vec<Span> = pieces.iter().skip(found).map(|piece| piece.span).collect();
        for event in &mut self.events {
            if let Event::Single(single) = event {
                let after = own.partition_point(|span| span.end <= single.span.start);
                let within = own
                    .get(after)
                    .is_some_and(|span| span.start < single.span.end);
                if !within {
                    pieces.append(&mut single.inner);
                }
            }
        }
    }

    /// Returns the stretches of events in which each element that begins also ends.
    fn parts(&self) -> Vec<std::ops::Range<usize>> {
        let parts_at = |event: &Event| match event {
            Event::Enter { leave: None, .. } | Event::Leave { enter: None, .. } | Event::Break => {
                true
            }
            Event::Enter { .. }
            | Event::Leave { .. }
            | Event::Text { .. }
            | Event::Blanks { .. }
            | Event::Single(_) => false,
        };
        let breaks = self.events.iter().map(parts_at);
        let mut parts = Vec::new();
        let mut start = 0;
        for (at, parts_here) in breaks.enumerate() {
            if parts_here {
                parts.push(start..at);
                start = at + 1;
            }
        }
        parts.push(start..self.events.len());
        parts
    }
}
