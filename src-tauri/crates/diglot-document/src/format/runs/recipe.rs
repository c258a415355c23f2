//! What the tags of a unit stand for, as text that travels with the unit: one row for each tag. Must
//! not know a format's elements.

use std::collections::HashMap;

/// Part rows, and the cells of a row. XML 1.0 can hold neither (section 2.2), so no raw text has
/// them.
const ROW: char = '\u{1E}';
const CELL: char = '\u{1F}';

/// Says what one tag, or the text outside of tags, stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Row<'r> {
    /// A format, or an element around text.
    Pair {
        /// Start of the element around; empty for a format.
        enter: &'r str,
        /// End of the element around.
        leave: &'r str,
        /// What opens the run that text stands in.
        open: &'r str,
        /// What closes it.
        close: &'r str,
    },
    /// A thing in the text.
    Single {
        /// All of it, for a place between runs.
        form: &'r str,
        /// Whether the file may hold it several times.
        is_copyable: bool,
    },
}

/// Holds the rows of a unit; number 0 is the text outside of tags.
pub(super) struct Recipe<'r> {
    rows: HashMap<usize, Row<'r>>,
    /// How many elements of a run are open where the unit begins.
    pub(super) depth: usize,
}

/// Writes how many elements of a run are open where a unit begins.
pub(super) fn encode_depth(depth: usize) -> String {
    format!("{depth}{ROW}")
}

/// Appends a row; `false` when it holds what no XML can hold.
pub(super) fn encode(number: usize, row: &Row<'_>, out: &mut String) -> bool {
    let number = number.to_string();
    let cells: &[&str] = match *row {
        Row::Pair {
            enter,
            leave,
            open,
            close,
        } => &[&number, enter, leave, open, close],
        Row::Single { form, is_copyable } => &[&number, form, if is_copyable { "1" } else { "" }],
    };
    for (index, cell) in cells.iter().enumerate() {
        if index > 0 {
            out.push(CELL);
        }
        out.push_str(cell);
    }
    out.push(ROW);
    !cells.iter().any(|cell| cell.contains([ROW, CELL]))
}

impl<'r> Recipe<'r> {
    pub(super) fn decode(text: &'r str) -> Self {
        let row = |row: &'r str| {
            let cells: Vec<&str> = row.split(CELL).collect();
            let (number, row) = match cells[..] {
                [number, enter, leave, open, close] => {
                    let row = Row::Pair {
                        enter,
                        leave,
                        open,
                        close,
                    };
                    (number, row)
                }
                [number, form, copies] => {
                    let is_copyable = !copies.is_empty();
                    (number, Row::Single { form, is_copyable })
                }
                _ => return None,
            };
            Some((number.parse().ok()?, row))
        };
        let depth = text.split(ROW).next().and_then(|cell| cell.parse().ok());
        Self {
            rows: text.split(ROW).filter_map(row).collect(),
            depth: depth.unwrap_or(0),
        }
    }

    pub(super) fn row(&self, number: usize) -> Option<Row<'r>> {
        self.rows.get(&number).copied()
    }

    /// Returns what opens and what closes a run inside of a tag; of the text outside for 0.
    pub(super) fn run(&self, number: usize) -> (&'r str, &'r str) {
        match self.row(number) {
            Some(Row::Pair { open, close, .. }) => (open, close),
            Some(Row::Single { .. }) | None => ("", ""),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_back() {
        let pair = Row::Pair {
            enter: "<a>",
            leave: "</a>",
            open: "",
            close: "</r>",
        };
        let single = Row::Single {
            form: "<tab/>",
            is_copyable: true,
        };
        let mut text = encode_depth(2);
        assert!(encode(0, &pair, &mut text));
        assert!(encode(12, &single, &mut text));
        let recipe = Recipe::decode(&text);
        assert_eq!(recipe.row(0), Some(pair));
        assert_eq!(recipe.row(12), Some(single));
        assert_eq!(recipe.row(1), None);
        assert_eq!(recipe.run(0), ("", "</r>"));
        assert_eq!(recipe.depth, 2);
        let broken = Row::Single {
            form: "\u{1F}",
            is_copyable: false,
        };
        assert!(!encode(1, &broken, &mut text));
    }
}
