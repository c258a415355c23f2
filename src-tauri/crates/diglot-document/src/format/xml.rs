//! XML: its tokens with their places, the text that people see between tags, and the way back. Must
//! not know what any element means.
#![allow(dead_code, reason = "the formats that are XML follow")]

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use quick_xml::Reader;
use quick_xml::escape::resolve_html5_entity;
use quick_xml::events::Event;

use crate::Span;
use crate::shown::{Place, ShownBuilder};

/// Names a kind of token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// `<name …>`
    Open,
    /// `</name>`
    Close,
    /// `<name …/>`
    Empty,
    /// Characters and references between tags.
    Text,
    /// `<![CDATA[…]]>`
    CData,
    /// `<!--…-->`
    Comment,
    /// `<?…?>`, the declaration included.
    Instruction,
    /// `<!DOCTYPE …>`
    Doctype,
}

/// Holds one token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    /// All of it, with its marks.
    pub(crate) span: Span,
}

/// Splits a part of a text into its tokens, which follow each other without a gap. What is no XML
/// from some place on is one text up to the end.
pub(crate) fn tokens(text: &str, part: Span) -> Vec<Token> {
    let mut reader = Reader::from_str(part.of(text));
    let config = reader.config_mut();
    config.check_end_names = false;
    config.allow_unmatched_ends = true;
    config.allow_dangling_amp = true;
    let mut tokens: Vec<Token> = Vec::new();
    let mut at = part.start;
    while at < part.end {
        let kind = match reader.read_event() {
            Ok(Event::Start(_)) => TokenKind::Open,
            Ok(Event::End(_)) => TokenKind::Close,
            Ok(Event::Empty(_)) => TokenKind::Empty,
            Ok(Event::Text(_) | Event::GeneralRef(_)) => TokenKind::Text,
            Ok(Event::CData(_)) => TokenKind::CData,
            Ok(Event::Comment(_)) => TokenKind::Comment,
            Ok(Event::Decl(_) | Event::PI(_)) => TokenKind::Instruction,
            Ok(Event::DocType(_)) => TokenKind::Doctype,
            Ok(Event::Eof) | Err(_) => break,
        };
        let read = usize::try_from(reader.buffer_position()).unwrap_or(usize::MAX);
        let end = part.end.min(part.start.saturating_add(read));
        match tokens.last_mut() {
            Some(last) if last.kind == TokenKind::Text && kind == TokenKind::Text => {
                last.span.end = end;
            }
            _ if end > at => tokens.push(Token {
                kind,
                span: Span::new(at, end),
            }),
            _ => {}
        }
        at = end;
    }
    match tokens.last_mut() {
        Some(last) if last.kind == TokenKind::Text => last.span.end = part.end,
        _ if at < part.end => tokens.push(Token {
            kind: TokenKind::Text,
            span: Span::new(at, part.end),
        }),
        _ => {}
    }
    tokens
}

impl Token {
    /// Returns the qualified name of a tag; empty for what is none.
    pub(crate) fn name<'t>(&self, text: &'t str) -> &'t str {
        self.name_span(text).of(text)
    }

    /// Returns the name of a tag without its prefix.
    pub(crate) fn local_name<'t>(&self, text: &'t str) -> &'t str {
        let name = self.name(text);
        name.rsplit_once(':').map_or(name, |(_, local)| local)
    }

    fn name_span(&self, text: &str) -> Span {
        let lead = match self.kind {
            TokenKind::Open | TokenKind::Empty => 1,
            TokenKind::Close => 2,
            TokenKind::Text
            | TokenKind::CData
            | TokenKind::Comment
            | TokenKind::Instruction
            | TokenKind::Doctype => return Span::new(self.span.start, self.span.start),
        };
        let start = self.span.start + lead;
        let rest = Span::new(start, self.span.end).of(text);
        let length = rest.find(|c: char| c.is_ascii_whitespace() || matches!(c, '/' | '>'));
        Span::new(start, start + length.unwrap_or(rest.len()))
    }

    /// Walks the attributes of a tag: names, and values without their quotes, as written.
    pub(crate) fn attributes<'t>(
        &self,
        text: &'t str,
    ) -> impl Iterator<Item = (&'t str, Span)> + use<'t> {
        let end = self.span.end;
        let mut at = self.name_span(text).end;
        std::iter::from_fn(move || {
            let rest = Span::new(at, end).of(text);
            let start = at + rest.find(|c: char| !(c.is_ascii_whitespace() || c == '/'))?;
            let rest = Span::new(start, end).of(text);
            let equals = rest.find('=')?;
            let name = rest.get(..equals)?.trim_end();
            let quote_at = rest.get(equals + 1..)?.find(['"', '\''])? + equals + 1;
            let quote = rest.get(quote_at..)?.chars().next()?;
            let length = rest.get(quote_at + 1..)?.find(quote)?;
            let value = Span::new(start + quote_at + 1, start + quote_at + 1 + length);
            at = value.end + 1;
            Some((name, value))
        })
    }

    /// Returns the value of the attribute with a qualified name, as written.
    pub(crate) fn attribute(&self, text: &str, name: &str) -> Option<Span> {
        let mut attributes = self.attributes(text);
        attributes.find_map(|(found, value)| (found == name).then_some(value))
    }
}

