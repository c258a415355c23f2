//! The way back: source bytes with unit spans replaced, and nothing else touched. What a target must
//! not contain at its place is the splice module's; how text becomes bytes, the encoding module's.

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
/// With no target, or each equal to its source, the result is the source byte for byte. A target of
/// blanks alone counts as none. Blank lines of a target are folded away: a unit stays one block.
///
/// # Errors
/// [`Unencodable`] for the first unit whose text the encoding cannot hold.
pub fn render_target<'a>(
    document: &Document,
    target: impl Fn(usize) -> Option<&'a str>,
) -> Result<Vec<u8>, Unencodable> {
    let mut out = Vec::with_capacity(document.bytes.len() + document.bytes.len() / 8);
    let mut kept = 0;
    for (segment, splice) in document.segments.iter().zip(&document.splices) {
        let wanted = target(segment.ordinal)
            .filter(|text| *text != segment.source && !text.trim().is_empty());
        let Some(text) = wanted else { continue };
        let fitted = fit(&document.text, segment, splice, text);
        let bytes = document
            .encoding
            .encode(&fitted)
            .map_err(|characters| Unencodable {
                ordinal: segment.ordinal,
                encoding: document.encoding.name,
                characters,
            })?;
        out.extend_from_slice(
            document
                .bytes
                .get(kept..splice.bytes.start)
                .unwrap_or_default(),
        );
        out.extend_from_slice(&bytes);
        kept = splice.bytes.end;
    }
    out.extend_from_slice(document.bytes.get(kept..).unwrap_or_default());
    Ok(out)
}
