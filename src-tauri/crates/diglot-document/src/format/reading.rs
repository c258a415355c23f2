//! What a format gets to read, and what it finds.

use std::sync::Arc;

use crate::segment::{Edit, Piece};
use crate::{LanguageTag, Rules};

/// Holds one text of a file.
#[derive(Debug)]
pub(crate) struct Member {
    /// Place among the members of a package, from 0.
    pub(crate) index: usize,
    /// Path in the package; empty for a file that is none.
    pub(crate) name: String,
    pub(crate) bytes: Arc<[u8]>,
}

/// Holds what a format may look at besides the text.
#[derive(Debug)]
pub(crate) struct ReadOptions<'a> {
    /// Path of the member in its package.
    pub(crate) member: &'a str,
    pub(crate) rules: &'a Rules,
    /// Language of the target, where the file's own words about language shall change.
    pub(crate) target: Option<&'a LanguageTag>,
    /// Longest unit in grapheme clusters, before it is divided.
    pub(crate) soft_limit: usize,
}

/// Holds what a format finds in a text.
#[derive(Debug, Default)]
pub(crate) struct Reading {
    /// In document order, disjoint.
    pub(crate) pieces: Vec<Piece>,
    /// Where something opens that never closes: ascending offsets.
    pub(crate) unclosed: Vec<usize>,
    /// What changes in the text as soon as one unit of the document is written.
    pub(crate) edits: Vec<Edit>,
    /// Units that the file itself says are finished.
    pub(crate) n_finished: usize,
}

impl Reading {
    /// Makes a reading of pieces in any order; of those that overlap, the first one stays.
    pub(super) fn of(mut pieces: Vec<Piece>) -> Self {
        pieces.sort_by_key(|piece| piece.span);
        let mut end = 0;
        pieces.retain(|piece| {
            let behind = piece.span.start >= end;
            end = end.max(piece.span.end);
            behind
        });
        Self {
            pieces,
            ..Self::default()
        }
    }
}
