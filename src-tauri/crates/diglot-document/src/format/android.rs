//! Android `strings.xml`: strings, arrays and plurals, with their names and comments. Owns the escapes
//! of Android inside those of XML.

use std::borrow::Cow;

use super::keyed::{Holds, Key, Keys, comment_note};
use super::plural::{Category, Counting, Entries, Entry, Evidence, blanks_before};
use super::resource::{attribute, closing, comment, escape, only_cdata};
use super::xml::{Token, TokenKind, is_allowed, tokens};
use super::{Notation, ReadOptions, Reading};
use crate::segment::Piece;
use crate::shown::{Form, Place, Shown, ShownBuilder};
use crate::splice::utf16_escapes;
use crate::{SegmentKind, Span};

/// Tells whether the beginning of an XML file looks like resources.
pub(super) fn fits(head: &[u8]) -> bool {
    let mark = b"<resources";
    head.windows(mark.len()).any(|window| window == mark)
}

/// Reads the texts.
pub(super) fn read(text: &str, options: &ReadOptions<'_>) -> Reading {
    let tokens = tokens(text, Span::new(0, text.len()));
    let mut scan = Scan {
        text,
        options,
        comments: Vec::new(),
        pieces: Vec::new(),
        forms: Entries::default(),
        plural: 0,
    };
    // The array or plural around, unless it is not to be translated.
    let mut around: Option<String> = None;
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        match (token.kind, token.name(text)) {
            (TokenKind::Comment, _) => scan.comments.push(comment(token, text)),
            (TokenKind::Open, "resources") if !scan.is_translatable(token) => break,
            // What stands above is about the file.
            (TokenKind::Open, "resources") => scan.comments.clear(),
            (TokenKind::Open, "string-array" | "array" | "plurals") => {
                around = scan
                    .is_translatable(token)
                    .then(|| attribute(token, text, "name"));
                scan.plural = scan.forms.open();
            }
            (TokenKind::Close, "string-array" | "array" | "plurals") => {
                around = None;
                scan.comments.clear();
            }
            (TokenKind::Open, name @ ("string" | "item")) => {
                let end = closing(&tokens, at);
                let content = tokens.get(at + 1..end).unwrap_or_default();
                if let Some(close) = tokens.get(end).filter(|_| name == "item") {
                    scan.take_form(around.as_deref(), token, close.span.end);
                }
                let named = match (name, &around) {
                    ("string", _) => Some(attribute(token, text, "name")),
                    (_, Some(around)) => {
                        Some(item_name(around, &attribute(token, text, "quantity")))
                    }
                    (_, None) => None,
                };
                if let Some(named) = named.filter(|_| scan.is_translatable(token)) {
                    scan.take(&named, content);
                }
                if name == "string" {
                    scan.comments.clear();
                }
                at = end;
            }
            (TokenKind::Empty, "item") => {
                scan.take_form(around.as_deref(), token, token.span.end);
            }
            _ => {}
        }
        at += 1;
    }
    Reading {
        pieces: scan.forms.complete(text, scan.pieces, options.target),
        ..Reading::default()
    }
}

fn item_name(around: &str, quantity: &str) -> String {
    if quantity.is_empty() {
        around.to_owned()
    } else {
        format!("{around} / {quantity}")
    }
}

/// Says how the text of an element is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Android {
    /// Blanks in a row are one.
    Plain,
    /// With tags inside, so that marks of XML stand as they are written.
    Marked,
    /// Between double quotes, in which blanks count.
    Quoted,
    /// In a CDATA section, in which the marks of XML are text.
    CData,
}

struct Scan<'t> {
    text: &'t str,
    options: &'t ReadOptions<'t>,
    comments: Vec<&'t str>,
    pieces: Vec<Piece>,
    forms: Entries,
    /// The plural or array at hand.
    plural: usize,
}

