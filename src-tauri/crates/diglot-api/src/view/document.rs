//! A document and its units as the screen shows them.

use diglot_document::{
    DiffKind, Issue, IssueKind, Origin, PlaceableKind, SegmentKind, Severity, TargetDiff,
    UnitState, WhenMissing,
};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::terms::UnitTermView;

/// Shows a page of a document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct DocumentView {
    /// Relative path.
    pub path: String,
    /// Name of its format, in English.
    pub format: String,
    /// Encoding by its WHATWG name.
    pub encoding: String,
    /// Whether the encoding is a guess to look at.
    pub encoding_guessed: bool,
    /// What becomes of characters that the encoding cannot hold.
    pub when_missing: WhenMissingView,
    /// Whether the format has escapes for such characters.
    pub has_escapes: bool,
    /// What was odd about the file, by name and lines.
    pub problems: Vec<ProblemView>,
    /// Units in all.
    pub n_units: usize,
    /// Units that a person confirmed.
    pub n_confirmed: usize,
    /// The next unit that is open, from 1.
    pub next_open: Option<usize>,
    /// Number of the first unit of this page, from 1.
    pub from_unit: usize,
    /// The units, in order.
    pub units: Vec<UnitView>,
}

/// Names what becomes of characters that a file's encoding cannot hold. They are never replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub enum WhenMissingView {
    /// They are refused.
    Refuse,
    /// They are written as escapes of the format, where it has some.
    Escape,
    /// The whole file is written in UTF-8.
    ConvertToUtf8,
}

impl From<WhenMissing> for WhenMissingView {
    fn from(choice: WhenMissing) -> Self {
        match choice {
            WhenMissing::Refuse => Self::Refuse,
            WhenMissing::Escape => Self::Escape,
            WhenMissing::ConvertToUtf8 => Self::ConvertToUtf8,
        }
    }
}

impl From<WhenMissingView> for WhenMissing {
    fn from(choice: WhenMissingView) -> Self {
        match choice {
            WhenMissingView::Refuse => Self::Refuse,
            WhenMissingView::Escape => Self::Escape,
            WhenMissingView::ConvertToUtf8 => Self::ConvertToUtf8,
        }
    }
}

/// Names something odd about a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(
    tag = "kind",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
#[ts(export)]
pub enum ProblemView {
    /// Lines with bytes that the encoding does not know; they stay as they are.
    InvalidBytes {
        /// Lines from 1.
        lines: Vec<usize>,
    },
    /// The encoding is a guess.
    DoubtfulEncoding,
    /// Something opens and never closes.
    Unclosed {
        /// Line from 1.
        line: usize,
    },
}

/// Shows one unit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct UnitView {
    /// Its number, from 1.
    pub unit: usize,
    /// What kind of text.
    pub kind: UnitKindView,
    /// Source text.
    pub source: String,
    /// Source text in pieces, placeables marked; they join to `source`.
    pub source_parts: Vec<PartView>,
    /// Draft or confirmed target; `None` when there is neither.
    pub target: Option<String>,
    /// The target in pieces, placeables marked; they join to `target`, and are none where there is none.
    pub target_parts: Vec<PartView>,
    /// How far it is.
    pub state: UnitStateView,
    /// Where the target came from.
    pub origin: Option<OriginView>,
    /// Whether it was confirmed with many others at once.
    pub bulk: bool,
    /// Whether it was changed after it was confirmed.
    pub revised: bool,
    /// Whether the person set it aside.
    pub skipped: bool,
    /// The open request on it.
    pub call_id: Option<String>,
    /// Findings on the draft.
    pub issues: Vec<IssueView>,
    /// Which of how many units of the document with the same source text it is, from 1.
    pub occurrence: Option<[usize; 2]>,
    /// What is known of it besides its text; `None` when there is nothing.
    pub hints: Option<HintsView>,
}

/// Shows what the file and the person's earlier work tell about a unit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct HintsView {
    /// Where it belongs and what its author says: a key, a comment, a plural form.
    pub note: Option<String>,
    /// A translation that the file holds and that is to be looked at.
    pub suggestion: Option<String>,
    /// Longest translation, in characters as people count them.
    pub max_length: Option<usize>,
    /// What was there before the source changed on disk.
    pub former: Option<FormerView>,
}

/// Shows what a unit was before its source changed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct FormerView {
    /// What changed in the source.
    pub source: Vec<DiffPieceView>,
    /// The translation that was confirmed.
    pub target: String,
}

