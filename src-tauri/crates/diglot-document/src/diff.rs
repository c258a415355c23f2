//! Word edits between a draft and what a person made of it.

use serde::{Deserialize, Serialize};
use similar::{ChangeTag, TextDiff};
use unicode_segmentation::UnicodeSegmentation;

/// Words of both texts, multiplied, up to which they are compared word by word; of larger ones what differs between the
/// same beginning and the same end counts as replaced. A bound on size and not on time, since memory learns from the
/// diff, and the same decision must teach the same on a busy machine.
const COMPARED: usize = 2_000 * 2_000;

/// Tells what happened to a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum DiffKind {
    /// In both.
    Equal,
    /// Only in the draft.
    Removed,
    /// Only in the final text.
    Added,
}

/// Holds a run of text with one fate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DiffPiece {
    /// What happened.
    pub kind: DiffKind,
    /// The text; never empty.
    pub text: String,
}

/// Holds the pieces in reading order: the `Equal` and `Removed` ones join to the draft, the `Equal`
/// and `Added` ones to the final text.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TargetDiff {
    /// In order, neighbours differ in kind, may be empty.
    pub pieces: Vec<DiffPiece>,
}

impl TargetDiff {
    /// Compares two texts by words, and by single characters in scripts without spaces.
    pub fn between(draft: &str, target: &str) -> Self {
        let (old, new) = (words(draft), words(target));
        let mut result = Self::default();
        if old.len().saturating_mul(new.len()) > COMPARED {
            result.replace_middle(&old, &new);
            return result;
        }
        let diff = TextDiff::configure().diff_slices(&old, &new);
        for change in diff.iter_all_changes() {
            let kind = match change.tag() {
                ChangeTag::Equal => DiffKind::Equal,
                ChangeTag::Delete => DiffKind::Removed,
                ChangeTag::Insert => DiffKind::Added,
            };
            result.push(kind, change.value());
        }
        result
    }

    /// Tells whether draft and final text are the same.
    pub fn is_unchanged(&self) -> bool {
        self.pieces
            .iter()
            .all(|piece| piece.kind == DiffKind::Equal)
    }

    /// Writes the diff as one text with `[-removed-]` and `{+added+}`, for a prompt.
    pub fn to_marked_text(&self) -> String {
        let mut text = String::new();
        for piece in &self.pieces {
            let (open, close) = match piece.kind {
                DiffKind::Equal => ("", ""),
                DiffKind::Removed => ("[-", "-]"),
                DiffKind::Added => ("{+", "+}"),
            };
            text.push_str(open);
            text.push_str(&piece.text);
            text.push_str(close);
        }
        text
    }

    /// Takes what stands between the same beginning and the same end as replaced.
    fn replace_middle(&mut self, old: &[&str], new: &[&str]) {
        let n_shared = |pairs: &mut dyn Iterator<Item = (&&str, &&str)>| {
            pairs.take_while(|(old, new)| old == new).count()
        };
        let head = n_shared(&mut old.iter().zip(new));
        let (old_rest, new_rest) = (&old.split_at(head).1, &new.split_at(head).1);
        let tail = n_shared(&mut old_rest.iter().rev().zip(new_rest.iter().rev()));
        let (removed, end) = old_rest.split_at(old_rest.len() - tail);
        let (added, _) = new_rest.split_at(new_rest.len() - tail);
        for (kind, words) in [
            (DiffKind::Equal, old.split_at(head).0),
            (DiffKind::Removed, removed),
            (DiffKind::Added, added),
            (DiffKind::Equal, end),
        ] {
            for word in words {
                self.push(kind, word);
            }
        }
    }

    fn push(&mut self, kind: DiffKind, text: &str) {
        match self.pieces.last_mut() {
            Some(last) if last.kind == kind => last.text.push_str(text),
            Some(_) | None => self.pieces.push(DiffPiece {
                kind,
                text: text.to_owned(),
            }),
        }
    }
}

/// Divides a text into words, blanks and marks; a run of a script without spaces into clusters.
fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    for word in text.split_word_bounds() {
        if word.chars().any(is_unspaced) {
            words.extend(word.graphemes(true));
        } else {
            words.push(word);
        }
    }
    words
}

/// Tells whether a character belongs to a script whose word bounds are no words: kana, and the
/// letters that Unicode's rules keep together although no space divides them.
fn is_unspaced(c: char) -> bool {
    matches!(
        c,
        '\u{0E00}'..='\u{0EFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}'
            | '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}'
            | '\u{FF66}'..='\u{FF9D}' | '\u{20000}'..='\u{3FFFF}'
    )
}

#[cfg(test)]
mod tests;
