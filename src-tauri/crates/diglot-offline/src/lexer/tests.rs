//! Which words stay.

use super::*;
use crate::inline::write_all;

fn lexer(terms: &[(String, String)]) -> Lexer<'_> {
    Lexer {
        terms,
        holds_numbers: false,
        keeps_lines: false,
    }
}

/// Returns the words of a text that stay.
fn kept(text: &str) -> Vec<String> {
    let stays = |piece: &Piece| match piece {
        Piece::Atom(text) | Piece::Aside(text) => Some(text.clone()),
        Piece::Text(_) | Piece::Anchor(_) | Piece::Break(_) | Piece::Group(_) => None,
    };
    lexer(&[]).pieces(text).iter().filter_map(stays).collect()
}

#[test]
fn names_of_files_options_and_identifiers_stay() {
    assert_eq!(
        kept("Read max_tokens from config.toml."),
        ["max_tokens", "config.toml"]
    );
    assert_eq!(
        kept("Pass --verbose, or call run() in /etc/hosts."),
        ["--verbose", "run()", "/etc/hosts"]
    );
    assert_eq!(kept("if a <= b -> c"), ["<=", "->"]);
    assert_eq!(kept("a snake\\_case word"), ["snake\\_case"]);
}

#[test]
fn prose_is_left_to_the_engine() {
    let prose = "E.g. this one, and/or that - at the end. A stop.Next 3.5 times -- well!";
    assert_eq!(kept(prose), Vec::<String>::new());
    assert_eq!(write_all(&lexer(&[]).pieces(prose)), prose);
}

#[test]
fn quotations_are_enclosed_and_apostrophes_are_not() {
    let group = |open: &str, text: &str, close: &str| {
        Piece::Group(Group {
            open: open.to_owned(),
            inner: vec![Piece::Text(text.to_owned())],
            close: close.to_owned(),
        })
    };
    let text = |text: &str| Piece::Text(text.to_owned());
    assert_eq!(
        lexer(&[]).pieces("a “b c” don’t \"d\"."),
        [
            text("a "),
            group("“", "b c", "”"),
            text(" don’t "),
            group("\"", "d", "\""),
            text(".")
        ]
    );
    assert_eq!(lexer(&[]).pieces("a 5\" disk"), [text("a 5\" disk")]);
}

#[test]
fn terms_are_whole_words_in_any_case() {
    let term = ("open file".to_owned(), "ficheiro aberto".to_owned());
    let find = |text: &str| find_term(text, &term);
    assert_eq!(
        find("an Open file here"),
        Some((3, 9, "Ficheiro aberto".to_owned()))
    );
    assert_eq!(
        find("an open file"),
        Some((3, 9, "ficheiro aberto".to_owned()))
    );
    assert_eq!(find("open files, reopen file"), None);
    assert_eq!(find_term("any", &(" ".to_owned(), "x".to_owned())), None);
}

#[test]
fn the_longest_of_two_terms_wins() {
    let terms = [("file", "F"), ("file name", "FN")].map(|(a, b)| (a.to_owned(), b.to_owned()));
    let pieces = lexer(&terms).pieces("a file name");
    assert_eq!(
        pieces,
        [Piece::Text("a ".to_owned()), Piece::Atom("FN".to_owned())]
    );
}

#[test]
fn lines_are_joined_or_kept() {
    let mut lexer = lexer(&[]);
    assert_eq!(write_all(&lexer.pieces("one \n  two")), "one two");
    lexer.keeps_lines = true;
    assert_eq!(
        lexer.pieces("one\ntwo").get(1),
        Some(&Piece::Break("\n".to_owned()))
    );
}
