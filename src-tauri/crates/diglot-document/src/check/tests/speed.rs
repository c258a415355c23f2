//! Tests that any text is checked without a panic, and in a time that grows with its length alone.

use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::*;

/// Longest unit that is checked while somebody types.
const LENGTH: usize = 10_000;

/// The time for such a unit, with room for a build without optimisation on a busy machine.
const PATIENCE: Duration = Duration::from_secs(2);

#[test]
fn no_text_takes_long() {
    let terms: Vec<String> = (0..500).map(|index| format!("term {index}")).collect();
    let terms: Vec<CheckedTerm<'_>> = terms
        .iter()
        .map(|term| CheckedTerm::preferred(term, term))
        .collect();
    let languages = pair("en>pl");
    let context = CheckContext {
        terms: &terms,
        max_length: Some(10),
        ..CheckContext::new(Format::Markdown, &languages)
    };
    for piece in [
        "{",
        "{{",
        "{n, plural, ",
        "{n, plural, other {",
        "'{",
        "`",
        "` `` ",
        "\\(",
        "<a b=\"",
        "<a ",
        "</a>",
        "<1>",
        "<!--",
        "<%",
        "http://a)",
        "(",
        "[",
        "\"",
        "%",
        "%(",
        "%1$s ",
        "12 ",
        "3,",
        "term 7 ",
        "the the ",
        "  a",
        "$t(",
        "$a",
        "a&",
        "_",
        "*a ",
        "a. ",
        "字",
        "😀",
    ] {
        let text = piece.repeat(LENGTH / piece.len());
        let other = format!("{piece}x {text}");
        for syntaxes in [Syntaxes::of(Format::Markdown), STRING] {
            let started = Instant::now();
            inspect(syntaxes, &text, &other, &context);
            assert!(
                started.elapsed() < PATIENCE,
                "{piece:?} {:?}",
                started.elapsed()
            );
        }
    }
}

proptest! {
    #[test]
    fn any_pair_can_be_checked(
        source in "([-a *_~`$%{}<>\\[\\]()!\\\\\"'&;:#.,/@0-9é中\n\t]|n, plural, |other |%1|</b>|<b>|seal ){0,30}",
        target in "\\PC{0,30}|([-a *_~`$%{}<>\\[\\]()!\\\\\"'&;:#.,/@0-9é中\n\t]|n, plural, |other |%1|</b>|<b>){0,30}",
        is_string in any::<bool>(),
    ) {
        let languages = pair("en>de");
        let terms = [CheckedTerm::preferred("seal", "Dichtung")];
        let context = CheckContext {
            terms: &terms,
            max_length: Some(20),
            ..CheckContext::new(Format::Markdown, &languages)
        };
        let syntaxes = if is_string { STRING } else { Syntaxes::of(Format::Markdown) };
        for issue in inspect(syntaxes, &source, &target, &context) {
            prop_assert_eq!(issue.fingerprint().len(), 16);
        }
        prop_assert!(inspect(syntaxes, &source, &source, &context).iter().all(|issue| issue.severity == Severity::Warning));
    }
}
