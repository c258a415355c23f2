//! gettext PO and POT: a unit for each source without a finished target, one for each plural form of
//! the target language. Owns which entries are open and what confirming one changes.

mod comments;
mod entry;
mod header;
mod text;

use entry::{Entry, entries};
use header::Header;
pub(super) use text::{Habit, write};

use crate::format::plural::Plural;
use crate::format::{Notation, ReadOptions, Reading};
use crate::segment::{Edit, Group, Piece};
use crate::shown::{Form, Shown, ShownBuilder};
use crate::text::shorten;
use crate::{LanguageTag, SegmentKind, Span};

/// A line longer than this was not folded at 79 columns.
const LONG_LINE: usize = 81;
/// Longest note in grapheme clusters.
const LONGEST_NOTE: usize = 400;

/// Reads the open entries.
pub(super) fn read(text: &str, options: &ReadOptions<'_>) -> Reading {
    let entries = entries(text);
    let is_header = |entry: &&Entry| {
        entry.context.is_none() && entry.id.is_some_and(|id| Content::new(text, id).is_none())
    };
    // The header is the first entry of its domain; one further down would be seen by no tool.
    let header = entries.found.first().filter(is_header);
    let literal = header.and_then(|entry| Some(entry.targets.first()?.1));
    let header = literal.and_then(|literal| Header::new(text, literal));
    let has_plurals = entries.found.iter().any(|entry| entry.plural.is_some());
    let edits = options.target.map(|target| match &header {
        Some(header) => header.edits(target, has_plurals, line_end(text, Span::new(0, 0))),
        None => missing_header(text, target, has_plurals),
    });
    let of_language = || options.target.and_then(Plural::of_language);
    let mut catalogue = Catalogue {
        text,
        plural: header
            .and_then(|header| header.plural())
            .or_else(of_language),
        habit: habit(text, &entries.found),
        n_groups: 0,
        reading: Reading {
            unclosed: entries.unclosed,
            edits: edits.unwrap_or_default(),
            ..Reading::default()
        },
    };
    for entry in entries.found.iter().filter(|entry| !entry.is_broken) {
        catalogue.take(entry);
    }
    catalogue.reading
}

/// Plural forms are read by the header alone, so a file with them gets one.
fn missing_header(text: &str, target: &LanguageTag, has_plurals: bool) -> Vec<Edit> {
    let wanted = has_plurals && text.is_ascii();
    let header = || Edit {
        span: Span::new(0, 0),
        text: header::fresh(target, line_end(text, Span::new(0, 0))),
    };
    wanted.then(header).into_iter().collect()
}

/// Tells how the file goes over several lines where an entry does not show it.
fn habit(text: &str, entries: &[Entry]) -> Habit {
    let literals = entries.iter().filter_map(|entry| entry.id);
    let mut lines = literals.flat_map(|id| id.of(text).lines());
    if lines.any(is_long_line) {
        Habit::OneLine
    } else {
        Habit::Fold
    }
}

/// Returns the line end after a span, else the last one before it, else LF.
fn line_end(text: &str, span: Span) -> &str {
    let is_end = |c: char| matches!(c, '\n' | '\r');
    let tail = text.get(span.end..).unwrap_or_default();
    let head = text.get(..span.start).unwrap_or_default();
    let found = match (tail.find(is_end), head.rfind(is_end)) {
        (Some(at), _) => tail.get(at..),
        (None, Some(at)) if head.get(..at).is_some_and(|head| head.ends_with('\r')) => {
            head.get(at - 1..)
        }
        (None, Some(at)) => head.get(at..),
        (None, None) => None,
    };
    let found = found.unwrap_or("\n");
    let length = if found.starts_with("\r\n") { 2 } else { 1 };
    found.get(..length).unwrap_or("\n")
}

/// What a literal holds, and the blanks at its edges.
struct Content {
    shown: Shown,
    lead: String,
    trail: String,
}

