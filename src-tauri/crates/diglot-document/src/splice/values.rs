//! Escapes for values and HTML text. Must not know where they stand.

use std::borrow::Cow;

use crate::format::{tag_end, tag_name};

/// Escapes what would read as a tag or a comment, but for whole tags that the source has as well.
pub(super) fn html_text(lines: &[Cow<'_, str>], source: &str) -> Vec<Cow<'static, str>> {
    let text = lines.join("\n");
    let names = |(at, _): (usize, &str)| tag_name(source.get(at..).unwrap_or_default());
    let own: Vec<String> = source.match_indices('<').map(names).collect();
    let mut out = String::with_capacity(text.len());
    let mut kept = 0;
    for (at, _) in text.match_indices('<') {
        if at < kept {
            continue;
        }
        let rest = text.get(at..).unwrap_or_default();
        let name = tag_name(rest);
        let whole = tag_end(&text, at, text.len()).filter(|_| own.contains(&name));
        let opens = !name.is_empty() || rest.starts_with("<!") || rest.starts_with("<?");
        out.push_str(text.get(kept..at).unwrap_or_default());
        kept = whole.filter(|_| !name.is_empty()).unwrap_or(at + 1);
        let as_it_is = text.get(at..kept).unwrap_or_default();
        out.push_str(if opens && kept == at + 1 {
            "&lt;"
        } else {
            as_it_is
        });
    }
    out.push_str(text.get(kept..).unwrap_or_default());
    out.split('\n').map(|line| line.to_owned().into()).collect()
}

/// Escapes the quote that ends the attribute.
pub(super) fn attribute<'a>(value: &str, quote: char) -> Cow<'a, str> {
    let entity = if quote == '"' { "&quot;" } else { "&#39;" };
    value.replace(quote, entity).into()
}

/// Doubles every single quote that is not doubled already.
pub(super) fn single_quoted<'a>(value: &str) -> Cow<'a, str> {
    let mut out = String::with_capacity(value.len());
    let mut run = 0_usize;
    for c in value.chars() {
        if c != '\'' && run % 2 == 1 {
            out.push('\'');
        }
        run = if c == '\'' { run + 1 } else { 0 };
        out.push(c);
    }
    if run % 2 == 1 {
        out.push('\'');
    }
    out.into()
}

/// Escapes double quotes and backslashes; an escape that the source has as well is one already.
pub(super) fn double_quoted<'a>(value: &str, source: &str) -> Cow<'a, str> {
    let mut out = String::with_capacity(value.len());
    let mut rest = value.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => {
                let own = |next: &char| {
                    matches!(next, '"' | '\\') || source.contains(&format!("\\{next}"))
                };
                out.push('\\');
                out.push(rest.next_if(own).unwrap_or('\\'));
            }
            c => out.push(c),
        }
    }
    out.into()
}

/// Quotes a plain YAML scalar that would not read as the same text without quotes.
pub(super) fn yaml_plain<'a>(lines: Vec<Cow<'a, str>>, source: &str) -> Vec<Cow<'a, str>> {
    let value = lines
        .iter()
        .map(|line| line.trim_end())
        .collect::<Vec<_>>()
        .join(" ");
    if is_yaml_plain(&value) || !is_yaml_plain(source) {
        return lines;
    }
    let escaped = value.replace('\\', "\\\\").replace('"', "\\\"");
    vec![format!("\"{escaped}\"").into()]
}

fn is_yaml_plain(value: &str) -> bool {
    let marks = [": ", " #", "\t"].iter().any(|mark| value.contains(mark)) || value.ends_with(':');
    let indicator = value.starts_with(|c: char| "[]{},&*#?|->!%@`\"'=:<".contains(c));
    !marks && !indicator && !is_yaml_word(value)
}

/// Tells whether YAML 1.1 or 1.2 reads a plain scalar as something else than text.
fn is_yaml_word(value: &str) -> bool {
    let lower = value.to_lowercase();
    let word = [
        "true", "false", "yes", "no", "on", "off", "null", "~", "y", "n",
    ];
    word.contains(&lower.as_str()) || !value.chars().any(char::is_alphabetic)
}
