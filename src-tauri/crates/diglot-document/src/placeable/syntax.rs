//! Which ways of writing are in play in the units of a format. The only place where placeables and
//! checks ask for the format; must not know how a syntax is read.

use crate::Format;

/// Says what a unit's text may hold besides what any text may: placeholders, tags and numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Syntaxes {
    /// Which parser tells the inline markup.
    pub(crate) markup: Markup,
    /// Running text that a reader sees with blanks and line breaks of no weight. Else a string of
    /// a program, in which each blank counts and `&` may mark a menu key.
    pub(crate) is_prose: bool,
    /// Entities such as `&nbsp;`.
    pub(crate) has_entities: bool,
    /// Tags whose attributes a target may change where they are read, such as `alt`.
    pub(crate) shows_tags: bool,
}

/// Names inline markup that only a parser can tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Markup {
    /// None but code between backticks.
    Backticks,
    /// None but tags and entities.
    Tags,
    /// Emphasis, links, code spans and blocks of Markdown.
    Markdown,
    /// Roles, references and emphasis of reStructuredText.
    ReStructuredText,
    /// Formatting marks, macros and references of AsciiDoc.
    AsciiDoc,
    /// Commands, formulas and comments of LaTeX.
    Latex,
    /// Tags and override blocks of subtitles.
    Cue,
    /// Elements of XLIFF that hold code of another format.
    Xliff,
}

impl Syntaxes {
    /// Returns the syntaxes of a format; one that is not named here holds strings of a program.
    pub(crate) fn of(format: Format) -> Self {
        let is_cue = matches!(format, Format::SubRip | Format::WebVtt | Format::SubStation);
        let markup = if matches!(format, Format::Markdown | Format::Notebook) {
            Markup::Markdown
        } else if matches!(format, Format::ReStructuredText) {
            Markup::ReStructuredText
        } else if matches!(format, Format::AsciiDoc) {
            Markup::AsciiDoc
        } else if matches!(format, Format::Html | Format::Epub) {
            Markup::Tags
        } else if matches!(format, Format::Latex) {
            Markup::Latex
        } else if is_cue {
            Markup::Cue
        } else if matches!(format, Format::Xliff) {
            Markup::Xliff
        } else {
            Markup::Backticks
        };
        let is_plain = matches!(
            format,
            Format::PlainText
                | Format::Word
                | Format::PowerPoint
                | Format::Excel
                | Format::OpenDocument
                | Format::ReStructuredText
                | Format::Latex
        );
        Self {
            markup,
            is_prose: is_plain
                || is_cue
                || matches!(
                    format,
                    Format::Markdown
                        | Format::Notebook
                        | Format::Html
                        | Format::Epub
                        | Format::AsciiDoc
                ),
            has_entities: !is_plain,
            shows_tags: matches!(markup, Markup::Markdown | Markup::Tags),
        }
    }

    /// Tells whether Markdown's rules hold.
    pub(crate) fn is_markdown(self) -> bool {
        self.markup == Markup::Markdown
    }
}
