//! Inline markup of reStructuredText: literals, roles, references, emphasis, substitutions. Knows where
//! it begins and ends by docutils' rules, not what its targets are.

use super::{Found, PlaceableKind, first_ones, has_prose_outside};
use crate::Span;

/// Roles whose text is for readers even where it is one word.
const TEXT_ROLES: [&str; 16] = [
    "abbr",
    "dfn",
    "emphasis",
    "guilabel",
    "menuselection",
    "strong",
    "sub",
    "subscript",
    "sup",
    "superscript",
    "term",
    "title",
    "title-reference",
    "t",
    "small",
    "index",
];

/// Roles whose text is code or a name even where it has blanks. Of others, such as a project's own
/// style, several words are for readers.
const CODE_ROLES: [&str; 19] = [
    "ref", "numref", "eq", "doc", "any", "math", "code", "raw", "file", "samp", "option", "envvar",
    "token", "keyword", "download", "regexp", "makevar", "program", "command",
];

/// Stands for nothing, but parts markup from letters.
const ESCAPED_BLANK: &str = "\\ ";

/// Longest name of a role, a note or a reference, in characters; a longer run is none.
const LONGEST: usize = 80;

/// The marks that have an end of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mark {
    Literal,
    Tick,
    Strong,
    Emphasis,
}

impl Mark {
    fn text(self) -> &'static str {
        match self {
            Self::Literal => "``",
            Self::Tick => "`",
            Self::Strong => "**",
            Self::Emphasis => "*",
        }
    }
}

/// One construct: all of it, and the parts of it that must survive.
struct Construct {
    span: Span,
    parts: Vec<Found>,
}

/// Finds the placeables of a text, in order, disjoint.
pub(super) fn find(text: &str) -> Vec<Found> {
    let all = constructs(text)
        .into_iter()
        .flat_map(|construct| construct.parts);
    first_ones(all.collect())
}

/// Returns the spans of a document's text inside `span` that hold inline markup.
pub(crate) fn atoms(text: &str, span: Span) -> Vec<Span> {
    let shift = |construct: Construct| {
        let inner = construct.span;
        Span::new(span.start + inner.start, span.start + inner.end)
    };
    constructs(span.of(text)).into_iter().map(shift).collect()
}

/// Tells whether a text has words outside of what is kept as it is.
pub(crate) fn has_prose(text: &str) -> bool {
    has_prose_outside(text, &find(text))
}

/// Parts markup from the letters that it touches by escaped blanks, which no reader sees.
pub(crate) fn parted(text: &str) -> String {
    let strict = Scan::new(text, false);
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for construct in Scan::new(text, true).constructs() {
        let Span { start, end } = construct.span;
        out.push_str(Span::new(at, start).of(text));
        if !strict.opens(start, 0) && !out.ends_with(ESCAPED_BLANK) {
            out.push_str(ESCAPED_BLANK);
        }
        out.push_str(construct.span.of(text));
        if !strict.ends(end) {
            out.push_str(ESCAPED_BLANK);
        }
        at = end;
    }
    out + text.get(at..).unwrap_or_default()
}

fn constructs(text: &str) -> Vec<Construct> {
    Scan::new(text, false).constructs()
}

struct Scan<'t> {
    text: &'t str,
    found: Vec<Construct>,
    /// Marks that have no end in the rest of the text: no need to look again.
    unclosed: [bool; 4],
    /// Whether markup may touch letters, which docutils forbids.
    may_touch: bool,
}

impl<'t> Scan<'t> {
    fn new(text: &'t str, may_touch: bool) -> Self {
        Self {
            text,
            found: Vec::new(),
            unclosed: [false; 4],
            may_touch,
        }
    }

    fn constructs(mut self) -> Vec<Construct> {
        let mut at = 0;
        while let Some(c) = self.rest(at).chars().next() {
            at = self.step(at, c);
        }
        self.found
    }

    /// Reads what begins at an offset, and returns the one behind it.
    fn step(&mut self, at: usize, c: char) -> usize {
        let rest = self.rest(at);
        let read = match c {
            '\\' => {
                let escaped = rest.chars().nth(1).map_or(0, char::len_utf8);
                return at + 1 + escaped;
            }
            '`' if rest.starts_with("``") => self.literal(at),
            '`' => self.interpreted(at, at),
            ':' => self.role(at),
            '*' => return self.emphasis(at),
            '|' => self.substitution(at),
            '[' => self.note(at),
            '_' if rest.starts_with("_`") => self.inline_target(at),
            '_' => return self.simple_reference(at),
            _ => None,
        };
        read.unwrap_or(at + c.len_utf8())
    }

