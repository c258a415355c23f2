//! Inline markup of LaTeX: commands, groups, formulas, comments. Knows how they are written; what a
//! command means is the format's.

use super::{Found, PlaceableKind, first_ones, has_prose_outside};
use crate::Span;
use crate::format::latex::{Class, class};

/// Longest formula between `\(` and `\)` or `\[` and `\]`, in bytes; a longer one is text.
const LONGEST: usize = 8_000;

/// Commands that stand for a letter or a sign, as the translator may write it.
const LETTERS: [&str; 29] = [
    "ss",
    "o",
    "O",
    "ae",
    "AE",
    "oe",
    "OE",
    "aa",
    "AA",
    "l",
    "L",
    "i",
    "j",
    "ldots",
    "dots",
    "textbackslash",
    "textasciitilde",
    "textasciicircum",
    "textendash",
    "textemdash",
    "textquotedblleft",
    "textquotedblright",
    "textquoteleft",
    "textquoteright",
    "glqq",
    "grqq",
    "guillemotleft",
    "guillemotright",
    "c",
];

/// A command as it is written.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Token<'t> {
    /// Without the backslash and a star.
    pub(crate) name: &'t str,
    /// With both.
    pub(crate) length: usize,
    /// Whether it is one character that is no letter, for instance `\%`.
    pub(crate) is_symbol: bool,
}

/// Reads the command that `rest` begins with.
pub(crate) fn command(rest: &str) -> Token<'_> {
    let body = rest.strip_prefix('\\').unwrap_or(rest);
    let letters = body
        .bytes()
        .take_while(|b| b.is_ascii_alphabetic() || *b == b'@')
        .count();
    let is_symbol = letters == 0;
    let length = if is_symbol {
        body.chars().next().map_or(0, char::len_utf8)
    } else {
        letters
    };
    let star = usize::from(body.get(length..).is_some_and(|tail| tail.starts_with('*')));
    Token {
        name: body.get(..length).unwrap_or_default(),
        length: 1 + length + if is_symbol { 0 } else { star },
        is_symbol,
    }
}

/// Reads `\verb|…|` and its kind, in bytes.
pub(crate) fn verbatim(rest: &str) -> Option<usize> {
    let token = command(rest);
    if !matches!(token.name, "verb" | "lstinline" | "Verb" | "mintinline") {
        return None;
    }
    let after = rest.get(token.length..)?;
    let mark = after.chars().next()?;
    if mark.is_whitespace() || mark == '{' || mark == '[' {
        return None;
    }
    let inner = after.get(mark.len_utf8()..)?;
    let length = inner.find([mark, '\n', '\r'])?;
    inner
        .get(length..)?
        .starts_with(mark)
        .then_some(token.length + length + 2 * mark.len_utf8())
}

/// Reads `$…$`, in bytes.
pub(crate) fn formula(rest: &str) -> Option<usize> {
    let mut inside = Inside::default();
    for (at, c) in rest.char_indices().skip(1) {
        if c == '$' && !inside.escaped {
            return (at > 1 && inside.depth == 0).then_some(at + 1);
        }
        if !inside.take(c) {
            return None;
        }
    }
    None
}

/// Follows a formula character by character: it has no blank line, and its braces have partners.
#[derive(Default)]
struct Inside {
    depth: usize,
    escaped: bool,
    n_line_ends: usize,
    last: char,
}

