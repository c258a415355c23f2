//! How the marks look that CommonMark does not know, and where no line is one. Must not change
//! anything.

use pulldown_cmark::{CodeBlockKind, Event, Tag, TagEnd};

use crate::Span;
use crate::format::markdown::events;
use crate::segment::split_prefix;

/// Lines that stand for a generated table of contents.
pub(crate) const TABLE_OF_CONTENTS: [&str; 4] = ["[TOC]", "[[toc]]", "[[TOC]]", "[[_TOC_]]"];

/// Takes indentation and quote marks off a line.
pub(super) fn bare(line: &str) -> &str {
    split_prefix(line, usize::MAX).1
}

pub(super) fn is_candidate(line: &str) -> bool {
    const STARTS: [&str; 8] = [":::", "$$", "\\[", "!!! ", "???", "=== \"", "[!", "[["];
    match line.as_bytes().first() {
        Some(b'{') => true,
        Some(b':' | b'$' | b'\\' | b'!' | b'?' | b'=' | b'[') => {
            STARTS.iter().any(|start| line.starts_with(start)) || line.trim_end() == "[TOC]"
        }
        Some(b'<') => is_component(line) || matches!(line.trim_end(), "<>" | "</>"),
        Some(b'i') => line.starts_with("import "),
        Some(b'e') => line.starts_with("export "),
        _ => false,
    }
}

pub(in crate::format::markdown) fn is_component(line: &str) -> bool {
    let name = line
        .strip_prefix('<')
        .map(|rest| rest.strip_prefix('/').unwrap_or(rest));
    name.is_some_and(|name| name.starts_with(|c: char| c.is_ascii_uppercase()))
}

/// A block whose lines are nobody's marks.
pub(super) struct CodeBlock {
    pub(super) span: Span,
    /// Whether its indentation alone makes it one.
    pub(super) indented: bool,
}

/// Finds the blocks whose lines are nobody's marks: code, comments, raw HTML.
pub(super) fn code_blocks(text: &str, body: &str, base: usize) -> Vec<CodeBlock> {
    const RAW: [&str; 7] = [
        "<!--",
        "<?",
        "<![",
        "<script",
        "<style",
        "<pre",
        "<textarea",
    ];
    let is_raw = |span: Span| {
        let block = span.of(text).trim_start();
        RAW.iter().any(|raw| {
            block
                .get(..raw.len())
                .is_some_and(|head| head.eq_ignore_ascii_case(raw))
        })
    };
    events(body, base)
        .filter(|(event, span)| {
            matches!(event, Event::Start(Tag::CodeBlock(_)))
                || matches!(event, Event::End(TagEnd::HtmlBlock)) && is_raw(*span)
        })
        .map(|(event, span)| CodeBlock {
            span,
            indented: event == Event::Start(Tag::CodeBlock(CodeBlockKind::Indented)),
        })
        .collect()
}

pub(super) fn is_indented_mark(body: &str) -> bool {
    ["!!! ", "??? ", "???+ ", "=== \""]
        .iter()
        .any(|mark| body.starts_with(mark))
}

/// Returns what stands between the only two double quotes.
pub(super) fn quoted(text: &str, span: Span) -> Option<Span> {
    let body = span.of(text);
    let (first, last) = (body.find('"')?, body.rfind('"')?);
    let only = first < last && body.matches('"').count() == 2;
    only.then_some(Span::new(span.start + first + 1, span.start + last))
}

/// Counts the brackets of a program, outside of its strings.
#[derive(Default)]
pub(super) struct Balance {
    depth: usize,
    quote: Option<char>,
}

impl Balance {
    /// Takes a line. Brackets that open with one of `kinds` count; where that is one kind, what stands
    /// behind the end of the first is returned.
    pub(super) fn take<'l>(&mut self, line: &'l str, kinds: &str) -> &'l str {
        // Only a template string goes on in the next line.
        self.quote = self.quote.filter(|quote| *quote == '`');
        let mut escaped = false;
        let closes = |c: char| match c {
            '}' => kinds.contains('{'),
            ']' => kinds.contains('['),
            ')' => kinds.contains('('),
            _ => false,
        };
        for (at, c) in line.char_indices() {
            match self.quote {
                _ if escaped => escaped = false,
                Some(_) if c == '\\' => escaped = true,
                Some(quote) if c == quote => self.quote = None,
                None if matches!(c, '"' | '\'' | '`') => self.quote = Some(c),
                None if kinds.contains(c) => self.depth += 1,
                None if closes(c) => {
                    self.depth = self.depth.saturating_sub(1);
                    if self.depth == 0 && kinds.len() == 1 {
                        return line.get(at + 1..).unwrap_or_default();
                    }
                }
                Some(_) | None => {}
            }
        }
        ""
    }

    pub(super) fn is_even(&self) -> bool {
        self.depth == 0
    }
}

/// Tells an import or export of MDX from a sentence that starts with the same word.
pub(crate) fn is_module_line(body: &str) -> bool {
    const EXPORTS: [&str; 9] = [
        "const ",
        "default ",
        "let ",
        "var ",
        "function ",
        "async ",
        "class ",
        "{",
        "*",
    ];
    if let Some(rest) = body.strip_prefix("import ") {
        let named = rest.contains(" from '") || rest.contains(" from \"") || rest.ends_with('{');
        return named || rest.starts_with(['\'', '"']);
    }
    body.strip_prefix("export ")
        .is_some_and(|rest| EXPORTS.iter().any(|word| rest.starts_with(word)))
}
