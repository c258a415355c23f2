//! Plural forms that a file holds each in an entry of its own: `few` beside `other`. Owns which forms a
//! target needs that the file lacks, and where their entries go; must not know a syntax.

use super::category::{Categories, Category, Counting, NAMES, categories};
use crate::segment::{Frame, Piece};
use crate::{LanguageTag, Span};

/// Says what shows that an entry is a plural form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::format) enum Evidence {
    /// Its name alone.
    Name,
    /// Its format, or the number in its text.
    Form,
    /// As `Form`, and programs choose by the rules of the language alone: a form that it lacks is
    /// seen by nobody.
    Rule,
}

/// Stands for the entry of one form.
#[derive(Debug, Clone)]
pub(in crate::format) struct Entry {
    /// The map or element that it is in; see [`Entries::open`].
    pub(in crate::format) parent: usize,
    /// Its name before the category; empty where all entries of the parent are forms of one text.
    pub(in crate::format) base: String,
    pub(in crate::format) category: Category,
    pub(in crate::format) counting: Counting,
    pub(in crate::format) evidence: Evidence,
    /// From its name to the end of its value, with quotes and tags.
    pub(in crate::format) span: Span,
    /// Where its category is named in it.
    pub(in crate::format) name: Span,
    /// What stands between another entry before it and it.
    pub(in crate::format) gap: String,
    /// What the note of its unit calls it.
    pub(in crate::format) label: String,
}

impl Entry {
    fn group(&self) -> (usize, Counting, &str) {
        (self.parent, self.counting, &self.base)
    }
}

/// Gathers the entries of a text.
#[derive(Debug, Default)]
pub(in crate::format) struct Entries {
    found: Vec<Entry>,
    /// For each map or element how many entries it has, forms or not.
    parents: Vec<usize>,
}

impl Entries {
    /// Begins a map or element, and returns the number that it goes by.
    pub(in crate::format) fn open(&mut self) -> usize {
        self.parents.push(0);
        self.parents.len() - 1
    }

    /// Counts an entry.
    pub(in crate::format) fn count(&mut self, parent: usize) {
        self.parents
            .iter_mut()
            .skip(parent)
            .take(1)
            .for_each(|n| *n += 1);
    }

    /// Adds an entry that was counted.
    pub(in crate::format) fn push(&mut self, entry: Entry) {
        self.found.push(entry);
    }

    /// Returns the last entry that was added.
    pub(in crate::format) fn last_mut(&mut self) -> Option<&mut Entry> {
        self.found.last_mut()
    }

    /// Keeps the entries that are wanted.
    pub(in crate::format) fn retain(&mut self, is_wanted: impl FnMut(&Entry) -> bool) {
        self.found.retain(is_wanted);
    }

    /// Adds to the pieces of a text, which ascend, those of the forms that the target needs, and takes
    /// away those that it does not have and nobody sees. Says of each which numbers it is for.
    pub(in crate::format) fn complete(
        mut self,
        text: &str,
        pieces: Vec<Piece>,
        target: Option<&LanguageTag>,
    ) -> Vec<Piece> {
        let Some(target) = target.filter(|_| !self.found.is_empty()) else {
            return pieces;
        };
        self.found
            .sort_by(|one, other| one.group().cmp(&other.group()));
        let mut completion = Completion {
            text,
            pieces: pieces.into_iter().map(Some).collect(),
            starts: Vec::new(),
            added: Vec::new(),
        };
        let starts = completion.pieces.iter().flatten();
        completion.starts = starts.map(|piece| piece.span.start).collect();
        for group in self.found.chunk_by(|one, next| one.group() == next.group()) {
            let Some(first) = group.first() else {
                continue;
            };
            let n_beside = self.parents.get(first.parent);
            let is_whole = !first.base.is_empty() || n_beside == Some(&group.len());
            let known = categories(target, first.counting).filter(|_| is_whole);
            if let Some(known) = known {
                completion.take(group, known);
            }
        }
        let kept = completion.pieces.into_iter().flatten();
        let mut pieces: Vec<Piece> = kept.chain(completion.added).collect();
        pieces.sort_by_key(|piece| piece.span);
        pieces
    }
}

struct Completion<'t> {
    text: &'t str,
    /// The pieces that stay.
    pieces: Vec<Option<Piece>>,
    /// Where each of them begins.
    starts: Vec<usize>,
    added: Vec<Piece>,
}

