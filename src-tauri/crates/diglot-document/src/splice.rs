//! Fits a target into the place of its source: line ends, prefixes of continued lines, and what
//! must be escaped so that the neighbours still read the same. Must not know bytes or encodings.
//!
//! Whatever is escaped is left alone where the source has the same construct at the same line.

mod asciidoc;
mod latex;
mod markdown;
mod missing;
mod rst;
mod values;

use std::borrow::Cow;

use crate::document::Splice;
use crate::format::{bullet_length, is_indented_start, is_rule};
use crate::segment::Setting;
use crate::shown::{Place, Shown};
use crate::text::{is_blank, line_before, lines, lines_of};
use crate::{Segment, Span};

pub(crate) use asciidoc::{Adoc, line as adoc_line};
pub(crate) use latex::Tex;
pub(crate) use missing::{escape_missing, utf16_escapes};
pub(crate) use rst::{Rst, begin as rst_line};

/// Returns the text that stands in the file for `target` in the place of the segment.
pub(crate) fn fit(text: &str, segment: &Segment, splice: &Splice, target: &str) -> String {
    if let Setting::Coded(notation) = splice.setting {
        let shown = Shown {
            text: segment.source.clone(),
            forms: splice.forms().to_vec(),
        };
        let span = segment.span;
        let place = Place {
            text,
            span,
            shown: &shown,
            fresh: splice.fresh(),
        };
        let written = notation.write(&place, target.trim());
        let framed = splice.frame().map(|frame| frame.around(&written));
        return framed.unwrap_or(written);
    }
    let kept = kept_lines(target);
    let folded = match splice.setting {
        Setting::Plain => fold_plain(kept, segment, splice),
        Setting::Block
        | Setting::Html
        | Setting::YamlBlock
        | Setting::Rst(Rst::Block)
        | Setting::Adoc(Adoc::Block | Adoc::Item)
        | Setting::Tex(_) => kept,
        // A line of a tag may open a block, and nothing can be escaped there.
        Setting::Attribute(_) => to_one(&kept),
        Setting::Line
        | Setting::Cell
        | Setting::YamlPlain
        | Setting::SingleQuoted
        | Setting::DoubleQuoted
        | Setting::Literal
        | Setting::Rst(Rst::Line | Rst::Inside)
        | Setting::Adoc(Adoc::Line | Adoc::Term | Adoc::Cell | Adoc::Attribute { .. })
        | Setting::Coded(_) => fold_to_one(kept, segment),
    };
    let source = segment.source.as_str();
    let each = |escape: &dyn Fn(&str) -> Cow<'static, str>| {
        folded.iter().map(|line| escape(line)).collect::<Vec<_>>()
    };
    let safe = match splice.setting {
        Setting::Plain | Setting::YamlBlock | Setting::Rst(Rst::Inside) | Setting::Coded(_) => {
            folded
        }
        Setting::Tex(place) => {
            let before = text.get(..segment.span.start).unwrap_or_default();
            latex::escape(place, &folded, source, before)
        }
        Setting::Adoc(place) => {
            let around = asciidoc::Around {
                before: line_before(text, segment.span.start),
                after: text.get(segment.span.end..).unwrap_or_default(),
            };
            asciidoc::escape(place, folded, source, around)
        }
        Setting::Rst(Rst::Line) => rst::line(folded, source),
        Setting::Rst(Rst::Block) => rst::block(
            folded,
            source,
            text.get(segment.span.end..).unwrap_or_default(),
        ),
        Setting::Block => markdown::escape_block(folded, source),
        Setting::Line => each(&markdown::escape_line),
        Setting::Cell => {
            let begins_line = starts_line(text, segment.span.start);
            let rest = text.get(segment.span.end..).unwrap_or_default();
            each(&|line| markdown::escape_cell(line, begins_line, rest.starts_with('|')))
        }
        Setting::Html => {
            let lines = values::html_text(&folded, source);
            markdown::escape_marks(lines, source, starts_line(text, segment.span.start))
        }
        Setting::Attribute(quote) => each(&|line| values::attribute(line, quote)),
        Setting::YamlPlain => values::yaml_plain(folded, source),
        Setting::SingleQuoted => each(&values::single_quoted),
        Setting::DoubleQuoted => each(&|line| values::double_quoted(line, source)),
        Setting::Literal => each(&|line| line.replace('\'', "’").into()),
    };
    join(text, segment, splice, &safe)
}

