//! The parts of a package of Office Open XML (ECMA-376 part 2): their content types and relations.
//! Must not know the elements of a part.

use std::collections::HashMap;

use super::Tree;
use crate::format::package::{Package, folder, resolved};
use crate::format::xml;
use crate::{Format, Untranslatable};

/// Last words of the content types of parts with text, in the order of reading. The main part is
/// read even where it holds none, since a document has at least one part.
const WORD: [&str; 8] = [
    "main+xml",
    "footnotes+xml",
    "endnotes+xml",
    "header+xml",
    "footer+xml",
    "chart+xml",
    "diagramdata+xml",
    "diagramdrawing+xml",
];
const POWERPOINT: [&str; 6] = [
    "slide+xml",
    "notesslide+xml",
    "chart+xml",
    "diagramdata+xml",
    "diagramdrawing+xml",
    "main+xml",
];
const EXCEL: [&str; 6] = [
    "sharedstrings+xml",
    "worksheet+xml",
    "comments+xml",
    "drawing+xml",
    "chart+xml",
    "main+xml",
];

/// Holds a package with what it says of its parts.
pub(super) struct Parts<'b> {
    pub(super) package: Package<'b>,
    /// Content types by the name of a part, in lower case.
    by_name: HashMap<String, String>,
    /// Content types by the ending of a name, in lower case.
    by_ending: HashMap<String, String>,
}

impl<'b> Parts<'b> {
    pub(super) fn open(bytes: &'b [u8]) -> Result<Self, Untranslatable> {
        let mut parts = Self {
            package: Package::open(bytes)?,
            by_name: HashMap::new(),
            by_ending: HashMap::new(),
        };
        let text = parts.text("[Content_Types].xml")?;
        let text = text.ok_or(Untranslatable::Damaged)?;
        let tree = Tree::new(&text).map_err(|_| Untranslatable::Damaged)?;
        for at in tree.all() {
            let value = |name| xml::unescaped(tree.value(at, name)).to_ascii_lowercase();
            let content_type = || value("ContentType");
            match tree.local(at) {
                "Override" => {
                    let name = value("PartName").trim_start_matches('/').to_owned();
                    parts.by_name.insert(name, content_type());
                }
                "Default" => {
                    parts.by_ending.insert(value("Extension"), content_type());
                }
                _ => {}
            }
        }
        Ok(parts)
    }

    /// Returns the text of a part without a byte-order mark.
    pub(super) fn text(&mut self, name: &str) -> Result<Option<String>, Untranslatable> {
        let bytes = self.package.read_name(name)?;
        let text = bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        Ok(text.map(|text| text.trim_start_matches('\u{FEFF}').to_owned()))
    }

    fn content_type(&self, name: &str) -> Option<&str> {
        let name = name.to_ascii_lowercase();
        let by_ending = || self.by_ending.get(name.rsplit_once('.')?.1);
        let found = self.by_name.get(&name).or_else(by_ending);
        found.map(String::as_str)
    }

    /// Returns the last word of a part's content type.
    fn last_word(&self, name: &str) -> &str {
        let found = self.content_type(name).unwrap_or_default();
        found.rsplit('.').next().unwrap_or_default()
    }

    /// Lists the parts whose content types end with a word.
    pub(super) fn of_type(&self, word: &str) -> Vec<String> {
        let names = self.package.names();
        let names = names.filter(|name| self.last_word(name) == word);
        names.map(str::to_owned).collect()
    }

    /// Lists the parts with text, in the order of reading.
    ///
    /// # Errors
    /// `Damaged` where the main part is missing.
    pub(super) fn with_text(&mut self, format: Format) -> Result<Vec<usize>, Untranslatable> {
        let words: &[&str] = if format == Format::PowerPoint {
            &POWERPOINT
        } else if format == Format::Excel {
            &EXCEL
        } else {
            &WORD
        };
        let main = self.of_type("main+xml").into_iter().next();
        let main = main.ok_or(Untranslatable::Damaged)?;
        let mut met = HashMap::new();
        if format == Format::PowerPoint {
            for name in self.slides(&main)? {
                let next = met.len();
                met.entry(name).or_insert(next);
            }
        }
        let mut found: Vec<(usize, usize, usize)> = Vec::new();
        for (index, name) in self.package.names().enumerate() {
            let word = self.last_word(name);
            if let Some(rank) = words.iter().position(|known| *known == word) {
                let place = met.get(name).copied().unwrap_or(usize::MAX);
                found.push((place, rank, index));
            }
        }
        found.sort_unstable();
        Ok(found.into_iter().map(|(_, _, index)| index).collect())
    }

    /// Lists the slides as they are shown, each with its notes and charts behind it.
    fn slides(&mut self, main: &str) -> Result<Vec<String>, Untranslatable> {
        let relations = self.relations(main)?;
        let text = self.text(main)?.unwrap_or_default();
        let mut names = Vec::new();
        let Ok(tree) = Tree::new(&text) else {
            return Ok(names);
        };
        for at in tree.all().filter(|at| tree.local(*at) == "sldId") {
            // Its own number is called `id` as well.
            let token = tree.tokens.get(at);
            let mut attributes = token.into_iter().flat_map(|token| token.attributes(&text));
            let id = attributes.find(|(name, _)| name.ends_with(":id"));
            let id = id.map_or("", |(_, value)| value.of(&text));
            if let Some(slide) = relations.get(id) {
                names.push(slide.clone());
                let mut beside: Vec<String> = self.relations(slide)?.into_values().collect();
                beside.sort_unstable();
                names.extend(beside);
            }
        }
        Ok(names)
    }

    /// Returns the parts that a part refers to, by the ids of the relations.
    pub(super) fn relations(
        &mut self,
        part: &str,
    ) -> Result<HashMap<String, String>, Untranslatable> {
        let folder = folder(part);
        let name = part.get(folder.len()..).unwrap_or_default();
        let name = name.trim_start_matches('/');
        let mut relations = HashMap::new();
        let path = resolved(folder, &format!("_rels/{name}.rels"));
        let text = self.text(&path)?.unwrap_or_default();
        let Ok(tree) = Tree::new(&text) else {
            return Ok(relations);
        };
        for at in tree.all().filter(|at| tree.local(*at) == "Relationship") {
            if tree.value(at, "TargetMode") != "External" {
                let target = xml::unescaped(tree.value(at, "Target"));
                let id = tree.value(at, "Id").to_owned();
                relations.insert(id, resolved(folder, &target));
            }
        }
        Ok(relations)
    }
}
