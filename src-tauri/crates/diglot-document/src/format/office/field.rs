//! Fields of a document (ECMA-376 part 1, section 17.16): a link's text is text, a page number is a
//! thing. Must not know how runs become a text.

use super::tree::Tree;
use super::word::Run;
use crate::Span;
use crate::format::runs::{Mark, Paragraph, Single};
use crate::format::xml;

/// Fields whose results are texts that the program does not make up from elsewhere.
const TEXTS: [&str; 5] = ["HYPERLINK", "INDEX", "QUOTE", "TOA", "TOC"];

/// A field that has begun in the paragraph.
pub(super) struct Field {
    mark: Mark,
    start: usize,
    /// What it is to do.
    code: String,
    /// Whether its parts are runs of their own.
    is_apart: bool,
    is_entered: bool,
}

/// Tells whether the result of a field is text.
pub(super) fn is_text(code: &str) -> bool {
    let name = code.split_whitespace().next().unwrap_or_default();
    TEXTS.iter().any(|text| name.eq_ignore_ascii_case(text))
}

/// Takes a part of a field, which is already in the paragraph as a thing of its own.
pub(super) fn take(
    tree: &Tree<'_>,
    at: usize,
    run: &Run<'_, '_>,
    fields: &mut Vec<Field>,
    paragraph: &mut Paragraph<'_>,
) {
    if tree.own(at) == "instrText" {
        if let Some(field) = fields.last_mut() {
            let code = Span::new(tree.span(at).end, tree.span(tree.end(at)).start);
            field.code.push_str(&xml::unescaped(code.of(tree.text)));
        }
        return;
    }
    match tree.value(at, "fldCharType") {
        "begin" => fields.push(Field {
            mark: paragraph.mark_before_last(),
            start: run.span.start,
            code: String::new(),
            is_apart: run.is_field(),
            is_entered: false,
        }),
        "separate" => {
            if let Some(field) = fields.last_mut() {
                field.is_apart &= run.is_field();
                if field.is_apart && is_text(&field.code) && paragraph.rewind(&field.mark) {
                    let span = Span::new(field.start, run.span.end);
                    paragraph.enter(span, String::new(), false);
                    field.is_entered = true;
                }
            }
        }
        "end" => {
            if let Some(field) = fields.pop() {
                end(tree, &field, run, paragraph);
            }
        }
        _ => {}
    }
}

fn end(tree: &Tree<'_>, field: &Field, run: &Run<'_, '_>, paragraph: &mut Paragraph<'_>) {
    let is_apart = field.is_apart && run.is_field();
    if field.is_entered && is_apart {
        paragraph.drop_last();
        paragraph.leave(run.span);
    } else if field.is_entered {
        paragraph.part();
    } else if is_apart && !is_text(&field.code) && paragraph.rewind(&field.mark) {
        let span = Span::new(field.start, run.span.end);
        paragraph.single(Single {
            span,
            form: span.of(tree.text).to_owned(),
            is_copyable: false,
            inner: Vec::new(),
        });
    }
}
