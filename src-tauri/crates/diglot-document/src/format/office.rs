//! Packages of Office Open XML (ECMA-376): which parts hold text. Must not know the elements of a
//! part.

mod drawing;
mod field;
mod parts;
mod sheet;
mod table;
mod tree;
mod word;

use std::fmt::Write as _;

pub(super) use tree::Tree;

use super::{Format, Member, ReadOptions, Reading};
use crate::Untranslatable;
use parts::Parts;

/// Returns the parts of a package that hold text. Behind the name of the shared strings of a
/// workbook stand, after `#`, the numbers of those that are names and no text.
///
/// # Errors
/// `Damaged` where the main part is missing, or as a package says.
pub(super) fn members(format: Format, bytes: &[u8]) -> Result<Vec<Member>, Untranslatable> {
    let mut parts = Parts::open(bytes)?;
    let found = parts.with_text(format)?;
    let mut members = Vec::with_capacity(found.len());
    for index in found {
        let mut name = parts.package.name(index).to_owned();
        if name.ends_with("haredStrings.xml") {
            for (at, string) in table::names(&mut parts)?.into_iter().enumerate() {
                let mark = if at == 0 { '#' } else { ',' };
                // Writing to a string cannot fail.
                let _ = write!(name, "{mark}{string}");
            }
        }
        let bytes = parts.package.read(index)?.into();
        members.push(Member { index, name, bytes });
    }
    Ok(members)
}

/// Reads the units of a part; one that is not well-formed has none.
pub(super) fn read(text: &str, options: &ReadOptions<'_>) -> Reading {
    let tree = match Tree::new(text) {
        Ok(tree) => tree,
        Err(at) => {
            return Reading {
                unclosed: vec![at],
                ..Reading::default()
            };
        }
    };
    let root = tree.elements(tree.all()).next();
    match root.map_or("", |at| tree.local(at)) {
        "document" | "hdr" | "ftr" | "footnotes" | "endnotes" => {
            word::read(&tree, options.soft_limit)
        }
        "sst" | "worksheet" | "comments" => {
            let names = options
                .member
                .rsplit_once('#')
                .map_or("", |(_, names)| names);
            let names: Vec<usize> = names.split(',').flat_map(str::parse).collect();
            sheet::read(&tree, &names, options.soft_limit)
        }
        _ => drawing::read(&tree, options.soft_limit),
    }
}

#[cfg(test)]
pub(super) mod tests;
