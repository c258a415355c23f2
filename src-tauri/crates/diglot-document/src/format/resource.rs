//! What the XML formats of string resources share: elements, and values that are shown without the
//! escapes of XML. Must not know what an element means.

use super::xml::{Token, TokenKind, is_allowed, reference, unescaped};
use crate::Span;
use crate::shown::{Place, ShownBuilder};

/// Returns the place of the tag that closes the element which opens at `open`; the end where none does.
pub(super) fn closing(tokens: &[Token], open: usize) -> usize {
    let mut depth = 0_usize;
    for (index, token) in tokens.iter().enumerate().skip(open) {
        match token.kind {
            TokenKind::Open => depth += 1,
            TokenKind::Close => depth = depth.saturating_sub(1),
            TokenKind::Empty
            | TokenKind::Text
            | TokenKind::CData
            | TokenKind::Comment
            | TokenKind::Instruction
            | TokenKind::Doctype => {}
        }
        if depth == 0 {
            return index;
        }
    }
    tokens.len()
}

/// Returns the text of an attribute; empty when there is none.
pub(super) fn attribute(token: &Token, text: &str, name: &str) -> String {
    let value = token.attribute(text, name);
    value.map_or_else(String::new, |span| unescaped(span.of(text)).into_owned())
}

/// Returns what a comment says.
pub(super) fn comment<'t>(token: &Token, text: &'t str) -> &'t str {
    let raw = token.span.of(text);
    let inner = raw.strip_prefix("<!--").unwrap_or(raw);
    inner.strip_suffix("-->").unwrap_or(inner).trim()
}

/// Returns the text of an element's content, without its tags.
pub(super) fn plain(content: &[Token], text: &str) -> String {
    let texts = content.iter().filter(|token| token.kind == TokenKind::Text);
    texts.map(|token| unescaped(token.span.of(text))).collect()
}

/// Returns what stands in the only CDATA section of an element with nothing but blanks beside it.
pub(super) fn only_cdata(content: &[Token], text: &str) -> Option<Span> {
    let blank =
        |token: &&Token| token.kind == TokenKind::Text && token.span.of(text).trim().is_empty();
    let mut rest = content.iter().filter(|token| !blank(token));
    let only = rest.next().filter(|token| token.kind == TokenKind::CData)?;
    let end = only.span.end - "]]>".len();
    let whole = only.span.of(text).ends_with("]]>") && rest.next().is_none();
    whole.then(|| Span::new(only.span.start + "<![CDATA[".len(), end))
}

/// Shows a stretch without references and with one kind of line end. What stands for itself although
/// it need not is noted as well, so that it stays as it is.
pub(super) fn show(text: &str, span: Span, builder: &mut ShownBuilder<'_>) {
    let mut at = span.start;
    while let Some(found) = Span::new(at, span.end)
        .of(text)
        .find(['&', '<', '>', '\r', '\n'])
    {
        builder.copy(at + found);
        at += found;
        let rest = Span::new(at, span.end).of(text);
        let (length, c) = escape(rest);
        at += length;
        builder.write(at, c.encode_utf8(&mut [0; 4]));
    }
    builder.copy(span.end);
}

/// Shows the content of a CDATA section with one kind of line end.
pub(super) fn show_cdata(text: &str, span: Span, builder: &mut ShownBuilder<'_>) {
    let mut at = span.start;
    while let Some(found) = Span::new(at, span.end).of(text).find(['\r', '\n']) {
        builder.copy(at + found);
        at += found;
        let is_pair = Span::new(at, span.end).of(text).starts_with("\r\n");
        at += if is_pair { 2 } else { 1 };
        builder.write(at, "\n");
    }
    builder.copy(span.end);
}

/// Reads the reference, the mark or the line end that a text begins with.
pub(super) fn escape(rest: &str) -> (usize, char) {
    if let Some((length, Some(c))) = reference(rest) {
        return (length, c);
    }
    match rest.chars().next() {
        Some('\r') if rest.starts_with("\r\n") => (2, '\n'),
        Some('\r') => (1, '\n'),
        first => (1, first.unwrap_or('&')),
    }
}

/// Writes a target as the content of an element.
pub(super) fn write(place: &Place<'_>, target: &str) -> String {
    let target: String = target.chars().filter(|c| is_allowed(*c)).collect();
    let fresh = |c: char, out: &mut String| match c {
        '<' => out.push_str("&lt;"),
        '>' => out.push_str("&gt;"),
        '&' => out.push_str("&amp;"),
        '\r' => out.push_str("&#13;"),
        '\n' => out.push_str(place.fresh),
        c => out.push(c),
    };
    place.carry_read_back(&target, &show, &fresh)
}

/// Writes a target inside a CDATA section.
pub(super) fn write_cdata(place: &Place<'_>, target: &str) -> String {
    let target: String = target.chars().filter(|c| is_allowed(*c)).collect();
    let written = place.carry(&target, &mut |c, out| match c {
        '\n' => out.push_str(place.fresh),
        c => out.push(c),
    });
    written.replace("]]>", "]]]]><![CDATA[>")
}

/// Returns the line end that a text uses first.
pub(super) fn line_end(text: &str) -> &'static str {
    let before = text.split('\n').next().unwrap_or_default();
    if before.len() < text.len() && before.ends_with('\r') {
        "\r\n"
    } else {
        "\n"
    }
}
