//! Catalogues of texts in JSON whose entries also hold words for translators: browser extensions
//! (`message`, `description`), react-intl (`defaultMessage`), ARB (`"@key"` beside `"key"`). Must
//! not know how JSON is written.

use std::collections::HashMap;

use crate::format::keyed::Keys;
use crate::format::keyed::profile::Profile;
use crate::segment::{Edit, Piece};
use crate::{LanguageTag, Span};

/// Keys whose value is the text of an entry. All other keys of it are for programs and translators.
const TEXT_KEYS: [&str; 2] = ["message", "defaultMessage"];
/// Keys that a browser extension's entry has beside its message.
const EXTENSION_KEYS: [&str; 3] = ["description", "placeholders", "hash"];

/// Gathers what the entries of a file are while they are read.
#[derive(Debug, Default)]
pub(super) struct Catalog {
    entries: Vec<Entry>,
    /// What each piece is.
    roles: Vec<Role>,
    /// Where an ARB file names its language.
    language: Option<Span>,
}

/// A value of the outermost object or list.
#[derive(Debug, Default)]
struct Entry {
    name: String,
    /// Which of [`TEXT_KEYS`] it has.
    texts: [bool; 2],
    /// Whether it has a key that no browser extension knows.
    has_others: bool,
    /// What it says to translators.
    remarks: Vec<String>,
}

#[derive(Debug)]
struct Role {
    entry: Option<usize>,
    /// Which of [`TEXT_KEYS`] it is the value of.
    text: Option<usize>,
    /// Whether a rule of the person's wants it.
    wanted: bool,
}

impl Catalog {
    /// Takes note of the key or index at hand.
    pub(super) fn take_key(&mut self, keys: &Keys<'_>) {
        match keys.0.len() {
            1 => self.entries.push(Entry {
                name: keys.name(0).unwrap_or_default().to_owned(),
                ..Entry::default()
            }),
            2 => {
                let Some((entry, name)) = self.entries.last_mut().zip(keys.name(1)) else {
                    return;
                };
                match TEXT_KEYS.iter().position(|key| *key == name) {
                    Some(which) => entry
                        .texts
                        .iter_mut()
                        .skip(which)
                        .take(1)
                        .for_each(|has| *has = true),
                    None => entry.has_others |= !EXTENSION_KEYS.contains(&name),
                }
            }
            _ => {}
        }
    }

    /// Takes note of a string, which stands in a span and reads as `shown`.
    pub(super) fn take_value(&mut self, keys: &Keys<'_>, span: Span, shown: &str) {
        let depth = keys.0.len();
        if depth == 1 && keys.name(0) == Some("@@locale") {
            self.language = Some(span);
        }
        let remark = match (depth, keys.name(1)) {
            (2, Some("description")) => Some(shown.to_owned()),
            (4, Some("placeholders")) => keys
                .name(2)
                .filter(|_| matches!(keys.name(3), Some("description" | "example")))
                .map(|name| format!("{name}: {shown}")),
            _ => None,
        };
        if let Some((entry, remark)) = self.entries.last_mut().zip(remark) {
            entry.remarks.push(remark);
        }
    }

    /// Takes note of what the next piece is.
    pub(super) fn take_piece(&mut self, keys: &Keys<'_>, wanted: bool) {
        let at_text = keys.name(1).filter(|_| keys.0.len() == 2);
        self.roles.push(Role {
            entry: self.entries.len().checked_sub(1),
            text: at_text.and_then(|name| TEXT_KEYS.iter().position(|key| *key == name)),
            wanted,
        });
    }

    /// Keeps the pieces that are texts of their entries, with what is said of them.
    pub(super) fn finish(self, pieces: Vec<Piece>, profile: &Profile) -> Vec<Piece> {
        let is_entry = |which: usize| {
            let has = |entry: &Entry| {
                entry.texts.get(which) == Some(&true) && (which > 0 || !entry.has_others)
            };
            !self.entries.is_empty() && self.entries.iter().all(has)
        };
        let text = (0..TEXT_KEYS.len()).find(|which| is_entry(*which));
        let about = |entry: &'_ Entry| entry.name.strip_prefix('@').map(str::to_owned);
        let remarks: HashMap<String, &[String]> = self
            .entries
            .iter()
            .filter_map(|entry| Some((about(entry)?, entry.remarks.as_slice())))
            .collect();
        let mut kept = Vec::with_capacity(pieces.len());
        for (index, (mut piece, role)) in pieces.into_iter().zip(&self.roles).enumerate() {
            let entry = role.entry.and_then(|at| self.entries.get(at));
            let said = match (entry, text) {
                (Some(entry), Some(_)) => Some(entry.remarks.as_slice()),
                (Some(entry), None) => remarks.get(&entry.name).copied(),
                (None, _) => None,
            };
            let is_text = match text {
                Some(_) => role.text == text,
                None => entry.is_none_or(|entry| about(entry).is_none()),
            };
            if role.wanted || is_text && profile.keeps(index) {
                add_remarks(&mut piece, said.unwrap_or_default());
                kept.push(piece);
            }
        }
        kept
    }

    /// Changes the language that an ARB file names.
    pub(super) fn edits(&self, text: &str, target: Option<&LanguageTag>) -> Vec<Edit> {
        let edit = |(span, target): (Span, &LanguageTag)| {
            let hyphens = span.of(text).contains('-');
            let mark = if hyphens { "-" } else { "_" };
            Edit {
                span,
                text: target.as_str().replace('-', mark),
            }
        };
        self.language.zip(target).map(edit).into_iter().collect()
    }
}

fn add_remarks(piece: &mut Piece, remarks: &[String]) {
    let note = piece.hints.note.take();
    let lines: Vec<&str> = note.iter().chain(remarks).map(String::as_str).collect();
    piece.hints.note = (!lines.is_empty()).then(|| lines.join("\n"));
}
