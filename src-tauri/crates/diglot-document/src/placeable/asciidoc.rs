//! Inline markup of AsciiDoc: formatting marks, macros, links, cross references, passthroughs. Knows how
//! they are written, not what they lead to.

use super::{Found, PlaceableKind, first_ones, has_prose_outside};
use crate::Span;

/// Macros whose brackets hold text for readers; of others nothing is.
const TEXT_MACROS: [&str; 9] = [
    "link",
    "xref",
    "image",
    "footnote",
    "footnoteref",
    "mailto",
    "btn",
    "menu",
    "http",
];

/// Longest name of a macro or role and longest target, in characters.
const LONGEST: usize = 300;

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
    let mut atoms: Vec<Span> = Vec::new();
    for construct in constructs(span.of(text)) {
        let inner = construct.span;
        let shifted = Span::new(span.start + inner.start, span.start + inner.end);
        // Marks nest: the outermost one counts.
        if atoms.last().is_none_or(|last| last.end <= shifted.start) {
            atoms.push(shifted);
        }
    }
    atoms
}

/// Tells whether a text has words outside of what is kept as it is.
pub(crate) fn has_prose(text: &str) -> bool {
    has_prose_outside(text, &find(text))
}

fn constructs(text: &str) -> Vec<Construct> {
    let mut scan = Scan {
        text,
        found: Vec::new(),
        ends: Vec::new(),
    };
    let mut at = 0;
    while let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) {
        at = scan.step(at, c);
    }
    scan.found
        .sort_by_key(|construct| (construct.span.start, std::cmp::Reverse(construct.span.end)));
    scan.found
}

/// Where a mark ends, if it does, for all that begins from `from` up to there.
struct End {
    mark: &'static str,
    from: usize,
    found: Option<usize>,
}

struct Scan<'t> {
    text: &'t str,
    found: Vec<Construct>,
    /// The next end of each mark, as it was found from an offset.
    ends: Vec<End>,
}

impl<'t> Scan<'t> {
    /// Reads what begins at an offset, and returns where to go on: inside of what holds text.
    fn step(&mut self, at: usize, c: char) -> usize {
        let rest = self.rest(at);
        let read = match c {
            '\\' => return at + 1 + rest.chars().nth(1).map_or(0, char::len_utf8),
            '+' => self
                .whole(at, &["+++", "++"], PlaceableKind::Code)
                .or_else(|| self.constrained(at, "+")),
            '`' => self
                .whole(at, &["``"], PlaceableKind::Code)
                .or_else(|| self.constrained(at, "`")),
            '*' => return self.pair(at, "**", "*", "strong"),
            '_' => return self.pair(at, "__", "_", "em"),
            '#' => return self.pair(at, "##", "#", "mark"),
            '^' | '~' => self.script(at, c),
            '<' if rest.starts_with("<<") => self.reference(at),
            '[' => self.anchor(at),
            '(' if rest.starts_with("(((") => self.bracketed(at, "(((", ")))"),
            ' ' if is_hard_break(rest) => {
                Some(self.push_whole(at, at + 2, PlaceableKind::HardBreak, String::new()))
            }
            ':' => self.inline_macro(at),
            _ => None,
        };
        read.unwrap_or(at + c.len_utf8())
    }

