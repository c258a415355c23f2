//! The text that people see of a span whose raw form differs from it: escapes, folded lines, runs of
//! an office file. Owns the way there and the way back with the forms that the file itself uses; must
//! not know a syntax.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use crate::Span;

/// Holds what is shown of a span.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Shown {
    pub(crate) text: String,
    /// Where the raw form differs; ascending, disjoint. All else stands in the file as it is shown.
    pub(crate) forms: Vec<Form>,
}

/// Tells how the file writes a stretch of the shown text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Form {
    /// Bytes of the shown text: one character, or one tag that stands for markup. Never empty.
    pub(crate) shown: Range<usize>,
    /// Bytes of the document's text.
    pub(crate) raw: Span,
}

/// Reads a raw text from left to right and notes what is shown of it.
pub(crate) struct ShownBuilder<'t> {
    raw: &'t str,
    start: usize,
    /// Up to here the raw text was read.
    at: usize,
    shown: Shown,
}

impl<'t> ShownBuilder<'t> {
    /// Begins at an offset of the document's text.
    pub(crate) fn new(raw: &'t str, start: usize) -> Self {
        Self {
            raw,
            start,
            at: start,
            shown: Shown::default(),
        }
    }

    /// Shows the raw text up to an offset as it is.
    pub(crate) fn copy(&mut self, to: usize) {
        let piece = self.raw.get(self.at..to).unwrap_or_default();
        self.shown.text.push_str(piece);
        self.at = self.at.max(to);
    }

    /// Shows a stretch without its escapes. `read` gets what begins with a backslash or a control
    /// character: it tells how long that is, and what it stands for, if anything.
    pub(crate) fn unescape(&mut self, span: Span, read: impl Fn(&str) -> (usize, Option<char>)) {
        let special = |c: char| c == '\\' || c.is_control();
        let mut at = span.start;
        while let Some(found) = Span::new(at, span.end).of(self.raw).find(special) {
            self.copy(at + found);
            let (length, shown) = read(Span::new(at + found, span.end).of(self.raw));
            at += found + length;
            let mut shown_as = [0; 4];
            self.write(at, shown.map_or("", |c| c.encode_utf8(&mut shown_as)));
        }
        self.copy(span.end);
    }

    /// Shows the raw text up to an offset as something else: one character, one tag, or nothing.
    pub(crate) fn write(&mut self, to: usize, shown: &str) {
        let raw = Span::new(self.at, to);
        self.at = to;
        if !shown.is_empty() {
            let from = self.shown.text.len();
            self.shown.text.push_str(shown);
            let shown = from..self.shown.text.len();
            self.shown.forms.push(Form { shown, raw });
            return;
        }
        let end = self.shown.text.len();
        match (
            self.shown.forms.last_mut(),
            self.shown.text.char_indices().next_back(),
        ) {
            // Nothing is shown yet: the span begins behind it.
            (_, None) => self.start = to,
            (Some(last), _) if last.shown.end == end => last.raw.end = to,
            (_, Some((from, last))) => self.shown.forms.push(Form {
                shown: from..end,
                raw: Span::new(raw.start - last.len_utf8(), to),
            }),
        }
    }

    /// Returns the blanks at both edges of what is shown.
    pub(crate) fn edges(&self) -> (&str, &str) {
        let text = self.shown.text.as_str();
        let lead = text.len() - text.trim_start().len();
        let trail = text.trim_end().len();
        let edge = |range: Range<usize>| text.get(range).unwrap_or_default();
        (edge(0..lead), edge(trail.max(lead)..text.len()))
    }

    /// Returns the raw span with what is shown of it, blanks at the edges and all.
    pub(crate) fn whole(self) -> (Span, Shown) {
        (Span::new(self.start, self.at), self.shown)
    }

    /// Takes the blanks off both edges, and returns the raw span with what is shown of it; `None`
    /// when only blanks are left.
    pub(crate) fn finish(self) -> Option<(Span, Shown)> {
        let text = self.shown.text.as_str();
        let from = text.len() - text.trim_start().len();
        let to = text.trim_end().len();
        (from < to).then(|| self.shown.part(Span::new(self.start, self.at), from..to))
    }
}

