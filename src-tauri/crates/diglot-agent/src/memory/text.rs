//! What the text of an item may hold. Must not know where it comes from.

use crate::limits;

/// Checks the text of an item that a model or a person gives.
///
/// # Errors
/// A sentence that says what is wrong.
pub fn check_text(text: &str) -> Result<(), String> {
    let text = text.trim();
    if text.is_empty() {
        return Err("a memory item needs a text".to_owned());
    }
    if diglot_document::shorten(text, limits::MEMORY_ITEM) != text {
        return Err(format!(
            "a memory item has at most {} characters",
            limits::MEMORY_ITEM
        ));
    }
    if text.chars().any(char::is_control) {
        return Err("a memory item is one line without control characters".to_owned());
    }
    let lower = text.to_lowercase();
    if lower.contains("://") || lower.contains("www.") {
        return Err("a memory item holds no web address".to_owned());
    }
    if text.split_whitespace().any(is_path) {
        return Err("a memory item holds no file path".to_owned());
    }
    if let Some(name) = crate::tools::NAMES.iter().find(|name| names(text, name)) {
        return Err(format!("a memory item does not name the tool {name}"));
    }
    Ok(())
}

/// Tells whether a text names a tool. Some are plain words, which may begin a sentence: "Translate x as y".
fn names(text: &str, tool: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(tool).any(|(at, _)| {
        let (before, after) = (text.get(..at), text.get(at + tool.len()..));
        let (before, after) = (before.unwrap_or_default(), after.unwrap_or_default());
        let begins =
            before.trim_end().is_empty() || before.trim_end().ends_with(['.', '!', '?', ':', ';']);
        let is_whole = !before.ends_with(is_word) && !after.starts_with(is_word);
        is_whole && (!begins || tool == "LS")
    })
}

/// Tells whether a word looks like a path of a file system, not like `and/or` or `1/2`.
fn is_path(word: &str) -> bool {
    word.starts_with('/') && word.len() > 1
        || word.starts_with("~/")
        || word.contains("../")
        || word.contains(":\\")
}
