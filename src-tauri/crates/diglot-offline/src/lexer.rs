//! Words of plain text that an engine would spoil: symbols, escapes, names of files and options,
//! terms, quotation marks. Owns which those are; must not know markup or an engine.

use crate::inline::{Group, Piece};

/// Reads text between the placeables of a unit.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lexer<'a> {
    /// Terms to hold, as pairs of source and target; the target is put in.
    pub(crate) terms: &'a [(String, String)],
    /// Whether numbers are kept out of the engine.
    pub(crate) holds_numbers: bool,
    /// Whether line breaks are kept: text whose lines are no wrapped paragraph.
    pub(crate) keeps_lines: bool,
}

/// Pairs of quotation marks; the engine drops or changes them.
const QUOTES: [(char, char); 4] = [('“', '”'), ('"', '"'), ('«', '»'), ('„', '“')];

/// Tells whether a text has a letter, so that there is something to translate.
pub(crate) fn has_words(text: &str) -> bool {
    text.chars().any(char::is_alphabetic)
}

impl Lexer<'_> {
    /// Reads text as pieces.
    pub(crate) fn pieces(&self, text: &str) -> Vec<Piece> {
        let mut pieces = Vec::new();
        for (n, line) in text.split('\n').enumerate() {
            if n > 0 {
                pieces.push(if self.keeps_lines {
                    Piece::Break("\n".to_owned())
                } else {
                    Piece::Text(" ".to_owned())
                });
            }
            let line = if n == 0 { line } else { line.trim_start() };
            let is_last = n == text.matches('\n').count();
            let line = if is_last { line } else { line.trim_end() };
            self.quoted(line, &mut pieces);
        }
        join_texts(pieces)
    }

    /// Sets quotations apart.
    fn quoted(&self, text: &str, pieces: &mut Vec<Piece>) {
        let Some((before, open, inner, close, after)) = first_quotation(text) else {
            self.words(text, pieces);
            return;
        };
        self.words(before, pieces);
        let mut within = Vec::new();
        self.words(inner, &mut within);
        let group = Group {
            open,
            inner: join_texts(within),
            close,
        };
        if group.inner.iter().any(Piece::is_translatable) {
            pieces.push(Piece::Group(group));
        } else {
            let mut text = String::new();
            Piece::Group(group).write(&mut text);
            pieces.push(Piece::Atom(text));
        }
        self.quoted(after, pieces);
    }

    /// Sets terms and words apart that must stay.
    fn words(&self, text: &str, pieces: &mut Vec<Piece>) {
        let mut rest = text;
        while !rest.is_empty() {
            let found = self.terms.iter().filter_map(|term| find_term(rest, term));
            let Some((at, length, target)) =
                found.min_by_key(|(at, length, _)| (*at, usize::MAX - length))
            else {
                break;
            };
            plain_words(rest.get(..at).unwrap_or_default(), pieces);
            pieces.push(Piece::Atom(target));
            rest = rest.get(at + length..).unwrap_or_default();
        }
        plain_words(rest, pieces);
    }
}

/// Splits at the first quotation: before, mark, inside, mark, after.
fn first_quotation(text: &str) -> Option<(&str, String, &str, String, &str)> {
    let mut last = ' ';
    for (at, c) in text.char_indices() {
        let starts = !last.is_alphanumeric();
        last = c;
        let Some((open, close)) = QUOTES.iter().find(|(open, _)| *open == c && starts) else {
            continue;
        };
        let inner_at = at + open.len_utf8();
        let inner = text.get(inner_at..)?;
        let Some(length) = inner.find(*close) else {
            continue;
        };
        let end = inner_at + length + close.len_utf8();
        let follows = text
            .get(end..)?
            .chars()
            .next()
            .is_some_and(char::is_alphanumeric);
        let edge_blank = inner.starts_with(' ') || length == 0;
        if follows || edge_blank {
            continue;
        }
        return Some((
            text.get(..at)?,
            open.to_string(),
            inner.get(..length)?,
            close.to_string(),
            text.get(end..)?,
        ));
    }
    None
}

/// Finds a term as a whole word in any case; gives place, length and what to put in.
pub(crate) fn find_term(
    text: &str,
    (source, target): &(String, String),
) -> Option<(usize, usize, String)> {
    let source = source.trim();
    if source.is_empty() || target.trim().is_empty() {
        return None;
    }
    let is_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    for (at, _) in text.char_indices() {
        let rest = text.get(at..)?;
        let Some(length) = prefix_in_any_case(rest, source) else {
            continue;
        };
        let before = text.get(..at)?.chars().next_back();
        if is_word(before) || is_word(rest.get(length..)?.chars().next()) {
            continue;
        }
        let is_raised = rest.chars().next().is_some_and(char::is_uppercase)
            && source.chars().next().is_some_and(char::is_lowercase);
        let target = target.trim();
        return Some((
            at,
            length,
            if is_raised {
                capitalized(target)
            } else {
                target.to_owned()
            },
        ));
    }
    None
}

