//! Plural forms in YAML: mappings with nothing but `one`, `other` and the like. Must not know which
//! values are text.

use super::{Frame, Scalar, Walk};
use crate::Span;
use crate::format::plural::{Category, Counting, Entry, Evidence};
use crate::format::yaml::scalar::{Style, locate};

impl Walk<'_, '_> {
    /// Takes note of a key that names a plural form.
    pub(super) fn take_form(&mut self, key: &Scalar<'_>, frame: Frame) {
        let place = locate(self.text, key.span, key.style, false);
        let Some((category, (style, name))) = Category::of(&key.value).zip(place) else {
            return;
        };
        let end = name.end + quotes(style);
        let behind = self.text.get(end..).unwrap_or_default();
        let is_short = behind.trim_start_matches([' ', '\t']).starts_with(':');
        if !is_short || name.of(self.text) != category.name() {
            return;
        }
        self.plurals.push(Entry {
            parent: frame.number,
            base: String::new(),
            category,
            counting: Counting::Cardinal,
            evidence: Evidence::Name,
            span: Span::new(key.span.start, end),
            name,
            gap: if frame.is_flow {
                ", ".to_owned()
            } else {
                format!("{}{}", self.line_end, " ".repeat(key.column))
            },
            label: self.keys.note().unwrap_or_default(),
        });
    }

    /// Takes note of the text of a plural form, and of how and where it is written.
    pub(super) fn end_form(&mut self, frame: Frame, (style, inner): (Style, Span), shown: &str) {
        let name = self.keys.last_name();
        let is_own =
            |entry: &Entry| entry.parent == frame.number && name == Some(entry.category.name());
        let last = self.plurals.last_mut();
        if let Some(entry) = last.filter(|entry| is_own(entry)) {
            entry.span.end = inner.end + quotes(style);
            // Without the rules of a language Rails takes one and zero in all of them.
            if shown.contains("%{count}") {
                entry.evidence = Evidence::Form;
            }
        }
    }
}

/// Returns how long the quote at the end of a scalar is.
fn quotes(style: Style) -> usize {
    usize::from(matches!(style, Style::Single | Style::Double))
}
