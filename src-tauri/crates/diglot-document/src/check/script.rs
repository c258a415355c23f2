//! Letters of the source's script that were left in a target which is not written in it.

use super::{Issue, IssueKind, Text};
use crate::LanguagePair;
use crate::LanguageTag;

/// Scripts that tell apart what is left over; Latin is none, since names stay in it anywhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Script {
    Han,
    Kana,
    Hangul,
    Cyrillic,
    Arabic,
    Hebrew,
    Greek,
    Thai,
    Devanagari,
}

/// Reports runs of a script that the source's language has and the target's does not. What stands
/// in brackets or quotes is quoted on purpose.
pub(super) fn check(target: &Text<'_>, languages: &LanguagePair) -> Option<Issue> {
    let own = scripts(&languages.target)?;
    let left: Vec<Script> = scripts(&languages.source)?
        .iter()
        .copied()
        .filter(|script| !own.contains(script))
        .collect();
    if left.is_empty() {
        return None;
    }
    let extra = runs(&target.prose, &left);
    (!extra.is_empty()).then(|| Issue {
        extra,
        ..Issue::warning(IssueKind::SourceScript)
    })
}

/// Lists the runs of some scripts outside of brackets and quotes.
fn runs(prose: &str, wanted: &[Script]) -> Vec<String> {
    let mut found = Vec::new();
    let mut run = String::new();
    let mut depth = 0_usize;
    for c in prose.chars().chain([' ']) {
        let script = script(c).filter(|script| wanted.contains(script));
        if script.is_some() && depth == 0 {
            run.push(c);
            continue;
        }
        if is_telling(&run) {
            found.push(run.clone());
        }
        run.clear();
        match c {
            '(' | '（' | '[' | '“' | '„' | '«' | '「' | '『' | '《' => depth += 1,
            ')' | '）' | ']' | '”' | '»' | '」' | '』' | '》' => {
                depth = depth.saturating_sub(1);
            }
            _ => {}
        }
    }
    found
}

/// Tells whether a run is more than a sign: a single letter of an alphabet is used as a symbol.
fn is_telling(run: &str) -> bool {
    let is_whole = |c: char| matches!(script(c), Some(Script::Han | Script::Kana | Script::Hangul));
    run.contains(is_whole) || run.chars().nth(1).is_some()
}

fn script(c: char) -> Option<Script> {
    match c {
        '\u{3041}'..='\u{3096}' | '\u{30A1}'..='\u{30FA}' => Some(Script::Kana),
        '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' => Some(Script::Han),
        '\u{AC00}'..='\u{D7A3}' => Some(Script::Hangul),
        '\u{0400}'..='\u{052F}' => Some(Script::Cyrillic),
        '\u{0620}'..='\u{06D3}' if c.is_alphabetic() => Some(Script::Arabic),
        '\u{05D0}'..='\u{05EA}' => Some(Script::Hebrew),
        '\u{0370}'..='\u{03FF}' => Some(Script::Greek),
        '\u{0E01}'..='\u{0E4E}' => Some(Script::Thai),
        '\u{0904}'..='\u{0963}' => Some(Script::Devanagari),
        _ => None,
    }
}

/// Lists the scripts of a language; `None` where that is not settled.
fn scripts(tag: &LanguageTag) -> Option<&'static [Script]> {
    let mut subtags = tag.as_str().split('-').skip(1);
    let named = subtags.any(|subtag| subtag.len() == 4 && subtag.chars().all(char::is_alphabetic));
    if named && tag.primary() != "zh" {
        return None;
    }
    Some(match tag.primary() {
        "zh" | "yue" | "wuu" => &[Script::Han],
        "ja" => &[Script::Han, Script::Kana],
        "ko" => &[Script::Hangul, Script::Han],
        "ru" | "uk" | "be" | "bg" | "mk" => &[Script::Cyrillic],
        "ar" | "fa" | "ur" | "ps" => &[Script::Arabic],
        "he" | "yi" => &[Script::Hebrew],
        "el" => &[Script::Greek],
        "th" => &[Script::Thai],
        "hi" | "mr" | "ne" => &[Script::Devanagari],
        "en" | "de" | "fr" | "es" | "pt" | "it" | "nl" | "da" | "sv" | "nb" | "nn" | "no"
        | "fi" | "is" | "pl" | "cs" | "sk" | "sl" | "hr" | "hu" | "ro" | "tr" | "vi" | "id"
        | "ms" | "ca" | "gl" | "eu" | "et" | "lv" | "lt" | "ga" | "cy" | "af" | "sq" => &[],
        _ => return None,
    })
}
