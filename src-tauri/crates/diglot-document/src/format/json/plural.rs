//! Plural forms in JSON: `files_one` beside `files_other`, as i18next names them, and objects with
//! nothing but `one`, `other` and the like. Must not know which values are text.

use crate::Span;
use crate::format::ReadOptions;
use crate::format::keyed::Keys;
use crate::format::plural::{Category, Counting, Entries, Entry, Evidence, blanks_before};
use crate::segment::Piece;

/// Gathers the forms while a file is read.
#[derive(Default)]
pub(super) struct Plurals {
    entries: Entries,
    /// The last object of each depth.
    objects: Vec<usize>,
    /// How many keys are around the value of the form whose key was read last.
    pending: Option<usize>,
}

impl Plurals {
    /// Takes note of an object below the keys.
    pub(super) fn open(&mut self, keys: &Keys<'_>) {
        let depth = keys.0.len();
        let object = self.entries.open();
        if self.objects.len() <= depth {
            self.objects.resize(depth + 1, object);
        }
        if let Some(last) = self.objects.get_mut(depth) {
            *last = object;
        }
        self.pending = None;
    }

    /// Takes note of the key at hand, which stands in a span.
    pub(super) fn take_key(&mut self, text: &str, keys: &Keys<'_>, inner: Span) {
        self.pending = None;
        let depth = keys.0.len();
        let object = depth.checked_sub(1).and_then(|at| self.objects.get(at));
        let Some(parent) = object.copied() else {
            return;
        };
        self.entries.count(parent);
        let raw = inner.of(text);
        let (base, name) = raw.rsplit_once('_').unwrap_or(("", raw));
        let Some(category) = Category::of(name) else {
            return;
        };
        let head = text.get(..inner.start).unwrap_or_default();
        let quotes = usize::from(head.ends_with(['"', '\'']));
        let start = inner.start - quotes;
        let is_ordinal = base.ends_with("_ordinal");
        self.pending = Some(depth);
        self.entries.push(Entry {
            parent,
            base: base.to_owned(),
            category,
            counting: if is_ordinal {
                Counting::Ordinal
            } else {
                Counting::Cardinal
            },
            evidence: Evidence::Name,
            span: Span::new(start, inner.end + quotes),
            name: Span::new(inner.end - name.len(), inner.end),
            gap: format!(",{}", blanks_before(text, start)),
            label: keys.note().unwrap_or_default(),
        });
    }

    /// Takes note of a string, which stands in a span and reads as `shown`.
    pub(super) fn take_value(&mut self, keys: &Keys<'_>, inner: Span, shown: &str) {
        if self.pending.take() != Some(keys.0.len()) {
            return;
        }
        let Some(entry) = self.entries.last_mut() else {
            return;
        };
        entry.span.end = inner.end + 1;
        if holds_count(shown) {
            // The names with a base are i18next's, which goes by the language alone.
            entry.evidence = if entry.base.is_empty() {
                Evidence::Form
            } else {
                Evidence::Rule
            };
        }
    }

    /// Completes the forms by those of the target.
    pub(super) fn complete(
        self,
        text: &str,
        pieces: Vec<Piece>,
        options: &ReadOptions<'_>,
    ) -> Vec<Piece> {
        self.entries.complete(text, pieces, options.target)
    }
}

/// Tells `{{count}}`, also with blanks or a format.
fn holds_count(shown: &str) -> bool {
    let mut inner = shown.split("{{").skip(1);
    inner.any(|rest| rest.trim_start().starts_with("count"))
}
