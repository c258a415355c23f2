//! The comments of a PO entry: what they tell a translator, its flags, and how it looks when a
//! person confirmed it. Must not know its strings' meaning.

use super::entry::Entry;
use crate::Span;
use crate::segment::Edit;

/// So many references are named in a note.
const N_REFERENCES: usize = 3;

/// Walks the flags of an entry, such as `fuzzy` and `c-format`.
fn flags<'t>(text: &'t str, entry: &'t Entry) -> impl Iterator<Item = &'t str> {
    let lines = entry.comments.iter().map(|comment| comment.of(text));
    lines
        .filter_map(|line| line.strip_prefix("#,"))
        .flat_map(|flags| flags.split(','))
        .map(str::trim)
        .filter(|flag| !flag.is_empty())
}

/// Tells whether a person has to look at the targets of an entry.
pub(super) fn is_fuzzy(text: &str, entry: &Entry) -> bool {
    flags(text, entry).any(|flag| flag == "fuzzy")
}

/// Lists what the comments say: those of the programmer, those of translators, the places in the
/// program, then the flags that a translation has to do justice to.
pub(super) fn notes(text: &str, entry: &Entry) -> Vec<String> {
    let lines = || entry.comments.iter().map(|comment| comment.of(text));
    let behind = |mark: &'static str| {
        let said = lines().filter_map(move |line| line.strip_prefix(mark));
        let said = said.map(str::trim).filter(|line| !line.is_empty());
        said.collect::<Vec<_>>()
    };
    let references: Vec<&str> = behind("#:")
        .into_iter()
        .flat_map(str::split_whitespace)
        .take(N_REFERENCES + 1)
        .collect();
    let mut places = references
        .get(..N_REFERENCES.min(references.len()))
        .unwrap_or_default()
        .join(", ");
    if references.len() > N_REFERENCES {
        places.push_str(" …");
    }
    let flags: Vec<&str> = flags(text, entry)
        .filter(|flag| !matches!(*flag, "fuzzy" | "wrap" | "no-wrap"))
        .collect();
    vec![
        behind("#.").join(" "),
        behind("# ").join(" "),
        places,
        flags.join(", "),
    ]
}

/// Lists what changes when the entry is confirmed: it is fuzzy no more, and its previous source is
/// no longer of use.
pub(super) fn confirmation(text: &str, entry: &Entry) -> Vec<Edit> {
    let change = |comment: &Span| {
        let line = comment.of(text);
        if line.starts_with("#|") {
            return Some(removal(text, *comment));
        }
        let flags: Vec<&str> = line.strip_prefix("#,")?.split(',').collect();
        let is_fuzzy = |flag: &&str| flag.trim() == "fuzzy";
        flags.iter().any(is_fuzzy).then_some(())?;
        let kept: Vec<&str> = flags.into_iter().filter(|flag| !is_fuzzy(flag)).collect();
        if kept.iter().all(|flag| flag.trim().is_empty()) {
            return Some(removal(text, *comment));
        }
        let text = format!("#,{}", kept.join(","));
        Some(Edit {
            span: *comment,
            text,
        })
    };
    entry.comments.iter().filter_map(change).collect()
}

/// Takes out the whole line of a comment.
fn removal(text: &str, comment: Span) -> Edit {
    let head = text.get(..comment.start).unwrap_or_default();
    let start = head.trim_end_matches([' ', '\t']).len();
    let tail = text.get(comment.end..).unwrap_or_default();
    let ending = if tail.starts_with("\r\n") {
        2
    } else {
        tail.len().min(1)
    };
    Edit {
        span: Span::new(start, comment.end + ending),
        text: String::new(),
    }
}