/// Shows what stands between tags. Character references show the character that they stand for; tags,
/// `&lt;`, `&gt;`, `&amp;` and references to what cannot be seen stand as they are written, since a
/// person could not tell them from text otherwise.
pub(crate) fn show(text: &str, span: Span, builder: &mut ShownBuilder<'_>) {
    let mut at = span.start;
    while let Some(found) = Span::new(at, span.end).of(text).find(['&', '<']) {
        builder.copy(at + found);
        at += found;
        let rest = Span::new(at, span.end).of(text);
        if let Some((length, character)) = reference(rest) {
            let raw = rest.get(..length).unwrap_or_default();
            match character.filter(|c| is_seen(*c)) {
                Some(c) => builder.write(at + length, c.encode_utf8(&mut [0; 4])),
                None => builder.write(at + length, raw),
            }
            at += length;
        } else if let Some(tag) = tag(rest) {
            builder.write(at + tag.len(), tag);
            at += tag.len();
        } else {
            at += 1;
            builder.copy(at);
        }
    }
    builder.copy(span.end);
}

/// Returns a text without its references.
pub(crate) fn unescaped(raw: &str) -> Cow<'_, str> {
    if !raw.contains('&') {
        return Cow::Borrowed(raw);
    }
    let mut out = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(at) = rest.find('&') {
        let (before, after) = rest.split_at_checked(at).unwrap_or((rest, ""));
        out.push_str(before);
        let read = reference(after).and_then(|(length, c)| Some((after.get(length..)?, c?)));
        let (beyond, c) = read.unwrap_or((after.get(1..).unwrap_or_default(), '&'));
        out.push(c);
        rest = beyond;
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// Writes a target between tags. A tag or a reference that the source has stays one, however its
/// blanks are written; all else is text. The place's `fresh` may say what goes around the target,
/// with a NUL where it belongs.
pub(crate) fn write(place: &Place<'_>, target: &str) -> String {
    let target = with_own_tags(place, target);
    let (before, after) = place.fresh.split_once('\0').unwrap_or_default();
    let written = place.carry(&target, &mut |c, out| match c {
        '<' => out.push_str("&lt;"),
        '&' => out.push_str("&amp;"),
        '>' if out.ends_with("]]") => out.push_str("&gt;"),
        c if is_allowed(c) => out.push(c),
        _ => {}
    });
    [before, &written, after].concat()
}

/// Writes a target as the value of an attribute.
pub(crate) fn write_attribute(place: &Place<'_>, target: &str, quote: char) -> String {
    place.carry(target, &mut |c, out| match c {
        '<' => out.push_str("&lt;"),
        '&' => out.push_str("&amp;"),
        '"' if quote == '"' => out.push_str("&quot;"),
        '\'' if quote == '\'' => out.push_str("&apos;"),
        '\n' => out.push_str("&#10;"),
        c if is_allowed(c) => out.push(c),
        _ => {}
    })
}

/// Tells whether XML 1.0 can hold a character (section 2.2).
pub(crate) fn is_allowed(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='\u{D7FF}' | '\u{E000}'..='\u{FFFD}' | '\u{10000}'..)
}

/// Writes each tag that the source has with other blanks as the source does.
fn with_own_tags<'t>(place: &Place<'_>, target: &'t str) -> Cow<'t, str> {
    let forms = place.shown.forms.iter();
    let forms: HashSet<&str> = forms
        .filter_map(|form| place.shown.text.get(form.shown.clone()))
        .filter(|form| form.starts_with('<'))
        .collect();
    let own: HashMap<String, &str> = forms.iter().map(|form| (bare(form), *form)).collect();
    // Of two that differ in their blanks alone each stays what it is.
    let known = |tag: &str| {
        let exact = forms.get(tag);
        exact.or_else(|| own.get(&bare(tag))).copied()
    };
    if own.is_empty() || !target.contains('<') {
        return Cow::Borrowed(target);
    }
    let mut out = String::with_capacity(target.len());
    let mut rest = target;
    while let Some(at) = rest.find('<') {
        let (before, after) = rest.split_at_checked(at).unwrap_or((rest, ""));
        out.push_str(before);
        let found = tag(after).and_then(|tag| Some((tag.len(), known(tag)?)));
        let (length, written) = found.unwrap_or((1, "<"));
        out.push_str(written);
        rest = after.get(length..).unwrap_or_default();
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// Returns a tag without blanks outside of values.
pub(super) fn bare(tag: &str) -> String {
    let mut quote = None;
    let mut out = String::with_capacity(tag.len());
    for c in tag.chars() {
        match quote {
            Some(open) if open == c => quote = None,
            None if matches!(c, '"' | '\'') => quote = Some(c),
            None if c.is_whitespace() => continue,
            Some(_) | None => {}
        }
        out.push(c);
    }
    out
}

/// Returns the tag that a text begins with.
pub(crate) fn tag(rest: &str) -> Option<&str> {
    let inner = rest.strip_prefix('<')?;
    let name = inner.strip_prefix('/').unwrap_or(inner);
    if !name.starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | ':')) {
        return None;
    }
    let mut quote = None;
    for (at, c) in rest.char_indices() {
        match quote {
            Some(open) if open == c => quote = None,
            None if matches!(c, '"' | '\'') => quote = Some(c),
            None if c == '>' => return rest.get(..=at),
            None if c == '<' && at > 0 => return None,
            Some(_) | None => {}
        }
    }
    None
}