impl Shown {
    /// Cuts out a range of the shown text, with the raw span of it. `whole` is the raw span of all.
    pub(crate) fn part(&self, whole: Span, range: Range<usize>) -> (Span, Self) {
        let inside = |form: &&Form| form.shown.start >= range.start && form.shown.end <= range.end;
        let first = self
            .forms
            .partition_point(|form| form.shown.start < range.start);
        let forms: Vec<Form> = self
            .forms
            .iter()
            .skip(first)
            .take_while(inside)
            .map(|form| Form {
                shown: form.shown.start - range.start..form.shown.end - range.start,
                raw: form.raw,
            })
            .collect();
        let before = first.checked_sub(1).and_then(|at| self.forms.get(at));
        let origin = |at: usize, form: Option<&Form>| match form {
            Some(form) => form.raw.end + (at - form.shown.end),
            None => whole.start + at,
        };
        let start = origin(range.start, before);
        let length = range.end - range.start;
        let end = match forms.last() {
            Some(last) => last.raw.end + (length - last.shown.end),
            None => start + length,
        };
        let text = self.text.get(range).unwrap_or_default().to_owned();
        (Span::new(start, end), Self { text, forms })
    }
}

/// Shows a stretch of a text as its format reads it.
pub(crate) type Show<'s> = dyn Fn(&str, Span, &mut ShownBuilder<'_>) + 's;

/// Returns what is shown of a whole raw text, without the blanks at its edges.
pub(crate) fn shown_text(raw: &str, show: &Show<'_>) -> String {
    let mut builder = ShownBuilder::new(raw, 0);
    show(raw, Span::new(0, raw.len()), &mut builder);
    builder
        .finish()
        .map_or_else(String::new, |(_, shown)| shown.text)
}

/// Lends what a format needs to write a target in the place of a shown text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place<'a> {
    /// The whole text that the place is in.
    pub(crate) text: &'a str,
    /// Where the target goes.
    pub(crate) span: Span,
    /// What is shown of the source, and how the file writes it.
    pub(crate) shown: &'a Shown,
    /// Prefix of a further line, or whatever else the format noted for the way back.
    pub(crate) fresh: &'a str,
}

/// Writes one character that the source does not write.
pub(crate) type Fresh<'f> = dyn FnMut(char, &mut String) + 'f;

impl Place<'_> {
    /// Writes a target as `carry` does; where that would read otherwise, with fresh forms alone.
    pub(crate) fn carry_read_back(
        &self,
        target: &str,
        show: &Show<'_>,
        fresh: &dyn Fn(char, &mut String),
    ) -> String {
        let carried = self.carry(target, &mut |c, out| fresh(c, out));
        if !target.is_empty() && shown_text(&carried, show) == target {
            return carried;
        }
        let mut plain = String::with_capacity(target.len());
        target.chars().for_each(|c| fresh(c, &mut plain));
        plain
    }

    /// Writes a target: the k-th occurrence of a character or tag takes the form that its k-th
    /// occurrence has in the source, so that what is not changed keeps its bytes. `fresh` writes a
    /// character that the source has in no form of its own, or not so often.
    pub(crate) fn carry(&self, target: &str, fresh: &mut Fresh<'_>) -> String {
        let mut uses = Uses::new(self);
        let mut out = String::with_capacity(target.len() + target.len() / 8);
        let mut at = 0;
        while let Some(rest) = target.get(at..).filter(|rest| !rest.is_empty()) {
            let key = uses.key(rest);
            at += key.len();
            match (uses.next(key), key.chars().next()) {
                (Some(form), _) => out.push_str(&form),
                (None, Some(c)) if key.len() == c.len_utf8() => fresh(c, &mut out),
                (None, _) => out.push_str(key),
            }
        }
        out
    }
}

/// The forms of each character and tag of a source, in order, and how many were used.
struct Uses<'p> {
    text: &'p str,
    forms: HashMap<&'p str, (Vec<Option<Span>>, usize)>,
    /// Lengths of tags, which are longer than one character; longest first.
    lengths: Vec<usize>,
    /// What tags begin with.
    openers: HashSet<char>,
}

impl<'p> Uses<'p> {
    fn new(place: &Place<'p>) -> Self {
        let shown = place.shown;
        let mut forms: HashMap<&str, (Vec<Option<Span>>, usize)> = HashMap::new();
        let mut lengths = Vec::new();
        let mut openers = HashSet::new();
        let mut at = 0;
        let plain = |range: Range<usize>, forms: &mut HashMap<_, (Vec<_>, usize)>| {
            let text = shown.text.get(range).unwrap_or_default();
            for c in text.char_indices().map(|(at, c)| at..at + c.len_utf8()) {
                let key = text.get(c).unwrap_or_default();
                forms.entry(key).or_default().0.push(None);
            }
        };
        for form in &shown.forms {
            plain(at..form.shown.start, &mut forms);
            at = form.shown.end;
            let key = shown.text.get(form.shown.clone()).unwrap_or_default();
            forms.entry(key).or_default().0.push(Some(form.raw));
            if key.chars().nth(1).is_some() {
                lengths.push(key.len());
                openers.extend(key.chars().next());
            }
        }
        plain(at..shown.text.len(), &mut forms);
        lengths.sort_by_key(|length| Reverse(*length));
        lengths.dedup();
        Self {
            text: place.text,
            forms,
            lengths,
            openers,
        }
    }

