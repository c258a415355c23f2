//! Small readings of text that several modules share: lines, prose, shortening. Must not know a
//! format.

use unicode_segmentation::UnicodeSegmentation;

use crate::Span;

/// Holds the bounds of one line of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Line {
    /// First byte.
    pub(crate) start: usize,
    /// One past the last byte before the line end.
    pub(crate) end: usize,
    /// One past the line end; equals `end` where the text stops without one.
    pub(crate) next: usize,
}

impl Line {
    /// Returns the line without its end.
    pub(crate) fn content(self, text: &str) -> &str {
        text.get(self.start..self.end).unwrap_or_default()
    }

    /// Returns the line end as the file has it; empty at the end of the text.
    pub(crate) fn line_end(self, text: &str) -> &str {
        text.get(self.end..self.next).unwrap_or_default()
    }

    /// Returns the line without its end as a span.
    pub(crate) fn span(self) -> Span {
        Span::new(self.start, self.end)
    }
}

/// Walks the lines of a part of a text; LF, CRLF and CR end a line. A line end at the very end of
/// the part opens no further line.
pub(crate) fn lines_of(text: &str, span: Span) -> impl Iterator<Item = Line> {
    let bytes = span.of(text).as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = bytes.get(at..).filter(|rest| !rest.is_empty())?;
        let length = rest
            .iter()
            .position(|&b| b == b'\n' || b == b'\r')
            .unwrap_or(rest.len());
        let ending = match (rest.get(length), rest.get(length + 1)) {
            (Some(b'\r'), Some(b'\n')) => 2,
            (Some(_), _) => 1,
            (None, _) => 0,
        };
        let start = span.start + at;
        at += length + ending;
        Some(Line {
            start,
            end: start + length,
            next: span.start + at,
        })
    })
}

/// Walks the lines of a whole text.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = Line> {
    lines_of(text, Span::new(0, text.len()))
}

/// Returns what stands before an offset on its line; nothing on a line of absurd length.
pub(crate) fn line_before(text: &str, at: usize) -> &str {
    /// Indentations and markers are shorter.
    const LONGEST: usize = 2_000;
    let head = text.get(..at).unwrap_or_default();
    let first = head.len().saturating_sub(LONGEST);
    let near = head.as_bytes().get(first..).unwrap_or_default();
    let start = match near.iter().rposition(|b| matches!(b, b'\n' | b'\r')) {
        Some(end) => first + end + 1,
        None if near.len() == LONGEST => return "",
        None => first,
    };
    head.get(start..).unwrap_or_default()
}

/// Returns how the first line of a text ends, for lines that are added.
pub(crate) fn first_line_end(text: &str) -> &'static str {
    let first = text.split_inclusive('\n').next().unwrap_or_default();
    if first.ends_with("\r\n") {
        "\r\n"
    } else {
        "\n"
    }
}

/// Tells whether a character is a blank that carries no text: a no-break blank is none.
pub(crate) fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\u{B}' | '\u{C}')
}

/// Tells whether a text holds a word for a reader: letters outside of addresses, identifiers, `{…}`
/// placeholders and words that start with `%`, `$`, `@` or `--`.
pub(crate) fn has_prose(text: &str) -> bool {
    let mut rest = text;
    loop {
        let open = rest.find('{');
        let close = open.and_then(|at| rest.get(at..)?.find('}').map(|length| at + length + 1));
        let (Some(open), Some(close)) = (open, close) else {
            return rest.split_whitespace().any(is_word);
        };
        if rest
            .get(..open)
            .unwrap_or_default()
            .split_whitespace()
            .any(is_word)
        {
            return true;
        }
        rest = rest.get(close..).unwrap_or_default();
    }
}

fn is_word(word: &str) -> bool {
    let spoken = word.chars().any(char::is_alphabetic);
    let entity = word.starts_with('&') && word.ends_with(';');
    let short_code = word.len() > 2 && word.starts_with(':') && word.ends_with(':');
    spoken
        && !entity
        && !short_code
        && !is_address(word)
        && !is_identifier(word)
        && !word.starts_with(['%', '$', '@'])
        && !word.starts_with("--")
}

