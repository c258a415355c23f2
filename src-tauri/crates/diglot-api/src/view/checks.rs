//! What was found over all confirmed units, as the screen shows it.

use serde::Serialize;
use ts_rs::TS;

use super::document::IssueView;

/// Shows what was found in a session.
#[derive(Debug, Clone, Default, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct ChecksView {
    /// Confirmed units that were looked at.
    pub n_checked: usize,
    /// Findings that were not set aside.
    pub n_findings: usize,
    /// Findings in document order, those set aside too; bounded.
    pub findings: Vec<FindingView>,
    /// Sources with different targets.
    pub n_inconsistencies: usize,
    /// The first of them; bounded.
    pub inconsistencies: Vec<InconsistencyView>,
}

/// Shows a finding on a confirmed unit.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct FindingView {
    /// The document.
    pub path: String,
    /// The unit, from 1.
    pub unit: usize,
    /// Its target.
    pub target: String,
    /// What was found.
    pub issue: IssueView,
}

/// Shows a source that was translated in several ways.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct InconsistencyView {
    /// The source.
    pub source: String,
    /// Its targets, in the order of their first places.
    pub targets: Vec<TargetPlacesView>,
}

/// Shows one target with its places.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct TargetPlacesView {
    /// The target.
    pub target: String,
    /// How many units have it.
    pub n_places: usize,
    /// The first of them; bounded.
    pub places: Vec<PlaceView>,
}

/// Names a unit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct PlaceView {
    /// The document.
    pub path: String,
    /// The unit, from 1.
    pub unit: usize,
}
