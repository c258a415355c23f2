//! Files for programs whose texts stand under a few keys of their own, told by their outermost keys.
//! Must not know a syntax.

use super::{Key, Keys};

/// A kind of file.
struct Kind {
    /// Outermost keys that it has, all of them.
    marks: &'static [&'static str],
    /// Keys of its texts.
    texts: &'static [&'static str],
}

const KINDS: [Kind; 7] = [
    Kind {
        marks: &["openapi"],
        texts: &["description", "summary", "title"],
    },
    Kind {
        marks: &["swagger"],
        texts: &["description", "summary", "title"],
    },
    Kind {
        marks: &["site_name"],
        texts: &["site_name", "site_description", "copyright"],
    },
    // Of an extension of browsers.
    Kind {
        marks: &["manifest_version", "name"],
        texts: &[
            "default_title",
            "description",
            "name",
            "short_name",
            "title",
        ],
    },
    // JSON Schema.
    Kind {
        marks: &["$schema", "properties"],
        texts: &["description", "markdownDescription", "title"],
    },
    // Kubernetes.
    Kind {
        marks: &["apiVersion", "kind"],
        texts: &[],
    },
    // GitHub's workflows.
    Kind {
        marks: &["on", "jobs"],
        texts: &[],
    },
];

/// The one whose menu has titles as keys.
const SITE: usize = 2;

/// Gathers what tells the kind of a file while it is read.
#[derive(Debug, Default)]
pub(in crate::format) struct Profile {
    /// For each kind which marks were met.
    met: [u8; KINDS.len()],
    /// For each piece which kinds take it for text.
    pieces: Vec<u8>,
}

impl Profile {
    /// Takes note of the key at hand.
    pub(in crate::format) fn take_key(&mut self, keys: &Keys<'_>) {
        let Some(name) = keys.name(0).filter(|_| keys.0.len() == 1) else {
            return;
        };
        for (kind, met) in KINDS.iter().zip(&mut self.met) {
            for (bit, mark) in kind.marks.iter().enumerate() {
                *met |= u8::from(*mark == name) << bit;
            }
        }
    }

    /// Takes note of the next piece; `wanted` where it is text in any kind of file.
    pub(in crate::format) fn take_piece(&mut self, keys: &Keys<'_>, wanted: bool) {
        let key = keys.last_name().unwrap_or_default();
        let mut kinds = 0;
        for (bit, kind) in KINDS.iter().enumerate() {
            kinds |= u8::from(wanted || kind.texts.contains(&key)) << bit;
        }
        self.pieces.push(kinds);
    }

    /// Tells whether a piece is text in such a file.
    pub(in crate::format) fn keeps(&self, piece: usize) -> bool {
        let kinds = self.pieces.get(piece).copied().unwrap_or(u8::MAX);
        (0..KINDS.len()).all(|kind| !self.is(kind) || kinds >> kind & 1 == 1)
    }

    /// Tells whether the keys of the mapping at hand are titles: of a menu's entries.
    pub(in crate::format) fn has_titles_as_keys(&self, keys: &Keys<'_>) -> bool {
        self.is(SITE) && keys.name(0) == Some("nav") && matches!(keys.0.get(1), Some(Key::Index(_)))
    }

    fn is(&self, kind: usize) -> bool {
        let marks = KINDS.get(kind).map_or(0, |kind| kind.marks.len());
        let met = self.met.get(kind).copied().unwrap_or_default();
        met.count_ones() as usize == marks
    }
}
