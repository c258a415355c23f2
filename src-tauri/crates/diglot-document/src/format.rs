//! The formats and how a file is recognised as one. Must not know what a format's syntax is: that
//! is its own file's.

mod front_matter;
mod html;
mod markdown;
mod plain;

use serde::{Deserialize, Serialize};

use crate::segment::Piece;

pub(crate) use html::{tag_end, tag_name};
pub(crate) use markdown::{TABLE_OF_CONTENTS, is_module_line};
pub(crate) use plain::{bullet_length, is_indented_start, is_rule};

/// Names a format that Diglot translates. A new format is one file in `format/` and one arm here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Format {
    /// CommonMark with GitHub's tables, task lists, footnotes, front matter, math and admonitions.
    Markdown,
    /// Paragraphs set apart by blank lines.
    PlainText,
}

/// Says why a file cannot be translated. The sentences are the application's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Untranslatable {
    /// The name's ending belongs to no format of ours.
    UnknownFormat,
    /// The content is not text.
    Binary,
    /// Longer than [`MAX_BYTES`].
    TooLarge,
    /// Not a regular file: a link that leaves the folder, a device, a pipe.
    NotAFile,
    /// The system would not let it be read.
    Unreadable,
}

/// Longest file that is opened, in bytes (RELIABILITY rule 7).
pub const MAX_BYTES: u64 = 64 * 1024 * 1024;

impl Format {
    /// Recognises a format by the file's name alone; content is looked at by `parse`.
    ///
    /// # Errors
    /// `UnknownFormat` when no format claims the ending.
    pub fn from_path(path: &str) -> Result<Self, Untranslatable> {
        let name = path.rsplit(['/', '\\']).next().unwrap_or_default();
        let ending = name
            .rsplit_once('.')
            .map(|(_, ending)| ending.to_ascii_lowercase());
        match ending.as_deref() {
            Some("md" | "markdown" | "mdown" | "mkd" | "mkdn" | "mdx") => Ok(Self::Markdown),
            Some("txt" | "text") => Ok(Self::PlainText),
            _ => Err(Untranslatable::UnknownFormat),
        }
    }

    /// Reads the translatable pieces of a text.
    pub(crate) fn read(self, text: &str) -> Reading {
        match self {
            Self::Markdown => markdown::read(text),
            Self::PlainText => Reading {
                pieces: plain::read(text),
                unclosed: Vec::new(),
            },
        }
    }
}

/// Holds what a format finds in a text.
#[derive(Debug, Default)]
pub(crate) struct Reading {
    /// In document order, disjoint.
    pub(crate) pieces: Vec<Piece>,
    /// Where something opens that never closes: ascending offsets.
    pub(crate) unclosed: Vec<usize>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ending_names_the_format() {
        for (path, expected) in [
            ("a/README.md", Ok(Format::Markdown)),
            ("Über uns.MARKDOWN", Ok(Format::Markdown)),
            ("x.mdx", Ok(Format::Markdown)),
            ("a.b.txt", Ok(Format::PlainText)),
            ("notes.md/picture.png", Err(Untranslatable::UnknownFormat)),
            ("md", Err(Untranslatable::UnknownFormat)),
            ("", Err(Untranslatable::UnknownFormat)),
        ] {
            assert_eq!(Format::from_path(path), expected, "{path}");
        }
    }
}
