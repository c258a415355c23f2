//! The way back: source bytes with unit spans replaced, and nothing else touched. What a target must
//! not contain at its place is the splice module's; how text becomes bytes, the encoding module's.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use crate::document::{ByteEdit, Splice};
use crate::splice::fit;
use crate::{Document, Segment};

/// Reports characters of a target that the document's encoding cannot hold.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unit {ordinal} holds characters that {encoding} cannot: {characters}", ordinal = ordinal + 1)]
pub struct Unencodable {
    /// Unit that holds them, from 0.
    pub ordinal: usize,
    /// WHATWG name of the encoding.
    pub encoding: &'static str,
    /// The characters, each once.
    pub characters: String,
}

/// Renders the target file: every segment that `target` answers is replaced, every other byte kept.
/// With no target the result is the source byte for byte; so it is with each target equal to its
/// source, unless the file holds both. A target of blanks alone counts as none. Blank lines of a
/// target are folded away where a unit is one block.
///
/// # Errors
/// [`Unencodable`] for the first unit whose text the encoding cannot hold.
pub fn render_target<'a>(
    document: &Document,
    target: impl Fn(usize) -> Option<&'a str>,
) -> Result<Vec<u8>, Unencodable> {
    let wanted = |segment: &Segment, splice: &Splice| {
        let text = target(segment.ordinal).filter(|text| !text.trim().is_empty());
        text.filter(|text| splice.is_bilingual || *text != segment.source)
    };
    let groups = Groups::new(document, |segment, splice| {
        wanted(segment, splice).is_some()
    });
    let mut changes: Vec<Vec<Change>> = document.sheets.iter().map(|_| Vec::new()).collect();
    for (segment, splice) in document.segments.iter().zip(&document.splices) {
        let sheet = document.sheets.get(splice.sheet);
        let (Some(sheet), Some(changes)) = (sheet, changes.get_mut(splice.sheet)) else {
            continue;
        };
        let mut put = |place: &Range<usize>, text: &str| {
            let bytes = sheet.encoding.encode(text).map(Cow::into_owned);
            let bytes = bytes.map_err(|characters| Unencodable {
                ordinal: segment.ordinal,
                encoding: sheet.encoding.name,
                characters,
            });
            bytes.map(|bytes| changes.push((place.clone(), bytes)))
        };
        let Some(text) = wanted(segment, splice) else {
            if let Some(idle) = groups.idle(splice) {
                put(&splice.bytes, idle)?;
            }
            continue;
        };
        if !splice.stands || segment.hints.suggestion.as_deref() != Some(text) {
            put(&splice.bytes, &fit(&document.text, segment, splice, text))?;
        }
        for edit in splice.edits.iter().chain(groups.edits(splice)) {
            put(&edit.bytes, &edit.text)?;
        }
    }
    if changes.iter().all(Vec::is_empty) {
        return Ok(document.bytes.to_vec());
    }
    for (sheet, changes) in document.sheets.iter().zip(&mut changes) {
        for edit in &sheet.edits {
            // What a file says of itself is plain ASCII: a name of a language or an encoding.
            if let Ok(bytes) = sheet.encoding.encode(&edit.text) {
                changes.push((edit.bytes.clone(), bytes.into_owned()));
            }
        }
        changes.sort_by_key(|(range, _)| (range.start, range.end));
    }
    let changed = document.sheets.iter().zip(&changes);
    let members = changed
        .filter(|(_, changes)| !changes.is_empty())
        .map(|(sheet, changes)| (sheet.member, replaced(&sheet.bytes, changes)))
        .collect();
    Ok(document.format.assemble(&document.bytes, members))
}

/// Counts how many units of each group are confirmed.
struct Groups(HashMap<(usize, usize), usize>);

impl Groups {
    fn new(document: &Document, is_confirmed: impl Fn(&Segment, &Splice) -> bool) -> Self {
        let mut counts = HashMap::new();
        for (segment, splice) in document.segments.iter().zip(&document.splices) {
            if let Some(group) = splice
                .group
                .as_ref()
                .filter(|_| is_confirmed(segment, splice))
            {
                *counts.entry((splice.sheet, group.id)).or_insert(0) += 1;
            }
        }
        Self(counts)
    }

    /// Returns what goes to the place of a unit that is not confirmed.
    fn idle<'d>(&self, splice: &'d Splice) -> Option<&'d str> {
        let group = splice.group.as_ref()?;
        self.0.get(&(splice.sheet, group.id))?;
        group.idle.as_deref()
    }

    /// Returns what changes elsewhere, once all of the group are confirmed.
    fn edits<'d>(&self, splice: &'d Splice) -> &'d [ByteEdit] {
        let whole = splice.group.as_ref().filter(|group| {
            let n_confirmed = self.0.get(&(splice.sheet, group.id));
            n_confirmed == Some(&group.size)
        });
        whole.map_or(&[], |group| group.edits.as_slice())
    }
}

/// Bytes of a sheet, and what takes their place.
type Change = (Range<usize>, Vec<u8>);

/// Replaces ranges of bytes, which ascend; one that reaches into another is left out.
fn replaced(bytes: &[u8], changes: &[Change]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len() + bytes.len() / 8);
    let mut kept = 0;
    for (range, new) in changes {
        if let Some(between) = bytes.get(kept..range.start) {
            out.extend_from_slice(between);
            out.extend_from_slice(new);
            kept = range.end;
        }
    }
    out.extend_from_slice(bytes.get(kept..).unwrap_or_default());
    out
}
