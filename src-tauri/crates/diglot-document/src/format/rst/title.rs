//! Titles of sections, whose underline must be as long as they are: the span of a title holds the
//! lines that mark it, and what is shown of it is the title alone.

use super::marker::{Opener, opener};
use crate::format::Notation;
use crate::format::rows::width;
use crate::segment::Piece;
use crate::shown::{Place, Shown};
use crate::text::{is_blank, lines_of};
use crate::{SegmentKind, Span};

/// Makes the piece of a title; `whole` reaches from its overline, or from itself, to its underline.
pub(super) fn piece(text: &str, whole: Span, title: Span, kind: SegmentKind) -> Piece {
    let shown = Shown {
        text: title.trimmed(text).of(text).to_owned(),
        forms: Vec::new(),
    };
    Piece {
        is_whole: true,
        ..Piece::coded(whole, shown, kind, Notation::RstTitle)
    }
}

/// Writes a title between the lines that mark it; these grow with it and never shrink.
pub(crate) fn write(place: &Place<'_>, target: &str) -> String {
    let raw = place.span.of(place.text);
    let target = target.lines().map(str::trim).collect::<Vec<_>>().join(" ");
    let lines: Vec<_> = lines_of(raw, Span::new(0, raw.len())).collect();
    let place = lines.len().saturating_sub(2);
    let titled = lines.get(place).map_or("", |line| line.content(raw));
    let indent = titled.len() - titled.trim_start_matches(is_blank).len();
    let indent = titled.get(..indent).unwrap_or_default();
    let target = match opener(&target) {
        Some((kind, _)) if place == 0 && kind != Opener::Enumerator && opener(titled).is_none() => {
            format!("\\{target}")
        }
        _ => target,
    };
    let wanted = width(indent) + width(&target);
    let is_wider = wanted > width(titled.trim_end());
    let mut out = String::with_capacity(raw.len() + target.len());
    for (index, line) in lines.iter().enumerate() {
        let content = line.content(raw);
        if index == place {
            out.push_str(indent);
            out.push_str(&target);
            out.push_str(content.get(content.trim_end().len()..).unwrap_or_default());
        } else {
            let rule = content.trim_end();
            let own = rule.trim_start_matches(is_blank);
            out.push_str(rule);
            if is_wider {
                let mark = own.get(..1).unwrap_or_default();
                out.push_str(&mark.repeat(wanted.saturating_sub(own.len())));
            }
            out.push_str(content.get(rule.len()..).unwrap_or_default());
        }
        out.push_str(line.line_end(raw));
    }
    out
}
