//! Front matter in YAML and TOML, read line by line: the prose values are pieces, everything else is
//! left alone. Must not know Markdown.

use crate::segment::{Piece, Setting};
use crate::text::{Line, has_prose, is_blank, lines};
use crate::{SegmentKind, Span};

/// Keys whose values a reader sees, at any depth, in lower case without `-` and `_`.
const PROSE_KEYS: [&str; 37] = [
    "abstract",
    "alt",
    "blurb",
    "caption",
    "coveralt",
    "description",
    "details",
    "excerpt",
    "heading",
    "headline",
    "herotitle",
    "imagealt",
    "intro",
    "lead",
    "linktitle",
    "metadescription",
    "metatitle",
    "navtitle",
    "ogdescription",
    "ogtitle",
    "paginationlabel",
    "seodescription",
    "seotitle",
    "shortdescription",
    "shorttitle",
    "sidebarlabel",
    "sidebartitle",
    "subtitle",
    "summary",
    "tagline",
    "teaser",
    "text",
    "title",
    "toctitle",
    "twitterdescription",
    "twittertitle",
    "longdescription",
];

/// Holds what stands ahead of the body.
#[derive(Default)]
pub(super) struct FrontMatter {
    pub(super) pieces: Vec<Piece>,
    /// Where the body starts.
    pub(super) end: usize,
    /// Where a front matter opens that never closes.
    pub(super) unclosed: Option<usize>,
}

/// Reads the front matter of a text; a text without one has its body at 0.
pub(super) fn read(text: &str) -> FrontMatter {
    let mut all = lines(text);
    let delimiter = all
        .next()
        .map(|line| line.content(text).trim_end())
        .unwrap_or_default();
    let (separator, closers): (char, &[&str]) = match delimiter {
        "---" => (':', &["---", "..."]),
        "+++" => ('=', &["+++"]),
        _ => return FrontMatter::default(),
    };
    let mut inside = Vec::new();
    for line in all {
        if closers.contains(&line.content(text).trim_end()) {
            if !opens_with_key(text, &inside, separator) {
                break;
            }
            let reader = Reader {
                text,
                lines: inside,
                pieces: Vec::new(),
            };
            let pieces = if separator == ':' {
                reader.yaml()
            } else {
                reader.toml()
            };
            return FrontMatter {
                pieces,
                end: line.next,
                unclosed: None,
            };
        }
        inside.push(line);
    }
    let unclosed = !inside.is_empty() && opens_with_key(text, &inside, separator);
    FrontMatter {
        unclosed: unclosed.then_some(0),
        ..FrontMatter::default()
    }
}

/// Tells a front matter from a thematic break: its first line is a key or a comment. An empty one
/// is a front matter.
fn opens_with_key(text: &str, inside: &[Line], separator: char) -> bool {
    inside.first().is_none_or(|line| {
        let content = line.content(text);
        content.starts_with(['#', '[']) || Entry::read(*line, content, separator).is_some()
    })
}

/// Holds one `key: value` or `key = value` line.
struct Entry<'t> {
    key: &'t str,
    /// Column of the key, behind indentation and dashes.
    column: usize,
    /// The trimmed value; empty where the value stands on later lines.
    value: Span,
}

impl<'t> Entry<'t> {
    fn read(line: Line, content: &'t str, separator: char) -> Option<Self> {
        let mut body = content.trim_start_matches(is_blank);
        while let Some(item) = body.strip_prefix("- ") {
            body = item.trim_start_matches(is_blank);
        }
        let column = content.len() - body.len();
        let at = body.find(separator)?;
        let (key, value) = body.split_at_checked(at)?;
        let value = value.strip_prefix(separator)?;
        let key = key.trim_end().trim_matches(['"', '\'']);
        let named = !key.is_empty()
            && key
                .chars()
                .all(|c| c.is_alphanumeric() || "_-. ".contains(c));
        let apart = separator == '=' || value.is_empty() || value.starts_with(is_blank);
        let start = line.end - value.trim_start().len();
        let end = start + value.trim().len();
        (named && apart).then_some(Self {
            key,
            column,
            value: Span::new(start, end),
        })
    }

    fn is_prose(&self) -> bool {
        let key: String = self
            .key
            .chars()
            .filter(|c| !matches!(c, '-' | '_'))
            .collect();
        PROSE_KEYS.contains(&key.to_lowercase().as_str())
    }
}

struct Reader<'t> {
    text: &'t str,
    lines: Vec<Line>,
    pieces: Vec<Piece>,
}

