//! The way back of a unit of runs. A stretch of text or a row of tags that stands as in the source
//! keeps its raw form; anything else is written as runs of its own. What comes out is well-formed
//! whatever a person does to the tags, and things that nobody may lose are put at the end.

use std::collections::HashSet;

use super::Blanks;
use super::apart::{Group, Part, Source, Stretch, sound_parts};
use super::marks::Marks;
use super::recipe::{Recipe, Row};
use super::tag::{Tag, undisguise};
use crate::Span;
use crate::format::xml;
use crate::shown::Place;

/// Writes a target in the place of its source.
pub(crate) fn write(blanks: Blanks, place: &Place<'_>, target: &str) -> String {
    let recipe = Recipe::decode(place.fresh);
    let source = Source::new(place, &recipe);
    let parts = sound_parts(target, &source, &recipe);
    let mut writer = Writer {
        blanks,
        place,
        recipe: &recipe,
        out: String::with_capacity(target.len() * 2),
        path: Vec::new(),
        in_run: source.starts_in_run,
        depth: recipe.depth,
        is_fresh: false,
        after_blank: false,
        used: HashSet::new(),
        stretch: source.stretches.get(&0).copied(),
    };
    for part in &parts {
        match part {
            Part::Text(text) => writer.text(text),
            Part::Tags(tags) => writer.tags(tags, &source),
        }
    }
    writer.finish(&source)
}

/// What is written so far.
struct Writer<'w> {
    blanks: Blanks,
    place: &'w Place<'w>,
    recipe: &'w Recipe<'w>,
    out: String,
    /// Open tags, outermost first.
    path: Vec<usize>,
    in_run: bool,
    /// Elements of a run that are open.
    depth: usize,
    /// Whether what was written last is text of the target and not of the file.
    is_fresh: bool,
    /// Whether a further blank would not count.
    after_blank: bool,
    /// Raw stretches of the file that were written, or whose marks were.
    used: HashSet<Span>,
    /// The source's text at this place.
    stretch: Option<Stretch<'w>>,
}

impl<'w> Writer<'w> {
    fn text(&mut self, text: &str) {
        let stretch = self.stretch.take();
        let Some(stretch) = stretch.filter(|stretch| self.used.insert(stretch.raw)) else {
            self.fresh(text);
            return;
        };
        let own = undisguise(stretch.shown);
        let parts = text.split_once(own.as_ref());
        if let Some((before, after)) = parts.filter(|_| self.reaches(stretch.depth.0)) {
            self.fresh(before);
            self.open_run();
            self.depth = stretch.depth.1;
            self.out.push_str(stretch.raw.of(self.place.text));
            self.is_fresh = false;
            self.after_blank = own.ends_with(' ');
            self.fresh(after);
            return;
        }
        let marks = Marks::find(self.place.text, stretch.raw);
        self.between(&marks.opening);
        self.fresh(text);
        self.between(&marks.other);
    }

    fn tags(&mut self, tags: &[Tag], source: &Source<'w>) {
        let mut shown = String::new();
        for tag in tags {
            tag.show(&mut shown);
        }
        let same = source.groups.get(shown.as_str()).filter(|group| {
            group.path == self.path
                && group.starts_in_run == self.in_run
                && group.depth.0 == self.depth
                && !self.used.contains(&group.raw)
        });
        match same {
            Some(group) => self.same_tags(tags, group),
            None => self.other_tags(tags, source),
        }
        let last = tags.last().and_then(|tag| source.group_of.get(tag));
        let after = last.and_then(|tags| source.groups.get(tags));
        self.stretch = after.and_then(|group| source.stretches.get(&group.place).copied());
    }

    fn same_tags(&mut self, tags: &[Tag], group: &Group) {
        if group.starts_in_run {
            self.mark_blanks();
        }
        self.used.insert(group.raw);
        self.out.push_str(group.raw.of(self.place.text));
        self.is_fresh = false;
        self.in_run = group.ends_in_run;
        self.depth = group.depth.1;
        for tag in tags {
            match tag {
                Tag::Open(number) => self.path.push(*number),
                Tag::Close(_) => {
                    self.path.pop();
                }
                Tag::Single(_) => self.after_blank = false,
            }
        }
    }

    fn other_tags(&mut self, tags: &[Tag], source: &Source<'w>) {
        self.leave_run();
        for tag in tags {
            let (Tag::Open(number) | Tag::Close(number) | Tag::Single(number)) = *tag;
            let raw = match (self.recipe.row(number), tag) {
                (Some(Row::Pair { enter, .. }), Tag::Open(_)) => {
                    self.path.push(number);
                    enter
                }
                (Some(Row::Pair { leave, .. }), Tag::Close(_)) => {
                    self.path.pop();
                    leave
                }
                (Some(Row::Single { form, .. }), Tag::Single(_)) => {
                    self.after_blank = false;
                    form
                }
                (Some(_) | None, _) => "",
            };
            self.out.push_str(raw);
        }
        for tag in tags {
            let group = source
                .group_of
                .get(tag)
                .and_then(|tags| source.groups.get(tags));
            if let Some(group) = group.filter(|group| self.used.insert(group.raw)) {
                let marks = Marks::find(self.place.text, group.raw);
                self.between(&marks.opening);
                self.between(&marks.other);
            }
        }
    }

