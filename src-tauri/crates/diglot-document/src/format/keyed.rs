//! What the formats of keys and values share: the keys around a value, and whether the value is
//! text. Must not know how they are written.

pub(super) mod escape;
pub(super) mod profile;
mod prose;
pub(super) mod settings;

use std::borrow::Cow;

use crate::{Rules, shorten};

/// So many of the innermost keys are looked at, so that a value costs the same at any depth.
const DEPTH: usize = 16;
/// Longest note, in grapheme clusters.
const NOTE_LENGTH: usize = 1000;
/// Longest key in a note, in grapheme clusters.
const KEY_LENGTH: usize = 60;

/// One key or index.
#[derive(Debug, Clone)]
pub(super) enum Key<'t> {
    /// The key at hand of an object.
    Name(Cow<'t, str>),
    /// The index at hand of a list.
    Index(usize),
}

/// Says what a value holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Holds {
    /// A code for programs.
    Code,
    /// Text, by its look.
    Text,
    /// Text, by a rule of the person's.
    Wanted,
}

/// Says what a value holds.
pub(super) type Choose<'w> = dyn Fn(&Keys<'_>, &str) -> Holds + 'w;

/// Holds the keys around the current value, outermost first.
#[derive(Debug, Default)]
pub(super) struct Keys<'t>(pub(super) Vec<Key<'t>>);

impl<'t> Keys<'t> {
    /// Sets the key at hand of the innermost object.
    pub(super) fn set_name(&mut self, name: Cow<'t, str>) {
        if let Some(last) = self.0.last_mut() {
            *last = Key::Name(name);
        }
    }

    /// Goes on to the next value of the innermost list.
    pub(super) fn next_index(&mut self) {
        if let Some(Key::Index(index)) = self.0.last_mut() {
            *index += 1;
        }
    }

    /// Returns the key at a depth, from 0; `None` where a list is.
    pub(super) fn name(&self, depth: usize) -> Option<&str> {
        match self.0.get(depth)? {
            Key::Name(name) => Some(name),
            Key::Index(_) => None,
        }
    }

    /// Returns the innermost key that is a name.
    pub(super) fn last_name(&self) -> Option<&str> {
        self.inner().iter().rev().find_map(|key| match key {
            Key::Name(name) => Some(name.as_ref()),
            Key::Index(_) => None,
        })
    }

    /// Tells what the value holds, by the person's rules or else by its look.
    pub(super) fn hold_text(&self, rules: &Rules, value: &str) -> Holds {
        let names = self.innermost();
        let path: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
        let listed = || self.inner().iter().any(|key| matches!(key, Key::Index(_)));
        let key = self.last_name().unwrap_or_default();
        match rules.key(&path) {
            Some(true) => Holds::Wanted,
            None if prose::is_text(key, listed(), value) => Holds::Text,
            Some(false) | None => Holds::Code,
        }
    }

    /// Returns the keys as a person reads them.
    pub(super) fn note(&self) -> Option<String> {
        let names = self.innermost();
        let shown: Vec<String> = names.iter().map(|name| shorten(name, KEY_LENGTH)).collect();
        let mark = if self.0.len() > DEPTH { "…" } else { "" };
        let path = shown.join(".");
        // Of a key that is a text itself the place is told.
        (!shown.is_empty()).then(|| format!("{mark}{}", path.trim_end_matches('.')))
    }

    fn inner(&self) -> &[Key<'t>] {
        let from = self.0.len().saturating_sub(DEPTH);
        self.0.get(from..).unwrap_or_default()
    }

    fn innermost(&self) -> Vec<Cow<'_, str>> {
        self.inner().iter().map(Key::shown).collect()
    }
}

/// Returns what a translator is told of a value: its key, and what its author says.
pub(super) fn comment_note(key: &str, comments: &[&str]) -> Option<String> {
    let said: Vec<&str> = comments.iter().copied().filter(|c| !c.is_empty()).collect();
    let said = said.join(" ");
    let between = if key.is_empty() || said.is_empty() {
        ""
    } else {
        ": "
    };
    let note = [key, between, &said].concat();
    (!note.is_empty()).then(|| shorten(&note, NOTE_LENGTH))
}

impl Key<'_> {
    fn shown(&self) -> Cow<'_, str> {
        match self {
            Self::Name(name) => Cow::Borrowed(name),
            Self::Index(index) => index.to_string().into(),
        }
    }
}
