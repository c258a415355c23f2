//! What a document says of its own language, and what it says in the language of the target. Must not
//! know its text.

use super::tag::Tag;
use super::token::Tokens;
use crate::segment::Edit;
use crate::{LanguageTag, Span};

/// Returns the root's tag.
pub(super) fn root(text: &str, part: Span) -> Option<Tag<'_>> {
    let mut tags = Tokens::new(text, part, true).filter_map(|token| token.tag());
    tags.next().filter(|tag| tag.name() == "html")
}

/// Changes the language that the root names, and the direction of its text with it.
pub(super) fn edits(text: &str, part: Span, target: &LanguageTag) -> Vec<Edit> {
    let mut edits = Vec::new();
    let Some(root) = root(text, part) else {
        return edits;
    };
    let languages = ["lang", "xml:lang"]
        .into_iter()
        .filter_map(|name| root.value(name));
    for span in languages.filter(|span| is_other(span.of(text), target)) {
        let text = target.as_str().to_owned();
        edits.push(Edit { span, text });
    }
    if edits.is_empty() {
        return edits;
    }
    let wanted = if target.is_rtl() { "rtl" } else { "ltr" };
    let direction = match root.value("dir") {
        Some(span) if matches!(span.of(text), "ltr" | "rtl") => Edit {
            span,
            text: wanted.to_owned(),
        },
        None if target.is_rtl() => {
            let end = root.span.start + "<html".len();
            Edit {
                span: Span::new(end, end),
                text: " dir=\"rtl\"".to_owned(),
            }
        }
        Some(_) | None => return edits,
    };
    edits.push(direction);
    edits
}

/// Tells whether a value is a language, and another than the target's.
pub(super) fn is_other(value: &str, target: &LanguageTag) -> bool {
    LanguageTag::parse(value).is_ok_and(|named| named.primary() != target.primary())
}
