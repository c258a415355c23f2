//! How formats write texts whose escapes are not shown: which file writes what. Must not know how.

use super::{
    android, asciidoc, ass, csv, html, json, po, properties, resource, rst, runs, strings,
    subtitle, toml, xml, yaml,
};
use crate::shown::Place;

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
    /// A cell of a reStructuredText table whose rows are lines with delimiters.
    RstCsv(rst::Csv),
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
            Self::RstCsv(csv) => rst::write_csv(place, target, csv),
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
