//! Rules that cannot both be kept. Finds them, and says which one is sent until the person has settled it.
//!
//! Both stay as they are and are one question to the person. Until then the one is sent that the person wrote or that was
//! learnt or chosen last: it says what they wanted last. Sending both would leave the choice to the model, and sending none
//! would bring back what they corrected twice. What holds for a project comes before what holds more widely, unasked.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};

use super::form::{Form, occurrences};
use super::{Memory, MemoryId, MemoryItem, MemoryState};

/// Names two items that cannot both hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Conflict {
    /// The item that was there first.
    pub earlier: MemoryId,
    /// The other one.
    pub later: MemoryId,
    /// The one that is sent until the person has settled it.
    pub sent: MemoryId,
}

impl Memory {
    /// Returns what the person is asked to settle, oldest first.
    pub fn conflicts(&self) -> Vec<Conflict> {
        let question = |(one, other): (&MemoryItem, &MemoryItem)| {
            (one.scope.width() == other.scope.width()).then(|| Conflict {
                earlier: one.id.min(other.id),
                later: one.id.max(other.id),
                sent: prevailing(one, other).id,
            })
        };
        self.disagreeing()
            .into_iter()
            .filter_map(question)
            .collect()
    }

    /// Settles a disagreement: the person keeps one of two items and the other is switched off, or lets both hold. Answers
    /// the items that are changed.
    ///
    /// # Errors
    /// A sentence when there is no such item, or the one to keep is not among them.
    pub fn settle(
        &mut self,
        one: MemoryId,
        other: MemoryId,
        keep: Option<MemoryId>,
        at: i64,
    ) -> Result<Vec<MemoryItem>, String> {
        if one == other || keep.is_some_and(|keep| keep != one && keep != other) {
            return Err("two items disagree, and one of them is kept or both are".to_owned());
        }
        self.find_mut(one)?;
        self.find_mut(other)?;
        for (id, beside) in [(one, other), (other, one)] {
            let item = self.find_mut(id)?;
            match keep {
                None => item.beside.push(beside),
                Some(keep) if keep == id => item.decide(MemoryState::Active),
                Some(_) => item.decide(MemoryState::Off),
            }
            item.updated_at = at;
        }
        Ok(vec![
            self.find_mut(one)?.clone(),
            self.find_mut(other)?.clone(),
        ])
    }

    /// Returns the active items that give way to another one.
    pub(super) fn held_back(&self) -> BTreeSet<MemoryId> {
        let loser = |(one, other): (&MemoryItem, &MemoryItem)| {
            if prevailing(one, other).id == one.id {
                other.id
            } else {
                one.id
            }
        };
        self.disagreeing().into_iter().map(loser).collect()
    }

    /// Finds the pairs that disagree among the active items, in order of id. Only items that share a word of theirs are
    /// compared, so that it does not take the square of what memory holds.
    fn disagreeing(&self) -> Vec<(&MemoryItem, &MemoryItem)> {
        let active = self
            .items
            .iter()
            .filter(|item| item.state == MemoryState::Active);
        let active: Vec<(&MemoryItem, Option<Form>)> =
            active.map(|item| (item, item.form())).collect();
        let mut alike: HashMap<String, Vec<usize>> = HashMap::new();
        for (place, (item, form)) in active.iter().enumerate() {
            for key in keys(item, form.as_ref()) {
                alike.entry(key).or_default().push(place);
            }
        }
        let mut pairs = BTreeSet::new();
        for places in alike.values() {
            for (nth, first) in places.iter().enumerate() {
                pairs.extend(places.iter().skip(nth + 1).map(|second| (*first, *second)));
            }
        }
        let disagree = |(first, second): (usize, usize)| {
            let (one, form) = active.get(first)?;
            let (other, other_form) = active.get(second)?;
            let is_so = contradict((one, form.as_ref()), (other, other_form.as_ref()));
            is_so.then_some((*one, *other))
        };
        pairs.into_iter().filter_map(disagree).collect()
    }
}

