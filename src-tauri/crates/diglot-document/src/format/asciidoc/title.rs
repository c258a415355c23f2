//! Titles with a line below that is as long as they are, to a character: the span of a title holds that
//! line, and what is shown of it is the title alone.

use crate::format::Notation;
use crate::segment::Piece;
use crate::shown::{Place, Shown};
use crate::splice::adoc_line;
use crate::text::lines_of;
use crate::{SegmentKind, Span};

/// What underlines a title of each level, from 1.
const RULES: [char; 5] = ['=', '-', '~', '^', '+'];

/// Returns the level of a title by the line below it.
pub(crate) fn level(title: &str, rule: &str) -> Option<u8> {
    let mark = rule.chars().next()?;
    let place = RULES.iter().position(|known| *known == mark)?;
    let sound = rule.len() > 1
        && rule.chars().all(|c| c == mark)
        && !title.starts_with(['.', '['])
        && title.chars().any(char::is_alphanumeric)
        && length(title).abs_diff(rule.len()) < 2;
    sound.then(|| u8::try_from(place + 1).ok()).flatten()
}

/// Counts characters, as Asciidoctor does, but for the brackets in which a proof wraps its units.
fn length(line: &str) -> usize {
    let counts = |c: &char| !matches!(c, '\u{27E6}' | '\u{27E7}');
    line.chars().filter(counts).count()
}

/// Makes the piece of a title; `whole` reaches to the end of the line below.
pub(super) fn piece(text: &str, whole: Span, title: Span, kind: SegmentKind) -> Piece {
    let shown = Shown {
        text: title.trimmed(text).of(text).to_owned(),
        forms: Vec::new(),
    };
    Piece {
        is_whole: true,
        ..Piece::coded(whole, shown, kind, Notation::AdocTitle)
    }
}

/// Writes a title, and makes the line below as long where it is not.
pub(crate) fn write(place: &Place<'_>, target: &str) -> String {
    let raw = place.span.of(place.text);
    let target = target.lines().map(str::trim).collect::<Vec<_>>().join(" ");
    let mut title = adoc_line(&target);
    if title.starts_with(['.', '[']) || !title.chars().any(char::is_alphanumeric) {
        title.insert_str(0, "{empty}");
    }
    let mut lines = lines_of(raw, Span::new(0, raw.len()));
    let (Some(own), Some(below)) = (lines.next(), lines.next()) else {
        return title;
    };
    let rule = below.content(raw);
    let between = Span::new(own.content(raw).trim_end().len(), own.next).of(raw);
    let wanted = length(&title).max(2);
    let rule = if wanted.abs_diff(rule.len()) < 2 {
        rule.to_owned()
    } else {
        rule.get(..1).unwrap_or_default().repeat(wanted)
    };
    format!("{title}{between}{rule}")
}
