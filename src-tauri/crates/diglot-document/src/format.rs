//! The formats and how a file is recognised as one. Must not know what a format's syntax is: that
//! is its own file's.
//!
//! A new format is one file in `format/`, and here: an arm of [`Format`], its line in the table, an arm
//! in its `read`, and where its texts are coded, an arm of `Notation`.

mod alt;
mod android;
pub(crate) mod asciidoc;
mod ass;
mod bilingual;
mod csv;
mod epub;
mod front_matter;
mod html;
mod json;
mod keyed;
pub(crate) mod latex;
mod markdown;
mod notation;
mod notebook;
mod office;
mod open_document;
mod package;
mod plain;
mod plural;
mod po;
#[cfg(test)]
mod proof;
mod properties;
mod qt;
mod reading;
mod resource;
mod resx;
pub(crate) mod rows;
pub(crate) mod rst;
mod runs;
mod strings;
mod stringsdict;
mod subtitle;
mod toml;
mod xliff;
pub(crate) mod xml;
mod yaml;

use serde::{Deserialize, Serialize};

use crate::encoding::Mark;

pub(crate) use html::{tag_end, tag_name};
pub(crate) use markdown::{TABLE_OF_CONTENTS, is_module_line};
pub(crate) use notation::Notation;
pub(crate) use plain::{bullet_length, is_indented_start, is_rule};
pub(crate) use reading::{Member, ReadOptions, Reading};
pub(crate) use subtitle::Cues;
pub(crate) use toml::Style as TomlStyle;
pub(crate) use yaml::Style;

/// Names a format that Diglot translates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Format {
    /// CommonMark with GitHub's tables, task lists, footnotes, front matter, math and admonitions.
    Markdown,
    /// Paragraphs set apart by blank lines.
    PlainText,
    /// String values of JSON, with or without comments.
    Json,
    /// HTML and XHTML, with or without the marks of a template engine.
    Html,
    /// Books of EPUB 2 and 3.
    Epub,
    /// String values of YAML.
    Yaml,
    /// String values of TOML.
    Toml,
    /// Markdown cells of Jupyter's notebooks.
    Notebook,
    /// reStructuredText, with the directives of docutils and Sphinx.
    ReStructuredText,
    /// AsciiDoc, as Asciidoctor reads it.
    AsciiDoc,
    /// LaTeX: its paragraphs, and the commands that hold text.
    Latex,
    /// Keys and values of Java.
    Properties,
    /// Keys and values of Apple's systems.
    AppleStrings,
    /// Plural forms of Apple's systems.
    AppleStringsDict,
    /// String resources of Android.
    AndroidStrings,
    /// String resources of .NET.
    DotNetResources,
    /// Tables in text, of which some columns hold text.
    Csv,
    /// Subtitles with numbered cues.
    SubRip,
    /// Subtitles of the web.
    WebVtt,
    /// Subtitles with styles, of SubStation Alpha and its successors.
    SubStation,
    /// Catalogues of gettext, and their templates.
    Po,
    /// Documents of Word: paragraphs, cells, headers, footers, notes and alternative texts.
    Word,
    /// Presentations of PowerPoint: slides, their notes, tables, charts and alternative texts.
    PowerPoint,
    /// Workbooks of Excel: texts of cells, comments, charts and what is asked of an input.
    Excel,
    /// Texts, presentations and tables of OpenDocument.
    OpenDocument,
    /// XLIFF 1.2, 2.0 and 2.1.
    Xliff,
    /// Translation sources of Qt Linguist.
    QtTs,
}