impl Scan<'_> {
    fn is_translatable(&self, token: &Token) -> bool {
        attribute(token, self.text, "translatable") != "false"
    }

    /// Takes note of an item of a plural, up to its end.
    fn take_form(&mut self, around: Option<&str>, tag: &Token, end: usize) {
        let name = tag.attribute(self.text, "quantity");
        let found = name.zip(name.and_then(|name| Category::of(name.of(self.text))));
        let Some(((name, category), around)) = found.zip(around) else {
            return;
        };
        self.forms.count(self.plural);
        self.forms.push(Entry {
            parent: self.plural,
            base: String::new(),
            category,
            counting: Counting::Cardinal,
            // The system chooses by the CLDR and by nothing else.
            evidence: Evidence::Rule,
            span: Span::new(tag.span.start, end),
            name,
            gap: blanks_before(self.text, tag.span.start).to_owned(),
            label: item_name(around, category.name()),
        });
    }

    fn take(&mut self, name: &str, content: &[Token]) {
        let (Some(first), Some(last)) = (content.first(), content.last()) else {
            return;
        };
        let whole = Span::new(first.span.start, last.span.end).trimmed(self.text);
        let raw = whole.of(self.text);
        let cdata = only_cdata(content, self.text);
        let (span, android) = match cdata {
            Some(span) => (span, Android::CData),
            None if content.iter().any(|token| token.kind != TokenKind::Text) => {
                (whole, Android::Marked)
            }
            None if is_quoted(raw) => (Span::new(whole.start + 1, whole.end - 1), Android::Quoted),
            None => (whole, Android::Plain),
        };
        let mut builder = ShownBuilder::new(self.text, span.start);
        show(self.text, span, android, &mut builder);
        let Some((span, shown)) = builder.finish() else {
            return;
        };
        let keys = Keys(vec![Key::Name(Cow::Borrowed(name))]);
        if is_reference(raw) || keys.hold_text(self.options.rules, &shown.text) == Holds::Code {
            return;
        }
        let mut piece = Piece::coded(span, shown, SegmentKind::Value, Notation::Android(android));
        piece.hints.note = comment_note(name, &self.comments);
        self.pieces.push(piece);
    }
}

/// Tells `"…"`, whose last quote is not escaped.
fn is_quoted(raw: &str) -> bool {
    let inner = raw
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'));
    inner.is_some_and(|inner| {
        let slashes = inner.len() - inner.trim_end_matches('\\').len();
        slashes % 2 == 0 && !inner.replace("\\\"", "").contains('"')
    })
}

/// Tells `@string/name` and `?attr/name`.
fn is_reference(raw: &str) -> bool {
    raw.starts_with(['@', '?']) && raw.contains('/') && !raw.contains(char::is_whitespace)
}

/// Shows a stretch without its escapes, and with its tags as they are written.
fn show(text: &str, span: Span, android: Android, builder: &mut ShownBuilder<'_>) {
    if android != Android::Marked {
        show_text(text, span, android, builder);
        return;
    }
    for token in tokens(text, span) {
        if token.kind == TokenKind::Text {
            show_text(text, token.span, android, builder);
        } else {
            builder.write(token.span.end, token.span.of(text));
        }
    }
}

fn show_text(text: &str, span: Span, android: Android, builder: &mut ShownBuilder<'_>) {
    let mut at = span.start;
    let special =
        |c: char| matches!(c, '\\' | '"' | '\'' | '&' | '<' | '>') || c.is_ascii_whitespace();
    while let Some(found) = Span::new(at, span.end).of(text).find(special) {
        builder.copy(at + found);
        at += found;
        let rest = Span::new(at, span.end).of(text);
        let (length, shown) = read_one(rest, android);
        at += length;
        match (length, shown) {
            (1, ' ') if rest.starts_with(' ') => builder.copy(at),
            // These could not be told from tags.
            (2.., '<' | '>' | '&') if android == Android::Marked => {
                builder.write(at, rest.get(..length).unwrap_or_default());
            }
            (_, shown) => builder.write(at, shown.encode_utf8(&mut [0; 4])),
        }
    }
    builder.copy(span.end);
}

