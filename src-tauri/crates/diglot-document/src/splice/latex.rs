//! Escapes that keep a LaTeX target inside of its paragraph: signs that mean something to TeX, braces
//! without a partner, commands that end a paragraph. Must not know bytes.

use std::borrow::Cow;
use std::collections::BTreeSet;

use crate::Span;
use crate::format::latex::{Class, class};
use crate::placeable::latex::{command, comments, solids, verbatim};

/// Says in what surroundings a LaTeX span stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tex {
    /// A paragraph, or the argument of a command.
    Text,
    /// A cell of a table.
    Cell,
    /// An argument in brackets.
    Optional,
}

/// Escapes the lines of a target; `before` is the file up to its place.
pub(super) fn escape<'a>(
    place: Tex,
    lines: &[Cow<'_, str>],
    source: &str,
    before: &str,
) -> Vec<Cow<'a, str>> {
    let target = lines.join("\n");
    let comments = comments(source);
    // A source that TeX would not take is followed.
    let is_sound = lone_braces(source, &comments).is_empty();
    let mut out = String::with_capacity(target.len() + 8);
    let mut writer = Writer {
        target: &target,
        place,
        own: Own::of(source),
        comments: &comments,
        alone: if is_sound {
            lone_braces(&target, &comments)
        } else {
            Vec::new()
        },
        solids: solids(&target),
    };
    writer
        .solids
        .retain(|span| !span.of(&target).starts_with('%'));
    writer.write(&mut out);
    if place == Tex::Optional && out.contains([']', '[']) && !source.contains([']', '[']) {
        out = format!("{{{out}}}");
    }
    let name = before.len()
        - before
            .trim_end_matches(|c: char| c.is_ascii_alphabetic())
            .len();
    let behind_name = name > 0
        && before
            .get(..before.len() - name)
            .is_some_and(|head| head.ends_with('\\'));
    if behind_name && out.starts_with(|c: char| c.is_ascii_alphabetic()) {
        out.insert(0, ' ');
    }
    if out.starts_with(['[', '*']) && !source.starts_with(['[', '*']) {
        out.insert_str(0, "{}");
    }
    out.split('\n').map(|line| line.to_owned().into()).collect()
}

/// What the source has without an escape, outside of what is no text.
struct Own {
    signs: String,
    /// Its commands.
    names: BTreeSet<String>,
    has_formula: bool,
}

impl Own {
    fn of(source: &str) -> Self {
        let solids = solids(source);
        let mut own = Self {
            signs: String::new(),
            names: solids
                .iter()
                .map(|span| command(span.of(source)).name.to_owned())
                .collect(),
            has_formula: solids.iter().any(|span| span.of(source).starts_with('$')),
        };
        let mut at = 0;
        while let Some(rest) = source.get(at..).filter(|rest| !rest.is_empty()) {
            if let Some(end) = inside(&solids, at) {
                at = end;
            } else if rest.starts_with('\\') {
                let token = command(rest);
                own.names.insert(token.name.to_owned());
                at += token.length.max(1);
            } else {
                let c = rest.chars().next().unwrap_or_default();
                if "&#$_^".contains(c) {
                    own.signs.push(c);
                }
                at += c.len_utf8();
            }
        }
        own
    }
}

struct Writer<'t> {
    target: &'t str,
    place: Tex,
    own: Own,
    comments: &'t [&'t str],
    /// Offsets of braces without a partner, ascending.
    alone: Vec<usize>,
    solids: Vec<Span>,
}

