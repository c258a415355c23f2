//! Placeholders in braces, and the directives of templates.

use super::{LONGEST, head};

/// Reads `{name}`, `{{ x }}`, `{% x %}`, `${x}`, `#{x}`, `$t(key)` or `$NAME$`, in bytes.
pub(super) fn braced(rest: &str) -> Option<usize> {
    let rest = head(rest, LONGEST);
    let lead = usize::from(rest.starts_with(['$', '#']));
    let body = rest.get(lead..)?;
    if rest.starts_with('$') && !body.starts_with('{') {
        return call(body)
            .or_else(|| variable(body))
            .map(|length| lead + length);
    }
    for (open, close) in [("{{{", "}}}"), ("{{", "}}"), ("{%", "%}"), ("{#", "#}")] {
        if lead == 0
            && let Some(inner) = body.strip_prefix(open)
            && let Some(end) = inner.find(close)
        {
            return Some(open.len() + end + close.len());
        }
    }
    let inner = body.strip_prefix('{')?;
    if lead == 0 && inner.starts_with(['\'', '"', '`']) {
        return literal(body);
    }
    let end = inner.find(['}', '{'])?;
    let name = inner.get(..end)?;
    let closes = inner.get(end..)?.starts_with('}') && !name.contains('\n');
    (closes && (lead == 1 || is_name(name))).then_some(lead + end + 2)
}

/// Reads a string of MDX in braces, `{'{items}'}`.
fn literal(body: &str) -> Option<usize> {
    let body = head(body, LONGEST);
    let quote = body.chars().nth(1)?;
    let inner = body.get(2..)?;
    let end = inner.find(quote)?;
    let closes = inner.get(end + 1..)?.starts_with('}');
    (closes && !inner.get(..end)?.contains('\n')).then_some(end + 4)
}

/// Reads `<% x %>` or `<?php x ?>`, in bytes.
pub(super) fn directive(rest: &str) -> Option<usize> {
    let rest = head(rest, LONGEST);
    for (open, close) in [("<%", "%>"), ("<?", "?>")] {
        if let Some(inner) = rest.strip_prefix(open) {
            return inner.find(close).map(|end| end + open.len() + close.len());
        }
    }
    None
}

/// Reads `t(key)` with nested brackets.
fn call(body: &str) -> Option<usize> {
    if !body.starts_with("t(") {
        return None;
    }
    let mut depth = 0_usize;
    for (at, c) in body.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

/// Reads `NAME$`.
fn variable(body: &str) -> Option<usize> {
    let end = body.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '@')))?;
    let after = body.get(end..)?.strip_prefix('$')?;
    let is_named = end >= 2 && body.starts_with(|c: char| c.is_ascii_alphabetic());
    let ends = !after.starts_with(|c: char| c.is_ascii_alphanumeric());
    (is_named && ends).then_some(end + 1)
}

/// Tells whether braces hold a name, a path, a position or nothing, with an optional format.
fn is_name(inner: &str) -> bool {
    let inner = inner.trim();
    let name = inner.split([':', '!', ',']).next().unwrap_or_default();
    let in_name =
        |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '-' | '[' | ']' | '$' | '@');
    let has_letters = name.contains(|c: char| c.is_alphanumeric() || c == '_');
    let sound = name.chars().all(in_name) && has_letters && is_format(inner, name);
    let bare = name.is_empty() && is_bare_format(inner);
    !inner.contains(char::is_control) && (sound || bare)
}

/// Tells whether braces hold no name but a format: `:.2f`, `:>10`, `:?`, `!r`. Nothing is one too.
fn is_bare_format(inner: &str) -> bool {
    let letters = inner.chars().filter(|c| c.is_alphabetic()).count();
    let sound = |c: char| c.is_ascii_alphanumeric() || "<>=^+-#,._%?!:*".contains(c);
    let is_format = inner.len() > 1 && inner.starts_with([':', '!']);
    inner.is_empty() || is_format && letters <= 1 && inner.chars().all(sound)
}

/// Tells whether what follows a name in braces is a format such as `:.2f`, `!r` or `, number`.
fn is_format(inner: &str, name: &str) -> bool {
    let format = inner.strip_prefix(name).unwrap_or_default();
    if let Some(kind) = format.strip_prefix(',') {
        let kind = kind.trim().split([',', ':']).next().unwrap_or_default();
        return matches!(
            kind.trim(),
            "number" | "date" | "time" | "spellout" | "ordinal" | "duration" | "list"
        ) || kind.trim().parse::<i8>().is_ok();
    }
    // Only the format of a date or a filling blank has blanks; else it is an aside in braces.
    let is_dated = format.starts_with(":%") || name.bytes().all(|b| b.is_ascii_digit());
    let fills = [": <", ": >", ": ^", ": ="]
        .iter()
        .any(|fill| format.starts_with(fill));
    is_dated || fills || !format.contains(char::is_whitespace)
}
