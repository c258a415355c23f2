//! Doubts about what the target says: refusal, echo, language, repetition, an early end, length.

use std::collections::HashSet;

use unicode_segmentation::UnicodeSegmentation;

use super::size::Sizes;
use super::{Issue, IssueKind, STAND_IN, Text, language, loops, phrases};
use crate::LanguagePair;

/// Fewest words of prose, and of those not like a name, that make an unchanged text an echo.
const FEWEST_ECHO_WORDS: (usize, usize) = (4, 2);

/// Fewest letters of an echo in a script without spaces.
const FEWEST_ECHO_LETTERS: usize = 8;

/// Length below which a text without an end is only its start, and one with fewer sentences only a part, in hundredths of
/// what is usual.
const MOST_OF_A_START: usize = 95;
const MOST_OF_A_PART: usize = 68;

/// The text that stands for any text, and that nobody translates.
const FILLER: &str = "lorem ipsum";

/// Reports doubts. One that explains others is reported alone.
pub(super) fn check(source: &Text<'_>, target: &Text<'_>, languages: &LanguagePair) -> Vec<Issue> {
    if is_refusal(source.raw, target.raw) {
        return vec![Issue::warning(IssueKind::Refusal)];
    }
    if is_echo(source, target, languages) {
        return vec![Issue::warning(IssueKind::Echo)];
    }
    let mut issues = Vec::new();
    if language::is_wrong(&source.prose, &target.prose, languages) {
        issues.push(Issue::warning(IssueKind::Language));
    }
    let sizes = Sizes::of(source, target, languages);
    if let Some(group) = loops::repeated(source, target) {
        issues.push(Issue {
            extra: vec![group],
            ..Issue::warning(IssueKind::Repetition)
        });
    } else if is_truncated(&source.prose, &target.prose, &sizes, languages) {
        issues.push(Issue::warning(IssueKind::Truncated));
    } else if sizes.are_odd() {
        issues.push(Issue::warning(IssueKind::Length));
    }
    issues
}

/// Tells whether a target refuses and the source does not, nor has somebody speak.
fn is_refusal(source: &str, target: &str) -> bool {
    let is_speech = |text: &str| {
        text.trim_start()
            .starts_with(['"', '“', '„', '«', '»', '「', '—', '–'])
    };
    let is_dialogue = is_speech(source) && is_speech(target);
    !is_dialogue && phrases::refuses_unlike(source, target)
}

/// Tells whether prose was given back untranslated.
fn is_echo(source: &Text<'_>, target: &Text<'_>, languages: &LanguagePair) -> bool {
    let same = source
        .raw
        .split_whitespace()
        .eq(target.raw.split_whitespace());
    if !same || languages.source.primary() == languages.target.primary() {
        return false;
    }
    let prose = source.prose.replace(STAND_IN, " ");
    if languages.source.is_unspaced() {
        // Names and commands stay in Latin letters.
        let is_own = |c: &char| c.is_alphabetic() && *c >= '\u{0E00}';
        return prose.chars().filter(is_own).count() >= FEWEST_ECHO_LETTERS;
    }
    if prose.to_lowercase().contains(FILLER) {
        return false;
    }
    let is_word = |word: &&str| word.contains(char::is_alphabetic);
    // `Ha ha ha ha!` is the same in many languages.
    let words: HashSet<&str> = prose.unicode_words().filter(is_word).collect();
    let is_name = |word: &&&str| word.starts_with(char::is_uppercase);
    let common = words.len() - words.iter().filter(is_name).count();
    let is_sentence = ending(&source.prose).is_some_and(ends_sentence);
    words.len() >= FEWEST_ECHO_WORDS.0 && (is_sentence || common >= FEWEST_ECHO_WORDS.1)
}

/// Tells whether a target ends before its sentence does, or lacks the last ones.
fn is_truncated(source: &str, target: &str, sizes: &Sizes, languages: &LanguagePair) -> bool {
    let (Some(wanted), Some(last)) = (ending(source), ending(target)) else {
        return false;
    };
    if !ends_sentence(wanted) || is_ellipsis(source) {
        return false;
    }
    if ends_sentence(last) && !is_ellipsis(target) {
        let is_less = sizes.is_paragraph() && sizes.is_below(MOST_OF_A_PART);
        return is_less && n_sentences(target) < n_sentences(source);
    }
    let asks = last == ';' && languages.target.primary() == "el";
    let mid_sentence = matches!(
        last,
        ',' | '，'
            | '、'
            | '،'
            | ';'
            | '；'
            | '؛'
            | '-'
            | '–'
            | '—'
            | '('
            | '（'
            | '¿'
            | '¡'
            | '“'
            | '„'
            | '«'
            | '「'
            | '/'
    ) && !asks;
    // Thai, Lao, Khmer and Burmese end a sentence with a blank or with marks of their own.
    let unmarked =
        matches!(last, '\u{0E00}'..='\u{0EFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}');
    // Japanese sets no stop at the end of what somebody says.
    let is_quoted = target.trim_end().ends_with(['」', '』']);
    let open = !unmarked && !is_quoted || is_ellipsis(target);
    mid_sentence || (open && sizes.is_sentence() && sizes.is_below(MOST_OF_A_START))
}

/// Counts sentences by the marks at their ends.
fn n_sentences(text: &str) -> usize {
    text.unicode_sentences()
        .filter(|sentence| sentence.contains(char::is_alphabetic))
        .count()
}

/// Returns the last character of a text that is not a closing mark or invisible.
fn ending(text: &str) -> Option<char> {
    let closes = |c: char| {
        c.is_whitespace()
            || matches!(
                c,
                '"' | '\'' | '”' | '“' | '’' | '‘' | '»' | '«' | '›' | '‹' | ')' | ']' | '）' | '」' | '』'
                    | '】' | '》' | '〉' | '〕' | '⟧' | '*' | '_' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}'
                    | '\u{2066}'..='\u{2069}'
            )
    };
    text.trim_end_matches(closes).chars().next_back()
}

fn ends_sentence(c: char) -> bool {
    matches!(
        c,
        '.' | '!' | '?' | '…' | '。' | '！' | '？' | '．' | '؟' | '۔' | '।' | '։' | '።'
    )
}

fn is_ellipsis(text: &str) -> bool {
    let text = text.trim_end();
    text.ends_with('…') || text.ends_with("...")
}
