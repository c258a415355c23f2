//! From the events of a paragraph to its units: which stretch of the file they take, which format
//! needs no tag, and the numbers of the tags. Must not know a format's elements.

use std::collections::HashMap;
use std::ops::Range;

use super::draw::Drawing;
use super::recipe::encode_depth;
use super::tag::Tag;
use super::{Event, Paragraph, Setup};
use crate::Span;
use crate::divide::divide;
use crate::format::{Notation, xml};
use crate::segment::{Part, Piece};
use crate::shown::{Form, Shown};
use crate::text::has_prose;

/// A part of a paragraph in the making.
pub(super) struct Outline<'p, 't> {
    pub(super) paragraph: &'p Paragraph<'t>,
    /// Events that belong to it.
    part: Range<usize>,
    /// Events between its first and its last text, with the elements that begin or end there.
    inner: Range<usize>,
    /// For each level, which is an element with text in it, the look that needs no tag.
    base: Vec<Option<usize>>,
    /// Starts of elements that show no tag.
    quiet: Vec<usize>,
    /// Whether the unit begins outside of a run.
    is_between: bool,
}

impl<'p, 't> Outline<'p, 't> {
    pub(super) fn new(paragraph: &'p Paragraph<'t>, part: Range<usize>) -> Self {
        Self {
            paragraph,
            inner: part.start..part.start,
            part,
            base: Vec::new(),
            quiet: Vec::new(),
            is_between: false,
        }
    }

    /// Appends the units of the part.
    pub(super) fn read(mut self, setup: &Setup, pieces: &mut Vec<Piece>) {
        let Some((first, last)) = self.bounds() else {
            return;
        };
        self.inner = first..last + 1;
        self.find_quiet();
        self.find_bases();
        let extent = self.extent();
        if let Some((span, shown, rows)) = Drawing::new(&self, setup.blanks, extent).draw() {
            self.divide(span, shown, &rows, setup, pieces);
        }
    }

