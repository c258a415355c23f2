//! Books in EPUB 2 and 3: which members of the package are read, and in which order. Must not know how
//! a member is written.

mod sheet;

use std::collections::{HashMap, HashSet};

use super::package::{Package, folder, resolved};
use super::{Member, xml};
use crate::encoding::{Decoded, EncodingHints};
use crate::{Span, Untranslatable};

pub(super) use sheet::read;

const XHTML: &str = "application/xhtml+xml";

/// Media types of members that are read where the book is.
const CONTENT: [&str; 4] = [XHTML, "text/html", "text/x-oeb1-document", "image/svg+xml"];

const NCX: &str = "application/x-dtbncx+xml";

/// Returns the members of a book that hold text: its chapters in the order of reading, other pages,
/// tables of contents, and what the package says of itself.
///
/// # Errors
/// `Encrypted` where a page is; `Damaged` without a package document or a page; or as a package says.
pub(super) fn members(bytes: &[u8]) -> Result<Vec<Member>, Untranslatable> {
    let mut package = Package::open(bytes)?;
    let encrypted = encrypted(&mut package)?;
    let roots = roots(&mut package)?;
    let mut names: Vec<String> = Vec::new();
    for root in &roots {
        let Some(text) = text_of(&mut package, root)? else {
            continue;
        };
        names.extend(Manifest::read(&text, folder(root)).in_order());
        names.push(root.clone());
    }
    let mut met = HashSet::new();
    let mut members = Vec::new();
    for name in names {
        let Some(index) = package.find(&name).filter(|index| met.insert(*index)) else {
            continue;
        };
        if encrypted.contains(&name) {
            return Err(Untranslatable::Encrypted);
        }
        let bytes = package.read(index)?.into();
        members.push(Member { index, name, bytes });
    }
    let is_page = |member: &Member| !roots.contains(&member.name);
    if members.iter().any(is_page) {
        Ok(members)
    } else {
        Err(Untranslatable::Damaged)
    }
}

/// Returns the paths of the package documents (OCF 3.3, section 4.2.6.3.1).
fn roots(package: &mut Package<'_>) -> Result<Vec<String>, Untranslatable> {
    let text = text_of(package, "META-INF/container.xml")?.ok_or(Untranslatable::Damaged)?;
    let roots = attributes(&text, "rootfile", "full-path");
    Ok(roots.into_iter().map(|path| resolved("", &path)).collect())
}

/// Returns the paths of what is encrypted (OCF 3.3, section 4.2.6.3.2).
fn encrypted(package: &mut Package<'_>) -> Result<HashSet<String>, Untranslatable> {
    let text = text_of(package, "META-INF/encryption.xml")?.unwrap_or_default();
    let found = attributes(&text, "CipherReference", "URI");
    Ok(found.into_iter().map(|path| resolved("", &path)).collect())
}

fn text_of(package: &mut Package<'_>, name: &str) -> Result<Option<String>, Untranslatable> {
    let Some(bytes) = package.read_name(name)? else {
        return Ok(None);
    };
    let decoded = Decoded::new(&bytes, &EncodingHints::default())?;
    Ok(Some(decoded.text))
}

/// Lists the values of an attribute of all elements of a name.
fn attributes(text: &str, element: &str, attribute: &str) -> Vec<String> {
    let tokens = xml::tokens(text, Span::new(0, text.len()));
    let elements = tokens
        .iter()
        .filter(|token| token.local_name(text) == element);
    let values = elements.filter_map(|token| token.attribute(text, attribute));
    values
        .map(|value| xml::unescaped(value.of(text)).into_owned())
        .collect()
}

/// What a package document lists.
#[derive(Default)]
struct Manifest {
    items: Vec<Item>,
    /// The ids of the spine, in order.
    spine: Vec<String>,
}

struct Item {
    id: String,
    name: String,
    media_type: String,
    is_navigation: bool,
}

impl Manifest {
    /// Reads a package document that is in a folder.
    fn read(text: &str, folder: &str) -> Self {
        let mut manifest = Self::default();
        for token in xml::tokens(text, Span::new(0, text.len())) {
            let value = |name| {
                let span = token.attribute(text, name);
                span.map_or("".into(), |span| xml::unescaped(span.of(text)))
            };
            match token.local_name(text) {
                "item" => manifest.items.push(Item {
                    id: value("id").trim().to_owned(),
                    name: resolved(folder, &value("href")),
                    media_type: value("media-type").trim().to_ascii_lowercase(),
                    is_navigation: value("properties")
                        .split_whitespace()
                        .any(|property| property == "nav"),
                }),
                "itemref" => manifest.spine.push(value("idref").trim().to_owned()),
                _ => {}
            }
        }
        manifest
    }

    /// Lists the names of members with text: the spine, other pages, then tables of contents.
    fn in_order(self) -> Vec<String> {
        let ids: HashMap<&str, &Item> = self
            .items
            .iter()
            .map(|item| (item.id.as_str(), item))
            .collect();
        let spine = self
            .spine
            .iter()
            .filter_map(|id| ids.get(id.as_str()).copied());
        let pages = spine.filter(|item| CONTENT.contains(&item.media_type.as_str()));
        let all = |wanted: fn(&Item) -> bool| self.items.iter().filter(move |item| wanted(item));
        pages
            .chain(all(|item| item.media_type == XHTML && !item.is_navigation))
            .chain(all(|item| item.media_type == NCX))
            .chain(all(|item| item.is_navigation))
            .map(|item| item.name.clone())
            .collect()
    }
}

#[cfg(test)]
mod tests;
