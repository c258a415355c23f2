//! How the bench meets the text model: a file by its path and bytes. Owns no knowledge of any one format.

use std::path::Path;

use diglot_document::{Document, ParseOptions, Untranslatable};

/// Opens a file as the product does, with nothing chosen by a person.
///
/// # Errors
/// When the product refuses the file.
pub fn open(path: &str, bytes: &[u8]) -> Result<Document, Untranslatable> {
    Document::open(path, bytes, &ParseOptions::default())
}

/// Opens bytes once more, as what a document already is.
///
/// # Errors
/// When the product refuses them.
pub fn reopen(document: &Document, bytes: &[u8]) -> Result<Document, Untranslatable> {
    let options = ParseOptions {
        encoding: Some(document.encoding.name.to_owned()),
        ..ParseOptions::default()
    };
    Document::parse(document.format, bytes, &options)
}

/// Returns the ending of a path in lower case; empty where there is none.
pub fn ending(path: &str) -> String {
    let ending = Path::new(path).extension().unwrap_or_default();
    ending.to_string_lossy().to_ascii_lowercase()
}
