//! SpreadsheetML (ECMA-376 part 1, section 18): the strings of cells and comments. Must not know how
//! runs become a text.

use super::tree::Tree;
use crate::SegmentKind;
use crate::format::runs::{Blanks, Look, Paragraph, Setup};
use crate::format::xml::TokenKind;
use crate::format::{Reading, alt};

/// Reads the units of a part of a workbook. `names` are the numbers, ascending, of the shared
/// strings that formulas may know by their texts.
pub(super) fn read(tree: &Tree<'_>, names: &[usize], soft_limit: usize) -> Reading {
    let mut pieces = Vec::new();
    let root = tree.elements(tree.all()).next();
    let in_comments = root.is_some_and(|at| tree.local(at) == "comments");
    let setup = Setup {
        kind: if in_comments {
            SegmentKind::Paragraph
        } else {
            SegmentKind::TableCell
        },
        blanks: Blanks::Marked,
        soft_limit,
        note: None,
    };
    let mut n_strings = 0;
    for at in tree.all() {
        let is_string = match tree.local(at) {
            "si" => {
                n_strings += usize::from(tree.kind(at) != Some(TokenKind::Close));
                n_strings > 0 && names.binary_search(&(n_strings - 1)).is_err()
            }
            "is" => true,
            "text" => in_comments,
            "dataValidation" => {
                let told = ["promptTitle", "prompt", "errorTitle", "error"];
                alt::read(tree, at, &told, &mut pieces);
                false
            }
            "hyperlink" => {
                alt::read(tree, at, &["tooltip"], &mut pieces);
                false
            }
            _ => false,
        };
        if is_string && tree.kind(at) == Some(TokenKind::Open) {
            string(tree, at).finish(&setup, &mut pieces);
        }
    }
    Reading::of(pieces)
}

/// Reads a string: plain text, or runs; readings of Japanese words stay.
fn string<'t>(tree: &Tree<'t>, at: usize) -> Paragraph<'t> {
    let mut paragraph = Paragraph::new(tree.text);
    for child in tree.children(at) {
        match tree.local(child) {
            "r" => {
                paragraph.open_run(tree.span(child).start, look(tree, child));
                let texts = tree.children(child).filter(|at| tree.local(*at) == "t");
                for text in texts {
                    take(tree, text, &mut paragraph);
                }
                paragraph.close_run(tree.whole(child).end);
            }
            "t" => {
                paragraph.part();
                paragraph.open_run(tree.span(child).end, Look::default());
                take(tree, child, &mut paragraph);
                paragraph.part();
            }
            _ => {}
        }
    }
    paragraph
}

fn take(tree: &Tree<'_>, at: usize, paragraph: &mut Paragraph<'_>) {
    for inner in tree.inside(at) {
        match tree.kind(inner) {
            Some(TokenKind::Text) => paragraph.text(tree.span(inner)),
            // Text that needs other escapes than the one around.
            Some(TokenKind::CData) => paragraph.part(),
            _ => {}
        }
    }
}

fn look(tree: &Tree<'_>, at: usize) -> Look {
    let name = tree.name(at);
    let properties = tree.child(at, "rPr").map(|at| tree.whole(at));
    let key = properties.map_or("", |span| span.of(tree.text)).to_owned();
    let text = format!("{}t", name.strip_suffix('r').unwrap_or_default());
    Look {
        open: format!("<{name}>{key}<{text} xml:space=\"preserve\">"),
        close: format!("</{text}></{name}>"),
        key,
    }
}
