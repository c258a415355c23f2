//! Text between the tags of HTML and JSX, and the attributes that a reader sees. Must not know
//! Markdown: what it gets is a part of a text that is known to be HTML.

use crate::segment::{Piece, Setting};
use crate::text::{Line, has_prose, is_blank, lines_of};
use crate::{SegmentKind, Span};

/// Elements inside a sentence; any other tag ends the text before it.
const INLINE: [&str; 32] = [
    "a", "abbr", "b", "bdi", "bdo", "br", "cite", "code", "del", "dfn", "em", "font", "i", "img",
    "ins", "kbd", "mark", "q", "rp", "rt", "ruby", "s", "samp", "small", "span", "strong", "sub",
    "sup", "time", "u", "var", "wbr",
];

/// Elements with nothing to translate inside.
const RAW: [&str; 7] = [
    "math", "pre", "script", "style", "svg", "template", "textarea",
];

/// Inline elements whose text is no prose.
const CODE: [&str; 4] = ["code", "kbd", "samp", "var"];

const VOID: [&str; 7] = ["area", "br", "hr", "img", "input", "source", "wbr"];

/// Attributes whose value a reader sees.
const SPOKEN: [&str; 11] = [
    "alt",
    "aria-label",
    "caption",
    "description",
    "heading",
    "label",
    "placeholder",
    "subtitle",
    "summary",
    "tagline",
    "title",
];

/// Reads the translatable pieces of a part of a text that is HTML.
pub(super) fn read(text: &str, part: Span) -> Vec<Piece> {
    let run = Run {
        start: part.start,
        has_prose: false,
        tags: Vec::new(),
    };
    let mut reader = Reader {
        text,
        part,
        run,
        in_code: 0,
        pieces: Vec::new(),
    };
    let mut at = part.start;
    while let Some(open) = reader.find(at, "<") {
        reader.take_text(Span::new(at, open));
        at = reader.take_markup(open);
    }
    reader.take_text(Span::new(at, part.end));
    reader.close_run(part.end, part.end);
    reader.pieces
}

/// Tells whether a tag opens an element that a later tag closes.
pub(super) fn opens_element(tag: &str) -> bool {
    let name = tag_name(tag);
    !name.is_empty() && !tag.ends_with("/>") && !VOID.contains(&name.as_str())
}

/// Returns the end of the tag that starts at `at`, past its `>`: quotes and braces hide one.
pub(crate) fn tag_end(text: &str, at: usize, limit: usize) -> Option<usize> {
    let mut quote = None;
    let mut braces = 0_usize;
    for (offset, byte) in text.as_bytes().get(at..limit)?.iter().enumerate() {
        match (quote, byte) {
            (Some(open), byte) if open == byte => quote = None,
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'{') => braces += 1,
            (None, b'}') => braces = braces.saturating_sub(1),
            (None, b'>') if braces == 0 => return Some(at + offset + 1),
            (Some(_) | None, _) => {}
        }
    }
    None
}

/// Tells whether a tag opens or closes an inline element whose text is no prose.
pub(super) fn is_code_tag(tag: &str) -> bool {
    CODE.contains(&tag_name(tag).as_str())
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

/// Reads the attributes of a tag whose values a reader sees; those of a badge are none.
pub(super) fn attributes(text: &str, tag: Span) -> Vec<Piece> {
    let mut pieces = Vec::new();
    if tag_name(tag.of(text)).is_empty() {
        return pieces;
    }
    let mut at = tag.start;
    while let Some(equals) = find(text, Span::new(at, tag.end), "=") {
        let before = Span::new(at, equals).of(text);
        let name = before
            .rsplit(|c: char| c.is_whitespace())
            .next()
            .unwrap_or_default();
        let value = Span::new(equals + 1, tag.end).of(text);
        let Some(quote) = value.chars().next().filter(|c| matches!(c, '"' | '\'')) else {
            at = equals + 1;
            continue;
        };
        let inner = Span::new(equals + 2, tag.end);
        let Some(end) = inner
            .of(text)
            .find(quote)
            .map(|length| inner.start + length)
        else {
            break;
        };
        let span = Span::new(inner.start, end);
        let name = name.to_ascii_lowercase();
        if name == "src" && is_badge(span.of(text)) {
            return Vec::new();
        }
        if SPOKEN.contains(&name.as_str()) && has_prose(span.of(text)) {
            pieces.push(Piece::new(
                text,
                span,
                SegmentKind::Caption,
                Setting::Attribute(quote),
            ));
        }
        at = end + 1;
    }
    pieces
}

struct Reader<'t> {
    text: &'t str,
    part: Span,
    run: Run,
    /// Code-like elements around the current place.
    in_code: usize,
    pieces: Vec<Piece>,
}

