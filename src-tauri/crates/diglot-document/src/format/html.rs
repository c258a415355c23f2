//! HTML: documents of their own, and the HTML and components inside of Markdown. Owns what is read of
//! them; must not know Markdown.
//!
//! The attributes for readers of a tag inside of a sentence stay in its unit, where a translator sees
//! what they belong to, and since two units cannot share bytes; those of any other tag are units.

mod coded;
mod element;
mod language;
mod reader;
mod run;
mod tag;
mod token;
mod write;

use element::Dialect;
use reader::Reader;
use run::Run;
use tag::Tag;

pub(crate) use tag::{tag_end, tag_name};
pub(crate) use write::{Way, write};

use crate::format::{ReadOptions, Reading, front_matter};
use crate::segment::Piece;
use crate::{Rules, Span};

/// Reads a document. Templates may begin with front matter.
pub(super) fn read(text: &str, options: &ReadOptions<'_>) -> Reading {
    let matter = front_matter::read(text);
    let dialect = if is_xml(text) {
        Dialect::Xml
    } else {
        Dialect::Html
    };
    let mut reading = read_from(text, matter.end, dialect, options);
    reading.pieces.splice(0..0, matter.pieces);
    reading.unclosed.extend(matter.unclosed);
    reading
}

/// Reads a document that is XML.
pub(super) fn read_xml(text: &str, options: &ReadOptions<'_>) -> Reading {
    read_from(text, 0, Dialect::Xml, options)
}

fn read_from(text: &str, start: usize, dialect: Dialect, options: &ReadOptions<'_>) -> Reading {
    let part = Span::new(start, text.len());
    let edits = options
        .target
        .map(|target| language::edits(text, part, target));
    Reading {
        pieces: Reader::new(text, start, dialect, options.rules).read(part),
        edits: edits.unwrap_or_default(),
        ..Reading::default()
    }
}

/// Reads the translatable pieces of a part of a Markdown text that is HTML.
pub(super) fn read_part(text: &str, part: Span) -> Vec<Piece> {
    Reader::new(text, part.start, Dialect::Markdown, &Rules::default()).read(part)
}

/// Tells whether a document is written as XML, by its beginning.
fn is_xml(text: &str) -> bool {
    let head = text.trim_start_matches('\u{FEFF}').trim_start();
    if head.starts_with("<?xml") {
        return true;
    }
    let root = language::root(text, Span::new(0, text.len()));
    root.is_some_and(|tag| tag.value("xmlns").is_some())
}

/// Tells whether a tag opens an element that a later tag closes.
pub(super) fn opens_element(tag: &str) -> bool {
    let name = tag_name(tag);
    !name.is_empty() && !tag.ends_with("/>") && !element::is_void(&name)
}

/// Tells whether a tag opens or closes an inline element whose text is no prose.
pub(super) fn is_code_tag(tag: &str) -> bool {
    element::is_code(&tag_name(tag))
}

/// Tells whether an image is a badge: a picture made by a service, whose text stays as it is.
pub(super) fn is_badge(address: &str) -> bool {
    const MARKS: [&str; 9] = [
        "appveyor.com",
        "badge",
        "circleci.com",
        "codecov.io",
        "coveralls.io",
        "deps.rs",
        "nodei.co",
        "shield",
        "travis-ci.",
    ];
    address.contains("//") && MARKS.iter().any(|mark| address.contains(mark))
}

/// Takes the elements of components that hold all of a text, and halves of such elements, off its
/// edges; `tags` are those of components.
pub(super) fn unwrapped(text: &str, span: Span, tags: &[Span]) -> Span {
    let mut run = Run::new(span.start);
    for tag in tags.iter().filter_map(|tag| Tag::known(text, *tag)) {
        run.take_component(tag);
    }
    run.inner(text, span.end)
}

/// Reads the attributes of a tag in Markdown whose values a reader sees; those of a badge are none.
pub(super) fn attributes(text: &str, tag: Span) -> Vec<Piece> {
    let tag = Tag::known(text, tag);
    let read = |tag| reader::attributes(text, &tag, Dialect::Markdown, &Rules::default());
    tag.map(read).unwrap_or_default()
}

#[cfg(test)]
mod tests;
