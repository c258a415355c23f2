//! SubStation Alpha (ASS, SSA): the texts of dialogue lines. All other fields and sections, comments
//! and drawings stay outside; override tags stay in the text as they are written.

use super::subtitle::has_words;
use super::{Notation, Reading};
use crate::segment::Piece;
use crate::shown::{Place, ShownBuilder};
use crate::text::lines;
use crate::{SegmentKind, Span};

/// Fields of a line where no `Format:` says otherwise; the text is the last one.
const FIELDS: usize = 10;

/// Reads the texts of the dialogue.
pub(super) fn read(text: &str) -> Reading {
    let mut pieces = Vec::new();
    let mut in_events = false;
    let mut fields = FIELDS;
    let mut speaker = None;
    for line in lines(text) {
        let content = line.content(text);
        if content.starts_with('[') {
            in_events = content.trim().eq_ignore_ascii_case("[Events]");
        } else if let Some(names) = content.strip_prefix("Format:").filter(|_| in_events) {
            fields = names.split(',').count();
            speaker = names
                .split(',')
                .position(|name| matches!(name.trim(), "Name" | "Actor"));
        } else if let Some(values) = content.strip_prefix("Dialogue:").filter(|_| in_events) {
            let mut values = values.splitn(fields, ',');
            let said_by = speaker.and_then(|at| values.clone().nth(at));
            if let Some(said) = values.nth(fields - 1) {
                let span = Span::new(line.end - said.len(), line.end);
                pieces.extend(dialogue(text, span, said_by));
            }
        }
    }
    Reading {
        pieces,
        ..Reading::default()
    }
}

fn dialogue(text: &str, span: Span, speaker: Option<&str>) -> Option<Piece> {
    if is_drawing(span.of(text)) {
        return None;
    }
    let mut builder = ShownBuilder::new(text, span.start);
    builder.copy(span.end);
    let (span, shown) = builder.finish()?;
    let words = shown
        .text
        .replace("\\N", " ")
        .replace("\\n", " ")
        .replace("\\h", " ");
    if !has_words(&words) {
        return None;
    }
    let mut piece = Piece::coded(span, shown, SegmentKind::Cue, Notation::Dialogue);
    piece.is_whole = true;
    let speaker = speaker.map(str::trim).filter(|name| !name.is_empty());
    piece.hints.note = speaker.map(str::to_owned);
    Some(piece)
}

/// Tells whether `{\p1}` or a higher scale makes the text a drawing.
fn is_drawing(text: &str) -> bool {
    let mut rest = text;
    while let Some((_, after)) = rest.split_once("\\p") {
        if after.starts_with(|c: char| matches!(c, '1'..='9')) {
            return true;
        }
        rest = after;
    }
    false
}

/// Writes a target as the text of a line, in which `\N` breaks lines.
pub(super) fn write(place: &Place<'_>, target: &str) -> String {
    let target = target.replace("\r\n", "\n").replace(['\n', '\r'], "\\N");
    place.carry(&target, &mut |c, out| out.push(c))
}

#[cfg(test)]
mod tests;
