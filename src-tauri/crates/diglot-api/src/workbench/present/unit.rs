//! Turns one unit into its view: its texts in pieces, its state, what is known of it.

use diglot_agent::context::{DocumentState, Former, Unit};
use diglot_agent::store::UnitRow;
use diglot_agent::{Context, CopilotRequest, DecisionMode, ProjectPath};
use diglot_document::{Format, Hints, Segment, TargetDiff, placeables};

use crate::view::document::{
    FormerView, HintsView, PartView, UnitStateView, UnitView, diff_pieces,
};
use crate::workbench::checks::Dismissed;

/// Shows a unit of a document that nobody read yet.
pub(super) fn open_unit(format: Format, segment: &Segment) -> UnitView {
    UnitView {
        unit: segment.ordinal + 1,
        kind: segment.kind.into(),
        source: segment.source.clone(),
        source_parts: parts(format, &segment.source),
        target: None,
        target_parts: Vec::new(),
        state: UnitStateView::Open,
        origin: None,
        bulk: false,
        revised: false,
        skipped: false,
        call_id: None,
        issues: Vec::new(),
        occurrence: None,
        hints: hints(segment, None),
    }
}

fn hints(segment: &Segment, former: Option<&Former>) -> Option<HintsView> {
    let Hints {
        note,
        suggestion,
        max_length,
    } = segment.hints.as_ref().clone();
    let former = former.map(|former| FormerView {
        source: diff_pieces(&TargetDiff::between(&former.source, &segment.source)),
        target: former.target.to_string(),
    });
    let known = note.is_some() || suggestion.is_some() || max_length.is_some() || former.is_some();
    known.then_some(HintsView {
        note,
        suggestion,
        max_length,
        former,
    })
}

/// Shows a unit of a document that was read.
pub(super) fn unit_view(
    context: &Context,
    dismissed: &Dismissed,
    document: &DocumentState,
    segment: &Segment,
    unit: &Unit,
) -> UnitView {
    let open = UnitView {
        hints: hints(segment, unit.former.as_deref()),
        ..open_unit(document.document.format, segment)
    };
    let request = unit.proposal.as_ref().and_then(|id| context.request_of(id));
    let (draft, issues) = match request {
        Some(CopilotRequest::Translate(request)) => {
            let issues = dismissed.views(&request.issues, &request.source, &request.target);
            (Some((request.target, request.origin)), issues)
        }
        Some(CopilotRequest::Ask(_)) | None => (None, Vec::new()),
    };
    let confirmed = unit
        .target
        .as_ref()
        .map(|target| (target.to_string(), unit.origin));
    let text = confirmed.or(draft).filter(|(target, _)| !target.is_empty());
    UnitView {
        origin: text.as_ref().map(|(_, origin)| (*origin).into()),
        target_parts: text
            .as_ref()
            .map(|(target, _)| parts(document.document.format, target))
            .unwrap_or_default(),
        target: text.map(|(target, _)| target),
        state: unit.state.into(),
        bulk: unit.state.is_confirmed() && unit.mode == DecisionMode::Bulk,
        revised: unit.revised,
        skipped: unit.skipped,
        call_id: unit.proposal.as_ref().map(ToString::to_string),
        issues,
        occurrence: document
            .occurrence(segment.ordinal)
            .map(|(place, of)| [place, of]),
        ..open
    }
}

/// Shows the units of which more is known than their rows hold, in order.
pub(in crate::workbench) fn special_units(
    context: &Context,
    dismissed: &Dismissed,
    path: &ProjectPath,
) -> Vec<UnitView> {
    let Some(state) = context.document(path) else {
        return Vec::new();
    };
    let is_special = |unit: &Unit| unit.skipped || unit.proposal.is_some() || unit.former.is_some();
    let units = state.units().iter().zip(state.segments());
    units
        .filter(|(unit, _)| is_special(unit))
        .map(|(unit, segment)| unit_view(context, dismissed, state, segment, unit))
        .collect()
}

/// Puts what the row of a unit tells into its view, which shows it as open.
pub(in crate::workbench) fn put_row(view: &mut UnitView, format: Format, row: &UnitRow) {
    let text = Some(row.target.clone()).filter(|target| !target.is_empty());
    view.origin = text.as_ref().map(|_| row.origin.into());
    view.target_parts = text
        .as_deref()
        .map(|target| parts(format, target))
        .unwrap_or_default();
    view.target = text;
    view.state = row.state.into();
    view.bulk = row.state.is_confirmed() && row.mode == DecisionMode::Bulk;
    view.revised = row.revised;
}

/// Cuts a text into pieces, placeables marked; the pieces join to the text.
pub(in crate::workbench) fn parts(format: Format, text: &str) -> Vec<PartView> {
    let mut parts = Vec::new();
    let mut done = 0;
    let mut push = |range: std::ops::Range<usize>, placeable| {
        if let Some(piece) = text.get(range).filter(|piece| !piece.is_empty()) {
            parts.push(PartView {
                text: piece.to_owned(),
                placeable,
            });
        }
    };
    for found in placeables(format, text) {
        push(done..found.span.start, None);
        push(found.span.start..found.span.end, Some(found.kind.into()));
        done = found.span.end;
    }
    push(done..text.len(), None);
    parts
}
