//! The formats and how a file is recognised as one. Must not know what a format's syntax is: that
//! is its own file's.
//!
//! A new format is one file in `format/`, and here: an arm of [`Format`], its line in [`TABLE`], an
//! arm in [`Format::read`], and where its texts are coded, an arm of [`Notation`].

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
mod xml;
mod yaml;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::encoding::Mark;
use crate::segment::{Edit, Piece};
use crate::shown::Place;
use crate::{LanguageTag, Rules};

pub(crate) use html::{tag_end, tag_name};
pub(crate) use markdown::{TABLE_OF_CONTENTS, is_module_line};
pub(crate) use plain::{bullet_length, is_indented_start, is_rule};
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
            Self::Markdown | Self::Html | Self::Epub | Self::ReStructuredText | Self::AsciiDoc
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
        match self {
            Self::Epub => epub::members(bytes),
            Self::Notebook => notebook::members(bytes),
            Self::Markdown
            | Self::PlainText
            | Self::Json
            | Self::Html
            | Self::Yaml
            | Self::Toml
            | Self::ReStructuredText
            | Self::AsciiDoc
            | Self::Latex
            | Self::Po
            | Self::Xliff
            | Self::QtTs
            | Self::Properties
            | Self::AppleStrings
            | Self::AppleStringsDict
            | Self::AndroidStrings
            | Self::DotNetResources
            | Self::Csv
            | Self::SubRip
            | Self::WebVtt
            | Self::SubStation => Ok(vec![Member {
                index: 0,
                name: String::new(),
                bytes: bytes.into(),
            }]),
            Self::Word | Self::PowerPoint | Self::Excel => office::members(self, bytes),
            Self::OpenDocument => open_document::members(bytes),
        }
    }

    /// Makes the bytes of a file from those of its changed members.
    pub(crate) fn assemble(self, bytes: &[u8], members: Vec<(usize, Vec<u8>)>) -> Vec<u8> {
        match self {
            Self::Epub | Self::Word | Self::PowerPoint | Self::Excel | Self::OpenDocument => {
                package::rebuild(bytes, &members)
            }
            Self::Notebook => notebook::assemble(bytes, &members),
            Self::Markdown
            | Self::PlainText
            | Self::Json
            | Self::Html
            | Self::Yaml
            | Self::Toml
            | Self::ReStructuredText
            | Self::AsciiDoc
            | Self::Latex
            | Self::Po
            | Self::Xliff
            | Self::QtTs
            | Self::Properties
            | Self::AppleStrings
            | Self::AppleStringsDict
            | Self::AndroidStrings
            | Self::DotNetResources
            | Self::Csv
            | Self::SubRip
            | Self::WebVtt
            | Self::SubStation => {
                let only = members.into_iter().next();
                only.map(|(_, bytes)| bytes).unwrap_or_default()
            }
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
    fn of(mut pieces: Vec<Piece>) -> Self {
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

/// Names how a format writes a text whose escapes are not shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Notation {
    /// A string of JSON between the given quotes.
    Json(char),
    /// A scalar of YAML.
    Yaml(yaml::Style),
    /// A string of TOML.
    Toml(toml::Style),
    /// Text between tags of XML.
    Xml,
    /// The value of an attribute of XML, in its quotes.
    XmlAttribute(char),
    /// Text or an attribute of HTML.
    Html(html::Way),
    /// The title of a reStructuredText section, with the lines that mark it.
    RstTitle,
    /// The title of an AsciiDoc section, with the line below it.
    AdocTitle,
    /// The strings of a PO entry.
    Po(po::Habit),
    /// The runs of a paragraph of an office file.
    Runs(runs::Blanks),
    /// A value of Java properties.
    Properties,
    /// A string of Apple's, between the given quotes.
    Strings(char),
    /// The content of an XML element, whose references are not shown.
    XmlValue,
    /// The content of a CDATA section.
    CData,
    /// A text of Android.
    Android(android::Android),
    /// A cell of a table.
    Csv(csv::Quoting),
    /// The text of a cue.
    Cue(subtitle::Cues),
    /// The text of a line of dialogue.
    Dialogue,
}

impl Notation {
    /// Tells whether an escape is the usual way to write what the encoding cannot hold, so that nobody
    /// needs to be asked.
    pub(crate) fn escapes_by_itself(self) -> bool {
        matches!(self, Self::Properties)
    }

    /// Writes a target, trimmed, in the place of its source. What it writes reads back as the target.
    pub(crate) fn write(self, place: &Place<'_>, target: &str) -> String {
        match self {
            Self::Json(quote) => json::write(place, target, quote),
            Self::Yaml(style) => yaml::write(place, target, style),
            Self::Toml(style) => toml::write(place, target, style),
            Self::Xml => xml::write(place, target),
            Self::XmlAttribute(quote) => xml::write_attribute(place, target, quote),
            Self::Html(way) => html::write(place, target, way),
            Self::RstTitle => rst::write_title(place, target),
            Self::AdocTitle => asciidoc::write_title(place, target),
            Self::Po(habit) => po::write(place, target, habit),
            Self::Runs(blanks) => runs::write(blanks, place, target),
            Self::Properties => properties::write(place, target),
            Self::Strings(quote) => strings::write(place, target, quote),
            Self::XmlValue => resource::write(place, target),
            Self::CData => resource::write_cdata(place, target),
            Self::Android(form) => android::write(place, target, form),
            Self::Csv(quoting) => csv::write(place, target, quoting),
            Self::Cue(cues) => subtitle::write(place, target, cues),
            Self::Dialogue => ass::write(place, target),
        }
    }
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
