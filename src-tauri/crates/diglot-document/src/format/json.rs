//! JSON and its dialects: string values, with the path of keys as their note. Owns which values are
//! units; nothing is ever re-serialised.

mod catalog;
mod plural;
pub(super) mod scan;

use catalog::Catalog;
use plural::Plurals;
use scan::{Visit, scan};

use crate::format::keyed::escape::{self, Dialect};
use crate::format::keyed::profile::Profile;
use crate::format::keyed::{Holds, Key, Keys};
use crate::format::{Notation, ReadOptions, Reading};
use crate::segment::Piece;
use crate::shown::{Place, ShownBuilder};
use crate::{SegmentKind, Span};

/// Reads the string values that hold text.
pub(super) fn read(text: &str, options: &ReadOptions<'_>) -> Reading {
    let mut values = Values {
        text,
        options,
        pieces: Vec::new(),
        catalog: Catalog::default(),
        profile: Profile::default(),
        plurals: Plurals::default(),
    };
    scan(text, &mut values);
    let edits = values.catalog.edits(text, options.target);
    let pieces = values.catalog.finish(values.pieces, &values.profile);
    Reading {
        edits,
        pieces: values.plurals.complete(text, pieces, options),
        ..Reading::default()
    }
}

/// Writes a target between the quotes of its source.
pub(super) fn write(place: &Place<'_>, target: &str, quote: char) -> String {
    escape::write(place, target, quote, Dialect::Json)
}

/// Gathers the values that hold text.
struct Values<'t> {
    text: &'t str,
    options: &'t ReadOptions<'t>,
    pieces: Vec<Piece>,
    catalog: Catalog,
    profile: Profile,
    plurals: Plurals,
}

impl Visit for Values<'_> {
    fn open(&mut self, keys: &Keys<'_>) {
        if matches!(keys.0.as_slice(), [Key::Index(_)]) {
            self.catalog.take_key(keys);
        }
        self.plurals.open(keys);
    }

    fn key(&mut self, keys: &Keys<'_>, inner: Span) {
        self.plurals.take_key(self.text, keys, inner);
        self.catalog.take_key(keys);
        self.profile.take_key(keys);
    }

    fn string(&mut self, keys: &Keys<'_>, inner: Span, quote: char) {
        let mut builder = ShownBuilder::new(self.text, inner.start);
        builder.unescape(inner, |rest| escape::read(rest, Dialect::Json));
        let Some((span, shown)) = builder.finish() else {
            return;
        };
        self.catalog.take_value(keys, inner, &shown.text);
        self.plurals.take_value(keys, inner, &shown.text);
        let holds = keys.hold_text(self.options.rules, &shown.text);
        if holds == Holds::Code {
            return;
        }
        self.profile.take_piece(keys, holds == Holds::Wanted);
        self.catalog.take_piece(keys, holds == Holds::Wanted);
        let mut piece = Piece::coded(span, shown, SegmentKind::Value, Notation::Json(quote));
        piece.hints.note = keys.note();
        self.pieces.push(piece);
    }
}

#[cfg(test)]
mod tests;