    fn rest(&self, at: usize) -> &'t str {
        self.text.get(at..).unwrap_or_default()
    }

    /// Tells whether markup may end at an offset.
    fn ends(&self, at: usize) -> bool {
        self.may_touch || ends_markup(self.rest(at))
    }

    /// Notes a construct, and returns where it ends.
    fn push(&mut self, start: usize, end: usize, parts: Vec<Found>) -> usize {
        let span = Span::new(start, end);
        self.found.push(Construct { span, parts });
        end
    }

    /// Notes a construct that is kept as a whole, and returns where it ends.
    fn push_whole(&mut self, span: Span, kind: PlaceableKind, key: String) -> usize {
        let found = Found::new(span.start, span.end, kind, key);
        self.push(span.start, span.end, vec![found])
    }

    /// Tells whether markup may begin here, with marks of the given length.
    fn opens(&self, at: usize, length: usize) -> bool {
        let before = self
            .text
            .get(..at)
            .and_then(|head| head.chars().next_back());
        let Some(next) = self.rest(at + length).chars().next() else {
            return false;
        };
        let free = before.is_none_or(|c| {
            c.is_whitespace()
                || matches!(c, '-' | ':' | '/' | '\'' | '"' | '<' | '(' | '[' | '{')
                || (!c.is_ascii() && !c.is_alphanumeric())
        });
        (free || self.may_touch)
            && !next.is_whitespace()
            && before.and_then(closing_quote) != Some(next)
    }

    /// Finds the mark that closes what `from` is inside of.
    fn close(&mut self, from: usize, mark: Mark) -> Option<usize> {
        let known = self.unclosed.get(mark as usize).copied();
        if known.unwrap_or(true) {
            return None;
        }
        let text = mark.text();
        let mut search = from;
        while let Some(length) = self.rest(search).find(text) {
            let found = search + length;
            let before = self.text.get(from..found).unwrap_or_default();
            let is_escaped = mark != Mark::Literal && before.ends_with('\\');
            let is_apart = before.ends_with(char::is_whitespace) || before.is_empty();
            let end = found + text.len();
            let is_sound = match mark {
                Mark::Tick => self.ends(end + self.suffix(end).len()),
                Mark::Literal | Mark::Strong | Mark::Emphasis => self.ends(end),
            };
            if !is_escaped && !is_apart && is_sound {
                return Some(found);
            }
            search = end;
        }
        if let Some(known) = self.unclosed.get_mut(mark as usize) {
            *known = true;
        }
        None
    }

    /// Returns what belongs to a closing backtick: `_`, `__` or `:role:`.
    fn suffix(&self, at: usize) -> &str {
        let rest = self.rest(at);
        let length = if let Some(name) = rest.strip_prefix(':') {
            let length = run(name, is_role);
            let closed = length > 1 && name.get(..length).is_some_and(|name| name.ends_with(':'));
            if closed { length + 1 } else { 0 }
        } else {
            links(rest)
        };
        rest.get(..length).unwrap_or_default()
    }

    fn literal(&mut self, at: usize) -> Option<usize> {
        if !self.opens(at, 2) {
            return None;
        }
        let close = self.close(at + 2, Mark::Literal)?;
        let inner = Span::new(at + 2, close).of(self.text).to_owned();
        Some(self.push_whole(Span::new(at, close + 2), PlaceableKind::Code, inner))
    }

    /// Reads `:role:` and the text in backticks behind it.
    fn role(&mut self, at: usize) -> Option<usize> {
        let body = self.rest(at + 1);
        let length = run(body, is_role);
        let name = body.get(..length)?;
        let rest = body.get(length..)?;
        let is_named = name.ends_with(':') && length > 1;
        let ticked = rest.starts_with('`') && !rest.starts_with("``");
        if !is_named || !ticked || !self.opens(at, 1) {
            return None;
        }
        self.interpreted(at, at + 1 + length)
    }

    /// Reads a text in backticks at `tick`, with the role that begins at `at`.
    fn interpreted(&mut self, at: usize, tick: usize) -> Option<usize> {
        let is_apart = self.rest(tick + 1).starts_with(char::is_whitespace);
        if is_apart || at == tick && !self.opens(at, 1) {
            return None;
        }
        let close = self.close(tick + 1, Mark::Tick)?;
        let suffix = self.suffix(close + 1);
        let end = close + 1 + suffix.len();
        let is_link = suffix.starts_with('_');
        let prefix = Span::new(at, tick).of(self.text);
        let role = if is_link || !prefix.is_empty() {
            prefix
        } else {
            suffix
        };
        let inner = Span::new(tick + 1, close).of(self.text);
        let head = Found::new(at, tick + 1, PlaceableKind::Attribute, format!("{role}`"));
        let flat = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let target = inner.strip_suffix('>').and_then(|inner| inner.rfind('<'));
        let parts =
            if let Some(open) = target.filter(|open| *open > 0 && (is_link || !role.is_empty())) {
                let (title, target) = inner.split_at_checked(open)?;
                let from = tick + 1 + title.trim_end().len();
                vec![
                    head,
                    Found::new(from, end, PlaceableKind::Link, flat(target)),
                ]
            } else if !is_link && is_text(role.trim_matches(':'), inner) {
                vec![head, Found::new(close, end, PlaceableKind::Attribute, "`")]
            } else {
                let kind = if is_link {
                    PlaceableKind::Reference
                } else {
                    PlaceableKind::Code
                };
                vec![Found::new(at, end, kind, format!("{role}{}", flat(inner)))]
            };
        Some(self.push(at, end, parts))
    }

    /// Reads emphasis, or passes over a mark that opens none.
    fn emphasis(&mut self, at: usize) -> usize {
        let strong = self.rest(at).starts_with("**");
        let (mark, key) = if strong {
            (Mark::Strong, "strong")
        } else {
            (Mark::Emphasis, "em")
        };
        let length = mark.text().len();
        let close = if self.opens(at, length) {
            self.close(at + length, mark)
        } else {
            None
        };
        let Some(close) = close else {
            return at + length;
        };
        let parts = vec![
            Found::new(at, at + length, PlaceableKind::Emphasis, key),
            Found::new(close, close + length, PlaceableKind::Emphasis, key),
        ];
        self.push(at, close + length, parts)
    }

    fn substitution(&mut self, at: usize) -> Option<usize> {
        if !self.opens(at, 1) {
            return None;
        }
        let (name, rest) = self.rest(at + 1).split_once('|')?;
        let end = at + 1 + name.len() + 1 + links(rest);
        let sound =
            !name.is_empty() && !name.ends_with(char::is_whitespace) && !name.contains('\n');
        if !sound || !self.ends(end) {
            return None;
        }
        let key = name.to_owned();
        Some(self.push_whole(Span::new(at, end), PlaceableKind::Reference, key))
    }

    /// Reads `[1]_`, `[#name]_`, `[CIT2002]_`.
    fn note(&mut self, at: usize) -> Option<usize> {
        let inner = self.rest(at + 1);
        let is_label = |c: char| is_role(c) || matches!(c, '#' | '*');
        let (name, rest) = inner.split_at_checked(run(inner, is_label))?;
        let sound = !name.is_empty() && rest.strip_prefix("]_").is_some_and(ends_markup);
        let key = name.to_owned();
        let end = at + name.len() + 3;
        sound.then(|| self.push_whole(Span::new(at, end), PlaceableKind::Reference, key))
    }

    fn inline_target(&mut self, at: usize) -> Option<usize> {
        if !self.opens(at, 2) {
            return None;
        }
        let close = self.close(at + 2, Mark::Tick)?;
        let span = Span::new(at, close + 1);
        let key = span.of(self.text).to_owned();
        Some(self.push_whole(span, PlaceableKind::Reference, key))
    }

    /// Reads the name in front of `_` or `__`, where the scan stands.
    fn simple_reference(&mut self, at: usize) -> usize {
        let end = at + self.rest(at).bytes().take_while(|b| *b == b'_').count();
        let free = self.found.last().map_or(0, |last| last.span.end);
        let before = self.text.get(free..at).unwrap_or_default();
        let letters = before
            .chars()
            .rev()
            .take(LONGEST)
            .take_while(|c| is_role(*c));
        let length: usize = letters.map(char::len_utf8).sum();
        let name = before.get(before.len() - length..).unwrap_or_default();
        let name = name.trim_start_matches(|c: char| !c.is_alphanumeric());
        let start = at - name.len();
        let sound = end - at < 3
            && name.ends_with(char::is_alphanumeric)
            && !name.contains("__")
            && (start == 0 || self.opens(start, 0))
            && ends_markup(self.rest(end));
        if !sound {
            return end;
        }
        let key = name.to_owned();
        self.push_whole(Span::new(start, end), PlaceableKind::Reference, key)
    }
}

