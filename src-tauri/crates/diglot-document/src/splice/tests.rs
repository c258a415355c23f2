use crate::{Document, Format, ParseOptions, render_target};

/// Renders plain text with one unit replaced.
fn check(source: &str, ordinal: usize, target: &str, expected: &str) {
    let document = Document::parse(
        Format::PlainText,
        source.as_bytes(),
        &ParseOptions::default(),
    )
    .unwrap();
    let bytes = render_target(&document, |n| (n == ordinal).then_some(target)).unwrap();
    assert_eq!(String::from_utf8(bytes).unwrap(), expected);
}

#[test]
fn lines_take_the_ends_and_prefixes_of_their_own() {
    check("a\r\n  b\n\nc", 0, "x\ny\nz", "x\r\n  y\r\n  z\n\nc");
    check("a\r\n\r\nc", 0, "x\ny", "x\r\ny\r\n\r\nc");
    check("a\r\rc", 1, "x\ny", "a\r\rx\ry");
    check("  one", 0, "x\r\ny", "  x\n  y");
    check("- one\n- two", 0, "x\ny", "- x\n  y\n- two");
}

#[test]
fn what_would_open_another_unit_is_folded_away() {
    check("a\n\nb", 0, " x\n\n y\n", "x\ny\n\nb");
    check("a\n\nb", 0, "x\n- y\n---\nz", "x - y ---\nz\n\nb");
    check("a\n\nb", 0, " \n", "a\n\nb");
}
