//! The texts of a book: pages, tables of contents, and what its package says of itself. Must not know
//! the package.

use crate::format::xml::TokenKind;
use crate::format::{Notation, ReadOptions, Reading, html, xml};
use crate::segment::{Edit, Piece};
use crate::shown::ShownBuilder;
use crate::text::has_prose;
use crate::{LanguageTag, SegmentKind, Span};

/// Reads the translatable pieces of a member, by its root.
pub(in crate::format) fn read(text: &str, options: &ReadOptions<'_>) -> Reading {
    match root(text) {
        "package" => package(text, options),
        "ncx" => contents(text, options),
        _ => html::read_xml(text, options),
    }
}

fn root(text: &str) -> &str {
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        rest = rest.get(at + 1..).unwrap_or_default();
        let length = rest.find(|c: char| !c.is_alphanumeric() && !matches!(c, ':' | '-' | '_'));
        let name = rest.get(..length.unwrap_or(rest.len())).unwrap_or_default();
        if !name.is_empty() {
            return name.rsplit(':').next().unwrap_or(name);
        }
        if rest.starts_with("!--") {
            rest = rest.split_once("-->").map_or("", |(_, rest)| rest);
        }
    }
    ""
}

/// Reads a package document: the title and what it says of the book. It changes its language, and the
/// direction of its pages, with the target.
fn package(text: &str, options: &ReadOptions<'_>) -> Reading {
    let mut reading = Reading::default();
    let mut element = "";
    let mut is_named = false;
    let mut is_new = false;
    for token in xml::tokens(text, Span::new(0, text.len())) {
        match token.kind {
            TokenKind::Open | TokenKind::Empty => {
                element = token.local_name(text);
                if element == "package" {
                    let version = token.attribute(text, "version");
                    is_new = version.is_some_and(|version| version.of(text).starts_with('3'));
                    let language = token.attribute(text, "xml:lang");
                    reading
                        .edits
                        .extend(language.and_then(|span| renamed(text, span, options.target)));
                }
                if element == "spine" {
                    let direction = token.attribute(text, "page-progression-direction");
                    let end = token.span.start + "<".len() + token.name(text).len();
                    reading
                        .edits
                        .extend(turned(text, direction, end, is_new, options.target));
                }
            }
            TokenKind::Text if matches!(element, "title" | "description") => {
                let note = format!("book {element}");
                reading
                    .pieces
                    .extend(piece(text, token.span, SegmentKind::Caption, note));
            }
            TokenKind::Text if element == "language" && !is_named => {
                let span = token.span.trimmed(text);
                is_named = span.start < span.end;
                reading.edits.extend(renamed(text, span, options.target));
            }
            TokenKind::Text | TokenKind::Comment => {}
            TokenKind::Close | TokenKind::CData | TokenKind::Instruction | TokenKind::Doctype => {
                element = "";
            }
        }
    }
    reading
}

/// Names the target's language in the place of another.
fn renamed(text: &str, span: Span, target: Option<&LanguageTag>) -> Option<Edit> {
    let target = target?;
    let named = LanguageTag::parse(span.of(text));
    let is_same = named.is_ok_and(|named| named.primary() == target.primary());
    (span.start < span.end && !is_same).then(|| Edit {
        span,
        text: target.as_str().to_owned(),
    })
}

/// Turns the pages in the direction of the target's script (EPUB 3.3, section 5.7.1).
fn turned(
    text: &str,
    direction: Option<Span>,
    end: usize,
    is_new: bool,
    target: Option<&LanguageTag>,
) -> Option<Edit> {
    let target = target?;
    let wanted = if target.is_rtl() { "rtl" } else { "ltr" };
    match direction {
        Some(span) if matches!(span.of(text), "ltr" | "rtl") && span.of(text) != wanted => {
            Some(Edit {
                span,
                text: wanted.to_owned(),
            })
        }
        None if target.is_rtl() && is_new => Some(Edit {
            span: Span::new(end, end),
            text: " page-progression-direction=\"rtl\"".to_owned(),
        }),
        Some(_) | None => None,
    }
}

/// Reads a table of contents of EPUB 2: its title and the labels of its places. Numbers of pages keep
/// to the printed book.
fn contents(text: &str, options: &ReadOptions<'_>) -> Reading {
    let mut reading = Reading::default();
    let mut around = "";
    let mut in_text = false;
    let mut in_pages = false;
    for token in xml::tokens(text, Span::new(0, text.len())) {
        let name = token.local_name(text);
        match token.kind {
            TokenKind::Open => match name {
                "text" => in_text = true,
                "ncx" => {
                    let language = token.attribute(text, "xml:lang");
                    reading
                        .edits
                        .extend(language.and_then(|span| renamed(text, span, options.target)));
                }
                "pageList" => in_pages = true,
                _ => around = name,
            },
            TokenKind::Close => {
                in_text = false;
                in_pages &= name != "pageList";
            }
            TokenKind::Text
                if in_text && !in_pages && matches!(around, "docTitle" | "navLabel") =>
            {
                let note = "contents".to_owned();
                reading
                    .pieces
                    .extend(piece(text, token.span, SegmentKind::Caption, note));
            }
            TokenKind::Text
            | TokenKind::Empty
            | TokenKind::CData
            | TokenKind::Comment
            | TokenKind::Instruction
            | TokenKind::Doctype => {}
        }
    }
    reading
}

fn piece(text: &str, span: Span, kind: SegmentKind, note: String) -> Option<Piece> {
    let mut builder = ShownBuilder::new(text, span.start);
    xml::show(text, span, &mut builder);
    let (span, shown) = builder.finish()?;
    let mut piece =
        has_prose(&shown.text).then(|| Piece::coded(span, shown, kind, Notation::Xml))?;
    piece.hints.note = Some(note);
    Some(piece)
}
