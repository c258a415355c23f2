//! Where sentences end (UAX #29), at ten times the pace where the text is plain ASCII: large files mostly are, and
//! nothing else takes longer in reading one. Must not know what a piece is.

use unicode_segmentation::UnicodeSegmentation;

/// Divides a text at its sentence ends; the parts join to the text. Each with its first byte.
pub(super) fn sentences(text: &str) -> Vec<(usize, &str)> {
    let has_lines = text.bytes().any(|byte| matches!(byte, b'\n' | b'\r'));
    if has_lines || !text.is_ascii() {
        return text.split_sentence_bound_indices().collect();
    }
    let mut found = Vec::new();
    let mut start = 0;
    let ends = ends(text.as_bytes()).chain([text.len()]);
    for end in ends {
        if let Some(sentence) = text.get(start..end).filter(|sentence| !sentence.is_empty()) {
            found.push((start, sentence));
        }
        start = end;
    }
    found
}

/// Returns the sentence ends inside of an ASCII text without line breaks.
fn ends(text: &[u8]) -> impl Iterator<Item = usize> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let rest = text.get(at..)?;
            let mark = at + rest.iter().position(|byte| is_mark(*byte))?;
            let closed = skip(text, mark + 1, is_close);
            let next = skip(text, closed, is_space);
            at = next.max(mark + 1);
            if next < text.len() && breaks(text, mark, next) {
                return Some(next);
            }
        }
    })
}

/// Tells whether a sentence ends with the mark at `mark`, where `next` is behind it and what closes it (SB6 to SB11).
fn breaks(text: &[u8], mark: usize, next: usize) -> bool {
    let Some(first) = text.get(next).copied() else {
        return false;
    };
    if is_mark(first) || matches!(first, b',' | b'-' | b':' | b';') {
        return false;
    }
    if text.get(mark) != Some(&b'.') {
        return true;
    }
    if next == mark + 1 {
        let before = mark.checked_sub(1).and_then(|at| text.get(at));
        let is_initial = before.is_some_and(u8::is_ascii_alphabetic) && first.is_ascii_uppercase();
        if first.is_ascii_digit() || is_initial {
            return false;
        }
    }
    let rest = text.get(next..).unwrap_or_default();
    let telling = rest
        .iter()
        .find(|byte| byte.is_ascii_alphabetic() || is_mark(**byte));
    !telling.is_some_and(u8::is_ascii_lowercase)
}

fn skip(text: &[u8], from: usize, is_skipped: fn(u8) -> bool) -> usize {
    let rest = text.get(from..).unwrap_or_default();
    from + rest.iter().take_while(|byte| is_skipped(**byte)).count()
}

fn is_mark(byte: u8) -> bool {
    matches!(byte, b'.' | b'!' | b'?')
}

fn is_close(byte: u8) -> bool {
    matches!(byte, b'"' | b'\'' | b'(' | b')' | b'[' | b']' | b'{' | b'}')
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | 0x0B | 0x0C | b' ')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(text: &str) {
        let expected: Vec<_> = text.split_sentence_bound_indices().collect();
        assert_eq!(sentences(text), expected, "{text:?}");
    }

    #[test]
    fn sentences_are_those_of_the_standard() {
        for text in [
            "",
            ".",
            "One. Two! Three? four",
            "e.g. this, i.e. that. U.S.A. 3.14 Mr. X",
            "He said \"Go.\" Then (he went.) [x]. 'Y'",
            "Wait... What?! No. , yes. 4 men; x.- y.: z.; Z",
            "One.  Two.\tThree.(Four).\u{c}five",
            "Ünder. Über.",
            "One.\r\nTwo. Three\nfour.",
        ] {
            check(text);
        }
    }

    proptest! {
        #[test]
        fn any_ascii_text_is_divided_as_the_standard_says(text in "[ -~\t\u{b}\u{c}\u{0}\u{7f}]{0,60}") {
            check(&text);
        }

        #[test]
        fn marks_and_what_stands_around_them(text in "[a-cA-C0-2.!?,;:\\-\"'(){}\\[\\] \t#*_/]{0,24}") {
            check(&text);
        }
    }
}