    fn rest(&self, at: usize) -> &'t str {
        self.text.get(at..).unwrap_or_default()
    }

    fn push_whole(&mut self, start: usize, end: usize, kind: PlaceableKind, key: String) -> usize {
        let (span, parts) = (
            Span::new(start, end),
            vec![Found::new(start, end, kind, key)],
        );
        self.found.push(Construct { span, parts });
        end
    }

    /// Notes a construct with text between two parts, and returns where the text begins.
    fn push_pair(&mut self, span: Span, head: Found, tail: Found) -> usize {
        let next = head.span.end;
        self.found.push(Construct {
            span,
            parts: vec![head, tail],
        });
        next
    }

    /// Finds the end of a mark. Marks nest, so that each stretch is searched once for all of them.
    fn close(
        &mut self,
        from: usize,
        mark: &'static str,
        is_end: impl Fn(&str, &str) -> bool,
    ) -> Option<usize> {
        let known = self.ends.iter().find(|end| end.mark == mark);
        let holds = |end: &&End| end.from <= from && end.found.is_none_or(|found| from < found);
        if let Some(end) = known.filter(holds) {
            return end.found;
        }
        let mut search = from;
        let mut end = None;
        while let Some(length) = self.rest(search).find(mark) {
            let found = search + length;
            let before = self.text.get(from..found).unwrap_or_default();
            if is_end(before, self.rest(found + mark.len())) {
                end = Some(found);
                break;
            }
            search = found + mark.len();
        }
        self.ends.retain(|end| end.mark != mark);
        self.ends.push(End {
            mark,
            from,
            found: end,
        });
        end
    }

    /// Reads what stands as it is between marks that need no word boundary.
    fn whole(&mut self, at: usize, marks: &[&'static str], kind: PlaceableKind) -> Option<usize> {
        let mark = marks
            .iter()
            .find(|mark| self.rest(at).starts_with(**mark))?;
        let close = self.close(at + mark.len(), mark, |before, _| !before.is_empty())?;
        let key = self.text.get(at + mark.len()..close)?.to_owned();
        Some(self.push_whole(at, close + mark.len(), kind, key))
    }

    /// Tells whether a mark that needs a word boundary may begin here.
    fn opens(&self, at: usize, length: usize) -> bool {
        let before = self
            .text
            .get(..at)
            .and_then(|head| head.chars().next_back());
        let next = self.rest(at + length).chars().next();
        let free = |c: char| !(c.is_alphanumeric() || matches!(c, '_' | ';' | ':' | '}' | '\\'));
        before.is_none_or(free) && next.is_some_and(|c| !c.is_whitespace())
    }

    fn constrained_end(&mut self, at: usize, mark: &'static str) -> Option<usize> {
        if !self.opens(at, mark.len()) {
            return None;
        }
        self.close(at + mark.len(), mark, |before, after| {
            let ends = after
                .chars()
                .next()
                .is_none_or(|c| !(c.is_alphanumeric() || c == '_'));
            ends && !before.is_empty()
                && !before.ends_with(|c: char| c.is_whitespace() || c == '\\')
        })
    }

    fn constrained(&mut self, at: usize, mark: &'static str) -> Option<usize> {
        let close = self.constrained_end(at, mark)?;
        let key = self.text.get(at + mark.len()..close)?.to_owned();
        Some(self.push_whole(at, close + mark.len(), PlaceableKind::Code, key))
    }

    /// Reads formatting marks around text; the doubled ones need no word boundary.
    fn pair(&mut self, at: usize, double: &'static str, single: &'static str, key: &str) -> usize {
        let doubled = self.rest(at).starts_with(double);
        let mark = if doubled { double } else { single };
        let close = if doubled {
            self.close(at + 2, double, |before, _| !before.is_empty())
        } else {
            self.constrained_end(at, single)
        };
        let Some(close) = close else {
            return at + mark.len();
        };
        let head = Found::new(at, at + mark.len(), PlaceableKind::Emphasis, key);
        let tail = Found::new(close, close + mark.len(), PlaceableKind::Emphasis, key);
        self.push_pair(Span::new(at, close + mark.len()), head, tail)
    }

    /// Reads `^2^` and `~2~`, which hold no blank.
    fn script(&mut self, at: usize, mark: char) -> Option<usize> {
        let inner = self.rest(at + 1);
        let length = inner
            .find(|c: char| c == mark || c.is_whitespace())
            .filter(|length| *length > 0)?;
        if !inner.get(length..)?.starts_with(mark) {
            return None;
        }
        let key = mark.to_string();
        let close = at + 1 + length;
        let head = Found::new(at, at + 1, PlaceableKind::Emphasis, key.clone());
        let tail = Found::new(close, close + 1, PlaceableKind::Emphasis, key);
        Some(self.push_pair(Span::new(at, close + 1), head, tail))
    }

    /// Reads `<<id>>` or `<<id,text>>`.
    fn reference(&mut self, at: usize) -> Option<usize> {
        let close = self.close(at + 2, ">>", |before, _| !before.is_empty())?;
        let inner = self.text.get(at + 2..close)?;
        let Some((id, text)) = inner.split_once(',') else {
            return Some(self.push_whole(
                at,
                close + 2,
                PlaceableKind::Reference,
                inner.to_owned(),
            ));
        };
        let from = at + 2 + id.len() + 1 + (text.len() - text.trim_start().len());
        let head = Found::new(at, from.min(close), PlaceableKind::Link, id.trim());
        let tail = Found::new(close, close + 2, PlaceableKind::Link, ">>");
        Some(self.push_pair(Span::new(at, close + 2), head, tail))
    }

    /// Reads `[[id]]`, `[[[id]]]`, and the role in front of a marked text.
    fn anchor(&mut self, at: usize) -> Option<usize> {
        let rest = self.rest(at);
        if rest.starts_with("[[[") {
            return self.bracketed(at, "[[[", "]]]");
        }
        if rest.starts_with("[[") {
            return self.bracketed(at, "[[", "]]");
        }
        let inner = self.rest(at + 1);
        let is_role = |c: char| c.is_alphanumeric() || matches!(c, '.' | '#' | '-' | '_' | '%');
        let length = run(inner, is_role);
        let after = inner.get(length..)?.strip_prefix(']')?;
        let marks = after.starts_with(['#', '*', '_', '`', '+']);
        if length == 0 || !marks || !inner.starts_with(['.', '#', '%']) {
            return None;
        }
        let key = inner.get(..length)?.to_owned();
        Some(self.push_whole(at, at + length + 2, PlaceableKind::Attribute, key))
    }

    fn bracketed(&mut self, at: usize, open: &str, close: &'static str) -> Option<usize> {
        let end = self.close(at + open.len(), close, |before, _| !before.is_empty())?;
        let key = self.text.get(at..end)?.to_owned();
        Some(self.push_whole(at, end + close.len(), PlaceableKind::Attribute, key))
    }

    /// Reads the macro or the address whose colon this is, with the brackets behind it.
    fn inline_macro(&mut self, at: usize) -> Option<usize> {
        let free = self.found.last().map_or(0, |last| {
            last.parts.last().map_or(0, |part| {
                if part.span.end <= at {
                    part.span.end
                } else {
                    0
                }
            })
        });
        let before = self.text.get(free..at).unwrap_or_default();
        let letters = before
            .chars()
            .rev()
            .take(LONGEST)
            .take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '-'));
        let start = at - letters.map(char::len_utf8).sum::<usize>();
        let name = self.text.get(start..at).filter(|name| !name.is_empty())?;
        let after = self.rest(at + 1);
        let is_target = |c: char| !c.is_whitespace() && !matches!(c, '[' | ']');
        let length = run(after, is_target);
        let open = at + 1 + length;
        if !self.rest(open).starts_with('[') || after.starts_with(':') {
            return None;
        }
        let close = self.close(open + 1, "]", |before, _| !before.ends_with('\\'))?;
        let target = after.get(..length)?;
        let is_address = target.starts_with("//");
        let is_text = is_address || TEXT_MACROS.contains(&name);
        let inner = self.text.get(open + 1..close)?;
        if !is_text || inner.trim().is_empty() {
            let kind = if is_text {
                PlaceableKind::Link
            } else {
                PlaceableKind::Code
            };
            let key = self.text.get(start..=close)?.to_owned();
            return Some(self.push_whole(start, close + 1, kind, key));
        }
        let key = format!("{name}:{target}");
        let head = Found::new(start, open + 1, PlaceableKind::Link, key);
        let tail = Found::new(close, close + 1, PlaceableKind::Link, "]");
        Some(self.push_pair(Span::new(start, close + 1), head, tail))
    }
}

