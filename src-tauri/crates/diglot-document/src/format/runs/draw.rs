//! The shown text of a unit of runs: characters without their escapes, and numbered tags where the
//! look changes, an element begins or ends, or a thing stands. Must not know a format's elements.

use super::outline::Outline;
use super::recipe::{Row, encode};
use super::tag::{Tag, disguise};
use super::{Blanks, Event, Look};
use crate::Span;
use crate::format::xml;
use crate::shown::{Shown, ShownBuilder};

/// A shown text in the making.
pub(super) struct Drawing<'o, 'p, 't> {
    outline: &'o Outline<'p, 't>,
    text: &'t str,
    blanks: Blanks,
    extent: Span,
    builder: ShownBuilder<'t>,
    /// Up to here the builder read.
    at: usize,
    /// Characters since the last tag.
    stretch: String,
    glyphs: Vec<Glyph>,
    /// Tags since the last character.
    group: String,
    /// Things, and blanks that look like anything, since the last tag or character: whether they
    /// stand inside of a format, what comes next tells.
    waiting: Vec<&'p Event>,
    levels: Vec<Level>,
    n_levels: usize,
    /// What each tag stands for, by its number; 0 is the text outside of tags.
    rows: Vec<String>,
    is_sound: bool,
    /// Whether a further blank does not count.
    after_blank: bool,
}

/// One character of a stretch, or the blanks of an element.
struct Glyph {
    /// First byte in the stretch; its last byte is before the next one.
    from: usize,
    raw: Span,
}

/// An element with text in it; the paragraph itself is the outermost one.
struct Level {
    /// Of its tag.
    number: usize,
    base: Option<usize>,
    /// The format that is open: the number of its tag, and its look.
    format: Option<(usize, usize)>,
}

impl<'o, 'p, 't> Drawing<'o, 'p, 't> {
    pub(super) fn new(outline: &'o Outline<'p, 't>, blanks: Blanks, extent: Span) -> Self {
        let text = outline.paragraph.text;
        let level = Level {
            number: 0,
            base: outline.base(0),
            format: None,
        };
        Self {
            outline,
            text,
            blanks,
            extent,
            builder: ShownBuilder::new(text, extent.start),
            at: extent.start,
            stretch: String::new(),
            glyphs: Vec::new(),
            group: String::new(),
            waiting: Vec::new(),
            levels: vec![level],
            n_levels: 1,
            rows: Vec::new(),
            is_sound: true,
            after_blank: false,
        }
    }

    /// Returns the raw span, what is shown of it, and a row for each tag.
    pub(super) fn draw(mut self) -> Option<(Span, Shown, Vec<String>)> {
        self.add_pair("", "", self.outline.base(0));
        for (at, event) in self.outline.events() {
            match event {
                Event::Text { .. } | Event::Blanks { .. } | Event::Single(_)
                    if self.outline.is_neutral(at) =>
                {
                    self.waiting.push(event);
                }
                Event::Text { span, .. } => {
                    self.begin_text(at);
                    self.take_text(*span);
                }
                Event::Enter {
                    span,
                    open,
                    leave: Some(leave),
                    ..
                } if !self.outline.is_quiet(at) => {
                    self.enter(*span, open, *leave);
                }
                Event::Leave {
                    enter: Some(enter), ..
                } if !self.outline.is_quiet(*enter) => {
                    self.leave();
                }
                Event::Enter { .. }
                | Event::Leave { .. }
                | Event::Blanks { .. }
                | Event::Single(_)
                | Event::Break => {}
            }
        }
        self.close_format();
        self.place_things();
        self.show_stretch();
        if !self.group.is_empty() {
            self.builder.write(self.extent.end, &self.group);
        }
        let (span, shown) = self.builder.finish().filter(|_| self.is_sound)?;
        Some((span, shown, self.rows))
    }

    /// Sets the tags before a text.
    fn begin_text(&mut self, at: usize) {
        let look = self.outline.look_of(at);
        let (base, format) = self.levels.last().map_or((None, None), |level| {
            (level.base, level.format.map(|(_, look)| look))
        });
        if look != format {
            self.close_format();
        }
        self.place_things();
        if let Some(look) = look.filter(|look| Some(*look) != base && Some(*look) != format) {
            let number = self.add_pair("", "", Some(look));
            if let Some(level) = self.levels.last_mut() {
                level.format = Some((number, look));
            }
            self.tag(Tag::Open(number));
        }
    }

    fn close_format(&mut self) {
        let format = self.levels.last_mut().and_then(|level| level.format.take());
        if let Some((number, _)) = format {
            self.tag(Tag::Close(number));
        }
    }