/// Reads the escape, the mark or the blanks that a text begins with.
fn read_one(rest: &str, android: Android) -> (usize, char) {
    let mut characters = rest.chars();
    let first = characters.next().unwrap_or(' ');
    let blanks = rest.len()
        - rest
            .trim_start_matches(|c: char| c.is_ascii_whitespace())
            .len();
    match (first, android) {
        ('\\', _) => match characters.next() {
            Some('n') => (2, '\n'),
            Some('t') => (2, '\t'),
            Some('u') => {
                let (length, c) = super::keyed::escape::utf16(rest);
                (length, c.unwrap_or('\\'))
            }
            Some(next @ ('\'' | '"' | '\\' | '@' | '?' | '#' | ' ')) => (1 + next.len_utf8(), next),
            Some(_) | None => (1, '\\'),
        },
        (c, Android::Plain | Android::Marked) if c.is_ascii_whitespace() => (blanks, ' '),
        ('\r', _) if rest.starts_with("\r\n") => (2, '\n'),
        ('\r', _) => (1, '\n'),
        ('&', Android::Plain | Android::Marked | Android::Quoted) => escape(rest),
        (c, _) => (c.len_utf8(), c),
    }
}

/// Writes a target in the place of a text.
pub(super) fn write(place: &Place<'_>, target: &str, android: Android) -> String {
    let target: String = target.chars().filter(|c| is_allowed(*c)).collect();
    let marks = android != Android::CData;
    let blanks = matches!(android, Android::Plain | Android::Marked);
    let fresh = |c: char, out: &mut String| match c {
        '\\' | '\'' | '"' => out.extend(['\\', c]),
        '@' | '?' if out.is_empty() => out.extend(['\\', c]),
        '\n' => out.push_str("\\n"),
        '\t' => out.push_str("\\t"),
        '\r' => out.push_str(&utf16_escapes(c)),
        ' ' if out.ends_with(' ') && blanks => out.push_str(&utf16_escapes(c)),
        '<' if marks => out.push_str("&lt;"),
        '&' if marks => out.push_str("&amp;"),
        '>' if out.ends_with("]]") => out.push_str(if marks { "&gt;" } else { "\\u003e" }),
        c => out.push(c),
    };
    let show_as = match android {
        Android::Plain => show_plain,
        Android::Quoted => show_quoted,
        Android::CData => show_cdata,
        Android::Marked => return write_marked(place, &target, &fresh),
    };
    place.carry_read_back(&target, &show_as, &fresh)
}

/// Writes a target with the tags of its source; where the other forms would read otherwise, without
/// them.
fn write_marked(place: &Place<'_>, target: &str, fresh: &dyn Fn(char, &mut String)) -> String {
    let carried = place.carry(target, &mut |c, out| fresh(c, out));
    let mut builder = ShownBuilder::new(&carried, 0);
    let whole = Span::new(0, carried.len());
    show(&carried, whole, Android::Marked, &mut builder);
    if builder
        .finish()
        .is_some_and(|(_, shown)| shown.text == target)
    {
        return carried;
    }
    let text = place.shown.text.clone();
    let is_tag = |form: &&Form| {
        let shown = text.get(form.shown.clone()).unwrap_or_default();
        shown.chars().nth(1).is_some()
    };
    let forms = place.shown.forms.iter().filter(is_tag).cloned().collect();
    let shown = Shown {
        text: text.clone(),
        forms,
    };
    let place = Place {
        shown: &shown,
        ..*place
    };
    place.carry(target, &mut |c, out| fresh(c, out))
}

fn show_plain(text: &str, span: Span, builder: &mut ShownBuilder<'_>) {
    show(text, span, Android::Plain, builder);
}

fn show_quoted(text: &str, span: Span, builder: &mut ShownBuilder<'_>) {
    show(text, span, Android::Quoted, builder);
}

fn show_cdata(text: &str, span: Span, builder: &mut ShownBuilder<'_>) {
    show(text, span, Android::CData, builder);
}

#[cfg(test)]
mod tests;