impl Content {
    /// Reads a literal; `None` when it holds blanks alone.
    fn new(text: &str, literal: Span) -> Option<Self> {
        let mut builder = ShownBuilder::new(text, literal.start);
        text::show(text, literal, &mut builder);
        let (lead, trail) = builder.edges();
        let (lead, trail) = (lead.to_owned(), trail.to_owned());
        let (_, shown) = builder.finish()?;
        Some(Self { shown, lead, trail })
    }

    /// Returns what is shown with only those forms that cannot be written anew: bytes of an unknown
    /// character set.
    fn raw_forms(&self, text: &str) -> Shown {
        let is_byte = |form: &&Form| {
            form.raw.of(text) == self.shown.text.get(form.shown.clone()).unwrap_or_default()
                && form.shown.len() > 1
        };
        Shown {
            text: self.shown.text.clone(),
            forms: self.shown.forms.iter().filter(is_byte).cloned().collect(),
        }
    }
}

/// What the units of one entry share.
struct Shared<'e> {
    entry: &'e Entry,
    is_fuzzy: bool,
    notes: Vec<String>,
    habit: Habit,
}

struct Catalogue<'t> {
    text: &'t str,
    plural: Option<Plural>,
    /// For entries that do not show it themselves.
    habit: Habit,
    n_groups: usize,
    reading: Reading,
}

impl Catalogue<'_> {
    fn take(&mut self, entry: &Entry) {
        let text = self.text;
        let Some(id) = entry.id.filter(|id| !text::is_blank(text, *id)) else {
            return;
        };
        let is_fuzzy = comments::is_fuzzy(text, entry);
        let several = entry.plural.filter(|id| !text::is_blank(text, *id));
        let plural = several.map(|_| self.forms(entry));
        let n_forms = plural.as_ref().map_or(1, Plural::n_forms);
        let open: Vec<usize> = (0..n_forms)
            .filter(|form| is_fuzzy || is_empty(text, entry, *form))
            .collect();
        self.reading.n_finished += n_forms - open.len();
        let source = Content::new(text, id).filter(|_| !open.is_empty());
        let Some(source) = source else {
            return;
        };
        let context = entry
            .context
            .and_then(|context| Content::new(text, context));
        let context = context.map(|context| context.shown.text);
        let shared = Shared {
            entry,
            is_fuzzy,
            notes: context
                .into_iter()
                .chain(comments::notes(text, entry))
                .collect(),
            habit: self.own_habit(entry),
        };
        let several = several.and_then(|id| Content::new(text, id));
        if let (Some(several), Some(plural)) = (several, plural) {
            self.take_forms(&shared, (&source, &several), &plural, &open);
            return;
        }
        let mut piece = self.piece(&shared, &source, 0, "msgstr");
        piece.hints.note = note(shared.notes);
        piece.edits = comments::confirmation(text, entry);
        self.reading.pieces.push(piece);
    }

    /// Returns the plural forms of an entry; those in the file where nothing else is known.
    fn forms(&self, entry: &Entry) -> Plural {
        let known = self.plural.clone();
        known.unwrap_or_else(|| Plural::unknown(entry.targets.len().max(1)))
    }

    /// Takes the open forms of an entry with the source for one and the source for several. It is
    /// fuzzy as a whole, so it stays fuzzy until the last of its forms is confirmed.
    fn take_forms(
        &mut self,
        shared: &Shared<'_>,
        (one, several): (&Content, &Content),
        plural: &Plural,
        open: &[usize],
    ) {
        self.n_groups += 1;
        let mut edits = comments::confirmation(self.text, shared.entry);
        let surplus = surplus(self.text, shared.entry, plural.n_forms());
        let mut pieces = Vec::with_capacity(open.len());
        for &form in open {
            let source = if plural.is_singular(form) {
                one
            } else {
                several
            };
            let mut piece = self.piece(shared, source, form, &format!("msgstr[{form}]"));
            let notes = std::iter::once(plural.note(form)).chain(shared.notes.iter().cloned());
            piece.hints.note = note(notes.collect());
            piece.edits.clone_from(&surplus);
            let before = piece.fresh.split('\0').next();
            let before = before.filter(|before| !before.is_empty());
            piece.group = Some(Group {
                id: self.n_groups,
                size: open.len(),
                // A line that the file lacks is put in as soon as another form is written.
                idle: before.map(|before| format!("{before}\"\"")),
                edits: std::mem::take(&mut edits),
            });
            pieces.push(piece);
        }
        pieces.sort_by_key(|piece| (piece.span.start, piece.span.end));
        self.reading.pieces.append(&mut pieces);
    }

    /// Makes the unit of one target.
    fn piece(&self, shared: &Shared<'_>, source: &Content, form: usize, keyword: &str) -> Piece {
        let text = self.text;
        let place = shared.entry.target(form);
        let old = place.filter(|_| shared.is_fuzzy);
        let old = old.and_then(|place| Content::new(text, place));
        let span = place.unwrap_or_else(|| insertion(shared.entry, form));
        let before = match place {
            Some(_) => String::new(),
            None => format!("{}{keyword} ", line_end(text, span)),
        };
        let notation = Notation::Po(shared.habit);
        let mut piece = Piece::coded(span, source.raw_forms(text), SegmentKind::Value, notation);
        piece.fresh = [&before, &source.lead, &source.trail]
            .map(String::as_str)
            .join("\0");
        piece.is_whole = true;
        piece.is_bilingual = true;
        if let Some(old) = old {
            piece.stands = (&old.lead, &old.trail) == (&source.lead, &source.trail);
            piece.hints.suggestion = Some(old.shown.text);
        }
        piece
    }

    /// Tells how the entry goes over several lines.
    fn own_habit(&self, entry: &Entry) -> Habit {
        let targets = entry.targets.iter().map(|(_, literal)| *literal);
        let literals = entry.id.into_iter().chain(entry.plural).chain(targets);
        let literals = literals.map(|literal| literal.of(self.text));
        let mut is_long = false;
        let mut is_folded = false;
        for literal in literals {
            is_folded |= literal.contains(['\n', '\r']);
            is_long |= literal.lines().any(is_long_line);
        }
        let first = entry.id.map_or("", |id| id.of(self.text));
        let is_kept = first.trim_end_matches("\\n\"").contains("\\n");
        match (is_folded, is_long) {
            (true, true) => Habit::Break,
            (true, false) => Habit::Fold,
            (false, true) => Habit::OneLine,
            (false, false) if is_kept => Habit::OneLine,
            (false, false) => self.habit,
        }
    }
}

