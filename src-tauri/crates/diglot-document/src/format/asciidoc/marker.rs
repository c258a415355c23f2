//! What an AsciiDoc line is by itself: a delimiter, a macro, a list marker. Knows one line at a time,
//! without the blanks in front of it, not what stands around it.

use crate::text::is_blank;

/// Names what a line is where a block may begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Opener {
    /// `== Title`: the length of its marks.
    Section(usize),
    /// A list marker with the blanks behind it: its length.
    Item(usize),
    /// `.Title` of a block.
    BlockTitle,
    /// `[style, attributes]` or `[[anchor]]`.
    Attributes,
    /// `:name: value`.
    Entry,
    /// `name::target[attributes]`.
    Macro,
    /// `include::`, `ifdef::` and their kind.
    Preprocessor,
    Comment,
    /// A fence around text that is code, or no text at all.
    Verbatim,
    /// A fence around blocks.
    Compound,
    Table,
    /// A list goes on with another block.
    Continuation,
    /// A line drawn across the page, or the end of it.
    Break,
    /// `NOTE: `, with its length.
    Admonition(usize),
}

/// Labels of paragraphs that are admonitions.
const ADMONITIONS: [&str; 5] = ["NOTE: ", "TIP: ", "IMPORTANT: ", "WARNING: ", "CAUTION: "];

/// Finds what a line opens.
pub(crate) fn opener(line: &str) -> Option<Opener> {
    let first = line.chars().next()?;
    interrupter(line).or_else(|| match first {
        '=' | '#' => section(line).map(Opener::Section),
        '.' if block_title(line) => Some(Opener::BlockTitle),
        ':' if entry(line).is_some() => Some(Opener::Entry),
        '\'' | '-' | '*' | '<' if is_break(line) => Some(Opener::Break),
        _ => item(line)
            .map(Opener::Item)
            .or_else(|| is_macro(line).then_some(Opener::Macro))
            .or_else(|| {
                let label = ADMONITIONS.iter().find(|label| line.starts_with(**label));
                label.map(|label| Opener::Admonition(label.len()))
            }),
    })
}

/// Finds what a line is even inside of a paragraph.
pub(crate) fn interrupter(line: &str) -> Option<Opener> {
    match line.chars().next()? {
        '[' if line.ends_with(']') && line.len() > 2 => Some(Opener::Attributes),
        '/' if is_comment(line) => Some(Opener::Comment),
        '+' if line == "+" => Some(Opener::Continuation),
        'i' | 'e' if is_preprocessor(line) => Some(Opener::Preprocessor),
        _ => fence(line),
    }
}

/// Finds the kind of fence that a line is.
fn fence(line: &str) -> Option<Opener> {
    if line == "--" {
        return Some(Opener::Compound);
    }
    if line.starts_with("```") {
        return (!line.trim_start_matches('`').contains('`')).then_some(Opener::Verbatim);
    }
    let table = ["|===", ",===", ":===", "!==="];
    if table.iter().any(|head| line.starts_with(head)) && only(line.get(1..)?, '=') {
        return Some(Opener::Table);
    }
    let mark = line.chars().next()?;
    if line.len() < 4 || !only(line, mark) {
        return None;
    }
    match mark {
        '-' | '.' | '+' | '/' => Some(Opener::Verbatim),
        '=' | '*' | '_' => Some(Opener::Compound),
        _ => None,
    }
}

fn only(line: &str, mark: char) -> bool {
    line.chars().all(|c| c == mark)
}

fn is_comment(line: &str) -> bool {
    line.starts_with("//") && !line.starts_with("///")
}

fn is_preprocessor(line: &str) -> bool {
    let names = ["include::", "ifdef::", "ifndef::", "ifeval::", "endif::"];
    line.ends_with(']') && names.iter().any(|name| line.starts_with(name))
}

/// Returns the length of `== ` with the blanks behind the marks.
fn section(line: &str) -> Option<usize> {
    let mark = line.chars().next()?;
    let body = line.trim_start_matches(mark);
    let marks = line.len() - body.len();
    let title = body.trim_start_matches(is_blank);
    (marks <= 6 && title.len() < body.len() && !title.is_empty())
        .then_some(line.len() - title.len())
}

fn block_title(line: &str) -> bool {
    line.chars()
        .nth(1)
        .is_some_and(|c| !is_blank(c) && c != '.')
}

/// Returns the name of an attribute entry, with the length of `:name:`.
pub(super) fn entry(line: &str) -> Option<(&str, usize)> {
    let (name, rest) = line.strip_prefix(':')?.split_once(':')?;
    let bare = name.trim_start_matches('!').trim_end_matches('!');
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
    let sound =
        bare.chars().all(is_name) && bare.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    (sound && (rest.is_empty() || rest.starts_with(is_blank))).then_some((bare, name.len() + 2))
}

fn is_break(line: &str) -> bool {
    matches!(line, "---" | "- - -" | "***" | "* * *" | "<<<")
        || (line.len() > 2 && only(line, '\''))
}