impl Reader<'_> {
    fn yaml(mut self) -> Vec<Piece> {
        let all = std::mem::take(&mut self.lines);
        let mut rest = all.as_slice();
        while let Some((line, later)) = rest.split_first() {
            rest = later;
            let Some(entry) = Entry::read(*line, line.content(self.text), ':') else {
                continue;
            };
            let value = entry.value.of(self.text);
            if value.is_empty() || value.starts_with('#') {
                continue;
            }
            let deeper = later
                .iter()
                .take_while(|line| self.is_deeper(**line, entry.column));
            let (inner, after) = later
                .split_at_checked(deeper.count())
                .unwrap_or((later, &[]));
            rest = after;
            if entry.is_prose() {
                self.yaml_value(entry.value, inner);
            }
        }
        self.pieces
    }

    fn is_deeper(&self, line: Line, column: usize) -> bool {
        let content = line.content(self.text);
        let body = content.trim_start_matches(is_blank);
        body.is_empty() || content.len() - body.len() > column
    }

    /// Reads a value with the deeper lines that belong to it.
    fn yaml_value(&mut self, value: Span, inner: &[Line]) {
        let first = value.of(self.text).chars().next();
        match first {
            Some('|' | '>') => self.yaml_block(inner),
            Some('"') => self.quoted(value, '"', Setting::DoubleQuoted),
            Some('\'') => self.quoted(value, '\'', Setting::SingleQuoted),
            Some('[' | '{' | '&' | '*' | '!' | '%' | '@' | '`') | None => {}
            Some(_) => self.yaml_plain(value, inner),
        }
    }

    /// Reads the paragraphs of a block scalar.
    fn yaml_block(&mut self, inner: &[Line]) {
        let is_empty = |line: &Line| line.content(self.text).trim().is_empty();
        let paragraphs: Vec<Span> = inner
            .split(is_empty)
            .filter_map(|lines| lines.first().zip(lines.last()))
            .map(|(first, last)| Span::new(first.start, last.end))
            .collect();
        for span in paragraphs {
            self.push(span, Setting::YamlBlock);
        }
    }

    fn yaml_plain(&mut self, value: Span, inner: &[Line]) {
        let comment = value.of(self.text).find(" #");
        let filled = |line: &&Line| {
            let content = line.content(self.text).trim_start();
            !content.is_empty() && !content.starts_with('#') && !content.contains(" #")
        };
        let end = match comment {
            Some(at) => value.start + at,
            None => inner
                .iter()
                .take_while(filled)
                .last()
                .map_or(value.end, |line| line.end),
        };
        self.push(Span::new(value.start, end), Setting::YamlPlain);
    }

    fn toml(mut self) -> Vec<Piece> {
        let all = std::mem::take(&mut self.lines);
        let mut rest = all.as_slice();
        while let Some((line, later)) = rest.split_first() {
            rest = later;
            let Some(entry) = Entry::read(*line, line.content(self.text), '=') else {
                continue;
            };
            let value = entry.value.of(self.text);
            if let Some(fence) = ["\"\"\"", "'''"]
                .iter()
                .find(|fence| value.starts_with(**fence))
            {
                if value.matches(*fence).count() < 2 {
                    let closes = |line: &&Line| line.content(self.text).contains(*fence);
                    let inner = later.iter().take_while(|line| !closes(line)).count();
                    rest = later.get(inner + 1..).unwrap_or_default();
                }
                continue;
            }
            match value.chars().next().filter(|_| entry.is_prose()) {
                Some('"') => self.quoted(entry.value, '"', Setting::DoubleQuoted),
                Some('\'') => self.quoted(entry.value, '\'', Setting::Literal),
                Some(_) | None => {}
            }
        }
        self.pieces
    }

    /// Reads a value whose quotes both stand on one line, with at most a comment behind them.
    fn quoted(&mut self, value: Span, quote: char, setting: Setting) {
        let inner = Span::new(value.start + 1, value.end);
        let mut escaped = false;
        let mut characters = inner.of(self.text).char_indices().peekable();
        while let Some((at, c)) = characters.next() {
            let doubled = setting == Setting::SingleQuoted
                && c == quote
                && characters.next_if(|(_, next)| *next == quote).is_some();
            if c == quote && !escaped && !doubled {
                let span = Span::new(inner.start, inner.start + at);
                let behind = Span::new(span.end + 1, value.end)
                    .of(self.text)
                    .trim_start();
                if behind.is_empty() || behind.starts_with('#') {
                    self.push(span, setting);
                }
                return;
            }
            escaped = setting == Setting::DoubleQuoted && c == '\\' && !escaped;
        }
    }

    fn push(&mut self, span: Span, setting: Setting) {
        if !has_prose(span.of(self.text)) {
            return;
        }
        let mut piece = Piece::new(self.text, span, SegmentKind::Value, setting);
        if setting == Setting::YamlBlock {
            let line = Span::new(span.start, piece.span.start);
            line.of(self.text).clone_into(&mut piece.fresh);
        }
        self.pieces.push(piece);
    }
}

#[cfg(test)]
mod tests;
