//! Walks the tokens of HTML and cuts out the text between block tags and the attributes that a reader
//! sees. Must not know how a text is shown or written.

use std::collections::HashMap;

use super::element::{self, Dialect};
use super::run::Run;
use super::tag::{TAG_LIMIT, Tag};
use super::token::{Token, Tokens};
use super::write::Way;
use super::{coded, is_badge};
use crate::format::Notation;
use crate::segment::{Piece, Setting};
use crate::text::{Line, has_prose, is_blank, line_before, lines_of};
use crate::{Rules, SegmentKind, Span};

/// A walk through a part of a text.
pub(super) struct Reader<'t> {
    text: &'t str,
    dialect: Dialect,
    rules: &'t Rules,
    run: Run<'t>,
    /// What the text at the current place is.
    kind: SegmentKind,
    /// Whether the last tag opened a block.
    opened: bool,
    /// The element around the current place with nothing to translate inside.
    skip: Option<Skip>,
    pub(super) pieces: Vec<Piece>,
}

impl<'t> Reader<'t> {
    pub(super) fn new(text: &'t str, start: usize, dialect: Dialect, rules: &'t Rules) -> Self {
        Self {
            text,
            dialect,
            rules,
            run: Run::new(start),
            kind: SegmentKind::Paragraph,
            opened: false,
            skip: None,
            pieces: Vec::new(),
        }
    }

    /// Reads a part of the text to its end.
    pub(super) fn read(mut self, part: Span) -> Vec<Piece> {
        for token in Tokens::new(self.text, part, self.dialect.is_document()) {
            self.take(token);
        }
        self.close_run(part.end, part.end);
        self.pieces.sort_by_key(|piece| piece.span);
        self.pieces
    }

    fn take(&mut self, token: Token<'t>) {
        let span = token.span();
        if let Some(skip) = &mut self.skip {
            let Token::Tag(tag) = token else {
                self.run.start = span.end;
                return;
            };
            let end = skip.take(&tag);
            self.run.start = span.end;
            if end != SkipEnd::None {
                self.skip = None;
            }
            if end != SkipEnd::Before {
                return;
            }
            self.run.start = span.start;
        }
        match token {
            Token::Text(span) => {
                let spoken = !self.run.in_code() && has_prose(span.of(self.text));
                self.run.has_prose = self.run.has_prose || spoken;
            }
            Token::Tag(tag) => self.take_tag(tag),
            Token::Template(span) => self.run.take_template(self.text, span),
            Token::Comment(span) if self.dialect.is_document() && is_short(span.of(self.text)) => {
                self.run.take_comment(span);
            }
            Token::Comment(span) | Token::Declaration(span) | Token::Raw(span) => {
                self.close_run(span.start, span.end);
            }
        }
    }

    fn take_tag(&mut self, tag: Tag<'t>) {
        let name = tag.name();
        let opens = !tag.closes() && !tag.is_empty() && !element::is_void(&name);
        let untranslated = opens && is_untranslated(self.text, &tag);
        let is_long = tag.source().len() > TAG_LIMIT && self.dialect.is_document();
        if self.dialect.is_inline(&name) && !is_long {
            let rule = self.run.trailing_break(self.text, tag.span.start);
            if let Some(start) = rule.filter(|_| name == "br" && self.dialect.is_document()) {
                self.close_run(start, tag.span.end);
                return;
            }
            let is_code = element::is_code(&name) || untranslated;
            self.run.take_tag(tag, name, opens, is_code);
            return;
        }
        self.close_run(tag.span.start, tag.span.end);
        self.note_kind(&name, opens);
        if !untranslated {
            self.take_attributes(&tag);
        }
        if opens && (untranslated || self.dialect.is_closed(&name)) {
            self.skip = Some(Skip::new(name, untranslated));
        }
    }

    /// Notes what the text behind a block tag is: the innermost element that says so decides.
    fn note_kind(&mut self, name: &str, opens: bool) {
        if !self.dialect.is_document() {
            return;
        }
        self.kind = match element::kind(name).filter(|_| opens) {
            Some(kind) => kind,
            None if opens && self.opened => self.kind,
            None => SegmentKind::Paragraph,
        };
        self.opened = opens;
    }

    fn take_attributes(&mut self, tag: &Tag<'t>) {
        let found = attributes(self.text, tag, self.dialect, self.rules);
        self.pieces.extend(found);
    }

    /// Ends the run at `end`; the next one starts at `next`.
    fn close_run(&mut self, end: usize, next: usize) {
        let run = std::mem::replace(&mut self.run, Run::new(next));
        let span = if run.has_prose {
            run.inner(self.text, end)
        } else {
            Span::new(end, end)
        };
        let tags = run.marks.iter().filter_map(|mark| mark.tag);
        let outside = |tag: &Tag<'_>| tag.span.end <= span.start || tag.span.start >= span.end;
        for tag in tags.filter(outside) {
            self.take_attributes(&tag);
        }
        if !run.has_prose {
            return;
        }
        self.opened = false;
        if self.dialect.is_document() {
            self.pieces.extend(self.coded(span));
        } else {
            self.pieces.extend(self.raw(span));
        }
    }

