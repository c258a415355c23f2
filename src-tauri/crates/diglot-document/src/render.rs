//! The way back: source bytes with unit spans replaced, and nothing else touched. What a target must
//! not contain at its place is the splice module's; how text becomes bytes, the encoding module's.

use std::borrow::Cow;
use std::ops::Range;

use crate::Document;
use crate::splice::fit;

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
    let mut changes: Vec<Vec<Change>> = document.sheets.iter().map(|_| Vec::new()).collect();
    for (segment, splice) in document.segments.iter().zip(&document.splices) {
        let wanted = target(segment.ordinal).filter(|text| !text.trim().is_empty());
        let Some(text) = wanted.filter(|text| splice.is_bilingual || *text != segment.source)
        else {
            continue;
        };
        let sheet = document.sheets.get(splice.sheet);
        let (Some(sheet), Some(changes)) = (sheet, changes.get_mut(splice.sheet)) else {
            continue;
        };
        let encode = |text: &str| {
            let bytes = sheet.encoding.encode(text).map(Cow::into_owned);
            bytes.map_err(|characters| Unencodable {
                ordinal: segment.ordinal,
                encoding: sheet.encoding.name,
                characters,
            })
        };
        if segment.hints.suggestion.as_deref() != Some(text) {
            let fitted = fit(&document.text, segment, splice, text);
            changes.push((splice.bytes.clone(), encode(&fitted)?));
        }
        for edit in &splice.edits {
            changes.push((edit.bytes.clone(), encode(&edit.text)?));
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
