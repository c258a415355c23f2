//! Keys of menus and buttons: `&File`, `_File`, and the shortcut after a tab, `Save\tCtrl+S`. Only
//! where a text can be nothing but a label.

use super::{Issue, IssueKind};
use crate::placeable::Syntaxes;

/// Most words of a label.
const MOST_WORDS: usize = 8;

/// Reports a key that the target has not, or has several times.
pub(super) fn check(syntaxes: Syntaxes, source: &str, target: &str) -> Option<Issue> {
    if syntaxes.is_prose {
        return None;
    }
    shortcut(source, target).or_else(|| mnemonic(source, target))
}

/// Reports a shortcut after a tab that is lost; its keys may be named in another language.
fn shortcut(source: &str, target: &str) -> Option<Issue> {
    let (_, keys) = source.split_once('\t')?;
    let is_shortcut = keys.trim().split('+').count() > 1 && keys.split_whitespace().count() == 1;
    (is_shortcut && !target.contains('\t')).then(|| Issue {
        missing: vec![format!("\t{keys}")],
        ..Issue::warning(IssueKind::Accelerator)
    })
}

fn mnemonic(source: &str, target: &str) -> Option<Issue> {
    let is_label = source.split_whitespace().count() <= MOST_WORDS
        && !source.contains(['=', '<', '/', '\\'])
        && !source.ends_with('.');
    let mark = ['&', '_'].into_iter().filter(|_| is_label).find(|mark| {
        let found = marked(source, *mark);
        found.len() == 1 && source.matches(*mark).count() == 1
    })?;
    let wanted = marked(source, mark);
    let given = marked(target, mark);
    let missing = if has_any(target, mark) {
        Vec::new()
    } else {
        wanted
    };
    let extra: Vec<String> = given.into_iter().skip(1).collect();
    (!missing.is_empty() || !extra.is_empty()).then(|| Issue {
        missing,
        extra,
        ..Issue::warning(IssueKind::Accelerator)
    })
}

/// Lists the marks with their letters. `R&D` and `snake_case` are names, `&amp;` is an entity, `&&`
/// is a written `&`.
fn marked(text: &str, mark: char) -> Vec<String> {
    let mut found = Vec::new();
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        let rest = text.get(at + c.len_utf8()..).unwrap_or_default();
        let letter = rest
            .chars()
            .next()
            .filter(|letter| letter.is_alphanumeric());
        let apart = !before.is_alphanumeric() && before != mark;
        let in_word =
            mark == '&' && before.is_alphabetic() && letter.is_some_and(char::is_lowercase);
        if let (true, Some(letter)) = (c == mark && (apart || in_word) && !is_entity(rest), letter)
        {
            found.push(format!("{mark}{letter}"));
        }
        before = c;
    }
    found
}

/// Tells whether a mark stands before any letter, in the middle of a word too.
fn has_any(text: &str, mark: char) -> bool {
    let mut parts = text.split(mark).skip(1);
    parts.any(|rest| rest.starts_with(char::is_alphanumeric) && !is_entity(rest))
}

/// Tells whether what follows an ampersand makes it an entity.
fn is_entity(rest: &str) -> bool {
    let name = rest.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '#');
    name.len() < rest.len() && name.starts_with(';')
}
