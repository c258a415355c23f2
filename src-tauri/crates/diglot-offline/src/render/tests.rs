//! What each way makes of a unit.

use diglot_document::Format;

use super::*;
use crate::fake::WordByWord;
use crate::inline::parse;
use crate::lexer::Lexer;

fn rendered(source: &str, way: Way, drafter: &WordByWord) -> Option<String> {
    let lexer = Lexer {
        terms: &[],
        holds_numbers: false,
        keeps_lines: false,
    };
    render(&parse(Format::Markdown, source, &lexer), way, drafter)
}

fn drafter() -> WordByWord {
    WordByWord::new(&[("one", "um"), ("two", "dois"), ("three", "três")])
}

#[test]
fn each_way_keeps_the_markup() {
    let source = "one **two** `x` [three](y)";
    for way in Way::ALL {
        assert_eq!(
            rendered(source, way, &drafter()).as_deref(),
            Some("um **dois** `x` [três](y)")
        );
    }
}

#[test]
fn lost_tokens_leave_only_the_split() {
    let careless = WordByWord {
        is_careless: true,
        ..drafter()
    };
    let source = "one `x` two";
    assert_eq!(rendered(source, Way::Carry, &careless), None);
    assert_eq!(rendered(source, Way::Freeze, &careless), None);
    assert_eq!(
        rendered(source, Way::Split, &careless).as_deref(),
        Some("um `x` dois")
    );
}

#[test]
fn lines_are_translated_apart_and_edges_kept() {
    let swapping = WordByWord {
        swaps: true,
        ..drafter()
    };
    let rendered = |source| rendered(source, Way::Carry, &swapping);
    assert_eq!(
        rendered("one two\\\nthree two").as_deref(),
        Some("dois um\\\ndois três")
    );
    assert_eq!(
        rendered("✅ one two {#id}").as_deref(),
        Some("✅ dois um {#id}")
    );
    assert_eq!(rendered("**one two**").as_deref(), Some("**dois um**"));
}

#[test]
fn a_row_of_marks_is_no_sentence() {
    let swapping = WordByWord {
        swaps: true,
        ..drafter()
    };
    let row = "[one](a) | [two](b)";
    assert_eq!(
        rendered(row, Way::Carry, &swapping).as_deref(),
        Some("[um](a) | [dois](b)")
    );
}

#[test]
fn an_image_is_translated_apart_from_its_sentence() {
    let source = "one ![two three](p.png) two";
    assert_eq!(
        rendered(source, Way::Carry, &drafter()).as_deref(),
        Some("um ![dois três](p.png) dois")
    );
}

#[test]
fn a_source_with_our_tokens_in_it_is_split() {
    assert_eq!(rendered("one XX0 `x`", Way::Carry, &drafter()), None);
    assert_eq!(
        rendered("one XX0 `x`", Way::Split, &drafter()).as_deref(),
        Some("um XX0 `x`")
    );
}
