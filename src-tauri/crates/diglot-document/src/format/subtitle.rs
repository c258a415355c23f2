//! SubRip and WebVTT: the texts of cues. Numbers, times, styles, notes and positions stay outside; tags
//! stay in the text as they are written. Must not know how a cue looks on a screen.

use super::{Notation, Reading};
use crate::SegmentKind;
use crate::segment::Piece;
use crate::shown::{Place, ShownBuilder};
use crate::text::{Line, lines};

/// Names the two kinds of cue files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cues {
    SubRip,
    WebVtt,
}

/// Reads the texts of the cues. Each is one unit, however long, so that none moves under another time.
pub(super) fn read(text: &str, cues: Cues) -> Reading {
    let rows: Vec<Line> = lines(text).collect();
    let mut pieces = Vec::new();
    let mut at = 0;
    while let Some(row) = rows.get(at) {
        at += 1;
        if !is_timing(row.content(text)) {
            continue;
        }
        let end = match cues {
            Cues::SubRip => subrip_end(text, &rows, at),
            Cues::WebVtt => first_blank(text, &rows, at),
        };
        let inside = rows.get(at..end).unwrap_or_default();
        let line_end = row.line_end(text);
        pieces.extend(cue(text, inside, Notation::Cue(cues)).map(|piece| Piece {
            fresh: if line_end.is_empty() { "\n" } else { line_end }.to_owned(),
            ..piece
        }));
        at = end;
    }
    Reading {
        pieces,
        ..Reading::default()
    }
}

/// Makes the piece of a cue's lines; what has no words, such as a lone note of music, is none.
fn cue(text: &str, inside: &[Line], notation: Notation) -> Option<Piece> {
    let mut builder = ShownBuilder::new(text, inside.first()?.start);
    for line in inside {
        builder.copy(line.end);
        if line.next > line.end {
            builder.write(line.next, "\n");
        }
    }
    let (span, shown) = builder.finish()?;
    has_words(&shown.text).then(|| Piece {
        is_whole: true,
        ..Piece::coded(span, shown, SegmentKind::Cue, notation)
    })
}

/// Tells whether a cue says something outside of its tags.
pub(super) fn has_words(text: &str) -> bool {
    let mut rest = text;
    // What closes no more is not looked for again.
    let mut may_close = [true; 2];
    while let Some(at) = rest.find(|c: char| c.is_alphanumeric() || matches!(c, '<' | '{')) {
        let found = rest.get(at..).unwrap_or_default();
        let [angle, brace] = &mut may_close;
        let (may_close, closer) = match found.chars().next() {
            Some('<') => (angle, '>'),
            Some('{') => (brace, '}'),
            _ => return true,
        };
        let end = may_close.then(|| found.find(closer)).flatten();
        *may_close = end.is_some();
        rest = found.get(end.unwrap_or(0) + 1..).unwrap_or_default();
    }
    false
}

/// Returns the row where the next cue begins: with its number, if it has one. Blank lines inside a text
/// do not end it, and the first line of a text is text whatever it looks like.
fn subrip_end(text: &str, rows: &[Line], first: usize) -> usize {
    let next = rows
        .iter()
        .enumerate()
        .skip(first + 1)
        .find(|(_, row)| is_timing(row.content(text)));
    let Some((timing, _)) = next else {
        return rows.len();
    };
    let number = timing - 1;
    let is_number = rows.get(number).is_some_and(|row| {
        let content = row.content(text).trim();
        !content.is_empty() && content.bytes().all(|b| b.is_ascii_digit())
    });
    if is_number && number > first {
        number
    } else {
        timing
    }
}

fn first_blank(text: &str, rows: &[Line], first: usize) -> usize {
    let is_end = |row: &Line| is_blank(row.content(text));
    let length = rows.iter().skip(first).position(is_end);
    length.map_or(rows.len(), |length| first + length)
}

fn is_blank(line: &str) -> bool {
    line.trim().is_empty()
}

/// Tells `00:00:01,000 --> 00:00:02,500`, with dots or commas, with or without hours, and with what
/// may follow.
fn is_timing(line: &str) -> bool {
    let is_time = |part: Option<&str>| {
        part.is_some_and(|part| {
            let digits = part.starts_with(|c: char| c.is_ascii_digit())
                && part.ends_with(|c: char| c.is_ascii_digit());
            let all = |b: u8| b.is_ascii_digit() || matches!(b, b':' | b',' | b'.');
            digits && part.contains(':') && part.bytes().all(all)
        })
    };
    line.split_once("-->").is_some_and(|(from, to)| {
        is_time(Some(from.trim())) && is_time(to.split_whitespace().next())
    })
}

/// Writes a target as the text of a cue. A blank line would end the text, unless the source has some
/// itself, and a line of times would begin another cue: neither is written.
pub(super) fn write(place: &Place<'_>, target: &str, cues: Cues) -> String {
    let keeps_blank = cues == Cues::SubRip && place.shown.text.lines().any(is_blank);
    let target = target.replace("\r\n", "\n").replace('\r', "\n");
    let mut kept = String::with_capacity(target.len());
    for line in target.split('\n') {
        if is_blank(line) && !keeps_blank {
            continue;
        }
        if !kept.is_empty() {
            let folds = cues == Cues::SubRip && is_timing(line);
            kept.push(if folds { ' ' } else { '\n' });
        }
        kept.push_str(line);
    }
    if cues == Cues::WebVtt && !place.shown.text.contains("-->") {
        // An arrow is no text there (WebVTT, section 4.1).
        kept = kept.replace("-->", "--&gt;");
    }
    place.carry(kept.trim(), &mut |c, out| match c {
        '\n' => out.push_str(place.fresh),
        c => out.push(c),
    })
}

#[cfg(test)]
mod tests;
