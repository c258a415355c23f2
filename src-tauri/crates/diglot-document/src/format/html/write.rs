//! The way back from a text as people see it to HTML. Must not know where a text stands in its document.
//!
//! A target's tag stays one where the source has an element of that name, so that the values for
//! readers inside of it can be translated; whatever else would be markup is written as text.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::coded::folded;
use super::element::Dialect;
use super::tag::{TAG_LIMIT, Tag, is_space, tag_name};
use super::token::{Token, Tokens, may_open};
use crate::Span;
use crate::format::xml;
use crate::shown::{Place, Shown};

/// Says how a text of HTML is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Way {
    dialect: Dialect,
    place: WayPlace,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum WayPlace {
    Text,
    /// The value of an attribute with what stands around it.
    Attribute(Option<char>),
}

impl Way {
    pub(super) const fn text(dialect: Dialect) -> Self {
        let place = WayPlace::Text;
        Self { dialect, place }
    }

    pub(super) const fn attribute(dialect: Dialect, quote: Option<char>) -> Self {
        let place = WayPlace::Attribute(quote);
        Self { dialect, place }
    }

    fn is_xml(self) -> bool {
        self.dialect == Dialect::Xml
    }
}

/// Writes a target in the place of its source.
pub(crate) fn write(place: &Place<'_>, target: &str, way: Way) -> String {
    let marked = Marked::new(place, target, way);
    let mut holes = marked.holes.iter();
    let source = place.span.of(place.text);
    let written = place.carry(&marked.text, &mut |c, out| match (c, way.place) {
        (c, _) if c == marked.hole => out.push_str(holes.next().map_or("", String::as_str)),
        ('&', _) => out.push_str("&amp;"),
        ('<', WayPlace::Text) => out.push_str("&lt;"),
        ('<', WayPlace::Attribute(_)) if way.is_xml() => out.push_str("&lt;"),
        ('>', _) if way.is_xml() && out.ends_with("]]") => out.push_str("&gt;"),
        ('"', WayPlace::Attribute(Some('"') | None)) => out.push_str("&quot;"),
        ('\'', WayPlace::Attribute(Some('\''))) => out.push_str("&#39;"),
        (c, _) if !way.is_xml() || xml::is_allowed(c) || source.contains(c) => out.push(c),
        _ => {}
    });
    match way.place {
        WayPlace::Attribute(None) if needs_quotes(&written, source) => format!("\"{written}\""),
        WayPlace::Attribute(_) | WayPlace::Text => written,
    }
}

/// Tells whether a value would end early without quotes, or read as something else. What the source
/// does without them goes on without them.
fn needs_quotes(value: &str, source: &str) -> bool {
    let ends = |c: char| is_space(c) || matches!(c, '>' | '<' | '{') && !source.contains(c);
    value.contains(ends)
        || value.starts_with('\'')
        || value.ends_with('/') && !source.ends_with('/')
}

/// A target with holes in the places of what is written as it is.
struct Marked {
    text: String,
    /// Stands in the text for the next of `holes`; neither source nor target has it.
    hole: char,
    holes: Vec<String>,
    /// Where the last line break ends: two of them would divide the text.
    after_break: Option<usize>,
}

impl Marked {
    /// Marks the tags, references and template marks of a target.
    fn new(place: &Place<'_>, target: &str, way: Way) -> Self {
        let own = Own::new(place.shown, way);
        let mut target = folded(target);
        if way.is_xml() {
            target = own.with_whole_references(&target);
        }
        let lost = own.unpaired(&target);
        // Unicode keeps these characters for the inside of programs.
        let mut internal = '\u{FDD0}'..='\u{FDEF}';
        let is_free = |c: &char| !target.contains(*c) && !place.shown.text.contains(*c);
        let mut marked = Self {
            hole: internal.find(is_free).unwrap_or('\u{FFFF}'),
            text: String::with_capacity(target.len()),
            holes: Vec::new(),
            after_break: None,
        };
        let mut tokens = Tokens::of_unit(&target);
        while let Some(token) = tokens.next() {
            let span = token.span();
            let is_lost = lost.contains(&span.start);
            if let Token::Text(_) = token {
                marked.take_text(&target, span, &own, way);
            } else if is_lost || !marked.take_markup(&token, span.of(&target), &own) {
                tokens.again_behind(span.start + 1);
                match (span.of(&target).starts_with('{'), way.place) {
                    (true, _) => marked.hole("&#123;"),
                    (false, WayPlace::Text) => marked.hole("&lt;"),
                    (false, WayPlace::Attribute(_)) => marked.text.push('<'),
                }
            }
        }
        marked
    }

