//! The punctuation at the end of a text: its kind must stay, in the marks of the target's language.

use super::{Issue, IssueKind, Text};
use crate::{LanguagePair, LanguageTag};

/// Abbreviations whose stop is no end of a sentence, in lower case.
const ABBREVIATIONS: &[&str] = &[
    "etc", "inc", "ltd", "co", "corp", "jr", "sr", "nr", "usw", "bzw", "evtl", "ggf", "ca", "vs",
    "approx", "dept", "est", "max", "min", "vol", "no", "tel", "abb", "fig", "kap", "art", "cf",
    "др", "пр", "г", "руб", "np", "itd", "itp", "osv", "enz", "stk", "tzn", "sog", "str",
];

/// Languages that may end a sentence without a mark.
const UNMARKED: [&str; 5] = ["th", "lo", "km", "my", "bo"];

/// A kind of mark as a bit, since several may stand together: `?!`.
const STOP: u8 = 1;
const QUESTION: u8 = 2;
const EXCLAMATION: u8 = 4;
const ELLIPSIS: u8 = 8;
const COLON: u8 = 16;

/// Reports a text that ends in another kind of mark than its source.
pub(super) fn check(
    source: &Text<'_>,
    target: &Text<'_>,
    languages: &LanguagePair,
) -> Option<Issue> {
    let wanted = Ending::of(&source.prose, &languages.source)?;
    let given = Ending::of(&target.prose, &languages.target)?;
    let same = wanted.kinds & given.kinds != 0 || wanted.kinds == given.kinds;
    let unmarked = |language: &LanguageTag| UNMARKED.contains(&language.primary());
    let may_lack = unmarked(&languages.source) || unmarked(&languages.target);
    let only_a_stop = wanted.kinds | given.kinds == STOP;
    let one_sided = only_a_stop && (may_lack || wanted.is_doubtful || given.is_doubtful);
    (!same && !one_sided).then(|| Issue {
        missing: wanted.text(),
        extra: given.text(),
        ..Issue::warning(IssueKind::Ending)
    })
}

/// What a text ends with.
struct Ending<'a> {
    kinds: u8,
    /// The marks as they are written.
    marks: &'a str,
    /// Whether the stop may belong to an abbreviation or an ordinal number.
    is_doubtful: bool,
}

impl<'a> Ending<'a> {
    /// Reads the end of a text; `None` where there is no text whose end could tell anything.
    fn of(prose: &'a str, language: &LanguageTag) -> Option<Self> {
        let body = prose.trim_end_matches(closes);
        let before = body.trim_end_matches(|c| kind(c, language).is_some() || closes(c));
        let marks = body.get(before.len()..).unwrap_or_default();
        let mut kinds = marks
            .chars()
            .filter_map(|c| kind(c, language))
            .fold(0, |all, kind| all | kind);
        if marks.contains("..") || marks.contains("。。") {
            kinds = kinds & !STOP | ELLIPSIS;
        }
        before.contains(char::is_alphabetic).then_some(Self {
            kinds,
            marks: marks.trim(),
            is_doubtful: marks.starts_with('.') && is_abbreviation(before),
        })
    }

    fn text(&self) -> Vec<String> {
        let marks = Some(self.marks.to_owned());
        marks
            .filter(|marks| !marks.is_empty())
            .into_iter()
            .collect()
    }
}

/// Tells whether a text ends in a word that is written with a stop: `p.m`, `Inc`, `3`, `A`.
fn is_abbreviation(before: &str) -> bool {
    let word = before
        .rsplit(|c: char| c.is_whitespace() || matches!(c, '(' | '\u{FFFC}'))
        .next()
        .unwrap_or_default();
    let letters = word.chars().filter(|c| c.is_alphanumeric()).count();
    word.contains('.')
        || letters < 2
        || word.ends_with(char::is_numeric)
        || ABBREVIATIONS.contains(&word.to_lowercase().as_str())
}

fn kind(c: char, language: &LanguageTag) -> Option<u8> {
    match c {
        '.' | '。' | '．' | '｡' | '۔' | '।' | '॥' | '։' | '።' | '။' | '។' | '།' => {
            Some(STOP)
        }
        '?' | '？' | '؟' | '\u{37E}' | '՞' | '⁇' | '፧' => Some(QUESTION),
        ';' if language.primary() == "el" => Some(QUESTION),
        '!' | '！' | '՜' | '‼' => Some(EXCLAMATION),
        '⁉' | '⁈' => Some(QUESTION | EXCLAMATION),
        '…' | '⋯' | '‥' => Some(ELLIPSIS),
        ':' | '：' | '︰' => Some(COLON),
        _ => None,
    }
}

/// Tells what may stand behind the last mark.
fn closes(c: char) -> bool {
    c.is_whitespace()
        || matches!(
            c,
            '"' | '\'' | '”' | '“' | '’' | '‘' | '»' | '«' | '›' | '‹' | ')' | ']' | '）' | '」' | '』'
                | '】' | '》' | '〉' | '〕' | '⟩' | '⟧' | '}' | '*' | '_' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}'
                | '\u{2066}'..='\u{2069}'
        )
}
