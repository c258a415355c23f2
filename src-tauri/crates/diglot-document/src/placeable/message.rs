//! ICU messages: `{n, plural, one {# file} other {# files}}`. Knows their frame of arguments,
//! keywords and selectors, which must stay, and their branches, which are text. Must not know which
//! branches a language needs.

use super::{Found, PlaceableKind};
use crate::Span;

/// Deepest nesting that is read; a deeper one is text.
const DEEPEST: usize = 12;

/// Longest name of an argument and longest selector, in bytes.
const LONGEST_NAME: usize = 100;

/// So many times the length of the text may be read in vain before reading is given up.
const PATIENCE: usize = 8;

/// Names what chooses among the branches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Choice {
    /// The plural forms of a count.
    Plural,
    /// The plural forms of a rank, as in `1st`.
    Ordinal,
    /// Any words.
    Select,
}

/// One message with its branches; messages inside of branches are messages of their own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Message {
    pub(crate) span: Span,
    pub(crate) argument: String,
    pub(crate) choice: Choice,
    /// Selectors with the spans of their texts, without the braces.
    pub(crate) branches: Vec<(String, Span)>,
}

/// What the messages of a text consist of.
#[derive(Debug, Default)]
pub(crate) struct Messages {
    /// Sorted by their beginnings.
    pub(crate) messages: Vec<Message>,
    /// `#` signs that stand for the count.
    counts: Vec<Span>,
    /// Quoted with apostrophes, so that braces are text: `'{'`.
    pub(super) quoted: Vec<Span>,
}

impl Messages {
    /// Lists the placeables of the messages in order: their frames, and the `#` signs.
    pub(super) fn found(&self) -> Vec<Found> {
        let frames = self.messages.iter().flat_map(frame);
        let counts = self
            .counts
            .iter()
            .map(|span| Found::new(span.start, span.end, PlaceableKind::Placeholder, "#"));
        let mut found: Vec<Found> = frames.chain(counts).collect();
        found.sort_by_key(|found| found.span.start);
        found
    }

    /// Lists the texts of the plural branches besides `other`, sorted and disjoint: how many there
    /// are depends on the language.
    pub(crate) fn forms(&self) -> Vec<Span> {
        let counts = |message: &&Message| message.choice != Choice::Select;
        let branches = self
            .messages
            .iter()
            .filter(counts)
            .flat_map(|message| &message.branches);
        let mut forms: Vec<Span> = branches
            .filter(|(selector, _)| selector != "other")
            .map(|(_, span)| *span)
            .collect();
        forms.sort();
        let mut end = 0;
        forms.retain(|form| {
            let is_outer = form.start >= end;
            end = end.max(form.end);
            is_outer
        });
        forms
    }
}

/// Lists what stands between the texts of a message's branches.
fn frame(message: &Message) -> Vec<Found> {
    let mut at = message.span.start;
    let mut found = Vec::new();
    let ends = message
        .branches
        .iter()
        .map(|(_, span)| (span.start, span.end));
    for (start, end) in ends.chain([(message.span.end, message.span.end)]) {
        found.push(Found::free(at, start));
        at = end;
    }
    found
}

/// Finds the messages of a text.
pub(crate) fn find(text: &str) -> Messages {
    let mut reader = Reader {
        text,
        found: Messages::default(),
        fuel: text.len().saturating_mul(PATIENCE),
    };
    let mut at = 0;
    while let Some(open) = reader.rest(at).find('{').map(|length| at + length) {
        let known = (
            reader.found.messages.len(),
            reader.found.counts.len(),
            reader.found.quoted.len(),
        );
        if let Some(end) = reader.message(open, 0) {
            at = end;
        } else {
            reader.found.messages.truncate(known.0);
            reader.found.counts.truncate(known.1);
            reader.found.quoted.truncate(known.2);
            at = open + 1;
        }
    }
    reader
        .found
        .messages
        .sort_by_key(|message| message.span.start);
    reader.found
}

struct Reader<'a> {
    text: &'a str,
    found: Messages,
    /// How many more characters may be read.
    fuel: usize,
}