/// Shows a piece of text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct PartView {
    /// The piece.
    pub text: String,
    /// What must survive in it; `None` for plain text.
    pub placeable: Option<PlaceableView>,
}

/// Names a kind of placeable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub enum PlaceableView {
    /// Code.
    Code,
    /// A destination of a link.
    Link,
    /// A reference key.
    Reference,
    /// A tag.
    Tag,
    /// An emphasis mark.
    Emphasis,
    /// A placeholder.
    Placeholder,
    /// Math.
    Math,
    /// A heading id.
    Attribute,
    /// A hard line break.
    HardBreak,
    /// A number.
    Number,
    /// An address.
    Address,
}

impl From<PlaceableKind> for PlaceableView {
    fn from(kind: PlaceableKind) -> Self {
        match kind {
            PlaceableKind::Code => Self::Code,
            PlaceableKind::Link => Self::Link,
            PlaceableKind::Reference => Self::Reference,
            PlaceableKind::Tag => Self::Tag,
            PlaceableKind::Emphasis => Self::Emphasis,
            PlaceableKind::Placeholder => Self::Placeholder,
            PlaceableKind::Math => Self::Math,
            PlaceableKind::Attribute => Self::Attribute,
            PlaceableKind::HardBreak => Self::HardBreak,
            PlaceableKind::Number => Self::Number,
            PlaceableKind::Address => Self::Address,
        }
    }
}

/// Names what kind of text a unit is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub enum UnitKindView {
    /// A heading.
    Heading,
    /// A paragraph.
    Paragraph,
    /// A list item.
    ListItem,
    /// A cell.
    TableCell,
    /// A quote.
    Quote,
    /// A caption.
    Caption,
    /// A value.
    Value,
    /// A subtitle.
    Cue,
}

impl From<SegmentKind> for UnitKindView {
    fn from(kind: SegmentKind) -> Self {
        match kind {
            SegmentKind::Heading(_) => Self::Heading,
            SegmentKind::Paragraph => Self::Paragraph,
            SegmentKind::ListItem => Self::ListItem,
            SegmentKind::TableCell => Self::TableCell,
            SegmentKind::Quote => Self::Quote,
            SegmentKind::Caption => Self::Caption,
            SegmentKind::Value => Self::Value,
            SegmentKind::Cue => Self::Cue,
        }
    }
}

/// Names how far a unit is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub enum UnitStateView {
    /// Open.
    Open,
    /// A draft waits.
    Proposed,
    /// Confirmed as drafted.
    Approved,
    /// Confirmed with changes.
    Refined,
    /// Refused; will be drafted anew.
    Rejected,
}

impl From<UnitState> for UnitStateView {
    fn from(state: UnitState) -> Self {
        match state {
            UnitState::Open => Self::Open,
            UnitState::Proposed => Self::Proposed,
            UnitState::Approved => Self::Approved,
            UnitState::Refined => Self::Refined,
            UnitState::Rejected => Self::Rejected,
        }
    }
}

/// Names where a text came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub enum OriginView {
    /// A language model.
    Model,
    /// An exact match or repeat.
    ExactMatch,
    /// A fuzzy match.
    FuzzyMatch,
    /// The neural engine.
    Engine,
    /// A person.
    Hand,
    /// Nowhere: no draft.
    None,
}

impl From<Origin> for OriginView {
    fn from(origin: Origin) -> Self {
        match origin {
            Origin::Model => Self::Model,
            Origin::ExactMatch => Self::ExactMatch,
            Origin::FuzzyMatch => Self::FuzzyMatch,
            Origin::Engine => Self::Engine,
            Origin::Hand => Self::Hand,
            Origin::None => Self::None,
        }
    }
}

/// Shows one finding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct IssueView {
    /// What was found.
    pub kind: IssueKindView,
    /// Whether approving it must be confirmed.
    pub blocking: bool,
    /// Texts that the target lacks.
    pub missing: Vec<String>,
    /// Texts that the target has and the source lacks.
    pub extra: Vec<String>,
    /// The target with the fault taken out.
    pub suggestion: Option<String>,
    /// Names the finding on its text, so that it can be set aside.
    pub fingerprint: String,
    /// Whether the person set it aside for this text.
    pub dismissed: bool,
}

impl From<&Issue> for IssueView {
    fn from(issue: &Issue) -> Self {
        Self {
            kind: issue.kind.into(),
            blocking: issue.severity == Severity::Blocking,
            missing: issue.missing.clone(),
            extra: issue.extra.clone(),
            suggestion: issue.suggestion.clone(),
            fingerprint: issue.fingerprint(),
            dismissed: false,
        }
    }
}

