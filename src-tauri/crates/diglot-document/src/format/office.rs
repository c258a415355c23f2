//! Packages of Office Open XML (ECMA-376): which parts hold text, and in which order they are read.
//! Must not know the elements of a part.

mod field;
mod tree;
mod word;

use std::collections::HashMap;

pub(super) use tree::Tree;

use super::package::Package;
use super::{Member, ReadOptions, Reading, xml};
use crate::Untranslatable;

/// What the content types of parts with text end with, in the order of reading. The first ones are
/// those of main parts, without which a package is none.
const WORD: [&str; 8] = [
    "document.main+xml",
    "document.macroenabled.main+xml",
    "template.main+xml",
    "template.macroenabledtemplate.main+xml",
    "footnotes+xml",
    "endnotes+xml",
    "header+xml",
    "footer+xml",
];

const N_MAIN: usize = 4;

/// Returns the parts of a package that hold text.
///
/// # Errors
/// `Damaged` where the main part is missing, or as a package says.
pub(super) fn members(bytes: &[u8]) -> Result<Vec<Member>, Untranslatable> {
    let mut package = Package::open(bytes)?;
    let types = Types::read(&mut package)?;
    let mut parts: Vec<(usize, usize)> = package
        .names()
        .enumerate()
        .filter_map(|(index, name)| Some((rank(types.of(name)?)?, index)))
        .collect();
    parts.sort_unstable();
    if parts.first().is_none_or(|(rank, _)| *rank >= N_MAIN) {
        return Err(Untranslatable::Damaged);
    }
    let mut members = Vec::with_capacity(parts.len());
    for (_, index) in parts {
        members.push(Member {
            index,
            name: package.name(index).to_owned(),
            bytes: package.read(index)?.into(),
        });
    }
    Ok(members)
}

/// Returns the place of a content type in the order of reading; `None` for a part without text.
fn rank(content_type: &str) -> Option<usize> {
    let content_type = content_type.to_ascii_lowercase();
    let ending = content_type
        .rsplit_once("ml.")
        .map_or("", |(_, ending)| ending);
    let ending = if ending.is_empty() {
        content_type
            .rsplit_once("word.")
            .map_or("", |(_, ending)| ending)
    } else {
        ending
    };
    WORD.iter().position(|kind| *kind == ending)
}

/// Reads the units of a part; one that is not well-formed has none.
pub(super) fn read(text: &str, options: &ReadOptions<'_>) -> Reading {
    match Tree::new(text) {
        Ok(tree) => word::read(&tree, options.soft_limit),
        Err(at) => Reading {
            unclosed: vec![at],
            ..Reading::default()
        },
    }
}

/// The content types of a package (ECMA-376 part 2, section 10).
struct Types {
    /// By the name of a part, in lower case.
    by_name: HashMap<String, String>,
    /// By the ending of a name, in lower case.
    by_ending: HashMap<String, String>,
}

impl Types {
    fn read(package: &mut Package<'_>) -> Result<Self, Untranslatable> {
        let bytes = package.read_name("[Content_Types].xml")?;
        let bytes = bytes.ok_or(Untranslatable::Damaged)?;
        let text = String::from_utf8_lossy(&bytes);
        let text = text.trim_start_matches('\u{FEFF}');
        let tree = Tree::new(text).map_err(|_| Untranslatable::Damaged)?;
        let mut types = Self {
            by_name: HashMap::new(),
            by_ending: HashMap::new(),
        };
        for at in tree.all() {
            let value = |name| xml::unescaped(tree.value(at, name)).to_ascii_lowercase();
            let content_type = || value("ContentType");
            match tree.local(at) {
                "Override" => {
                    let name = value("PartName").trim_start_matches('/').to_owned();
                    types.by_name.insert(name, content_type());
                }
                "Default" => {
                    types.by_ending.insert(value("Extension"), content_type());
                }
                _ => {}
            }
        }
        Ok(types)
    }

    fn of(&self, name: &str) -> Option<&str> {
        let name = name.to_ascii_lowercase();
        let by_ending = || {
            let (_, ending) = name.rsplit_once('.')?;
            self.by_ending.get(ending)
        };
        self.by_name
            .get(&name)
            .or_else(by_ending)
            .map(String::as_str)
    }
}

#[cfg(test)]
mod tests;
