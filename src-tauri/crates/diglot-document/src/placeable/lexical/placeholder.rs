//! Placeholders of templates and format strings.

/// Longest placeholder in braces, in bytes; a longer one is text.
const LONGEST: usize = 200;

/// Letters of a run after a conversion, at most; a longer run is a word such as `%discount`.
const UNIT_LETTERS: usize = 3;

/// Reads `{name}`, `{{ x }}`, `{% x %}`, `${x}`, `#{x}` or the head of a plural message, in bytes.
pub(super) fn braced(rest: &str) -> Option<usize> {
    let lead = usize::from(rest.starts_with(['$', '#']));
    let body = rest.get(lead..)?;
    for (open, close) in [("{{", "}}"), ("{%", "%}")] {
        if lead == 0 && body.starts_with(open) {
            let end = body.get(open.len()..)?.find(close)?;
            return (end <= LONGEST).then_some(open.len() + end + close.len());
        }
    }
    let inner = body.strip_prefix('{')?;
    let end = inner.find(['}', '{'])?;
    let name = inner.get(..end)?;
    if end > LONGEST || name.contains('\n') {
        return None;
    }
    if inner.get(end..)?.starts_with('{') {
        return message(body, name);
    }
    (lead == 1 || is_name(name)).then_some(lead + end + 2)
}

/// Returns what two placeholders must share: all but the blanks, and of a plural message only what
/// it depends on.
pub(super) fn key(text: &str) -> String {
    let head = text
        .strip_prefix('{')
        .and_then(|inner| inner.split_once('{'));
    let is_message = |head: &str| !head.is_empty() && !head.starts_with('%');
    let kept = head.map(|(head, _)| head).filter(|head| is_message(head));
    let end = kept.and_then(|head| head.match_indices(',').nth(1));
    let kept = kept.and_then(|head| head.get(..end?.0)).unwrap_or(text);
    kept.split_whitespace().collect()
}

/// Tells whether braces hold a name, a path, a position or nothing, with an optional format.
fn is_name(inner: &str) -> bool {
    let inner = inner.trim();
    let name = inner.split([':', '!', ',']).next().unwrap_or_default();
    let in_name =
        |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '-' | '[' | ']' | '$' | '@');
    let sound =
        name.chars().all(in_name) && name.contains(|c: char| c.is_alphanumeric() || c == '_');
    (sound && !inner.contains(char::is_control) && is_format(inner, name)) || inner.is_empty()
}

/// Tells whether what follows a name in braces is a format such as `:.2f`, `!r` or `, number`.
fn is_format(inner: &str, name: &str) -> bool {
    let format = inner.strip_prefix(name).unwrap_or_default();
    match format.strip_prefix(',') {
        Some(kind) => {
            let kind = kind.trim().split(',').next().unwrap_or_default();
            matches!(
                kind.trim(),
                "number" | "date" | "time" | "spellout" | "ordinal" | "duration"
            ) || kind.parse::<i8>().is_ok()
        }
        None => !format.contains(char::is_whitespace),
    }
}

/// Reads the whole of `{n, plural, one {…} other {…}}`: its forms differ from language to
/// language, so that only the message as such can be counted.
fn message(body: &str, head: &str) -> Option<usize> {
    let kind = head.split(',').nth(1)?.trim();
    if !matches!(kind, "plural" | "select" | "selectordinal") {
        return None;
    }
    let mut depth = 0_usize;
    for (at, c) in body.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return Some(at + 1);
        }
    }
    None
}

/// Reads `%%`, `%s`, `%1$d`, `%(name)s`, `%{name}`, `%@` or `%NAME%`, in bytes. A percent sign
/// after a number is none, unless it is doubled.
pub(super) fn percent(before: &str, rest: &str) -> Option<usize> {
    let body = rest.strip_prefix('%')?;
    if body.starts_with('%') {
        return Some(2);
    }
    if before.trim_end().ends_with(|c: char| c.is_numeric()) {
        return None;
    }
    if body.starts_with('{') {
        let end = body.find('}').filter(|end| *end <= LONGEST)?;
        return Some(end + 2);
    }
    if body.starts_with('(') {
        let end = body.find(')').filter(|end| *end <= LONGEST)?;
        return conversion(body.get(end + 1..)?).map(|length| 1 + end + 1 + length);
    }
    variable(body).map(|length| length + 1).or_else(|| {
        let position = position(body);
        conversion(body.get(position..)?).map(|length| 1 + position + length)
    })
}

/// Reads `NAME%`.
fn variable(body: &str) -> Option<usize> {
    let end = body.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))?;
    let named = body.starts_with(|c: char| c.is_ascii_alphabetic()) && end >= 2;
    (named
        && body.get(end..)?.starts_with('%')
        && !body
            .get(end + 1..)?
            .starts_with(|c: char| c.is_ascii_alphanumeric()))
    .then_some(end + 1)
}

/// Returns the length of `1$`, or 0.
fn position(body: &str) -> usize {
    let digits = body.len() - body.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let numbered = digits > 0 && body.get(digits..).is_some_and(|rest| rest.starts_with('$'));
    if numbered { digits + 1 } else { 0 }
}

/// Reads flags, width, precision, size and conversion letter.
fn conversion(body: &str) -> Option<usize> {
    let is_flag = |c: char| matches!(c, '-' | '+' | '#' | '0'..='9' | '.' | '*');
    let rest = body.trim_start_matches(is_flag);
    let rest = rest.trim_start_matches(['h', 'l', 'q', 'j', 'z', 't', 'L']);
    let letter = rest.chars().next()?;
    let after = rest.get(letter.len_utf8()..)?;
    let letters = after.chars().take_while(char::is_ascii_alphabetic).count();
    let sound = match letter {
        'd' | 's' | 'u' | 'f' | '@' => letters <= UNIT_LETTERS,
        'i' | 'x' | 'X' | 'o' | 'c' | 'e' | 'g' | 'E' | 'G' | 'S' | 'p' => letters == 0,
        _ => false,
    };
    sound.then_some(body.len() - after.len())
}