    /// Comes to where the source ends, with the marks of what was not used.
    fn finish(mut self, source: &Source<'_>) -> String {
        for raw in source.raws() {
            if self.used.insert(raw) {
                let marks = Marks::find(self.place.text, raw);
                self.between(&marks.opening);
                self.between(&marks.other);
            }
        }
        if source.ends_in_run {
            self.open_run();
        } else {
            self.leave_run();
        }
        for _ in source.depth..self.depth {
            self.out.push_str("</text:span>");
        }
        for _ in self.depth..source.depth {
            self.out.push_str("<text:span>");
        }
        self.out
    }

    /// Tells whether so many elements of a run are open, or will be in a new one.
    fn reaches(&self, depth: usize) -> bool {
        let opened = if self.in_run {
            self.depth
        } else {
            self.n_opened()
        };
        opened == depth
    }

    /// Counts the elements that a new run opens, where they are counted.
    fn n_opened(&self) -> usize {
        match self.blanks {
            Blanks::Collapsed => self.run().0.matches('<').count(),
            Blanks::Marked | Blanks::Kept => 0,
        }
    }

    /// Writes what stands between runs.
    fn between(&mut self, raw: &str) {
        if !raw.is_empty() {
            self.leave_run();
            self.out.push_str(raw);
            self.is_fresh = false;
        }
    }

    fn run(&self) -> (&'w str, &'w str) {
        self.recipe.run(self.path.last().copied().unwrap_or(0))
    }

    fn open_run(&mut self) {
        if !self.in_run {
            self.in_run = true;
            self.depth = self.n_opened();
            self.out.push_str(self.run().0);
            self.is_fresh = false;
        }
    }

    fn leave_run(&mut self) {
        if self.in_run {
            self.mark_blanks();
            self.in_run = false;
            match self.blanks {
                // The text may stand in spans that look like none.
                Blanks::Collapsed => self.out.push_str(&"</text:span>".repeat(self.depth)),
                Blanks::Marked | Blanks::Kept => self.out.push_str(self.run().1),
            }
            self.depth = 0;
            self.is_fresh = false;
        }
    }

    /// Writes text that the source has not.
    fn fresh(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        self.open_run();
        if text.starts_with(' ') && self.begins_unmarked() {
            self.begin_marked();
        }
        for c in text.chars() {
            self.character(c);
        }
        self.is_fresh = true;
    }

    fn character(&mut self, c: char) {
        let c = match (self.blanks, c) {
            (Blanks::Collapsed, '\t' | '\n') => ' ',
            _ => c,
        };
        match c {
            '<' => self.out.push_str("&lt;"),
            '&' => self.out.push_str("&amp;"),
            '>' if self.out.ends_with("]]") => self.out.push_str("&gt;"),
            ' ' if self.blanks == Blanks::Collapsed && self.after_blank => {
                self.out.push_str("<text:s/>");
            }
            '\r' => {}
            c if xml::is_allowed(c) => self.out.push(c),
            _ => {}
        }
        self.after_blank = c == ' ';
    }

    /// Puts the blanks at the end of a text element into one that keeps them.
    fn mark_blanks(&mut self) {
        if self.blanks != Blanks::Marked || !self.is_fresh || self.is_marked() {
            return;
        }
        let length = self.out.trim_end_matches(' ').len();
        let blanks = self.out.split_off(length);
        if !blanks.is_empty() {
            self.begin_marked();
            self.out.push_str(&blanks);
        }
    }

    /// Goes on in another text element of the run, which keeps its blanks.
    fn begin_marked(&mut self) {
        let (open, close) = self.run();
        self.out.push_str(first_tag(close));
        self.out.push_str(last_tag(open));
    }

    /// Tells whether blanks at the edges of the text element count.
    fn is_marked(&self) -> bool {
        last_tag(self.before()).contains("preserve") || self.run().0.is_empty()
    }

    /// Tells whether a text element begins here in which blanks at the edges do not count.
    fn begins_unmarked(&self) -> bool {
        let tag = last_tag(self.before());
        self.blanks == Blanks::Marked && !self.is_marked() && tag.find('>') == Some(tag.len() - 1)
    }

    /// Returns what is written so far; where that has no tag, what stands before it.
    fn before(&self) -> &str {
        if self.out.contains('<') {
            &self.out
        } else {
            self.place
                .text
                .get(..self.place.span.start)
                .unwrap_or_default()
        }
    }
}

/// Returns the first tag of a raw text.
pub(super) fn first_tag(raw: &str) -> &str {
    raw.split_inclusive('>').next().unwrap_or_default()
}

/// Returns a raw text from its last tag on.
fn last_tag(raw: &str) -> &str {
    raw.rfind('<')
        .and_then(|at| raw.get(at..))
        .unwrap_or_default()
}