    /// Makes the piece of a document.
    fn coded(&self, span: Span) -> Option<Piece> {
        let way = Way::text(self.dialect);
        let (span, shown) = coded::shown(self.text, span)?;
        let atoms = coded::atoms(&shown.text);
        let piece = Piece::coded(span, shown, self.kind, Notation::Html(way));
        Some(Piece { atoms, ..piece })
    }

    /// Makes the piece of a part of Markdown, where a blank line would end the HTML.
    fn raw(&self, span: Span) -> Option<Piece> {
        let is_blank_line = |line: Line| line.content(self.text).trim().is_empty();
        if lines_of(self.text, span).any(is_blank_line) {
            return None;
        }
        let mut piece = Piece::new(self.text, span, SegmentKind::Paragraph, Setting::Html);
        let line = line_before(self.text, piece.span.start);
        piece.fresh = line.chars().take_while(|c| is_blank(*c)).collect();
        Some(piece)
    }
}

/// Reads the attributes of a tag whose values a reader sees; those of a badge are none.
pub(super) fn attributes(text: &str, tag: &Tag<'_>, dialect: Dialect, rules: &Rules) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for attribute in tag.attributes() {
        let Some(value) = attribute.value else {
            continue;
        };
        let source = value.of(text);
        if attribute.name.eq_ignore_ascii_case("src") && is_badge(source) {
            return Vec::new();
        }
        if !has_prose(source) || !dialect.is_spoken(tag, text, attribute.name, rules) {
            continue;
        }
        if !dialect.is_document() {
            let quoted =
                |quote| Piece::new(text, value, SegmentKind::Caption, Setting::Attribute(quote));
            pieces.extend(attribute.quote.map(quoted));
            continue;
        }
        let way = Way::attribute(dialect, attribute.quote);
        let Some((span, shown)) = coded::shown(text, value) else {
            continue;
        };
        let mut piece = Piece::coded(span, shown, SegmentKind::Caption, Notation::Html(way));
        piece.hints.note = Some(note(text, tag, attribute.name));
        pieces.push(piece);
    }
    pieces
}

/// Names an attribute for a translator: `img alt`, `meta og:title`.
fn note(text: &str, tag: &Tag<'_>, attribute: &str) -> String {
    let element = tag.name();
    let said = ["name", "property", "itemprop"]
        .iter()
        .find_map(|of| tag.value(of));
    match said.filter(|_| element == "meta") {
        Some(said) => format!("meta {}", said.of(text)),
        None => format!("{element} {attribute}"),
    }
}

/// Tells whether a tag says that its element is not to be translated.
fn is_untranslated(text: &str, tag: &Tag<'_>) -> bool {
    tag.attributes().any(|attribute| {
        let value = attribute.value.map_or("", |span| span.of(text));
        let is = |name: &str| attribute.name.eq_ignore_ascii_case(name);
        is("translate") && value.trim().eq_ignore_ascii_case("no")
            || is("class") && value.split_whitespace().any(|class| class == "notranslate")
    })
}

/// Tells whether a comment may stand inside of a sentence.
fn is_short(comment: &str) -> bool {
    !comment.contains(['\n', '\r']) && comment.ends_with("-->")
}

/// An element with nothing to translate inside.
struct Skip {
    name: String,
    /// Elements that are open inside, its own name included.
    open: HashMap<String, usize>,
    /// How many of another name are.
    others: usize,
    /// Whether the end of what is around it ends it.
    may_end_early: bool,
}

#[derive(PartialEq, Eq)]
enum SkipEnd {
    None,
    Behind,
    Before,
}

impl Skip {
    fn new(name: String, untranslated: bool) -> Self {
        let may_end_early = untranslated && element::has_optional_end(&name);
        let open = HashMap::from([(name.clone(), 1)]);
        Self {
            name,
            open,
            others: 0,
            may_end_early,
        }
    }

    fn take(&mut self, tag: &Tag<'_>) -> SkipEnd {
        let name = tag.name();
        if tag.closes() {
            let count = self.open.get_mut(&name).filter(|count| **count > 0);
            return match count {
                Some(count) => {
                    *count -= 1;
                    self.others -= usize::from(name != self.name);
                    let ends = *count == 0 && name == self.name;
                    if ends { SkipEnd::Behind } else { SkipEnd::None }
                }
                None if self.may_end_early => SkipEnd::Before,
                None => SkipEnd::None,
            };
        }
        if self.may_end_early && self.others == 0 && name == self.name {
            return SkipEnd::Before;
        }
        let opens = !tag.is_empty() && !element::is_void(&name);
        if opens && (self.may_end_early || name == self.name) {
            self.others += usize::from(name != self.name);
            *self.open.entry(name).or_default() += 1;
        }
        SkipEnd::None
    }
}
