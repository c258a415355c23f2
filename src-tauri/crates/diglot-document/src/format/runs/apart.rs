//! A unit of runs, taken apart for writing: the rows of tags and the stretches of text of its source,
//! and the parts of its target with the tags made well-formed. Must not write.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::outline::group;
use super::recipe::{Recipe, Row};
use super::tag::{Tag, undisguise};
use super::write::first_tag;
use crate::Span;
use crate::format::xml::{TokenKind, tokens};
use crate::shown::Place;

/// A part of a target: text without disguises, or tags in a row.
pub(super) enum Part<'t> {
    Text(Cow<'t, str>),
    Tags(Vec<Tag>),
}

/// A row of tags of the source.
pub(super) struct Group {
    pub(super) raw: Span,
    /// Open tags before it, outermost first.
    pub(super) path: Vec<usize>,
    pub(super) starts_in_run: bool,
    pub(super) ends_in_run: bool,
    /// Elements of a run that are open before and behind it.
    pub(super) depth: (usize, usize),
    /// Its place among the rows, from 1.
    pub(super) place: usize,
}

/// A stretch of text of the source: its raw form, and how it is shown.
#[derive(Clone, Copy)]
pub(super) struct Stretch<'s> {
    pub(super) raw: Span,
    pub(super) shown: &'s str,
    /// Elements of a run that are open before and behind it.
    pub(super) depth: (usize, usize),
}

/// The source, taken apart.
pub(super) struct Source<'s> {
    pub(super) groups: HashMap<&'s str, Group>,
    /// The group that each tag is in.
    pub(super) group_of: HashMap<Tag, &'s str>,
    /// Stretches by the place of the group before; 0 for the first one.
    pub(super) stretches: HashMap<usize, Stretch<'s>>,
    /// Elements of a run that are open behind all.
    pub(super) depth: usize,
    pub(super) starts_in_run: bool,
    pub(super) ends_in_run: bool,
}

impl<'s> Source<'s> {
    pub(super) fn new(place: &Place<'s>, recipe: &Recipe<'_>) -> Self {
        let shown = place.shown;
        let mut source = Self {
            groups: HashMap::new(),
            group_of: HashMap::new(),
            stretches: HashMap::new(),
            depth: recipe.depth,
            starts_in_run: true,
            ends_in_run: true,
        };
        let leaves_run = first_tag(recipe.run(0).1);
        let mut path = Vec::new();
        // Up to here, in the shown text and in the file.
        let (mut at, mut raw, mut n_groups) = (0, place.span.start, 0);
        let mut raw_at = (0, place.span.start);
        for form in &shown.forms {
            let Some(tags) = group(shown, form) else {
                raw_at = (form.shown.end, form.raw.end);
                continue;
            };
            source.add_stretch(
                place,
                n_groups,
                at..form.shown.start,
                Span::new(raw, form.raw.start),
            );
            n_groups += 1;
            let is_first = form.shown.start == 0;
            let starts = form.raw.of(place.text).starts_with(leaves_run);
            let is_last = form.shown.end == shown.text.len();
            let after = place.text.get(form.raw.end..).unwrap_or_default();
            let group = Group {
                raw: form.raw,
                path: path.clone(),
                starts_in_run: !is_first || starts,
                ends_in_run: !is_last || after.starts_with(leaves_run) || !after.starts_with('<'),
                depth: source.pass(place.text, form.raw),
                place: n_groups,
            };
            if is_first {
                source.starts_in_run = group.starts_in_run;
            }
            source.ends_in_run = group.ends_in_run;
            for tag in Tag::all(tags) {
                source.group_of.insert(tag, tags);
                match tag {
                    Tag::Open(number) => path.push(number),
                    Tag::Close(_) => {
                        path.pop();
                    }
                    Tag::Single(_) => {}
                }
            }
            source.groups.insert(tags, group);
            (at, raw) = (form.shown.end, form.raw.end);
            raw_at = (at, raw);
        }
        let end = raw_at.1 + (shown.text.len() - raw_at.0);
        source.add_stretch(place, n_groups, at..shown.text.len(), Span::new(raw, end));
        source
    }

    /// Lists the raw forms of all groups and stretches, in order.
    pub(super) fn raws(&self) -> Vec<Span> {
        let groups = self.groups.values().map(|group| group.raw);
        let stretches = self.stretches.values().map(|stretch| stretch.raw);
        let mut raws: Vec<Span> = groups.chain(stretches).collect();
        raws.sort_unstable();
        raws
    }

    fn add_stretch(
        &mut self,
        place: &Place<'s>,
        n_groups: usize,
        shown: std::ops::Range<usize>,
        raw: Span,
    ) {
        let shown = place.shown.text.get(shown).unwrap_or_default();
        if !shown.is_empty() {
            let depth = self.pass(place.text, raw);
            self.stretches
                .insert(n_groups, Stretch { raw, shown, depth });
        }
    }

    /// Counts the elements that a raw stretch opens and closes: how many are open before and behind.
    fn pass(&mut self, text: &str, raw: Span) -> (usize, usize) {
        let before = self.depth;
        if raw.of(text).contains(":span") {
            for token in tokens(text, raw) {
                match (token.kind, token.local_name(text)) {
                    (TokenKind::Open, "span") => self.depth += 1,
                    (TokenKind::Close, "span") => self.depth = self.depth.saturating_sub(1),
                    _ => {}
                }
            }
        }
        (before, self.depth)
    }
}

