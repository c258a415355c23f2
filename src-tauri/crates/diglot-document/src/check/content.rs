//! Doubts about what the target says: refusal, echo, language, repetition, an early end, length.

use unicode_segmentation::UnicodeSegmentation;

use super::{Issue, IssueKind, STAND_IN, Text, language, loops, phrases};
use crate::{LanguagePair, LanguageTag};

/// Fewest words of prose, and of those not like a name, that make an unchanged text an echo.
const FEWEST_ECHO_WORDS: (usize, usize) = (4, 2);

/// Fewest letters of an echo in a script without spaces.
const FEWEST_ECHO_LETTERS: usize = 8;

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
    if let Some(group) = loops::repeated(&source.prose, &target.prose) {
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

/// Tells whether a target refuses and the source does not, nor speaks of translating.
fn is_refusal(source: &str, target: &str) -> bool {
    let is_speech = |text: &str| {
        text.trim_start()
            .starts_with(['"', '“', '„', '«', '»', '「', '—', '–'])
    };
    let is_dialogue = is_speech(source) && is_speech(target);
    let is_subject = phrases::speaks_of_translation(&phrases::plain(source));
    phrases::refuses(target) && !phrases::regrets(source) && !is_dialogue && !is_subject
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
        return prose.chars().filter(|c| c.is_alphabetic()).count() >= FEWEST_ECHO_LETTERS;
    }
    let is_word = |word: &&str| word.contains(char::is_alphabetic);
    let words: Vec<&str> = prose.unicode_words().filter(is_word).collect();
    let is_name = |word: &&&str| word.starts_with(char::is_uppercase);
    let common = words.len() - words.iter().filter(is_name).count();
    words.len() >= FEWEST_ECHO_WORDS.0 && common >= FEWEST_ECHO_WORDS.1
}

/// How much room a language takes: characters of an alphabet for one of its own.
fn density(tag: &LanguageTag) -> Density {
    match tag.primary() {
        "zh" | "ja" | "yue" | "wuu" => Density::Han,
        "ko" => Density::Hangul,
        _ => Density::Alphabet,
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Density {
    Alphabet,
    Hangul,
    Han,
}

/// The lengths of both texts and what they may be, in hundredths of the source's.
struct Sizes {
    source: usize,
    target: usize,
    /// Least, usual and most.
    range: (usize, usize, usize),
    /// Shortest source that tells anything.
    fewest: usize,
}

impl Sizes {
    fn of(source: &Text<'_>, target: &Text<'_>, languages: &LanguagePair) -> Self {
        let (from, into) = (density(&languages.source), density(&languages.target));
        let range = match (from, into) {
            (Density::Alphabet, Density::Han) => (15, 33, 120),
            (Density::Alphabet, Density::Hangul) => (22, 55, 150),
            (Density::Hangul, Density::Han) => (35, 65, 250),
            (Density::Han, Density::Hangul) => (60, 150, 450),
            (Density::Hangul, Density::Alphabet) => (70, 190, 450),
            (Density::Han, Density::Alphabet) => (90, 280, 700),
            (Density::Alphabet, Density::Alphabet)
            | (Density::Hangul, Density::Hangul)
            | (Density::Han, Density::Han) => (40, 100, 250),
        };
        let length = |text: &Text<'_>| text.prose.trim().graphemes(true).count();
        let fewest = if from == Density::Alphabet { 20 } else { 8 };
        Self {
            source: length(source),
            target: length(target),
            range,
            fewest,
        }
    }

    /// Tells whether the target is far too long or far too short.
    fn are_odd(&self) -> bool {
        let (least, _, most) = self.range;
        let too_short = self.target * 100 < self.source * least;
        let too_long = self.target * 100 > self.source * most;
        self.source > self.fewest && (too_short || too_long)
    }

    /// Tells whether the target is clearly shorter than usual.
    fn is_short(&self) -> bool {
        self.target * 100 < self.source * self.range.1 * 9 / 10
    }
}

/// Tells whether a target ends before its sentence does.
fn is_truncated(source: &str, target: &str, sizes: &Sizes, languages: &LanguagePair) -> bool {
    let (Some(wanted), Some(last)) = (ending(source), ending(target)) else {
        return false;
    };
    if !ends_sentence(wanted) || is_ellipsis(source) {
        return false;
    }
    let asks = last == ';' && languages.target.primary() == "el";
    let mid_sentence = matches!(last, ',' | '，' | '、' | '،' | ';' | '-' | '(') && !asks;
    // Thai, Lao, Khmer and Burmese end a sentence with a blank or with marks of their own.
    let unmarked =
        matches!(last, '\u{0E00}'..='\u{0EFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}');
    let open = (last.is_alphabetic() && !unmarked) || is_ellipsis(target);
    mid_sentence || (open && sizes.is_short())
}

/// Returns the last character of a text that is not a closing mark or invisible.
fn ending(text: &str) -> Option<char> {
    let closes = |c: char| {
        c.is_whitespace()
            || matches!(
                c,
                '"' | '\'' | '”' | '“' | '’' | '‘' | '»' | '«' | '›' | '‹' | ')' | ']' | '）' | '」' | '』'
                    | '】' | '》' | '*' | '_' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}'
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
