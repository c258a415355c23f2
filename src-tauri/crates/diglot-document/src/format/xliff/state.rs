//! The states of XLIFF segments: which are finished, and what a confirmed one says. Must not know
//! where targets go.

use super::walk::{Segment, Unit};
use crate::format::bilingual::{Tokens, set, unset};
use crate::segment::Edit;

/// States in which nobody has to look at a target (XLIFF 1.2, `state`; 2.1, section 4.7.4.2).
const FINISHED: [&str; 4] = ["translated", "reviewed", "final", "signed-off"];

/// Origins of a target that nobody has looked at yet (XLIFF 1.2, `state-qualifier`).
const DOUBTFUL: [&str; 5] = [
    "fuzzy-match",
    "leveraged-mt",
    "mt-suggestion",
    "tm-suggestion",
    "leveraged-inherited",
];

/// Tells whether the file calls a target finished. One of which it says nothing is, unless it is a
/// copy of its source.
pub(super) fn is_finished(tokens: Tokens<'_>, segment: &Segment, is_copy: bool) -> bool {
    let target = segment.target.as_ref().map(|target| target.open);
    let holder = if segment.is_old {
        target.unwrap_or(segment.open)
    } else {
        segment.open
    };
    let attribute = |name: &str| tokens.attribute(&holder, name);
    let approved = tokens.attribute(&segment.open, "approved");
    let qualifier = attribute("state-qualifier").or_else(|| attribute("subState"));
    let is_doubtful = qualifier.is_some_and(|origin| {
        let origin = origin.rsplit(':').next().unwrap_or_default();
        DOUBTFUL.contains(&origin) || origin.contains("review")
    });
    match (approved.filter(|_| segment.is_old), attribute("state")) {
        (Some("no"), _) => false,
        (Some("yes"), _) | (_, Some("final" | "signed-off")) => true,
        (_, Some(state)) => FINISHED.contains(&state) && !is_doubtful,
        (_, None) => !is_copy && !is_doubtful,
    }
}

/// Returns the attributes of a target that is put into the file.
pub(super) fn fresh_attributes(unit: &Unit) -> &'static str {
    if unit.is_old { " state=\"final\"" } else { "" }
}

/// Lists what the file says of a segment once it is confirmed: approved and refined targets are
/// final. XLIFF 1.2 keeps the state at the target and may say `approved` of the unit.
pub(super) fn confirmation(tokens: Tokens<'_>, segment: &Segment) -> Vec<Edit> {
    let text = tokens.text;
    let mut edits = Vec::new();
    let target = segment.target.as_ref().map(|target| target.open);
    let holder = if segment.is_old {
        target
    } else {
        Some(segment.open)
    };
    if let Some(holder) = holder {
        edits.push(set(text, &holder, "state", "final"));
        edits.extend(unset(text, &holder, "state-qualifier"));
        edits.extend(unset(text, &holder, "subState"));
    }
    if segment.is_old && tokens.attribute(&segment.open, "approved").is_some() {
        edits.push(set(text, &segment.open, "approved", "yes"));
    }
    edits
}