impl<'a> Reader<'a> {
    fn rest(&self, at: usize) -> &'a str {
        self.text.get(at..).unwrap_or_default()
    }

    fn skip_blanks(&self, at: usize) -> usize {
        let rest = self.rest(at);
        at + (rest.len() - rest.trim_start().len())
    }

    /// Reads a name, and what stands behind it and the blanks after it.
    fn name(&self, at: usize) -> Option<(&'a str, usize)> {
        let at = self.skip_blanks(at);
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '=');
        let rest = self.rest(at);
        let length = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let name = rest
            .get(..length)
            .filter(|_| (1..=LONGEST_NAME).contains(&length))?;
        Some((name, self.skip_blanks(at + length)))
    }

    fn expect(&self, at: usize, wanted: char) -> Option<usize> {
        self.rest(at)
            .starts_with(wanted)
            .then(|| at + wanted.len_utf8())
    }

    /// Reads the message that begins at a brace, and returns where it ends.
    fn message(&mut self, open: usize, depth: usize) -> Option<usize> {
        let (argument, at) = self.name(self.expect(open, '{')?)?;
        let (keyword, at) = self.name(self.expect(at, ',')?)?;
        let choice = match keyword {
            "plural" => Choice::Plural,
            "selectordinal" => Choice::Ordinal,
            "select" => Choice::Select,
            _ => return None,
        };
        let mut at = self.skip_blanks(self.expect(at, ',')?);
        let mut argument = argument.to_owned();
        let mut branches = Vec::new();
        loop {
            if let (Some(end), false) = (self.expect(at, '}'), branches.is_empty()) {
                let span = Span::new(open, end);
                self.found.messages.push(Message {
                    span,
                    argument,
                    choice,
                    branches,
                });
                return Some(end);
            }
            let (selector, after) = self.name(at)?;
            if let (Some(value), "offset", true) =
                (self.expect(after, ':'), selector, branches.is_empty())
            {
                let (offset, after) = self.name(value)?;
                argument = format!("{argument}-{offset}");
                at = after;
                continue;
            }
            let start = self.expect(after, '{')?;
            let end = self.branch(start, choice, depth)?;
            branches.push((selector.to_owned(), Span::new(start, end)));
            at = self.skip_blanks(end + 1);
        }
    }

    /// Reads the text of a branch and returns where its closing brace stands.
    fn branch(&mut self, start: usize, choice: Choice, depth: usize) -> Option<usize> {
        let mut at = start;
        loop {
            self.fuel = self.fuel.checked_sub(1)?;
            let c = self.rest(at).chars().next()?;
            match c {
                '}' => return Some(at),
                '{' => at = self.argument(at, depth)?,
                '\'' => at = self.quote(at)?,
                '#' if choice != Choice::Select => {
                    self.found.counts.push(Span::new(at, at + 1));
                    at += 1;
                }
                _ => at += c.len_utf8(),
            }
        }
    }

    /// Passes over a message or a simple argument in a branch.
    fn argument(&mut self, open: usize, depth: usize) -> Option<usize> {
        if depth < DEEPEST
            && let Some(end) = self.message(open, depth + 1)
        {
            return Some(end);
        }
        let mut open_braces = 0_usize;
        for (length, c) in self.rest(open).char_indices() {
            self.fuel = self.fuel.checked_sub(1)?;
            match c {
                '{' => open_braces += 1,
                '}' => open_braces = open_braces.saturating_sub(1),
                _ => {}
            }
            if open_braces == 0 {
                return Some(open + length + 1);
            }
        }
        None
    }

    /// Passes over an apostrophe, with what it quotes if it stands before a sign of the syntax.
    fn quote(&mut self, at: usize) -> Option<usize> {
        let after = at + 1;
        if self.rest(after).starts_with('\'') {
            return Some(after + 1);
        }
        if !self.rest(after).starts_with(['{', '}', '#', '|']) {
            return Some(after);
        }
        let mut end = after;
        loop {
            let length = self.rest(end).find('\'')?;
            self.fuel = self.fuel.checked_sub(length + 1)?;
            end += length + 1;
            if !self.rest(end).starts_with('\'') {
                self.found.quoted.push(Span::new(at, end));
                return Some(end);
            }
            end += 1;
        }
    }
}
