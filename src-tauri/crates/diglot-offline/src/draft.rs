//! What is proposed for one unit: the order of the sources of drafts, terms, numbers, finish. Owns
//! which draft is good enough; must not know threads or packs.

use diglot_agent::matches::TmMatch;
use diglot_agent::model::OpenUnit;
use diglot_document::{CheckContext, Format, IssueKind, LanguagePair, Origin, Severity, check};

use crate::align::Drafter;
use crate::inline::{Piece, parse};
use crate::lexer::{Lexer, capitalized, find_term};
use crate::render::{Way, render};

/// Holds a draft and where it came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Draft {
    pub(crate) text: String,
    pub(crate) origin: Origin,
}

/// Longest source that the engine gets, in bytes: a unit is a paragraph, so a longer one is none, and
/// would hold up the others for minutes.
const LONGEST_SOURCE: usize = 8_000;

/// Names a fuzzy match that reads better than what an engine makes, in percent.
const CLOSE_MATCH: u8 = 90;

/// Holds what drafting depends on besides the unit.
#[derive(Clone, Copy)]
pub(crate) struct Drafting<'a> {
    pub(crate) languages: &'a LanguagePair,
    pub(crate) terms: &'a [(String, String)],
    pub(crate) drafter: Option<&'a dyn Drafter>,
}

impl Drafting<'_> {
    /// Drafts a unit from, in order: a repeat, an exact match, a close match, the engine, a fuzzy match.
    /// What the person rejected is not proposed again.
    pub(crate) fn draft(&self, unit: &OpenUnit, matches: &[TmMatch]) -> Option<Draft> {
        let is_new = |text: &&str| !text.is_empty() && unit.rejected.as_deref() != Some(*text);
        let exact = matches
            .iter()
            .filter(|found| found.percent >= 100)
            .map(|found| found.target.as_str());
        if let Some(text) = unit.repeat.as_deref().into_iter().chain(exact).find(is_new) {
            return Some(Draft {
                text: text.to_owned(),
                origin: Origin::ExactMatch,
            });
        }
        let format = Format::from_path(unit.path.as_str()).unwrap_or(Format::PlainText);
        let fuzzy = matches.iter().filter(|found| found.percent < 100);
        let mut fuzzy = fuzzy.filter(|found| is_new(&found.target.as_str()));
        let fuzzy = fuzzy.find(|found| !self.is_blocked(format, &unit.source, &found.target));
        let stored = |found: &TmMatch| Draft {
            text: found.target.clone(),
            origin: Origin::FuzzyMatch,
        };
        if let Some(found) = fuzzy.filter(|found| found.percent >= CLOSE_MATCH) {
            return Some(stored(found));
        }
        let drafter = self.drafter.filter(|_| unit.source.len() <= LONGEST_SOURCE);
        let drafted = drafter.and_then(|drafter| self.translate(format, &unit.source, drafter));
        let drafted = drafted.filter(|text| is_new(&text.as_str()));
        let drafted = drafted.map(|text| Draft {
            text,
            origin: Origin::Engine,
        });
        drafted.or_else(|| fuzzy.map(stored))
    }

    /// Translates with the engine; `None` where markup cannot be kept.
    fn translate(&self, format: Format, source: &str, drafter: &dyn Drafter) -> Option<String> {
        let wrap = (format == Format::PlainText)
            .then(|| wrapped_width(source))
            .flatten();
        let keeps_lines = format.keeps_line_breaks() && wrap.is_none();
        let mut lexer = Lexer {
            terms: &[],
            holds_numbers: false,
            keeps_lines,
        };
        let mut draft = self.attempt(format, source, &lexer, drafter);
        let loses_numbers = |text: &String| {
            self.issues(format, source, text)
                .contains(&IssueKind::Number)
        };
        if draft.as_ref().is_none_or(loses_numbers) {
            lexer.holds_numbers = true;
            let held = self.attempt(format, source, &lexer, drafter);
            lexer.holds_numbers = held.as_ref().is_some_and(|text| !loses_numbers(text));
            if lexer.holds_numbers || draft.is_none() {
                draft = held;
            }
        }
        let unmet = self.unmet_terms(source, draft.as_deref().unwrap_or_default());
        if !unmet.is_empty() {
            lexer.terms = &unmet;
            draft = self.attempt(format, source, &lexer, drafter).or(draft);
        }
        let draft = draft?;
        Some(wrap.map_or_else(|| draft.clone(), |width| rewrapped(&draft, width)))
    }

    /// Translates in the best way that leaves no blocking issue.
    fn attempt(
        &self,
        format: Format,
        source: &str,
        lexer: &Lexer<'_>,
        drafter: &dyn Drafter,
    ) -> Option<String> {
        // Engines make nonsense of a short text with an ellipsis, for instance of a menu item.
        let body = source.trim_end_matches(['.', '…']);
        let is_open = source.ends_with('…') || source.ends_with("...");
        let (body, tail) = if is_open {
            source.split_at(body.len())
        } else {
            (source, "")
        };
        let pieces = parse(format, body, lexer);
        if !pieces.iter().any(Piece::is_translatable) {
            // Nothing but code and numbers: it is its own translation.
            return Some(source.to_owned());
        }
        Way::ALL.iter().find_map(|way| {
            let text = finished(body, &render(&pieces, *way, drafter)?) + tail;
            let is_good = !text.trim().is_empty() && !self.is_blocked(format, source, &text);
            is_good.then_some(text)
        })
    }

    /// Returns the terms of the source that a draft does not hold.
    fn unmet_terms(&self, source: &str, draft: &str) -> Vec<(String, String)> {
        let draft = draft.to_lowercase();
        let is_unmet = |term: &&(String, String)| {
            find_term(source, term).is_some() && !draft.contains(&term.1.to_lowercase())
        };
        self.terms.iter().filter(is_unmet).cloned().collect()
    }

    fn is_blocked(&self, format: Format, source: &str, target: &str) -> bool {
        let context = CheckContext::new(format, self.languages);
        check(source, target, &context)
            .iter()
            .any(|issue| issue.severity == Severity::Blocking)
    }

    fn issues(&self, format: Format, source: &str, target: &str) -> Vec<IssueKind> {
        let context = CheckContext::new(format, self.languages);
        check(source, target, &context)
            .into_iter()
            .map(|issue| issue.kind)
            .collect()
    }
}