/// Returns what an item shares with those that it may disagree with.
fn keys(item: &MemoryItem, form: Option<&Form>) -> BTreeSet<String> {
    let key = |kind: &str, text: &str| format!("{kind} {}", text.trim().to_lowercase());
    match form {
        Some(Form::Term(term)) => [key("source", &term.source), key("target", &term.target)].into(),
        Some(Form::Wording(wording)) => {
            let both = [&wording.write, &wording.instead_of];
            both.map(|text| key("target", text)).into()
        }
        None => [key("sentence", &parts(&item.text).0.join("|"))].into(),
    }
}

fn prevailing<'a>(one: &'a MemoryItem, other: &'a MemoryItem) -> &'a MemoryItem {
    let rank = |item: &MemoryItem| {
        let is_by_hand = item.evidence.is_empty();
        (
            Reverse(item.scope.width()),
            is_by_hand,
            item.updated_at,
            item.id,
        )
    };
    if rank(one) > rank(other) { one } else { other }
}

/// Tells whether two active items cannot both be kept.
fn contradict(
    (one, form): (&MemoryItem, Option<&Form>),
    (other, other_form): (&MemoryItem, Option<&Form>),
) -> bool {
    if one.beside.contains(&other.id) || other.beside.contains(&one.id) {
        return false;
    }
    match (form, other_form) {
        (Some(Form::Term(term)), Some(Form::Term(second))) => {
            // An inflected or compounded form of the same word is no other word.
            same(&term.source, &second.source)
                && !contains(&term.target, &second.target)
                && !contains(&second.target, &term.target)
        }
        (Some(Form::Wording(wording)), Some(Form::Wording(second))) => {
            same(&wording.write, &second.instead_of)
                || same(&second.write, &wording.instead_of)
                || same(&wording.instead_of, &second.instead_of)
                    && !same(&wording.write, &second.write)
        }
        (Some(Form::Term(term)), Some(Form::Wording(wording))) => {
            same(&wording.instead_of, &term.target) && is_about(other, &term.source)
        }
        (Some(Form::Wording(wording)), Some(Form::Term(term))) => {
            same(&wording.instead_of, &term.target) && is_about(one, &term.source)
        }
        (None, None) => same_sentence(one, other),
        (Some(_), None) | (None, Some(_)) => false,
    }
}

/// Tells whether two instructions say the same of different words, as `Address the reader with 'du'` and `with 'Sie'`.
pub(super) fn same_sentence(one: &MemoryItem, other: &MemoryItem) -> bool {
    let ((frame, words), (other_frame, other_words)) = (parts(&one.text), parts(&other.text));
    one.kind == other.kind && frame == other_frame && !words.is_empty() && words != other_words
}

/// Tells whether a wording was put in where the source has a term; one by hand says nothing of sources, so it may.
fn is_about(item: &MemoryItem, source: &str) -> bool {
    let has = |text: &str| {
        occurrences(text, source) > 0
            || occurrences(&text.to_lowercase(), &source.to_lowercase()) > 0
    };
    item.evidence.is_empty() || item.evidence.iter().any(|evidence| has(&evidence.source))
}

fn same(one: &str, other: &str) -> bool {
    one.trim().to_lowercase() == other.trim().to_lowercase()
}

fn contains(whole: &str, part: &str) -> bool {
    whole.to_lowercase().contains(&part.trim().to_lowercase())
}

/// Parts an instruction into what stands outside of its quotes and what inside, in lower case.
fn parts(text: &str) -> (Vec<String>, Vec<String>) {
    let is_quote = |c: char| matches!(c, '\'' | '"' | '`' | '“' | '”' | '„' | '«' | '»');
    let pieces = text
        .split(is_quote)
        .map(|piece| piece.trim().to_lowercase());
    let (mut outside, mut inside) = (Vec::new(), Vec::new());
    for (place, piece) in pieces.enumerate() {
        if place % 2 == 0 {
            outside.push(piece);
        } else {
            inside.push(piece);
        }
    }
    (outside, inside)
}