/// Holds text and inline tags since the last block tag.
struct Run {
    start: usize,
    has_prose: bool,
    /// The inline tags; the attributes of those outside of the text are units of their own.
    tags: Vec<Span>,
}

impl Reader<'_> {
    fn find(&self, at: usize, pattern: &str) -> Option<usize> {
        find(self.text, Span::new(at, self.part.end), pattern)
    }

    fn take_text(&mut self, span: Span) {
        let spoken = self.in_code == 0 && has_prose(span.of(self.text));
        self.run.has_prose = self.run.has_prose || spoken;
    }

    /// Takes what starts with `<` at `open`, and returns where it ends.
    fn take_markup(&mut self, open: usize) -> usize {
        let rest = Span::new(open, self.part.end).of(self.text);
        let name = tag_name(rest);
        if rest.starts_with("<!--") {
            let end = self
                .find(open + 4, "-->")
                .map_or(self.part.end, |at| at + 3);
            self.close_run(open, end);
            return end;
        }
        if name.is_empty() && !rest.starts_with("<!") && !rest.starts_with("<?") {
            return open + 1;
        }
        let Some(end) = tag_end(self.text, open, self.part.end) else {
            self.close_run(open, self.part.end);
            return self.part.end;
        };
        let tag = Span::new(open, end);
        if INLINE.contains(&name.as_str()) {
            self.take_inline(tag, &name);
            return end;
        }
        self.close_run(open, end);
        self.pieces.extend(attributes(self.text, tag));
        let closes = rest.starts_with("</") || tag.of(self.text).ends_with("/>");
        if closes || !RAW.contains(&name.as_str()) {
            return end;
        }
        let raw_end = self
            .find(end, &format!("</{name}"))
            .unwrap_or(self.part.end);
        self.run.start = raw_end;
        raw_end
    }

    fn take_inline(&mut self, tag: Span, name: &str) {
        self.run.tags.push(tag);
        if CODE.contains(&name) {
            let closes = tag.of(self.text).starts_with("</");
            self.in_code = if closes {
                self.in_code.saturating_sub(1)
            } else {
                self.in_code + 1
            };
        }
    }

    /// Ends the run at `end`; the next one starts at `next`.
    fn close_run(&mut self, end: usize, next: usize) {
        let fresh = Run {
            start: next,
            has_prose: false,
            tags: Vec::new(),
        };
        let run = std::mem::replace(&mut self.run, fresh);
        self.in_code = 0;
        let span = if run.has_prose {
            unwrapped(self.text, Span::new(run.start, end), &run.tags)
        } else {
            Span::new(end, end)
        };
        let outside = |tag: &&Span| tag.end <= span.start || tag.start >= span.end;
        for tag in run.tags.iter().filter(outside) {
            self.pieces.extend(attributes(self.text, *tag));
        }
        let is_blank_line = |line: Line| line.content(self.text).trim().is_empty();
        if !run.has_prose || lines_of(self.text, span).any(is_blank_line) {
            return;
        }
        let mut piece = Piece::new(self.text, span, SegmentKind::Paragraph, Setting::Html);
        piece.fresh = self.indentation(piece.span.start);
        self.pieces.push(piece);
    }

    fn indentation(&self, at: usize) -> String {
        let before = self.text.get(..at).unwrap_or_default();
        let line = before.rsplit(['\n', '\r']).next().unwrap_or_default();
        line.chars().take_while(|c| is_blank(*c)).collect()
    }
}

