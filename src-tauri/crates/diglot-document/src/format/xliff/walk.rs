//! Finds the units of an XLIFF file with their segments, notes and matches. Must not know states.

use crate::format::bilingual::{Element, Tokens};
use crate::format::xml::{Token, TokenKind, unescaped};

/// Holds a `trans-unit` (1.2) or a `unit` (2.x).
#[derive(Debug)]
pub(super) struct Unit {
    /// Whether it is one of XLIFF 1.2, which keeps the state at the target.
    pub(super) is_old: bool,
    pub(super) segments: Vec<Segment>,
    /// Its name and what is said of it.
    pub(super) notes: Vec<String>,
    /// Targets of earlier translations.
    pub(super) matches: Vec<Element>,
    /// Longest target in characters.
    pub(super) max_length: Option<usize>,
}

/// Holds a `segment`, or of XLIFF 1.2 what is in the `trans-unit`.
#[derive(Debug)]
pub(super) struct Segment {
    pub(super) open: Token,
    pub(super) is_old: bool,
    pub(super) source: Option<Element>,
    /// The source again, with marks (1.2).
    pub(super) segmented: Option<Element>,
    pub(super) target: Option<Element>,
}

/// Elements whose sources and targets are of others: matches, other modules, skeletons.
const ASIDE: [&str; 12] = [
    "alt-trans",
    "matches",
    "match",
    "originalData",
    "resourceData",
    "glossary",
    "changeTrack",
    "metadata",
    "skeleton",
    "skl",
    "validation",
    "bin-unit",
];

/// Elements that may say whether what is in them is to be translated.
const CONTAINERS: [&str; 4] = ["xliff", "file", "group", "body"];

/// Finds the units that are to be translated, in order.
pub(super) fn units(tokens: Tokens<'_>) -> Vec<Unit> {
    let mut walk = Walk {
        tokens,
        translates: Vec::new(),
        aside: Vec::new(),
        unit: None,
        units: Vec::new(),
    };
    let mut index = 0;
    while let Some(token) = tokens.get(index) {
        index = match token.kind {
            TokenKind::Open | TokenKind::Empty => walk.open(&token, index),
            TokenKind::Close => walk.close(&token, index),
            TokenKind::Text
            | TokenKind::CData
            | TokenKind::Comment
            | TokenKind::Instruction
            | TokenKind::Doctype => index + 1,
        };
    }
    walk.units
}

struct Walk<'t> {
    tokens: Tokens<'t>,
    /// Of the containers around the place, outermost first.
    translates: Vec<bool>,
    /// The names of the elements of [`ASIDE`] around the place.
    aside: Vec<&'t str>,
    unit: Option<Unit>,
    units: Vec<Unit>,
}

impl Walk<'_> {
    fn open(&mut self, tag: &Token, index: usize) -> usize {
        let text = self.tokens.text;
        let name = tag.local_name(text);
        let is_open = tag.kind == TokenKind::Open;
        if ASIDE.contains(&name) {
            if is_open {
                self.aside.push(name);
            }
            return index + 1;
        }
        if CONTAINERS.contains(&name) {
            if is_open {
                let translates = self.translates(tag);
                self.translates.push(translates);
            }
            return index + 1;
        }
        match name {
            "trans-unit" | "unit" if is_open && self.aside.is_empty() => {
                self.unit = self.translates(tag).then(|| self.start(tag));
            }
            "segment" if is_open && self.aside.is_empty() => {
                if let Some(unit) = self.unit.as_mut().filter(|unit| !unit.is_old) {
                    unit.segments.push(Segment::new(tag, false));
                }
            }
            "ignorable" => return self.skip(index),
            "source" | "seg-source" | "target" | "note" | "context" => {
                return self.take(name, index);
            }
            _ => {}
        }
        index + 1
    }

    fn close(&mut self, tag: &Token, index: usize) -> usize {
        let name = tag.local_name(self.tokens.text);
        if self.aside.last() == Some(&name) {
            self.aside.pop();
        } else if CONTAINERS.contains(&name) {
            self.translates.pop();
        } else if matches!(name, "trans-unit" | "unit") {
            self.units.extend(self.unit.take());
        }
        index + 1
    }

    /// Tells whether what is in an element is to be translated: as it says, else as around it.
    fn translates(&self, tag: &Token) -> bool {
        match self.tokens.attribute(tag, "translate") {
            Some(value) => value != "no",
            None => self.translates.last().copied().unwrap_or(true),
        }
    }

    fn start(&self, tag: &Token) -> Unit {
        let is_old = tag.local_name(self.tokens.text) == "trans-unit";
        let attribute = |name: &str| self.tokens.attribute(tag, name);
        let name = attribute("resname").or_else(|| attribute("name"));
        let name = name.map(|name| unescaped(name).into_owned());
        let own = is_old.then(|| Segment::new(tag, true));
        Unit {
            is_old,
            segments: own.into_iter().collect(),
            notes: name.into_iter().collect(),
            matches: Vec::new(),
            max_length: self.max_length(tag),
        }
    }

    /// Reads the longest target where it is in characters: `maxwidth` with `size-unit="char"` (1.2),
    /// `sizeRestriction` of the size and length restriction module (2.x).
    fn max_length(&self, tag: &Token) -> Option<usize> {
        let text = self.tokens.text;
        let in_characters = self.tokens.attribute(tag, "size-unit") == Some("char");
        if let Some(width) = self.tokens.attribute(tag, "maxwidth") {
            return width.parse().ok().filter(|_| in_characters);
        }
        let mut attributes = tag.attributes(text);
        let is_restriction = |name: &str| name.rsplit(':').next() == Some("sizeRestriction");
        let (_, value) = attributes.find(|(name, _)| is_restriction(name))?;
        value.of(text).rsplit(',').next()?.trim().parse().ok()
    }

    /// Passes over an element with all that is in it.
    fn skip(&self, index: usize) -> usize {
        let element = self.tokens.element(index, self.tokens.tokens.len());
        element.map_or(self.tokens.tokens.len(), |(_, after)| after)
    }

    /// Takes an element of a unit, and returns the index behind it.
    fn take(&mut self, name: &str, index: usize) -> usize {
        let tokens = self.tokens;
        let Some(unit) = self.unit.as_mut() else {
            return index + 1;
        };
        let Some((element, after)) = tokens.element(index, tokens.tokens.len()) else {
            // What never closes can have no place; nor can what follows it.
            return tokens.tokens.len();
        };
        let said = || unescaped(element.inner.of(tokens.text)).trim().to_owned();
        match (name, self.aside.last()) {
            ("target", Some(&("alt-trans" | "match"))) => unit.matches.push(element),
            (_, Some(_)) => {}
            ("note", None) => unit.notes.push(said()),
            ("context", None) => {
                let kind = tokens.attribute(&element.open, "context-type");
                let is_place = matches!(kind, Some("sourcefile" | "linenumber"));
                unit.notes.extend(is_place.then(said));
            }
            (_, None) => {
                let segment = unit.segments.last_mut();
                let slot = segment.map(|segment| match name {
                    "source" => &mut segment.source,
                    "target" => &mut segment.target,
                    _ => &mut segment.segmented,
                });
                if let Some(slot) = slot.filter(|slot| slot.is_none()) {
                    *slot = Some(element);
                }
            }
        }
        after
    }
}

impl Segment {
    fn new(open: &Token, is_old: bool) -> Self {
        Self {
            open: *open,
            is_old,
            source: None,
            segmented: None,
            target: None,
        }
    }
}