    fn hole(&mut self, written: impl Into<String>) {
        self.text.push(self.hole);
        self.holes.push(written.into());
    }

    /// Takes markup that the source has as well, or with other values; tells whether it is such.
    fn take_markup(&mut self, token: &Token<'_>, source: &str, own: &Own<'_>) -> bool {
        let form = own.form(source);
        let tag = token.tag().filter(|tag| own.has_element(tag));
        if form.is_none() && tag.is_none() {
            return false;
        }
        let is_break = tag.is_some_and(|tag| tag.name() == "br");
        let behind = self.after_break.and_then(|at| self.text.get(at..));
        if is_break && behind.is_some_and(|behind| behind.trim().is_empty()) {
            return true;
        }
        match form {
            Some(form) => self.text.push_str(form),
            None => self.hole(source),
        }
        if is_break {
            self.after_break = Some(self.text.len());
        }
        true
    }

    fn take_text(&mut self, target: &str, span: Span, own: &Own<'_>, way: Way) {
        let mut at = span.start;
        while let Some(length) = Span::new(at, span.end).of(target).find(['<', '&', '{']) {
            self.text.push_str(Span::new(at, at + length).of(target));
            at += length;
            // What makes it markup may be behind the text.
            at += self.take_mark(target.get(at..).unwrap_or_default(), own, way);
        }
        self.text.push_str(Span::new(at, span.end).of(target));
    }

    /// Takes what a text begins with: a reference, or what only looks like markup.
    fn take_mark(&mut self, rest: &str, own: &Own<'_>, way: Way) -> usize {
        if rest.starts_with('&') {
            return self.take_reference(rest, own, way);
        }
        let lead = rest.get(..2).filter(|_| may_open(rest));
        let form = lead.and_then(|lead| own.form(lead));
        match (form, rest.starts_with('{')) {
            (Some(form), _) => {
                self.text.push_str(form);
                return 2;
            }
            (None, true) if lead.is_some() => self.hole("&#123;"),
            (None, true) => self.text.push('{'),
            (None, false) if lead.is_some() && way.place == WayPlace::Text => self.hole("&lt;"),
            (None, false) => self.text.push('<'),
        }
        1
    }

    /// Takes a reference. What one that the source does not have stands for is written so that any
    /// reader of XML knows it.
    fn take_reference(&mut self, rest: &str, own: &Own<'_>, way: Way) -> usize {
        const OF_XML: [&str; 5] = ["&amp;", "&lt;", "&gt;", "&quot;", "&apos;"];
        let Some((length, character)) = xml::reference(rest) else {
            self.text.push('&');
            return 1;
        };
        let raw = rest.get(..length).unwrap_or_default();
        let known = !way.is_xml() || raw.starts_with("&#") || OF_XML.contains(&raw);
        match (own.form(raw), character) {
            (Some(form), _) => self.text.push_str(form),
            (None, Some(_)) if known => self.hole(raw),
            (None, Some(c)) => self.hole(format!("&#{};", u32::from(c))),
            (None, None) if way.is_xml() => {
                self.hole(format!("&amp;{}", raw.get(1..).unwrap_or_default()));
            }
            (None, None) => self.hole(raw),
        }
        length
    }
}

