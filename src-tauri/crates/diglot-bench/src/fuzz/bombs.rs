//! Inputs that are small or plain and yet costly: deep nesting, endless lines, entities that grow, packages that swell.
//! Owns their making; which format they hit is decided by the seed that they are put into.

use super::{damage, packages};

/// Nesting that no stack holds by recursion.
const DEPTH: usize = 100_000;
/// Length of an endless line.
const LINE: usize = 1_000_000;
/// Length of a text that is longer than any file of people.
const HUGE: usize = if cfg!(debug_assertions) {
    1_000_000
} else {
    10_000_000
};
/// Bytes into which a packed member swells.
const SWOLLEN: usize = 200 * 1024 * 1024;
/// Members of a package of many.
const CROWD: usize = 20_000;
/// What opens something in one format or another.
const OPENERS: &[&str] = &[
    "[",
    "{",
    "(",
    "<",
    "<b>",
    "<div>",
    "<g id=\"1\">",
    "> ",
    "- ",
    "* ",
    "1. ",
    "\"",
    "{\"a\":",
    "[[",
    "{{",
    "a: ",
    "? ",
    "*",
    "_",
    "**",
    "`",
    "![",
    "[^",
    "$",
    "${",
    "{n, plural, other{",
    "\\emph{",
    "\\begin{a}",
    "::",
    "<!--",
    "<![CDATA[",
    "#",
    "=",
    "|",
    "\\",
    "&",
    "&#",
    "{\\i1",
    "<ruby>",
    "<w:p>",
    "<w:r>",
    "<text:span>",
    "~~~",
    "\n> ",
    "\n- ",
    "\n  ",
    "\n.. note::\n   ",
];

/// Length of a text of tiny units or marks.
const CRUMBS: usize = if cfg!(debug_assertions) {
    200_000
} else {
    1_000_000
};
/// Tiny units and marks of one format or another.
const TINY: &[&str] = &[
    "\n",
    "\r",
    "a\n",
    "a\n\n",
    "a,",
    "a = b\n",
    "a: b\n",
    "\"a\" = \"b\";\n",
    "<p>a</p>",
    "<br/>",
    "<b>a</b>",
    "&lt;",
    "{0}",
    "%s ",
    "$a$ ",
    "\\a ",
    "`a` ",
    "*a* ",
    "[a](b) ",
    "Dr. A. B. ",
    "https://a.b/ ",
];
/// What opens something, with what closes it.
const PAIRS: &[(&str, &str)] = &[
    ("[", "]"),
    ("{", "}"),
    ("(", ")"),
    ("<b>", "</b>"),
    ("<div>", "</div>"),
    ("<g id=\"1\">", "</g>"),
    ("<w:r>", "</w:r>"),
    ("{n, plural, other{", "}}"),
    ("\\emph{", "}"),
    ("\\begin{a}", "\\end{a}"),
];

/// Makes the bombs for some seeds, of which the first is taken as it is meant to be.
pub(super) fn all(seeds: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let Some(sample) = seeds.first() else {
        return Vec::new();
    };
    let mut inputs = truncations(sample);
    inputs.extend(damage::all(sample));
    if packages::is_package(sample) {
        inputs.extend(swollen(sample));
        inputs.push(crowd(sample));
        inputs.extend(
            (0..3).map(|which| packages::rewrite(sample, which, |text| inside(&text, &huge()))),
        );
        for bomb in texts() {
            // Every member that holds markup gets it once, the chief one among them.
            inputs.extend(
                (0..3).map(|which| packages::rewrite(sample, which, |text| inside(&text, &bomb))),
            );
        }
    } else {
        inputs.extend(texts().iter().map(|bomb| inside(sample, bomb)));
        inputs.extend(texts());
        inputs.push(entities(sample));
        inputs.push(inside(sample, &huge()));
    }
    inputs
}

