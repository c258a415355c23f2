//! YAML: the string values of mappings and lists, in every style. Owns which scalars are units; the
//! grammar is saphyr-parser's, and how a scalar lies in the file is `scalar`'s.
//!
//! A scalar that does not read here as the parser reads it is left alone.

mod resolve;
mod scalar;
mod walk;
mod write;

pub(crate) use scalar::Style;
pub(super) use write::write;

use walk::Walk;

use crate::Span;
use crate::format::keyed::Choose;
use crate::format::{ReadOptions, Reading};
use crate::segment::Edit;

/// Reads the string values that hold text.
pub(super) fn read(text: &str, options: &ReadOptions<'_>) -> Reading {
    let choose: &Choose<'_> = &|keys, value| keys.hold_text(options.rules, value);
    let mut walk = Walk::new(text, Span::new(0, text.len()), choose);
    walk.run();
    let language = walk
        .language
        .filter(|span| resolve::is_language(span.of(text)));
    let edit = language.zip(options.target).map(|(span, target)| {
        let named = span.of(text);
        let mark = if named.contains('_') { "_" } else { "-" };
        let name = target.as_str().replace('-', mark);
        let quoted = text
            .get(..span.start)
            .is_some_and(|head| head.ends_with(['"', '\'']));
        // Norwegian, which would be a truth value.
        let bare = quoted || resolve::is_string(&name);
        let text = if bare { name } else { format!("\"{name}\"") };
        Edit { span, text }
    });
    let profile = walk.profile;
    let pieces = walk.pieces.into_iter().enumerate();
    let kept = pieces.filter(|(index, _)| profile.keeps(*index));
    let kept = kept.map(|(_, piece)| piece).collect();
    Reading {
        pieces: walk.plurals.complete(text, kept, options.target),
        unclosed: walk.failed.into_iter().collect(),
        edits: edit.into_iter().collect(),
        ..Reading::default()
    }
}

#[cfg(test)]
mod tests;