/// A format's name for people and models, and the endings of its files.
struct Row(Format, &'static str, &'static [&'static str]);

const TABLE: &[Row] = &[
    Row(
        Format::Markdown,
        "Markdown",
        &["md", "markdown", "mdown", "mkd", "mkdn", "mdx"],
    ),
    Row(Format::PlainText, "plain text", &["txt", "text"]),
    Row(Format::Json, "JSON", &["json", "jsonc", "json5", "arb"]),
    Row(Format::Html, "HTML", &["html", "htm", "xhtml", "xht"]),
    Row(Format::Epub, "EPUB", &["epub"]),
    Row(Format::Yaml, "YAML", &["yaml", "yml"]),
    Row(Format::Toml, "TOML", &["toml"]),
    Row(Format::Notebook, "Jupyter notebook", &["ipynb"]),
    Row(
        Format::ReStructuredText,
        "reStructuredText",
        &["rst", "rest"],
    ),
    Row(Format::AsciiDoc, "AsciiDoc", &["adoc", "asciidoc", "asc"]),
    Row(Format::Latex, "LaTeX", &["tex", "latex", "ltx"]),
    Row(Format::Po, "gettext PO", &["po", "pot"]),
    Row(Format::Word, "Word", &["docx", "docm", "dotx", "dotm"]),
    Row(
        Format::PowerPoint,
        "PowerPoint",
        &["pptx", "pptm", "ppsx", "ppsm", "potx", "potm"],
    ),
    Row(Format::Excel, "Excel", &["xlsx", "xlsm", "xltx", "xltm"]),
    Row(
        Format::OpenDocument,
        "OpenDocument",
        &["odt", "ott", "odp", "otp", "ods", "ots"],
    ),
    Row(Format::Properties, "Java properties", &["properties"]),
    Row(Format::AppleStrings, "Apple strings", &["strings"]),
    Row(
        Format::AppleStringsDict,
        "Apple stringsdict",
        &["stringsdict"],
    ),
    Row(Format::AndroidStrings, "Android strings", &["xml"]),
    Row(Format::DotNetResources, ".NET resources", &["resx", "resw"]),
    Row(Format::Csv, "CSV", &["csv", "tsv", "tab"]),
    Row(Format::SubRip, "SubRip", &["srt"]),
    Row(Format::WebVtt, "WebVTT", &["vtt"]),
    Row(Format::SubStation, "SubStation Alpha", &["ass", "ssa"]),
    Row(Format::Xliff, "XLIFF", &["xlf", "xliff"]),
    Row(Format::QtTs, "Qt Linguist", &["ts"]),
];

/// So many bytes of a file are enough to tell its format where the ending does not.
pub const HEAD_BYTES: usize = 4096;

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
    /// A program's settings or a tool's own file, by its name.
    Settings,
    /// A package or a file whose structure is broken.
    Damaged,
    /// A package behind a password.
    Encrypted,
    /// A format that the person switched off.
    SwitchedOff,
}

/// Longest file that is opened, in bytes (RELIABILITY rule 7).
pub const MAX_BYTES: u64 = 64 * 1024 * 1024;

impl Format {
    /// Recognises a format by the file's name alone. Where [`Format::needs_content`] says so, it is a
    /// first guess.
    ///
    /// # Errors
    /// `UnknownFormat` when no format claims the ending; `Settings` for a program's own files.
    pub fn from_path(path: &str) -> Result<Self, Untranslatable> {
        let found = rows(path).next();
        found.map_or(Err(Untranslatable::UnknownFormat), |row| {
            row.0.unless_settings(path)
        })
    }

    /// Recognises a format by the file's name and its first [`HEAD_BYTES`]; more may be given.
    ///
    /// # Errors
    /// `UnknownFormat` when no format claims the ending with such a content; `Settings` for a
    /// program's own files.
    pub fn detect(path: &str, head: &[u8]) -> Result<Self, Untranslatable> {
        let found = rows(path).find(|row| row.0.fits(head));
        found.map_or(Err(Untranslatable::UnknownFormat), |row| {
            row.0.unless_settings(path)
        })
    }

    fn unless_settings(self, path: &str) -> Result<Self, Untranslatable> {
        let keyed = matches!(self, Self::Json | Self::Yaml | Self::Toml);
        if keyed && keyed::settings::is_program_file(path) {
            Err(Untranslatable::Settings)
        } else {
            Ok(self)
        }
    }

    /// Tells whether files with this ending may be of a format of ours, or of several, or of none,
    /// so that [`Format::detect`] is needed.
    pub fn needs_content(path: &str) -> bool {
        rows(path).any(|row| row.0.is_shared())
    }

    /// Returns the format's own name, in English.
    pub fn name(self) -> &'static str {
        let row = TABLE.iter().find(|row| row.0 == self);
        row.map_or("", |row| row.1)
    }

    /// Lists all formats.
    pub fn all() -> impl Iterator<Item = Self> {
        TABLE.iter().map(|row| row.0)
    }

    /// Tells whether a line break in a unit is a part of its text, and not only the end of a line in
    /// the file.
    pub fn keeps_line_breaks(self) -> bool {
        !matches!(
            self,
            Self::Markdown
                | Self::Html
                | Self::Epub
                | Self::ReStructuredText
                | Self::AsciiDoc
                | Self::Latex
        )
    }

    /// Tells whether a file of it holds source and target side by side.
    pub fn is_bilingual(self) -> bool {
        matches!(self, Self::Po | Self::Xliff | Self::QtTs)
    }

    /// Says whether a file of it that becomes UTF-8 needs a mark to be read as such.
    pub(crate) fn utf8_mark(self) -> Mark {
        if matches!(
            self,
            Self::PlainText | Self::Csv | Self::SubRip | Self::SubStation
        ) {
            Mark::WhereSilent
        } else {
            Mark::None
        }
    }

    /// Returns the encoding of a file of it that is not UTF-8 and names none.
    pub(crate) fn default_encoding(self) -> Option<&'static str> {
        matches!(self, Self::Properties).then_some("ISO-8859-1")
    }

    /// Tells whether a file of it is a zip archive of several.
    fn is_package(self) -> bool {
        matches!(
            self,
            Self::Epub | Self::Word | Self::PowerPoint | Self::Excel | Self::OpenDocument
        )
    }

    /// Tells whether others use the ending for something else.
    fn is_shared(self) -> bool {
        matches!(self, Self::AndroidStrings | Self::QtTs)
    }

    /// Tells whether the beginning of a file looks like the format, where the ending is shared.
    fn fits(self, head: &[u8]) -> bool {
        if matches!(self, Self::QtTs) {
            return qt::fits(head);
        }
        !matches!(self, Self::AndroidStrings) || android::fits(head)
    }

    /// Returns the texts of a file: the file itself, or the members of a package that hold text.
    pub(crate) fn members(self, bytes: &[u8]) -> Result<Vec<Member>, Untranslatable> {
        if matches!(self, Self::Word | Self::PowerPoint | Self::Excel) {
            office::members(self, bytes)
        } else if self == Self::OpenDocument {
            open_document::members(bytes)
        } else if self == Self::Epub {
            epub::members(bytes)
        } else if self == Self::Notebook {
            notebook::members(bytes)
        } else {
            Ok(vec![Member {
                index: 0,
                name: String::new(),
                bytes: bytes.into(),
            }])
        }
    }

    /// Makes the bytes of a file from those of its changed members.
    pub(crate) fn assemble(self, bytes: &[u8], members: Vec<(usize, Vec<u8>)>) -> Vec<u8> {
        if self.is_package() {
            package::rebuild(bytes, &members)
        } else if self == Self::Notebook {
            notebook::assemble(bytes, &members)
        } else {
            let only = members.into_iter().next();
            only.map(|(_, bytes)| bytes).unwrap_or_default()
        }
    }

    /// Reads the translatable pieces of a text.
    pub(crate) fn read(self, text: &str, options: &ReadOptions<'_>) -> Reading {
        match self {
            Self::Markdown | Self::Notebook => markdown::read(text),
            Self::PlainText => Reading {
                pieces: plain::read(text),
                ..Reading::default()
            },
            Self::Json => json::read(text, options),
            Self::Html => html::read(text, options),
            Self::Epub => epub::read(text, options),
            Self::Yaml => yaml::read(text, options),
            Self::Toml => toml::read(text, options),
            Self::ReStructuredText => rst::read(text),
            Self::AsciiDoc => asciidoc::read(text),
            Self::Latex => latex::read(text),
            Self::Po => po::read(text, options),
            Self::Xliff => xliff::read(text, options),
            Self::QtTs => qt::read(text, options),
            Self::Word | Self::PowerPoint | Self::Excel => office::read(text, options),
            Self::OpenDocument => open_document::read(text, options),
            Self::Properties => properties::read(text, options),
            Self::AppleStrings => strings::read(text, options),
            Self::AppleStringsDict => stringsdict::read(text, options),
            Self::AndroidStrings => android::read(text, options),
            Self::DotNetResources => resx::read(text, options),
            Self::Csv => csv::read(text, options),
            Self::SubRip => subtitle::read(text, subtitle::Cues::SubRip),
            Self::WebVtt => subtitle::read(text, subtitle::Cues::WebVtt),
            Self::SubStation => ass::read(text),
        }
    }
}

/// Returns the lines of the table that claim the ending of a path.
fn rows(path: &str) -> impl Iterator<Item = &'static Row> {
    let name = path.rsplit(['/', '\\']).next().unwrap_or_default();
    let ending = name
        .rsplit_once('.')
        .map(|(_, ending)| ending.to_ascii_lowercase())
        .unwrap_or_default();
    let claims = move |row: &&Row| row.2.contains(&ending.as_str());
    TABLE.iter().filter(claims)
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
            ("i18n/de.JSON", Ok(Format::Json)),
            ("a/package.json", Err(Untranslatable::Settings)),
            ("package.json.md", Ok(Format::Markdown)),
            ("notes.md/picture.png", Err(Untranslatable::UnknownFormat)),
            ("md", Err(Untranslatable::UnknownFormat)),
            ("", Err(Untranslatable::UnknownFormat)),
        ] {
            assert_eq!(Format::from_path(path), expected, "{path}");
        }
    }
}
