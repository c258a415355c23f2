//! The tokens of HTML, which follow each other without a gap. Must not know what an element means,
//! but for those whose content is no markup.

use super::tag::{TAG_LIMIT, Tag, floor, template};
use crate::Span;

/// So many tags may lack their end before quotes are no longer trusted: looking for each anew would
/// cost the square.
const TRUST: usize = 4;

/// Elements whose content is neither markup nor text of a page.
const RAW: [&str; 7] = [
    "iframe", "noembed", "noframes", "script", "style", "textarea", "xmp",
];

/// Names what a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token<'t> {
    Text(Span),
    Tag(Tag<'t>),
    /// `<!--…-->`
    Comment(Span),
    /// A doctype, an instruction or a marked section.
    Declaration(Span),
    /// What a template engine replaces: `{{ … }}`, `{% … %}`, `<?php … ?>`, `<% … %>`.
    Template(Span),
    /// The content of a script and its like.
    Raw(Span),
}

/// A walk through the tokens of a part of a text.
pub(super) struct Tokens<'t> {
    text: &'t str,
    at: usize,
    end: usize,
    /// Whether marks of template engines are tokens.
    templates: bool,
    trust: usize,
    /// Longest tag, in bytes.
    longest: usize,
    /// Ends that were looked for in vain.
    absent: Vec<&'static str>,
    /// The element whose content comes next.
    raw: Option<String>,
}

impl<'t> Tokens<'t> {
    pub(super) fn new(text: &'t str, part: Span, templates: bool) -> Self {
        Self {
            text,
            at: part.start,
            end: part.end,
            templates,
            trust: TRUST,
            longest: usize::MAX,
            absent: Vec::new(),
            raw: None,
        }
    }

    /// Walks through the text of a unit, whose tags are short.
    pub(super) fn of_unit(text: &'t str) -> Self {
        Self {
            longest: TAG_LIMIT,
            ..Self::new(text, Span::new(0, text.len()), true)
        }
    }

    /// Goes back to an offset behind the beginning of the last token.
    pub(super) fn again_behind(&mut self, at: usize) {
        self.at = at;
        self.raw = None;
    }

    fn rest(&self) -> &'t str {
        self.text.get(self.at..self.end).unwrap_or_default()
    }

    /// Returns the offset behind the next `mark`, if there is one.
    fn behind(&mut self, from: usize, mark: &'static str) -> Option<usize> {
        if self.absent.contains(&mark) {
            return None;
        }
        let found = Span::new(from, self.end).of(self.text).find(mark);
        if found.is_none() {
            self.absent.push(mark);
        }
        found.map(|length| from + length + mark.len())
    }

    /// Reads the markup at the current place.
    fn markup(&mut self) -> Option<Token<'t>> {
        let (at, rest) = (self.at, self.rest());
        let part = |end: usize| Span::new(at, end);
        if rest.starts_with('{') {
            let length = template(rest).filter(|_| self.templates)?;
            return Some(Token::Template(part(at + length)));
        }
        if rest.starts_with("<!--") {
            // `<!-->` is a comment of its own.
            let end = self.behind(at + 2, "-->").unwrap_or(self.end);
            return Some(Token::Comment(part(end)));
        }
        if self.templates && rest.starts_with("<%") {
            let end = self.behind(at, "%>")?;
            return Some(Token::Template(part(end)));
        }
        if rest.starts_with("<?") {
            let is_code = self.templates && !rest.starts_with("<?xml");
            let end = self.behind(at, "?>").or_else(|| {
                let open = rest.starts_with("<?php") || rest.starts_with("<?=");
                if open {
                    Some(self.end)
                } else {
                    self.behind(at, ">")
                }
            });
            let span = part(end.unwrap_or(self.end));
            return Some(if is_code {
                Token::Template(span)
            } else {
                Token::Declaration(span)
            });
        }
        if rest.starts_with("<![CDATA[") {
            let end = self.behind(at, "]]>").unwrap_or(self.end);
            return Some(Token::Declaration(part(end)));
        }
        if rest.starts_with("<!") {
            let end = self.behind(at, ">").unwrap_or(self.end);
            return Some(Token::Declaration(part(end)));
        }
        if !opens_tag(rest) {
            return None;
        }
        // Browsers read what is left of a page as the tag that never ends; a page may as well end
        // with a text that has a `<`.
        let lost = (!self.templates).then(|| Token::Declaration(part(self.end)));
        self.tag().map(Token::Tag).or(lost)
    }

    fn tag(&mut self) -> Option<Tag<'t>> {
        self.behind(self.at, ">")?;
        let end = self.end.min(self.at.saturating_add(self.longest));
        let end = floor(self.text, end);
        let mut tag = None;
        if self.trust > 0 {
            tag = Tag::at(self.text, self.at, end);
            self.trust -= usize::from(tag.is_none());
        }
        let tag = tag.or_else(|| Tag::plain(self.text, self.at, end))?;
        if !tag.closes() && !tag.is_empty() {
            self.raw = Some(tag.name()).filter(|name| RAW.contains(&name.as_str()));
        }
        Some(tag)
    }

    /// Takes the content of a script and its like, up to the tag that closes it.
    fn raw(&mut self, name: &str) -> Option<Token<'t>> {
        let rest = self.rest();
        let closes = |(at, _): &(usize, &str)| {
            let tail = rest.get(at + 2..).unwrap_or_default();
            let found = tail.get(..name.len());
            found.is_some_and(|found| found.eq_ignore_ascii_case(name))
        };
        let end = rest.match_indices("</").find(closes);
        let length = end.map_or(rest.len(), |(at, _)| at);
        (length > 0).then(|| Token::Raw(Span::new(self.at, self.at + length)))
    }
}