fn is_hard_break(rest: &str) -> bool {
    rest.strip_prefix(" +")
        .is_some_and(|rest| rest.starts_with(['\n', '\r']))
}

/// Returns the length in bytes of the characters that a text begins with, [`LONGEST`] at most.
fn run(text: &str, is_inside: impl Fn(char) -> bool) -> usize {
    let inside = text.chars().take(LONGEST).take_while(|c| is_inside(*c));
    inside.map(char::len_utf8).sum()
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
        check("a `b c` d", &["`b c`"]);
        check(
            "*a* and _b_, 2 * 3 * 4, snake_case_name",
            &["*", "*", "_", "_"],
        );
        check("*a _b_ c* w**or**d", &["*", "_", "_", "*", "**", "**"]);
        check("see <<id,the text>> or <<id>>", &["<<id,", ">>", "<<id>>"]);
        check(
            "link:a.html[the text] and https://a.example[b c].",
            &["link:a.html[", "]", "https://a.example[", "]"],
        );
        check(
            "linkgit:git-add[1] stem:[x^2] footnote:[A note.]",
            &["linkgit:git-add[1]", "stem:[x^2]", "footnote:[", "]"],
        );
        check(
            "[.big]#a# [[b]]c x^2^ +d e+",
            &["[.big]", "#", "#", "[[b]]", "^", "^", "+d e+"],
        );
        check("a +\nb", &[" +"]);
    }

    #[test]
    fn what_asciidoctor_takes_for_text_is_none() {
        check("\\*a* a*b*c * a * 5:30 [a] std::vec", &[]);
        check("使用`a`函数", &[]);
    }
}