/// Names a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub enum IssueKindView {
    /// A placeholder.
    Placeholder,
    /// Protected text.
    Protected,
    /// Markup.
    Markup,
    /// A number.
    Number,
    /// Equals the source.
    Echo,
    /// Wrong language.
    Language,
    /// Talks about the translation.
    Commentary,
    /// Holds the model's thoughts.
    Reasoning,
    /// Refuses.
    Refusal,
    /// Ends early.
    Truncated,
    /// Repeats itself.
    Repetition,
    /// Far longer or shorter.
    Length,
    /// A term not met.
    Term,
    /// A term translated as it must not be.
    ForbiddenTerm,
    /// A bracket or quote alone.
    Brackets,
    /// Another punctuation mark at the end.
    Ending,
    /// Blanks doubled or changed.
    Spacing,
    /// A word twice in a row.
    DoubledWord,
    /// Longer than allowed.
    TooLong,
    /// Letters of the source's script.
    SourceScript,
    /// A plural form of the target's language.
    PluralForms,
    /// The key of a menu or button.
    Accelerator,
    /// No draft.
    NoDraft,
    /// An earlier unit was passed over.
    Gap,
    /// Drafted before the last correction.
    Outdated,
}

impl From<IssueKind> for IssueKindView {
    fn from(kind: IssueKind) -> Self {
        match kind {
            IssueKind::Placeholder => Self::Placeholder,
            IssueKind::Protected => Self::Protected,
            IssueKind::Markup => Self::Markup,
            IssueKind::Number => Self::Number,
            IssueKind::Echo => Self::Echo,
            IssueKind::Language => Self::Language,
            IssueKind::Commentary => Self::Commentary,
            IssueKind::Reasoning => Self::Reasoning,
            IssueKind::Refusal => Self::Refusal,
            IssueKind::Truncated => Self::Truncated,
            IssueKind::Repetition => Self::Repetition,
            IssueKind::Length => Self::Length,
            IssueKind::Term => Self::Term,
            IssueKind::ForbiddenTerm => Self::ForbiddenTerm,
            IssueKind::Brackets => Self::Brackets,
            IssueKind::Ending => Self::Ending,
            IssueKind::Spacing => Self::Spacing,
            IssueKind::DoubledWord => Self::DoubledWord,
            IssueKind::TooLong => Self::TooLong,
            IssueKind::SourceScript => Self::SourceScript,
            IssueKind::PluralForms => Self::PluralForms,
            IssueKind::Accelerator => Self::Accelerator,
            IssueKind::NoDraft => Self::NoDraft,
            IssueKind::Gap => Self::Gap,
            IssueKind::Outdated => Self::Outdated,
        }
    }
}

/// Shows what a person changed in a draft, and what would be found in the result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct DiffView {
    /// Pieces in reading order.
    pub pieces: Vec<DiffPieceView>,
    /// Findings on the changed text.
    pub issues: Vec<IssueView>,
    /// The changed text in pieces, placeables marked; they join to it.
    pub parts: Vec<PartView>,
    /// The source in pieces, placeables and terms marked; they join to it.
    pub source_parts: Vec<SourcePartView>,
    /// Terms of the source, and how the changed text deals with them.
    pub terms: Vec<UnitTermView>,
}

/// Shows a piece of a source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct SourcePartView {
    /// The piece.
    pub text: String,
    /// What must survive in it; `None` for plain text.
    pub placeable: Option<PlaceableView>,
    /// Which of the terms it is a part of, from 0.
    pub term: Option<usize>,
}

/// Shows a piece of a diff.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct DiffPieceView {
    /// What happened to it.
    pub kind: DiffKindView,
    /// The text.
    pub text: String,
}

/// Names what happened to a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub enum DiffKindView {
    /// In both.
    Equal,
    /// Only in the draft.
    Removed,
    /// Only in the changed text.
    Added,
}

/// Converts a diff of the core.
pub fn diff_pieces(diff: &TargetDiff) -> Vec<DiffPieceView> {
    let kind = |kind| match kind {
        DiffKind::Equal => DiffKindView::Equal,
        DiffKind::Removed => DiffKindView::Removed,
        DiffKind::Added => DiffKindView::Added,
    };
    diff.pieces
        .iter()
        .map(|piece| DiffPieceView {
            kind: kind(piece.kind),
            text: piece.text.clone(),
        })
        .collect()
}
