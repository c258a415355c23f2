//! The numbered tags that stand for formats and things in a text, and how a text that only looks
//! like one is told apart. Must not know what a tag stands for.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Holds one numbered tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Tag {
    /// `<1>`
    Open(usize),
    /// `</1>`
    Close(usize),
    /// `<1/>`
    Single(usize),
}

impl Tag {
    /// Appends the tag as people see it.
    pub(super) fn show(self, out: &mut String) {
        // Writing to a string cannot fail.
        let _ = match self {
            Self::Open(number) => write!(out, "<{number}>"),
            Self::Close(number) => write!(out, "</{number}>"),
            Self::Single(number) => write!(out, "<{number}/>"),
        };
    }

    /// Reads the tag that a text begins with, and its length.
    pub(super) fn read(rest: &str) -> Option<(Self, usize)> {
        let (tag, length) = Self::read_tail(rest.strip_prefix('<')?)?;
        Some((tag, length + 1))
    }

    /// Reads what follows the first mark of a tag.
    fn read_tail(tail: &str) -> Option<(Self, usize)> {
        /// No paragraph has more tags.
        const MOST_DIGITS: usize = 7;
        let (closes, inner) = match tail.strip_prefix('/') {
            Some(inner) => (true, inner),
            None => (false, tail),
        };
        let digits = inner.bytes().take_while(u8::is_ascii_digit);
        let digits = digits.take(MOST_DIGITS + 1).count();
        let number = inner.get(..digits)?.parse().ok()?;
        let rest = inner.get(digits..).filter(|_| digits <= MOST_DIGITS)?;
        let (tag, marks) = match (closes, rest) {
            (true, rest) if rest.starts_with('>') => (Self::Close(number), 2),
            (false, rest) if rest.starts_with('>') => (Self::Open(number), 1),
            (false, rest) if rest.starts_with("/>") => (Self::Single(number), 2),
            (_, _) => return None,
        };
        Some((tag, digits + marks))
    }

    /// Walks the tags of a text that consists of tags.
    pub(super) fn all(tags: &str) -> impl Iterator<Item = Self> {
        let mut rest = tags;
        std::iter::from_fn(move || {
            let (tag, length) = Self::read(rest)?;
            rest = rest.get(length..).unwrap_or_default();
            Some(tag)
        })
    }
}

/// Returns what is shown in place of the first character of a text where it would read as a tag, or
/// as the disguise of one: `<1>` is shown as `&lt;1>`, and `&lt;1>` as `&amp;lt;1>`.
pub(super) fn disguise(rest: &str) -> Option<&'static str> {
    match rest.chars().next()? {
        '<' => Tag::read(rest).map(|_| "&lt;"),
        '&' => is_disguise(rest).then_some("&amp;"),
        _ => None,
    }
}

/// Undoes [`disguise`] in a text without tags.
pub(super) fn undisguise(text: &str) -> Cow<'_, str> {
    if !text.contains("&lt;") && !text.contains("&amp;") {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        let (before, after) = rest.split_at_checked(at).unwrap_or((rest, ""));
        out.push_str(before);
        let (shown, length) = if !is_disguise(after) {
            ("&", 1)
        } else if after.starts_with("&lt;") {
            ("<", 4)
        } else {
            ("&", 5)
        };
        out.push_str(shown);
        rest = after.get(length..).unwrap_or_default();
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// Tells whether a text begins with `&lt;` or `&amp;…lt;` and what would be a tag behind `<`.
fn is_disguise(rest: &str) -> bool {
    let mut inner = rest.strip_prefix('&').unwrap_or_default();
    while let Some(further) = inner.strip_prefix("amp;") {
        inner = further;
    }
    let tail = inner.strip_prefix("lt;");
    tail.is_some_and(|tail| Tag::read_tail(tail).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_have_a_number_and_nothing_else() {
        for (text, expected) in [
            ("<1>x", Some((Tag::Open(1), 3))),
            ("</12>", Some((Tag::Close(12), 5))),
            ("<3/>", Some((Tag::Single(3), 4))),
            ("</3/>", None),
            ("<b>", None),
            ("<>", None),
            ("<1 >", None),
            ("<123456789>", None),
            ("1>", None),
        ] {
            assert_eq!(Tag::read(text), expected, "{text}");
        }
        let tags: Vec<_> = Tag::all("<1></1><2/>").collect();
        assert_eq!(tags, [Tag::Open(1), Tag::Close(1), Tag::Single(2)]);
    }

    #[test]
    fn a_disguise_comes_off_again() {
        for (literal, shown) in [
            ("<1>", "&lt;1>"),
            ("&lt;/1>", "&amp;lt;/1>"),
            ("&amp;lt;1/>", "&amp;amp;lt;1/>"),
            ("a < b & <b> &lt; &amp;", "a < b & <b> &lt; &amp;"),
        ] {
            let mut disguised = String::new();
            for (at, c) in literal.char_indices() {
                match disguise(literal.get(at..).unwrap()) {
                    Some(other) => disguised.push_str(other),
                    None => disguised.push(c),
                }
            }
            assert_eq!(disguised, shown);
            assert_eq!(undisguise(shown), literal);
        }
    }
}
