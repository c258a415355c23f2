//! Characters that nobody writes: what is left of a broken encoding or a wrong escape, and what no
//! file of text may hold.

use super::{Issue, IssueKind};

/// Reports such characters of the target that the source does not have, each once.
pub(super) fn check(source: &str, target: &str) -> Option<Issue> {
    let mut extra: Vec<String> = Vec::new();
    for c in target.chars().filter(|c| is_stray(*c)) {
        let text = c.to_string();
        if !source.contains(c) && !extra.contains(&text) {
            extra.push(text);
        }
    }
    (!extra.is_empty()).then(|| Issue {
        extra,
        ..Issue::warning(IssueKind::Markup)
    })
}

/// Tells whether a character is a control character other than a blank, a replacement character, or
/// one of the 66 code points that Unicode keeps from text (Unicode 16, section 23.7).
fn is_stray(c: char) -> bool {
    let is_blank = matches!(c, '\t' | '\n' | '\r' | '\u{85}');
    let code = u32::from(c);
    let is_noncharacter = matches!(code, 0xfdd0..=0xfdef) || code & 0xfffe == 0xfffe;
    c == '\u{fffd}' || is_noncharacter || c.is_control() && !is_blank
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_writes_is_found_once_and_only_where_it_is_new() {
        for (source, target, extra) in [
            (
                "Fill it.",
                "F\u{fffd}\u{fc}llen\u{fffd} \u{fffe}es\u{8}.",
                &["\u{fffd}", "\u{fffe}", "\u{8}"][..],
            ),
            (
                "Fill it.",
                "\u{fdd0}\u{1ffff}\u{9b}",
                &["\u{fdd0}", "\u{1ffff}", "\u{9b}"],
            ),
            ("A \u{fffd} B\u{1b}", "\u{fffd}\u{1b}", &[]),
            ("Two\nlines", "Zwei\r\n\tZeilen\u{a0}\u{200b}\u{ad}", &[]),
            ("Picture", "\u{fffc} \u{e000} \u{1f600}\u{200d}", &[]),
        ] {
            let found = check(source, target).map(|issue| issue.extra);
            assert_eq!(found.unwrap_or_default(), extra, "{target:?}");
        }
    }
}
