//! Escapes that keep a Markdown target the kind of block that its source is. Must not know where it
//! stands in the document.

use std::borrow::Cow;

use crate::format::{TABLE_OF_CONTENTS, is_module_line, tag_name};

/// HTML names that open a block even inside a paragraph (CommonMark 4.6, kinds 1 and 6).
const BLOCK_TAGS: [&str; 66] = [
    "address",
    "article",
    "aside",
    "base",
    "basefont",
    "blockquote",
    "body",
    "caption",
    "center",
    "col",
    "colgroup",
    "dd",
    "details",
    "dialog",
    "dir",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "frame",
    "frameset",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "head",
    "header",
    "hr",
    "html",
    "iframe",
    "legend",
    "li",
    "link",
    "main",
    "menu",
    "menuitem",
    "nav",
    "noframes",
    "ol",
    "optgroup",
    "option",
    "p",
    "param",
    "pre",
    "script",
    "search",
    "section",
    "source",
    "style",
    "summary",
    "table",
    "tbody",
    "td",
    "textarea",
    "tfoot",
    "th",
    "thead",
    "title",
    "tr",
    "ul",
];

/// Names what a line would open instead of going on as text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Opener {
    Heading,
    Rule,
    Item,
    Quote,
    Fence,
    Html,
    Definition,
    Container,
    Math,
    Template,
    Module,
}

/// Escapes the lines of a paragraph-like block.
pub(super) fn escape_block<'a>(lines: Vec<Cow<'a, str>>, source: &str) -> Vec<Cow<'a, str>> {
    let mut own = source.split('\n');
    let labelled = lines.iter().any(|line| line.contains("]:"));
    let escape = |(index, line): (usize, Cow<'a, str>)| {
        let own_line = own.next().unwrap_or_default();
        // Of tags only the same one is the same construct: another may end elsewhere.
        let alike = tag_name(own_line) == tag_name(&line);
        let own =
            opener(own_line, index == 0, true).filter(|(kind, _)| *kind != Opener::Html || alike);
        match opener(&line, index == 0, labelled) {
            Some((Opener::Module, _)) => entity(&line).into(),
            Some((kind, at)) if own.is_none_or(|(own, _)| own != kind) => {
                backslash(&line, at).into()
            }
            _ => line,
        }
    };
    lines.into_iter().enumerate().map(escape).collect()
}

/// Escapes, in the text of an HTML block, marks of site generators, which have a meaning there as well.
pub(super) fn escape_marks<'a>(
    lines: Vec<Cow<'a, str>>,
    source: &str,
    begins_line: bool,
) -> Vec<Cow<'a, str>> {
    let mark = |line: &str| {
        use Opener::{Container, Definition, Math, Template};
        let (kind, _) = opener(line, false, false)?;
        matches!(kind, Container | Definition | Math | Template).then_some(kind)
    };
    let mut own = source.split('\n');
    let escape = |(index, line): (usize, Cow<'a, str>)| {
        let own = own.next().and_then(mark);
        let found = mark(&line).filter(|kind| own != Some(*kind) && (index > 0 || begins_line));
        match found {
            Some(_) => entity(&line).into(),
            None => line,
        }
    };
    lines.into_iter().enumerate().map(escape).collect()
}

/// Escapes a one-line piece: a closing run of `#` would be taken off a heading.
pub(super) fn escape_line<'a>(line: &str) -> Cow<'a, str> {
    let body = line.trim_end_matches('#');
    let closing = body.len() < line.len() && (body.is_empty() || body.ends_with([' ', '\t']));
    if closing {
        backslash(line, body.len()).into()
    } else {
        line.to_owned().into()
    }
}

/// Escapes a table cell: its pipes, a backslash at its end, and what would open a block where the
/// cell begins the line. After a backslash the pipe that ends it needs a blank: parsers differ.
pub(super) fn escape_cell<'a>(cell: &str, begins_line: bool, at_pipe: bool) -> Cow<'a, str> {
    let mut out = String::with_capacity(cell.len());
    let mut escaped = false;
    for c in cell.chars() {
        if c == '|' && !escaped {
            out.push('\\');
        }
        escaped = c == '\\' && !escaped;
        out.push(c);
    }
    if escaped {
        out.push('\\');
    }
    if at_pipe && out.ends_with('\\') {
        out.push(' ');
    }
    match opener(&out, true, out.contains("]:")) {
        Some((_, at)) if begins_line => backslash(&out, at).into(),
        _ => out.into(),
    }
}

