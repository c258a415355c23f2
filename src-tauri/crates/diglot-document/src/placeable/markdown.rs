//! Placeables that only a Markdown parser can tell: code, links, emphasis, hard breaks, math.

use std::ops::Range;

use pulldown_cmark::{BrokenLink, CowStr, Event, LinkType, OffsetIter, Options, Parser, Tag};

use super::{Found, PlaceableKind, first_ones, lexical};
use crate::Span;

/// Put in front of a unit's text, so that it is read as the inside of a paragraph whatever it
/// begins with. A punctuation character leaves the rules for emphasis marks as they are at the
/// beginning of a line.
const LEAD: &str = ".";

/// Most words of a bracketed text that still counts as the key of a shortcut reference.
const SHORTCUT_WORDS: usize = 3;

/// Finds what the parser tells; ordered, disjoint.
pub(super) fn find(text: &str) -> Vec<Found> {
    let led = format!("{LEAD}{text}");
    let mut scan = Scan {
        text,
        found: lexical::escaped_math(text),
        open: Vec::new(),
    };
    for (event, range) in events(&led) {
        scan.take(&event, shift(&range));
    }
    let mut found = first_ones(scan.found);
    found.retain(|found| found.span.start < found.span.end);
    found
}

/// Counts the blocks that a unit's text falls into; 1 for a text that is no more than a paragraph.
pub(crate) fn block_count(text: &str) -> usize {
    let led = format!("{LEAD}{text}");
    events(&led)
        .filter(|(event, _)| {
            matches!(
                event,
                Event::Rule
                    | Event::Start(
                        Tag::Paragraph
                            | Tag::Heading { .. }
                            | Tag::CodeBlock(_)
                            | Tag::BlockQuote(_)
                            | Tag::Item
                    )
            )
        })
        .count()
}

/// Tells whether a bracketed text is written like the key of a shortcut reference rather than like
/// an aside such as `[…]` or `[a remark of several words]`.
fn is_shortcut_key(key: &str) -> bool {
    let words = key.split_whitespace().count();
    (1..=SHORTCUT_WORDS).contains(&words)
        && key.chars().any(char::is_alphanumeric)
        && !key.trim_end().ends_with(['.', '…', '?', '!', ','])
}

fn events<'a>(
    led: &'a str,
) -> OffsetIter<'a, impl FnMut(BrokenLink<'a>) -> Option<(CowStr<'a>, CowStr<'a>)>> {
    let known = |link: BrokenLink<'a>| {
        let wanted = link.link_type != LinkType::Shortcut || is_shortcut_key(&link.reference);
        wanted.then(|| (link.reference.into_string().into(), CowStr::Borrowed("")))
    };
    let options = Options::ENABLE_STRIKETHROUGH | Options::ENABLE_MATH;
    Parser::new_with_broken_link_callback(led, options, Some(known)).into_offset_iter()
}

/// Takes the lead off a range of the led text.
fn shift(range: &Range<usize>) -> Range<usize> {
    range.start.saturating_sub(LEAD.len())..range.end.saturating_sub(LEAD.len())
}

/// A link or an image: how it is written, where it leads, and whether it has a title.
struct Target {
    way: LinkType,
    destination: String,
    titled: bool,
}

/// An element whose end was not met yet.
struct Open {
    target: Option<Target>,
    emphasis: Option<&'static str>,
    /// Where its inner text ends as far as it was read.
    inner_end: usize,
}

struct Scan<'a> {
    text: &'a str,
    found: Vec<Found>,
    open: Vec<Open>,
}