impl Writer<'_> {
    fn write(&self, out: &mut String) {
        let mut at = 0;
        while let Some(rest) = self.target.get(at..).filter(|rest| !rest.is_empty()) {
            let c = rest.chars().next().unwrap_or_default();
            let solid = begins(&self.solids, at).filter(|end| self.stays(at, *end));
            at += match c {
                _ if solid.is_some() => copied(self.target, at, solid.unwrap_or(at), out),
                '%' => self.percent(rest, out),
                '\\' => self.command(rest, out),
                '{' | '}' if self.alone.binary_search(&at).is_ok() => escaped(c, out),
                '&' | '#' | '$' | '_' | '^' if !self.own.signs.contains(c) => escaped(c, out),
                c => plain(c, out),
            };
        }
    }

    /// Tells whether a construct of the target is left as it is.
    fn stays(&self, at: usize, end: usize) -> bool {
        let text = self.target.get(at..end).unwrap_or_default();
        let first = self.alone.partition_point(|brace| *brace < at);
        let is_cut = self.alone.get(first).is_some_and(|brace| *brace < end);
        let is_known = |name: &str| self.own.names.contains(name);
        let sound = match text.chars().next() {
            // Prices are no formula.
            Some('$') => {
                self.own.has_formula || text.contains(['\\', '^', '_', '=', '<', '>', '+'])
            }
            Some('\\') => {
                let name = command(text).name;
                is_known(name) || !self.breaks(name)
            }
            _ => true,
        };
        sound && !is_cut
    }

    /// Tells whether a command would end the paragraph, the row or the text.
    fn breaks(&self, name: &str) -> bool {
        let (class, _) = class(name);
        let ends_row = name == "\\" && self.place == Tex::Cell;
        let is_verbatim = matches!(name, "verb" | "lstinline" | "Verb" | "mintinline");
        ends_row
            || matches!(class, Class::Break | Class::Block(_))
            || is_verbatim
            || matches!(name, "begin" | "end" | "[" | "]" | "(" | ")")
    }

    /// Writes a comment that the source has, or else a percent sign.
    fn percent(&self, rest: &str, out: &mut String) -> usize {
        let line = rest.split('\n').next().unwrap_or_default();
        if self.comments.contains(&line) {
            out.push_str(line);
            return line.len();
        }
        escaped('%', out)
    }

    /// Writes a command; one that would end the paragraph, as text.
    fn command(&self, rest: &str, out: &mut String) -> usize {
        let token = command(rest);
        let is_known = self.own.names.contains(token.name);
        if token.name == "\\" && self.breaks("\\") && !is_known {
            out.push(' ');
            return token.length;
        }
        if matches!(token.name, "" | "\n") || (self.breaks(token.name) && !is_known) {
            out.push_str("\\textbackslash{}");
            return 1;
        }
        out.push_str(rest.get(..token.length).unwrap_or(rest));
        token.length
    }
}

fn plain(c: char, out: &mut String) -> usize {
    out.push(c);
    c.len_utf8()
}

fn escaped(c: char, out: &mut String) -> usize {
    out.push('\\');
    out.push(c);
    if c == '^' {
        out.push_str("{}");
    }
    c.len_utf8()
}

fn copied(text: &str, from: usize, to: usize, out: &mut String) -> usize {
    let piece = text.get(from..to).unwrap_or_default();
    out.push_str(piece);
    piece.len().max(1)
}

/// Returns the end of the span that begins at an offset.
fn begins(spans: &[Span], at: usize) -> Option<usize> {
    let found = spans.binary_search_by_key(&at, |span| span.start).ok()?;
    spans.get(found).map(|span| span.end)
}

/// Returns the end of the span that an offset is in.
fn inside(spans: &[Span], at: usize) -> Option<usize> {
    let next = spans.partition_point(|span| span.end <= at);
    spans
        .get(next)
        .filter(|span| span.start <= at)
        .map(|span| span.end)
}

/// Finds braces without a partner.
fn lone_braces(text: &str, comments: &[&str]) -> Vec<usize> {
    let mut open = Vec::new();
    let mut alone = Vec::new();
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let c = rest.chars().next().unwrap_or_default();
        let line = rest.split('\n').next().unwrap_or_default();
        match c {
            '{' => open.push(at),
            '}' if open.pop().is_none() => alone.push(at),
            '%' if comments.contains(&line) => {
                at += line.len();
                continue;
            }
            '\\' => {
                at += verbatim(rest).unwrap_or_else(|| command(rest).length.max(1));
                continue;
            }
            _ => {}
        }
        at += c.len_utf8();
    }
    alone.extend(open);
    alone.sort_unstable();
    alone
}
