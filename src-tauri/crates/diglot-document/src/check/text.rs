//! A source or a target as the checks see it: its placeables, its messages and its prose.

use crate::placeable::message::{self, Message};
use crate::placeable::{self, Found, Syntaxes};
use crate::{PlaceableKind, Span};

/// A text with what was found in it.
pub(crate) struct Text<'a> {
    pub(crate) raw: &'a str,
    pub(crate) found: Vec<Found>,
    pub(crate) messages: Vec<Message>,
    /// Texts of plural branches besides `other`, sorted and disjoint. How many a message has, and
    /// what they hold, depends on the language, so that they are no part of what is compared.
    pub(crate) forms: Vec<Span>,
    /// The words that a reader sees: without marks, tags and destinations, and with a blank in
    /// place of code and the like. Of a plural message, only the branch `other`.
    pub(crate) prose: String,
}

impl<'a> Text<'a> {
    pub(crate) fn read(syntaxes: Syntaxes, raw: &'a str) -> Self {
        let found = placeable::find(syntaxes, raw);
        let messages = message::find(raw);
        let mut text = Self {
            raw,
            found,
            forms: messages.forms(),
            messages: messages.messages,
            prose: String::new(),
        };
        text.prose = text.prose();
        text
    }

    fn prose(&self) -> String {
        let mut prose = String::new();
        let mut at = 0;
        for placeable in &self.found {
            let gap = Span::new(at, placeable.span.start);
            if !self.is_form(gap) {
                prose.push_str(gap.of(self.raw));
            }
            at = placeable.span.end;
            if self.is_form(placeable.span) {
                continue;
            }
            match placeable.kind {
                PlaceableKind::Number => prose.push_str(placeable.text(self.raw)),
                PlaceableKind::Emphasis | PlaceableKind::Link | PlaceableKind::Attribute => {}
                PlaceableKind::Reference if placeable.text(self.raw).starts_with(']') => {}
                PlaceableKind::Tag | PlaceableKind::HardBreak => prose.push(' '),
                PlaceableKind::Code
                | PlaceableKind::Reference
                | PlaceableKind::Placeholder
                | PlaceableKind::Math
                | PlaceableKind::Address => prose.push_str(STAND_IN),
            }
        }
        prose.push_str(self.raw.get(at..).unwrap_or_default());
        prose
    }

    /// Tells whether a span lies in a plural branch besides `other`.
    pub(crate) fn is_form(&self, span: Span) -> bool {
        let next = self.forms.partition_point(|form| form.end < span.end);
        self.forms
            .get(next)
            .is_some_and(|form| form.start <= span.start)
    }

    /// Lists the placeables that each language has alike.
    pub(crate) fn firm(&self) -> impl Iterator<Item = &Found> {
        self.found
            .iter()
            .filter(|found| !found.is_free && !self.is_form(found.span))
    }

    /// Lists the placeables of the plural branches besides `other`.
    pub(crate) fn varied(&self) -> impl Iterator<Item = &Found> {
        self.found
            .iter()
            .filter(|found| !found.is_free && self.is_form(found.span))
    }
}

/// Stands in the prose for a thing that is no word: it ends a sentence as well as a word does, but
/// is no letter.
pub(crate) const STAND_IN: &str = " \u{FFFC} ";