/// Tells whether a word can only be a name in code, a file, a host or a version: `a_b`, `a::b`,
/// `Cargo.toml`, `v2.0.0-rc.1`. Names in capitals and small letters may be words, and `e.g` is.
fn is_identifier(word: &str) -> bool {
    let name = word.trim_matches(|c: char| !c.is_alphanumeric());
    let joined = |mark: &str, is_part: fn(&str) -> bool| {
        name.contains(mark) && name.split(mark).all(is_part)
    };
    let starts_as_name = |part: &str| part.starts_with(|c: char| c.is_ascii_alphabetic());
    let is_long = |part: &str| part.len() > 1 && part.bytes().all(|b| b.is_ascii_alphanumeric());
    let code = name.contains('_') || joined("::", starts_as_name) || joined(".", is_long);
    name.is_ascii() && (code || is_version(name))
}

fn is_version(name: &str) -> bool {
    const STAGES: [&str; 7] = ["alpha", "beta", "rc", "pre", "dev", "x", ""];
    let number = name.strip_prefix(['v', 'V']).unwrap_or(name);
    let known = |run: &str| STAGES.contains(&run.to_ascii_lowercase().as_str());
    number.starts_with(|c: char| c.is_ascii_digit())
        && (number.len() < name.len() || number.contains('.'))
        && number.split(|c: char| !c.is_ascii_alphabetic()).all(known)
}

fn is_address(word: &str) -> bool {
    let mail = |word: &str| {
        word.split_once('@')
            .is_some_and(|(_, host)| host.contains('.'))
    };
    word.contains("://") || word.starts_with("www.") || word.starts_with("mailto:") || mail(word)
}

/// Cuts a text to at most `limit` grapheme clusters, the last of them an ellipsis when something
/// was cut, and line breaks shown as blanks. Used for titles and list previews.
pub fn shorten(text: &str, limit: usize) -> String {
    let flat = |cluster: &str| {
        if cluster.contains(['\n', '\r']) {
            " "
        } else {
            cluster
        }
        .to_owned()
    };
    let mut clusters = text.trim().graphemes(true);
    let head: Vec<&str> = clusters.by_ref().take(limit).collect();
    if clusters.next().is_none() {
        return head.into_iter().map(flat).collect();
    }
    let Some((_, kept)) = head.split_last() else {
        return String::new();
    };
    let kept: String = kept.iter().copied().map(flat).collect();
    format!("{}…", kept.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_in_three_ways() {
        let text = "a\r\nb\rc\n\nd";
        let found: Vec<_> = lines(text)
            .map(|l| (l.content(text), l.line_end(text)))
            .collect();
        assert_eq!(
            found,
            [
                ("a", "\r\n"),
                ("b", "\r"),
                ("c", "\n"),
                ("", "\n"),
                ("d", "")
            ]
        );
    }

    #[test]
    fn prose_is_more_than_addresses_numbers_and_placeholders() {
        for text in [
            "Fill the tank.",
            "v",
            "名前",
            "see {x} here",
            "a@b",
            "GitHub",
            "e.g.",
            "2.Schritt",
            "(end)",
            "1.5x faster",
            "V1 :star: rocks",
        ] {
            assert!(has_prose(text), "{text}");
        }
        for text in [
            "",
            "42",
            "---",
            "https://a.example/b",
            "{name}",
            "%s",
            "{{ x }} {y}",
            "a@b.example",
            "{",
            ":star: :bulb:",
            "@someone",
            "snake_case",
            "`mod::Name`",
            "Cargo.toml:",
            "[v2]",
            "\\[2.0.0-rc.1] 1.x",
        ] {
            assert!(!has_prose(text), "{text}");
        }
    }

    #[test]
    fn shortening_keeps_clusters_whole() {
        assert_eq!(shorten("abc", 3), "abc");
        assert_eq!(shorten("abcd", 3), "ab…");
        assert_eq!(shorten("ab\r\ncd", 4), "ab…");
        assert_eq!(shorten("e\u{301}e\u{301}e\u{301}", 2), "e\u{301}…");
        assert_eq!(shorten("abc", 0), "");
        let long = "船慢慢靠近，👩‍👩‍👧水下".repeat(30);
        for limit in 1..=300 {
            let short = shorten(&long, limit);
            assert!(short.graphemes(true).count() <= limit, "{limit}");
            assert!(long.starts_with(short.trim_end_matches('…')), "{limit}");
        }
    }
}