/// One text that nobody would read.
fn huge() -> Vec<u8> {
    b"word ".repeat(HUGE / 5)
}

/// Texts that cost a reader much.
fn texts() -> Vec<Vec<u8>> {
    let deep = OPENERS
        .iter()
        .map(|opener| opener.repeat(DEPTH / opener.len().div_ceil(4)));
    let long = [
        "a",
        "a ",
        "ab\u{301}",
        "中",
        "<a ",
        "a. ",
        "a|",
        "\\",
        "\"\"",
        "-",
    ]
    .map(|word| word.repeat(LINE / word.len()));
    let closed = PAIRS.iter().map(|(opener, closer)| {
        let depth = DEPTH / opener.len().div_ceil(4);
        [opener.repeat(depth), "a".to_owned(), closer.repeat(depth)].concat()
    });
    let tiny = TINY.iter().map(|word| word.repeat(CRUMBS / word.len()));
    deep.chain(closed)
        .chain(long)
        .chain(tiny)
        .map(String::into_bytes)
        .collect()
}

/// Puts a text into the middle of another.
fn inside(text: &[u8], bomb: &[u8]) -> Vec<u8> {
    let middle = text.len() / 2;
    let next = |byte: u8| text.iter().skip(middle).position(|found| *found == byte);
    // Behind a tag where there is one, else behind a line.
    let at = next(b'>')
        .or_else(|| next(b'\n'))
        .map_or(middle, |offset| middle + offset + 1);
    let (before, after) = text.split_at(at.min(text.len()));
    [before, bomb, after].concat()
}

fn truncations(sample: &[u8]) -> Vec<Vec<u8>> {
    let part = |n: usize| {
        sample
            .get(..sample.len() * n / 16)
            .unwrap_or_default()
            .to_vec()
    };
    (0..16).map(part).collect()
}

/// Entities that grow by ten at every step, behind an XML declaration where there is one.
fn entities(sample: &[u8]) -> Vec<u8> {
    let mut text = String::from("<!DOCTYPE r [<!ENTITY e0 \"boom\">");
    for step in 1..12 {
        let before = format!("&e{};", step - 1).repeat(10);
        text.extend(["<!ENTITY e", &step.to_string(), " \"", &before, "\">"]);
    }
    text.push_str("]>");
    let at = sample
        .windows(2)
        .position(|two| two == b"?>")
        .map_or(0, |at| at + 2);
    let (before, after) = sample.split_at(at);
    let text = [before, text.as_bytes(), after].concat();
    inside(&text, b"&e11;")
}

/// Packages of which one member swells when it is unpacked, once inside of its markup and once of zeros alone.
fn swollen(sample: &[u8]) -> Vec<Vec<u8>> {
    let fill = |byte: u8| vec![byte; SWOLLEN];
    vec![
        packages::rewrite(sample, 3, |text| inside(&text, &fill(b' '))),
        packages::rewrite(sample, 2, |_| fill(0)),
    ]
}

fn crowd(sample: &[u8]) -> Vec<u8> {
    let mut members = packages::read(sample).unwrap_or_default();
    let content = members
        .last()
        .map(|(_, content)| content.clone())
        .unwrap_or_default();
    members.extend((0..CROWD).map(|n| (format!("extra/part{n}.xml"), content.clone())));
    packages::write(&members).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bomb_stands_inside() {
        assert_eq!(inside(b"<a><b></b></a>", b"X"), b"<a><b></b>X</a>");
        assert_eq!(inside(b"a\nb", b"X"), b"a\nXb");
        assert_eq!(inside(b"", b"X"), b"X");
    }

    #[test]
    fn entities_stand_behind_the_declaration() {
        let text = entities(b"<?xml version=\"1.0\"?><a></a>");
        assert!(text.starts_with(b"<?xml version=\"1.0\"?><!DOCTYPE"));
        assert!(text.windows(5).any(|part| part == b"&e11;"));
    }
}
