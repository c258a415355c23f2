//! The text in a block macro's brackets: the alternative text and the title of an image. Must not know
//! blocks.

use crate::placeable::asciidoc as inline;
use crate::segment::{Piece, Setting};
use crate::splice::Adoc;
use crate::{SegmentKind, Span};

/// Names of attributes that hold text.
const TEXTS: [&str; 3] = ["alt", "title", "caption"];

/// Reads the texts of `name::target[…]`.
pub(super) fn read(text: &str, line: Span) -> Vec<Piece> {
    let Some(open) = line.of(text).find('[') else {
        return Vec::new();
    };
    let end = line.end - 1;
    let mut pieces = Vec::new();
    let mut at = line.start + open + 1;
    let mut is_first = true;
    while at < end {
        let value = value(text, at, end);
        let is_text = match value.name {
            Some(name) => TEXTS.contains(&name),
            None => is_first,
        };
        if is_text && inline::has_prose(value.span.of(text)) {
            let setting = Setting::Adoc(Adoc::Attribute {
                is_quoted: value.is_quoted,
            });
            pieces.push(Piece::new(text, value.span, SegmentKind::Caption, setting));
        }
        is_first = false;
        at = value.next;
    }
    pieces
}

struct Value<'t> {
    name: Option<&'t str>,
    span: Span,
    is_quoted: bool,
    /// Behind the comma that ends it.
    next: usize,
}

fn value(text: &str, at: usize, end: usize) -> Value<'_> {
    let whole = Span::new(at, end).of(text);
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | ' ');
    let named = whole.find(|c| !is_name(c)).filter(|length| {
        *length > 0
            && whole
                .get(*length..)
                .is_some_and(|rest| rest.starts_with('='))
    });
    let name = named.and_then(|length| whole.get(..length)).map(str::trim);
    let from = at + named.map_or(0, |length| length + 1);
    let rest = Span::new(from, end).of(text);
    let blanks = rest.len() - rest.trim_start().len();
    if let Some(inner) = rest.trim_start().strip_prefix('"') {
        let closing = inner
            .match_indices('"')
            .find(|(at, _)| !inner.get(..*at).is_some_and(|head| head.ends_with('\\')));
        if let Some((length, _)) = closing {
            let start = from + blanks + 1;
            let after = Span::new(start + length + 1, end).of(text);
            let comma = after.find(',').map_or(after.len(), |at| at + 1);
            return Value {
                name,
                span: Span::new(start, start + length),
                is_quoted: true,
                next: start + length + 1 + comma,
            };
        }
    }
    let length = rest.find(',').unwrap_or(rest.len());
    Value {
        name,
        span: Span::new(from, from + length),
        is_quoted: false,
        next: from + length + 1,
    }
}