/// Splits a target at its tags, and makes these well-formed: what crosses is closed and opened
/// again, what is never closed ends with the text, and what is missing and must not be comes last.
pub(super) fn sound_parts<'t>(
    target: &'t str,
    source: &Source<'_>,
    recipe: &Recipe<'_>,
) -> Vec<Part<'t>> {
    let mut parts = Vec::new();
    let mut tags = Vec::new();
    let mut balance = Balance::default();
    let (mut from, mut at) = (0, 0);
    let flush = |from: usize, at: usize, tags: &mut Vec<Tag>, parts: &mut Vec<Part<'t>>| {
        let text = target.get(from..at).filter(|text| !text.is_empty());
        if let Some(text) = text {
            if !tags.is_empty() {
                parts.push(Part::Tags(std::mem::take(tags)));
            }
            parts.push(Part::Text(undisguise(text)));
        }
    };
    while let Some(found) = target.get(at..).and_then(|rest| rest.find('<')) {
        at += found;
        let read = target.get(at..).and_then(Tag::read);
        let Some((tag, length)) = read.filter(|(tag, _)| source.knows(*tag)) else {
            at += 1;
            continue;
        };
        flush(from, at, &mut tags, &mut parts);
        balance.take(tag, recipe, &mut tags);
        at += length;
        from = at;
    }
    flush(from, target.len(), &mut tags, &mut parts);
    balance.finish(source, recipe, &mut tags);
    if !tags.is_empty() {
        parts.push(Part::Tags(tags));
    }
    take_marks_in(&mut parts, source);
    parts
}

/// Puts punctuation before the first tag or behind the last one inside of it, where the source has
/// no text and so no run there: it looks like what it stands beside.
fn take_marks_in(parts: &mut Vec<Part<'_>>, source: &Source<'_>) {
    let is_mark = |text: &str| !text.contains(|c: char| c.is_alphanumeric() || c.is_whitespace());
    if let [Part::Text(mark), Part::Tags(_), rest @ ..] = &mut parts[..]
        && !source.starts_in_run
        && is_mark(mark)
    {
        if let [Part::Text(text), ..] = rest {
            *text = Cow::Owned(format!("{mark}{text}"));
            parts.remove(0);
        } else {
            parts.swap(0, 1);
        }
    }
    if let [.., Part::Text(text), Part::Tags(_), Part::Text(mark)] = &mut parts[..]
        && !source.ends_in_run
        && is_mark(mark)
    {
        text.to_mut().push_str(mark);
        parts.pop();
    }
}

impl Source<'_> {
    /// Tells whether a tag, or its other half, is the source's.
    fn knows(&self, tag: Tag) -> bool {
        let (Tag::Open(number) | Tag::Close(number) | Tag::Single(number)) = tag;
        self.group_of.contains_key(&Tag::Open(number))
            || self.group_of.contains_key(&Tag::Single(number))
    }
}

/// The tags of a target, kept in pairs.
#[derive(Default)]
struct Balance {
    open: Vec<usize>,
    is_open: HashSet<usize>,
    seen: HashSet<usize>,
}

impl Balance {
    fn take(&mut self, tag: Tag, recipe: &Recipe<'_>, out: &mut Vec<Tag>) {
        let (Tag::Open(number) | Tag::Close(number) | Tag::Single(number)) = tag;
        match (recipe.row(number), tag) {
            (Some(Row::Pair { .. }), Tag::Open(_)) => {
                if self.is_open.insert(number) {
                    self.open.push(number);
                    out.push(tag);
                }
            }
            (Some(Row::Pair { .. }), Tag::Close(_)) => self.close(number, out),
            (Some(Row::Single { is_copyable, .. }), Tag::Open(_) | Tag::Single(_)) => {
                if self.seen.insert(number) || is_copyable {
                    out.push(Tag::Single(number));
                }
            }
            (Some(_) | None, _) => {}
        }
    }

    fn close(&mut self, number: usize, out: &mut Vec<Tag>) {
        if !self.is_open.remove(&number) {
            return;
        }
        let at = self.open.iter().rposition(|open| *open == number);
        let inner = self.open.split_off(at.unwrap_or_default());
        out.extend(inner.iter().rev().map(|open| Tag::Close(*open)));
        for again in inner.into_iter().skip(1) {
            self.open.push(again);
            out.push(Tag::Open(again));
        }
    }

    fn finish(mut self, source: &Source<'_>, recipe: &Recipe<'_>, out: &mut Vec<Tag>) {
        out.extend(
            std::mem::take(&mut self.open)
                .into_iter()
                .rev()
                .map(Tag::Close),
        );
        let is_lost = |tag: &&Tag| match tag {
            Tag::Single(number) => {
                let row = recipe.row(*number);
                let is_kept = matches!(
                    row,
                    Some(Row::Single {
                        is_copyable: false,
                        ..
                    })
                );
                is_kept && !self.seen.contains(number)
            }
            Tag::Open(_) | Tag::Close(_) => false,
        };
        let mut lost: Vec<Tag> = source.group_of.keys().filter(is_lost).copied().collect();
        lost.sort_unstable();
        out.extend(lost);
    }
}