impl<'t> Iterator for Tokens<'t> {
    type Item = Token<'t>;

    fn next(&mut self) -> Option<Token<'t>> {
        let raw = self.raw.take().and_then(|name| self.raw(&name));
        if self.at >= self.end {
            return None;
        }
        let start = self.at;
        let token = raw.or_else(|| self.markup()).unwrap_or_else(|| {
            // What opens nothing is text up to the next mark that may.
            let marks = |c: char| c == '<' || self.templates && c == '{';
            let rest = self.rest();
            let first = rest.chars().next().map_or(1, char::len_utf8);
            let skipped = if may_open(rest) { 2 } else { first };
            let tail = Span::new(start + skipped, self.end).of(self.text);
            let length = tail.find(marks).unwrap_or(tail.len());
            Token::Text(Span::new(start, start + skipped + length))
        });
        self.at = token.span().end;
        Some(token)
    }
}

fn opens_tag(rest: &str) -> bool {
    let name = rest.strip_prefix('<').unwrap_or_default();
    let name = name.strip_prefix('/').unwrap_or(name);
    name.starts_with(|c: char| c.is_ascii_alphabetic())
}

impl<'t> Token<'t> {
    pub(super) fn tag(&self) -> Option<Tag<'t>> {
        match self {
            Self::Tag(tag) => Some(*tag),
            Self::Text(_)
            | Self::Comment(_)
            | Self::Declaration(_)
            | Self::Template(_)
            | Self::Raw(_) => None,
        }
    }

    pub(super) fn span(&self) -> Span {
        match self {
            Self::Tag(tag) => tag.span,
            Self::Text(span)
            | Self::Comment(span)
            | Self::Declaration(span)
            | Self::Template(span)
            | Self::Raw(span) => *span,
        }
    }
}

/// Tells whether the two characters at the beginning of a text may open markup.
pub(super) fn may_open(rest: &str) -> bool {
    match (rest.as_bytes().first(), rest.as_bytes().get(1)) {
        (Some(b'<'), Some(next)) => {
            next.is_ascii_alphabetic() || matches!(next, b'/' | b'!' | b'?' | b'%')
        }
        (Some(b'{'), Some(next)) => matches!(next, b'{' | b'%' | b'#'),
        _ => false,
    }
}