    fn event(&self, at: usize) -> Option<&'p Event> {
        self.paragraph.events.get(at)
    }

    /// Walks the events of the unit with their places.
    pub(super) fn events(&self) -> impl Iterator<Item = (usize, &'p Event)> + use<'p, 't> {
        let events = self.paragraph.events.get(self.inner.clone());
        self.inner.clone().zip(events.unwrap_or_default())
    }

    /// Returns the places of the first and the last event: texts that are not blank, or the
    /// outermost element that begins before the first one and ends before the last one, and so on.
    fn bounds(&self) -> Option<(usize, usize)> {
        let mut texts = self.part.clone().filter(|at| self.has_letters(*at));
        let first = texts.next()?;
        let last = texts.next_back().unwrap_or(first);
        let begins = |at: &usize| match self.event(*at) {
            Some(Event::Enter {
                leave: Some(leave), ..
            }) => *leave > first && *leave <= last,
            _ => false,
        };
        let ends = |at: &usize| match self.event(*at) {
            Some(Event::Leave {
                enter: Some(enter), ..
            }) => *enter < last && *enter >= first,
            _ => false,
        };
        let from = (self.part.start..first).find(begins).unwrap_or(first);
        let to = (last + 1..self.part.end).rev().find(ends).unwrap_or(last);
        Some((from, to))
    }

    fn has_letters(&self, at: usize) -> bool {
        match self.event(at) {
            Some(Event::Text { span, .. }) => {
                let raw = span.of(self.paragraph.text);
                !xml::unescaped(raw).trim().is_empty()
            }
            _ => false,
        }
    }

    pub(super) fn look_of(&self, at: usize) -> Option<usize> {
        let run = match self.event(at)? {
            Event::Text { run, .. } | Event::Blanks { run, .. } => *run,
            Event::Enter { .. } | Event::Leave { .. } | Event::Single(_) | Event::Break => {
                return None;
            }
        };
        self.paragraph.runs.get(run).map(|run| run.look)
    }

    /// Returns the look of the first text.
    pub(super) fn first_look(&self) -> Option<usize> {
        self.inner.clone().find_map(|at| self.look_of(at))
    }

    /// Finds the elements that need no tag: around text of one look, amid text that looks the same.
    fn find_quiet(&mut self) {
        let mut found = Vec::new();
        for (at, event) in self.events() {
            let Event::Enter {
                leave: Some(leave),
                is_quiet: true,
                ..
            } = event
            else {
                continue;
            };
            let inside = self.look_of(at + 1);
            let around = at
                .checked_sub(1)
                .filter(|before| self.inner.contains(before));
            let amid = around.and_then(|before| self.look_of(before)) == inside
                && self.inner.contains(&(leave + 1))
                && self.look_of(leave + 1) == inside;
            if inside.is_some() && amid && (at + 1..*leave).all(|at| self.look_of(at) == inside) {
                found.push(at);
            }
        }
        self.quiet = found;
    }

    pub(super) fn is_quiet(&self, enter: usize) -> bool {
        self.quiet.binary_search(&enter).is_ok()
    }

    /// Finds, for each level, the look that most of its text has; the first of several.
    fn find_bases(&mut self) {
        let mut lengths: HashMap<(usize, usize), usize> = HashMap::new();
        let mut seen = Vec::new();
        let mut levels = vec![0];
        let mut n_levels = 1;
        for (at, event) in self.events() {
            match event {
                Event::Enter { .. } if !self.is_quiet(at) => {
                    levels.push(n_levels);
                    n_levels += 1;
                }
                Event::Leave {
                    enter: Some(enter), ..
                } if !self.is_quiet(*enter) => {
                    levels.pop();
                }
                Event::Text { span, .. } => {
                    let Some(look) = self.look_of(at).filter(|_| !self.is_neutral(at)) else {
                        continue;
                    };
                    let key = (levels.last().copied().unwrap_or(0), look);
                    let length = lengths.entry(key).or_insert_with(|| {
                        seen.push(key);
                        0
                    });
                    *length += span.end - span.start;
                }
                Event::Enter { .. }
                | Event::Leave { .. }
                | Event::Blanks { .. }
                | Event::Single(_)
                | Event::Break => {}
            }
        }
        let mut best: Vec<Option<(usize, usize)>> = vec![None; n_levels];
        for key in seen {
            let length = lengths.get(&key).copied().unwrap_or_default();
            if let Some(best) = best.get_mut(key.0)
                && best.is_none_or(|(_, longest)| length > longest)
            {
                *best = Some((key.1, length));
            }
        }
        self.base = best
            .into_iter()
            .map(|best| best.map(|(look, _)| look))
            .collect();
    }

    /// Tells whether nobody sees what something looks like.
    pub(super) fn is_neutral(&self, at: usize) -> bool {
        match self.event(at) {
            Some(Event::Text { span, .. }) => span.of(self.paragraph.text) == " ",
            Some(Event::Blanks { .. } | Event::Single(_)) => true,
            _ => false,
        }
    }

    pub(super) fn base(&self, level: usize) -> Option<usize> {
        self.base.get(level).copied().flatten()
    }

    /// Finds the stretch of the file, and takes in the things that stand inside of it.
    fn extent(&mut self) -> Span {
        let edge = |at: usize| match self.event(at)? {
            Event::Text { span, run } => {
                let run = self.paragraph.runs.get(*run)?;
                Some(if Some(run.look) == self.base(0) {
                    *span
                } else {
                    run.span
                })
            }
            Event::Enter { span, .. } | Event::Leave { span, .. } | Event::Blanks { span, .. } => {
                Some(*span)
            }
            Event::Single(single) => Some(single.span),
            Event::Break => None,
        };
        let start = edge(self.inner.start).map_or(0, |span| span.start);
        let end = edge(self.inner.end - 1).map_or(start, |span| span.end);
        let thing = |at: usize| match self.event(at) {
            Some(Event::Single(single)) => Some(single.span),
            Some(Event::Text { span, .. } | Event::Blanks { span, .. }) => Some(*span),
            _ => None,
        };
        let is_between = match self.event(self.inner.start) {
            Some(Event::Text { span, .. }) => span.start != start,
            _ => true,
        };
        let (mut from, mut to) = (self.inner.start, self.inner.end);
        while from > self.part.start && thing(from - 1).is_some_and(|span| span.start >= start) {
            from -= 1;
        }
        while to < self.part.end && thing(to).is_some_and(|span| span.end <= end) {
            to += 1;
        }
        self.inner = from..to;
        self.is_between = is_between;
        Span::new(start, end)
    }

    /// Appends the shown text as one unit, or as several where it is long.
    fn divide(
        &self,
        span: Span,
        shown: Shown,
        rows: &[String],
        setup: &Setup,
        pieces: &mut Vec<Piece>,
    ) {
        let notation = Notation::Runs(setup.blanks);
        let mut whole = Piece::coded(span, shown, setup.kind, notation);
        whole.atoms = whole
            .shown
            .as_ref()
            .map(|shown| self.atoms(shown))
            .unwrap_or_default();
        for Part { span, shown } in divide(self.paragraph.text, &whole, setup.soft_limit) {
            let Some(shown) = shown.filter(|shown| has_prose(&shown.text)) else {
                continue;
            };
            let depth = if self.is_between && span.start == whole.span.start {
                0
            } else {
                self.depth_at(span.start)
            };
            let fresh = recipe(self.paragraph.text, &shown, rows, depth);
            let mut piece = Piece::coded(span, shown, setup.kind, notation);
            piece.fresh = fresh;
            piece.is_whole = true;
            piece.hints.note.clone_from(&setup.note);
            pieces.push(piece);
        }
    }

    /// Returns how many elements of a run are open at a place in its text.
    fn depth_at(&self, at: usize) -> usize {
        let runs = &self.paragraph.runs;
        let next = runs.partition_point(|run| run.from <= at);
        let run = next.checked_sub(1).and_then(|last| runs.get(last));
        run.map_or(0, |run| run.depth)
    }

    /// Lists what must not be cut: from a tag to its end, tags in a row, and elements without tags.
    fn atoms(&self, shown: &Shown) -> Vec<Span> {
        let mut atoms = self.quiet_atoms(shown);
        let mut depth = 0_usize;
        let mut start = 0;
        for form in &shown.forms {
            let Some(tags) = group(shown, form) else {
                continue;
            };
            if depth == 0 {
                start = form.shown.start;
            }
            for tag in Tag::all(tags) {
                match tag {
                    Tag::Open(_) => depth += 1,
                    Tag::Close(_) => depth = depth.saturating_sub(1),
                    Tag::Single(_) => {}
                }
            }
            if depth == 0 {
                atoms.push(Span::new(start, form.shown.end));
            }
        }
        atoms.sort_unstable();
        let mut joined: Vec<Span> = Vec::with_capacity(atoms.len());
        for atom in atoms {
            match joined.last_mut() {
                Some(last) if atom.start < last.end => last.end = last.end.max(atom.end),
                _ => joined.push(atom),
            }
        }
        joined
    }

    fn quiet_atoms(&self, shown: &Shown) -> Vec<Span> {
        let form_at = |raw: usize| {
            let next = shown.forms.partition_point(|form| form.raw.end <= raw);
            shown.forms.get(next)
        };
        let atom = |enter: &usize| {
            let Some(Event::Enter { span, leave, .. }) = self.event(*enter) else {
                return None;
            };
            let Some(Event::Leave { span: end, .. }) = self.event((*leave)?) else {
                return None;
            };
            let (from, to) = (form_at(span.start)?, form_at(end.start)?);
            Some(Span::new(from.shown.start, to.shown.end))
        };
        self.quiet.iter().filter_map(atom).collect()
    }
}

/// Puts together the rows of the tags that a shown text has; none where the file holds it as one
/// stretch of text.
fn recipe(text: &str, shown: &Shown, rows: &[String], depth: usize) -> String {
    let is_plain = |form: &Form| !form.raw.of(text).contains('<');
    if shown.forms.iter().all(is_plain) {
        return String::new();
    }
    let groups = shown.forms.iter().filter_map(|form| group(shown, form));
    let numbers = groups.flat_map(Tag::all).filter_map(|tag| match tag {
        Tag::Open(number) | Tag::Single(number) => Some(number),
        Tag::Close(_) => None,
    });
    let wanted = std::iter::once(0).chain(numbers);
    let rows = wanted.filter_map(|number| rows.get(number));
    let mut recipe = encode_depth(depth);
    recipe.extend(rows.map(String::as_str));
    recipe
}

/// Returns the tags that a form stands for.
pub(super) fn group<'s>(shown: &'s Shown, form: &Form) -> Option<&'s str> {
    let text = shown.text.get(form.shown.clone())?;
    Tag::read(text).map(|_| text)
}
