//! Where an output parts from its source, marks aside. Owns offsets, lines and context; must not know a format.

use std::fmt;
use std::ops::Range;

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

/// Finds the first place where an output differs from its source once the marks are taken off, and the frames of
/// tables that are drawn with lines count as the same however wide they are.
///
/// Inside of the frames' bytes, which ascend, blanks do not count, and a run of hyphens or equals signs may be of another
/// length. Nothing else may differ: the cells, their order, their words and the lines they stand in are the same.
pub(crate) fn first_difference_but_frames(
    output: &[u8],
    source: &[u8],
    marks: &Marks,
    frames: &[Range<usize>],
) -> Option<Difference> {
    let bare = without_marks(output, marks);
    let (mut out, mut at) = (0, 0);
    let mut frames = frames.iter().peekable();
    let goes_on = |bytes: &[u8], at: usize| {
        let last = at.checked_sub(1).and_then(|last| bytes.get(last));
        match bytes.get(at) {
            Some(b' ') => true,
            next => next == last && matches!(next, Some(b'-' | b'=')),
        }
    };
    loop {
        while frames.next_if(|frame| frame.end < at).is_some() {}
        let framed = frames.peek().is_some_and(|frame| frame.start < at);
        match (bare.get(out), source.get(at)) {
            (None, None) => return None,
            (Some(found), Some(wanted)) if found == wanted => {
                out += 1;
                at += 1;
            }
            _ if framed && goes_on(&bare, out) => out += 1,
            _ if framed && goes_on(source, at) => at += 1,
            _ => return Some(difference(&bare, out, source, at)),
        }
    }
}

/// Takes the marks off an output; its source holds none.
fn without_marks(output: &[u8], marks: &Marks) -> Vec<u8> {
    let mut bare = Vec::with_capacity(output.len());
    let mut at = 0;
    while let Some(rest) = output.get(at..).filter(|rest| !rest.is_empty()) {
        let length = marks.length(rest);
        bare.extend(rest.first().filter(|_| length.is_none()));
        at += length.unwrap_or(1);
    }
    bare
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
    fn frames_may_be_of_any_width() {
        let source = "- a\n+----+\n| b  |\n+----+\n- c";
        let frame = 4..source.len() - 4;
        let differs = |output: &str| {
            let (output, frames) = (output.as_bytes(), std::slice::from_ref(&frame));
            first_difference_but_frames(output, source.as_bytes(), &marks(), frames).is_some()
        };
        assert!(!differs(source));
        assert!(!differs(
            "- a\n+-----+\n| \u{27e6}b\u{27e7} |\n+-----+\n- c"
        ));
        for output in [
            "- a\n+-----+\n| x |\n+-----+\n- c",
            "- a\n+--+--+\n| b   |\n+-----+\n- c",
            "- a\n+----+\n| b  |\n\n+----+\n- c",
            "- a\n+----+\n| b  | |\n+----+\n- c",
            "-  a\n+----+\n| b  |\n+----+\n- c",
            "- a\n+----+\n| b  |\n+----+\n- c ",
        ] {
            assert!(differs(output), "{output}");
        }
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
