//! Writes a target in the place of a YAML scalar, in the scalar's own style. Where a plain scalar
//! would read as something else, the target is quoted. Must not know keys.

use saphyr_parser::{Event, Parser, ScalarStyle};

use super::resolve::is_string;
use super::scalar::{Style, show};
use crate::Span;
use crate::format::keyed::escape;
use crate::shown::{Place, ShownBuilder};

/// Writes a target. It reads back as it is, but for characters that its style cannot hold.
pub(in crate::format) fn write(place: &Place<'_>, target: &str, style: Style) -> String {
    match style {
        Style::Plain { is_flow, is_key } => {
            let carried = place.carry(target, &mut |c, out| out.push(c));
            if is_plain(&carried, target, is_flow, is_key) {
                carried
            } else {
                quoted(target)
            }
        }
        Style::Double => {
            let carried = place.carry(target, &mut |c, out| escape::fresh(c, '"', out));
            let mut plain = String::with_capacity(target.len());
            target
                .chars()
                .for_each(|c| escape::fresh(c, '"', &mut plain));
            first_right(target, style, [carried, plain])
        }
        Style::Single => {
            let target = printable(target);
            let carried = place.carry(&target, &mut |c, out| match c {
                '\'' => out.push_str("''"),
                '\n' => out.extend([line_end(place.fresh), place.fresh]),
                c => out.push(c),
            });
            let doubled = target.replace('\'', "''");
            first_right(&target, style, [carried, join_flow(&doubled, place.fresh)])
        }
        Style::Literal(_) => {
            let target = printable(target);
            let carried = place.carry(&target, &mut |c, out| push_line(c, place.fresh, out));
            let mut plain = String::with_capacity(target.len());
            target
                .chars()
                .for_each(|c| push_line(c, place.fresh, &mut plain));
            first_right(&target, style, [carried, plain])
        }
        Style::Folded(_) => {
            let target = printable(target);
            let carried = place.carry(&target, &mut |c, out| match c {
                '\n' => out.extend([line_end(place.fresh), place.fresh]),
                c => out.push(c),
            });
            first_right(&target, style, [carried, join_folded(&target, place.fresh)])
        }
    }
}

/// Takes the first writing that reads back as the target, else the last one.
fn first_right(target: &str, style: Style, writings: [String; 2]) -> String {
    let [carried, plain] = writings;
    let mut builder = ShownBuilder::new(&carried, 0);
    show(&carried, Span::new(0, carried.len()), style, &mut builder);
    let shown = builder.finish();
    let is_right = shown.is_some_and(|(_, shown)| shown.text == target);
    if is_right && is_indented(&carried, style) {
        carried
    } else {
        plain
    }
}

/// Tells whether further lines are indented as the first one.
fn is_indented(written: &str, style: Style) -> bool {
    let (Style::Literal(indent) | Style::Folded(indent)) = style else {
        return true;
    };
    written.split(['\n', '\r']).skip(1).all(|line| {
        let blanks = line.len() - line.trim_start_matches(' ').len();
        line.is_empty() || blanks >= indent || blanks == line.len()
    })
}

/// Leaves out what no scalar without escapes can hold.
fn printable(target: &str) -> String {
    let lines = target.replace("\r\n", "\n").replace('\r', "\n");
    let held = |c: &char| !c.is_control() || matches!(c, '\n' | '\t');
    let kept: String = lines
        .chars()
        .filter(held)
        .filter(|c| *c != '\u{FEFF}')
        .collect();
    kept.trim().to_owned()
}

fn line_end(fresh: &str) -> &str {
    fresh.trim_end_matches(' ')
}

/// Writes a character of a literal scalar; an empty line gets no indentation.
fn push_line(c: char, fresh: &str, out: &mut String) {
    if c != '\n' {
        out.push(c);
        return;
    }
    if out.ends_with(fresh) {
        out.truncate(out.len() - (fresh.len() - line_end(fresh).len()));
    }
    out.push_str(fresh);
}

/// Breaks lines between quotes: a break is an empty line, and has no blanks around it.
fn join_flow(text: &str, fresh: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (index, line) in text.split('\n').enumerate() {
        if index == 1 || index > 1 && !out.ends_with(line_end(fresh)) {
            out.push_str(line_end(fresh));
        }
        let line = line.trim_matches([' ', '\t']);
        match (index, line) {
            (0, line) => out.push_str(line),
            (_, "") => out.push_str(line_end(fresh)),
            (_, line) => out.extend([fresh, line]),
        }
    }
    out
}

/// Breaks lines that are folded: a break between two lines is an empty line, but beside a line that
/// begins with a blank it is one break.
fn join_folded(text: &str, fresh: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut was_deeper = false;
    let mut n_breaks = 0;
    for (index, line) in text.split('\n').enumerate() {
        n_breaks += usize::from(index > 0);
        if line.is_empty() {
            continue;
        }
        let is_deeper = line.starts_with([' ', '\t']);
        let is_kept = was_deeper || is_deeper;
        let further = n_breaks - usize::from(is_kept && n_breaks > 0);
        out.extend(std::iter::repeat_n(line_end(fresh), further));
        if n_breaks > 0 {
            out.push_str(fresh);
        }
        out.push_str(line);
        was_deeper = is_deeper;
        n_breaks = 0;
    }
    out
}

/// Quotes a target, with single quotes where that saves escapes.
fn quoted(target: &str) -> String {
    let needs_escapes = target.contains(|c: char| {
        c.is_control() || matches!(c, '\'' | '\u{2028}' | '\u{2029}' | '\u{FEFF}')
    });
    if target.contains(['"', '\\']) && !needs_escapes {
        return format!("'{target}'");
    }
    let mut out = String::from("\"");
    target.chars().for_each(|c| escape::fresh(c, '"', &mut out));
    out.push('"');
    out
}

/// Tells whether a writing without quotes reads as the target and as text.
fn is_plain(written: &str, target: &str, is_flow: bool, is_key: bool) -> bool {
    let text = match (is_flow, is_key) {
        (true, true) => format!("{{{written}: 1}}"),
        (true, false) => format!("{{1: {written}}}"),
        (false, true) => format!("{written}: 1\n"),
        (false, false) => format!("1: {written}\n"),
    };
    let mut scalars = Vec::new();
    for event in Parser::new_from_str(&text) {
        match event {
            Ok((Event::Scalar(value, style, 0, None), _)) => scalars.push((value, style)),
            Ok((event, _)) if is_bare(&event) => {}
            Ok(_) | Err(_) => return false,
        }
    }
    let [key, value] = scalars.as_slice() else {
        return false;
    };
    let (at_hand, other) = if is_key { (key, value) } else { (value, key) };
    let reads_back = at_hand.0 == target && at_hand.1 == ScalarStyle::Plain;
    reads_back && other.0 == "1" && is_string(target)
}

/// Tells the frame of a mapping of two scalars from what a target must not add to it.
fn is_bare(event: &Event<'_>) -> bool {
    let adds = matches!(
        event,
        Event::Scalar(..) | Event::Alias(_) | Event::SequenceStart(..)
    );
    !adds
}