/// Brings the edges of a draft in line with its source: an ellipsis, a first capital, a final stop.
fn finished(source: &str, draft: &str) -> String {
    let mut text = draft.trim().to_owned();
    if source.contains('…') && !source.contains("...") {
        text = text.replace("...", "…");
    }
    if text.ends_with('.') && !source.ends_with(|c: char| c.is_ascii_punctuation() || c == '…') {
        text.pop();
    }
    // Only after Latin letters: other scripts have stops of their own.
    let is_latin = |c: char| c.is_alphanumeric() && c < '\u{250}';
    let stop = source.chars().next_back().filter(|c| ".:".contains(*c));
    if let (Some(stop), true) = (stop, text.ends_with(is_latin)) {
        text.push(stop);
    }
    let is_raised = |text: &str| text.chars().next().is_some_and(char::is_uppercase);
    if is_raised(source) && text.chars().next().is_some_and(char::is_lowercase) {
        text = capitalized(&text);
    }
    text
}

/// Shortest line, in characters, that counts as filled by wrapping.
const WRAPPED_LINE: usize = 45;

/// Returns the width at which a paragraph was wrapped; `None` for one line, and where its lines stand
/// for themselves, as in an address.
fn wrapped_width(source: &str) -> Option<usize> {
    let lengths: Vec<usize> = source.lines().map(|line| line.chars().count()).collect();
    let (_, filled) = lengths.split_last()?;
    let is_wrapped = filled.iter().all(|length| *length >= WRAPPED_LINE);
    (is_wrapped && !filled.is_empty()).then(|| lengths.iter().copied().max().unwrap_or_default())
}

/// Wraps a text at blanks.
fn rewrapped(text: &str, width: usize) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if at > 0 && at + 1 + length > width {
            out.push('\n');
            at = 0;
        } else if at > 0 {
            out.push(' ');
            at += 1;
        }
        out.push_str(word);
        at += length;
    }
    out
}

#[cfg(test)]
mod tests;
