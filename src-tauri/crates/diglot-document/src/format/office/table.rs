//! Names of the columns of a workbook's tables. They are cells as well, and formulas know them by
//! their texts, so a program repairs a table whose cells have other ones.

use std::collections::BTreeSet;

use super::parts::Parts;
use super::tree::Tree;
use crate::Untranslatable;

/// Returns the numbers of the shared strings that name columns of tables, ascending.
pub(super) fn names(parts: &mut Parts<'_>) -> Result<Vec<usize>, Untranslatable> {
    let mut names = BTreeSet::new();
    let tables = parts.of_type("table+xml");
    if tables.is_empty() {
        return Ok(Vec::new());
    }
    for sheet in parts.of_type("worksheet+xml") {
        let mut headers = Vec::new();
        for part in parts.relations(&sheet)?.into_values() {
            if tables.contains(&part) {
                let text = parts.text(&part)?.unwrap_or_default();
                headers.extend(Header::read(&text));
            }
        }
        if !headers.is_empty() {
            let text = parts.text(&sheet)?.unwrap_or_default();
            collect(&text, &headers, &mut names);
        }
    }
    Ok(names.into_iter().collect())
}

/// The cells that name the columns of a table.
struct Header {
    row: usize,
    /// First and last column, from 1.
    columns: (usize, usize),
}

impl Header {
    fn read(text: &str) -> Option<Self> {
        let tree = Tree::new(text).ok()?;
        let table = tree.elements(tree.all()).next()?;
        if tree.value(table, "headerRowCount") == "0" {
            return None;
        }
        let (first, last) = tree.value(table, "ref").split_once(':')?;
        let (first, last) = (cell(first)?, cell(last)?);
        Some(Self {
            row: first.1,
            columns: (first.0, last.0),
        })
    }

    fn holds(&self, (column, row): (usize, usize)) -> bool {
        row == self.row && (self.columns.0..=self.columns.1).contains(&column)
    }
}

/// Collects the shared strings in the headers of a sheet.
fn collect(text: &str, headers: &[Header], names: &mut BTreeSet<usize>) {
    let Ok(tree) = Tree::new(text) else {
        return;
    };
    for at in tree.all().filter(|at| tree.local(*at) == "c") {
        let place = cell(tree.value(at, "r"));
        let in_header = place.is_some_and(|place| headers.iter().any(|header| header.holds(place)));
        if in_header && tree.value(at, "t") == "s" {
            let value = tree.child(at, "v").map(|at| tree.inside(at).start);
            let value: Option<usize> =
                value.and_then(|at| tree.span(at).of(text).trim().parse().ok());
            names.extend(value);
        }
    }
}

/// Reads the name of a cell, for instance `AB12`: its column and its row, from 1.
fn cell(name: &str) -> Option<(usize, usize)> {
    let digits = name.find(|c: char| c.is_ascii_digit())?;
    let (letters, row) = name
        .split_at_checked(digits)
        .filter(|(letters, _)| letters.len() < 5)?;
    let mut column = 0;
    for letter in letters.bytes() {
        let value = letter
            .to_ascii_uppercase()
            .checked_sub(b'A')
            .filter(|n| *n < 26)?;
        column = column * 26 + usize::from(value) + 1;
    }
    Some((column, row.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_have_columns_and_rows() {
        for (name, expected) in [
            ("A1", Some((1, 1))),
            ("AB12", Some((28, 12))),
            ("XFD7", Some((16384, 7))),
            ("1", Some((0, 1))),
            ("A", None),
            ("Ä1", None),
        ] {
            assert_eq!(cell(name), expected, "{name}");
        }
    }
}
