//! What an engine sees, and what comes back.

use diglot_document::Format;

use super::*;
use crate::align::{Drafter, Link};
use crate::fake::WordByWord;
use crate::inline::parse;
use crate::lexer::Lexer;

fn masked(source: &str) -> Masked {
    let lexer = Lexer {
        terms: &[],
        holds_numbers: false,
        keeps_lines: false,
    };
    Masked::new(&parse(Format::Markdown, source, &lexer), &[], SHAPES[0])
}

fn check(source: &str, words: &[(&'static str, &'static str)], expected: &str) {
    let mut drafter = WordByWord::new(words);
    drafter.swaps = true;
    let masked = masked(source);
    assert_eq!(
        masked.restore(&drafter.translate(&masked.plain)).as_deref(),
        Ok(expected),
        "{source}"
    );
}

#[test]
fn the_engine_sees_no_markup() {
    assert_eq!(masked("**Run** [`x`](y) in {z}.").plain, "Run XX0 in XX1.");
    assert_eq!(masked("A *b* [c](d)[^1].").plain, "A b c.");
}

#[test]
fn what_opens_stays_at_its_words() {
    let lexer = Lexer {
        terms: &[],
        holds_numbers: false,
        keeps_lines: false,
    };
    let source = "Read :ref:`one <a>` now";
    let masked = Masked::new(
        &parse(Format::ReStructuredText, source, &lexer),
        &[],
        SHAPES[0],
    );
    assert_eq!(masked.plain, "Read XX0oneXX1 now");
    let translation = Translation {
        text: "Leia XX0 um XX1 agora".to_owned(),
        links: Vec::new(),
    };
    let restored = masked.restore(&translation);
    assert_eq!(restored.as_deref(), Ok("Leia :ref:`um <a>` agora"));
}

#[test]
fn marks_follow_their_words() {
    check(
        "**Save** the file",
        &[("Save", "Salvar")],
        "the **Salvar** file",
    );
    check("*a* **b** c", &[], "**b** *a* c");
    check("[a **b**](c) d", &[], "[**b** a](c) d");
    check("Use {x} now: **y**!", &[], "{x} Use now: **y**!");
}

#[test]
fn punctuation_stays_on_its_side_of_a_mark() {
    check("Do **this:** now", &[], "**this:** Do now");
    check("Do **this**: now", &[], "**this**: Do now");
}

#[test]
fn a_footnote_stays_behind_its_word_and_its_stop() {
    check("One claim[^1] more", &[], "claim[^1] One more");
    check("One other claim.[^1]", &[], "other One claim.[^1]");
    check("One other **claim**[^1]", &[], "other One **claim**[^1]");
}

#[test]
fn lost_doubled_and_invented_tokens_are_noticed() {
    let masked = masked("Run `a` and `b`");
    let restore = |text: &str| {
        masked.restore(&Translation {
            text: text.to_owned(),
            links: Vec::new(),
        })
    };
    assert_eq!(restore("XX1 e XX0"), Ok("`b` e `a`".to_owned()));
    for bad in [
        "XX0",
        "XX0 XX0 XX1",
        "XX0 XX1 XX2",
        "XX0 XX10",
        "xx0 xx1",
        "",
    ] {
        assert_eq!(restore(bad), Err(Unrestored::Tokens), "{bad}");
    }
}

#[test]
fn marked_words_that_are_torn_apart_are_noticed() {
    let masked = masked("a **b c** d");
    let link = |target: Range<usize>, source: Range<usize>| Link {
        target,
        source,
        share: 1.0,
    };
    let text = "bbbb aaaa cccc".to_owned();
    let links = vec![link(0..4, 2..3), link(5..9, 0..1), link(10..14, 4..5)];
    let torn = Translation {
        text: text.clone(),
        links,
    };
    assert_eq!(masked.restore(&torn), Err(Unrestored::Mark { piece: 1 }));
    let silent = Translation {
        text,
        links: Vec::new(),
    };
    assert_eq!(masked.restore(&silent), Err(Unrestored::Mark { piece: 1 }));
}

#[test]
fn ten_tokens_are_not_one() {
    let source = "`0` `1` `2` `3` `4` `5` `6` `7` `8` `9` `10`, a";
    let masked = masked(source);
    let same = Translation {
        text: masked.plain.clone(),
        links: Vec::new(),
    };
    assert_eq!(masked.restore(&same).as_deref(), Ok(source));
}
