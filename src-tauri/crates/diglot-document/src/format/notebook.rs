//! Notebooks of Jupyter: the Markdown of their cells, each a text of its own. Owns how a cell's lines
//! lie in the JSON; what a cell says is Markdown's. Code, outputs and metadata are left alone.

use crate::format::Member;
use crate::format::json::scan::{Visit, scan};
use crate::format::keyed::Keys;
use crate::format::keyed::escape::{self, Dialect};
use crate::shown::{Place, Shown, ShownBuilder};
use crate::{Span, Untranslatable};

/// A mark decides a cell's encoding, whatever its text says of one.
const MARK: &str = "\u{FEFF}";

/// Returns the texts of the cells.
pub(super) fn members(bytes: &[u8]) -> Result<Vec<Member>, Untranslatable> {
    let text = std::str::from_utf8(bytes).map_err(|_| Untranslatable::Damaged)?;
    let cells = cells(text);
    let member = |(index, cell): (usize, &Cell)| Member {
        index,
        name: String::new(),
        bytes: format!("{MARK}{}{}", cell.show(text).1.text, cell.last_break())
            .into_bytes()
            .into(),
    };
    let mut members: Vec<Member> = cells.iter().enumerate().map(member).collect();
    if members.is_empty() {
        members.push(Member {
            index: 0,
            name: String::new(),
            bytes: MARK.as_bytes().into(),
        });
    }
    Ok(members)
}

/// Puts the changed texts of cells into a notebook.
pub(super) fn assemble(bytes: &[u8], members: &[(usize, Vec<u8>)]) -> Vec<u8> {
    let text = std::str::from_utf8(bytes).unwrap_or_default();
    let cells = cells(text);
    let mut out = String::with_capacity(text.len());
    let mut kept = 0;
    for (index, bytes) in members {
        let changed = std::str::from_utf8(bytes).unwrap_or_default();
        let changed = changed.strip_prefix(MARK).unwrap_or(changed);
        let Some(cell) = cells.get(*index).filter(|cell| !cell.lines.is_empty()) else {
            continue;
        };
        let (span, written) = cell.write(text, changed);
        out.push_str(text.get(kept..span.start).unwrap_or_default());
        out.push_str(&written);
        kept = span.end;
    }
    out.push_str(text.get(kept..).unwrap_or_default());
    out.into_bytes()
}

/// Lists the Markdown cells.
fn cells(text: &str) -> Vec<Cell> {
    let mut notebook = Notebook {
        text,
        cells: Vec::new(),
    };
    scan(text, &mut notebook);
    let mut cells = notebook.cells;
    cells.retain(|cell| cell.is_markdown);
    for cell in &mut cells {
        cell.leave_last_break(text);
    }
    cells
}

struct Notebook<'t> {
    text: &'t str,
    cells: Vec<Cell>,
}

/// A cell.
#[derive(Default)]
struct Cell {
    is_markdown: bool,
    /// The strings of its source, without their quotes.
    lines: Vec<Span>,
    /// Whether a line break follows them, which is followed by nothing.
    is_ended: bool,
}

impl Visit for Notebook<'_> {
    fn open(&mut self, keys: &Keys<'_>) {
        if keys.0.len() == 2 && keys.name(0) == Some("cells") {
            self.cells.push(Cell::default());
        }
    }

    fn key(&mut self, _keys: &Keys<'_>, _inner: Span) {}

    fn string(&mut self, keys: &Keys<'_>, inner: Span, _quote: char) {
        let Some(cell) = self
            .cells
            .last_mut()
            .filter(|_| keys.name(0) == Some("cells"))
        else {
            return;
        };
        match (keys.name(2), keys.0.len()) {
            (Some("cell_type"), 3) => cell.is_markdown = inner.of(self.text) == "markdown",
            (Some("source"), 3 | 4) => cell.lines.push(inner),
            _ => {}
        }
    }
}

impl Cell {
    /// Takes the line break at the very end off the strings: unlike the others it divides none.
    fn leave_last_break(&mut self, text: &str) {
        let Some(last) = self.lines.last_mut() else {
            return;
        };
        let head = last.of(text).strip_suffix("\\n").unwrap_or_default();
        let slashes = head.len() - head.trim_end_matches('\\').len();
        if !head.is_empty() && slashes % 2 == 0 {
            last.end -= 2;
            self.is_ended = true;
        }
    }