impl Completion<'_> {
    /// Completes the forms of one text.
    fn take(&mut self, group: &[Entry], known: Categories) {
        let of = |category: Category| group.iter().find(|entry| entry.category == category);
        let n_categories = NAMES.iter().filter(|(_, category)| of(*category).is_some());
        let is_sound = n_categories.count() == group.len();
        let Some(model) = of(Category::Other).filter(|_| is_sound) else {
            return;
        };
        let evidence = group.iter().map(|entry| entry.evidence).max();
        let is_sure = group.len() > 1 || evidence > Some(Evidence::Name);
        let source = self
            .piece(model)
            .and_then(|piece| piece.clone())
            .filter(|_| is_sure);
        let Some(source) = source else {
            return;
        };
        for (category, numbers) in known {
            let later = group.iter().filter(|entry| entry.category > *category);
            match (of(*category), later.min_by_key(|entry| entry.category)) {
                (None, Some(next)) => {
                    let piece = self.unit(&source, model, next, *category, numbers);
                    self.added.push(piece);
                }
                (Some(entry), _) => {
                    if let Some(piece) = self.piece(entry).and_then(Option::as_mut) {
                        say(piece, entry, *category, numbers);
                    }
                }
                (None, None) => {}
            }
        }
        let is_needed = |category| known.iter().any(|(known, _)| *known == category);
        for entry in group {
            // Many programs take the form for zero in any language.
            let is_zero = entry.category == Category::Zero;
            let is_seen = evidence < Some(Evidence::Rule) || is_zero || is_needed(entry.category);
            if let Some(piece) = self.piece(entry).filter(|_| !is_seen) {
                *piece = None;
            }
        }
    }

    /// Returns the only piece of an entry.
    fn piece(&mut self, entry: &Entry) -> Option<&mut Option<Piece>> {
        let first = self.starts.partition_point(|at| *at < entry.span.start);
        let next = self.starts.get(first + 1);
        let is_only = next.is_none_or(|at| *at >= entry.span.end);
        let found = self.pieces.get_mut(first).filter(|_| is_only)?;
        let is_inside = |piece: &Piece| piece.span.end <= entry.span.end;
        found.as_ref().is_some_and(is_inside).then_some(found)
    }

    /// Makes the unit of a form that the file lacks. Its entry is written as that of the model, before
    /// the next one.
    fn unit(
        &self,
        source: &Piece,
        model: &Entry,
        next: &Entry,
        category: Category,
        numbers: &str,
    ) -> Piece {
        let part = |start: usize, end: usize| Span::new(start, end).of(self.text);
        let mut piece = source.clone();
        piece.span = Span::new(next.span.start, next.span.start);
        piece.frame = Some(Frame {
            before: [
                part(model.span.start, model.name.start),
                category.name(),
                part(model.name.end, source.span.start),
            ]
            .concat(),
            after: format!("{}{}", part(source.span.end, model.span.end), next.gap),
        });
        piece.is_whole = true;
        piece.is_bilingual = true;
        say(&mut piece, model, category, numbers);
        piece
    }
}

/// Says in a note which form of the entry's text a unit is.
fn say(piece: &mut Piece, entry: &Entry, category: Category, numbers: &str) {
    let name = category.name();
    let form = format!("plural form {name}: {numbers}");
    let said = piece.hints.note.take().unwrap_or_default();
    let label = entry.label.strip_suffix(entry.category.name());
    let known = label.and_then(|label| Some((label, said.strip_prefix(&entry.label)?)));
    piece.hints.note = Some(match known {
        Some((label, rest)) => format!("{label}{name} · {form}{rest}"),
        None if said.is_empty() => form,
        None => format!("{said} · {form}"),
    });
}

/// Returns the blanks before an entry, from the last line end on.
pub(in crate::format) fn blanks_before(text: &str, at: usize) -> &str {
    let head = text.get(..at).unwrap_or_default();
    let blanks = head
        .trim_end_matches(|c: char| c.is_ascii_whitespace())
        .len();
    let blanks = head.get(blanks..).unwrap_or_default();
    let last = blanks.rfind(['\n', '\r']).map(|at| {
        let is_pair = blanks.get(..=at).is_some_and(|head| head.ends_with("\r\n"));
        at - usize::from(is_pair)
    });
    blanks.get(last.unwrap_or_default()..).unwrap_or_default()
}

#[cfg(test)]
mod tests;
