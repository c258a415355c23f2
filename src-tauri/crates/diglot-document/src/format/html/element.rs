//! What elements are and which attributes a reader sees. Must not know how tags are written.

use super::tag::Tag;
use crate::{Rules, SegmentKind};

/// Says what the text around belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    /// HTML and components inside of Markdown.
    Markdown,
    /// A document of its own, as browsers read it.
    Html,
    /// A document of its own that is XML.
    Xml,
}

/// Elements inside a sentence; any other tag ends the text before it.
const INLINE: [&str; 42] = [
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "blink", "br", "cite", "code", "data", "del",
    "dfn", "em", "font", "i", "img", "ins", "kbd", "mark", "nobr", "output", "q", "rb", "rp", "rt",
    "rtc", "ruby", "s", "samp", "small", "span", "strike", "strong", "sub", "sup", "time", "tt",
    "u", "var", "wbr",
];

/// Elements inside a sentence in documents alone: parts of a drawing's text, controls.
const INLINE_IN_DOCUMENTS: [&str; 4] = ["input", "textpath", "tspan", "tref"];

/// Elements with nothing to translate inside.
const CLOSED: [&str; 2] = ["math", "pre"];

/// Elements of Markdown with nothing to translate inside: what fills them is not the text's author.
const CLOSED_IN_MARKDOWN: [&str; 3] = ["svg", "template", "textarea"];

/// Inline elements whose text is no prose.
const CODE: [&str; 5] = ["code", "kbd", "samp", "tt", "var"];

const VOID: [&str; 14] = [
    "area", "base", "br", "col", "embed", "frame", "hr", "img", "input", "link", "meta", "source",
    "track", "wbr",
];

/// Elements that another of their kind ends, or the end of what is around them.
const OPTIONAL_END: [&str; 12] = [
    "body", "dd", "dt", "html", "li", "optgroup", "option", "p", "tbody", "td", "th", "tr",
];

/// Attributes of any element whose value a reader sees or hears.
const SPOKEN: [&str; 10] = [
    "alt",
    "aria-braillelabel",
    "aria-description",
    "aria-label",
    "aria-placeholder",
    "aria-roledescription",
    "aria-valuetext",
    "placeholder",
    "summary",
    "title",
];

/// Attributes of components whose value a reader sees.
const SHOWN: [&str; 6] = [
    "caption",
    "description",
    "heading",
    "label",
    "subtitle",
    "tagline",
];

/// What `name` or `property` of a `<meta>` says of a text for readers.
const META: [&str; 11] = [
    "apple-mobile-web-app-title",
    "application-name",
    "description",
    "keywords",
    "og:description",
    "og:image:alt",
    "og:site_name",
    "og:title",
    "twitter:description",
    "twitter:image:alt",
    "twitter:title",
];

impl Dialect {
    pub(super) fn is_document(self) -> bool {
        self != Self::Markdown
    }

    pub(super) fn is_inline(self, name: &str) -> bool {
        // Elements of other vocabularies, such as a word processor's, mark a place in a sentence.
        let foreign = name.contains(':') && !is_drawing(name);
        let document = || INLINE_IN_DOCUMENTS.contains(&name) || foreign;
        INLINE.contains(&name) || self.is_document() && document()
    }

    /// Tells whether nothing inside an element is for a translator.
    pub(super) fn is_closed(self, name: &str) -> bool {
        let local = local_name(name);
        let markdown = self == Self::Markdown && CLOSED_IN_MARKDOWN.contains(&local);
        CLOSED.contains(&local) || markdown
    }

    /// Tells whether an attribute's value is for readers.
    pub(super) fn is_spoken(
        self,
        tag: &Tag<'_>,
        text: &str,
        attribute: &str,
        rules: &Rules,
    ) -> bool {
        let attribute = attribute.to_ascii_lowercase();
        let named = |list: &[&str]| list.contains(&attribute.as_str());
        if rules
            .attributes
            .iter()
            .any(|rule| rule.eq_ignore_ascii_case(&attribute))
        {
            return true;
        }
        if self == Self::Markdown {
            return named(&["alt", "aria-label", "placeholder", "summary", "title"])
                || named(&SHOWN);
        }
        let name = tag.name();
        let said = |of: &str| {
            let value = tag
                .value(of)
                .map(|span| span.of(text).trim().to_ascii_lowercase());
            value.unwrap_or_default()
        };
        match name.as_str() {
            "meta" => {
                named(&["content"])
                    && ["name", "property", "itemprop"]
                        .iter()
                        .any(|of| META.contains(&said(of).as_str()))
            }
            "link" | "style" => false,
            "input" if named(&["value"]) => {
                matches!(said("type").as_str(), "button" | "reset" | "submit")
            }
            "input" if named(&["alt"]) => said("type") == "image",
            "menuitem" | "optgroup" | "option" | "track" if named(&["label"]) => true,
            "table" => named(&SPOKEN),
            _ if attribute == "summary" => name.contains('-'),
            _ => named(&SPOKEN) || name.contains('-') && named(&SHOWN),
        }
    }
}

pub(super) fn is_code(name: &str) -> bool {
    CODE.contains(&name)
}

pub(super) fn is_void(name: &str) -> bool {
    VOID.contains(&name)
}

pub(super) fn has_optional_end(name: &str) -> bool {
    OPTIONAL_END.contains(&name)
}

/// Tells whether a void element at the edge of a text is no part of it.
pub(super) fn is_break(name: &str) -> bool {
    matches!(name, "br" | "img" | "input" | "wbr")
}

/// Returns what the text right inside a block element is; `None` where the element says nothing.
pub(super) fn kind(name: &str) -> Option<SegmentKind> {
    let level = name.strip_prefix('h').and_then(|level| level.parse().ok());
    match name {
        "caption" | "figcaption" | "label" | "legend" | "summary" | "title" => {
            Some(SegmentKind::Caption)
        }
        "dd" | "dt" | "li" => Some(SegmentKind::ListItem),
        "td" | "th" => Some(SegmentKind::TableCell),
        "blockquote" => Some(SegmentKind::Quote),
        "option" | "button" => Some(SegmentKind::Value),
        _ => level
            .filter(|level| (1..=6).contains(level))
            .map(SegmentKind::Heading),
    }
}

fn local_name(name: &str) -> &str {
    name.rsplit(':').next().unwrap_or(name)
}

fn is_drawing(name: &str) -> bool {
    name.starts_with("svg:")
}
