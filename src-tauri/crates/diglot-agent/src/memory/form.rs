//! Rules that texts can be checked for without a model: terms and wordings. Must not know how items are kept.

use diglot_document::{Format, LanguagePair, TermForm, TermState, review_terms};

use super::{Memory, MemoryId, MemoryItem, Outcome, Term, Wording};

/// Holds what a text must have to keep a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Form {
    /// The target of the pair, where the source has its source.
    Term(Term),
    /// One wording and not another.
    Wording(Wording),
}

/// Holds a rule that a draft was made under.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckedRule {
    /// The item; a term that the model was told may be one of memory or not.
    pub id: Option<MemoryId>,
    /// What is looked for.
    pub form: Form,
}

impl MemoryItem {
    /// Returns what texts are checked for, where texts can tell.
    pub fn form(&self) -> Option<Form> {
        if let Some(term) = &self.term {
            return Some(Form::Term(term.clone()));
        }
        let wording = self.wording.clone();
        wording
            .or_else(|| Wording::from_text(&self.text))
            .map(Form::Wording)
    }
}

impl Memory {
    /// Finds the item that has a pair.
    pub(crate) fn item_of(&self, form: &Form) -> Option<MemoryId> {
        let Form::Term(term) = form else { return None };
        let has = |item: &&MemoryItem| item.term.as_ref().is_some_and(|own| own.is_same(term));
        self.items.iter().find(has).map(|item| item.id)
    }
}

impl Form {
    /// Says what became of the rule in a final text; `None` where it had no chance.
    pub fn outcome(
        &self,
        source: &str,
        draft: &str,
        target: &str,
        languages: &LanguagePair,
    ) -> Option<Outcome> {
        match self {
            Self::Term(term) => {
                let terms = [term.checked()];
                let found = review_terms(Format::PlainText, source, target, &terms, languages);
                let sure = found
                    .iter()
                    .find(|found| found.form() != TermForm::Related)?;
                Some(match sure.state {
                    TermState::Met => Outcome::Met,
                    TermState::Unmet | TermState::Forbidden => Outcome::Overridden,
                })
            }
            Self::Wording(wording) => match wording.counts(target) {
                (0, 0) => (wording.counts(draft) != (0, 0)).then_some(Outcome::Neither),
                (_, 0) => Some(Outcome::Met),
                (0, _) => Some(Outcome::Overridden),
                _ => Some(Outcome::Neither),
            },
        }
    }
}

impl Wording {
    /// Counts both wordings in a text. One that stands inside of the other does not count there.
    fn counts(&self, text: &str) -> (usize, usize) {
        let (n_write, n_other) = (
            occurrences(text, &self.write),
            occurrences(text, &self.instead_of),
        );
        let inside = |inner: &str, outer: &str| occurrences(outer, inner);
        (
            n_write.saturating_sub(n_other * inside(&self.write, &self.instead_of)),
            n_other.saturating_sub(n_write * inside(&self.instead_of, &self.write)),
        )
    }
}

/// Counts how often a wording stands in a text: in its own case or at the beginning of a sentence, and as words of its own
/// where words are written apart.
pub(super) fn occurrences(text: &str, wording: &str) -> usize {
    let wording = wording.trim();
    let mut first = wording.chars();
    let Some(initial) = first.next() else {
        return 0;
    };
    let n_own = whole(text, wording);
    if !initial.is_lowercase() {
        return n_own;
    }
    let capitalized: String = initial.to_uppercase().chain(first).collect();
    n_own + whole(text, &capitalized)
}

fn whole(text: &str, wording: &str) -> usize {
    let joins = |c: char| c.is_alphanumeric() && (c as u32) < UNSPACED;
    let (begins, ends) = (wording.starts_with(joins), wording.ends_with(joins));
    let places = text.match_indices(wording);
    let is_whole = |at: usize| {
        let before = text.get(..at).unwrap_or_default();
        let after = text.get(at + wording.len()..).unwrap_or_default();
        !(begins && before.ends_with(joins) || ends && after.starts_with(joins))
    };
    places.filter(|(at, _)| is_whole(*at)).count()
}

/// The first sign of the scripts that are written without blanks between words.
pub(super) const UNSPACED: u32 = 0x2E80;