impl Inside {
    /// Takes the next character, and tells whether it may stand in a formula.
    fn take(&mut self, c: char) -> bool {
        match c {
            '\n' if self.last == '\r' => {}
            '\n' | '\r' => self.n_line_ends += 1,
            ' ' | '\t' => {}
            _ => self.n_line_ends = 0,
        }
        let closes_more = c == '}' && !self.escaped && self.depth == 0;
        match c {
            '{' if !self.escaped => self.depth += 1,
            '}' if !self.escaped => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        self.escaped = c == '\\' && !self.escaped;
        self.last = c;
        self.n_line_ends < 2 && !closes_more
    }
}

/// Finds the closing marks of formulas; what lies between two of them is searched once.
#[derive(Debug, Default)]
pub(crate) struct Ahead {
    /// Each mark with the offset from which it was looked for, and the first place from there.
    known: Vec<(&'static str, usize, Option<usize>)>,
}

impl Ahead {
    /// Returns the end of the formula that begins at an offset with a mark of two bytes.
    pub(crate) fn formula(&mut self, text: &str, at: usize, closer: &'static str) -> Option<usize> {
        let from = at + 2;
        let known = self.known.iter().find(|known| known.0 == closer);
        let holds = |known: &&(&str, usize, Option<usize>)| {
            known.1 <= from && known.2.is_none_or(|found| from <= found)
        };
        let found = if let Some(known) = known.filter(holds) {
            known.2
        } else {
            let rest = text.get(from..).unwrap_or_default();
            let found = rest.find(closer).map(|length| from + length);
            self.known.retain(|known| known.0 != closer);
            self.known.push((closer, from, found));
            found
        };
        let found = found.filter(|found| found - from <= LONGEST)?;
        let mut inside = Inside::default();
        let is_whole = Span::new(from, found)
            .of(text)
            .chars()
            .all(|c| inside.take(c));
        (is_whole && inside.depth == 0).then_some(found + closer.len())
    }
}

/// Returns the length of a line break with its star and the height in brackets behind it.
pub(crate) fn line_break(rest: &str) -> usize {
    let star = usize::from(rest.get(2..).is_some_and(|rest| rest.starts_with('*')));
    let height = rest.get(2 + star..).filter(|rest| rest.starts_with('['));
    let inside = height.map_or("", |rest| {
        rest.split([']', '\n', '\r']).next().unwrap_or_default()
    });
    let is_closed = height.is_some_and(|rest| {
        rest.get(inside.len()..)
            .is_some_and(|rest| rest.starts_with(']'))
    });
    2 + star
        + if is_closed && inside.len() < 40 {
            inside.len() + 1
        } else {
            0
        }
}

/// Finds the placeables of a text, in order, disjoint.
pub(super) fn find(text: &str) -> Vec<Found> {
    first_ones(scan(text).found)
}

/// Returns the spans of a document's text inside `span` that hold inline markup. A comment goes on to
/// the text behind it, so that no unit ends with one.
pub(crate) fn atoms(text: &str, span: Span) -> Vec<Span> {
    let inner = span.of(text);
    let mut atoms: Vec<Span> = Vec::new();
    for whole in scan(inner).wholes {
        let mut end = whole.end;
        if whole.of(inner).starts_with('%') {
            let rest = inner.get(end..).unwrap_or_default();
            let text = rest.trim_start();
            end += rest.len() - text.len() + text.chars().next().map_or(0, char::len_utf8);
        }
        let mut shifted = Span::new(span.start + whole.start, span.start + end);
        while let Some(last) = atoms.pop_if(|last| last.end > shifted.start) {
            shifted.start = shifted.start.min(last.start);
            shifted.end = shifted.end.max(last.end);
        }
        atoms.push(shifted);
    }
    atoms
}

/// Tells whether a text has words outside of what is kept as it is.
pub(crate) fn has_prose(text: &str) -> bool {
    has_prose_outside(text, &find(text))
}

/// Returns the comments of a text, each from its sign to the end of its line.
pub(crate) fn comments(text: &str) -> Vec<&str> {
    let scan = scan(text);
    let comment = |found: &&Found| found.text(text).starts_with('%');
    scan.found
        .iter()
        .filter(comment)
        .map(|found| found.text(text))
        .collect()
}

/// Returns what of a text is no text of its own: formulas, comments, code and names.
pub(crate) fn solids(text: &str) -> Vec<Span> {
    find(text).into_iter().map(|found| found.span).collect()
}

struct Scan<'t> {
    text: &'t str,
    found: Vec<Found>,
    /// Constructs with what they hold, by their ends.
    wholes: Vec<Span>,
    /// Groups around the current place: where they begin, and how much of that is markup.
    groups: Vec<Group>,
    ahead: Ahead,
}

struct Group {
    start: usize,
    /// Whether all of it is kept as it is.
    solid: Option<PlaceableKind>,
    /// Arguments of the same command still to come.
    pattern: &'static str,
}

fn scan(text: &str) -> Scan<'_> {
    let mut scan = Scan {
        text,
        found: Vec::new(),
        wholes: Vec::new(),
        groups: Vec::new(),
        ahead: Ahead::default(),
    };
    let mut at = 0;
    while let Some(c) = scan.rest(at).chars().next() {
        at = scan.step(at, c);
    }
    scan
}

