//! Terms in files: TBX and CSV, bytes in, values out, and back. Owns what of a file is taken and what not. Must not know where
//! terms are kept.

use super::{TermStatus, is_term};
use crate::LanguagePair;
use crate::encoding::{Decoded, EncodingHints};

mod csv;
mod tbx;

pub use self::csv::write_csv;
pub use tbx::{TbxVersion, write_tbx};

/// Longest term, in characters: what is longer is a sentence.
const LONGEST: usize = 500;

/// Holds one term of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FileTerm {
    /// In the source language.
    pub source: String,
    /// In the target language.
    pub target: String,
    /// What the target is to the source.
    pub status: TermStatus,
    /// Remarks, may be empty.
    pub note: String,
    /// What it means, may be empty.
    pub definition: String,
    /// The field that it belongs to, may be empty.
    pub subject: String,
    /// Names the entry that it is a part of, may be empty.
    pub concept: String,
}

/// Says why a part of a file was not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TermRefusal {
    /// It has no term in the source language.
    NoSource,
    /// It has no term in the target language.
    NoTarget,
    /// A term has no letter and no digit.
    NoLetter,
    /// A term is too long to be one.
    TooLong,
    /// Its status is none that is known.
    UnknownStatus,
}

/// Names a part of a file that was not taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefusedTerm {
    /// Its line, from 1.
    pub line: usize,
    /// What there is of it, may be empty.
    pub text: String,
    /// Why.
    pub reason: TermRefusal,
}

/// Holds what a file gave.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FileTerms {
    /// Terms in order of the file.
    pub terms: Vec<FileTerm>,
    /// What was not taken, in order of the file.
    pub refused: Vec<RefusedTerm>,
    /// Kinds of data that terms have no place for, by their names in the file, with how often they stand there; sorted.
    pub left_out: Vec<(String, usize)>,
}

/// Reports a file that gives no terms at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TermFileError {
    /// Its bytes are no text.
    #[error("the file is no text")]
    NotText,
    /// It is XML without an entry of TBX.
    #[error("the file has no entries of TBX")]
    NotTbx,
    /// Its first line names no column for the source or the target.
    #[error("the first line must name the columns source and target")]
    NoColumns,
}

/// Reads terms from a TBX or CSV file, whichever its bytes are.
///
/// # Errors
/// When it is neither.
pub fn read_terms(bytes: &[u8], languages: &LanguagePair) -> Result<FileTerms, TermFileError> {
    let hints = EncodingHints {
        chosen: None,
        language: Some(&languages.target),
        default: Some("UTF-8"),
    };
    let decoded = Decoded::new(bytes, &hints).map_err(|_| TermFileError::NotText)?;
    let text = decoded.text.trim_start_matches('\u{FEFF}');
    if text.trim_start().starts_with('<') {
        tbx::read(text, languages)
    } else {
        self::csv::read(text, languages)
    }
}

/// Says why a pair of texts cannot be a term.
fn refusal(source: &str, target: &str, languages: &LanguagePair) -> Option<TermRefusal> {
    if source.is_empty() {
        return Some(TermRefusal::NoSource);
    }
    if target.is_empty() {
        return Some(TermRefusal::NoTarget);
    }
    let is_long = |text: &str| text.chars().count() > LONGEST;
    if is_long(source) || is_long(target) {
        return Some(TermRefusal::TooLong);
    }
    let is_bare = !is_term(source, &languages.source) || !is_term(target, &languages.target);
    is_bare.then_some(TermRefusal::NoLetter)
}

/// Reads a status by the names that files have for it.
fn status(name: &str) -> Option<TermStatus> {
    let name = name.trim().to_lowercase();
    let name = name.trim_end_matches("-admn-sts").trim_end_matches("term");
    Some(match name.trim_end_matches([' ', '-', '_']) {
        "" | "preferred" | "standardized" | "legal" | "regulated" | "approved" => {
            TermStatus::Preferred
        }
        "admitted" | "allowed" | "alternative" => TermStatus::Admitted,
        "deprecated" | "superseded" | "forbidden" | "prohibited" | "not recommended" => {
            TermStatus::Forbidden
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests;
