//! A folder as the screen shows it.

use diglot_document::Untranslatable;
use serde::Serialize;
use ts_rs::TS;

use super::session::SessionSummary;

/// Shows an opened folder, a page of its files, and the sessions that it has.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct ProjectView {
    /// Names the project in commands; the same folder has the same id.
    pub id: String,
    /// Last part of the path.
    pub name: String,
    /// Absolute path.
    pub path: String,
    /// Language of the text, as detected; a BCP 47 tag.
    pub source_language: Option<String>,
    /// Files of this page, in document order.
    pub files: Vec<FileView>,
    /// Position of the first, from 0.
    pub offset: usize,
    /// Files in all.
    pub n_files: usize,
    /// Files that can be translated.
    pub n_documents: usize,
    /// Names that were not entered: hidden, ignored, dependency and build folders; bounded.
    pub left_out: Vec<String>,
    /// Sessions of this folder, newest first.
    pub sessions: Vec<SessionSummary>,
    /// Whether the whole folder was gone through; until then the counts grow, and `projectChanged` tells when it was.
    pub is_whole: bool,
}

/// Shows one file.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct FileView {
    /// Relative path with `/`.
    pub path: String,
    /// Name of its format, in English; `None` when it cannot be translated.
    pub format: Option<String>,
    /// Why it cannot be translated.
    pub reason: Option<ReasonView>,
    /// Size in bytes.
    #[ts(type = "number")]
    pub n_bytes: u64,
    /// Units in it; `None` until it was read.
    pub n_units: Option<usize>,
    /// Units that a person confirmed in the session at hand.
    pub n_confirmed: Option<usize>,
}

/// Names why a file cannot be translated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub enum ReasonView {
    /// No format of ours.
    UnknownFormat,
    /// No text.
    Binary,
    /// Too large.
    TooLarge,
    /// A link, a device.
    NotAFile,
    /// Not readable.
    Unreadable,
    /// A program's settings.
    Settings,
    /// Its structure is broken.
    Damaged,
    /// Behind a password.
    Encrypted,
    /// Its format is switched off.
    SwitchedOff,
    /// Readable, and holds nothing to translate.
    Empty,
}

impl From<Untranslatable> for ReasonView {
    fn from(reason: Untranslatable) -> Self {
        match reason {
            Untranslatable::UnknownFormat => Self::UnknownFormat,
            Untranslatable::Binary => Self::Binary,
            Untranslatable::TooLarge => Self::TooLarge,
            Untranslatable::NotAFile => Self::NotAFile,
            Untranslatable::Unreadable => Self::Unreadable,
            Untranslatable::Settings => Self::Settings,
            Untranslatable::Damaged => Self::Damaged,
            Untranslatable::Encrypted => Self::Encrypted,
            Untranslatable::SwitchedOff => Self::SwitchedOff,
        }
    }
}

/// Shows what is set for the formats of a folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct RulesView {
    /// The formats that the folder has.
    pub formats: Vec<FormatRuleView>,
    /// Keys that hold no text, although they look like it: a key, the end of a path, `*` for any one key.
    pub keys_out: Vec<String>,
    /// Keys that hold text, although they do not look like it.
    pub keys_in: Vec<String>,
    /// Columns of tables that hold text: names in the first row, or numbers from 1.
    pub columns: Vec<String>,
    /// Further attributes of tags that hold text.
    pub attributes: Vec<String>,
}

/// Shows a format of a folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct FormatRuleView {
    /// Names it in commands.
    pub id: String,
    /// Its name, in English.
    pub name: String,
    /// Files of it.
    pub n_files: usize,
    /// Whether they are translated.
    pub is_on: bool,
}