/// Splits a target into its lines without indentation and without the blank ones.
fn kept_lines(target: &str) -> Vec<Cow<'_, str>> {
    let target = target.trim();
    lines(target)
        .map(|line| line.content(target).trim_start_matches(is_blank))
        .filter(|line| !line.is_empty())
        .map(Cow::Borrowed)
        .collect()
}

/// Joins the lines by blanks, unless the source has several itself.
fn fold_to_one<'a>(kept: Vec<Cow<'a, str>>, segment: &Segment) -> Vec<Cow<'a, str>> {
    if kept.len() < 2 || !segment.continuations.is_empty() {
        return kept;
    }
    to_one(&kept)
}

/// Joins the lines by blanks; a hard break at the end of a line has no place there.
fn to_one(kept: &[Cow<'_, str>]) -> Vec<Cow<'static, str>> {
    let bare = |line: &Cow<'_, str>| {
        let line = line.trim_end();
        line.strip_suffix('\\')
            .unwrap_or(line)
            .trim_end()
            .to_owned()
    };
    vec![kept.iter().map(bare).collect::<Vec<_>>().join(" ").into()]
}

/// Keeps a plain text unit one unit: a line that would read as a separator or as the start of
/// another unit, behind the prefix that it gets, goes to the line before it.
fn fold_plain<'a>(
    kept: Vec<Cow<'a, str>>,
    segment: &Segment,
    splice: &Splice,
) -> Vec<Cow<'a, str>> {
    let opens = |before: &[Cow<'_, str>], line: &str| {
        before.len().checked_sub(1).is_some_and(|gap| {
            let whole = format!("{}{line}", prefix(segment, splice, gap));
            bullet_length(&whole) > 0 || is_rule(&whole) || is_indented_start(&whole)
        })
    };
    let mut folded: Vec<Cow<'a, str>> = Vec::with_capacity(kept.len());
    for mut line in kept {
        while opens(&folded, &line)
            && let Some(last) = folded.pop()
        {
            line = format!("{} {}", last.trim_end(), line.trim_start()).into();
        }
        folded.push(line);
    }
    folded
}

/// Tells whether nothing but blanks, quote marks and item markers stands before on the line.
fn starts_line(text: &str, at: usize) -> bool {
    let before = text.get(..at).unwrap_or_default().chars().rev();
    let mut line = before.take_while(|c| !matches!(c, '\n' | '\r'));
    line.all(|c| {
        is_blank(c) || c.is_ascii_digit() || matches!(c, '>' | '-' | '*' | '+' | '.' | ')')
    })
}

/// Puts the lines together with the line ends and prefixes of the span's own lines; further ones
/// take the last of the span, else what fits its block.
fn join(text: &str, segment: &Segment, splice: &Splice, lines: &[Cow<'_, str>]) -> String {
    let ends: Vec<&str> = lines_of(text, segment.span)
        .map(|line| line.line_end(text))
        .filter(|end| !end.is_empty())
        .collect();
    let mut out = String::with_capacity(segment.span.end - segment.span.start);
    for (index, line) in lines.iter().enumerate() {
        if let Some(gap) = index.checked_sub(1) {
            out.push_str(
                ends.get(gap)
                    .or(ends.last())
                    .copied()
                    .unwrap_or_else(|| nearest_line_end(text, segment.span)),
            );
            out.push_str(prefix(segment, splice, gap));
        }
        out.push_str(line);
    }
    out
}

/// Returns what stands before the line after the given line break.
fn prefix<'s>(segment: &'s Segment, splice: &'s Splice, gap: usize) -> &'s str {
    let own = &segment.continuations;
    own.get(gap)
        .or(own.last())
        .map_or_else(|| splice.fresh(), String::as_str)
}

/// Returns the line end after the span, else the one before it, else LF.
fn nearest_line_end(text: &str, span: Span) -> &str {
    let after = lines_of(text, Span::new(span.end, text.len())).next();
    let after = after
        .map(|line| line.line_end(text))
        .filter(|end| !end.is_empty());
    let before = || {
        let head = text.get(..span.start).unwrap_or_default();
        let at = head.rfind(['\n', '\r'])?;
        let crlf =
            head.get(..at).is_some_and(|h| h.ends_with('\r')) && head.get(at..)?.starts_with('\n');
        head.get(if crlf { at - 1 } else { at }..=at)
    };
    after.or_else(before).unwrap_or("\n")
}

#[cfg(test)]
mod tests;