/// The markup of a source.
struct Own<'p> {
    /// As shown.
    forms: HashSet<&'p str>,
    /// As shown, by what they are without blanks.
    bare: HashMap<String, &'p str>,
    names: HashSet<String>,
    is_xml: bool,
    /// Whether every element that opens closes.
    is_paired: bool,
}

impl<'p> Own<'p> {
    fn new(shown: &'p Shown, way: Way) -> Self {
        let forms = shown.forms.iter();
        let forms: HashSet<&str> = forms
            .filter_map(|form| shown.text.get(form.shown.clone()))
            .filter(|form| form.starts_with(['<', '&', '{']) && form.len() > 1)
            .collect();
        let mut own = Self {
            bare: forms.iter().map(|form| (xml::bare(form), *form)).collect(),
            forms,
            names: HashSet::new(),
            is_xml: way.is_xml(),
            is_paired: true,
        };
        let tags = own.forms.iter().filter(|form| form.ends_with('>'));
        own.names = tags.map(|form| own.name(form).into_owned()).collect();
        own.names.remove("");
        own.is_paired = own.unpaired(&shown.text).is_empty();
        own
    }

    /// Names an element as its language does: XML minds the case.
    fn name<'t>(&self, tag: &'t str) -> Cow<'t, str> {
        let name = tag_name(tag);
        let start = usize::from(tag.starts_with("</")) + 1;
        match tag.get(start..start + name.len()) {
            Some(exact) if self.is_xml => exact.into(),
            _ => name.into(),
        }
    }

    /// Returns the source's own markup that is the same but for blanks, as the source shows it.
    fn form(&self, markup: &str) -> Option<&'p str> {
        let exact = self.forms.get(markup);
        exact.or_else(|| self.bare.get(&xml::bare(markup))).copied()
    }

    /// Tells whether the source has an element of the tag's name, and the tag can be one.
    fn has_element(&self, tag: &Tag<'_>) -> bool {
        let source = tag.source();
        let is_known = source.len() <= TAG_LIMIT && self.names.contains(&*self.name(source));
        is_known && (!self.is_xml || tag.is_well_formed() || self.form(source).is_some())
    }

    /// Writes each `&` that begins no reference as one, in the tags that are not the source's own:
    /// a person may type it into a value.
    fn with_whole_references(&self, target: &str) -> String {
        let mut out = String::with_capacity(target.len());
        for token in Tokens::of_unit(target) {
            let source = token.span().of(target);
            if token.tag().is_none() || self.forms.contains(source) {
                out.push_str(source);
                continue;
            }
            for (at, c) in source.char_indices() {
                out.push(c);
                let rest = source.get(at..).unwrap_or_default();
                if c == '&' && xml::reference(rest).is_none() {
                    out.push_str("amp;");
                }
            }
        }
        out
    }

    /// Finds the tags of an XML target that would leave an element open, or close none, although the
    /// source's are in pairs.
    fn unpaired(&self, target: &str) -> HashSet<usize> {
        let mut unpaired = HashSet::new();
        if !self.is_xml || !self.is_paired {
            return unpaired;
        }
        let mut open: Vec<(Cow<'_, str>, usize)> = Vec::new();
        let mut tokens = Tokens::of_unit(target);
        while let Some(token) = tokens.next() {
            let Some(tag) = token.tag().filter(|tag| self.has_element(tag)) else {
                let span = token.span();
                if !matches!(token, Token::Text(_)) && self.form(span.of(target)).is_none() {
                    tokens.again_behind(span.start + 1);
                }
                continue;
            };
            let (name, at) = (self.name(tag.source()), tag.span.start);
            if !tag.closes() && !tag.is_empty() {
                open.push((name, at));
            } else if tag.closes() && open.last().is_some_and(|(last, _)| *last == name) {
                open.pop();
            } else if tag.closes() {
                unpaired.insert(at);
            }
        }
        unpaired.extend(open.into_iter().map(|(_, at)| at));
        unpaired
    }
}
