//! What grounds an item in a decision: pairs stand in source and final text, instructions hold words of the person.
//! Must not know how items are kept.

use diglot_document::{DiffKind, TargetDiff};

use super::form::occurrences;
use super::{Evidence, MemoryKind, Term, Wording};

/// Returns the words that are the person's: what they put in and took out of the draft, or their reason and what they
/// marked. A word that they took out or marked although the source has it is the document's: the draft had left it as it
/// was.
pub(super) fn own_words(evidence: &Evidence) -> Vec<String> {
    let words = |text: &str| -> Vec<String> { words(text).map(str::to_lowercase).collect() };
    let Some(target) = &evidence.target else {
        let marked = words(evidence.marked.as_deref().unwrap_or_default());
        let marked = marked.into_iter();
        let mut own = words(evidence.reason.as_deref().unwrap_or_default());
        own.extend(marked.filter(|word| !holds_word(&evidence.source, word)));
        return own;
    };
    let diff = TargetDiff::between(&evidence.draft, target);
    let of = |kind: DiffKind| {
        let pieces = diff.pieces.iter().filter(move |piece| piece.kind == kind);
        pieces.flat_map(|piece| words(&piece.text))
    };
    let removed = of(DiffKind::Removed).filter(|word| !holds_word(&evidence.source, word));
    of(DiffKind::Added).chain(removed).collect()
}

/// Tells whether an instruction holds a mark that the person changed for its own sake: an exclamation mark, quotes, the digits
/// of a number. A mark that any sentence has must stand in quotes.
pub(super) fn holds_own_mark(text: &str, evidence: &Evidence) -> bool {
    let Some(target) = &evidence.target else {
        return false;
    };
    let diff = TargetDiff::between(&evidence.draft, target);
    let changed = diff
        .pieces
        .iter()
        .filter(|piece| piece.kind != DiffKind::Equal && !piece.text.contains(char::is_alphabetic));
    let is_named = |mark: char| match mark {
        '.' | ',' | ':' | ';' | '-' | '\'' => ['“', '"', '‘', '\'', '«', '„']
            .iter()
            .any(|quote| text.contains(&format!("{quote}{mark}"))),
        mark if mark.is_ascii_digit() => text.contains(|c: char| c.is_ascii_digit()),
        mark => !mark.is_whitespace() && text.contains(mark),
    };
    let mut marks = changed.flat_map(|piece| piece.text.chars());
    marks.any(is_named)
}

/// Tells whether an instruction wants what the person just took out, and not what they put in.
pub(super) fn is_opposite(text: &str, wording: Option<&Wording>, evidence: &Evidence) -> bool {
    let said = wording.cloned().or_else(|| {
        let (write, instead_of) = two_quotes(text)?;
        let between = text.split_once(write)?.1.split_once(instead_of)?.0;
        let between = between.trim_matches(|c: char| !c.is_alphabetic());
        let is_denied = matches!(between, "not" | "instead of" | "rather than" | "and not");
        is_denied.then(|| Wording {
            write: write.to_owned(),
            instead_of: instead_of.to_owned(),
        })
    });
    let turned = said.map(|said| Wording {
        write: said.instead_of,
        instead_of: said.write,
    });
    turned.is_some_and(|turned| grounded_wording(&turned, evidence))
}

pub(super) fn check_term(
    kind: MemoryKind,
    term: Option<&Term>,
    evidence: &Evidence,
) -> Result<(), String> {
    let Some(term) = term else {
        return if kind == MemoryKind::Terminology {
            Err("a term needs its source and target".to_owned())
        } else {
            Ok(())
        };
    };
    if !holds(&evidence.source, &term.source) {
        return Err(format!("`{}` does not stand in the source", term.source));
    }
    match &evidence.target {
        Some(target) if holds(target, &term.target) => Ok(()),
        Some(_) => Err(format!(
            "`{}` does not stand in the final text",
            term.target
        )),
        None => {
            let reason = evidence.reason.as_deref().unwrap_or_default();
            if holds(reason, &term.target) {
                Ok(())
            } else {
                Err(format!(
                    "`{}` does not stand in the person's words",
                    term.target
                ))
            }
        }
    }
}

/// Finds the pair in an instruction that quotes both words but names neither as source or target.
pub(super) fn quoted_term(text: &str, evidence: &Evidence) -> Option<Term> {
    let target = evidence.target.as_ref()?;
    let (first, second) = two_quotes(text)?;
    let fits = |(from, to): &(&str, &str)| evidence.source.contains(from) && target.contains(to);
    let (from, to) = [(first, second), (second, first)].into_iter().find(fits)?;
    Some(Term {
        source: from.to_owned(),
        target: to.to_owned(),
    })
}

/// Finds the wording in an instruction that quotes what the person wrote and what they did not.
pub(super) fn quoted_wording(text: &str, evidence: &Evidence) -> Option<Wording> {
    let (first, second) = two_quotes(text)?;
    let both = [(first, second), (second, first)].map(|(write, instead_of)| Wording {
        write: write.to_owned(),
        instead_of: instead_of.to_owned(),
    });
    let fits = |wording: &Wording| grounded_wording(wording, evidence);
    both.into_iter().find(fits)
}

/// Tells whether the person put a wording in the place of the other one.
pub(super) fn grounded_wording(wording: &Wording, evidence: &Evidence) -> bool {
    let Some(target) = &evidence.target else {
        return false;
    };
    let (write, instead_of) = (&wording.write, &wording.instead_of);
    occurrences(target, write) > occurrences(&evidence.draft, write)
        && occurrences(&evidence.draft, instead_of) > occurrences(target, instead_of)
}

/// Returns what an instruction quotes, if these are two things.
fn two_quotes(text: &str) -> Option<(&str, &str)> {
    let is_quote = |c: char| {
        matches!(
            c,
            '\'' | '"' | '`' | '“' | '”' | '„' | '‘' | '’' | '«' | '»'
        )
    };
    let mut words = text.split(is_quote).skip(1).step_by(2);
    let (first, second) = (words.next()?, words.next()?);
    words.next().is_none().then_some((first, second))
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    let pieces = text.split(|c: char| !c.is_alphanumeric());
    pieces.filter(|word| !word.is_empty())
}

/// Tells whether a text holds a word in lower case: as a word of its own, or anywhere where words are not written apart.
pub(super) fn holds_word(text: &str, word: &str) -> bool {
    let text = text.to_lowercase();
    let is_apart = word.chars().all(|c| (c as u32) < 0x2E80);
    if is_apart {
        words(&text).any(|own| own == word)
    } else {
        text.contains(word)
    }
}

/// Returns how much of a text, in characters of its words, stands in another one.
pub(super) fn share(text: &str, other: &str) -> f64 {
    let (text, other) = (text.to_lowercase(), other.to_lowercase());
    let (mut n_there, mut n_all) = (0_u32, 0_u32);
    for word in words(&text) {
        let length = u32::try_from(word.chars().count()).unwrap_or(u32::MAX);
        n_all = n_all.saturating_add(length);
        if other.contains(word) {
            n_there = n_there.saturating_add(length);
        }
    }
    if n_all == 0 {
        return 0.0;
    }
    f64::from(n_there) / f64::from(n_all)
}

fn holds(text: &str, part: &str) -> bool {
    let part = part.trim();
    !part.is_empty() && text.to_lowercase().contains(&part.to_lowercase())
}