    fn last_break(&self) -> &'static str {
        if self.is_ended { "\n" } else { "" }
    }

    /// Returns the text of the cell, and where it lies: what stands between two strings belongs to
    /// the line break before it.
    fn show(&self, text: &str) -> (Span, Shown) {
        let start = self.lines.first().map_or(0, |line| line.start);
        let mut builder = ShownBuilder::new(text, start);
        for (index, line) in self.lines.iter().enumerate() {
            if index > 0 {
                builder.write(line.start, "");
            }
            builder.unescape(*line, |rest| escape::read(rest, Dialect::Json));
        }
        builder.whole()
    }

    /// Writes a changed text in as many strings as it has lines, where the source has several.
    fn write(&self, text: &str, changed: &str) -> (Span, String) {
        let (span, shown) = self.show(text);
        let changed = changed.strip_suffix(self.last_break()).unwrap_or(changed);
        let between = self.lines.iter().zip(self.lines.iter().skip(1)).next();
        let between = between.map(|(one, next)| Span::new(one.end, next.start).of(text));
        let fresh = format!("\\n{}", between.unwrap_or_default());
        let place = Place {
            text,
            span,
            shown: &shown,
            fresh: &fresh,
        };
        let mut fresh = |c: char, out: &mut String| match c {
            '\n' => out.push_str(place.fresh),
            c => escape::fresh(c, '"', out),
        };
        let carried = place.carry(changed, &mut fresh);
        if reads_as(&carried, changed) {
            return (span, carried);
        }
        let mut plain = String::with_capacity(changed.len());
        changed.chars().for_each(|c| fresh(c, &mut plain));
        (span, plain)
    }
}

/// Tells whether strings, without the first and the last quote, read as a text.
fn reads_as(written: &str, text: &str) -> bool {
    let whole =
        format!("{{\"cells\":[{{\"cell_type\":\"markdown\",\"source\":[\"{written}.\"]}}]}}");
    let cells = cells(&whole);
    let [cell] = cells.as_slice() else {
        return false;
    };
    cell.show(&whole).1.text.strip_suffix('.') == Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::proof;
    use crate::{Document, Format, ParseOptions, render_target};

    const NOTEBOOK: &str = r##"{
 "cells": [
  {
   "cell_type": "markdown",
   "id": "a1",
   "metadata": {"name": "No text"},
   "source": [
    "# Pumps\n",
    "\n",
    "Fill the \u00e9 \"tank\"\n",
    "and `run`.\n",
    "\n",
    "    code\n"
   ]
  },
  {"cell_type": "code", "source": ["# not text\n", "x"], "outputs": [{"text": ["No text"]}]},
  {"source": "One line.\n\n- An item\n", "cell_type": "markdown"},
  {"cell_type": "markdown", "source": []}
 ],
 "metadata": {"title": "Some words"}
}
"##;

    fn render(text: &str, targets: &[&str]) -> String {
        let options = ParseOptions::default();
        let document = Document::parse(Format::Notebook, text.as_bytes(), &options).unwrap();
        let bytes = render_target(&document, |n| targets.get(n).copied()).unwrap();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn markdown_cells_are_texts() {
        let document = proof::parse(Format::Notebook, NOTEBOOK);
        let expected = [
            "Pumps",
            "Fill the é \"tank\"\nand `run`.",
            "One line.",
            "An item",
        ];
        assert_eq!(proof::sources(&document), expected);
        assert_eq!(render(NOTEBOOK, &expected), NOTEBOOK);
        let marked = expected.map(|text| format!("⟦{text}⟧"));
        let marked = marked.each_ref().map(String::as_str);
        assert_eq!(render(NOTEBOOK, &marked).replace(['⟦', '⟧'], ""), NOTEBOOK);
    }

    #[test]
    fn targets_are_lines_of_their_own() {
        let output = render(
            NOTEBOOK,
            &["\"Pumpen\"", "Füllen é\nSie\nden Tank.", "Eine\nZeile."],
        );
        let expected = NOTEBOOK
            .replace("# Pumps", "# \\\"Pumpen\\\"")
            .replace(
                "Fill the \\u00e9 \\\"tank\\\"\\n\",\n    \"and `run`.",
                "Füllen \\u00e9\\n\",\n    \"Sie\\n\",\n    \"den Tank.",
            )
            .replace("One line.", "Eine\\nZeile.");
        assert_eq!(output, expected);
    }

    #[test]
    fn a_notebook_without_markdown_has_no_units() {
        for text in [
            "{}",
            "",
            "{\"cells\": [{\"cell_type\": \"code\", \"source\": \"Words\"}]}",
        ] {
            assert_eq!(proof::parse(Format::Notebook, text).segments, []);
            assert_eq!(render(text, &[]), text);
        }
        let latin = Document::parse(
            Format::Notebook,
            b"{\"a\": \"\xE9\"}",
            &ParseOptions::default(),
        );
        assert_eq!(latin.unwrap_err(), Untranslatable::Damaged);
    }
}
