//! A parsed file: its bytes, its decoded text and its segments. Owns the order of reading (decode,
//! read by format, divide, number); must not know a syntax or an encoding.

use std::ops::Range;
use std::sync::Arc;

use crate::divide::divide;
use crate::encoding::Decoded;
use crate::format::MAX_BYTES;
use crate::segment::{Piece, Setting};
use crate::text::{has_prose, lines};
use crate::{Format, Segment, Span, TextEncoding, Untranslatable};

/// Holds what parsing depends on besides the bytes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ParseOptions {
    /// The encoding that a person chose, as a WHATWG label; `None` detects it.
    pub encoding: Option<String>,
    /// Soft limit of a unit in grapheme clusters; `None` takes [`SOFT_LIMIT`].
    pub soft_limit: Option<usize>,
}

/// Longest unit before it is divided at sentence ends, in grapheme clusters (SPEC 4).
pub const SOFT_LIMIT: usize = 300;

/// Reports something odd that parsing met and worked around.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Problem {
    /// Bytes that the encoding does not know; the lines, from 1, are left untranslated.
    InvalidBytes {
        /// Lines that hold them, from 1, ascending.
        lines: Vec<usize>,
    },
    /// The encoding is a guess that a person should look at.
    DoubtfulEncoding,
    /// A front matter or fence that never closes.
    Unclosed {
        /// Line where it opens, from 1.
        line: usize,
    },
}

/// Holds a file as its format reads it. Cheap to share, never changed.
#[derive(Debug, Clone)]
pub struct Document {
    /// What it was read as.
    pub format: Format,
    /// How its bytes become text.
    pub encoding: TextEncoding,
    /// The file's bytes.
    pub bytes: Arc<[u8]>,
    /// The decoded text without a byte-order mark; line ends as in the file.
    pub text: String,
    /// Translatable spans: ascending, disjoint, on character boundaries; may be empty.
    pub segments: Vec<Segment>,
    /// What was odd.
    pub problems: Vec<Problem>,
    /// What writing needs to know of each segment, in the same order.
    pub(crate) splices: Vec<Splice>,
}

/// Says how the target of one segment is fitted into the file.
#[derive(Debug, Clone)]
pub(crate) struct Splice {
    pub(crate) setting: Setting,
    /// Prefix of a further line where the segment has none to take it from.
    pub(crate) fresh: String,
    /// The segment's bytes in the file.
    pub(crate) bytes: Range<usize>,
}

impl Document {
    /// Reads bytes as a document.
    ///
    /// # Errors
    /// `Binary` or `TooLarge`; any text parses, odd or not.
    pub fn parse(
        format: Format,
        bytes: &[u8],
        options: &ParseOptions,
    ) -> Result<Self, Untranslatable> {
        if bytes.len() as u64 > MAX_BYTES {
            return Err(Untranslatable::TooLarge);
        }
        let decoded = Decoded::new(bytes, options.encoding.as_deref())?;
        let reading = format.read(&decoded.text);
        let soft = options.soft_limit.unwrap_or(SOFT_LIMIT).max(1);
        let (segments, mut splices) = segments(&decoded, &reading.pieces, soft);
        let spans: Vec<Span> = segments.iter().map(|segment| segment.span).collect();
        for (splice, range) in splices.iter_mut().zip(decoded.byte_ranges(bytes, &spans)) {
            splice.bytes = range;
        }
        let problems = problems(&decoded, &reading.unclosed);
        let Decoded { text, encoding, .. } = decoded;
        Ok(Self {
            format,
            encoding,
            bytes: bytes.into(),
            text,
            segments,
            problems,
            splices,
        })
    }
}

fn segments(decoded: &Decoded, pieces: &[Piece], soft: usize) -> (Vec<Segment>, Vec<Splice>) {
    let text = decoded.text.as_str();
    let mut segments = Vec::with_capacity(pieces.len());
    let mut splices = Vec::with_capacity(pieces.len());
    for piece in pieces {
        let spans = divide(text, piece, soft);
        let divided = spans.len() > 1;
        for span in spans {
            if (divided && !has_prose(span.of(text))) || is_damaged(decoded, span) {
                continue;
            }
            segments.push(piece.segment(text, span, segments.len()));
            splices.push(Splice {
                setting: piece.setting,
                fresh: piece.fresh.clone(),
                bytes: 0..0,
            });
        }
    }
    (segments, splices)
}

/// Tells whether one of the span's lines holds bytes that the encoding does not know.
fn is_damaged(decoded: &Decoded, span: Span) -> bool {
    if decoded.invalid.is_empty() {
        return false;
    }
    let ends = ['\n', '\r'];
    let before = decoded
        .text
        .get(..span.start)
        .and_then(|head| head.rfind(ends));
    let start = before.map_or(0, |at| at + 1);
    let after = decoded
        .text
        .get(span.end..)
        .and_then(|tail| tail.find(ends));
    let end = after.map_or(decoded.text.len(), |at| span.end + at);
    let next = decoded.invalid.partition_point(|&at| at < start);
    decoded.invalid.get(next).is_some_and(|&at| at < end)
}

fn problems(decoded: &Decoded, unclosed: &[usize]) -> Vec<Problem> {
    let mut problems = Vec::new();
    if !decoded.invalid.is_empty() {
        problems.push(Problem::InvalidBytes {
            lines: line_numbers(&decoded.text, &decoded.invalid),
        });
    }
    if decoded.doubtful {
        problems.push(Problem::DoubtfulEncoding);
    }
    let unclosed = line_numbers(&decoded.text, unclosed);
    problems.extend(unclosed.into_iter().map(|line| Problem::Unclosed { line }));
    problems
}

/// Returns the numbers, from 1 and each once, of the lines that hold the ascending offsets.
fn line_numbers(text: &str, offsets: &[usize]) -> Vec<usize> {
    let mut numbers = Vec::new();
    let mut wanted = offsets.iter().copied().peekable();
    if wanted.peek().is_none() {
        return numbers;
    }
    for (index, line) in lines(text).enumerate() {
        let mut met = false;
        while wanted.next_if(|&at| at < line.next).is_some() {
            met = true;
        }
        if met {
            numbers.push(index + 1);
        }
    }
    numbers
}

#[cfg(test)]
mod tests;
