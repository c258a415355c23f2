//! The text model: bytes in, values out. Owns encodings, segments, placeables, checks, diffs and the
//! exact way back to bytes. Must not know a file system, a clock, a model or a screen.

pub mod align;
pub mod check;
pub mod diff;
mod divide;
pub mod document;
pub mod encoding;
pub mod format;
pub mod language;
pub mod locate;
pub mod placeable;
pub mod render;
pub mod rules;
pub mod segment;
mod shown;
mod splice;
pub mod term;
mod text;
pub mod unit;

pub use align::{Twin, align};
pub use check::{CheckContext, Inconsistency, Issue, IssueKind, Severity, check, consistency};
pub use diff::{DiffKind, DiffPiece, TargetDiff};
pub use document::{Document, ParseOptions, Problem, SOFT_LIMIT};
pub use encoding::{TextEncoding, encodings};
pub use format::{Format, MAX_BYTES, Untranslatable};
pub use language::{LanguagePair, LanguageTag, LanguageTagError};
pub use locate::{Location, Refusal, locate};
pub use placeable::{Placeable, PlaceableKind, placeables};
pub use render::{
    Unencodable, WhenMissing, has_escapes, missing_characters, render_target, render_target_with,
};
pub use rules::Rules;
pub use segment::{Hints, Segment, SegmentKind, Span};
pub use term::{CheckedTerm, FoundTerm, TermForm, TermState, TermStatus, review_terms};
pub use text::shorten;
pub use unit::{Origin, UnitState};
