//! Doubled words, as in `the the`, in languages that do not double them on purpose.

use unicode_segmentation::UnicodeSegmentation;

use super::{Issue, IssueKind, Text};
use crate::LanguagePair;

/// Languages that are looked at, with the words that may well stand twice in a row there.
const ALLOWED: &[(&str, &[&str])] = &[
    (
        "en",
        &[
            "that", "had", "is", "very", "no", "bye", "so", "do", "blah", "her",
        ],
    ),
    (
        "de",
        &[
            "die", "der", "das", "den", "dem", "sie", "ihr", "sehr", "so", "was", "nein", "sich",
        ],
    ),
    ("fr", &["nous", "vous", "très", "non", "en"]),
    ("es", &["no", "muy", "casi", "luego", "que"]),
    ("pt", &["não", "muito", "logo", "que", "se"]),
    (
        "it",
        &[
            "poco", "piano", "via", "man", "mano", "quasi", "no", "ben", "così", "molto",
        ],
    ),
    (
        "nl",
        &[
            "dat", "die", "het", "er", "ze", "je", "we", "u", "zijn", "is", "was", "heel", "nee",
        ],
    ),
    ("sv", &["det", "den", "de", "som", "nej", "mycket", "är"]),
    ("da", &["det", "den", "de", "der", "nej", "meget", "er"]),
    ("nb", &["det", "den", "de", "der", "nei", "er"]),
    ("no", &["det", "den", "de", "der", "nei", "er"]),
    ("pl", &["to", "co", "nie", "bardzo"]),
    ("cs", &["to", "co", "ne", "se", "si"]),
    ("sk", &["to", "čo", "nie", "sa", "si"]),
    ("ru", &["да", "нет", "еле", "чуть", "очень", "что", "то"]),
    ("uk", &["так", "ні", "ледь", "дуже", "що", "то"]),
];

/// Reports words that stand twice in a row in the target, unless the source has such words.
pub(super) fn check(
    source: &Text<'_>,
    target: &Text<'_>,
    languages: &LanguagePair,
) -> Option<Issue> {
    let (_, allowed) = ALLOWED
        .iter()
        .find(|(code, _)| *code == languages.target.primary())?;
    if !doubled(&source.prose, &[]).is_empty() {
        return None;
    }
    let extra = doubled(&target.prose, allowed);
    (!extra.is_empty()).then(|| Issue {
        extra,
        ..Issue::warning(IssueKind::DoubledWord)
    })
}

/// Lists words that follow themselves with nothing but one blank between.
fn doubled(prose: &str, allowed: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    let mut last: Option<(usize, String)> = None;
    for (start, word) in prose.unicode_word_indices() {
        let folded = word.to_lowercase();
        let repeats = last.as_ref().is_some_and(|(end, last)| {
            let between = prose.get(*end..start).unwrap_or_default();
            *last == folded && matches!(between, " " | "\n" | "\u{A0}")
        });
        // A name of an argument is followed by its meaning: `-d USER  user to remove`.
        let is_word = word.chars().nth(1).is_some()
            && word.chars().all(char::is_alphabetic)
            && word.contains(char::is_lowercase);
        if repeats && is_word && !allowed.contains(&folded.as_str()) {
            found.push(format!("{word} {word}"));
        }
        last = Some((start + word.len(), folded));
    }
    found
}
