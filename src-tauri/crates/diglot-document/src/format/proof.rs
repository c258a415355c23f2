//! What every format must prove of a text, for the tests beside the formats.

use std::fmt::Write as _;

use crate::{Document, Format, ParseOptions, Rules, Segment, render_target};

/// The brackets in which a proof wraps its units.
const MARKERS: [char; 2] = ['\u{27E6}', '\u{27E7}'];

/// Parses a text with the standard options.
pub(crate) fn parse(format: Format, text: &str) -> Document {
    Document::parse(format, text.as_bytes(), &ParseOptions::default()).unwrap()
}

/// Lists the units' texts.
pub(crate) fn sources(document: &Document) -> Vec<&str> {
    let segments = document.segments.iter();
    segments.map(|segment| segment.source.as_str()).collect()
}

/// Compares the units of a text, and proves it.
pub(crate) fn check(format: Format, text: &str, expected: &[&str]) {
    let document = parse(format, text);
    assert_eq!(sources(&document), expected, "{text}");
    prove(&document);
}

/// Renders a text with one unit replaced.
pub(crate) fn render(format: Format, text: &str, ordinal: usize, target: &str) -> String {
    let document = parse(format, text);
    let bytes = render_target(&document, |n| (n == ordinal).then_some(target)).unwrap();
    String::from_utf8(bytes).unwrap()
}

/// Proves that spans are ordered and that the text comes back: each unit as itself, and each wrapped
/// in markers that are then deleted. The text must hold none.
pub(crate) fn prove(document: &Document) {
    let mut end = 0;
    for segment in &document.segments {
        let shortest = usize::from(!document.format.is_bilingual());
        assert!(segment.span.start >= end && segment.span.end >= segment.span.start + shortest);
        assert!(document.text.is_char_boundary(segment.span.start));
        end = segment.span.end;
        assert!(document.text.is_char_boundary(end));
    }
    let output = render_target(document, |n| Some(document.segments[n].source.as_str())).unwrap();
    assert_eq!(String::from_utf8(output).unwrap(), &*document.text);
    let [open, close] = MARKERS;
    let wrap = |source: &&str| format!("{open}{source}{close}");
    let marked: Vec<String> = sources(document).iter().map(wrap).collect();
    let output = render_target(document, |n| Some(marked[n].as_str())).unwrap();
    let output = String::from_utf8(output).unwrap().replace(MARKERS, "");
    assert_eq!(
        unframed(document, &output),
        unframed(document, &document.text)
    );
}

/// Returns a text whose tables are drawn alike, however wide their columns are: the one place where the
/// markers move more than themselves.
fn unframed(document: &Document, text: &str) -> String {
    let drawn = |(n, segment): (usize, &Segment)| document.reach(n) != Some(segment.span);
    let mut text = text.to_owned();
    if document.segments.iter().enumerate().any(drawn) {
        let rule = |one: &char, next: &char| one == next && matches!(one, ' ' | '-' | '=');
        let mut characters: Vec<char> = text.chars().collect();
        characters.dedup_by(|next, one| rule(one, next));
        text = characters.into_iter().collect();
    }
    text
}

/// Proves a text and lists its units with their kinds.
pub(crate) fn listing(format: Format, text: &str) -> String {
    let document = parse(format, text);
    prove(&document);
    let mut listing = String::new();
    for segment in &document.segments {
        writeln!(listing, "{:?} {:?}", segment.kind, segment.source).unwrap();
    }
    listing
}

/// Proves a text in which a paragraph is replaced: what stands before and behind it stays.
pub(crate) fn prove_neighbours(format: Format, text: &str, target: &str) {
    let whole = format!("{text}\n\nNeighbour before.\n\nOne two.\n\nNeighbour after.\n");
    let document = parse(format, &whole);
    prove(&document);
    let sources = sources(&document);
    let Some(ordinal) = sources.iter().rposition(|source| *source == "One two.") else {
        return;
    };
    let changed = render(format, &whole, ordinal, target);
    let again = parse(format, &changed);
    let found = self::sources(&again);
    assert_eq!(found.get(..ordinal), sources.get(..ordinal), "{changed:?}");
    assert_eq!(found.last(), sources.last(), "{changed:?}");
    assert!(found.len() <= sources.len(), "{found:?}");
}

/// Proves that a target, put in the place of each value in turn, reads back as it is, while the other
/// values stay; any value counts, text or not.
pub(crate) fn prove_values(format: Format, text: &str, target: &str) {
    let options = ParseOptions {
        soft_limit: Some(usize::MAX),
        rules: Rules {
            keys_in: vec!["*".to_owned()],
            ..Rules::default()
        },
        ..ParseOptions::default()
    };
    let parse = |bytes: &[u8]| Document::parse(format, bytes, &options).unwrap();
    let document = parse(text.as_bytes());
    for ordinal in 0..document.segments.len() {
        let output = render_target(&document, |n| (n == ordinal).then_some(target)).unwrap();
        let mut expected = sources(&document);
        expected[ordinal] = target.trim();
        let again = parse(&output);
        assert_eq!(sources(&again), expected, "{target:?}: {:?}", again.text);
    }
}