fn backslash(line: &str, at: usize) -> String {
    let (head, tail) = line.split_at_checked(at).unwrap_or(("", line));
    format!("{head}\\{tail}")
}

/// Writes the first character as an entity, where a backslash would be text.
fn entity(line: &str) -> String {
    let mut rest = line.chars();
    let code = rest.next().map_or(0, u32::from);
    format!("&#{code};{}", rest.as_str())
}

/// Finds what a line would open, and where a backslash prevents it.
fn opener(line: &str, first: bool, labelled: bool) -> Option<(Opener, usize)> {
    let ends_word = |at: usize| {
        line.get(at..)
            .is_some_and(|r| r.is_empty() || r.starts_with([' ', '\t']))
    };
    let only = |set: &str| {
        line.chars()
            .all(|c| set.contains(c) || matches!(c, ' ' | '\t'))
    };
    let run = |c: char| line.len() - line.trim_start_matches(c).len();
    let at_start = |kind: Opener, opens: bool| opens.then_some((kind, 0));
    match line.chars().next()? {
        '#' => at_start(Opener::Heading, run('#') <= 6 && ends_word(run('#'))),
        '-' | '|' | ':' if only("|:-") && line.contains('-') => Some((Opener::Rule, 0)),
        '=' if line.starts_with("=== \"") => Some((Opener::Container, 0)),
        '=' => at_start(Opener::Rule, only("=")),
        '*' if only("*") => Some((Opener::Rule, 0)),
        '_' => at_start(Opener::Rule, only("_")),
        '+' if line.starts_with("+++") => Some((Opener::Rule, 0)),
        '-' | '+' | '*' => at_start(Opener::Item, ends_word(1)),
        '0'..='9' => {
            let digits = line.bytes().take_while(u8::is_ascii_digit).count();
            let delimited = line
                .get(digits..)
                .is_some_and(|rest| rest.starts_with(['.', ')']));
            (digits <= 9 && delimited && ends_word(digits + 1)).then_some((Opener::Item, digits))
        }
        '>' => Some((Opener::Quote, 0)),
        '`' => at_start(
            Opener::Fence,
            run('`') >= 3 && !line.trim_start_matches('`').contains('`'),
        ),
        '~' => at_start(Opener::Fence, run('~') >= 3),
        '<' => at_start(Opener::Html, opens_html(line, first)),
        '[' => {
            let marker = ["[!", "[ ]", "[x]", "[X]"]
                .iter()
                .any(|mark| line.starts_with(mark));
            let contents = TABLE_OF_CONTENTS.contains(&line.trim_end());
            at_start(Opener::Definition, labelled || contents || first && marker)
        }
        ':' => at_start(Opener::Container, line.starts_with(":::")),
        '!' => at_start(Opener::Container, line.starts_with("!!! ")),
        '?' => at_start(Opener::Container, line.starts_with("???")),
        '$' => at_start(Opener::Math, line.starts_with("$$")),
        '\\' => at_start(Opener::Math, line.trim_end() == "\\["),
        'i' | 'e' => at_start(Opener::Module, first && is_module_line(line.trim_end())),
        '{' => {
            let several_lines = ["{/*", "{% highlight", "{% comment"];
            let begins = several_lines.iter().any(|mark| line.starts_with(mark));
            let begins = begins || first && opens_expression(line);
            at_start(Opener::Template, begins || line.trim_end().ends_with('}'))
        }
        _ => None,
    }
}

/// Tells whether a line begins with a brace that closes at its end, or not at all.
fn opens_expression(line: &str) -> bool {
    let mut depth = 0_usize;
    for (at, c) in line.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return line.get(at + 1..).is_none_or(|rest| rest.trim().is_empty());
        }
    }
    true
}

fn opens_html(line: &str, first: bool) -> bool {
    let rest = line.strip_prefix('<').unwrap_or_default();
    if rest.starts_with(['!', '?']) {
        return true;
    }
    let name = rest.strip_prefix('/').unwrap_or(rest);
    let length = name
        .find(|c: char| !c.is_ascii_alphanumeric() && c != '-')
        .unwrap_or(name.len());
    let name = name.get(..length).unwrap_or_default();
    let component = name.starts_with(|c: char| c.is_ascii_uppercase());
    let alone = first
        && line
            .find('>')
            .is_none_or(|at| at + 1 == line.trim_end().len());
    !name.is_empty()
        && (component || alone || BLOCK_TAGS.contains(&name.to_ascii_lowercase().as_str()))
}