    fn place_things(&mut self) {
        for event in std::mem::take(&mut self.waiting) {
            match event {
                Event::Single(single) => {
                    let row = Row::Single {
                        form: &single.form,
                        is_copyable: single.is_copyable,
                    };
                    let number = self.add_row(&row);
                    self.tag(Tag::Single(number));
                    self.after_blank = false;
                }
                Event::Text { span, .. } => self.take_text(*span),
                Event::Blanks { span, n, .. } => {
                    self.take_glyph(&" ".repeat(*n), *span);
                    self.after_blank = false;
                }
                Event::Enter { .. } | Event::Leave { .. } | Event::Break => {}
            }
        }
    }

    fn enter(&mut self, span: Span, open: &str, leave: usize) {
        self.close_format();
        self.place_things();
        let base = self.outline.base(self.n_levels);
        self.n_levels += 1;
        let end = match self.outline.paragraph.events.get(leave) {
            Some(Event::Leave { span, .. }) => span.of(self.text),
            _ => "",
        };
        // An empty start stands for its raw form.
        let open = if open.is_empty() {
            span.of(self.text)
        } else {
            open
        };
        let number = self.add_pair(open, end, base);
        self.levels.push(Level {
            number,
            base,
            format: None,
        });
        self.tag(Tag::Open(number));
    }

    fn leave(&mut self) {
        self.close_format();
        self.place_things();
        if let Some(level) = self.levels.pop() {
            self.tag(Tag::Close(level.number));
        }
    }

    fn tag(&mut self, tag: Tag) {
        self.show_stretch();
        tag.show(&mut self.group);
    }

    fn add_pair(&mut self, enter: &str, leave: &str, look: Option<usize>) -> usize {
        let looks = &self.outline.paragraph.looks;
        let look = look.or_else(|| self.outline.first_look());
        let (open, close) = match look.and_then(|look| looks.get(look)) {
            Some(Look { open, close, .. }) => (open.as_str(), close.as_str()),
            None => ("", ""),
        };
        self.add_row(&Row::Pair {
            enter,
            leave,
            open,
            close,
        })
    }

    fn add_row(&mut self, row: &Row<'_>) -> usize {
        let number = self.rows.len();
        let mut text = String::new();
        self.is_sound &= encode(number, row, &mut text);
        self.rows.push(text);
        number
    }

    fn take_text(&mut self, span: Span) {
        let mut at = span.start;
        while let Some(c) = Span::new(at, span.end).of(self.text).chars().next() {
            let rest = Span::new(at, span.end).of(self.text);
            let is_blank = |c: &char| matches!(c, ' ' | '\t' | '\n' | '\r');
            let (length, shown) = if self.blanks == Blanks::Collapsed && is_blank(&c) {
                (rest.chars().take_while(is_blank).count(), ' ')
            } else if c == '&' {
                let known = xml::reference(rest);
                let known = known.and_then(|(length, c)| Some((length, c?)));
                known.unwrap_or((1, c))
            } else {
                (c.len_utf8(), c)
            };
            let raw = Span::new(at, at + length);
            at += length;
            let is_collapsed = self.blanks == Blanks::Collapsed && shown == ' ';
            if !(is_collapsed && self.after_blank) {
                self.take_glyph(shown.encode_utf8(&mut [0; 4]), raw);
            }
            self.after_blank = is_collapsed;
        }
    }

    fn take_glyph(&mut self, shown: &str, raw: Span) {
        if !self.group.is_empty() {
            self.builder.write(raw.start, &self.group);
            self.group.clear();
            self.at = raw.start;
        }
        let from = self.stretch.len();
        self.glyphs.push(Glyph { from, raw });
        self.stretch.push_str(shown);
    }

    /// Shows the characters since the last tag. What stands between two runs is not seen.
    fn show_stretch(&mut self) {
        let glyphs = std::mem::take(&mut self.glyphs);
        let stretch = std::mem::take(&mut self.stretch);
        let ends = glyphs.iter().skip(1).map(|glyph| glyph.from);
        let ends = ends.chain(std::iter::once(stretch.len()));
        for (Glyph { from, raw }, end) in glyphs.iter().zip(ends) {
            if raw.start > self.at {
                self.builder.write(raw.start, "");
            }
            let shown = stretch.get(*from..end).unwrap_or_default();
            let rest = stretch.get(*from..).unwrap_or_default();
            match disguise(rest) {
                Some(disguised) => self.builder.write(raw.end, disguised),
                None if raw.of(self.text) == shown => self.builder.copy(raw.end),
                None => self.builder.write(raw.end, shown),
            }
            self.at = raw.end;
        }
    }
}