/// Takes blanks and the inline elements that hold the whole text off its edges.
fn unwrapped(text: &str, run: Span, tags: &[Span]) -> Span {
    let mut open = Vec::new();
    let mut closing = vec![None; tags.len()];
    for (index, tag) in tags.iter().enumerate() {
        if tag.of(text).starts_with("</") {
            let opening = open.pop().and_then(|opening| closing.get_mut(opening));
            if let Some(place) = opening {
                *place = Some(index);
            }
        } else if opens_element(tag.of(text)) {
            open.push(index);
        }
    }
    let mut span = run.trimmed(text);
    for (tag, close) in tags.iter().zip(closing) {
        let close = close.and_then(|index| tags.get(index));
        match close {
            Some(close) if tag.start == span.start && close.end == span.end => {
                span = Span::new(tag.end, close.start).trimmed(text);
            }
            Some(_) | None => break,
        }
    }
    span
}

fn find(text: &str, part: Span, pattern: &str) -> Option<usize> {
    part.of(text)
        .find(pattern)
        .map(|length| part.start + length)
}

/// Returns the element's name in lower case; empty when no tag starts here.
pub(crate) fn tag_name(tag: &str) -> String {
    let rest = tag.strip_prefix('<').unwrap_or_default();
    let rest = rest.strip_prefix('/').unwrap_or(rest);
    let opens = rest.starts_with(|c: char| c.is_ascii_alphabetic());
    let length = rest.find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '-' | '.' | ':'));
    let name = rest.get(..length.unwrap_or(rest.len())).unwrap_or_default();
    if opens {
        name.to_ascii_lowercase()
    } else {
        String::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        let part = Span::new(0, text.len());
        let mut found: Vec<_> = read(text, part)
            .into_iter()
            .map(|piece| piece.span)
            .collect();
        found.sort();
        assert_eq!(
            found
                .into_iter()
                .map(|span| span.of(text))
                .collect::<Vec<_>>(),
            expected
        );
    }

    #[test]
    fn block_tags_set_texts_apart_and_inline_tags_do_not() {
        check(
            "<div>\n  Hello <b>you</b>\n  there\n</div>\n",
            &["Hello <b>you</b>\n  there"],
        );
        check("<ul><li>One</li><li>Two</li></ul>", &["One", "Two"]);
        check("<sup>\nOne <b>two</b>\n</sup>", &["One <b>two</b>"]);
        check("<p><b><a title=\"Go\">One</a></b></p>", &["Go", "One"]);
        check("<b>One</b> and <b>two</b>", &["<b>One</b> and <b>two</b>"]);
    }

    #[test]
    fn comments_code_and_entities_are_no_text() {
        check(
            "<div><!-- Not this --><code>x y</code> &nbsp; 42</div>",
            &[],
        );
        check(
            "<pre>a <b>c</b></pre><p>Text</p><script>if (a < b) {}</script>",
            &["Text"],
        );
        check("<p>a < b is text", &["a < b is text"]);
        check("<div class=\"x", &[]);
    }

    #[test]
    fn spoken_attributes_are_read_once() {
        check("<img src=\"a.png\" alt=\"A pump\">", &["A pump"]);
        check(
            "<p>See <img alt='A pump'> here</p>",
            &["See <img alt='A pump'> here"],
        );
        check(
            "<a href='/'><img alt=\"Build Status\" src=\"https://img.shields.io/x.svg\"></a>",
            &[],
        );
        check(
            "<Tabs items={['a > b']} title=\"Pick one\" />",
            &["Pick one"],
        );
    }
}