impl Scan<'_> {
    fn take(&mut self, event: &Event<'_>, range: Range<usize>) {
        let Range { start, end } = range.clone();
        if let Event::Start(tag) = event {
            self.start(tag, start);
            return;
        }
        if let Event::End(_) = event {
            self.end(range);
        } else if let Event::Code(code) = event {
            self.add(start, end, PlaceableKind::Code, code.trim());
        } else if let Event::InlineMath(_) | Event::DisplayMath(_) = event {
            self.math(start, end);
        } else if let Event::InlineHtml(_) = event {
            let pieces = lexical::tag_pieces(self.text, Span::new(start, end));
            self.found.extend(pieces);
        } else if *event == Event::HardBreak {
            self.add(start, end, PlaceableKind::HardBreak, "");
        }
        if let Some(parent) = self.open.last_mut() {
            parent.inner_end = parent.inner_end.max(end);
        }
    }

    fn start(&mut self, tag: &Tag<'_>, start: usize) {
        let mut target = None;
        if let Tag::Link {
            link_type,
            dest_url,
            title,
            ..
        }
        | Tag::Image {
            link_type,
            dest_url,
            title,
            ..
        } = tag
        {
            let (way, destination) = (*link_type, dest_url.to_string());
            target = Some(Target {
                way,
                destination,
                titled: !title.is_empty(),
            });
        }
        self.open.push(Open {
            target,
            emphasis: emphasis(tag),
            inner_end: start,
        });
    }

    fn end(&mut self, range: Range<usize>) {
        let Some(open) = self.open.pop() else { return };
        if let Some(target) = &open.target {
            self.link(range, open.inner_end, target);
        } else if let Some(key) = open.emphasis {
            let Range { start, end } = range;
            let doubled = ["**", "__", "~~"];
            let marks = self.text.get(start..).unwrap_or_default();
            let is_double = key != "em" && doubled.iter().any(|mark| marks.starts_with(mark));
            let length = if is_double { 2 } else { 1 };
            self.add(start, start + length, PlaceableKind::Emphasis, key);
            self.add(end - length, end, PlaceableKind::Emphasis, key);
        }
    }

    fn link(&mut self, range: Range<usize>, inner_end: usize, target: &Target) {
        let Range { start, end } = range;
        let Target {
            way,
            destination,
            titled,
        } = target;
        let close = self.find_from(inner_end.max(start + 1), end, "]");
        let reference = destination.to_lowercase();
        let address = destination.strip_prefix("mailto:").unwrap_or(destination);
        if *way == LinkType::Inline {
            let title = titled.then(|| self.title(close, end)).flatten();
            let (from, to) = title.unwrap_or((end, end));
            self.add(close, from, PlaceableKind::Link, address);
            self.add(to, end, PlaceableKind::Link, "\"");
        } else if matches!(way, LinkType::Autolink | LinkType::Email) {
            self.add(start, end, PlaceableKind::Link, address);
        } else if matches!(way, LinkType::Reference | LinkType::ReferenceUnknown) {
            self.add(close, end, PlaceableKind::Reference, &reference);
        } else {
            let collapsed = self
                .text
                .get(end..)
                .is_some_and(|rest| rest.starts_with("[]"));
            let end = if collapsed { end + 2 } else { end };
            self.add(start, end, PlaceableKind::Reference, &reference);
        }
    }

    /// Returns where the title of an inline link begins and ends, without its quotes.
    fn title(&self, close: usize, end: usize) -> Option<(usize, usize)> {
        let tail = self.text.get(close..end)?;
        let body = tail.strip_suffix(')')?.trim_end();
        let quote = body.chars().next_back()?;
        let opening = if quote == ')' { '(' } else { quote };
        let before = body.get(..body.len() - quote.len_utf8())?;
        // The destination holds no blank, so the title begins at the first quote after one.
        let from = before
            .char_indices()
            .zip(before.chars().skip(1))
            .find(|((_, blank), next)| blank.is_whitespace() && *next == opening)
            .map(|((at, blank), _)| at + blank.len_utf8() + opening.len_utf8())?;
        Some((close + from, close + before.len()))
    }

    fn math(&mut self, start: usize, end: usize) {
        let Some(formula) = self.text.get(start..end) else {
            return;
        };
        let digit_follows = self
            .text
            .get(end..)
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        if !digit_follows && !lexical::is_prose(formula.trim_matches('$')) {
            self.add(start, end, PlaceableKind::Math, formula);
        }
    }

    fn add(&mut self, start: usize, end: usize, kind: PlaceableKind, key: &str) {
        self.found.push(Found::new(start, end, kind, key));
    }

    fn find_from(&self, from: usize, end: usize, wanted: &str) -> usize {
        let inside = self.text.get(from..end).unwrap_or_default();
        inside.find(wanted).map_or(end, |at| from + at)
    }
}

fn emphasis(tag: &Tag<'_>) -> Option<&'static str> {
    let kinds = [
        (Tag::Emphasis, "em"),
        (Tag::Strong, "strong"),
        (Tag::Strikethrough, "strike"),
    ];
    kinds
        .into_iter()
        .find_map(|(kind, key)| (kind == *tag).then_some(key))
}