/// Tells whether a line is a block macro such as `image::a.png[A pump]`.
pub(super) fn is_macro(line: &str) -> bool {
    let Some((name, rest)) = line.split_once("::") else {
        return false;
    };
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
    let target = rest.split('[').next().unwrap_or_default();
    line.ends_with(']')
        && target.len() < rest.len()
        && !name.is_empty()
        && name.chars().all(is_name)
        && !target.contains(char::is_whitespace)
}

/// Returns the length of a list marker with the blanks behind it, and a check box.
pub(crate) fn item(line: &str) -> Option<usize> {
    let mark = line.chars().next()?;
    let run = line.len() - line.trim_start_matches(mark).len();
    let word = line.split(is_blank).next().unwrap_or_default();
    let number = word.strip_suffix(['.', ')']).unwrap_or_default();
    let is_number =
        !number.is_empty() && number.len() < 8 && number.bytes().all(|b| b.is_ascii_digit());
    let is_letter = number.len() == 1 && number.bytes().all(|b| b.is_ascii_alphabetic());
    let is_roman = word.ends_with(')')
        && number.len() < 8
        && (number.chars().all(|c| "ivx".contains(c)) || number.chars().all(|c| "IVX".contains(c)));
    let callout = word
        .strip_prefix('<')
        .and_then(|word| word.strip_suffix('>'));
    let is_callout = callout.is_some_and(|name| {
        name == "." || (!name.is_empty() && name.bytes().all(|b| b.is_ascii_digit()))
    });
    let is_marker = match mark {
        '-' | '•' => run == mark.len_utf8(),
        '*' | '.' => run <= 5,
        '0'..='9' => is_number && word.ends_with('.'),
        '<' => is_callout,
        _ => (is_letter && word.ends_with('.')) || (!number.is_empty() && is_roman),
    };
    let is_run = matches!(mark, '-' | '•' | '*' | '.');
    let length = if is_run { run } else { word.len() };
    let rest = line.get(length..)?;
    let text = rest.trim_start_matches(is_blank);
    if !is_marker || text.len() == rest.len() || text.is_empty() {
        return None;
    }
    let boxed = ["[ ] ", "[x] ", "[*] "]
        .iter()
        .find(|mark| is_run && text.starts_with(**mark));
    let text = boxed.map_or(text, |mark| text.get(mark.len()..).unwrap_or_default());
    Some(line.len() - text.trim_start_matches(is_blank).len())
}

/// Finds the mark of a description list, `::` to `::::` or `;;`: where the term ends, and where the
/// mark does.
pub(crate) fn term(line: &str) -> Option<(usize, usize)> {
    if line.starts_with("//") {
        return None;
    }
    let mut at = 0;
    while let Some(found) = line.get(at..)?.find([':', ';']).map(|length| at + length) {
        let tail = line.get(found..)?;
        let mark = tail.chars().next()?;
        let run = tail.len() - tail.trim_start_matches(mark).len();
        let rest = tail.get(run..)?;
        let ends = rest.is_empty() || rest.starts_with(is_blank);
        let sound = if mark == ':' {
            (2..=4).contains(&run)
        } else {
            run == 2
        };
        if ends && sound && found > 0 {
            return Some((found, found + run));
        }
        at = found + run;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_told_from_text() {
        for (line, expected) in [
            ("== A", Some(Opener::Section(3))),
            ("==A", None),
            ("* a", Some(Opener::Item(2))),
            ("* [x] a", Some(Opener::Item(6))),
            ("*a* b", None),
            (". a", Some(Opener::Item(2))),
            ("1. a", Some(Opener::Item(3))),
            ("<1> a", Some(Opener::Item(4))),
            ("ii) a", Some(Opener::Item(4))),
            (".A title", Some(Opener::BlockTitle)),
            ("...", None),
            ("[source,c]", Some(Opener::Attributes)),
            (":a-b: c", Some(Opener::Entry)),
            (":!a:", Some(Opener::Entry)),
            (": a", None),
            ("image::a.png[b]", Some(Opener::Macro)),
            ("include::a[]", Some(Opener::Preprocessor)),
            ("// a", Some(Opener::Comment)),
            ("////", Some(Opener::Verbatim)),
            ("----", Some(Opener::Verbatim)),
            ("====", Some(Opener::Compound)),
            ("|===", Some(Opener::Table)),
            ("+", Some(Opener::Continuation)),
            ("'''", Some(Opener::Break)),
            ("NOTE: a", Some(Opener::Admonition(6))),
            ("Note: a", None),
        ] {
            assert_eq!(opener(line), expected, "{line}");
        }
    }

    #[test]
    fn terms_end_at_their_mark() {
        for (line, expected) in [
            ("a b:: c", Some((3, 5))),
            ("a::", Some((1, 3))),
            ("a::b", None),
            ("a;; b", Some((1, 3))),
            ("std::vector:: b", Some((11, 13))),
            (":: a", None),
        ] {
            assert_eq!(term(line), expected, "{line}");
        }
    }
}
