//! Which pieces a unit falls into.

use diglot_document::Format;

use super::*;
use crate::lexer::Lexer;

fn lexer() -> Lexer<'static> {
    Lexer {
        terms: &[],
        holds_numbers: false,
        keeps_lines: false,
    }
}

/// Writes pieces so that their kinds are seen: `(…)` group, `<…>` atom, `^…^` anchor, `{…}` aside, `/…/` break.
fn shown(pieces: &[Piece]) -> String {
    let show = |piece: &Piece| match piece {
        Piece::Text(text) => text.clone(),
        Piece::Atom(text) => format!("<{text}>"),
        Piece::Anchor(text) => format!("^{text}^"),
        Piece::Aside(text) => format!("{{{text}}}"),
        Piece::Break(text) => format!("/{text}/"),
        Piece::Group(group) => format!("({}|{}|{})", group.open, shown(&group.inner), group.close),
    };
    pieces.iter().map(show).collect()
}

fn check(source: &str, expected: &str) {
    assert_eq!(
        shown(&parse(Format::Markdown, source, &lexer())),
        expected,
        "{source}"
    );
}

#[test]
fn code_placeholders_and_addresses_are_words_of_the_sentence() {
    check("Run `ls -a` now", "Run <`ls -a`> now");
    check("Hello {name}, %s", "Hello <{name}>, <%s>");
    check(
        "Write to a@example.com today",
        "Write to <a@example.com> today",
    );
}

#[test]
fn marks_around_text_enclose_it() {
    check("**Save** it", "(**|Save|**) it");
    check("a *b **c** d* e", "a (*|b (**|c|**) d|*) e");
    check("See [the guide](g.md).", "See ([|the guide|](g.md)).");
    check("See [a **b**][c].", "See ([|a (**|b|**)|][c]).");
    check(
        "<b>bold</b> and <kbd>S</kbd>",
        "(<b>|bold|</b>) and (<kbd>|S|</kbd>)",
    );
    check("![A picture](p.png)", "(![|A picture|](p.png))");
}

#[test]
fn the_title_of_a_link_stays_with_its_destination() {
    check("[a](b \"The title\") c", "([|a|](b \"The title\")) c");
}

#[test]
fn a_tag_stays_whole_with_the_values_that_are_read() {
    check(
        "<a href=\"b\" title=\"The guide\">read {n}</a> it",
        "(<a href=\"b\" title=\"The guide\">|read <{n}>|</a>) it",
    );
    check(
        "See <img alt=\"A {n} pump\" src=\"a\" title='5'/> now",
        "See <<img alt=\"A {n} pump\" src=\"a\" title='5'/>> now",
    );
}

#[test]
fn marks_around_nothing_to_translate_are_one_word() {
    check("See [`code`](c.md) now", "See <[`code`](c.md)> now");
    check("**5**", "<**5**>");
}

#[test]
fn unpaired_tags_stay() {
    check("a <b>b", "a <<b>>b");
    check("a </b> b", "a <</b>> b");
}

#[test]
fn lines_end_at_hard_breaks_and_nowhere_else() {
    check("one\\\ntwo", "one/\\\n/two");
    check("one<br>two", "one/<br>/two");
    check("one\ntwo", "one two");
}

#[test]
fn footnotes_hang_on_a_word_and_attributes_on_none() {
    check("A claim.[^1] More.", "A claim.^[^1]^ More.");
    check("Install {#install}", "Install {{#install}}");
    check("✅ Done", "{✅} Done");
    check("Settings → Language", "Settings <→> Language");
    check(
        "Open **Settings → Language**",
        "Open (**|Settings /→/ Language|**)",
    );
}

#[test]
fn what_stands_inside_a_word_makes_it_stay() {
    check("AT&amp;T rules", "<AT&amp;T> rules");
}

#[test]
fn numbered_tags_go_around_their_words() {
    let pieces = parse(
        Format::PlainText,
        "The lid <1>is <2>red</2></1>.<3/>",
        &lexer(),
    );
    assert_eq!(write_all(&pieces), "The lid <1>is <2>red</2></1>.<3/>");
    let Some(Piece::Group(group)) = pieces.get(1) else {
        panic!("{pieces:?}");
    };
    assert_eq!((group.open.as_str(), group.close.as_str()), ("<1>", "</1>"));
    assert!(matches!(group.inner.get(1), Some(Piece::Group(_))));
}
