//! The documents of the harnesses that crash: few units in several formats, or few units in a large file.

use crate::samples::samples;

/// Length of a large document, in bytes.
const LARGE: usize = 3_000_000;

/// Makes a project of three small documents, one of them a package.
pub(super) fn small() -> Vec<(&'static str, Vec<u8>)> {
    let guide = "# The pump\n\nOpen the *valve* first.\n\n- Fill the tank.\n- Close the lid.\n\nPress `start`.\n";
    let notes = "Look after the filter.\n\nIt is cleaned every week.\n\nNever run it dry.\n";
    let mut documents = vec![
        ("guide.md", guide.as_bytes().to_vec()),
        ("notes.txt", notes.as_bytes().to_vec()),
    ];
    let book = samples().find(|sample| sample.name == "book.epub");
    documents.extend(book.map(|book| (book.name, book.repeated(4))));
    documents
}

/// Makes a project of one large document with few units: the rest is code.
pub(super) fn large() -> Vec<(&'static str, Vec<u8>)> {
    let line = "let pressure = pump.read(0x3f) * 0.125; // in bar\n";
    let code = line.repeat(LARGE / line.len());
    let text = format!("# The pump\n\nOpen the valve.\n\n```\n{code}```\n\nClose the valve.\n");
    vec![("large.md", text.into_bytes())]
}