fn is_long_line(line: &str) -> bool {
    line.len() > LONG_LINE && line.chars().count() > LONG_LINE
}

/// Tells whether the file has nothing to read for a form.
fn is_empty(text: &str, entry: &Entry, form: usize) -> bool {
    let target = entry.target(form);
    target.is_none_or(|literal| text::is_blank(text, literal))
}

/// Lists the lines of forms that the language has not, where they are empty: a catalogue must not
/// hold more forms than it announces.
fn surplus(text: &str, entry: &Entry, n_forms: usize) -> Vec<Edit> {
    let pairs = entry.targets.iter().zip(entry.targets.iter().skip(1));
    let beyond =
        pairs.filter(|(_, (form, literal))| *form >= n_forms && text::is_blank(text, *literal));
    let removal = |((_, before), (_, literal)): (&(usize, Span), &(usize, Span))| Edit {
        span: Span::new(before.end, literal.end),
        text: String::new(),
    };
    beyond.map(removal).collect()
}

/// Returns where a form that the file lacks belongs.
fn insertion(entry: &Entry, form: usize) -> Span {
    let earlier = entry.targets.iter().filter(|(number, _)| *number < form);
    let before = earlier.max_by_key(|(number, _)| *number);
    let before = before.map(|(_, literal)| *literal);
    let at = before
        .or(entry.plural)
        .or(entry.id)
        .map_or(0, |span| span.end);
    Span::new(at, at)
}

/// Joins what is known of a unit.
fn note(parts: Vec<String>) -> Option<String> {
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    let note = parts.join(" · ");
    let note = if note.len() > LONGEST_NOTE {
        shorten(&note, LONGEST_NOTE)
    } else {
        note
    };
    Some(note).filter(|note| !note.is_empty())
}

#[cfg(test)]
mod tests;
