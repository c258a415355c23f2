//! Puts a document together from what a format reads in each of its texts: divides long pieces,
//! numbers the segments, and finds the bytes that they stand for. Must not know a syntax.

use std::ops::Range;
use std::sync::Arc;

use super::{
    ByteEdit, ByteGroup, Drawn, ParseOptions, Problem, SOFT_LIMIT, Sheet, Special, Splice,
};
use crate::divide::divide;
use crate::encoding::{Decoded, EncodingHints};
use crate::format::{Member, ReadOptions};
use crate::segment::{Edit, Hints, Part, Piece};
use crate::text::{has_prose, lines};
use crate::{Format, Segment, Span, Untranslatable};

/// A document in the making.
#[derive(Default)]
pub(super) struct Assembly {
    pub(super) text: String,
    pub(super) segments: Vec<Segment>,
    pub(super) splices: Vec<Splice>,
    pub(super) sheets: Vec<Sheet>,
    pub(super) problems: Vec<Problem>,
    pub(super) n_finished: usize,
    no_hints: Arc<Hints>,
}

impl Assembly {
    /// Adds one text of the file.
    pub(super) fn take(
        &mut self,
        format: Format,
        member: Member,
        options: &ParseOptions,
    ) -> Result<(), Untranslatable> {
        let hints = EncodingHints {
            chosen: options.encoding.as_deref(),
            language: options.source.as_ref(),
            default: format.default_encoding(),
        };
        let decoded = Decoded::new(&member.bytes, &hints)?;
        let text = decoded.text.as_str();
        let options = ReadOptions {
            member: &member.name,
            rules: &options.rules,
            target: options.target.as_ref(),
            soft_limit: options.soft_limit.unwrap_or(SOFT_LIMIT).max(1),
        };
        let reading = format.read(text, &options);
        let divided: Vec<(&Piece, Vec<Part>)> = reading
            .pieces
            .iter()
            .map(|piece| (piece, divide(text, piece, options.soft_limit)))
            .collect();
        let parts = divided.iter().flat_map(|(_, parts)| parts);
        let edits = divided.iter().flat_map(|(piece, _)| {
            let joint = piece.group.as_ref().map(|group| &group.edits);
            piece.edits.iter().chain(joint.into_iter().flatten())
        });
        let edits = edits.chain(&reading.edits);
        let spans = parts
            .map(|part| part.span)
            .chain(edits.map(|edit| edit.span))
            .chain(reading.pieces.iter().filter_map(|piece| piece.table));
        let bytes = Places::new(&decoded, &member.bytes, spans);
        let damaged = damaged_lines(&decoded);
        for (piece, parts) in divided {
            self.take_piece(&decoded, &damaged, (piece, parts), &bytes);
        }
        self.n_finished += reading.n_finished;
        self.problems.extend(problems(&decoded, &reading.unclosed));
        self.sheets.push(Sheet {
            member: member.index,
            bytes: member.bytes,
            edits: bytes.edits(&reading.edits),
            encoding: decoded.encoding,
        });
        if self.text.is_empty() {
            self.text = decoded.text;
        } else {
            self.text.push_str(&decoded.text);
        }
        Ok(())
    }

    fn take_piece(
        &mut self,
        decoded: &Decoded,
        damaged: &[Span],
        (piece, parts): (&Piece, Vec<Part>),
        bytes: &Places,
    ) {
        let base = self.text.len();
        let shift = |span: Span| Span::new(base + span.start, base + span.end);
        let divided = parts.len() > 1;
        for part in parts {
            let mut segment = piece.segment(&decoded.text, &part, self.segments.len());
            let place = piece.table.unwrap_or(part.span);
            if (divided && !has_prose(&segment.source)) || touches(damaged, place) {
                continue;
            }
            segment.span = shift(part.span);
            // Of most there is nothing to tell.
            if segment.hints == self.no_hints {
                segment.hints = Arc::clone(&self.no_hints);
            }
            self.segments.push(segment);
            let mut forms = part.shown.map(|shown| shown.forms).unwrap_or_default();
            for form in &mut forms {
                form.raw = shift(form.raw);
            }
            let special = Special {
                forms,
                edits: bytes.edits(&piece.edits),
                group: piece.group.as_ref().map(|group| ByteGroup {
                    id: group.id,
                    size: group.size,
                    idle: group.idle.clone(),
                    edits: bytes.edits(&group.edits),
                }),
                table: piece.table.map(|span| Drawn {
                    span: shift(span),
                    bytes: bytes.range(span),
                }),
                ..Special::of(piece)
            };
            self.splices.push(Splice {
                sheet: self.sheets.len(),
                bytes: bytes.range(part.span),
                ..Splice::new(piece, special)
            });
        }
    }
}

/// The bytes that offsets of a text stand for.
struct Places {
    /// Ascending, each once.
    offsets: Vec<usize>,
    /// For each offset its byte, as a start and as an end.
    bytes: Vec<Range<usize>>,
}

impl Places {
    fn new(decoded: &Decoded, bytes: &[u8], spans: impl Iterator<Item = Span>) -> Self {
        let mut offsets: Vec<usize> = spans.flat_map(|span| [span.start, span.end]).collect();
        offsets.sort_unstable();
        offsets.dedup();
        let points: Vec<Span> = offsets.iter().map(|&at| Span::new(at, at)).collect();
        let bytes = decoded.byte_ranges(bytes, &points);
        Self { offsets, bytes }
    }

    fn range(&self, span: Span) -> Range<usize> {
        let place = |at: usize| {
            let found = self.offsets.binary_search(&at).ok();
            found
                .and_then(|index| self.bytes.get(index).cloned())
                .unwrap_or_default()
        };
        place(span.start).start..place(span.end).end
    }

    fn edits(&self, edits: &[Edit]) -> Vec<ByteEdit> {
        let place = |edit: &Edit| ByteEdit {
            bytes: self.range(edit.span),
            text: edit.text.clone(),
        };
        edits.iter().map(place).collect()
    }
}

/// Returns the lines that hold bytes that the encoding does not know.
fn damaged_lines(decoded: &Decoded) -> Vec<Span> {
    let mut invalid = decoded.invalid.iter().copied().peekable();
    if invalid.peek().is_none() {
        return Vec::new();
    }
    let mut damaged = Vec::new();
    for line in lines(&decoded.text) {
        let mut met = false;
        while invalid.next_if(|&at| at < line.next).is_some() {
            met = true;
        }
        if met {
            damaged.push(Span::new(line.start, line.end));
        }
    }
    damaged
}

/// Tells whether a span touches one of some lines.
fn touches(lines: &[Span], span: Span) -> bool {
    let next = lines.partition_point(|line| line.end < span.start);
    lines.get(next).is_some_and(|line| line.start <= span.end)
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