impl<'t> Scan<'t> {
    fn rest(&self, at: usize) -> &'t str {
        self.text.get(at..).unwrap_or_default()
    }

    fn push(&mut self, start: usize, end: usize, kind: PlaceableKind) -> usize {
        let key = self.text.get(start..end).unwrap_or_default();
        let key = key.split_whitespace().collect::<Vec<_>>().join(" ");
        self.found.push(Found::new(start, end, kind, key));
        end
    }

    fn push_whole(&mut self, start: usize, end: usize, kind: PlaceableKind) -> usize {
        self.wholes.push(Span::new(start, end));
        self.push(start, end, kind)
    }

    /// Reads what begins at an offset, and returns the one behind it.
    fn step(&mut self, at: usize, c: char) -> usize {
        let rest = self.rest(at);
        match c {
            '\\' => self.command(at),
            '{' => {
                let end = self.push(at, at + 1, PlaceableKind::Tag);
                self.groups.push(Group {
                    start: at,
                    solid: None,
                    pattern: "",
                });
                end
            }
            '}' => self.close(at),
            '%' => {
                let end = at + rest.find(['\n', '\r']).unwrap_or(rest.len());
                self.push_whole(at, end, PlaceableKind::Attribute)
            }
            '$' => match formula(rest) {
                Some(length) => self.push_whole(at, at + length, PlaceableKind::Math),
                None => at + 1,
            },
            c => at + c.len_utf8(),
        }
    }

    fn close(&mut self, at: usize) -> usize {
        let Some(group) = self.groups.pop() else {
            return at + 1;
        };
        if group.pattern.is_empty() {
            self.wholes.push(Span::new(group.start, at + 1));
        }
        match group.solid {
            Some(kind) if group.pattern.is_empty() => self.push(group.start, at + 1, kind),
            _ => {
                if group.solid.is_none() {
                    self.push(at, at + 1, PlaceableKind::Tag);
                }
                self.argument(group.start, at + 1, at, group.pattern, group.solid)
            }
        }
    }

    fn command(&mut self, at: usize) -> usize {
        let rest = self.rest(at);
        if let Some(length) = verbatim(rest) {
            return self.push_whole(at, at + length, PlaceableKind::Code);
        }
        let token = command(rest);
        let end = at + token.length;
        match token.name {
            "\\" => {
                let end = at + line_break(rest);
                return self.push_whole(at, end, PlaceableKind::HardBreak);
            }
            "newline" => return self.push_whole(at, end, PlaceableKind::HardBreak),
            "(" => {
                return match self.ahead.formula(self.text, at, "\\)") {
                    Some(end) => self.push_whole(at, end, PlaceableKind::Math),
                    None => end,
                };
            }
            name if token.is_symbol || LETTERS.contains(&name) => return end,
            _ => {}
        }
        let (class, pattern) = class(token.name);
        let kind = match (token.name, class) {
            ("url" | "nolinkurl" | "path", _) => Some(PlaceableKind::Link),
            ("texttt" | "code" | "mintinline", _) => Some(PlaceableKind::Code),
            ("ensuremath", _) => Some(PlaceableKind::Math),
            (_, Class::Content | Class::Void) => Some(PlaceableKind::Reference),
            (_, Class::Inline | Class::Block(_) | Class::Break | Class::Unknown) => None,
        };
        self.argument(at, end, at, pattern, kind)
    }

    /// Opens the next argument of a command at `end`; `from` is where what was not yet noted begins.
    fn argument(
        &mut self,
        start: usize,
        end: usize,
        from: usize,
        pattern: &'static str,
        solid: Option<PlaceableKind>,
    ) -> usize {
        let mut end = end;
        let mut pattern = pattern;
        while pattern.starts_with(['o', 'p', '*']) && self.rest(end).starts_with('[') {
            let near = self.rest(end).bytes().take(200).position(|b| b == b']');
            let Some(length) = near else { break };
            end += length + 1;
            pattern = if pattern == "*" {
                "*"
            } else {
                pattern.get(1..).unwrap_or_default()
            };
        }
        pattern = pattern.trim_start_matches(['o', 'p']);
        let opens = pattern.starts_with(['v', 't', '*']) && self.rest(end).starts_with('{');
        let is_name = pattern.starts_with('v') && solid.is_none();
        if opens && is_name {
            // A name in front of the text, for instance an address.
            let near = self.rest(end).bytes().take(2_000).position(|b| b == b'}');
            if let Some(length) = near {
                let next = pattern.get(1..).unwrap_or_default();
                return self.argument(start, end + length + 1, from, next, solid);
            }
        }
        if !opens {
            if solid.is_some() || from == start {
                self.push_whole(start, end, solid.unwrap_or(PlaceableKind::Tag));
            }
            return end;
        }
        if solid.is_none() {
            self.push(from, end + 1, PlaceableKind::Tag);
        }
        let pattern = if pattern == "*" {
            "*"
        } else {
            pattern.get(1..).unwrap_or_default()
        };
        self.groups.push(Group {
            start,
            solid,
            pattern,
        });
        end + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        let found: Vec<_> = find(text).iter().map(|found| found.text(text)).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn constructs_are_found_by_their_marks() {
        check("a \\emph{b} c", &["\\emph{", "}"]);
        check(
            "see~\\ref{a} and \\cite[p.~3]{b,c}",
            &["\\ref{a}", "\\cite[p.~3]{b,c}"],
        );
        check(
            "\\href{http://a.example}{the page}",
            &["\\href{http://a.example}{", "}"],
        );
        check(
            "let $x^2$ be \\(y\\) % aside",
            &["$x^2$", "\\(y\\)", "% aside"],
        );
        check(
            "\\verb|a b| \\texttt{c d} \\LaTeX",
            &["\\verb|a b|", "\\texttt{c d}", "\\LaTeX"],
        );
        check(
            "one \\\\[2pt] two {\\em three}",
            &["\\\\[2pt]", "{", "\\em", "}"],
        );
        check(
            "\\footnote{See \\textbf{b}.}",
            &["\\footnote{", "\\textbf{", "}", "}"],
        );
    }

    #[test]
    fn letters_and_escapes_are_text() {
        check("Schr\\\"odinger, Stra\\ss e, 50\\,\\%, \\ldots", &[]);
        check("costs \\$5", &[]);
    }
}
