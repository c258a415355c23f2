//! The statements of a scenario: the few forms of prose that a program can hold against a session.

use diglot_api::view::document::{DocumentView, UnitStateView};
use diglot_api::view::session::{SessionView, TurnKind};

/// Judges a statement; `None` when no part of it is of a known form.
pub(crate) fn judge(
    text: &str,
    view: &SessionView,
    documents: &[DocumentView],
    n_refused: usize,
) -> Option<Vec<String>> {
    let mut faults = Vec::new();
    let mut is_known = false;
    let words: Vec<&str> = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let n_units: usize = documents.iter().map(|document| document.n_units).sum();
    for pair in words.windows(2) {
        if let [number, "units"] = pair
            && let Some(wanted) = count(number)
        {
            is_known = true;
            if wanted != n_units {
                faults.push(format!("there are {n_units} units, not {wanted}"));
            }
        }
        if let [number, "refused"] = pair
            && let Some(wanted) = count(number)
        {
            is_known = true;
            if wanted != n_refused {
                faults.push(format!("{n_refused} decisions were refused, not {wanted}"));
            }
        }
    }
    if text.contains("still approved") {
        is_known = true;
        if view.session.n_confirmed == 0 {
            faults.push("nothing is confirmed any more".to_owned());
        }
    }
    if text.contains("both approvals") {
        is_known = true;
        if view.session.n_confirmed != 2 {
            faults.push(format!(
                "{} units are confirmed, not 2",
                view.session.n_confirmed
            ));
        }
    }
    if text.contains("approved or pending") {
        is_known = true;
        let half = documents
            .iter()
            .flat_map(|document| &document.units)
            .find(|unit| {
                let is_confirmed =
                    matches!(unit.state, UnitStateView::Approved | UnitStateView::Refined);
                is_confirmed && unit.target.is_none()
            });
        faults.extend(half.map(|unit| format!("unit {} is confirmed without a text", unit.unit)));
    }
    is_known.then_some(faults)
}

fn count(word: &str) -> Option<usize> {
    const WORDS: [&str; 6] = ["no", "one", "two", "three", "four", "five"];
    WORDS
        .iter()
        .position(|known| *known == word)
        .or_else(|| word.parse().ok())
}

/// Finds the call that drafted the unit with a source text, also when it was decided.
pub(crate) fn drafted_call(
    view: &SessionView,
    documents: &[DocumentView],
    source: &str,
) -> Option<String> {
    let mut units = documents.iter().flat_map(|document| {
        document
            .units
            .iter()
            .map(move |unit| (document.path.as_str(), unit))
    });
    let (path, unit) = units.find(|(_, unit)| unit.source == source)?;
    view.turns.iter().find_map(|turn| {
        let TurnKind::Drafted {
            path: of,
            unit: number,
            call_id,
            ..
        } = &turn.turn
        else {
            return None;
        };
        (of == path && *number == unit.unit).then(|| call_id.clone())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_in_words_and_digits() {
        assert_eq!(count("two"), Some(2));
        assert_eq!(count("17"), Some(17));
        assert_eq!(count("several"), None);
    }
}
