//! Where an output parts from its source, marks aside. Owns offsets, lines and context; must not know a format.

use std::fmt;

use super::Marks;

/// Bytes of context on each side.
const CONTEXT: usize = 40;

/// Says where two byte strings part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// Offset in the source.
    pub offset: usize,
    /// Line of the source, from 1.
    pub line: usize,
    /// What stands there in the source.
    pub wanted: String,
    /// What stands there in the output.
    pub found: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            offset,
            line,
            wanted,
            found,
        } = self;
        write!(
            f,
            "byte {offset}, line {line}: {found:?} instead of {wanted:?}"
        )
    }
}

/// Finds the first place where an output differs from its source once the marks are taken off.
///
/// Both are read side by side, so a mark is only looked for between two characters of the source, whatever their
/// encoding.
pub fn first_difference(output: &[u8], source: &[u8], marks: Option<&Marks>) -> Option<Difference> {
    let (mut out, mut at) = (0, 0);
    loop {
        let (rest, wanted) = (output.get(out..)?, source.get(at..)?);
        let mark = marks.and_then(|marks| {
            let length = marks.length(rest)?;
            (marks.length(wanted) != Some(length)).then_some(length)
        });
        match (mark, rest.first(), wanted.first()) {
            (Some(length), ..) => out += length,
            (None, None, None) => return None,
            (None, Some(found), Some(wanted)) if found == wanted => {
                out += 1;
                at += 1;
            }
            (None, ..) => return Some(difference(output, out, source, at)),
        }
    }
}

/// Counts the opening marks of an output.
pub(crate) fn count(output: &[u8], marks: &Marks) -> usize {
    let (mut n, mut at) = (0, 0);
    while let Some(rest) = output.get(at..).filter(|rest| !rest.is_empty()) {
        let length = marks.opening_length(rest);
        n += usize::from(length.is_some());
        at += length.unwrap_or(1);
    }
    n
}

fn difference(output: &[u8], out: usize, source: &[u8], at: usize) -> Difference {
    let around = |bytes: &[u8], at: usize| {
        let from = at.saturating_sub(CONTEXT);
        let part = bytes
            .get(from..bytes.len().min(at + CONTEXT))
            .unwrap_or_default();
        String::from_utf8_lossy(part).into_owned()
    };
    let before = source.get(..at).unwrap_or_default();
    Difference {
        offset: at,
        line: before.split(|byte| *byte == b'\n').count(),
        wanted: around(source, at),
        found: around(output, out),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats;

    fn marks() -> Marks {
        Marks::of(&formats::open("a.txt", b"One.").unwrap()).unwrap()
    }

    #[test]
    fn marks_are_no_difference() {
        let marks = marks();
        let output = "a \u{27e6}b\u{27e7} \\u27E6c&#x27E7;";
        assert_eq!(
            first_difference(output.as_bytes(), b"a b c", Some(&marks)),
            None
        );
        assert_eq!(count(output.as_bytes(), &marks), 2);
    }

    #[test]
    fn the_first_difference_has_a_place() {
        let found = first_difference("x\ny\u{27e6}z".as_bytes(), b"x\nyw", Some(&marks())).unwrap();
        assert_eq!((found.offset, found.line), (3, 2));
        assert_eq!(found.wanted, "x\nyw");
        assert!(first_difference(b"ab", b"a", None).is_some());
        assert!(first_difference(b"a", b"ab", None).is_some());
        assert!(first_difference("\u{27e6}a".as_bytes(), b"a", None).is_some());
    }
}
