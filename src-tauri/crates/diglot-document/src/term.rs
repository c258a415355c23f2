//! Terms in texts: where a source has one, and whether a target meets it. Owns what counts as a form of a term, and the keys
//! by which a store finds terms. Must not know where terms are kept or what becomes of a finding.

use serde::{Deserialize, Serialize};

use crate::check::text::Text;
use crate::placeable::Syntaxes;
use crate::{Format, LanguagePair, LanguageTag, Span};

mod contained;
pub mod exchange;
mod keys;
mod places;
mod stem;
mod verdict;
mod words;

pub use keys::{KEY_VERSION, term_key, term_keys};
pub(crate) use verdict::review_texts;

/// Says what a target term is to its source term.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
#[serde(rename_all = "camelCase")]
pub enum TermStatus {
    /// What a translation should have.
    #[default]
    Preferred,
    /// What it may have as well.
    Admitted,
    /// What it must not have (TBX: `deprecatedTerm`).
    Forbidden,
}

/// Holds a term and a translation as texts are looked through for them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CheckedTerm<'a> {
    /// The term in the source's language.
    pub source: &'a str,
    /// The term in the target's language. Where several may be used for the same source, one is enough.
    pub target: &'a str,
    /// What the target is to the source.
    pub status: TermStatus,
}

impl<'a> CheckedTerm<'a> {
    /// Makes a term with its preferred translation.
    pub const fn preferred(source: &'a str, target: &'a str) -> Self {
        Self {
            source,
            target,
            status: TermStatus::Preferred,
        }
    }
}

/// Says how a place in a text is like a term; a lesser one is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum TermForm {
    /// It is the term, in whatever case: certain.
    Exact,
    /// It is the term in another case or number.
    Inflected,
    /// It has the stem of the term, or holds it in a compound: it may mean something else.
    Related,
}

/// Marks one place of a text that has a term.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TermPlace {
    /// Bytes of the text.
    pub span: Span,
    /// How it is like the term.
    pub form: TermForm,
}

/// Says how a target deals with a term of its source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum TermState {
    /// A translation that may be used is there, or none is asked for.
    Met,
    /// None is there.
    Unmet,
    /// One that must not be used is there.
    Forbidden,
}

/// Holds a term that a source has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundTerm {
    /// Where, in order of the text, disjoint from those of other terms; never empty.
    pub places: Vec<TermPlace>,
    /// Which of the terms given have this source, in their order; never empty.
    pub entries: Vec<usize>,
    /// How the target deals with it.
    pub state: TermState,
    /// Which of the terms given stands in the target and must not.
    pub forbidden: Option<usize>,
}

impl FoundTerm {
    /// Returns the form of the place that is most like the term.
    pub fn form(&self) -> TermForm {
        let forms = self.places.iter().map(|place| place.form);
        forms.min().unwrap_or(TermForm::Related)
    }

    /// Tells whether the term itself stands in the source, so that nobody can doubt that it is meant.
    pub fn is_certain(&self) -> bool {
        self.form() == TermForm::Exact
    }
}

/// Finds the terms of a source and looks how a target deals with them. The longest term wins where several overlap; no
/// markup, code or placeholder is part of one.
pub fn review_terms(
    format: Format,
    source: &str,
    target: &str,
    terms: &[CheckedTerm<'_>],
    languages: &LanguagePair,
) -> Vec<FoundTerm> {
    if terms.is_empty() {
        return Vec::new();
    }
    let syntaxes = Syntaxes::of(format);
    let source = Text::read(syntaxes, source);
    let target = Text::read(syntaxes, target);
    review_texts(&source, &target, terms, languages)
}

/// Tells whether a text can be a term: it has a letter or a digit.
pub fn is_term(text: &str, language: &LanguageTag) -> bool {
    term_key(text, language).is_some()
}

#[cfg(test)]
mod tests;