/// Reads the reference that a text begins with: its length, and the one character that it stands for.
pub(super) fn reference(rest: &str) -> Option<(usize, Option<char>)> {
    /// No entity of HTML has a longer name.
    const LONGEST: usize = 33;
    let name = rest.strip_prefix('&')?;
    let end = name.bytes().take(LONGEST).position(|b| b == b';')?;
    let name = name.get(..end)?;
    let character = if let Some(number) = name.strip_prefix('#') {
        let hex = number.strip_prefix(['x', 'X']);
        let code = match hex {
            Some(digits) => u32::from_str_radix(digits, 16),
            None => number.parse(),
        };
        Some(char::from_u32(code.ok()?)?)
    } else {
        let sound = !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric());
        let known = resolve_html5_entity(name).filter(|_| sound)?;
        let mut characters = known.chars();
        characters.next().filter(|_| characters.next().is_none())
    };
    Some((end + 2, character))
}

/// Tells whether people can see a character and tell it from markup.
pub(super) fn is_seen(c: char) -> bool {
    let marks_up = matches!(c, '<' | '>' | '&');
    let invisible = c.is_whitespace()
        || c.is_control()
        || matches!(c, '\u{AD}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{2069}' | '\u{FEFF}');
    !marks_up && !invisible
}

#[cfg(test)]
mod tests {
    use super::TokenKind::{CData, Close, Comment, Doctype, Empty, Instruction, Open, Text};
    use super::*;
    use crate::shown::Shown;

    fn shown(text: &str) -> (Span, Shown) {
        let mut builder = ShownBuilder::new(text, 0);
        show(text, Span::new(0, text.len()), &mut builder);
        builder.finish().unwrap()
    }

    fn written(source: &str, target: &str) -> String {
        let (span, shown) = shown(source);
        let place = Place {
            text: source,
            span,
            shown: &shown,
            fresh: "",
        };
        write(&place, target)
    }

    #[test]
    fn tokens_follow_each_other() {
        let text = "<?xml version='1.0'?><!DOCTYPE a><a b='1' c = \"&lt;2\"><!-- x -->t &amp; u<d/><![CDATA[<]]></a> <b";
        let found = tokens(text, Span::new(0, text.len()));
        let pieces: Vec<_> = found.iter().map(|token| token.span.of(text)).collect();
        assert_eq!(pieces.concat(), text);
        let kinds: Vec<_> = found.iter().map(|token| token.kind).collect();
        assert_eq!(
            kinds,
            [
                Instruction,
                Doctype,
                Open,
                Comment,
                Text,
                Empty,
                CData,
                Close,
                Text
            ]
        );
        let open = found[2];
        let attributes: Vec<_> = open
            .attributes(text)
            .map(|(name, value)| (name, value.of(text)))
            .collect();
        assert_eq!(attributes, [("b", "1"), ("c", "&lt;2")]);
        assert_eq!((open.name(text), found[5].name(text)), ("a", "d"));
        assert_eq!(open.attribute(text, "z"), None);
    }

    #[test]
    fn letters_are_shown_and_marks_stay_as_written() {
        let text = "It&#8217;s &lt;b&gt; &amp; &nbsp;<g id=\"1\">caf&eacute;</g> & <";
        assert_eq!(
            shown(text).1.text,
            "It’s &lt;b&gt; &amp; &nbsp;<g id=\"1\">café</g> & <"
        );
        assert_eq!(unescaped("a &lt;&#x41;&bogus; &"), "a <A&bogus; &");
    }

    #[test]
    fn tags_of_the_source_stay_tags_and_others_are_text() {
        let source = "It&#8217;s <x id=\"1\"/> &amp; &lt;";
        for (target, expected) in [
            (
                "⟦It’s <x id=\"1\"/> &amp; &lt;⟧",
                "⟦It&#8217;s <x id=\"1\"/> &amp; &lt;⟧",
            ),
            (
                "<x id=\"1\" /> a<b & c ]]>",
                "<x id=\"1\"/> a&lt;b &amp; c ]]&gt;",
            ),
            ("<x id=\"2\"/> &gt;\u{1}", "&lt;x id=\"2\"/> &amp;gt;"),
        ] {
            assert_eq!(written(source, target), expected, "{target}");
        }
    }

    #[test]
    fn tags_that_differ_in_blanks_alone_do_not_swap() {
        let source = "a <br/> b <br /> c <br  /> d";
        for target in [source, "⟦a <br  /> b⟧ <br/> c <br /> d"] {
            assert_eq!(written(source, target), target);
        }
    }
}