    /// Returns the tag or the character that a text begins with.
    fn key<'t>(&self, rest: &'t str) -> &'t str {
        let first = rest.chars().next();
        let may_be_tag = first.is_some_and(|c| self.openers.contains(&c));
        let lengths = self.lengths.iter().filter(|_| may_be_tag);
        let mut tags = lengths.filter_map(|length| rest.get(..*length));
        let tag = tags.find(|tag| self.forms.contains_key(tag));
        let length = match tag {
            Some(tag) => tag.len(),
            None => first.map_or(0, char::len_utf8),
        };
        rest.get(..length).unwrap_or(rest)
    }

    /// Returns the form of the next occurrence; `None` where it must be written afresh. One more
    /// than the source has takes the last form, if the source never writes it plainly and the form
    /// breaks no line.
    fn next(&mut self, key: &str) -> Option<Cow<'p, str>> {
        let (forms, used) = self.forms.get_mut(key)?;
        let at = *used;
        *used += 1;
        if let Some(form) = forms.get(at) {
            return form.map(|form| Cow::Borrowed(form.of(self.text)));
        }
        let last = (*forms.last()?)?;
        // All are looked at once: an occurrence that is noted as plain answers for further ones.
        if at == forms.len() && forms.iter().any(Option::is_none) {
            forms.push(None);
            return None;
        }
        let raw = last.of(self.text);
        (!raw.contains(['\n', '\r'])).then_some(Cow::Borrowed(raw))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Shows `\x` as `x`, and nothing of `_`.
    fn shown(raw: &str) -> (Span, Shown) {
        let mut builder = ShownBuilder::new(raw, 0);
        let mut characters = raw.char_indices().peekable();
        while let Some((at, c)) = characters.next() {
            match (c, characters.peek().copied()) {
                ('\\', Some((_, next))) => {
                    characters.next();
                    builder.write(at + 1 + next.len_utf8(), &next.to_string());
                }
                ('_', _) => builder.write(at + 1, ""),
                _ => builder.copy(at + c.len_utf8()),
            }
        }
        builder.finish().unwrap()
    }

    fn carry(raw: &str, target: &str) -> String {
        let (span, shown) = shown(raw);
        let place = Place {
            text: raw,
            span,
            shown: &shown,
            fresh: "",
        };
        let written = place.carry(target, &mut |c, out| {
            out.push('~');
            out.push(c);
        });
        let edge = |range: Range<usize>| raw.get(range).unwrap().to_owned();
        edge(0..span.start) + &written + &edge(span.end..raw.len())
    }

    #[test]
    fn what_is_shown_is_trimmed_with_its_raw_form() {
        let (span, shown) = shown("_ \\ a_b\\c_\\ ");
        assert_eq!(shown.text, "abc");
        assert_eq!(span, Span::new(4, 10));
    }

    #[test]
    fn a_part_keeps_its_forms() {
        let raw = "\\aX_\\bY";
        let (span, whole) = shown(raw);
        assert_eq!(whole.text, "aXbY");
        let (span, part) = whole.part(span, 1..3);
        assert_eq!((span.of(raw), part.text.as_str()), ("X_\\b", "Xb"));
        assert_eq!(part.forms.len(), 2);
    }

    #[test]
    fn occurrences_keep_their_forms_and_new_ones_are_written_afresh() {
        for (raw, target, expected) in [
            ("\\aba", "aba", "\\a~b~a"),
            ("\\aba", "baaa", "~b\\a~a~a"),
            ("\\a\\a", "aaa", "\\a\\a\\a"),
            ("a_b", "xab", "~xa_~b"),
            ("a\\aa\\a", "aaaaa", "~a\\a~a\\a~a"),
            ("a\\aba\\a", "aabaa", "~a\\a~b~a\\a"),
            ("\\aa", "aaaa", "\\a~a~a~a"),
        ] {
            assert_eq!(carry(raw, target), expected, "{raw} {target}");
        }
    }
}