/// Counts the underscores, two at most, that make a link of what stands before them.
fn links(text: &str) -> usize {
    text.bytes().take(2).take_while(|b| *b == b'_').count()
}

/// Returns the length in bytes of the characters that a text begins with, [`LONGEST`] at most.
fn run(text: &str, is_inside: impl Fn(char) -> bool) -> usize {
    let inside = text.chars().take(LONGEST).take_while(|c| is_inside(*c));
    inside.map(char::len_utf8).sum()
}

fn is_role(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '+' | ':')
}

/// Tells whether what stands in backticks behind a role, or behind none, is for readers.
fn is_text(role: &str, inner: &str) -> bool {
    let is_code = CODE_ROLES.contains(&role) || role.contains(':') || inner.contains('\\');
    TEXT_ROLES.contains(&role) || (!is_code && inner.contains(char::is_whitespace))
}

fn ends_markup(rest: &str) -> bool {
    rest.chars().next().is_none_or(|c| {
        c.is_whitespace()
            || matches!(
                c,
                '\'' | '"'
                    | ')'
                    | ']'
                    | '}'
                    | '>'
                    | '-'
                    | '/'
                    | '\\'
                    | ':'
                    | '.'
                    | ','
                    | ';'
                    | '!'
                    | '?'
            )
            || (!c.is_ascii() && !c.is_alphanumeric())
    })
}