/// Returns the length in bytes of the start of `text` that equals `prefix` in any case.
fn prefix_in_any_case(text: &str, prefix: &str) -> Option<usize> {
    let mut chars = text.char_indices();
    for wanted in prefix.chars() {
        let (_, found) = chars.next()?;
        if !found.to_lowercase().eq(wanted.to_lowercase()) {
            return None;
        }
    }
    Some(chars.next().map_or(text.len(), |(at, _)| at))
}

/// Raises the first letter.
pub(crate) fn capitalized(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(chars).collect()
    })
}

/// Pushes text word by word, apart what must stay.
fn plain_words(text: &str, pieces: &mut Vec<Piece>) {
    for word in text.split_inclusive(char::is_whitespace) {
        let bare = word.trim_end();
        let blank = word.get(bare.len()..).unwrap_or_default();
        symbols(bare, pieces);
        if !blank.is_empty() {
            pieces.push(Piece::Text(
                if blank == "\u{a0}" { blank } else { " " }.to_owned(),
            ));
        }
    }
}

/// Pushes a word, its symbols and technical core apart.
fn symbols(word: &str, pieces: &mut Vec<Piece>) {
    if word.chars().all(|c| is_symbol(c) || "»›".contains(c)) {
        if !word.is_empty() {
            pieces.push(Piece::Aside(word.to_owned()));
        }
        return;
    }
    if is_operator(word) {
        pieces.push(Piece::Atom(word.to_owned()));
        return;
    }
    let core = word.trim_matches(|c: char| "()[]{},;:!?'\"".contains(c));
    let mut core = core.trim_end_matches('.');
    let call = word
        .find(core)
        .and_then(|at| word.get(at..at + core.len() + "()".len()));
    if let Some(call) = call.filter(|call| !core.is_empty() && call.ends_with("()")) {
        core = call;
    }
    let must_stay = word.chars().any(is_symbol) || is_technical(core);
    match word.split_once(core) {
        Some((before, after)) if must_stay && !core.is_empty() => {
            pieces.push(Piece::Text(before.to_owned()));
            pieces.push(Piece::Atom(core.to_owned()));
            pieces.push(Piece::Text(after.to_owned()));
        }
        _ => pieces.push(Piece::Text(word.replace('…', "..."))),
    }
}

/// Tells whether a character is an icon, an arrow, or a sign that engines lose.
fn is_symbol(c: char) -> bool {
    let is_high = c >= '\u{2190}' && !c.is_alphanumeric() && !('\u{3000}'..'\u{3040}').contains(&c);
    let is_wide_mark = ('\u{ff00}'..'\u{fff0}').contains(&c);
    is_high && !is_wide_mark || "©®™§¶†‡•".contains(c)
}

/// Tells whether a word is an operator such as `<=` or `->`; dashes are none.
fn is_operator(word: &str) -> bool {
    word.len() > 1
        && word.chars().all(|c| "<>=!&|+-*/%^~".contains(c))
        && word.chars().any(|c| !"-!".contains(c))
}

/// Tells whether a word is a name of a file, an option or an identifier, or holds an escape.
fn is_technical(word: &str) -> bool {
    let is_option = word.starts_with("--") && word.len() > 2;
    let is_identifier = word.contains('_') || word.contains('\\') || word.contains("::");
    let is_path = (word.starts_with('/') || word.starts_with("./") || word.starts_with("~/"))
        && word.len() > 2;
    is_option || is_identifier || is_path || is_file_name(word) || word.ends_with("()")
}

/// Tells whether a word looks like `config.toml`.
fn is_file_name(word: &str) -> bool {
    let Some((name, ending)) = word.rsplit_once('.') else {
        return false;
    };
    let is_plain = |text: &str| {
        text.chars()
            .all(|c| c.is_ascii_alphanumeric() || "-_./".contains(c))
    };
    name.chars().count() > 1
        && (2..=5).contains(&ending.len())
        && is_plain(name)
        && name.chars().any(char::is_alphabetic)
        && ending
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit())
        && ending.chars().any(char::is_alphabetic)
}

/// Joins neighbouring texts.
fn join_texts(pieces: Vec<Piece>) -> Vec<Piece> {
    let mut out: Vec<Piece> = Vec::with_capacity(pieces.len());
    for piece in pieces {
        match (out.last_mut(), piece) {
            (_, Piece::Text(text)) if text.is_empty() => {}
            (Some(Piece::Text(last)), Piece::Text(text)) => {
                if !(text == " " && last.ends_with(' ')) {
                    last.push_str(&text);
                }
            }
            (_, piece) => out.push(piece),
        }
    }
    out
}

#[cfg(test)]
mod tests;