/// Returns what closes a quote or bracket: markup between the two is none.
fn closing_quote(c: char) -> Option<char> {
    match c {
        '\'' | '"' => Some(c),
        '(' => Some(')'),
        '[' => Some(']'),
        '{' => Some('}'),
        '<' => Some('>'),
        _ => None,
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
        check("a ``b c`` d", &["``b c``"]);
        check("*a* and **b**, 2 * 3 * 4", &["*", "*", "**", "**"]);
        check("see `a b <c>`_ or d_.", &["`", " <c>`_", "d_"]);
        check(":ref:`a b <c>` :ref:`c`", &[":ref:`", " <c>`", ":ref:`c`"]);
        check(
            ":guilabel:`Save as` `f` `f g`:sub:",
            &[":guilabel:`", "`", "`f`", "`", "`:sub:"],
        );
        check("|n| and [1]_ and [#a]_ [b]", &["|n|", "[1]_", "[#a]_"]);
        check("`a\nb`_ _`c d`", &["`a\nb`_", "_`c d`"]);
    }

    #[test]
    fn what_docutils_takes_for_text_is_none() {
        check("\\*a* (*) \"*\" a*b* snake_case __init__ *a", &[]);
        check("使用``a``函数", &[]);
        check("使用 ``a`` 函数（*b*）", &["``a``", "*", "*"]);
    }

    #[test]
    fn blanks_inside_of_marks_break_them() {
        for text in [
            "the :ref:` first chapter <ch1>` of",
            "the :ref:`first chapter <ch1> ` of",
            "a ` b <c>`_ d",
            "a `` b`` c",
            "a ``b `` c",
            "a ** b** c",
            "a **b ** c",
            "a * b* c",
        ] {
            check(text, &[]);
        }
    }

    #[test]
    fn markup_is_parted_from_the_letters_that_it_touches() {
        for (text, expected) in [
            ("使用``a``函数", "使用\\ ``a``\\ 函数"),
            ("这**很**重要。", "这\\ **很**\\ 重要。"),
            (
                "见:ref:`第一章 <a>`和`b <c>`_",
                "见\\ :ref:`第一章 <a>`\\ 和\\ `b <c>`_",
            ),
            ("**ab**c, d*e*", "**ab**\\ c, d\\ *e*"),
            ("**a**``b``|c|", "**a**\\ ``b``\\ |c|"),
            ("使用\\ ``a``\\ 函数 ``b``。", "使用\\ ``a``\\ 函数 ``b``。"),
            ("snake_case, a\\*b*", "snake_case, a\\*b*"),
        ] {
            assert_eq!(parted(text), expected);
            assert_eq!(parted(expected), expected);
        }
    }

    #[test]
    fn prose_is_what_no_mark_keeps() {
        for (text, expected) in [
            ("``a b``", false),
            (":ref:`a`, d_", false),
            ("`a <b>`_", true),
        ] {
            assert_eq!(has_prose(text), expected, "{text}");
        }
    }
}
